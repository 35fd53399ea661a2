package io.penstock.bindings.vllm;

import io.penstock.bindings.events.EventBatchCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * KV events of vLLM: tagged arrays up to 0.23, maps since 0.24. A hash given as bytes (32 of SHA-256, 16 of XXH3-128)
 * stands for its last eight, big-endian, which is what vLLM sends where it sends numbers.
 *
 * <p><b>Threading:</b> owned by the caller.
 */
public final class VllmEventCursor extends EventBatchCursor {
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    @Override
    protected long hashOfBytes(byte[] source, int offset, int length) {
        return (long) U64.get(source, offset + length - 8);
    }
}
