package io.penstock.index.pages;

/**
 * The writer's half of a version word, which guards others: odd while they change, two higher afterwards.
 *
 * <p><b>Threading:</b> single writer. Partner of both barriers: the readers' loads in {@code read.Versions}.
 */
public final class VersionWord {
    private VersionWord() {}

    /** Before the first guarded word changes. The barrier puts the odd version before the stores that follow. */
    public static void enter(long address) {
        Memory.putLong(address, Memory.getLong(address) + 1);
        Memory.storeBarrier();
    }

    /** After the last guarded word has changed. The barrier puts the stores before the even version. */
    public static void leave(long address) {
        Memory.storeBarrier();
        Memory.putLong(address, Memory.getLong(address) + 1);
    }

    /** Odd, whatever it was; until {@link #settle}. */
    public static void bar(long address) {
        Memory.putLong(address, Memory.getLong(address) | 1);
        Memory.storeBarrier();
    }

    /** Even and higher, if it was odd. */
    public static void settle(long address) {
        long version = Memory.getLong(address);
        if ((version & 1) != 0) {
            Memory.storeBarrier();
            Memory.putLong(address, version + 1);
        }
    }
}
