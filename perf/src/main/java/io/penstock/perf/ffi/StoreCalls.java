package io.penstock.perf.ffi;

import static io.penstock.perf.ffi.NativeCalls.must;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.dataplane.pool.MooncakeStore;
import io.penstock.ffi.load.LibrarySearch;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.mooncake.LibMooncakeStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The Mooncake store's calls over our bindings: a client with a segment, {@value #KEYS} objects of {@value #VALUE_BYTES}
 * bytes.
 *
 * <p><b>Threading:</b> owned by one thread.
 */
final class StoreCalls implements NativeCalls {
    private static final int KEYS = 1_024;
    private static final int VALUE_BYTES = 4_096;
    private static final int PATIENCE_MS = 5_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment store;
    private final MemorySegment first;
    private final MemorySegment absent;
    private final MemorySegment keys = arena.allocate(ADDRESS, KEYS);
    private final MemorySegment value = arena.allocate(VALUE_BYTES);
    private final MemorySegment results = arena.allocate(JAVA_INT, KEYS);
    private final List<String> names = new ArrayList<>();
    private final byte[] known = new byte[KEYS];
    private final MooncakeStore probes;

    StoreCalls(LibrarySearch search, String master) {
        NativeLibrary.use(LibrarySpec.MOONCAKE_STORE, search);
        if (!LibMooncakeStore.isAvailable()) {
            throw new IllegalStateException(LibMooncakeStore.unavailabilityCause());
        }
        store = LibMooncakeStore.create();
        int status = LibMooncakeStore.setup(
                store,
                arena.allocateFrom("127.0.0.1"),
                arena.allocateFrom("P2PHANDSHAKE"),
                32L << 20,
                16L << 20,
                arena.allocateFrom("tcp"),
                arena.allocateFrom(""),
                arena.allocateFrom(master));
        must("setup", status, 0);
        for (int i = 0; i < KEYS; i++) {
            String name = "java-page-" + i + "_0_k";
            names.add(name);
            MemorySegment key = arena.allocateFrom(name);
            keys.setAtIndex(ADDRESS, i, key);
            must("put", LibMooncakeStore.put(store, key, value, VALUE_BYTES, MemorySegment.NULL), 0);
        }
        first = arena.allocateFrom(names.getFirst());
        absent = arena.allocateFrom("java-nowhere_0_k");
        probes = new MooncakeStore(master, PATIENCE_MS);
        long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        while (probes.probe(names, known) != KEYS) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("no probe is answered: " + probes.cause());
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public Call find(String name) {
        if (name.startsWith("batch_is_exist.")) {
            int count = number(name);
            return times -> batchIsExist(count, times);
        }
        if (name.startsWith("path.probe.")) {
            List<String> asked = List.copyOf(names.subList(0, number(name)));
            return times -> probe(asked, times);
        }
        return switch (name) {
            case "is_exist.hit" -> times -> isExist(first, 1, times);
            case "is_exist.miss" -> times -> isExist(absent, 0, times);
            case "get_into" -> this::getInto;
            default -> null;
        };
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
    }

    private void isExist(MemorySegment key, int want, int times) {
        for (int i = 0; i < times; i++) {
            must("is_exist", LibMooncakeStore.isExist(store, key), want);
        }
    }

    private void batchIsExist(int count, int times) {
        for (int i = 0; i < times; i++) {
            must("batch_is_exist", LibMooncakeStore.batchIsExist(store, keys, count, results), 0);
        }
        must("batch_is_exist", results.getAtIndex(JAVA_INT, count - 1), 1);
    }

    private void getInto(int times) {
        for (int i = 0; i < times; i++) {
            must("get_into", LibMooncakeStore.getInto(store, first, value, VALUE_BYTES), VALUE_BYTES);
        }
    }

    private void probe(List<String> asked, int times) {
        for (int i = 0; i < times; i++) {
            must("probe", probes.probe(asked, known), asked.size());
        }
    }

    @Override
    public void close() {
        probes.close();
        LibMooncakeStore.destroy(store);
        arena.close();
    }
}
