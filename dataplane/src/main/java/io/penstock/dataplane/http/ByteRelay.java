package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Passes a body on as it comes, and keeps a copy of a short one, in which the usage is looked up afterwards.
 *
 * <p><b>Threading:</b> owned by the event loop. <b>Cost:</b> nothing copied but what is kept.
 */
final class ByteRelay implements Relay {
    private final int keepLimit;
    private final Consumer<ByteBuf> out;
    private byte[] kept = {};
    private int length;
    private boolean tooLong;

    ByteRelay(int keepLimit, Consumer<ByteBuf> out) {
        this.keepLimit = keepLimit;
        this.out = out;
    }

    @Override
    public void content(ByteBuf bytes) {
        int count = bytes.readableBytes();
        if (count > keepLimit - length) {
            tooLong = true;
            kept = null;
        } else if (!tooLong) {
            if (length + count > kept.length) {
                kept = Arrays.copyOf(kept, Math.min(keepLimit, Math.max(length + count, kept.length * 2)));
            }
            bytes.getBytes(bytes.readerIndex(), kept, length, count);
            length += count;
        }
        out.accept(bytes);
    }

    @Override
    public void end() {}

    @Override
    public boolean breakOff(byte[] event) {
        return false;
    }

    @Override
    public boolean complete() {
        return false;
    }

    @Override
    public int events() {
        return 0;
    }

    /** The whole body in the first {@link #keptLength} bytes, or null if it was too long to keep. */
    byte[] kept() {
        return kept;
    }

    int keptLength() {
        return length;
    }
}
