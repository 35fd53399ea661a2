package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.SlotLayout;
import java.util.zip.CRC32C;

/**
 * Holds a file against everything that its format promises: page sums of a clean one, slots and holders, every run, and in
 * a clean one also what is derived from them.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> reads everything; 20 bytes a block.
 */
final class FileCheck {
    private final FileWords words;
    private final RunReader reader;
    private final Geometry in;
    private final Damage damage = new Damage();

    FileCheck(FileWords words, RunReader reader) {
        this.words = words;
        this.reader = reader;
        in = words.in();
    }

    VerifyAnswer check() {
        words.takeStepBack();
        long before = fingerprint();
        long state = words.at(HeaderLayout.STATE);
        boolean clean = state == HeaderLayout.CLEAN;
        damage.unless(clean || state == HeaderLayout.DIRTY, "state is neither clean nor dirty: " + state);
        long high = words.at(HeaderLayout.RUN_HIGH);
        damage.unless(high >= 0 && high <= in.runCount, "run headers ever used: " + high);
        directory();
        RunCheck runs = new RunCheck(words, reader, damage);
        runs.all(Math.clamp(high, 0, in.runCount));
        if (clean) {
            pageSums();
            new DerivedCheck(words, reader, damage).check(runs);
        }
        boolean changed = !words.stepStands() || before != fingerprint();
        return new VerifyAnswer(
                damage.count() == 0 && !changed,
                changed,
                clean,
                runs.count(),
                runs.blocks(),
                damage.count(),
                damage.lines());
    }

    /** Changes with every step: versions, positions, opener. */
    private long fingerprint() {
        FileWords.fence();
        long sum = 0;
        for (int field = HeaderLayout.STATE; field <= HeaderLayout.HOLDERS_VERSION; field += Long.BYTES) {
            sum = 31 * sum + words.at(field);
        }
        for (int slot = 0; slot < slotLimit(); slot++) {
            sum = 31 * sum + words.at(in.slots + (long) slot * SlotLayout.BYTES + SlotLayout.SUM);
        }
        int high = Math.clamp(words.at(HeaderLayout.RUN_HIGH), 0, in.runCount);
        for (int id = 0; id < high; id++) {
            sum = 31 * sum + words.at(in.runs + (long) id * RunLayout.BYTES + RunLayout.VERSION);
        }
        return sum;
    }

    private int slotLimit() {
        return (int) Math.clamp(words.at(HeaderLayout.SLOT_LIMIT), 0, (in.holders - in.slots) / SlotLayout.BYTES);
    }

    private void directory() {
        int live = 0;
        for (int holder = 0; holder < in.holderCount; holder++) {
            long[] record = record(in.holders + (long) holder * HolderLayout.BYTES, HolderLayout.BYTES);
            long state = record[HolderLayout.STATE >>> 3];
            damage.same(record[HolderLayout.SUM >>> 3], SlotCopies.sum(record, 3), "holder " + holder + ": sum");
            damage.unless(state >= 0 && state <= HolderLayout.DYING, "holder " + holder + ": state " + state);
            live += state == HolderLayout.LIVE ? 1 : 0;
        }
        for (int slot = 0; slot < slotLimit(); slot++) {
            long[] record = record(in.slots + (long) slot * SlotLayout.BYTES, SlotLayout.BYTES);
            int sumAt = SlotLayout.SUM >>> 3;
            damage.same(record[sumAt], SlotCopies.sum(record, sumAt), "slot " + slot + ": sum");
            if (record[SlotLayout.OPEN >>> 3] == 1) {
                live--;
                holder(slot, record[SlotLayout.HOLDER >>> 3]);
            }
        }
        damage.same(live, 0, "live holders without a slot");
    }

    private void holder(int slot, long holder) {
        if (holder < 0 || holder >= in.holderCount) {
            damage.found("slot " + slot + ": holder out of range: " + holder);
            return;
        }
        long[] record = record(in.holders + holder * HolderLayout.BYTES, HolderLayout.BYTES);
        damage.unless(
                record[HolderLayout.STATE >>> 3] == HolderLayout.LIVE && record[HolderLayout.SLOT >>> 3] == slot,
                "slot " + slot + ": holder is not its own: " + holder);
    }

    private long[] record(long offset, int bytes) {
        long[] record = new long[bytes / Long.BYTES];
        for (int i = 0; i < record.length; i++) {
            record[i] = words.at(offset + (long) i * Long.BYTES);
        }
        return record;
    }

    private void pageSums() {
        CRC32C content = new CRC32C();
        content.update(words.file().bytesAt(HeaderLayout.ROOTS, HeaderLayout.ROOTS_END - HeaderLayout.ROOTS));
        for (int page = 0; page < in.pageCount; page++) {
            long sumAt = in.pageSums + (long) page * Long.BYTES;
            content.update(words.file().bytesAt(sumAt, Long.BYTES));
            long begin = Math.max((long) page * in.pageBytes, in.undo);
            int bytes = (int) ((page + 1L) * in.pageBytes - begin);
            CRC32C sum = new CRC32C();
            if (bytes > 0) {
                sum.update(words.file().bytesAt(begin, bytes));
            }
            damage.same(words.at(sumAt), bytes > 0 ? sum.getValue() : 0, "page " + page + ": CRC32C");
        }
        damage.same(words.at(HeaderLayout.CONTENT_SUM), content.getValue(), "roots and page sums: CRC32C");
    }
}
