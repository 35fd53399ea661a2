package io.penstock.index.image;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.pages.BootId;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Takes images of an open index: {@link #prepare}, then {@link #copy} between two steps of the writer, then
 * {@link #write}. Within a batch of events a copy is sound too: restored, the batch's slot is cleared, as after a kill.
 *
 * <p><b>Threading:</b> one thread at a time, handed over by the caller; {@code copy} on the writer's thread, the other
 * two on a thread that may wait. <b>Cost:</b> {@code copy} allocates nothing and is the writer's only stop.
 */
public final class Checkpoint implements AutoCloseable {
    private static final int HEADER_WORDS = (RunLayout.BYTES - RunLayout.EXTENT) / Long.BYTES;
    private static final long SPARE_BYTES = 1 << 20;

    private final IndexConfig config;
    private final PageFile pages;
    private final Geometry geometry;
    private final Structures in;
    private final BootId boot = BootId.current();
    /** Null before the first {@link #prepare}; closed by {@link #close}. */
    private Arena arena;

    private MemorySegment target = MemorySegment.NULL;
    private long at;
    private long copied;

    /** Images of {@code file}. */
    public Checkpoint(IndexConfig config, IndexFile file, Structures in) {
        this.config = config;
        this.in = in;
        pages = file.pages();
        geometry = file.geometry();
    }

    /** Makes room for an image of the index as large as it is now and a quarter more. */
    // Closed when a larger one takes its place, and by close().
    @SuppressWarnings("MustBeClosedChecker")
    public void prepare() {
        long wanted = needed() * 5 / 4 + SPARE_BYTES;
        if (target.byteSize() < wanted) {
            close();
            arena = Arena.ofShared();
            target = arena.allocate(wanted, Long.BYTES).fill((byte) 0);
        }
        copied = 0;
    }

    /** Upper bound: extents whole, all side blocks in use. */
    private long needed() {
        return ImageLayout.BYTES
                + in.steps.root(HeaderLayout.SLOT_LIMIT) * SlotLayout.BYTES
                + (long) geometry.holderCount * HolderLayout.BYTES
                + in.steps.root(HeaderLayout.RUNS_LIVE) * RunLayout.BYTES
                + in.steps.root(HeaderLayout.SIDE_USED) * Geometry.SIDE_UNIT_BYTES
                + in.steps.root(HeaderLayout.GRANULES_USED) * Geometry.GRANULE_BYTES;
    }

    /** Copies the truth as it is now; false when the index has outgrown the room, which {@link #prepare} enlarges. */
    public boolean copy() {
        copied = 0;
        if (needed() > target.byteSize()) {
            return false;
        }
        at = ImageLayout.BYTES;
        long slotLimit = in.steps.root(HeaderLayout.SLOT_LIMIT);
        words(geometry.slots, slotLimit * SlotLayout.BYTES / Long.BYTES);
        long holders = at;
        words(geometry.holders, (long) geometry.holderCount * HolderLayout.BYTES / Long.BYTES);
        long begin = at;
        long high = in.steps.root(HeaderLayout.RUN_HIGH);
        long runs = 0;
        for (long id = 0; id < high; id++) {
            long run = geometry.runs + id * RunLayout.BYTES;
            if (RunShape.granules(in.steps.get(run + RunLayout.EXTENT)) != 0) {
                word(id);
                run(run);
                runs++;
            }
        }
        put(ImageLayout.SECTION_BYTES, holders - ImageLayout.BYTES);
        put(ImageLayout.SECTION_BYTES + Long.BYTES, begin - holders);
        put(ImageLayout.SECTION_BYTES + 2 * Long.BYTES, at - begin);
        put(ImageLayout.RUNS, runs);
        put(ImageLayout.RUN_HIGH, high);
        put(ImageLayout.SLOT_LIMIT, slotLimit);
        put(ImageLayout.NEXT_DOMAIN, in.steps.root(HeaderLayout.NEXT_DOMAIN));
        put(ImageLayout.BLOCKS, in.steps.root(HeaderLayout.BLOCKS));
        put(ImageLayout.TAKEN, System.currentTimeMillis());
        copied = at;
        return true;
    }

    private void run(long run) {
        words(run + RunLayout.EXTENT, HEADER_WORDS);
        long extent = in.steps.get(run + RunLayout.EXTENT);
        long shape = in.steps.get(run + RunLayout.SHAPE);
        long side = in.steps.get(run + RunLayout.SIDE);
        words(RunShape.rangesOffset(geometry, side), RunShape.sideRanges(shape));
        long sets = RunShape.setsOffset(geometry, side);
        int setCount = RunShape.sets(shape);
        words(sets, 2L * setCount);
        int length = RunShape.length(extent);
        long column = RunShape.granuleOffset(geometry, extent);
        int whole = length / Geometry.GRANULE_BLOCKS;
        int rest = length % Geometry.GRANULE_BLOCKS;
        words(column, 2L * whole * Geometry.GRANULE_BLOCKS);
        long last = column + (long) whole * Geometry.GRANULE_BYTES;
        words(last, rest);
        words(last + (long) Geometry.GRANULE_BLOCKS * Long.BYTES, rest);
        for (int i = 0; i < setCount; i++) {
            if (RunShape.isColumn(in.steps.get(sets + 2L * i * Long.BYTES))) {
                words(RunShape.granuleOffset(geometry, in.steps.get(sets + (2L * i + 1) * Long.BYTES)), length);
            }
        }
    }

    /** Records never straddle a page, but whole regions do. */
    private void words(long from, long count) {
        long offset = from;
        long left = count;
        while (left > 0) {
            long inPage = Math.min(left, (pages.pageBytes() - (offset & pages.pageBytes() - 1)) / Long.BYTES);
            long address = pages.address(offset);
            for (long i = 0; i < inPage; i++) {
                target.set(ValueLayout.JAVA_LONG, at + i * Long.BYTES, Memory.getLong(address + i * Long.BYTES));
            }
            at += inPage * Long.BYTES;
            offset += inPage * Long.BYTES;
            left -= inPage;
        }
    }

    private void word(long value) {
        target.set(ValueLayout.JAVA_LONG, at, value);
        at += Long.BYTES;
    }

    private void put(int field, long value) {
        target.set(ValueLayout.JAVA_LONG, field, value);
    }

    /**
     * Sums the copy and publishes it as {@code image} in one step, on the disk when this returns; answers its bytes.
     *
     * @throws IOException when it could not be written; a former image is still there then
     */
    public long write(Path image) throws IOException {
        if (copied == 0) {
            throw new IllegalStateException("no copy was taken: image=" + image);
        }
        put(ImageLayout.MAGIC, ImageLayout.MAGIC_VALUE);
        put(ImageLayout.VERSION, ImageLayout.VERSION_VALUE);
        put(ImageLayout.BOOT_HIGH, boot.high());
        put(ImageLayout.BOOT_LOW, boot.low());
        put(ImageLayout.LAYOUT_VERSION, HeaderLayout.VERSION_VALUE);
        put(ImageLayout.PAGE_BYTES, config.pageBytes());
        put(ImageLayout.BLOCK_SIZE, config.blockSize());
        put(ImageLayout.MAX_SLOTS, config.maxSlots());
        put(ImageLayout.CAPACITY_BLOCKS, config.capacityBlocks());
        MemorySegment whole = target.asSlice(0, copied);
        ImageFile.sum(whole);
        ImageFile.publish(whole, image);
        return copied;
    }

    @Override
    public void close() {
        target = MemorySegment.NULL;
        copied = 0;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
