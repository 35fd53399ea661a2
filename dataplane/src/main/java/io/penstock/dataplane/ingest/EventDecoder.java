package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.KvEventCursor;
import io.penstock.bindings.sglang.SglangEventCursor;
import io.penstock.bindings.trtllm.TrtllmEventCursor;
import io.penstock.bindings.vllm.VllmEventCursor;
import net.openhft.hashing.LongHashFunction;

/**
 * What the feeds of one reader share for decoding: a cursor per engine, the hasher, and the salts.
 *
 * <p><b>Threading:</b> owned by a reader.
 */
final class EventDecoder {
    private static final LongHashFunction PAYLOAD = LongHashFunction.xx3(0);

    final BlockHasher hasher = new BlockHasher();
    final SaltMemory salts;

    private final KvEventCursor vllm = new VllmEventCursor();
    private final KvEventCursor sglang = new SglangEventCursor();
    private final KvEventCursor trtllm = new TrtllmEventCursor();

    EventDecoder(int saltedBlocks) {
        salts = new SaltMemory(saltedBlocks);
    }

    /** The cursor for an engine; null if the engine's events are not known. */
    KvEventCursor cursor(String engine) {
        return switch (engine) {
            case "vllm" -> vllm;
            case "sglang" -> sglang;
            case "trtllm" -> trtllm;
            default -> null;
        };
    }

    /** Identity of a batch: XXH3-64 of its payload. */
    static long batchHash(byte[] payload, int offset, int length) {
        return PAYLOAD.hashBytes(payload, offset, length);
    }
}
