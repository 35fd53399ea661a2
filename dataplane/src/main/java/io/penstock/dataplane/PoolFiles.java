package io.penstock.dataplane;

import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.RecoveryReport;
import io.penstock.index.pool.PageIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The files of the shared pools: for each model an index file of its own, whose blocks stay unused, since a model's workers
 * may come with several block sizes, or not yet.
 *
 * <p><b>Threading:</b> opened and closed on the core's thread; {@link #problems} from any.
 */
final class PoolFiles {
    private static final int LEAST_BLOCKS = 1 << 10;

    /** Not the page's size: a file stays the same when that becomes another, since keys are then others too. */
    private static final int BLOCK_SIZE = 1;

    private final PoolConfig config;
    private final int pageBytes;
    private final UnaryOperator<String> fileOf;
    private final BiConsumer<String, RecoveryReport> opened;
    private final Map<PageIndex, OffHeapIndex> files = new IdentityHashMap<>();
    private final Map<String, String> problems = new ConcurrentSkipListMap<>();

    /**
     * None is open.
     *
     * @param fileOf path of a file by the name of its model
     * @param opened hears what each file was found to be
     */
    PoolFiles(
            PoolConfig config, int pageBytes, UnaryOperator<String> fileOf, BiConsumer<String, RecoveryReport> opened) {
        this.config = config;
        this.pageBytes = pageBytes;
        this.fileOf = fileOf;
        this.opened = opened;
    }

    /**
     * Opens a pool's pages.
     *
     * @throws RuntimeException in one line when that cannot be; it is kept in {@link #problems}
     */
    PageIndex open(int pool, int objectsPerPage) {
        String model = config.layouts().get(pool).model();
        try {
            Path file = Path.of(fileOf.apply(model));
            Files.createDirectories(file.toAbsolutePath().getParent());
            OffHeapIndex index = OffHeapIndex.open(new IndexConfig(file, BLOCK_SIZE, LEAST_BLOCKS, pageBytes, 1)
                    .withPool(config.capacityPages(), objectsPerPage));
            PageIndex pages = index.pageIndex(config.ttlS());
            files.put(pages, index);
            opened.accept(file.getFileName().toString(), index.recovery());
            problems.remove(model);
            return pages;
        } catch (IOException | RuntimeException failed) {
            problems.put(model, failed.getMessage());
            throw failed instanceof RuntimeException refused
                    ? refused
                    : new UncheckedIOException("shared pool's file", (IOException) failed);
        }
    }

    void close(PageIndex pages) {
        files.remove(pages).close();
    }

    /** Left dirty: the next start begins with none of its pages. */
    void abandon(PageIndex pages) {
        files.remove(pages).abandon();
    }

    /** One line for each model whose pages could not be opened. */
    List<String> problems() {
        return problems.entrySet().stream()
                .map(entry ->
                        "shared pool's pages cannot be opened: model=" + entry.getKey() + " (" + entry.getValue() + ")")
                .toList();
    }
}
