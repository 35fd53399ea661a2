package io.penstock.index;

import io.penstock.index.image.ImageFile;
import io.penstock.index.image.ImageLayout;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.structure.StepLog;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.nio.file.Files;

/**
 * What became of an index file: opened as it is, repaired, brought back from its image, or made anew.
 *
 * <p><b>Threading:</b> owned by the opener.
 *
 * @param file the file, locked and mapped
 * @param in its structures, ready
 * @param recovery what was found
 */
record Opening(IndexFile file, Structures in, RecoveryReport recovery) {
    /** {@link OffHeapIndex#open}. */
    static Opening open(IndexConfig config) {
        long begin = System.nanoTime();
        IndexFile file = IndexFile.open(config);
        try {
            return switch (file.content()) {
                case FRESH -> created(file, begin);
                case CLEAN -> clean(file, config, begin);
                case KILLED -> repaired(file, config, begin);
                case OTHER_BOOT ->
                    anew(
                            replaced(file, config),
                            RecoveryReport.Outcome.EMPTY_OTHER_BOOT,
                            "left open by a writer under another boot of the machine",
                            begin);
                case DAMAGED ->
                    anew(replaced(file, config), RecoveryReport.Outcome.EMPTY_DAMAGED, "page sums do not hold", begin);
            };
        } catch (IllegalStateException | IndexFileException unusable) {
            file.abandon();
            throw unusable;
        }
    }

    private static Opening created(IndexFile file, long begin) {
        try {
            // A file of that name was taken away: its content is not to come back after the next power loss.
            Files.deleteIfExists(ImageLayout.beside(file.config().file()));
        } catch (IOException stays) {
            throw new IndexFileException(
                    "former image cannot be deleted: file=" + file.config().file(), stays);
        }
        return empty(file, RecoveryReport.Outcome.CREATED, "new file", begin);
    }

    private static Opening clean(IndexFile file, IndexConfig wanted, long begin) {
        Structures in = new Structures(file, file.config());
        in.load();
        String line = capacityKept(file, wanted);
        if (file.geometry().pool != null && !file.poolHolds()) {
            line = (line.isEmpty() ? "" : line + "; ") + "shared pool's page sums do not hold, it was emptied";
        }
        return opened(file, in, RecoveryReport.Outcome.CLEAN, line, 0, begin);
    }

    private static String capacityKept(IndexFile file, IndexConfig wanted) {
        long asked = wanted.capacityBlocks();
        long own = file.config().capacityBlocks();
        return asked == IndexConfig.AUTOMATIC || asked == own
                ? ""
                : "capacity is the file's own: capacityBlocks=" + own + ", asked for " + asked;
    }

    private static Opening repaired(IndexFile file, IndexConfig wanted, long begin) {
        StepLog left = new StepLog(file.pages(), file.geometry());
        if (!left.plausible((long) file.pages().pageCount() * file.pages().pageBytes())) {
            return anew(replaced(file, wanted), RecoveryReport.Outcome.EMPTY_DAMAGED, "undo log", begin);
        }
        int undone = left.rollback();
        Structures in = new Structures(file, file.config());
        String wrong = in.repair.repair();
        if (wrong != null) {
            return anew(replaced(file, wanted), RecoveryReport.Outcome.EMPTY_DAMAGED, wrong, begin);
        }
        String line = "writer was killed";
        String kept = capacityKept(file, wanted);
        line = kept.isEmpty() ? line : line + "; " + kept;
        return opened(file, in, RecoveryReport.Outcome.REPAIRED, line, undone, begin);
    }

    /** A fresh file of the same numbers, but with the shared pool that was asked for. */
    private static IndexFile replaced(IndexFile file, IndexConfig wanted) {
        return wanted.poolPages() == 0
                ? file.replaced()
                : file.replaced(file.config().withPool(wanted.poolPages(), wanted.poolObjects()));
    }

    /** Into a fresh file: what the image holds if it is sound, else nothing. */
    private static Opening anew(IndexFile fresh, RecoveryReport.Outcome outcome, String detail, long begin) {
        if (!ImageFile.exists(fresh.config().file())) {
            return empty(fresh, outcome, detail, begin);
        }
        IndexFile file = fresh;
        String wrong;
        try (ImageFile image = ImageFile.open(fresh.config().file())) {
            wrong = restore(file, image);
            if (wrong == null) {
                Structures in = new Structures(file, file.config());
                in.load();
                file.publish();
                String restored = detail + "; restored from the " + image + counts(in);
                return opened(file, in, RecoveryReport.Outcome.RESTORED_IMAGE, restored, 0, begin);
            }
            file = file.replaced();
        } catch (IOException unsound) {
            wrong = unsound.getMessage();
        }
        return empty(file, outcome, detail + "; image not used, " + wrong, begin);
    }

    /**
     * Makes a new file of what an image holds.
     *
     * @throws IOException in one line, when it does not fit; no file is left then
     */
    static Opening openFrom(ImageFile image, IndexConfig config) throws IOException {
        long begin = System.nanoTime();
        IndexFile file = IndexFile.open(config);
        String wrong = file.content() == IndexFile.Content.FRESH ? restore(file, image) : "there is a file already";
        if (wrong != null) {
            file.abandon();
            throw new IOException(wrong);
        }
        Structures in = new Structures(file, file.config());
        in.load();
        file.publish();
        return opened(file, in, RecoveryReport.Outcome.RESTORED_IMAGE, image.toString(), 0, begin);
    }

    private static String counts(Structures in) {
        int slots = 0;
        int positions = 0;
        for (int slot = 0; slot < in.directory.limit(); slot++) {
            if (in.directory.isOpen(slot)) {
                slots++;
                positions += in.directory.sequence(slot) == PrefixIndex.NO_POSITION ? 0 : 1;
            }
        }
        return ": slots=" + slots + ", blocks=" + in.steps.root(HeaderLayout.BLOCKS) + ", positions=" + positions;
    }

    private static String restore(IndexFile file, ImageFile image) {
        Structures truth = new Structures(file, file.config());
        truth.format();
        truth.load();
        String wrong = image.restore(truth, file.config());
        return wrong != null ? wrong : new Structures(file, file.config()).repair.repair();
    }

    private static Opening empty(IndexFile file, RecoveryReport.Outcome outcome, String detail, long begin) {
        Structures in = new Structures(file, file.config());
        in.format();
        in.load();
        file.publish();
        return opened(file, in, outcome, detail, 0, begin);
    }

    private static Opening opened(
            IndexFile file, Structures in, RecoveryReport.Outcome outcome, String detail, int undone, long begin) {
        String line = file.prefixRestored() ? detail + "; Chronicle's header restored from its copy" : detail;
        int torn = clearTorn(in);
        line = torn > 0 ? line + "; slots cleared that were left within a batch: " + torn : line;
        return new Opening(file, in, new RecoveryReport(outcome, line, undone, torn, System.nanoTime() - begin));
    }

    private static int clearTorn(Structures in) {
        int torn = 0;
        for (int slot = 0; slot < in.directory.limit(); slot++) {
            if (in.directory.batchOpen(slot)) {
                in.makeRoomForHolder();
                in.directory.end(slot, false);
                in.directory.position(slot, PrefixIndex.NO_POSITION, 0, 0);
                torn++;
            }
        }
        return torn;
    }
}
