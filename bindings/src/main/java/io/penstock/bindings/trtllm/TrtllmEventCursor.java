package io.penstock.bindings.trtllm;

import io.penstock.bindings.events.EventBatchCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * KV events that TensorRT-LLM pushes: maps with the fields of vLLM 0.26, and {@code mm_keys} for multimodal objects.
 * Hashes are numbers, the low 64 bits of the engine's; bytes stand for their last eight. Token ids may be texts: such
 * blocks are left out.
 *
 * <p><b>Threading:</b> owned by the caller.
 */
public final class TrtllmEventCursor extends EventBatchCursor {
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    @Override
    protected long hashOfBytes(byte[] source, int offset, int length) {
        return (long) U64.get(source, offset + length - 8);
    }
}
