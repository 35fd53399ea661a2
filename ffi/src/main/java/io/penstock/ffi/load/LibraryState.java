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
    /** A file was found that cannot be used: it does not load, is another library, or a stub. */
    UNUSABLE
}
