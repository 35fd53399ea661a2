package io.penstock.bindings.sglang;

import io.penstock.bindings.events.EventBatchCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * KV events of SGLang: tagged arrays up to 0.5.19, maps since 0.5.20. Hashes travel as signed numbers, the first eight
 * bytes of a SHA-256, big-endian; raw 64 bits here. In 0.5.18 the salt stands in a map at position 7 of the array, where
 * vLLM has the adapter's name.
 *
 * <p><b>Threading:</b> owned by the caller.
 */
public final class SglangEventCursor extends EventBatchCursor {
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    @Override
    protected long hashOfBytes(byte[] source, int offset, int length) {
        return (long) U64.get(source, offset);
    }
}
