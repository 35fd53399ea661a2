package io.penstock.dataplane.http;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.penstock.bindings.openai.ApiErrors;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.Fault;
import io.penstock.dataplane.pipeline.Decision;

/**
 * Why the router itself answered a request, in the words of the client's API.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum Refusal {
    /** The bytes were no HTTP request that this server takes. */
    MALFORMED(Fault.BAD_REQUEST, "The request is malformed."),
    /** The body is not one JSON object. */
    BAD_JSON(Fault.BAD_REQUEST, "The request body is not a JSON object."),
    /** The body names no model, and there is more than one. */
    MODEL_MISSING(Fault.BAD_REQUEST, "The request names no model."),
    /** A routing header has a value that makes no sense. */
    BAD_HEADER(Fault.BAD_REQUEST, "A routing header has a value that makes no sense."),
    /** No such path. */
    NOT_FOUND(Fault.NOT_FOUND, "There is no such path."),
    /** The path does not know the method. */
    METHOD_NOT_ALLOWED(Fault.METHOD_NOT_ALLOWED, "The path does not take this method."),
    /** No worker serves a model of that name. */
    UNKNOWN_MODEL(Fault.MODEL_NOT_FOUND, "The model does not exist."),
    /** The body is longer than allowed. */
    BODY_TOO_LARGE(Fault.TOO_LARGE, "The request body is larger than the router takes."),
    /** The body took longer to arrive than allowed. */
    REQUEST_TIMEOUT(Fault.BAD_REQUEST, "The request took too long to arrive."),
    /** The bodies of all requests together are larger than allowed. */
    BODIES_FULL(Fault.UNAVAILABLE, "Too many large requests are being answered; try again shortly."),
    /** Too many prompts wait to be read. */
    PREPARATION_FULL(Fault.UNAVAILABLE, "Too many requests are being prepared; try again shortly."),
    /** The core's ring is full. */
    RING_FULL(Fault.UNAVAILABLE, "Too many requests are being placed; try again shortly."),
    /** The model has no worker. */
    NO_WORKER(Fault.UNAVAILABLE, "No worker serves this model at present."),
    /** No worker may take the request. */
    NONE_ELIGIBLE(Fault.UNAVAILABLE, "No worker that may take this request is available."),
    /** All are over their thresholds. */
    ALL_BUSY(Fault.UNAVAILABLE, "All workers are busy; try again shortly."),
    /** The worker asked for cannot take it. */
    PINNED_UNAVAILABLE(Fault.UNAVAILABLE, "The worker asked for is not available."),
    /** Every engine tried refused or broke before the first byte. */
    ENGINES_FAILED(Fault.ENGINE_FAILED, "The engines failed before they answered; try again shortly."),
    /** The router stops. */
    STOPPING(Fault.UNAVAILABLE, "The router is stopping; try again shortly."),
    /** The router's own fault. */
    INTERNAL(Fault.INTERNAL, "The router failed on this request.");

    private final Fault fault;
    private final String message;

    Refusal(Fault fault, String message) {
        this.fault = fault;
        this.message = message;
    }

    /** Name in metrics. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    static Refusal of(Decision.Status status) {
        return switch (status) {
            case ROUTED -> throw new IllegalArgumentException("not a refusal: status=" + status);
            case NO_WORKER -> NO_WORKER;
            case NONE_ELIGIBLE -> NONE_ELIGIBLE;
            case ALL_BUSY -> ALL_BUSY;
            case PINNED_UNAVAILABLE -> PINNED_UNAVAILABLE;
        };
    }

    private boolean passes() {
        return fault == Fault.UNAVAILABLE || fault == Fault.ENGINE_FAILED;
    }

    /**
     * The answer that says so.
     *
     * @param detail in place of the message; the model's name for {@link #UNKNOWN_MODEL}; null for none
     */
    DefaultFullHttpResponse answer(ApiKind kind, String detail, HttpConfig config) {
        byte[] body = this == UNKNOWN_MODEL
                ? ApiErrors.unknownModel(kind, detail)
                : ApiErrors.body(kind, fault, detail == null ? message : detail);
        int status = this == REQUEST_TIMEOUT ? 408 : ApiErrors.status(kind, fault);
        DefaultFullHttpResponse answer = Answers.json(status, body);
        if (passes()) {
            answer.headers().set("Retry-After", config.retryAfterSeconds());
        }
        return answer;
    }
}
