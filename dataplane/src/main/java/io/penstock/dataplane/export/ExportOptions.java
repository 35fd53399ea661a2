package io.penstock.dataplane.export;

/**
 * Which requests are taken.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param blockSize tokens of a block; 0: for formats that hold one size, the one that most requests have
 * @param estimated also requests whose hashes are of text, not of tokens; their lengths are estimates
 * @param agentsOnly without the requests that name no session
 */
public record ExportOptions(int blockSize, boolean estimated, boolean agentsOnly) {
    /** All requests that a format can hold. */
    public static final ExportOptions ALL = new ExportOptions(0, false, false);

    /** Refuses a block size below 0. */
    public ExportOptions {
        if (blockSize < 0) {
            throw new IllegalArgumentException("a block has at least one token: block-size=" + blockSize);
        }
    }
}
