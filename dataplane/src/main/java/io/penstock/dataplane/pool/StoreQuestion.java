package io.penstock.dataplane.pool;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.ffi.mooncake.LibMooncakeStore;
import io.penstock.ffi.mooncake.StoreStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Names on their way into the library, and its answers: C strings one after the other, pointers to them, one int each.
 *
 * <p><b>Threading:</b> handed back and forth between the one who asks and the caller's thread. <b>Cost:</b> nothing
 * allocated, but for longer text than ever before.
 */
final class StoreQuestion {
    /** Names in one call. */
    static final int MOST_NAMES = 1024;

    private static final int FIRST_TEXT_BYTES = MOST_NAMES * 96;

    /** Closed by the collector: the library may still read when nobody waits any more. */
    private final Arena arena = Arena.ofAuto();

    private final MemorySegment keys = arena.allocate(JAVA_LONG, MOST_NAMES);
    private final MemorySegment results = arena.allocate(JAVA_INT, MOST_NAMES);
    private MemorySegment text = arena.allocate(FIRST_TEXT_BYTES);
    private final int[] places = new int[MOST_NAMES];
    private int asked;

    /** Takes the names from {@code from} to before {@code to}; those that are not plain ASCII are left out. */
    void write(List<String> names, int from, int to) {
        room(names, from, to);
        asked = 0;
        long at = 0;
        for (int i = from; i < to; i++) {
            String name = names.get(i);
            if (!plain(name)) {
                continue;
            }
            keys.setAtIndex(JAVA_LONG, asked, text.address() + at);
            places[asked] = i - from;
            results.setAtIndex(JAVA_INT, asked, StoreStatus.RPC_FAIL);
            asked++;
            for (int c = 0; c < name.length(); c++) {
                text.set(JAVA_BYTE, at++, (byte) name.charAt(c));
            }
            text.set(JAVA_BYTE, at++, (byte) 0);
        }
    }

    private void room(List<String> names, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += names.get(i).length() + 1;
        }
        if (bytes > text.byteSize()) {
            text = arena.allocate(2 * bytes);
        }
    }

    private static boolean plain(String name) {
        for (int c = 0; c < name.length(); c++) {
            if (name.charAt(c) == 0 || name.charAt(c) >= 0x80) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /**
     * Asks the library; blocks as long as that does.
     *
     * @return {@link StoreStatus#OK} if it answered for any name, else why not
     */
    int put(MemorySegment store) {
        if (asked == 0) {
            return StoreStatus.OK;
        }
        int status = LibMooncakeStore.batchIsExist(store, keys, asked, results);
        if (status != StoreStatus.OK) {
            results.fill((byte) -1);
            return status;
        }
        // An unreachable master is told in each result, not by the call.
        for (int i = 0; i < asked; i++) {
            if (results.getAtIndex(JAVA_INT, i) >= 0) {
                return StoreStatus.OK;
            }
        }
        return results.getAtIndex(JAVA_INT, 0);
    }

    /**
     * Copies the answers to {@code out} from {@code at} on.
     *
     * @return false if the library answered any of them with an error
     */
    boolean read(byte[] out, int at) {
        boolean whole = true;
        for (int i = 0; i < asked; i++) {
            int result = results.getAtIndex(JAVA_INT, i);
            if (result == 0 || result == 1) {
                out[at + places[i]] = result == 1 ? SharedPool.PRESENT : SharedPool.ABSENT;
            } else {
                whole = false;
            }
        }
        return whole;
    }
}
