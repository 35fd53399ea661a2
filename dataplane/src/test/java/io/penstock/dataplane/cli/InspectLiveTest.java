package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer removes and stores without end: workers share a trunk, each has a branch of its own, and two branches at a time
 * change their places in the file. What each worker can hold is known, and it nearly always holds all of it. No answer may
 * ever say more: a branch seen in both places would show.
 */
final class InspectLiveTest {
    private static final long SEED = Long.getLong("penstock.seed", 7L);
    private static final int WORKERS = 70;
    private static final int TRUNK = 200;
    private static final int BRANCH = 60;

    @TempDir
    Path folder;

    private final InspectRun run = new InspectRun();
    private final long[][] paths = new long[WORKERS][TRUNK + BRANCH];
    private final long[][] locals = new long[WORKERS][TRUNK + BRANCH];
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @BeforeEach
    void grow() {
        Random random = new Random(SEED);
        for (int branch = 0; branch < WORKERS; branch++) {
            for (int i = 0; i < TRUNK + BRANCH; i++) {
                locals[branch][i] = i < TRUNK && branch > 0 ? locals[0][i] : random.nextLong();
                paths[branch][i] = i == 0 ? locals[branch][0] : ChainHash.next(paths[branch][i - 1], locals[branch][i]);
            }
        }
    }

    @Test
    void shouldNeverSayMoreThanIsTrueWhileAWriterWorks() throws Exception {
        Path file = folder.resolve("live.pst");
        try (OffHeapIndex index = OffHeapIndex.open(new IndexConfig(file, 16, 1 << 14, 1 << 16, 100))) {
            Thread writer = new Thread(() -> write(index), "index-writer");
            writer.start();
            try {
                await(2000);
                long begun = steps.get();
                for (int look = 0; look < 60; look++) {
                    looks(look, run.json("summary", file), run.json("prefix", prefix(file, look)));
                    if (look % 30 == 0) {
                        JsonNode python = InspectRun.python(prefix(file, look));
                        looks(look, python.get("summary"), python.get("prefix"));
                    }
                }
                await(begun + 2000);
            } finally {
                stop.set(true);
                writer.join();
            }
            assertEquals(null, failure.get());
            JsonNode summary = run.json("summary", file);
            assertEquals(0, summary.get("changing").asInt());
            for (JsonNode worker : summary.get("workers")) {
                for (int tier = 0; tier < Tier.COUNT; tier++) {
                    assertEquals(
                            index.heldBlocks(worker.get("slot").asInt(), tier),
                            worker.get("held").get(Tier.name(tier)).asLong());
                }
            }
        }
    }

    private Object[] prefix(Path file, int look) {
        List<Object> arguments = new ArrayList<>(List.of(file, "--prefix"));
        Arrays.stream(paths[look % WORKERS]).mapToObj(Long::toUnsignedString).forEach(arguments::add);
        return arguments.toArray();
    }

    private void looks(int look, JsonNode summary, JsonNode prefix) {
        assertTrue(summary.get("blocks").asInt() <= TRUNK + WORKERS * BRANCH, summary::toString);
        for (JsonNode worker : summary.get("workers")) {
            int slot = worker.get("slot").asInt();
            assertEquals("gpu-" + slot, worker.get("worker").asText());
            JsonNode held = worker.get("held");
            assertTrue(held.get("device").asInt() <= TRUNK + BRANCH, worker::toString);
            assertTrue(held.get("host").asInt() <= TRUNK, worker::toString);
            assertEquals(0, held.get("disk").asInt() + held.get("external").asInt(), worker::toString);
        }
        for (JsonNode holder : prefix.get("holders")) {
            boolean own = holder.get("slot").asInt() == look % WORKERS;
            int blocks = holder.get("device").asInt() + holder.get("host").asInt();
            assertTrue(blocks <= (own ? TRUNK + BRANCH : TRUNK), prefix::toString);
        }
    }

    private void await(long wanted) {
        while (steps.get() < wanted && failure.get() == null) {
            LockSupport.parkNanos(1_000_000);
        }
        assertEquals(null, failure.get());
    }

    private void write(OffHeapIndex index) {
        try {
            Random random = new Random(SEED);
            for (int worker = 0; worker < WORKERS; worker++) {
                index.openSlot("gpu-" + worker, 0);
                store(index, worker, Tier.DEVICE, 0, TRUNK + BRANCH);
                store(index, worker, Tier.HOST, 0, TRUNK);
            }
            while (!stop.get()) {
                int worker = random.nextInt(WORKERS);
                int dice = random.nextInt(500);
                if (dice == 0) {
                    index.clearSlot(worker);
                    store(index, worker, Tier.DEVICE, 0, TRUNK + BRANCH);
                    store(index, worker, Tier.HOST, 0, TRUNK);
                    index.sweep(100);
                } else if (dice < 400) {
                    // The header freed last is taken first: each gets the other's.
                    int other = random.nextInt(WORKERS);
                    remove(index, worker, Tier.DEVICE, TRUNK, TRUNK + BRANCH);
                    remove(index, other, Tier.DEVICE, TRUNK, TRUNK + BRANCH);
                    store(index, worker, Tier.DEVICE, TRUNK, TRUNK + BRANCH);
                    if (other != worker) {
                        store(index, other, Tier.DEVICE, TRUNK, TRUNK + BRANCH);
                    }
                } else {
                    int tier = dice < 450 ? Tier.DEVICE : Tier.HOST;
                    int from = random.nextInt(TRUNK);
                    remove(index, worker, tier, from, TRUNK);
                    store(index, worker, tier, from, TRUNK);
                }
                steps.incrementAndGet();
            }
        } catch (RuntimeException | Error failed) {
            failure.set(failed);
        }
    }

    private void remove(OffHeapIndex index, int worker, int tier, int from, int to) {
        index.removed(worker, tier, names(worker, from, to), 0, to - from);
    }

    private void store(OffHeapIndex index, int worker, int tier, int from, int to) {
        long parent = from == 0 ? 0 : paths[worker][from - 1] * 31;
        long[] local = Arrays.copyOfRange(locals[worker], from, to);
        long taken = index.stored(worker, tier, from == 0, parent, names(worker, from, to), local, 0, local.length);
        if (taken != local.length) {
            throw new IllegalStateException("not taken in: " + taken + ", from=" + from + ", tier=" + tier);
        }
    }

    private long[] names(int worker, int from, int to) {
        return Arrays.stream(paths[worker], from, to)
                .map(sequence -> sequence * 31)
                .toArray();
    }
}
