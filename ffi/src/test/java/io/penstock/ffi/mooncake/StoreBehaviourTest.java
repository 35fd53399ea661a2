package io.penstock.ffi.mooncake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the real store and master do, as far as others rely on it. */
class StoreBehaviourTest {
    private static final byte[] VALUE = {9, 8, 7, 6, 5};
    private static final long DEADLINE_S = 10;
    private static final Pattern ENDPOINT = Pattern.compile("\"transport_endpoint_\":\"([^\"]+)\"");

    @TempDir
    static Path folder;

    private static MasterProcess master;
    private static StoreClient client;
    private static StoreClient probe;

    @BeforeAll
    static void startMaster() {
        NativePackages.assumeStore();
        master = MasterProcess.start(folder);
        client = StoreClient.connect(master);
        probe = StoreClient.connect(master, 0);
    }

    @AfterAll
    static void stopMaster() {
        if (probe != null) {
            probe.close();
        }
        if (client != null) {
            client.close();
        }
        if (master != null) {
            master.close();
        }
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, what + " did not happen within " + DEADLINE_S + " s");
            Thread.onSpinWait();
        }
    }

    /** Waits until nothing shields the object, by the clock: asking would renew the lease. */
    private static void letLeaseExpire() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2L * MasterProcess.LEASE_MS);
        until("the lease's end", () -> System.nanoTime() - end > 0);
    }

    @Test
    void shouldGiveBackTheBytesWhenAnObjectWasPut() {
        client.put("roundTrip", VALUE);
        assertArrayEquals(VALUE, client.get("roundTrip", 64));
        assertEquals(VALUE.length, size("roundTrip"));
        assertNull(client.get("neverPut", 64));
    }

    @Test
    void shouldKeepTheOldValueWhenAKeyIsPutAgain() {
        client.put("twice", VALUE);
        assertEquals(StoreStatus.OK, client.putStatus("twice", new byte[] {1}));
        assertArrayEquals(VALUE, client.get("twice", 64));
    }

    @Test
    void shouldTellEachObjectWhenAskedForMany() {
        client.put("many_0", "many_2");
        assertArrayEquals(new int[] {1, 0, 1}, probe.batchIsExist(List.of("many_0", "many_1", "many_2")));
        assertEquals(1, probe.isExist("many_0"));
        assertEquals(0, probe.isExist("many_1"));
        assertArrayEquals(new int[0], probe.batchIsExist(List.of()));
    }

    @Test
    void shouldRefuseWhenTheStoreIsNoneOrNotSetUp() {
        MemorySegment fresh = LibMooncakeStore.create();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocateFrom("any");
            assertEquals(StoreStatus.INVALID_PARAMS, LibMooncakeStore.isExist(fresh, key));
            assertEquals(StoreStatus.INTERNAL_ERROR, LibMooncakeStore.isExist(MemorySegment.NULL, key));
        } finally {
            LibMooncakeStore.destroy(fresh);
        }
    }

    @Test
    void shouldReadAndWriteManyAtOnceWhenTheBufferIsRegistered() {
        int parts = 3;
        int part = 1024;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate((long) parts * part, 64);
            MemorySegment keys = arena.allocate(ValueLayout.ADDRESS, parts);
            MemorySegment buffers = arena.allocate(ValueLayout.ADDRESS, parts);
            MemorySegment sizes = arena.allocate(ValueLayout.JAVA_LONG, parts);
            for (int i = 0; i < parts; i++) {
                buffer.asSlice((long) i * part, part).fill((byte) (i + 1));
                keys.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom("registered_" + i));
                buffers.setAtIndex(ValueLayout.ADDRESS, i, buffer.asSlice((long) i * part, part));
                sizes.setAtIndex(ValueLayout.JAVA_LONG, i, part);
            }
            assertEquals(0, LibMooncakeStore.registerBuffer(client.store(), buffer, buffer.byteSize()));
            MemorySegment put = arena.allocate(ValueLayout.JAVA_INT, parts);
            assertEquals(
                    0,
                    LibMooncakeStore.batchPutFrom(
                            client.store(), keys, buffers, sizes, parts, MemorySegment.NULL, put));
            assertArrayEquals(new int[parts], put.toArray(ValueLayout.JAVA_INT));
            assertEquals(
                    0,
                    LibMooncakeStore.putFrom(
                            client.store(), arena.allocateFrom("registered_one"), buffer, part, MemorySegment.NULL));
            buffer.fill((byte) 0);
            MemorySegment got = arena.allocate(ValueLayout.JAVA_LONG, parts);
            assertEquals(0, LibMooncakeStore.batchGetInto(client.store(), keys, buffers, sizes, parts, got));
            assertArrayEquals(new long[] {part, part, part}, got.toArray(ValueLayout.JAVA_LONG));
            for (int i = 0; i < parts; i++) {
                assertEquals((byte) (i + 1), buffer.get(ValueLayout.JAVA_BYTE, (long) i * part + part - 1));
            }
            assertEquals(0, LibMooncakeStore.unregisterBuffer(client.store(), buffer));
        }
        assertEquals(1, probe.isExist("registered_one"));
    }

    @Test
    void shouldKeepTwoCopiesWhereTheConfigurationPrefersWhenTold() throws IOException {
        try (StoreClient second = StoreClient.connect(master);
                Arena arena = Arena.ofConfined()) {
            Set<String> places = new HashSet<>();
            for (StoreClient preferred : List.of(client, second)) {
                String segment = hostname(preferred);
                assertTrue(master.get("/get_all_segments").contains(segment), segment);
                Set<String> seen = new HashSet<>();
                for (int i = 0; i < 8; i++) {
                    String key = "preferred_" + segment + "_" + i;
                    putWith(ReplicateConfig.of(arena, 1, false, true, segment), key);
                    seen.addAll(places(key));
                }
                assertEquals(1, seen.size(), "objects that prefer " + segment + " lie in " + seen);
                places.addAll(seen);
            }
            putWith(ReplicateConfig.of(arena, 2, true, false), "copied");
            assertEquals(2, places.size(), places.toString());
            assertEquals(places, places("copied"));
        }
    }

    private static String hostname(StoreClient store) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(128);
            assertEquals(0, LibMooncakeStore.getHostname(store.store(), name, name.byteSize()));
            return name.getString(0);
        }
    }

    private static void putWith(MemorySegment config, String key) {
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(
                    0,
                    LibMooncakeStore.put(
                            client.store(),
                            arena.allocateFrom(key),
                            arena.allocateFrom(ValueLayout.JAVA_BYTE, VALUE),
                            VALUE.length,
                            config));
        }
    }

    private static String query(String key) throws IOException {
        return master.get("/batch_query_keys?keys=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }

    private static Set<String> places(String key) throws IOException {
        return ENDPOINT.matcher(query(key))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"is_exist", "batch_is_exist", "get_size", "query_key"})
    void shouldShieldTheObjectFromRemovalWhenProbedSo(String kind) throws IOException {
        String key = "shielded_" + kind;
        client.put(key);
        letLeaseExpire();
        switch (kind) {
            case "is_exist" -> probe.isExist(key);
            case "batch_is_exist" -> probe.batchIsExist(List.of(key));
            case "get_size" -> size(key);
            default -> master.get("/query_key?key=" + key);
        }
        assertEquals(StoreStatus.OBJECT_HAS_LEASE, client.removeStatus(key, false));
        client.remove(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "batch_query_keys", "get_all_keys"})
    void shouldLeaveTheObjectRemovableWhenProbedSo(String kind) throws IOException {
        String key = "bare_" + kind;
        client.put(key);
        letLeaseExpire();
        switch (kind) {
            case "batch_query_keys" -> assertTrue(query(key).contains("\"ok\":true"));
            case "get_all_keys" -> assertTrue(master.get("/get_all_keys").contains(key));
            default -> {}
        }
        assertEquals(StoreStatus.OK, client.removeStatus(key, false));
        assertEquals(StoreStatus.OBJECT_NOT_FOUND, client.removeStatus(key, false));
    }

    @Test
    void shouldCountWhatItRemovedWhenRemovingByPattern() {
        client.put("pattern_a", "pattern_b", "other_a");
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(2, LibMooncakeStore.removeByRegex(client.store(), arena.allocateFrom("^pattern_.*"), 1));
        }
        assertArrayEquals(new int[] {0, 0, 1}, probe.batchIsExist(List.of("pattern_a", "pattern_b", "other_a")));
    }

    @Test
    void shouldBeHealthyWhenSetUp() {
        assertEquals(LibMooncakeStore.healthCheck(client.store()), LibMooncakeStore.healthCheck(probe.store()));
        MemorySegment fresh = LibMooncakeStore.create();
        assertNotEquals(LibMooncakeStore.healthCheck(client.store()), LibMooncakeStore.healthCheck(fresh));
        LibMooncakeStore.destroy(fresh);
    }

    private static long size(String key) {
        try (Arena arena = Arena.ofConfined()) {
            return LibMooncakeStore.getSize(probe.store(), arena.allocateFrom(key));
        }
    }
}
