package io.penstock.index.pages;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The pages that are mapped now, for {@link Memory}'s checked mode: sorted begins and, same index, ends.
 *
 * <p><b>Threading:</b> thread-safe; readers take one immutable snapshot.
 */
final class MappedPages {
    private static volatile long[][] snapshot = {new long[0], new long[0]};
    private static long accessesLeft = Long.MAX_VALUE;
    private static LongConsumer observer;

    private MappedPages() {}

    static synchronized void add(long[] addresses, int pageBytes) {
        long[] begins = Arrays.copyOf(snapshot[0], snapshot[0].length + addresses.length);
        System.arraycopy(addresses, 0, begins, snapshot[0].length, addresses.length);
        long[] ends = Arrays.copyOf(snapshot[1], begins.length);
        Arrays.setAll(ends, i -> i < snapshot[1].length ? snapshot[1][i] : begins[i] + pageBytes);
        publish(begins, ends);
    }

    static synchronized void remove(long[] addresses) {
        long[] sorted = addresses.clone();
        Arrays.sort(sorted);
        int[] kept = java.util.stream.IntStream.range(0, snapshot[0].length)
                .filter(i -> Arrays.binarySearch(sorted, snapshot[0][i]) < 0)
                .toArray();
        publish(
                Arrays.stream(kept).mapToLong(i -> snapshot[0][i]).toArray(),
                Arrays.stream(kept).mapToLong(i -> snapshot[1][i]).toArray());
    }

    private static void publish(long[] begins, long[] ends) {
        // Pages do not overlap, so sorting both keeps them paired.
        Arrays.sort(begins);
        Arrays.sort(ends);
        snapshot = new long[][] {begins, ends};
    }

    /** The access that comes after so many more fails: a writer that dies there, for tests. */
    static void dieAfter(long accesses) {
        accessesLeft = accesses;
    }

    /** Told the address of every access before it happens, null for nobody: for tests, on the writer's thread. */
    static void observe(LongConsumer told) {
        observer = told;
    }

    static void check(long address, long bytes) {
        if (accessesLeft != Long.MAX_VALUE && --accessesLeft < 0) {
            throw new IllegalStateException("the writer dies here, as the test wished");
        }
        if ((address & bytes - 1) != 0 && bytes <= Long.BYTES) {
            throw new IndexOutOfBoundsException("access is not aligned: address=" + address + ", bytes=" + bytes);
        }
        if (observer != null && bytes <= Long.BYTES) {
            observer.accept(address);
        }
        long[][] now = snapshot;
        int found = Arrays.binarySearch(now[0], address);
        int page = found >= 0 ? found : -found - 2;
        if (page < 0 || address + bytes > now[1][page]) {
            throw new IndexOutOfBoundsException(
                    "access outside of the mapped pages: address=" + address + ", bytes=" + bytes);
        }
    }
}
