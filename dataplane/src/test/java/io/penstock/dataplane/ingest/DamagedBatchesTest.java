package io.penstock.dataplane.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class DamagedBatchesTest {
    private final EventDecoder decoder = new EventDecoder(1 << 12);

    @Test
    void shouldBecomeColdAndIndexNothingWhenABatchIsCutOffAnywhere() throws IOException {
        for (byte[] payload : payloads()) {
            for (int cut = 1; cut < payload.length; cut += 7) {
                IndexPort port = new IndexPort(new ReferenceIndex(16, 1 << 16, 4));
                FeedCounters counters = apply(port, Arrays.copyOf(payload, cut), 16);
                assertEquals(1, port.colds);
                assertEquals(0, port.index.blockCount());
                assertEquals(1, counters.snapshot()[FeedCounter.MALFORMED_BATCHES.ordinal()]);
            }
        }
    }

    @Test
    void shouldGoOnWhenAnyByteIsFlipped() throws IOException {
        for (byte[] payload : payloads()) {
            byte[] damaged = payload.clone();
            for (int at = 0; at < damaged.length; at++) {
                damaged[at] ^= (byte) 0x81;
                IndexPort port = new IndexPort(new ReferenceIndex(16, 1 << 16, 4));
                FeedCounters counters = apply(port, damaged, 16);
                long malformed = counters.snapshot()[FeedCounter.MALFORMED_BATCHES.ordinal()];
                assertEquals(malformed, port.colds, "byte " + at);
                assertTrue(malformed == 0 || port.index.blockCount() == 0, "byte " + at);
                assertEquals(0, port.out, "byte " + at);
                damaged[at] ^= (byte) 0x81;
            }
        }
    }

    private FeedCounters apply(IndexPort port, byte[] payload, int blockSize) {
        FeedCounters counters = new FeedCounters();
        int slot = port.index.openSlot("engine", 0);
        Delivery delivery = new Delivery(port, decoder, decoder.cursor("sglang"), counters, slot, blockSize, 0, true);
        delivery.batch(7, payload, 0, payload.length, false);
        assertTrue(delivery.flush());
        assertEquals(7, port.index.positionSequence(slot));
        return counters;
    }

    private static List<byte[]> payloads() throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        JsonNode recordings = new ObjectMapper()
                .readTree(Path.of(
                                System.getProperty("penstock.root"),
                                "bindings/src/test/resources/recordings/sglang_kv_events.json")
                        .toFile());
        for (int recording : new int[] {0, 3, 10}) {
            for (int frame = 1; frame < 16; frame += 3) {
                JsonNode of = recordings.get(recording).get("frames").get(frame);
                payloads.add(HexFormat.of().parseHex(of.get("frames_hex").get(2).asText()));
            }
        }
        return payloads;
    }
}
