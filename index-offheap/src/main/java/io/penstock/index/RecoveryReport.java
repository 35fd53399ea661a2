package io.penstock.index;

/**
 * What was found when the index file was opened.
 *
 * @param outcome what became of the content
 * @param detail one line for the operator
 * @param undoneStores stores of the operation in flight that were taken back
 * @param tornSlots slots cleared because the writer ended between the events of a batch and its end
 * @param openNs time from the call to a usable index, nanoseconds
 *
 * <p><b>Threading:</b> immutable.
 */
public record RecoveryReport(Outcome outcome, String detail, int undoneStores, int tornSlots, long openNs) {
    /** What became of the content. */
    public enum Outcome {
        /** There was no file: a new one was made. */
        CREATED,
        /** Closed in order last time: all content is there. */
        CLEAN,
        /** The writer was killed: the step in flight was taken back, all earlier ones are there. */
        REPAIRED,
        /** The file was not believed: its content is the checkpoint image's, with the image's event positions. */
        RESTORED_IMAGE,
        /** Left dirty under another boot of the machine: not believed, started empty. */
        EMPTY_OTHER_BOOT,
        /** Checksums or structure do not hold: not believed, started empty. */
        EMPTY_DAMAGED
    }
}
