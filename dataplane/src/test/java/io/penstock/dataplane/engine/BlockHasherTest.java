package io.penstock.dataplane.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class BlockHasherTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void shouldEqualVllmWhenHashingRecordedPrompts() throws Exception {
        JsonNode recorded = Recordings.events();
        BlockHasher hasher = new BlockHasher(HashAlgorithm.SHA256_CBOR, "", 32);
        assertEquals(
                recorded.at("/engine_sha256_cbor_vectors/none_hash_hex").asText(), HEX.formatHex(hasher.rootDigest()));

        int compared = 0;
        for (JsonNode frame : recorded.get("frames")) {
            if (!frame.get("source").asText().contains("dp=2")) {
                continue;
            }
            JsonNode stored = frame.at("/decoded/1/0");
            int[] tokens = Recordings.ints(stored.get("token_ids"));
            JsonNode salt = stored.at("/extra_keys/0/0");
            BlockHashes chain = new BlockHashes(hasher, 32, null, salt.isTextual() ? salt.asText() : null, 1);
            chain.extendTo(tokens, tokens.length / 32);
            for (int b = 0; b < chain.count(); b++, compared++) {
                byte[] digest = Arrays.copyOfRange(chain.digests(), b * 32, (b + 1) * 32);
                assertEquals(stored.at("/block_hashes/" + b).asText(), "hex:" + HEX.formatHex(digest));
            }
        }
        assertEquals(15, compared);
    }

    @Test
    void shouldDifferBetweenProcessesWhenXxhashHasNoSeed() {
        BlockHasher one = new BlockHasher(HashAlgorithm.XXHASH_CBOR, "", 16);
        BlockHasher other = new BlockHasher(HashAlgorithm.XXHASH_CBOR, "", 16);
        assertNotEquals(HEX.formatHex(one.rootDigest()), HEX.formatHex(other.rootDigest()));
        BlockHasher seeded = new BlockHasher(HashAlgorithm.XXHASH_CBOR, "0", 16);
        assertEquals(
                HEX.formatHex(seeded.rootDigest()),
                HEX.formatHex(new BlockHasher(HashAlgorithm.XXHASH_CBOR, "0", 16).rootDigest()));
    }

    @Test
    void shouldTagAdapterAndSaltWhenAKeyIsSet() {
        BlockHasher.Adapter adapter = new BlockHasher.Adapter(1, "a", "/p");
        // [["lora","a","/p"],["cache_salt","s"]] in canonical CBOR.
        assertEquals(
                "8283646c6f72616161622f70826a63616368655f73616c746173",
                HEX.formatHex(BlockHasher.extraKeys(adapter, "s")));
    }
}
