package io.penstock.dataplane.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Carries the core's state into memory, or back: the same calls in the same order do both, so that no field can be
 * written and not read. Little-endian, unaligned, no tags; both sides must be of one layout version.
 *
 * <p>When writing, a value that finds no room is not written and {@link #isFull} says so. When reading, a state that is
 * too short is refused.
 *
 * <p><b>Threading:</b> owned by whoever made it. <b>Cost:</b> nothing allocated when writing.
 */
public final class StateTape {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private final boolean reading;
    private long at;
    private boolean full;

    private StateTape(MemorySegment memory, boolean reading) {
        this.memory = memory;
        this.reading = reading;
    }

    /** Writes from the beginning of {@code memory}. */
    public static StateTape writing(MemorySegment memory) {
        return new StateTape(memory, false);
    }

    /** Reads what was written. */
    public static StateTape reading(MemorySegment memory) {
        return new StateTape(memory, true);
    }

    /** Whether values come from the memory. */
    public boolean isReading() {
        return reading;
    }

    /** Whether something found no room; what was written is then of no use. */
    public boolean isFull() {
        return full;
    }

    /** Bytes written or read. */
    public long position() {
        return at;
    }

    private boolean moves(long bytes) {
        boolean fits = !full && at + bytes <= memory.byteSize();
        if (!fits && reading) {
            throw new IllegalArgumentException("state ends too early: bytes=" + memory.byteSize());
        }
        full |= !fits;
        return fits;
    }

    /** A number. */
    public int carry(int value) {
        int carried = value;
        if (moves(Integer.BYTES)) {
            if (reading) {
                carried = memory.get(INT, at);
            } else {
                memory.set(INT, at, value);
            }
            at += Integer.BYTES;
        }
        return carried;
    }

    /** A number. */
    public long carry(long value) {
        long carried = value;
        if (moves(Long.BYTES)) {
            if (reading) {
                carried = memory.get(LONG, at);
            } else {
                memory.set(LONG, at, value);
            }
            at += Long.BYTES;
        }
        return carried;
    }

    /** A number. */
    public double carry(double value) {
        return Double.longBitsToDouble(carry(Double.doubleToRawLongBits(value)));
    }

    /** A truth. */
    public boolean carry(boolean value) {
        return carry(value ? 1 : 0) != 0;
    }

    /** A text, or null. */
    public String carry(String value) {
        int length = carry(value == null ? -1 : value.length());
        if (length < 0) {
            return null;
        }
        if (!reading) {
            for (int i = 0; i < length; i++) {
                carry((int) value.charAt(i));
            }
            return value;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) carry(0));
        }
        return text.toString();
    }

    /** The first {@code count} of an array. */
    public void carry(int[] values, int count) {
        long bytes = (long) count * Integer.BYTES;
        if (moves(bytes)) {
            if (reading) {
                MemorySegment.copy(memory, INT, at, values, 0, count);
            } else {
                MemorySegment.copy(values, 0, memory, INT, at, count);
            }
            at += bytes;
        }
    }

    /** The first {@code count} of an array. */
    public void carry(long[] values, int count) {
        carry(values, 0, count);
    }

    /** A part of an array. */
    public void carry(long[] values, int from, int count) {
        long bytes = (long) count * Long.BYTES;
        if (moves(bytes)) {
            if (reading) {
                MemorySegment.copy(memory, LONG, at, values, from, count);
            } else {
                MemorySegment.copy(values, from, memory, LONG, at, count);
            }
            at += bytes;
        }
    }

    /** The first {@code count} of an array. */
    public void carry(double[] values, int count) {
        long bytes = (long) count * Double.BYTES;
        if (moves(bytes)) {
            if (reading) {
                MemorySegment.copy(memory, DOUBLE, at, values, 0, count);
            } else {
                MemorySegment.copy(values, 0, memory, DOUBLE, at, count);
            }
            at += bytes;
        }
    }

    /** The first {@code count} of an array. */
    public void carry(boolean[] values, int count) {
        if (moves(count)) {
            for (int i = 0; i < count; i++) {
                if (reading) {
                    values[i] = memory.get(BYTE, at + i) != 0;
                } else {
                    memory.set(BYTE, at + i, (byte) (values[i] ? 1 : 0));
                }
            }
            at += count;
        }
    }
}
