package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Lines for people: when, which session (subagents indented), model, worker, prompt, share of it in cache, output, first
 * token, whole, and how it ended. A hit rate with {@code ~} is the router's expectation, where the engine tells none.
 *
 * <p><b>Threading:</b> immutable.
 */
final class TailText implements LineFormat {
    private static final String COLUMNS = "%-12s  %-16s  %-20s  %-14s %9s %5s %7s %8s %8s  ";
    private static final int SESSION_WIDTH = 16;
    private static final int MODEL_WIDTH = 20;
    private static final int WORKER_WIDTH = 14;
    private static final int ERROR_STATUS = 400;
    private static final String RED = "\033[31m";
    private static final String YELLOW = "\033[33m";
    private static final String FAINT = "\033[2m";
    private static final String PLAIN = "\033[0m";

    private final DateTimeFormatter time;
    private final boolean colour;

    TailText(ZoneId zone, boolean colour) {
        time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(zone);
        this.colour = colour;
    }

    /** Names of the columns. */
    static String titles() {
        return columns("TIME", "SESSION", "MODEL", "WORKER", "IN", "HIT", "OUT", "TTFT", "TOTAL") + "END";
    }

    @Override
    public String line(TraceRecord record, int depth) {
        String text = switch (record.kind) {
            case REQUEST_END -> request(record, depth);
            case TOOL_START, TOOL_END, TOOL_ERROR -> tool(record, depth);
            case ADMISSION, HINT -> action(record, depth);
        };
        String tint = colour ? tint(record) : "";
        return tint.isEmpty() ? text : tint + text + PLAIN;
    }

    private String request(TraceRecord record, int depth) {
        return columns(
                        time.format(Instant.ofEpochMilli(record.epochMs)),
                        session(record, depth),
                        cut(Objects.requireNonNullElse(record.model, "-"), MODEL_WIDTH),
                        cut(worker(record), WORKER_WIDTH),
                        count(record.inputTokens),
                        hitRate(record),
                        count(record.outputTokens),
                        duration(record.firstTokenMs),
                        duration(record.totalMs))
                + end(record);
    }

    private String tool(TraceRecord record, int depth) {
        StringBuilder end = new StringBuilder(record.toolStatus != null ? record.toolStatus : fallback(record));
        if (record.toolErrorType != null) {
            end.append(": ").append(record.toolErrorType);
        }
        return columns(
                        time.format(Instant.ofEpochMilli(record.epochMs)),
                        session(record, depth),
                        cut("tool " + Objects.requireNonNullElse(record.toolClass, "-"), MODEL_WIDTH),
                        "",
                        "",
                        "",
                        record.toolOutputTokens < 0 ? "" : count(record.toolOutputTokens),
                        "",
                        Double.isNaN(record.toolMs) ? "" : duration(record.toolMs))
                + end;
    }

    private static String fallback(TraceRecord record) {
        return switch (record.kind) {
            case TOOL_START -> "running";
            case TOOL_ERROR -> "error";
            default -> "succeeded";
        };
    }

    private String action(TraceRecord record, int depth) {
        String kind = record.kind.name().toLowerCase(Locale.ROOT);
        return columns(
                        time.format(Instant.ofEpochMilli(record.epochMs)),
                        session(record, depth),
                        kind,
                        cut(worker(record), WORKER_WIDTH),
                        "",
                        "",
                        "",
                        "",
                        "")
                + Objects.requireNonNullElse(record.action, "-")
                + (record.amount < 0 ? "" : " " + count(record.amount));
    }

    private static String columns(Object... cells) {
        return String.format(Locale.ROOT, COLUMNS, cells);
    }

    private static String session(TraceRecord record, int depth) {
        String indent = depth == 0 ? "" : " ".repeat(Math.min(depth, 3) - 1) + "└";
        return indent + cut(Objects.requireNonNullElse(record.agent.session(), "-"), SESSION_WIDTH - indent.length());
    }

    private static String worker(TraceRecord record) {
        return record.worker == null ? "-" : record.rank > 0 ? record.worker + "/" + record.rank : record.worker;
    }

    private static String hitRate(TraceRecord record) {
        double rate = HitRate.of(record);
        if (Double.isNaN(rate)) {
            return "-";
        }
        return (record.cachedTokens < 0 ? "~" : "") + Math.round(100 * rate) + "%";
    }

    private static String end(TraceRecord record) {
        StringBuilder text = new StringBuilder();
        if (record.outcome != null && record.outcome != Outcome.COMPLETED) {
            text.append(record.outcome.name().toLowerCase(Locale.ROOT)).append(' ');
        }
        if (record.status >= ERROR_STATUS) {
            text.append(record.status).append(' ');
        }
        if (record.finishReason != null) {
            text.append(record.finishReason);
        }
        List<TraceRecord.ToolCall> calls = record.toolCalls;
        if (!calls.isEmpty()) {
            text.append(calls.stream()
                    .map(call -> Objects.requireNonNullElse(call.name(), "?"))
                    .collect(Collectors.joining(", ", ": ", "")));
        }
        return text.isEmpty() ? "-" : text.toString().strip();
    }

    private static String tint(TraceRecord record) {
        if (record.kind == TraceRecord.Kind.TOOL_ERROR
                || record.status >= ERROR_STATUS
                || record.outcome == Outcome.BROKEN
                || record.outcome == Outcome.REFUSED) {
            return RED;
        }
        return record.outcome == Outcome.CANCELLED ? YELLOW : record.kind == TraceRecord.Kind.REQUEST_END ? "" : FAINT;
    }

    /** {@code 84 ms}, {@code 1.90 s}, {@code 2:03 m}, or {@code -} for what is not known. */
    static String duration(double ms) {
        if (Double.isNaN(ms)) {
            return "-";
        }
        long seconds = Math.round(ms / 1_000);
        return ms < 999.5
                ? String.format(Locale.ROOT, "%.0f ms", ms)
                : ms < 59_995
                        ? String.format(Locale.ROOT, "%.2f s", ms / 1_000)
                        : String.format(Locale.ROOT, "%d:%02d m", seconds / 60, seconds % 60);
    }

    private static String count(long number) {
        return number < 0 ? "-" : String.format(Locale.ROOT, "%,d", number);
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }
}
