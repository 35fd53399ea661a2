package io.penstock.index;

/**
 * An index file cannot be opened; the message is one line and names the check that failed and the file.
 *
 * <p><b>Threading:</b> as any throwable.
 */
public final class IndexFileException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** With the one line for the operator. */
    public IndexFileException(String message) {
        super(message);
    }

    /** With the one line for the operator and what lay beneath. */
    public IndexFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
