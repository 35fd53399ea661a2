package io.penstock.index.read;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.RunShape;
import io.penstock.index.layout.SetKey;
import io.penstock.index.layout.SlotLayout;

/**
 * Copies engine hashes out of the runs of a path: each run's names under the version under which the run came onto the path,
 * so that a name and its block belong together.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> a load a block, nothing allocated.
 */
final class NameCopy {
    private static final long NO_DOMAIN = -1;
    private static final long NO_COLUMN = -1;
    private static final int ATTEMPTS = 100;

    private final PageView view;
    private final Geometry geometry;
    private boolean own;

    NameCopy(PageView view) {
        this.view = view;
        geometry = view.geometry();
    }

    /** Leading blocks of the path that the slot's domain has a name for; their names are in {@code out}. */
    int copy(PathCopy path, int slot, long[] out) {
        long domain = domain(slot);
        int from = 0;
        for (int i = 0; i < path.length() && domain != NO_DOMAIN; i++) {
            int end = path.end(i);
            int named = run(path, i, domain, from, end, out);
            if (!path.stands(i)) {
                return from;
            }
            if (named < end) {
                return named;
            }
            from = end;
        }
        return from;
    }

    private int run(PathCopy path, int i, long domain, int from, int end, long[] out) {
        long column = column(path.header(i), domain);
        // The words that the column was found by are used as bounds from here on.
        if (column == NO_COLUMN || !path.stands(i)) {
            return from;
        }
        for (int at = from; at < end; at++) {
            int place = at - from;
            long name = view.longAt(
                    own ? BlockCell.at(column, place) + BlockCell.NAME : column + (long) place * Long.BYTES);
            if (name == 0) {
                return at;
            }
            out[at] = name == BlockCell.ZERO_NAME ? 0 : name;
        }
        return end;
    }

    /** Offset of the domain's names of a run; {@link #own} tells how they lie. */
    private long column(long run, long domain) {
        own = view.longAt(run + RunLayout.DOMAIN) == domain;
        if (own) {
            return granule(RunShape.granule(view.longAt(run + RunLayout.EXTENT)));
        }
        long shape = view.longAt(run + RunLayout.SHAPE);
        int sets = Math.min(RunShape.sets(shape), RunShape.setRoom(shape) / SetKey.WORDS);
        long base =
                geometry.side + RunShape.setUnit(view.longAt(run + RunLayout.SIDE)) * (long) Geometry.SIDE_UNIT_BYTES;
        for (int i = 0; i < sets; i++) {
            long set = base + (long) i * SetKey.WORDS * Long.BYTES;
            if (view.longAt(set) == SetKey.column(domain)) {
                return granule(view.longAt(set + Long.BYTES) & 0xFFFF_FFFFL);
            }
        }
        return NO_COLUMN;
    }

    private long granule(long granule) {
        return geometry.columns + granule * Geometry.GRANULE_BYTES;
    }

    private long domain(int slot) {
        if (slot < 0 || slot >= view.longAt(HeaderLayout.SLOT_LIMIT)) {
            return NO_DOMAIN;
        }
        long record = geometry.slots + (long) slot * SlotLayout.BYTES;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long version = Versions.read(view, HeaderLayout.HOLDERS_VERSION);
            long open = view.longAt(record + SlotLayout.OPEN);
            long holder = view.longAt(record + SlotLayout.HOLDER);
            if (!Versions.changing(version) && Versions.stood(view, HeaderLayout.HOLDERS_VERSION, version)) {
                if (open != 1 || holder < 0 || holder >= geometry.holderCount) {
                    return NO_DOMAIN;
                }
                long domain = view.longAt(geometry.holders + holder * HolderLayout.BYTES + HolderLayout.DOMAIN);
                if (Versions.stood(view, HeaderLayout.HOLDERS_VERSION, version)) {
                    return domain;
                }
            }
            Thread.onSpinWait();
        }
        return NO_DOMAIN;
    }
}
