package io.penstock.dataplane.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.dataplane.journal.PayloadConfig;
import io.penstock.dataplane.journal.PayloadRedactor;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Keeps bodies for the traces where the operator asks for it, within bounds, and after the redactors have seen them.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class PayloadCapture {
    /** Why a body is not kept. */
    enum Drop {
        /** Larger than one may be. */
        TOO_LARGE,
        /** The bodies of all requests in flight are too large together. */
        BUDGET,
        /** A redactor wanted nothing of it kept. */
        REDACTED,
        /** A redactor failed. */
        REDACTOR_FAILED,
        /** Too much waits for the redactors. */
        QUEUE_FULL
    }

    private final PayloadConfig config;
    private final List<PayloadRedactor> redactors;
    private final Set<String> headers;
    private final BodyBudget budget;
    private final Consumer<Throwable> errors;
    private final Map<Drop, Counter> dropped = new EnumMap<>(Drop.class);

    /** A capture as configured, without headers. */
    public PayloadCapture(
            PayloadConfig config, List<PayloadRedactor> redactors, MeterRegistry registry, Consumer<Throwable> errors) {
        this(config, redactors, Set.of(), registry, errors);
    }

    /**
     * A capture as configured.
     *
     * @param redactors in the order in which they are applied
     * @param headers names, lower case, of request headers that are kept beside the bodies
     * @param errors hears of redactors that fail
     */
    public PayloadCapture(
            PayloadConfig config,
            List<PayloadRedactor> redactors,
            Set<String> headers,
            MeterRegistry registry,
            Consumer<Throwable> errors) {
        this.config = config;
        this.headers = Set.copyOf(headers);
        this.redactors = List.copyOf(redactors);
        this.errors = errors;
        budget = new BodyBudget(config.maxInFlightBytes());
        for (Drop why : Drop.values()) {
            dropped.put(
                    why,
                    Counter.builder("penstock.payloads.dropped")
                            .description("Bodies that traces were to keep and do not, by reason")
                            .tag("reason", why.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    /** Room for one request's bodies, or null where none are kept. */
    Payloads begin() {
        return config.keep() ? new Payloads(this) : null;
    }

    /** The headers that are kept of these, repeats joined. */
    Map<String, String> kept(HttpHeaders fields) {
        Map<String, String> kept = new TreeMap<>();
        for (String name : headers) {
            if (fields.contains(name)) {
                kept.put(name, String.join(", ", fields.getAll(name)));
            }
        }
        return kept;
    }

    int maxBytes() {
        return config.maxBytes();
    }

    BodyBudget budget() {
        return budget;
    }

    void dropped(Drop why) {
        dropped.get(why).increment();
    }

    /**
     * Whether a record has to wait for redactors, which then run on {@code executor} before {@code told} gets it.
     *
     * @return false if the record can be told now
     */
    boolean redacts(TraceRecord record, Executor executor, Consumer<TraceRecord> told) {
        if (redactors.isEmpty() || record.requestPayload == null && record.responsePayload == null) {
            return false;
        }
        try {
            executor.execute(() -> {
                record.requestPayload = redacted(PayloadRedactor.Part.REQUEST, record, record.requestPayload);
                record.responsePayload = redacted(PayloadRedactor.Part.RESPONSE, record, record.responsePayload);
                told.accept(record);
            });
            return true;
        } catch (RejectedExecutionException full) {
            record.requestPayload = null;
            record.responsePayload = null;
            dropped(Drop.QUEUE_FULL);
            return false;
        }
    }

    private byte[] redacted(PayloadRedactor.Part part, TraceRecord record, byte[] payload) {
        byte[] kept = payload;
        try {
            for (PayloadRedactor redactor : redactors) {
                if (kept != null) {
                    kept = redactor.redact(part, record, kept);
                }
            }
        } catch (RuntimeException | LinkageError failed) {
            errors.accept(failed);
            dropped(Drop.REDACTOR_FAILED);
            return null;
        }
        if (payload != null && kept == null) {
            dropped(Drop.REDACTED);
        }
        return kept;
    }
}
