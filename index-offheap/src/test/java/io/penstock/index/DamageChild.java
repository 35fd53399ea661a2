package io.penstock.index;

import io.penstock.index.RecoveryReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Opens damaged copies of two files, one closed in order and one left by a killed writer. What it is about to do stands in
 * its output before it does it, so that an end of this process by a signal names its case.
 */
final class DamageChild {
    static final int NODES = 150;
    static final int WORKERS = 6;
    static final int MAX_BLOCKS = 80;
    static final int OPERATIONS = 300;

    /** Less than the minute that Chronicle waits for a lock. */
    private static final long HANGS_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int AFTERWARDS = 40;

    private final Path folder;
    private final long trafficSeed;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    private DamageChild(Path folder, long trafficSeed) {
        this.folder = folder;
        this.trafficSeed = trafficSeed;
    }

    static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 10, 1 << 16, 16);
    }

    static Traffic traffic(long seed) {
        return new Traffic(seed, NODES, WORKERS, MAX_BLOCKS);
    }

    static Answers answers(Traffic traffic) {
        long[][] prompts = new long[traffic.nodes()][];
        for (int node = 0; node < prompts.length; node++) {
            prompts[node] = traffic.query(node);
        }
        return new Answers(prompts);
    }

    /** The operations that come after those that the files hold. */
    static List<Traffic.Operation> afterwards(Traffic traffic) {
        traffic.opening();
        for (int i = 0; i < OPERATIONS; i++) {
            traffic.next();
        }
        List<Traffic.Operation> operations = new ArrayList<>();
        for (int i = 0; i < AFTERWARDS; i++) {
            operations.add(traffic.next());
        }
        return operations;
    }

    public static void main(String[] arguments) throws IOException {
        DamageChild child = new DamageChild(Path.of(arguments[0]), Long.parseLong(arguments[1]));
        long seed = Long.parseLong(arguments[2]);
        int from = Integer.parseInt(arguments[3]);
        int to = Integer.parseInt(arguments[4]);
        Damaging clean = child.new Damaging("clean", Outcome.CLEAN);
        Damaging killed = child.new Damaging("killed", Outcome.REPAIRED);
        for (int number = from; number < to; number++) {
            (number % 2 == 0 ? clean : killed).hurt(number, seed + number * 0x9E3779B97F4A7C15L);
        }
        System.out.println("outcomes " + child.outcomes);
        child.failures.forEach(System.out::println);
        System.exit(child.failures.isEmpty() ? 0 : 1);
    }

    /** One of the two files. */
    private final class Damaging {
        private final String name;
        private final Damage damage;
        private final Answers answers;
        private final List<Traffic.Operation> afterwards;
        private final long whole;
        private final long wholeAfterwards;
        private final IndexConfig config;

        Damaging(String name, Outcome outcome) throws IOException {
            this.name = name;
            byte[] file = Files.readAllBytes(folder.resolve(name));
            byte[] header = Files.readAllBytes(folder.resolve(name + ".header"));
            damage = new Damage(file, header);
            Traffic traffic = traffic(trafficSeed);
            answers = answers(traffic);
            afterwards = afterwards(traffic);
            config = config(folder.resolve("damaged-" + ProcessHandle.current().pid()));
            Files.write(config.file(), file);
            Files.write(sidecar(), header);
            OffHeapIndex index = OffHeapIndex.open(config);
            if (index.recovery().outcome() != outcome) {
                throw new IllegalStateException(name + ": " + index.recovery());
            }
            whole = answers.digest(index);
            afterwards.forEach(operation -> operation.apply(index));
            wholeAfterwards = answers.digest(index);
            index.abandon();
        }

        private Path sidecar() {
            return Path.of(config.file() + ".header");
        }

        void hurt(int number, long seed) throws IOException {
            Damage.Damaged hurt = damage.of(seed);
            System.out.println("case " + number + " seed " + seed + " " + name + ": " + hurt.what());
            Files.write(config.file(), hurt.file());
            Files.write(sidecar(), hurt.sidecar());
            long begin = System.nanoTime();
            String wrong = open(number);
            if (wrong == null && System.nanoTime() - begin > HANGS_NS) {
                wrong = "hangs";
            }
            if (wrong != null) {
                failures.add("WRONG case " + number + " seed " + seed + " " + name + ": " + hurt.what() + ": " + wrong);
            }
        }

        private String open(int number) {
            OffHeapIndex index;
            try {
                index = OffHeapIndex.open(config);
            } catch (IndexFileException refused) {
                count("refused");
                return refused.getMessage().contains("\n") ? "more than a line: " + refused.getMessage() : null;
            } catch (RuntimeException | Error escaped) {
                return "open fails: " + escaped;
            }
            try {
                String wrong = content(index);
                return wrong != null || number % 8 > 1 ? wrong : reopened(index);
            } catch (RuntimeException | Error escaped) {
                return "use fails: " + escaped;
            } finally {
                index.abandon();
            }
        }

        private String content(OffHeapIndex index) {
            RecoveryReport found = index.recovery();
            if (found.outcome() == Outcome.EMPTY_DAMAGED || found.outcome() == Outcome.EMPTY_OTHER_BOOT) {
                count("empty");
                return index.blockCount() == 0 && index.slotLimit() == 0 ? null : "not empty: " + found;
            }
            count(found.detail().contains("restored") ? "restored" : "exact");
            if (answers.digest(index) != whole) {
                return "wrong answer: " + found;
            }
            String wrong = index.verify();
            if (wrong != null) {
                return "verify: " + wrong;
            }
            afterwards.forEach(operation -> operation.apply(index));
            return answers.digest(index) == wholeAfterwards ? null : "wrong answer afterwards: " + found;
        }

        private String reopened(OffHeapIndex index) {
            long digest = answers.digest(index);
            index.close();
            try (OffHeapIndex again = OffHeapIndex.open(config)) {
                return again.recovery().outcome() == Outcome.CLEAN && answers.digest(again) == digest
                        ? null
                        : "not the same after a close: " + again.recovery();
            }
        }

        private void count(String outcome) {
            outcomes.merge(name + " " + outcome, 1, Integer::sum);
        }
    }
}
