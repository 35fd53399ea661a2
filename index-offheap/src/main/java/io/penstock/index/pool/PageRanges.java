package io.penstock.index.pool;

import java.util.Arrays;

/**
 * Half-open ranges of page numbers, ascending, none touching the next.
 *
 * <p><b>Threading:</b> owned by the caller; grows once to the longest answer seen.
 */
public final class PageRanges {
    private int[] bounds = new int[32];
    private int size;

    /** Number of ranges. */
    public int size() {
        return size;
    }

    /** First page of range {@code i}. */
    public int start(int i) {
        return bounds[2 * i];
    }

    /** Page after the last of range {@code i}. */
    public int end(int i) {
        return bounds[2 * i + 1];
    }

    /** Takes all ranges out. */
    public void clear() {
        size = 0;
    }

    /** Adds page {@code page}, which is beyond all that are in. */
    public void add(int page) {
        add(page, page + 1);
    }

    /** Adds pages {@code from} to {@code to}, exclusive, at least one, all beyond those that are in. */
    public void add(int from, int to) {
        if (size > 0 && bounds[2 * size - 1] == from) {
            bounds[2 * size - 1] = to;
            return;
        }
        if (2 * size == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        bounds[2 * size] = from;
        bounds[2 * size + 1] = to;
        size++;
    }

    /** Pages in all ranges. */
    public int pages() {
        return beyond(0);
    }

    /** Pages at {@code from} or later, also those after a hole: {@code |ranges ∩ [from, ∞)|}. */
    public int beyond(int from) {
        int pages = 0;
        for (int i = size - 1; i >= 0 && end(i) > from; i--) {
            pages += end(i) - Math.max(start(i), from);
        }
        return pages;
    }

    /** Pages from {@code from} to the first hole. */
    public int contiguous(int from) {
        for (int i = 0; i < size; i++) {
            if (end(i) > from) {
                return start(i) <= from ? end(i) - from : 0;
            }
        }
        return 0;
    }
}
