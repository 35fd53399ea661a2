package io.penstock.index.read;

import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.SlotLayout;
import java.nio.charset.StandardCharsets;

/**
 * Reads slots beside the writer: name, rank and generation under {@link HeaderLayout#HOLDERS_VERSION}, the position under
 * the slot's own version, which changes with every batch.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> allocates the answer.
 */
final class SlotReader {
    private static final int ATTEMPTS = 100;

    private final PageView view;
    private final int maxSlots;
    private final byte[] name = new byte[SlotLayout.MAX_NAME_BYTES + 1];

    SlotReader(PageView view) {
        this.view = view;
        maxSlots = view.intAt(HeaderLayout.MAX_SLOTS);
    }

    /** Highest slot ever given plus one. */
    int limit() {
        return Math.clamp(view.longAt(HeaderLayout.SLOT_LIMIT), 0, maxSlots);
    }

    /** Null where the slot is nobody's, or did not hold still for so many attempts. */
    SlotState read(int slot) {
        for (int attempt = 0; attempt < ATTEMPTS && slot >= 0 && slot < limit(); attempt++) {
            long record = view.geometry().slots + (long) slot * SlotLayout.BYTES;
            long holders = Versions.read(view, HeaderLayout.HOLDERS_VERSION);
            long position = Versions.read(view, record + SlotLayout.VERSION);
            if (!Versions.changing(holders | position)) {
                boolean open = view.longAt(record + SlotLayout.OPEN) == 1;
                SlotState state = open ? state(slot, record) : null;
                if (Versions.stood(view, record + SlotLayout.VERSION, position)
                        && Versions.stood(view, HeaderLayout.HOLDERS_VERSION, holders)) {
                    return state;
                }
            }
            Thread.onSpinWait();
        }
        return null;
    }

    private SlotState state(int slot, long record) {
        view.copy(record + SlotLayout.NAME, name, name.length);
        int bytes = Math.clamp(view.longAt(record + SlotLayout.NAME_BYTES), 0, SlotLayout.MAX_NAME_BYTES);
        return new SlotState(
                slot,
                new String(name, 0, bytes, StandardCharsets.UTF_8),
                (int) view.longAt(record + SlotLayout.DP_RANK),
                (int) view.longAt(record + SlotLayout.GENERATION),
                view.longAt(record + SlotLayout.SEQUENCE),
                view.longAt(record + SlotLayout.TIMESTAMP),
                view.longAt(record + SlotLayout.BATCH_HASH),
                view.longAt(record + SlotLayout.BATCH_OPEN) == 1);
    }
}
