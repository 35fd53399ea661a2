package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.pages.DyingWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flipped bits and cut files: refused with a line, or opened empty, or put back, or answered exactly. Never a crash of
 * the JVM, a wait for a lock, or a wrong answer.
 */
class DamageTest {
    private static final int CASES_A_CHILD = 1000;
    private static final long DEADLINE_MINUTES = 10;

    @TempDir
    Path folder;

    @AfterEach
    void liveOn() {
        DyingWriter.live();
    }

    @Test
    void shouldSeeOrSurviveDamageInSomeHundredCases() throws Exception {
        damage(Long.getLong("penstock.seed", 3L), 600, 300);
    }

    @Test
    @Tag("crash")
    void shouldSeeOrSurviveDamageInTenThousandCases() throws Exception {
        damage(Long.getLong("penstock.seed", System.nanoTime()), 10_000, CASES_A_CHILD);
    }

    private void damage(long seed, int cases, int casesAChild) throws Exception {
        write(seed);
        List<String> wrong = new ArrayList<>();
        for (int from = 0; from < cases; from += casesAChild) {
            int to = from + casesAChild;
            Path log = folder.resolve("child-" + from + ".log");
            // Half of the children hold each access against the mapped pages, half let it happen.
            boolean checked = from / casesAChild % 2 == 0;
            Process child = ChildJvm.start(
                    DamageChild.class,
                    List.of(
                            "-Dpenstock.index.checked=" + checked,
                            "-XX:ErrorFile=" + folder.resolve("error.log"),
                            "-XX:-CreateCoredumpOnCrash"),
                    log,
                    folder.toString(),
                    Long.toString(seed),
                    Long.toString(seed),
                    Integer.toString(from),
                    Integer.toString(to));
            try {
                assertTrue(child.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES), () -> "hangs: " + end(log, seed));
            } finally {
                child.destroyForcibly();
            }
            System.out.println("damage: seed=" + seed + ", cases=" + from + ".." + to + " " + outcomes(log));
            if (child.exitValue() != 0) {
                wrong.add("exit=" + child.exitValue() + ", " + end(log, seed));
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static String outcomes(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("outcomes"))
                .findFirst()
                .orElse("");
    }

    /** All that went wrong, or the case in which the child ended. */
    private static String end(Path log, long seed) {
        try {
            List<String> lines = Files.readAllLines(log);
            List<String> wrong =
                    lines.stream().filter(line -> line.startsWith("WRONG")).toList();
            return "seed=" + seed + "\n"
                    + String.join(
                            "\n",
                            wrong.isEmpty() ? lines.subList(Math.max(0, lines.size() - 30), lines.size()) : wrong);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /** The file closed in order, and the same with the writer dead within a step. */
    private void write(long seed) throws IOException {
        Traffic traffic = DamageChild.traffic(seed);
        IndexConfig config = DamageChild.config(folder.resolve("clean"));
        History history = new History(config);
        OffHeapIndex index = OffHeapIndex.open(config);
        play(traffic, traffic.opening(), history, index);
        for (int i = 0; i < DamageChild.OPERATIONS; i++) {
            play(traffic, List.of(traffic.next()), history, index);
        }
        index.close();
        Traffic.Operation last = traffic.next();
        while (last.kind() != Traffic.Operation.Kind.STORED || !addsBlocks(config, last)) {
            last = traffic.next();
        }
        history.perhaps(last);
        for (int accesses = 50; !die(config, last, accesses, traffic, history); accesses += 10) {
            // later, until the step in flight has something to take back
        }
    }

    /** Seen on a copy: a store that is refused, or known already, has hardly anything to take back. */
    private boolean addsBlocks(IndexConfig clean, Traffic.Operation operation) throws IOException {
        IndexConfig twin = DamageChild.config(folder.resolve("twin"));
        copy(clean, twin);
        OffHeapIndex index = OffHeapIndex.open(twin);
        long before = index.blockCount();
        operation.apply(index);
        long after = index.blockCount();
        index.abandon();
        return after > before + 1;
    }

    private static void play(Traffic traffic, List<Traffic.Operation> operations, History history, PrefixIndex index) {
        operations.forEach(operation -> {
            operation.apply(index);
            history.apply(operation);
        });
    }

    /** Leaves the killed file and answers whether a step is in flight in it. */
    private boolean die(IndexConfig clean, Traffic.Operation last, int accesses, Traffic traffic, History history)
            throws IOException {
        IndexConfig killed = DamageChild.config(folder.resolve("killed"));
        copy(clean, killed);
        OffHeapIndex dying = OffHeapIndex.open(killed);
        DyingWriter.dieAfter(accesses);
        assertThrows(IllegalStateException.class, () -> last.apply(dying));
        DyingWriter.live();
        dying.abandon();
        // Undamaged it must hold what the reference holds; seen on a copy, for opening it changes it.
        IndexConfig twin = DamageChild.config(folder.resolve("twin"));
        copy(killed, twin);
        OffHeapIndex index = OffHeapIndex.open(twin);
        assertEquals(RecoveryReport.Outcome.REPAIRED, index.recovery().outcome());
        assertNull(history.compare(index, traffic, new Comparison()));
        index.abandon();
        return index.recovery().undoneStores() > 2;
    }

    private static void copy(IndexConfig from, IndexConfig to) throws IOException {
        for (String end : List.of("", ".header")) {
            Files.copy(Path.of(from.file() + end), Path.of(to.file() + end), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
