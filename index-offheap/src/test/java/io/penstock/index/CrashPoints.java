package io.penstock.index;

import io.penstock.index.pages.DyingWriter;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Plays a {@link Story}, copies the file after the stores of its change, opens each copy and holds it against the states
 * that the reference may be in; one copy in eight goes on to work, one in sixteen dies again while it is brought back.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class CrashPoints {
    private static final int SLOTS = 24;

    private final IndexConfig config;
    private final IndexConfig copy;
    private final IndexConfig secondCopy;
    private final Random random;
    private final double share;
    private final Map<Long, List<ReferenceIndex>> allowed = new HashMap<>();
    private Answers answers;
    private Story story;
    private int cases;

    CrashPoints(Path folder, long seed, double share) {
        config = config(folder.resolve("written"));
        copy = config(folder.resolve("copy"));
        secondCopy = config(folder.resolve("second-copy"));
        random = new Random(seed);
        this.share = share;
    }

    private static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 10, 1 << 16, SLOTS);
    }

    /** Answers how many copies were opened. */
    int explore(Story told) {
        story = told;
        answers = new Answers(told.chains);
        cases = 0;
        remember(told);
        delete(config);
        OffHeapIndex index = OffHeapIndex.open(config);
        try {
            told.before.forEach(operation -> operation.apply(index));
            check(index, "before the change");
            copySidecar();
            DyingWriter.observed(() -> told.change.forEach(operation -> operation.apply(index)), this::look);
            if (cases == 0) {
                opened(false);
            }
        } finally {
            index.abandon();
        }
        return cases;
    }

    /** All states after a prefix of the change, by what they answer. */
    private void remember(Story told) {
        Map<Object, ReferenceIndex> states = new LinkedHashMap<>();
        ReferenceIndex reference = new ReferenceIndex(16, 1 << 10, SLOTS);
        told.before.forEach(operation -> operation.apply(reference));
        states.put(reference.state(), reference.copy());
        for (Traffic.Operation operation : told.change) {
            for (int blocks = 0; blocks <= operation.blocks(); blocks++) {
                ReferenceIndex one = reference.copy();
                operation.apply(one, blocks);
                states.putIfAbsent(one.state(), one);
            }
            operation.apply(reference);
        }
        if (told.torn >= 0) {
            ReferenceIndex cleared = states.values().iterator().next().copy();
            cleared.clearSlot(told.torn);
            cleared.position(told.torn, PrefixIndex.NO_POSITION, 0, 0);
            states.put(cleared.state(), cleared);
        }
        states.values()
                .forEach(state -> allowed.computeIfAbsent(answers.digest(state), ignored -> new ArrayList<>())
                        .add(state));
    }

    private void look() {
        if (random.nextDouble() < share) {
            opened(random.nextInt(16) == 0);
        }
    }

    private void opened(boolean dieAgain) {
        cases++;
        copy(config, copy);
        if (dieAgain) {
            openedDyingAgain();
            return;
        }
        OffHeapIndex again = OffHeapIndex.open(copy);
        try {
            check(again, "store " + cases);
            if (random.nextInt(8) == 0) {
                goOn(again);
            }
        } finally {
            again.abandon();
        }
    }

    /** The writer that brings the copy back dies as well, at a random store. */
    private void openedDyingAgain() {
        int[] stores = {random.nextInt(1 << random.nextInt(12))};
        boolean[] died = {false};
        DyingWriter.observed(() -> OffHeapIndex.open(copy).abandon(), () -> {
            if (stores[0]-- == 0) {
                copy(copy, secondCopy);
                died[0] = true;
            }
        });
        OffHeapIndex again = OffHeapIndex.open(died[0] ? secondCopy : copy);
        try {
            check(again, "died again, store " + cases);
        } finally {
            again.abandon();
        }
    }

    private void check(OffHeapIndex index, String where) {
        RecoveryReport.Outcome outcome = index.recovery().outcome();
        if (outcome != RecoveryReport.Outcome.REPAIRED && outcome != RecoveryReport.Outcome.CREATED) {
            throw new AssertionError(where + ": " + index.recovery());
        }
        String wrong = index.verify();
        if (wrong != null) {
            throw new AssertionError(where + ": " + wrong);
        }
        if (!allowed.containsKey(answers.digest(index))) {
            throw new AssertionError(where + ": no prefix of the change answers so: " + answers.text(index));
        }
    }

    /** Removes everything from everybody, copy by copy: also what no answer shows must be as in one of the states. */
    private void goOn(OffHeapIndex index) {
        List<ReferenceIndex> twins = new ArrayList<>();
        allowed.get(answers.digest(index)).forEach(state -> twins.add(state.copy()));
        for (int slot = 0; slot < index.slotLimit(); slot++) {
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                for (Chain chain : story.chains) {
                    Traffic.Operation removal = Story.removal(slot, tier, chain.engine(0, chain.blocks(), 0));
                    long removed = removal.apply(index);
                    twins.removeIf(twin -> removal.apply(twin) != removed);
                    if (twins.isEmpty()) {
                        throw new AssertionError("store " + cases + ": no prefix of the change removes so many blocks: "
                                + removed + ", " + removal);
                    }
                }
            }
        }
        String wrong = index.verify();
        if (wrong != null) {
            throw new AssertionError("store " + cases + ", after removals: " + wrong);
        }
    }

    private void copySidecar() {
        try {
            for (IndexConfig to : List.of(copy, secondCopy)) {
                Files.copy(header(config), header(to), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path header(IndexConfig of) {
        return Path.of(of.file() + ".header");
    }

    private static void copy(IndexConfig from, IndexConfig to) {
        try (FileChannel source = FileChannel.open(from.file(), StandardOpenOption.READ);
                FileChannel target = FileChannel.open(to.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (source.transferTo(0, source.size(), target) != source.size()) {
                throw new IOException("copied in part: file=" + to.file());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(IndexConfig config) {
        try {
            Files.deleteIfExists(config.file());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
