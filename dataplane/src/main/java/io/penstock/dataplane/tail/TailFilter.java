package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.List;

/**
 * Which records are of interest. All that is asked must hold; of several values of one question, one.
 *
 * <p>A session may be given by its beginning and {@code *} (or {@code …}, as a line shows it); its subagents come with
 * it, and so does all that shares it as a group.
 *
 * <p><b>Threading:</b> immutable; the lineage is the caller's.
 *
 * @param sessions names, empty for all
 * @param workers names, empty for all
 * @param slowMs requests and tools that took at least so long; NaN for all
 * @param finish finish reasons, or {@code cancelled}, {@code broken}, {@code refused}; empty for all
 */
public record TailFilter(List<String> sessions, List<String> workers, double slowMs, List<String> finish) {
    /** Lets everything pass. */
    public static final TailFilter ALL = new TailFilter(List.of(), List.of(), Double.NaN, List.of());

    /** Keeps copies. */
    public TailFilter {
        sessions = List.copyOf(sessions);
        workers = List.copyOf(workers);
        finish = List.copyOf(finish);
        if (slowMs < 0) {
            throw new IllegalArgumentException("a time cannot be negative: slow=" + slowMs);
        }
    }

    boolean accepts(TraceRecord record, Lineage lineage) {
        return ofSession(record, lineage) && ofWorker(record) && isSlow(record) && endedSo(record);
    }

    private boolean ofSession(TraceRecord record, Lineage lineage) {
        return sessions.isEmpty()
                || lineage.within(record.agent.session(), this::isAsked)
                || record.agent.group() != null && isAsked(record.agent.group());
    }

    private boolean isAsked(String session) {
        return sessions.stream().anyMatch(asked -> means(asked, session));
    }

    /** Whether a session is the one asked for: by its name, or by the beginning of it and {@code *} or {@code …}. */
    public static boolean means(String asked, String session) {
        boolean beginning = asked.endsWith("*") || asked.endsWith("…");
        return beginning ? session.startsWith(asked.substring(0, asked.length() - 1)) : asked.equals(session);
    }

    private boolean ofWorker(TraceRecord record) {
        return workers.isEmpty() || record.worker != null && workers.contains(record.worker);
    }

    private boolean isSlow(TraceRecord record) {
        if (Double.isNaN(slowMs)) {
            return true;
        }
        double took = record.kind == TraceRecord.Kind.REQUEST_END ? record.totalMs : record.toolMs;
        return took >= slowMs;
    }

    private boolean endedSo(TraceRecord record) {
        return finish.isEmpty() || finish.stream().anyMatch(asked -> endedBy(record, asked));
    }

    private static boolean endedBy(TraceRecord record, String asked) {
        return asked.equalsIgnoreCase(record.finishReason)
                || record.choices.stream().anyMatch(choice -> asked.equalsIgnoreCase(choice.finishReason()))
                || record.outcome != null
                        && record.outcome != Outcome.COMPLETED
                        && asked.equalsIgnoreCase(record.outcome.name());
    }
}
