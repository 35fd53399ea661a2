package io.penstock.dataplane.cli;

/**
 * A subcommand that another module brings along when it is on the class path (found by {@link java.util.ServiceLoader}):
 * the benchmarks are not part of a deployed router.
 *
 * <p><b>Threading:</b> used once, by the main thread.
 */
public interface CommandProvider {
    /** An object annotated as a picocli command. */
    Object command();
}
