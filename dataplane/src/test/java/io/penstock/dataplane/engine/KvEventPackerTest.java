package io.penstock.dataplane.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KvEventPackerTest {
    private static final int BLOCK = 32;

    @Test
    void shouldGiveTheRecordedBytesWhenPackingTheRecordedEvents() throws Exception {
        int frames = 0;
        for (JsonNode frame : Recordings.events().get("frames")) {
            boolean ints = frame.get("source").asText().contains("int hashes");
            int digestBytes = ints ? 8 : 32;
            KvEventPacker packer = new KvEventPacker(BLOCK, ints, digestBytes);
            for (JsonNode event : frame.at("/decoded/1")) {
                pack(packer, event, digestBytes);
            }
            double timestamp = frame.at("/decoded/0").asDouble();
            byte[] payload = packer.finish(timestamp, frame.at("/decoded/2").asInt());
            assertEquals(
                    frame.get("payload_hex").asText(),
                    HexFormat.of().formatHex(payload),
                    frame.get("note").asText());
            frames++;
        }
        assertEquals(12, frames);
    }

    private static void pack(KvEventPacker packer, JsonNode event, int digestBytes) {
        switch (event.get("type").asText()) {
            case "AllBlocksCleared" -> packer.cleared();
            case "BlockRemoved" -> {
                byte[] digest = digest(event.at("/block_hashes/0"), digestBytes);
                packer.removed(BlockHasher.wireHash(digest, 0, digestBytes), digest, 0);
            }
            default -> {
                // A sequence whose first block is the parent, where there is one.
                boolean root = event.get("parent_block_hash").isNull();
                int lead = root ? 0 : 1;
                int blocks = event.get("block_hashes").size();
                ByteBuffer digests = ByteBuffer.allocate((lead + blocks) * digestBytes);
                if (!root) {
                    digests.put(digest(event.get("parent_block_hash"), digestBytes));
                }
                event.get("block_hashes").forEach(hash -> digests.put(digest(hash, digestBytes)));
                int[] stored = Recordings.ints(event.get("token_ids"));
                int[] tokens = new int[lead * BLOCK + stored.length];
                System.arraycopy(stored, 0, tokens, lead * BLOCK, stored.length);
                String salt = event.at("/extra_keys/0/0").asText(null);
                String session = event.path("session_id").asText(null);
                BlockHashes chain = BlockHashes.known(digests.array(), digestBytes);
                packer.stored(new Sequence(tokens, chain, null, salt, null, session, false, null), lead, lead + blocks);
            }
        }
    }

    private static byte[] digest(JsonNode hash, int digestBytes) {
        if (hash.isTextual()) {
            return HexFormat.of().parseHex(hash.asText().substring("hex:".length()));
        }
        return ByteBuffer.allocate(digestBytes)
                .putLong(new BigInteger(hash.asText()).longValue())
                .array();
    }
}
