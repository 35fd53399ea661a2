package io.penstock.dataplane.hashing;

/**
 * Keys of a prompt's pages in a shared pool: a chain over the tokens, computed as the engines compute it. A key holds for
 * the page and all that is before it.
 *
 * <p><b>Threading:</b> immutable.
 */
public interface PageHasher {
    /** Words of a key: 32 bytes in big-endian words; shorter keys have zeros behind. */
    int KEY_WORDS = 4;

    /** Tokens of a page. */
    int pageSize();

    /** Full pages of a prompt. */
    int pages(int tokens);

    /**
     * Keys of pages {@code fromPage} to the last full one.
     *
     * @param out {@link #KEY_WORDS} words a page; the key before {@code fromPage} must be in it already
     * @return number of full pages
     */
    int chain(int[] tokens, int tokenCount, int fromPage, long[] out);

    /**
     * The hasher of requests that are kept apart by a salt.
     *
     * @param salt null or empty for none
     */
    PageHasher salted(String salt);
}
