package io.penstock.index.pages;

import java.util.function.LongConsumer;
import org.agrona.UnsafeApi;

/** Lets tests kill the writer at any of its accesses to the file, or look at the file after any of its stores. */
public final class DyingWriter {
    private DyingWriter() {}

    /** The access after so many more throws an {@link IllegalStateException}. */
    public static void dieAfter(long accesses) {
        MappedPages.dieAfter(accesses);
    }

    /** No death is planned any more, nobody looks. */
    public static void live() {
        MappedPages.dieAfter(Long.MAX_VALUE);
        MappedPages.observe(null);
    }

    /**
     * Does {@code change} and calls {@code look} whenever a store has changed a word of a mapped file, before the next
     * access to it. Looking opens other files unobserved.
     */
    public static void observed(Runnable change, Runnable look) {
        Observer observer = new Observer(look);
        MappedPages.observe(observer);
        try {
            change.run();
        } finally {
            MappedPages.observe(null);
        }
    }

    /** A store is an access after which the word differs. */
    private static final class Observer implements LongConsumer {
        private final Runnable look;
        private long word;
        private long before;

        Observer(Runnable look) {
            this.look = look;
        }

        @Override
        public void accept(long address) {
            if (word != 0 && UnsafeApi.getLong(word) != before) {
                MappedPages.observe(null);
                look.run();
                MappedPages.observe(this);
            }
            word = address & -Long.BYTES;
            before = UnsafeApi.getLong(word);
        }
    }
}
