package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.read.MappedIndex;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.collections.Long2LongHashMap;

/**
 * The words of a mapped file, with the step that a killed writer left taken back in the reader's mind: the file itself is
 * never written.
 *
 * <p>A living writer is seen between two steps sooner or later; a step that does not end while it is watched is taken for
 * a killed one's, and {@link #stepStands} says afterwards whether that was so.
 *
 * <p><b>Threading:</b> one reader; a writer may run beside it.
 */
final class FileWords {
    private static final int WATCHES = 1_000_000;

    private final MappedIndex file;
    private final Geometry in;
    /** Where in {@link #step} a word's former value stands; 0 for words that the step left alone. */
    private final Long2LongHashMap undone = new Long2LongHashMap(0);

    private long[] step = new long[0];

    FileWords(MappedIndex file) {
        this.file = file;
        in = file.geometry();
    }

    Geometry in() {
        return in;
    }

    MappedIndex file() {
        return file;
    }

    /** Word at an offset of the linear space; throws {@link IndexOutOfBoundsException} outside of it. */
    long at(long offset) {
        int former = undone.isEmpty() ? 0 : (int) undone.get(offset);
        return former == 0 ? file.longAt(offset) : step[former];
    }

    /** What was loaded before is loaded before what comes after. Partner: the writer's barriers around versions. */
    static void fence() {
        VarHandle.loadLoadFence();
    }

    /** Takes a killed writer's step back, if there is one. */
    void takeStepBack() {
        forgetStep();
        long[] found = entries();
        if (found.length == 0 || ends() || !Arrays.equals(found, entries())) {
            return;
        }
        step = found;
        // The first entry of a word has its value before the step.
        for (int i = found.length - 2; i >= 0; i -= 2) {
            undone.put(found[i], i + 1);
        }
    }

    /** Reads the words as they are. */
    void forgetStep() {
        undone.clear();
        step = new long[0];
    }

    private boolean ends() {
        for (int i = 0; i < WATCHES; i++) {
            if (count() == 0) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Whether the words are those after a whole step, as far as the undo log says. */
    boolean betweenSteps() {
        return step.length > 0 || count() == 0;
    }

    private int count() {
        return (int) Math.min(file.longAt(HeaderLayout.UNDO_COUNT) & 0xFFFF_FFFFL, in.undoEntries);
    }

    private long[] entries() {
        int count = count();
        fence();
        long[] found = new long[2 * count];
        for (int i = 0; i < found.length; i++) {
            found[i] = file.longAt(in.undo + (long) i * Long.BYTES);
        }
        return found;
    }

    /** Stores of the step that was taken back. */
    int takenBack() {
        return step.length / 2;
    }

    /** Whether the step taken back is still the one in flight, or none was. */
    boolean stepStands() {
        fence();
        return step.length == 0 || Arrays.equals(step, entries());
    }
}
