package io.penstock.index.image;

import io.penstock.index.IndexConfig;
import io.penstock.index.IndexFileException;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * Puts an image's truth into the pages of a fresh file, each word where it was. The caller has it repaired then, which holds
 * every run against its own sum and builds the rest, and throws the file away when anything is said against it.
 *
 * <p><b>Threading:</b> owned by the opener.
 */
public final class ImageLoader {
    private static final int HEADER_WORDS = (RunLayout.BYTES - RunLayout.EXTENT) / Long.BYTES;
    private static final int GRANULE_WORDS = Geometry.GRANULE_BYTES / Long.BYTES;

    private final MemorySegment image;
    private final PageFile pages;
    private final Geometry geometry;
    private long at = ImageLayout.BYTES;

    private ImageLoader(MemorySegment image, IndexFile file) {
        this.image = image;
        pages = file.pages();
        geometry = file.geometry();
    }

    /** Null when the fresh {@code file} has the image's truth now, else one line why not. */
    public static String load(Path path, IndexConfig config, IndexFile file) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            MemorySegment image = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            String wrong = ImageFile.check(image);
            if (wrong == null) {
                wrong = numbers(image, config);
            }
            return wrong != null ? wrong : new ImageLoader(image, file).load();
        } catch (IOException unreadable) {
            return "image cannot be read: cause=" + unreadable;
        } catch (IndexOutOfBoundsException wild) {
            return "image leads out of itself: " + wild.getMessage();
        }
    }

    /** When a sound image was taken. */
    public static Instant taken(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            MemorySegment header = channel.map(FileChannel.MapMode.READ_ONLY, 0, ImageLayout.BYTES, arena);
            return Instant.ofEpochMilli(ImageFile.get(header, ImageLayout.TAKEN));
        } catch (IOException unreadable) {
            throw new IndexFileException("image cannot be read: image=" + path + ", cause=" + unreadable, unreadable);
        }
    }

    private static String numbers(MemorySegment image, IndexConfig config) {
        String wrong = same(image, "layoutVersion", ImageLayout.LAYOUT_VERSION, HeaderLayout.VERSION_VALUE);
        wrong = wrong != null ? wrong : same(image, "pageBytes", ImageLayout.PAGE_BYTES, config.pageBytes());
        wrong = wrong != null ? wrong : same(image, "blockSize", ImageLayout.BLOCK_SIZE, config.blockSize());
        wrong = wrong != null ? wrong : same(image, "maxSlots", ImageLayout.MAX_SLOTS, config.maxSlots());
        return wrong != null
                ? wrong
                : same(image, "capacityBlocks", ImageLayout.CAPACITY_BLOCKS, config.capacityBlocks());
    }

    private static String same(MemorySegment image, String name, int field, long wanted) {
        long found = ImageFile.get(image, field);
        return found == wanted
                ? null
                : "image was taken with other numbers: " + name + "=" + found + ", expected " + wanted;
    }

    private String load() {
        long slotLimit = ImageFile.get(image, ImageLayout.SLOT_LIMIT);
        long high = ImageFile.get(image, ImageLayout.RUN_HIGH);
        long slotBytes = ImageFile.get(image, ImageLayout.SECTION_BYTES);
        long holderBytes = ImageFile.get(image, ImageLayout.SECTION_BYTES + Long.BYTES);
        if (slotLimit < 0
                || slotLimit > ImageFile.get(image, ImageLayout.MAX_SLOTS)
                || slotBytes != slotLimit * SlotLayout.BYTES
                || holderBytes != (long) geometry.holderCount * HolderLayout.BYTES
                || high < 0
                || high > geometry.runCount) {
            return "image's counts do not fit its sections: slotLimit=" + slotLimit + ", runs=" + high;
        }
        words(geometry.slots, slotBytes / Long.BYTES);
        words(geometry.holders, holderBytes / Long.BYTES);
        root(HeaderLayout.SLOT_LIMIT, slotLimit);
        root(HeaderLayout.NEXT_DOMAIN, ImageFile.get(image, ImageLayout.NEXT_DOMAIN));
        root(HeaderLayout.RUN_HIGH, high);
        long runs = 0;
        while (at < image.byteSize()) {
            long id = next();
            if (id < 0 || id >= high || !run(geometry.runs + id * RunLayout.BYTES)) {
                return "image has a run that leads out of the file: run=" + id;
            }
            runs++;
        }
        long noted = ImageFile.get(image, ImageLayout.RUNS);
        return runs == noted ? null : "image lacks runs: runs=" + runs + ", noted " + noted;
    }

    private boolean run(long run) {
        words(run + RunLayout.EXTENT, HEADER_WORDS);
        long extent = header(run, RunLayout.EXTENT);
        long shape = header(run, RunLayout.SHAPE);
        long side = header(run, RunLayout.SIDE);
        int length = RunShape.length(extent);
        int granules = RunShape.granules(extent);
        int sideRanges = RunShape.sideRanges(shape);
        int sets = RunShape.sets(shape);
        if (length > granules * Geometry.GRANULE_BLOCKS
                || !fits(RunShape.granule(extent), granules)
                || sideRanges > 0 && !inSide(RunShape.rangesOffset(geometry, side), sideRanges)
                || sets > 0 && !inSide(RunShape.setsOffset(geometry, side), 2 * sets)) {
            return false;
        }
        words(RunShape.rangesOffset(geometry, side), sideRanges);
        long listed = at;
        words(RunShape.setsOffset(geometry, side), 2L * sets);
        int whole = length / Geometry.GRANULE_BLOCKS;
        int rest = length % Geometry.GRANULE_BLOCKS;
        long column = RunShape.granuleOffset(geometry, extent);
        words(column, 2L * whole * Geometry.GRANULE_BLOCKS);
        long last = column + (long) whole * Geometry.GRANULE_BYTES;
        words(last, rest);
        words(last + (long) Geometry.GRANULE_BLOCKS * Long.BYTES, rest);
        for (int i = 0; i < sets; i++) {
            if (RunShape.isColumn(ImageFile.get(image, listed + 2L * i * Long.BYTES))) {
                long value = ImageFile.get(image, listed + (2L * i + 1) * Long.BYTES);
                if (length > (value >>> 32) * GRANULE_WORDS || !fits((int) value, (int) (value >>> 32))) {
                    return false;
                }
                words(RunShape.granuleOffset(geometry, value), length);
            }
        }
        return true;
    }

    private boolean fits(int granule, int granules) {
        return granule >= 0 && granules >= 0 && granule <= geometry.granuleCount - granules;
    }

    private boolean inSide(long offset, int words) {
        return offset >= geometry.side
                && offset + (long) words * Long.BYTES
                        <= geometry.side + (long) geometry.sideUnits * Geometry.SIDE_UNIT_BYTES;
    }

    private long header(long run, int field) {
        return Memory.getLong(pages.address(run + field));
    }

    private void root(int field, long value) {
        Memory.putLong(pages.address(field), value);
    }

    private long next() {
        at += Long.BYTES;
        return ImageFile.get(image, at - Long.BYTES);
    }

    private void words(long to, long count) {
        for (long i = 0; i < count; i++) {
            Memory.putLong(pages.address(to + i * Long.BYTES), next());
        }
    }
}
