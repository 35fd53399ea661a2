package io.penstock.ffi.load;

/**
 * How the search for a library ended.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum LibraryState {
    /** Open and recognised. */
    FOUND,
    /** Nowhere found. */
    ABSENT,
    /**
     * What was found or named cannot be used: a file that does not load, is another library, or a stub; an interpreter that
     * gives no answer.
     */
    UNUSABLE
}
