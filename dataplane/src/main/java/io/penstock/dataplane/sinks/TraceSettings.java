package io.penstock.dataplane.sinks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What Dynamo's environment variables for request traces ask for, with Dynamo 1.6.1's defaults and older names.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param rows what is told; empty: tracing is off
 * @param sinks where it goes; empty while tracing is off
 * @param file path or prefix of the file sink
 * @param fileFormat how the file sink writes
 * @param capacity records that may wait for a sink; then the oldest goes
 * @param bufferBytes bytes that the file sink gathers before it writes
 * @param flushIntervalMs longest time that they wait
 * @param rollBytes bytes, unpacked, after which a packed file is followed by the next
 * @param rollLines lines after which it is, 0 for no such bound
 * @param otel the log collector
 * @param capturedHeaders request headers that payload rows show, lower case
 * @param toolEndpoint where tool events are taken, or null
 * @param toolTopic the topic that they must name
 * @param warnings what was not understood or is not built, one line each
 */
public record TraceSettings(
        Set<Rows> rows,
        Set<Sink> sinks,
        Path file,
        FileFormat fileFormat,
        int capacity,
        int bufferBytes,
        long flushIntervalMs,
        long rollBytes,
        long rollLines,
        OtelSettings otel,
        Set<String> capturedHeaders,
        String toolEndpoint,
        String toolTopic,
        List<String> warnings) {
    private static final String PREFIX = "DYN_REQUEST_TRACE_";
    private static final String OLD = "DYN_AUDIT_";
    private static final String DEFAULT_FILE = "/tmp/dynamo-request-trace";
    private static final String DEFAULT_TOPIC = "agent-tool-events";

    /** Kinds of rows that can be asked for. */
    public enum Rows {
        /** How requests ended. */
        REQUEST_END,
        /** What was asked and answered: content. */
        REQUEST_PAYLOAD,
        /** What tools did. */
        TOOL
    }

    /** Where rows go. */
    public enum Sink {
        /** A file, or a row of packed ones. */
        FILE,
        /** Standard error. */
        STDERR,
        /** A log collector. */
        OTEL;

        /** Name in the environment and in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How the file sink writes. */
    public enum FileFormat {
        /** Lines, in one file that is appended to. */
        JSONL,
        /** Lines, packed, in numbered files. */
        JSONL_GZ
    }

    /** Reads the environment. */
    public static TraceSettings of(Map<String, String> environment) {
        List<String> warnings = new ArrayList<>();
        EnvVariables env = new EnvVariables(environment, warnings);
        Set<Rows> rows = rows(env, warnings);
        String sinkList = env.text(PREFIX + "SINKS", OLD + "SINKS");
        Set<String> asked = asked(sinkList, warnings);
        Set<Sink> sinks = EnumSet.noneOf(Sink.class);
        if (!rows.isEmpty()) {
            sinks = sinks(asked);
            unbuilt(env, asked, warnings);
        }
        String toolEndpoint = env.text(PREFIX + "TOOL_EVENTS_ZMQ_ENDPOINT");
        String toolTopic = env.text(PREFIX + "TOOL_EVENTS_ZMQ_TOPIC");
        String file = env.text(PREFIX + "FILE_PATH", PREFIX + "OUTPUT_PATH", OLD + "OUTPUT_PATH");
        return new TraceSettings(
                rows,
                sinks,
                Path.of(file == null ? DEFAULT_FILE : file),
                format(env, asked, warnings),
                (int) env.number(1024, n -> n > 0 && n <= Integer.MAX_VALUE, PREFIX + "CAPACITY", OLD + "CAPACITY"),
                (int) env.number(
                        1 << 20,
                        n -> n <= Integer.MAX_VALUE,
                        PREFIX + "FILE_BUFFER_BYTES",
                        PREFIX + "JSONL_BUFFER_BYTES",
                        OLD + "JSONL_BUFFER_BYTES"),
                Math.max(
                        1,
                        env.number(
                                1000,
                                n -> true,
                                PREFIX + "FILE_FLUSH_INTERVAL_MS",
                                PREFIX + "JSONL_FLUSH_INTERVAL_MS",
                                OLD + "JSONL_FLUSH_INTERVAL_MS")),
                env.number(
                        256L << 20,
                        n -> n > 0,
                        PREFIX + "FILE_ROLL_BYTES",
                        PREFIX + "JSONL_GZ_ROLL_BYTES",
                        OLD + "JSONL_GZ_ROLL_BYTES"),
                env.number(
                        0,
                        n -> n > 0,
                        PREFIX + "FILE_ROLL_LINES",
                        PREFIX + "JSONL_GZ_ROLL_LINES",
                        OLD + "JSONL_GZ_ROLL_LINES"),
                OtelSettings.of(env, sinks.contains(Sink.OTEL) ? warnings : new ArrayList<>()),
                headers(env.text(PREFIX + "HTTP_HEADER_CAPTURE_LIST")),
                toolEndpoint,
                toolTopic == null ? DEFAULT_TOPIC : toolTopic,
                List.copyOf(warnings));
    }

    /** Whether content was asked for. */
    public boolean wantsPayload() {
        return rows.contains(Rows.REQUEST_PAYLOAD);
    }

    /** Whether rows of such an event are told. */
    boolean tells(DynamoEvent event) {
        return rows.contains(
                switch (event) {
                    case REQUEST_END -> Rows.REQUEST_END;
                    case REQUEST_PAYLOAD -> Rows.REQUEST_PAYLOAD;
                    case TOOL_START, TOOL_END, TOOL_ERROR -> Rows.TOOL;
                });
    }

    private static Set<Rows> rows(EnvVariables env, List<String> warnings) {
        Set<Rows> rows = EnumSet.noneOf(Rows.class);
        String list = env.text(PREFIX + "RECORDS");
        if (list != null) {
            for (String word : EnvVariables.words(list)) {
                switch (word) {
                    case "request_end" -> rows.add(Rows.REQUEST_END);
                    case "request_payload" -> rows.add(Rows.REQUEST_PAYLOAD);
                    case "tool", "tools", "tool_start", "tool_end", "tool_error" -> rows.add(Rows.TOOL);
                    default -> warnings.add("no such records, ignored: " + PREFIX + "RECORDS=" + word);
                }
            }
        } else if (env.truthy("DYN_REQUEST_TRACE")) {
            rows.add(Rows.REQUEST_END);
            rows.add(Rows.TOOL);
        }
        if (env.truthy(OLD + "FORCE_LOGGING")) {
            rows.add(Rows.REQUEST_PAYLOAD);
        }
        return rows;
    }

    /** Names of sinks as they were asked for, known ones only. */
    private static Set<String> asked(String list, List<String> warnings) {
        Set<String> asked = new LinkedHashSet<>();
        if (list == null) {
            asked.add("file");
            return asked;
        }
        List<String> words = EnvVariables.words(list);
        if (words.isEmpty()) {
            asked.add("stderr");
        }
        for (String word : words) {
            switch (word) {
                case "file", "stderr", "nats", "otel", "s3", "jsonl", "jsonl_gz" -> asked.add(word);
                default -> warnings.add("no such sink, ignored: " + PREFIX + "SINKS=" + word);
            }
        }
        return asked;
    }

    private static Set<Sink> sinks(Set<String> asked) {
        Set<Sink> sinks = EnumSet.noneOf(Sink.class);
        for (String name : asked) {
            switch (name) {
                case "file", "jsonl", "jsonl_gz" -> sinks.add(Sink.FILE);
                case "stderr" -> sinks.add(Sink.STDERR);
                case "otel" -> sinks.add(Sink.OTEL);
                default -> {
                    // The two that are not built are told of by unbuilt.
                }
            }
        }
        return sinks;
    }

    private static void unbuilt(EnvVariables env, Set<String> asked, List<String> warnings) {
        if (asked.contains("nats")) {
            boolean old = env.text(PREFIX + "SINKS") == null;
            String subject = env.text(PREFIX + "NATS_SUBJECT", OLD + "NATS_SUBJECT");
            warnings.add("there is no such sink here, nothing goes to it: sink=nats subject="
                    + (subject != null ? subject : old ? "dynamo.audit.v1" : "dynamo.request_trace.v1"));
        }
        if (asked.contains("s3")) {
            warnings.add("there is no such sink here, nothing goes to it: sink=s3 bucket="
                    + env.text(PREFIX + "S3_BUCKET") + " region=" + env.text(PREFIX + "S3_REGION") + " prefix="
                    + env.text(PREFIX + "S3_PREFIX") + " rollBytes="
                    + env.number(64 << 20, n -> true, PREFIX + "S3_ROLL_UNCOMPRESSED_BYTES") + " flushIntervalMs="
                    + env.number(10_000, n -> true, PREFIX + "S3_FLUSH_INTERVAL_MS"));
        }
    }

    private static FileFormat format(EnvVariables env, Set<String> asked, List<String> warnings) {
        String format = env.text(PREFIX + "FILE_FORMAT");
        if (format == null) {
            return asked.contains("jsonl") && !asked.contains("jsonl_gz") ? FileFormat.JSONL : FileFormat.JSONL_GZ;
        }
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "jsonl" -> FileFormat.JSONL;
            case "jsonl_gz", "jsonl.gz" -> FileFormat.JSONL_GZ;
            default -> {
                warnings.add("no such format, jsonl_gz is taken: " + PREFIX + "FILE_FORMAT=" + format);
                yield FileFormat.JSONL_GZ;
            }
        };
    }

    private static Set<String> headers(String list) {
        Set<String> names = new LinkedHashSet<>();
        if (list != null) {
            for (String name : list.split("[,\\s]+")) {
                if (!name.isEmpty()) {
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            }
        }
        return Set.copyOf(names);
    }
}
