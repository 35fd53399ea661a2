package io.penstock.dataplane;

import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.image.Checkpoint;
import io.penstock.index.image.ImageLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes checkpoint images of the open indexes at an interval: the core copies between two steps, a thread of its own makes
 * room before and writes after. A failure is logged and tried again at the next interval; the core never waits for a disk.
 *
 * <p><b>Threading:</b> owned by the core's thread, but for the work on {@code penstock-images}.
 */
final class IndexImages {
    private static final Logger LOG = LoggerFactory.getLogger(IndexImages.class);

    private final long intervalNs;
    private final List<Taking> open = new ArrayList<>();
    private final ExecutorService images = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("penstock-images").daemon().factory());

    /** Images every so many nanoseconds. */
    IndexImages(long intervalNs) {
        this.intervalNs = intervalNs;
    }

    /** The index is to have images from now on; room for the first is made at once. */
    void opened(OffHeapIndex index, Path file) {
        Taking taking = new Taking(index, file);
        open.add(taking);
        taking.hand(taking.prepare);
    }

    /** On each tick of the core. */
    void tick(long nowNs) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).tick(nowNs);
        }
    }

    /** No image of the index is taken any more, and none is under way. */
    void closing(PrefixIndex index) {
        for (Taking taking : List.copyOf(open)) {
            if (taking.index == index) {
                open.remove(taking);
                await();
                taking.image.close();
            }
        }
    }

    /** Waits for what was handed over before. */
    private void await() {
        try {
            images.submit(() -> {}).get();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an empty task failed", impossible);
        }
    }

    private final class Taking {
        private final PrefixIndex index;
        private final Path file;
        private final Checkpoint image;
        // Made once: the core allocates nothing for them.
        private final Runnable prepare = this::prepare;
        private final Runnable write = this::write;
        private long dueNs = Long.MIN_VALUE;
        /** Whether the image is the other thread's; set by the core, taken back by the other when it is done. */
        private volatile boolean handed;

        Taking(OffHeapIndex index, Path file) {
            this.index = index;
            this.file = file;
            image = index.checkpoints();
        }

        void tick(long nowNs) {
            if (handed) {
                return;
            }
            if (dueNs == Long.MIN_VALUE) {
                dueNs = nowNs + intervalNs;
            }
            if (nowNs >= dueNs) {
                if (image.copy()) {
                    dueNs = nowNs + intervalNs;
                    hand(write);
                } else {
                    hand(prepare);
                }
            }
        }

        void hand(Runnable work) {
            handed = true;
            images.execute(work);
        }

        private void prepare() {
            image.prepare();
            handed = false;
        }

        private void write() {
            long begin = System.nanoTime();
            try {
                long bytes = image.write(ImageLayout.beside(file));
                LOG.debug(
                        "checkpoint image written: file={}, bytes={}, ms={}",
                        file,
                        bytes,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
                image.prepare();
            } catch (IOException failed) {
                LOG.warn(
                        "checkpoint image could not be written, the former one stays: file={}, cause={}",
                        file,
                        failed.toString());
            }
            handed = false;
        }
    }
}
