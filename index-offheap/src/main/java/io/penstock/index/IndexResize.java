package io.penstock.index;

import io.penstock.index.image.ImageFile;
import io.penstock.index.image.ImageLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.NameExchange;
import io.penstock.index.pages.WriterLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives an index file another capacity, or another shared pool, while nobody has it open: its content goes through an image into a new file beside
 * it, both are compared run for run, then the new one takes the name. Until then the file is as it was. What the shared pool
 * holds is not taken along: its owner is listed when it is opened.
 *
 * <p><b>Threading:</b> one thread, under the file's writer lock. <b>Cost:</b> disk space for image and new file.
 *
 * @param file the file
 * @param formerCapacityBlocks its capacity before
 * @param capacityBlocks its capacity now
 * @param blocks distinct blocks in it
 */
public record IndexResize(Path file, long formerCapacityBlocks, long capacityBlocks, long blocks) {
    private static final List<String> BESIDE = List.of("", ".header", ".lock", ".image", ".tmp");

    /**
     * Makes the capacity {@code capacityBlocks}.
     *
     * @throws IndexFileException in one line, when the file is in use, its content is not believed or does not fit
     */
    public static IndexResize resize(Path file, long capacityBlocks) {
        try {
            IndexConfig former = settled(file);
            return remake(former, former.withCapacity(capacityBlocks));
        } catch (IOException failed) {
            throw failed(file, failed);
        }
    }

    /**
     * Gives a file that is there the shared pool that {@code config} asks for, if it has another one or none. A file that is
     * not believed stays as it is.
     */
    static void givePool(IndexConfig config) {
        if (config.poolPages() == 0 || !Files.exists(config.file()) && !NameExchange.wasCut(config.file())) {
            return;
        }
        IndexConfig former;
        try {
            former = settled(config.file());
        } catch (IOException | IndexFileException saidWhenItIsOpened) {
            return;
        }
        if (!former.equals(former.withPool(config.poolPages(), config.poolObjects()))
                && former.blockSize() == config.blockSize()
                && former.pageBytes() == config.pageBytes()
                && former.maxSlots() == config.maxSlots()) {
            try {
                remake(former, former.withPool(config.poolPages(), config.poolObjects()));
            } catch (IOException failed) {
                throw failed(config.file(), failed);
            }
        }
    }

    private static IndexFileException failed(Path file, IOException cause) {
        return new IndexFileException(
                "index file cannot be resized: file=" + file + ", cause=" + cause.getMessage(), cause);
    }

    private static IndexResize remake(IndexConfig former, IndexConfig made) throws IOException {
        Path file = former.file();
        Path fresh = file.resolveSibling(file.getFileName() + ".resized");
        IndexConfig wanted = made.in(fresh);
        boolean hadImage = ImageFile.exists(file);
        try {
            delete(fresh, BESIDE);
            long blocks;
            try (OffHeapIndex index = OffHeapIndex.open(former)) {
                index.checkpointNow();
                blocks = index.blockCount();
                copy(file, wanted);
            }
            takeName(file, fresh);
            if (!hadImage) {
                Files.deleteIfExists(ImageLayout.beside(file));
            }
            return new IndexResize(
                    file, former.capacityBlocks(), wanted.resolved().capacityBlocks(), blocks);
        } finally {
            delete(fresh, BESIDE);
        }
    }

    /** How the file was made; an exchange of names that was cut is settled before. */
    private static IndexConfig settled(Path file) throws IOException {
        if (NameExchange.wasCut(file)) {
            WriterLock lock = WriterLock.take(file);
            try {
                NameExchange.settle(file);
            } finally {
                lock.close();
            }
        }
        return IndexFile.believable(file);
    }

    private static void copy(Path file, IndexConfig wanted) throws IOException {
        try (ImageFile image = ImageFile.open(file);
                OffHeapIndex resized = OffHeapIndex.openFrom(image, wanted)) {
            resized.checkpointNow();
            try (ImageFile again = ImageFile.open(wanted.file())) {
                if (!image.sameContent(again)) {
                    throw new IOException("the new file's content differs");
                }
            }
        }
    }

    private static void takeName(Path file, Path fresh) throws IOException {
        WriterLock lock = WriterLock.take(file);
        try {
            NameExchange.take(file, fresh);
        } finally {
            lock.close();
        }
    }

    private static void delete(Path base, List<String> parts) throws IOException {
        for (String part : parts) {
            Files.deleteIfExists(Path.of(base + part));
        }
    }
}
