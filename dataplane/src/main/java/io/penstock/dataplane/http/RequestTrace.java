package io.penstock.dataplane.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.BodyIdentity;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.bindings.openai.AnswerEnd;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.RequestScan;
import io.penstock.bindings.openai.StreamEvents;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.index.Tier;
import java.util.Map;

/**
 * Gathers what becomes the trace of one request. It is told what happens and gives the record out once, however the
 * request ends; what happens after changes nothing.
 *
 * <p><b>Threading:</b> thread-safe: preparation may still read the request while its client leaves, and the usage of a
 * long answer is looked up off the event loop.
 */
final class RequestTrace {
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_MODEL_CHARS = 512;

    private final HttpHeaders headers;
    private final Payloads payloads;
    private final FrontCounters counters;
    private final TraceRecord record = new TraceRecord();
    private final long startedNs = System.nanoTime();
    private boolean identified;
    private boolean refusedByEngines;
    private boolean over;

    /**
     * The trace of a request that has just come in.
     *
     * @param payloads where its bodies are kept, null where they are not
     */
    RequestTrace(ApiKind kind, HttpHeaders headers, String requestId, Payloads payloads, FrontCounters counters) {
        this.headers = headers;
        this.payloads = payloads;
        this.counters = counters;
        record.requestId = requestId;
        record.api = kind.path();
        record.receivedMs = System.currentTimeMillis();
        record.clientRequestId = headers.get("x-request-id");
    }

    /** The router's own name of the request. */
    String requestId() {
        return record.requestId;
    }

    /** The body has been read: who sends it, and for which model. */
    synchronized AgentContext read(RequestScan scan) {
        identify(scan.inputTrigger, scan.identity);
        if (!over) {
            record.model = name(scan.model);
        }
        return record.agent;
    }

    /** A body can hold megabytes where a model's name should be; of such a one the beginning is kept. */
    private static String name(String model) {
        return model == null || model.length() <= MOST_MODEL_CHARS ? model : model.substring(0, MOST_MODEL_CHARS);
    }

    private void identify(InputTrigger trigger, BodyIdentity body) {
        if (identified || over) {
            return;
        }
        identified = true;
        record.agent = AgentContext.of(
                field -> {
                    for (Map.Entry<String, String> header : headers) {
                        field.accept(header.getKey(), header.getValue());
                    }
                },
                trigger,
                body);
    }

    /** The core has chosen a worker; of several the last one is kept. */
    synchronized void routed(RouteRequest route, int attempts) {
        if (over) {
            return;
        }
        Decision decision = route.decision;
        record.attempts = attempts;
        record.routedMs = sinceStartMs();
        record.waitNs = decision.waitNs;
        record.worker = decision.endpoint.worker();
        record.rank = decision.endpoint.dpRank();
        record.slot = decision.slot;
        record.predictedCachedTokens = decision.predictedCachedTokens;
        record.overlapBlocks = overlap(decision);
        prompt(route, decision.blockSize);
    }

    /** Blocks of all tiers that the chosen slot holds; unknown where it is not among the candidates that were kept. */
    private static int overlap(Decision decision) {
        for (int i = 0; i < decision.candidates; i++) {
            if (decision.candidateSlot[i] == decision.slot) {
                int blocks = 0;
                for (int tier = 0; tier < Tier.COUNT; tier++) {
                    blocks += decision.candidateBlocks[i * Tier.COUNT + tier];
                }
                return blocks;
            }
        }
        return TraceRecord.UNKNOWN;
    }

    private void prompt(RouteRequest route, int blockSize) {
        for (int i = 0; i < route.hashings; i++) {
            if (route.blockSizes[i] == blockSize) {
                record.blockSize = blockSize;
                record.exact = route.exact;
                record.hashes = route.sequenceHashes[i];
                record.hashCount = route.blockCounts[i];
                record.traceHashes = route.traceHashes[i];
                record.partial = route.promptTokens % blockSize != 0;
                record.partialHash = route.partialHashes[i];
            }
        }
        if (route.hashings > 0 && route.exact) {
            record.inputTokens = route.promptTokens;
        }
    }

    /** The first output of the model came, which only a stream shows; of several calls the first counts. */
    synchronized void firstOutput() {
        if (!over && Double.isNaN(record.firstTokenMs)) {
            record.firstTokenMs = sinceStartMs();
        }
    }

    /** The client is answered with this status. */
    synchronized void answered(int status) {
        if (!over) {
            record.status = status;
        }
    }

    /** The body as the client sent it. */
    synchronized void body(RequestBody body) {
        if (payloads != null) {
            payloads.request(body.bytes(), body.length());
        }
    }

    /** Bytes of the answer go to the client. */
    void passed(ByteBuf bytes) {
        if (payloads != null) {
            synchronized (this) {
                if (!over) {
                    payloads.response(bytes);
                }
            }
        }
    }

    /** The client gets what the last engine refused it with. */
    synchronized void refusedByEngines() {
        refusedByEngines = true;
    }

    /** The last byte has gone to the client, or it has left; what the answer took may be found later. */
    synchronized void stopped() {
        if (!over && Double.isNaN(record.totalMs)) {
            record.totalMs = sinceStartMs();
        }
    }

    /**
     * The record, complete; null if it has been given out already.
     *
     * @param outputTokens tokens produced, or -1 if unknown
     * @param answer what was read of the answer, or null
     */
    synchronized TraceRecord end(Outcome outcome, int outputTokens, StreamEvents answer) {
        if (over) {
            return null;
        }
        stopped();
        // A body that could not be read, or was not when the client left: the headers still say who it was.
        identify(null, BodyIdentity.NONE);
        over = true;
        record.epochMs = record.receivedMs + Math.round(record.totalMs);
        record.outcome = refusedByEngines && outcome == Outcome.COMPLETED ? Outcome.REFUSED : outcome;
        record.outputTokens = outputTokens;
        if (answer != null) {
            answer(answer);
        }
        if (payloads != null) {
            payloads.into(record, headers);
        }
        return record;
    }

    private void answer(StreamEvents answer) {
        counters.callsLeftOut(answer.end().leftOut());
        if (record.inputTokens < 0) {
            record.inputTokens = answer.promptTokens();
        }
        record.cachedTokens = answer.cachedTokens();
        record.finishReason = answer.finishReason();
        for (AnswerEnd.Choice choice : answer.end().choices()) {
            record.choices.add(new TraceRecord.ChoiceEnd(choice.index(), choice.finishReason(), choice.stopReason()));
        }
        for (AnswerEnd.Call call : answer.end().calls()) {
            record.toolCalls.add(new TraceRecord.ToolCall(call.choice(), call.index(), call.id(), call.name()));
        }
    }

    private double sinceStartMs() {
        return (System.nanoTime() - startedNs) / NS_PER_MS;
    }
}
