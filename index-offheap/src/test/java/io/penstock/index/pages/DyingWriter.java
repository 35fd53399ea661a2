package io.penstock.index.pages;

/** Lets tests kill the writer at any of its accesses to the file, inside one process. */
public final class DyingWriter {
    private DyingWriter() {}

    /** The access after so many more throws an {@link IllegalStateException}. */
    public static void dieAfter(long accesses) {
        MappedPages.dieAfter(accesses);
    }

    /** No death is planned any more. */
    public static void live() {
        MappedPages.dieAfter(Long.MAX_VALUE);
    }
}
