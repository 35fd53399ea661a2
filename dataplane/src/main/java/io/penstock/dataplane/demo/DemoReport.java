package io.penstock.dataplane.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The policies side by side, as a table and as JSON.
 *
 * <p><b>Threading:</b> stateless.
 */
final class DemoReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private DemoReport() {}

    /** One object: per policy what was measured, with the return of its router where one was killed. */
    static String json(Map<String, Snapshot> results, Map<String, RouterRestart> restarts) {
        ObjectNode all = JSON.createObjectNode();
        results.forEach((policy, result) -> {
            ObjectNode one = all.putObject(policy);
            one.put("requests", result.requests())
                    .put("failed", result.failed())
                    .put("hitRate", rounded(result.hitRate(), 4))
                    .put("ttftP50Ms", rounded(result.ttftP50Ms(), 1))
                    .put("ttftP99Ms", rounded(result.ttftP99Ms(), 1))
                    .put("tokensPerSecond", rounded(result.tokensPerSecond(), 1))
                    .put("promptTokensPerSecond", rounded(result.promptTokensPerSecond(), 1))
                    .put("interrupted", result.interrupted())
                    .put("cut", result.cut())
                    .put("retries", result.retries())
                    .put("withoutUsage", result.withoutUsage())
                    .put("seconds", rounded(result.seconds(), 1));
            RouterRestart restart = restarts.get(policy);
            if (restart != null) {
                one.put("routerFirstAnswerMs", restart.firstAnswerMs())
                        .put("routerReadyMs", restart.readyMs())
                        .put("indexWarmMs", restart.warmMs())
                        .put("blocksBeforeKill", restart.blocksBefore())
                        .put("blocksWhenWarm", restart.blocksAfter());
            }
        });
        try {
            return JSON.writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("report cannot be written", e);
        }
    }

    private static double rounded(double value, int digits) {
        double factor = Math.pow(10, digits);
        return Math.round(value * factor) / factor;
    }

    /** The table, a column a policy. */
    static List<String> table(Map<String, Snapshot> results) {
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder(cell(""));
        results.keySet().forEach(policy -> head.append(column(policy)));
        lines.add(head.toString());
        lines.add(row(results, "requests", r -> format("%,d", r.requests())));
        lines.add(row(results, "failed", r -> format("%,d", r.failed())));
        lines.add(row(results, "hit rate", r -> format("%.1f %%", 100 * r.hitRate())));
        lines.add(row(results, "TTFT p50", r -> format("%,.0f ms", r.ttftP50Ms())));
        lines.add(row(results, "TTFT p99", r -> format("%,.0f ms", r.ttftP99Ms())));
        lines.add(row(results, "output tokens/s", r -> format("%,.0f", r.tokensPerSecond())));
        lines.add(row(results, "prompt tokens/s", r -> format("%,.0f", r.promptTokensPerSecond())));
        lines.add(row(results, "retries", r -> format("%,d", r.retries())));
        lines.add(row(results, "broken off, resent", r -> format("%,d", r.interrupted())));
        lines.add(row(results, "open at the end", r -> format("%,d", r.cut())));
        if (results.values().stream().anyMatch(r -> r.withoutUsage() > 0)) {
            lines.add(row(results, "answers without usage", r -> format("%,d", r.withoutUsage())));
        }
        lines.add(row(results, "seconds", r -> format("%.1f", r.seconds())));
        return lines;
    }

    private static String row(Map<String, Snapshot> results, String name, Function<Snapshot, String> value) {
        StringBuilder line = new StringBuilder(cell(name));
        results.values().forEach(result -> line.append(column(value.apply(result))));
        return line.toString();
    }

    private static String cell(String text) {
        return format("  %-22s", text);
    }

    private static String column(String text) {
        return format("%16s", text);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
