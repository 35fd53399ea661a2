package io.penstock.dataplane;

import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.RecoveryReport;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.read.LiveReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntFunction;

/**
 * The folder of the prefix indexes: one file per base model and block size, found again by the model's name.
 *
 * <p><b>Threading:</b> opened on the core's thread; {@link #nameModels} before the first worker comes, {@link #recoveries}
 * from any thread.
 */
final class IndexFolder implements PrefixIndexFactory {
    private static final List<String> BESIDE = List.of(".header", ".lock", ".image");

    /** Slots that one index file can tell apart. */
    private static final int MOST_SLOTS = 1 << 14;

    /** Blocks that one index file can have. */
    private static final long MOST_BLOCKS = 1L << 31;

    private final RouterConfig config;
    private final StartTimes times;
    private final Map<PrefixIndex, Path> files = new ConcurrentHashMap<>();
    private final Map<String, RecoveryReport> recoveries = new ConcurrentSkipListMap<>();
    private final PoolFiles pools;
    private volatile IntFunction<String> modelNames = number -> "model-" + number;

    IndexFolder(RouterConfig config, StartTimes times) {
        this.config = config;
        this.times = times;
        pools = new PoolFiles(
                config.pool(),
                config.index().pageBytes(),
                model -> folder().resolve(named(model) + "-pool.pst").toString(),
                recoveries::put);
    }

    /** Where the names of models' numbers come from. */
    void nameModels(IntFunction<String> names) {
        modelNames = names;
    }

    /** The indexes that are open now. */
    List<OffHeapIndex> open() {
        return files.keySet().stream().map(OffHeapIndex.class::cast).toList();
    }

    /** A reader of a model's index for one thread, or null while it is not open. Any thread may ask. */
    LiveReader reader(int model, int blockSize) {
        Path wanted = file(model, blockSize);
        for (Map.Entry<PrefixIndex, Path> entry : files.entrySet()) {
            if (entry.getValue().equals(wanted)) {
                return ((OffHeapIndex) entry.getKey()).reader();
            }
        }
        return null;
    }

    /** What each file was found to be when it was last opened. */
    Map<String, RecoveryReport> recoveries() {
        return recoveries;
    }

    @Override
    public PrefixIndex open(WorkerAddition first) {
        long capacity = config.index().capacityBlocks();
        if (capacity == IndexConfig.AUTOMATIC) {
            // Only this worker is known by now; the configured others are taken to be like it.
            long workers = Math.max(1, config.workers().size());
            long advertised = Math.max(0, first.totalKvBlocks()) * first.dpSize() * workers;
            capacity = Math.clamp(advertised + advertised / 4, IndexConfig.LEAST_AUTOMATIC, MOST_BLOCKS);
        }
        return open(first.model(), first.blockSize(), capacity);
    }

    @Override
    public PrefixIndex open(int model, int blockSize) {
        return open(model, blockSize, config.index().capacityBlocks());
    }

    private PrefixIndex open(int model, int blockSize, long capacityBlocks) {
        Path file = file(model, blockSize);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException failed) {
            throw new UncheckedIOException("index folder: " + file, failed);
        }
        long begin = System.nanoTime();
        OffHeapIndex index = OffHeapIndex.open(new IndexConfig(
                file,
                blockSize,
                capacityBlocks,
                config.index().pageBytes(),
                Math.min(config.core().maxSlots(), MOST_SLOTS)));
        times.opened(System.nanoTime() - begin, index.mapOpenNs());
        files.put(index, file);
        recoveries.put(file.getFileName().toString(), index.recovery());
        return index;
    }

    @Override
    public PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
        return pools.open(pool, objectsPerPage);
    }

    @Override
    public void close(PageIndex pages) {
        pools.close(pages);
    }

    @Override
    public void abandon(PageIndex pages) {
        pools.abandon(pages);
    }

    /** The shared pools' files. */
    PoolFiles pools() {
        return pools;
    }

    /** Puts the file of an index in doubt aside, for whoever looks into it; the next one begins empty. */
    @Override
    public void abandon(PrefixIndex index) {
        Path file = files.remove(index);
        // Left dirty: a clean mark would say that its content can be believed.
        ((OffHeapIndex) index).abandon();
        try {
            Files.move(file, Path.of(file + ".failed"), StandardCopyOption.REPLACE_EXISTING);
            for (String beside : BESIDE) {
                Files.deleteIfExists(Path.of(file + beside));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("index file: " + file, failed);
        }
    }

    /** The model's file: its name with everything but letters, digits, dots and dashes written as {@code %XX}. */
    Path file(int model, int blockSize) {
        return folder().resolve(named(modelNames.apply(model)) + "-" + blockSize + ".pst");
    }

    private static String named(String model) {
        StringBuilder name = new StringBuilder();
        for (byte b : model.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-';
            name.append(plain ? "" + (char) b : String.format("%%%02X", b & 0xFF));
        }
        return name.toString();
    }

    private Path folder() {
        return config.index().folder().isEmpty()
                ? Path.of(config.dataDir(), "index")
                : Path.of(config.index().folder());
    }
}
