package io.penstock.perf.index;

import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.pool.PageRanges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * One point of the shared pool's figures: {@code PagesChild FOLDER PAGES ORDER}. Prompts of {@value #PROMPT} pages, learnt in
 * one of four orders: {@code chain} (prompt after prompt), {@code bursts} (64 pages of a prompt, then 64 of another, 16
 * prompts in turn), {@code random} (all pages shuffled, as a listing shows them), {@code branches} (shuffled, and two prompts
 * each share the first half). Every prompt is asked for once, with the sweep behind each look-up; then look-ups are of prompts
 * drawn at random. Their keys were just made, as the front's just came.
 *
 * <p><b>Threading:</b> main thread.
 */
public final class PagesChild {
    private static final int PROMPT = 4_096;
    private static final int BURST = 64;
    private static final int TOGETHER = 16;
    private static final int LOOKUPS = 4_000;
    private static final int WARM_LOOKUPS = 6_000;
    private static final int WARM_PAGES = 8 * PROMPT;
    private static final long UNKNOWN = 1L << 40;
    private static final String[] ORDERS = {"chain", "bursts", "random", "branches"};
    private static final int SLICE = 256;

    private final int prompts;
    private final int pages;
    private final IntUnaryOperator order;
    private final boolean branches;
    private final long[] keys = new long[PROMPT * PageIndex.KEY_WORDS];
    private final long[] key = new long[PageIndex.KEY_WORDS];
    private final PageRanges out = new PageRanges();

    private PagesChild(int pages, String order) {
        prompts = Math.max(1, pages / PROMPT);
        this.pages = prompts * PROMPT;
        branches = order.equals("branches");
        this.order = switch (order) {
            case "chain" -> i -> i;
            case "bursts" -> this::inBursts;
            case "random", "branches" -> this::shuffled;
            default -> throw new IllegalArgumentException("unknown order: ORDER=" + order);
        };
    }

    /** Measures one point, a JSON line. */
    public static void main(String[] args) throws IOException {
        BenchFolder folder = new BenchFolder(Path.of(args[0]));
        // The compiler is to see pages learnt in every order, as a router does.
        for (String order : ORDERS) {
            new PagesChild(WARM_PAGES, order).measure(folder, WARM_LOOKUPS);
        }
        System.out.println(new PagesChild(Integer.parseInt(args[1]), args[2]).measure(folder, LOOKUPS));
    }

    private String measure(BenchFolder folder, int lookups) throws IOException {
        folder.clear();
        IndexConfig config = folder.config(16, IndexConfig.AUTOMATIC, 64).withPool(pages, 1);
        try (OffHeapIndex file = OffHeapIndex.open(config);
                PageIndex index = file.pageIndex(0)) {
            double stored = told(index);
            double confirmed = told(index);
            Histogram first = QueryRun.histogram();
            double filed = first(index, first);
            Histogram hits = QueryRun.histogram();
            Histogram halves = QueryRun.histogram();
            Histogram misses = QueryRun.histogram();
            long allocated = CoreClock.allocatedBytes();
            lookups(index, lookups, PROMPT, hits);
            lookups(index, lookups, PROMPT / 2, halves);
            lookups(index, lookups, 0, misses);
            double perLookup = (CoreClock.allocatedBytes() - allocated) / (3.0 * lookups);
            return "{\"pages\":" + pages + ",\"storedNs\":" + stored + ",\"confirmedNs\":" + confirmed
                    + ",\"filedNs\":" + filed + percentiles("first", first)
                    + percentiles("hit", hits) + percentiles("half", halves) + percentiles("miss", misses)
                    + ",\"allocatedBytesPerLookup\":" + perLookup + "}";
        }
    }

    private static String percentiles(String of, Histogram latency) {
        return ",\"" + of + "MinUs\":" + latency.getMinValue() / 1e3 + ",\"" + of + "P50Us\":"
                + latency.getValueAtPercentile(50) / 1e3 + ",\"" + of + "P99Us\":"
                + latency.getValueAtPercentile(99) / 1e3 + ",\"" + of + "MaxUs\":" + latency.getMaxValue() / 1e3;
    }

    /** CPU time of the thread for each page, nanoseconds, with making its key. */
    private double told(PageIndex index) {
        long start = CoreClock.cpuNs();
        for (int i = 0; i < pages; i++) {
            key(shared(order.applyAsInt(i)), key, 0);
            index.stored(key, 0, 0, 1);
        }
        return (double) (CoreClock.cpuNs() - start) / pages;
    }

    /** A look-up of every prompt and the sweep behind it; answers CPU time of the sweeps, nanoseconds a page. */
    private double first(PageIndex index, Histogram latency) {
        long swept = 0;
        for (int prompt = 0; prompt < prompts; prompt++) {
            lookup(index, prompt, PROMPT, latency);
            long start = CoreClock.cpuNs();
            while (index.sweep(SLICE, 1) > 0) {
                // until nothing is left to do
            }
            swept += CoreClock.cpuNs() - start;
        }
        return (double) swept / pages;
    }

    /** Look-ups of prompts of which the first {@code known} pages are there. */
    private void lookups(PageIndex index, int lookups, int known, Histogram latency) {
        for (int i = 0; i < lookups; i++) {
            int prompt = (int) Long.remainderUnsigned(SyntheticBlocks.mix(i + 1), prompts);
            lookup(index, prompt, known, latency);
            index.sweep(SLICE, 1);
        }
    }

    private void lookup(PageIndex index, int prompt, int known, Histogram latency) {
        for (int page = 0; page < PROMPT; page++) {
            long asked = page < known ? shared(prompt * PROMPT + page) : UNKNOWN + (long) prompt * PROMPT + page;
            key(asked, keys, page * PageIndex.KEY_WORDS);
        }
        long start = System.nanoTime();
        index.match(keys, PROMPT, out);
        latency.recordValue(Math.max(1, System.nanoTime() - start));
        if (out.contiguous(0) != known || out.pages() != known) {
            throw new IllegalStateException("wrong answer: pages=" + out.pages() + ", known=" + known);
        }
    }

    /** The page itself, or that of the prompt before which begins alike. */
    private int shared(int page) {
        boolean same = branches && page / PROMPT % 2 == 1 && page % PROMPT < PROMPT / 2;
        return same ? page - PROMPT : page;
    }

    private int inBursts(int i) {
        int group = i / (TOGETHER * PROMPT);
        int width = Math.min(TOGETHER, prompts - group * TOGETHER);
        int within = i - group * TOGETHER * PROMPT;
        int burst = within / BURST;
        return (group * TOGETHER + burst % width) * PROMPT + burst / width * BURST + within % BURST;
    }

    /** Every page once: the multiplier has no factor in common with any number of pages that an int holds. */
    private int shuffled(int i) {
        return (int) (i * 2_654_435_761L % pages);
    }

    private static void key(long page, long[] to, int at) {
        for (int word = 0; word < PageIndex.KEY_WORDS; word++) {
            to[at + word] = SyntheticBlocks.mix(page * PageIndex.KEY_WORDS + word + 1);
        }
    }
}
