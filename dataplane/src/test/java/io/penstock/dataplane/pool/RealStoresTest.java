package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.NativePackages;
import io.penstock.ffi.mooncake.StoreClient;
import io.penstock.ffi.mooncake.StoreStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What both ways to ask a real Mooncake master promise, in good times and bad. */
class RealStoresTest {
    private static final byte PRESENT = SharedPool.PRESENT;
    private static final byte ABSENT = SharedPool.ABSENT;
    private static final byte UNKNOWN = SharedPool.UNKNOWN;
    private static final int PATIENCE_MS = 20_000;

    /** Where the master does not answer. */
    private static final int SHORT_PATIENCE_MS = 500;

    private static final long DEADLINE_S = 30;

    /** How the master is asked. */
    enum Way {
        ADMIN,
        LIBRARY
    }

    @TempDir
    static Path folder;

    /** Of the tests that leave it as it is. */
    private static MasterProcess shared;

    private static StoreClient client;

    private MasterProcess master;
    private SharedPool pool;

    @BeforeAll
    static void start() {
        NativePackages.assumeStore();
        shared = MasterProcess.start(folder);
        client = StoreClient.connect(shared);
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
        }
        if (shared != null) {
            shared.close();
        }
    }

    private void open(Way way) {
        master = shared;
        pool = open(way, PATIENCE_MS);
    }

    private void openImpatient(Way way) {
        master = shared;
        pool = open(way, SHORT_PATIENCE_MS);
    }

    /** For tests that end the master: one without objects. */
    private void openItsOwn(Way way) {
        master = MasterProcess.start(folder);
        pool = open(way, SHORT_PATIENCE_MS);
    }

    private SharedPool open(Way way, int patienceMs) {
        return way == Way.ADMIN
                ? new MooncakeAdmin(master.adminUrl(), patienceMs)
                : new MooncakeStore(master.rpcAddress(), patienceMs);
    }

    @AfterEach
    void close() {
        if (pool != null) {
            pool.close();
        }
        if (master != null && master != shared) {
            master.close();
        }
    }

    private StoreState state() {
        return pool instanceof MooncakeAdmin admin ? admin.state() : ((MooncakeStore) pool).state();
    }

    private String cause() {
        return pool instanceof MooncakeAdmin admin ? admin.cause() : ((MooncakeStore) pool).cause();
    }

    private ProbeCounts counts() {
        return pool instanceof MooncakeAdmin admin ? admin.counts() : ((MooncakeStore) pool).counts();
    }

    private byte[] probe(List<String> names) {
        byte[] out = new byte[names.size()];
        pool.probe(names, out);
        return out;
    }

    private byte[] probe(String... names) {
        return probe(List.of(names));
    }

    private void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - deadline < 0,
                    what + " within " + DEADLINE_S + " s: " + state() + ", " + cause());
            Thread.onSpinWait();
        }
    }

    private void untilKnown(String name, byte answer) {
        until(name + " is " + answer, () -> probe(name)[0] == answer);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellEachObjectWhenTheMasterAnswers(Way way) {
        open(way);
        client.put("page_0_k", "page_0_v");
        untilKnown("page_0_k", PRESENT);
        long failed = counts().failed();
        assertArrayEquals(new byte[] {PRESENT, ABSENT, PRESENT}, probe("page_0_k", "page_1_k", "page_0_v"));
        assertArrayEquals(new byte[] {PRESENT, UNKNOWN}, probe("page_0_k", way == Way.ADMIN ? "page_0_k,x" : "päge"));
        assertArrayEquals(new byte[0], probe());
        assertEquals(StoreState.READY, state());
        assertNull(cause());
        assertEquals(failed, counts().failed());
        assertEquals(1, counts().absent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellAllWhenThereAreMoreThanOneQuestionTakes(Way way) {
        open(way);
        List<String> names = new ArrayList<>();
        byte[] expected = new byte[2 * MooncakeStore.NAMES_PER_QUESTION + 3];
        for (int i = 0; i < expected.length; i++) {
            names.add("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_" + i + "_k");
            if (i % 500 == 0) {
                expected[i] = PRESENT;
                client.put(names.get(i));
            }
        }
        untilKnown(names.get(0), PRESENT);
        assertArrayEquals(expected, probe(names));
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveUpAndComeBackWhenTheMasterIsSilentForAWhile(Way way) {
        openImpatient(way);
        client.put("kept");
        untilKnown("kept", PRESENT);
        long overdue = counts().overdue();
        master.freeze();
        assertArrayEquals(new byte[] {UNKNOWN, UNKNOWN}, probe("kept", "other"));
        assertEquals(StoreState.SLOW, state());
        assertTrue(cause().contains("in time"), cause());
        assertEquals(overdue + 1, counts().overdue());
        assertEquals(UNKNOWN, probe("kept")[0]);
        master.thaw();
        untilKnown("kept", PRESENT);
        assertEquals(StoreState.READY, state());
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowNothingAndComeBackWhenTheMasterDies(Way way) {
        openItsOwn(way);
        untilKnown("any", ABSENT);
        master.kill();
        until("bad state", () -> probe("any")[0] == UNKNOWN && state() == StoreState.DOWN);
        assertNotNull(cause());
        assertTrue(counts().failed() + counts().overdue() > 0);
        master.restart();
        untilKnown("any", ABSENT);
        assertEquals(StoreState.READY, state());
    }

    @ParameterizedTest
    @EnumSource
    void shouldConnectLaterWhenThereIsNoMasterYet(Way way) {
        openItsOwn(way);
        pool.close();
        master.kill();
        pool = open(way, SHORT_PATIENCE_MS);
        until("bad state", () -> probe("any")[0] == UNKNOWN && state() == StoreState.DOWN);
        assertTrue(way == Way.ADMIN || cause().contains("INVALID_PARAMS"), cause());
        master.restart();
        untilKnown("any", ABSENT);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeClosedWhenClosed(Way way) {
        open(way);
        untilKnown("any", ABSENT);
        pool.close();
        assertEquals(StoreState.CLOSED, state());
        assertEquals(UNKNOWN, probe("any")[0]);
        assertEquals(StoreState.CLOSED, state());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhetherItRenewsLeasesWhenItDoes(Way way) {
        open(way);
        client.put("leased");
        untilKnown("leased", PRESENT);
        long expired = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2L * MasterProcess.LEASE_MS);
        until("the lease's end", () -> System.nanoTime() - expired > 0);
        assertEquals(PRESENT, probe("leased")[0]);
        int removed = client.removeStatus("leased", false);
        assertEquals(pool.probeRenewsLeases() ? StoreStatus.OBJECT_HAS_LEASE : StoreStatus.OK, removed);
    }
}
