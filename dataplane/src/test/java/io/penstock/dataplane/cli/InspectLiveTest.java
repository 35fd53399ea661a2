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
 * A writer removes and stores without end, so that runs are cut, split and made anew; what each worker can hold is known,
 * and it nearly always holds all of it. No answer may ever say more: a block counted in two runs would show.
 */
final class InspectLiveTest {
    private static final long SEED = Long.getLong("penstock.seed", 7L);
    private static final int WORKERS = 70;
    private static final int TRUNK = 400;
    private static final int BRANCHES = 12;
    private static final int BRANCH = 200;

    @TempDir
    Path folder;

    private final InspectRun run = new InspectRun();
    private final long[][] paths = new long[BRANCHES][TRUNK + BRANCH];
    private final long[][] locals = new long[BRANCHES][TRUNK + BRANCH];
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @BeforeEach
    void grow() {
        Random random = new Random(SEED);
        for (int branch = 0; branch < BRANCHES; branch++) {
            for (int i = 0; i < TRUNK + BRANCH; i++) {
                locals[branch][i] = i < TRUNK && branch > 0 ? locals[0][i] : random.nextLong();
                paths[branch][i] = i == 0 ? locals[branch][0] : ChainHash.next(paths[branch][i - 1], locals[branch][i]);
            }
        }
    }

    @Test
    void shouldNeverSayMoreThanIsTrueWhileAWriterWorks() throws Exception {
        Path file = folder.resolve("live.pst");
        try (OffHeapIndex index = OffHeapIndex.open(new IndexConfig(file, 16, 1 << 13, 1 << 16, 100))) {
            Thread writer = new Thread(() -> write(index), "index-writer");
            writer.start();
            try {
                await(2000);
                long begun = steps.get();
                for (int look = 0; look < 40; look++) {
                    looks(look, run.json("summary", file), run.json("prefix", prefix(file, look)));
                    if (look % 10 == 0) {
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
        Arrays.stream(paths[look % BRANCHES]).mapToObj(Long::toUnsignedString).forEach(arguments::add);
        return arguments.toArray();
    }

    private void looks(int look, JsonNode summary, JsonNode prefix) {
        assertTrue(summary.get("blocks").asInt() <= TRUNK + BRANCHES * BRANCH, summary::toString);
        for (JsonNode worker : summary.get("workers")) {
            int slot = worker.get("slot").asInt();
            assertEquals("gpu-" + slot, worker.get("worker").asText());
            JsonNode held = worker.get("held");
            assertTrue(held.get("device").asInt() <= TRUNK + BRANCH, worker::toString);
            assertTrue(held.get("host").asInt() <= BRANCH, worker::toString);
            assertEquals(0, held.get("disk").asInt() + held.get("external").asInt(), worker::toString);
        }
        for (JsonNode holder : prefix.get("holders")) {
            boolean own = holder.get("slot").asInt() % BRANCHES == look % BRANCHES;
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
                store(index, worker, Tier.DEVICE, 0);
                store(index, worker, Tier.HOST, TRUNK);
            }
            while (!stop.get()) {
                int worker = random.nextInt(WORKERS);
                boolean host = random.nextInt(4) == 0;
                int from = host ? TRUNK + random.nextInt(BRANCH) : random.nextInt(TRUNK + BRANCH);
                int tier = host ? Tier.HOST : Tier.DEVICE;
                if (random.nextInt(500) == 0) {
                    index.clearSlot(worker);
                    store(index, worker, Tier.DEVICE, 0);
                    store(index, worker, Tier.HOST, TRUNK);
                    index.sweep(100);
                } else {
                    index.removed(worker, tier, names(worker, from), 0, TRUNK + BRANCH - from);
                    store(index, worker, tier, from);
                }
                steps.incrementAndGet();
            }
        } catch (RuntimeException | Error failed) {
            failure.set(failed);
        }
    }

    private void store(OffHeapIndex index, int worker, int tier, int from) {
        long[] path = paths[worker % BRANCHES];
        long[] local = Arrays.copyOfRange(locals[worker % BRANCHES], from, path.length);
        long parent = from == 0 ? 0 : path[from - 1] * 31;
        long taken = index.stored(worker, tier, from == 0, parent, names(worker, from), local, 0, local.length);
        if (taken != local.length) {
            throw new IllegalStateException("not taken in: " + taken + ", from=" + from + ", tier=" + tier);
        }
    }

    private long[] names(int worker, int from) {
        long[] path = paths[worker % BRANCHES];
        return Arrays.stream(path, from, path.length)
                .map(sequence -> sequence * 31)
                .toArray();
    }
}
