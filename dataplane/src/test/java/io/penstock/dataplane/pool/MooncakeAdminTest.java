package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.NativePackages;
import io.penstock.ffi.mooncake.StoreClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listings and figures of a real master. */
class MooncakeAdminTest {
    private static final int PATIENCE_MS = 5_000;

    @TempDir
    static Path folder;

    private static MasterProcess master;
    private static StoreClient client;
    private static MooncakeAdmin admin;

    @BeforeAll
    static void start() {
        NativePackages.assumeStore();
        master = MasterProcess.start(folder);
        client = StoreClient.connect(master);
        admin = new MooncakeAdmin(master.adminUrl(), PATIENCE_MS);
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
        }
        if (admin != null) {
            admin.close();
        }
        if (master != null) {
            master.close();
        }
    }

    private static Set<String> listed() throws IOException {
        Set<String> names = new HashSet<>();
        long count = admin.list(
                (bytes, from, length) -> names.add(new String(bytes, from, length, StandardCharsets.US_ASCII)));
        assertEquals(names.size(), count);
        return names;
    }

    @Test
    void shouldListExactlyWhatIsThereWhenAsked() throws IOException {
        client.removeAll();
        assertEquals(Set.of(), listed());
        Set<String> put = new HashSet<>();
        for (int i = 0; i < 3_000; i++) { // more than one piece of a body
            put.add("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_" + i + "_k");
        }
        client.put(put.toArray(String[]::new));
        assertEquals(put, listed());
        assertEquals(put.size(), admin.figures().objects());
        int[] told = {0};
        assertEquals(-1, admin.list((bytes, from, length) -> ++told[0] < 5));
        assertEquals(5, told[0]);
        client.removeAll();
    }

    @Test
    void shouldCountMessagesWhenTheMasterPublished() throws IOException {
        long before = admin.published().batches();
        client.put("published");
        PoolMaster.Published after = admin.published();
        for (int i = 0; i < 1_000 && after.batches() == before; i++) { // the publisher is a thread of its own
            after = admin.published();
        }
        assertTrue(after.enabled());
        assertTrue(after.batches() > before, before + " then " + after.batches());
        assertEquals(0, after.dropped());
    }

    @Test
    void shouldCountEvictedObjectsWhenTheyWereNotPublished() throws IOException {
        MasterFigures before = admin.figures();
        assertTrue(before.capacityBytes() >= StoreClient.SEGMENT_BYTES, before.toString());
        byte[] megabyte = new byte[1 << 20];
        for (int i = 0; i < 200 && admin.figures().evictedObjects() <= before.evictedObjects(); i++) {
            client.putStatus("large_" + i, megabyte); // refused while all that is there has a lease
        }
        assertTrue(
                admin.figures().evictedObjects() > before.evictedObjects(),
                admin.figures().toString());
        client.removeAll();
    }

    @Test
    void shouldSayWhatIsWrongWhenTheListIsNotOne() {
        try (MooncakeAdmin nobody = new MooncakeAdmin("http://127.0.0.1:1", PATIENCE_MS)) {
            IOException failed = assertThrows(IOException.class, () -> nobody.list((bytes, from, length) -> true));
            assertTrue(failed.getMessage().contains("http://127.0.0.1:1"), failed.getMessage());
            assertEquals(StoreState.DOWN, nobody.state());
            assertEquals(failed.getMessage(), nobody.cause());
        }
    }
}
