package io.penstock.dataplane.tail;

import java.io.PrintWriter;

/**
 * Where lines go: on a terminal the rates stand below them and are redrawn in place; elsewhere they are lines between the
 * others.
 *
 * <p><b>Threading:</b> one thread.
 */
final class TailScreen {
    private static final String ERASE_LINE = "\r\033[2K";
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";

    private final PrintWriter out;
    private final PrintWriter notes;
    private final boolean terminal;
    private boolean drawn;
    private boolean pending;

    /**
     * @param out lines
     * @param notes what is not a record: {@code out} itself, or standard error where lines are read by programs
     */
    TailScreen(PrintWriter out, PrintWriter notes, boolean terminal) {
        this.out = out;
        this.notes = notes;
        this.terminal = terminal;
    }

    boolean isTerminal() {
        return terminal;
    }

    void line(String text) {
        erase();
        out.println(text);
        pending = true;
    }

    void note(String text) {
        erase();
        notes.println(text);
        pending = true;
    }

    /** Shows the rates. */
    void rates(String text) {
        if (terminal) {
            erase();
            notes.print(BOLD + text + PLAIN);
            drawn = true;
        } else {
            notes.println("# " + text);
        }
        pending = true;
    }

    private void erase() {
        if (drawn) {
            notes.print(ERASE_LINE);
            drawn = false;
        }
    }

    /** Takes the rates away. */
    void finish() {
        erase();
        pending = true;
        flush();
    }

    /** @return false when nobody reads any more */
    boolean flush() {
        if (!pending) {
            return true;
        }
        pending = false;
        boolean failed = out.checkError();
        notes.flush();
        return !failed;
    }
}
