package io.penstock.ffi.mooncake;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of a {@link MasterProcess} through our own C bindings, for tests: it gives the pool its memory, stores and
 * removes objects.
 *
 * <p>Close it while the master lives: afterwards it takes about 20 s, so {@link #close} leaves that to a thread of its own.
 *
 * <p><b>Threading:</b> owned by the test's thread.
 */
public final class StoreClient implements AutoCloseable {
    /** Memory that {@link #connect(MasterProcess)} gives to the pool. */
    public static final long SEGMENT_BYTES = 16L << 20;

    private static final long CLOSE_S = 3;

    private final MemorySegment store;

    private StoreClient(MemorySegment store) {
        this.store = store;
    }

    /** A client that gives the pool {@value #SEGMENT_BYTES} bytes; where no library is installed the test is skipped. */
    public static StoreClient connect(MasterProcess master) {
        return connect(master, SEGMENT_BYTES);
    }

    /** A client that gives the pool so many bytes; 0 = it only asks. */
    public static StoreClient connect(MasterProcess master, long segmentBytes) {
        NativePackages.assumeStore();
        return connect(master.rpcAddress(), segmentBytes);
    }

    /** The same for a master of another process. */
    static StoreClient connect(String masterAddress, long segmentBytes) {
        MemorySegment store = LibMooncakeStore.create();
        int status = setup(store, masterAddress, segmentBytes);
        if (status != StoreStatus.OK) {
            LibMooncakeStore.destroy(store);
            throw new IllegalStateException("setup: " + StoreStatus.text(status));
        }
        return new StoreClient(store);
    }

    /** Sets a store up against a master's address; the library's answer. */
    static int setup(MemorySegment store, String masterAddress, long segmentBytes) {
        try (Arena arena = Arena.ofConfined()) {
            return LibMooncakeStore.setup(
                    store,
                    arena.allocateFrom("127.0.0.1:" + freePort()),
                    arena.allocateFrom("P2PHANDSHAKE"),
                    segmentBytes,
                    segmentBytes == 0 ? 0 : SEGMENT_BYTES,
                    arena.allocateFrom("tcp"),
                    arena.allocateFrom(""),
                    arena.allocateFrom(masterAddress));
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port on loopback", e);
        }
    }

    /** Stores objects of a few bytes. */
    public void put(String... names) {
        for (String name : names) {
            put(name, new byte[] {1, 2, 3, 4});
        }
    }

    /** Stores an object. */
    public void put(String name, byte[] value) {
        int status = putStatus(name, value);
        if (status != StoreStatus.OK) {
            throw new IllegalStateException("put " + name + ": " + StoreStatus.text(status));
        }
    }

    /** Stores an object; the library's answer. */
    public int putStatus(String name, byte[] value) {
        try (Arena arena = Arena.ofConfined()) {
            return LibMooncakeStore.put(
                    store,
                    arena.allocateFrom(name),
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, value),
                    value.length,
                    MemorySegment.NULL);
        }
    }

    /** An object's bytes, at most {@code maxBytes}; null where there is none. */
    public byte[] get(String name, int maxBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(maxBytes);
            long size = LibMooncakeStore.getInto(store, arena.allocateFrom(name), buffer, maxBytes);
            return size < 0 ? null : buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** 1, 0 or a negative status. Renews the lease. */
    public int isExist(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return LibMooncakeStore.isExist(store, arena.allocateFrom(name));
        }
    }

    /** 1, 0 or a negative status for each. Renews the leases. */
    public int[] batchIsExist(List<String> names) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment keys = arena.allocate(ValueLayout.ADDRESS, Math.max(1, names.size()));
            for (int i = 0; i < names.size(); i++) {
                keys.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(names.get(i)));
            }
            MemorySegment results = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, names.size()));
            int status = LibMooncakeStore.batchIsExist(store, keys, names.size(), results);
            if (status != StoreStatus.OK) {
                throw new IllegalStateException("batch_is_exist: " + StoreStatus.text(status));
            }
            return Arrays.copyOf(results.toArray(ValueLayout.JAVA_INT), names.size());
        }
    }

    /** Removes objects at once, leases or not. */
    public void remove(String... names) {
        for (String name : names) {
            int status = removeStatus(name, true);
            if (status != StoreStatus.OK) {
                throw new IllegalStateException("remove " + name + ": " + StoreStatus.text(status));
            }
        }
    }

    /** Removes an object; the library's answer. */
    public int removeStatus(String name, boolean force) {
        try (Arena arena = Arena.ofConfined()) {
            return LibMooncakeStore.remove(store, arena.allocateFrom(name), force ? 1 : 0);
        }
    }

    /** Removes everything at once; how many. */
    public long removeAll() {
        return LibMooncakeStore.removeAll(store, 1);
    }

    /** The store, for calls that are not here. */
    public MemorySegment store() {
        return store;
    }

    @Override
    public void close() {
        Thread closer = Thread.ofPlatform().daemon().name("store-close").start(() -> LibMooncakeStore.destroy(store));
        try {
            closer.join(TimeUnit.SECONDS.toMillis(CLOSE_S));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
