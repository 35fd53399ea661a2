package io.penstock.dataplane.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeterminismTest {
    @Test
    void shouldDecideAlikeWhenTheSameEventsComeAgain() {
        long seed = System.nanoTime();
        assertEquals(play(seed), play(seed), "seed " + seed);
    }

    /** A script of everything that the core takes; the answer tells all that it decided. */
    private static List<String> play(long seed) {
        CoreBench bench = new CoreBench();
        Random random = new Random(seed);
        List<String> told = new ArrayList<>();
        List<Long> tickets = new ArrayList<>();
        for (int step = 0; step < 4_000; step++) {
            bench.later(random.nextInt(300));
            long[] prompt =
                    CoreBench.fork(CoreBench.locals(random.nextInt(5), 30), random.nextInt(30), random.nextInt(50), 31);
            int worker = random.nextInt(10);
            switch (random.nextInt(16)) {
                case 0 -> bench.worker(worker, 0, CoreBench.BLOCK, random.nextInt(4) > 0, List.of(), 0);
                case 1 -> {
                    if (random.nextInt(6) == 0) {
                        bench.core.remove(worker);
                    }
                }
                case 2, 3, 4 -> {
                    if (!bench.slots.isEmpty()) {
                        bench.store(
                                random.nextInt(12), random.nextInt(2) * Tier.HOST, prompt, 0, 1 + random.nextInt(30));
                    }
                }
                case 5 -> bench.remove(random.nextInt(12), Tier.DEVICE, prompt, random.nextInt(15), 31);
                case 6 -> bench.core.sweep(100);
                case 7, 8 ->
                    tickets.stream().skip(tickets.size() / 2).findFirst().ifPresent(ticket -> {
                        bench.core.firstToken(ticket);
                        bench.core.progress(ticket, random.nextInt(100));
                    });
                case 9, 10 -> {
                    if (!tickets.isEmpty()) {
                        bench.core.finished(tickets.remove(random.nextInt(tickets.size())), random.nextInt(120));
                    }
                }
                case 11 -> bench.core.setHealthy(worker, random.nextInt(3) > 0);
                default -> {
                    RouteRequest request = CoreBench.request(prompt);
                    request.policy = PolicyKind.values()[random.nextInt(4)];
                    request.temperature = random.nextInt(3);
                    Decision d = bench.route(request);
                    tickets.add(d.ticket);
                    told.add(d.status + " " + d.slot + " " + d.ticket + " " + d.predictedCachedTokens + " "
                            + Arrays.toString(Arrays.copyOf(d.candidateSlot, d.candidates))
                            + Arrays.toString(Arrays.copyOf(d.candidateCost, d.candidates)));
                }
            }
        }
        told.add(Arrays.toString(bench.counts));
        return told;
    }
}
