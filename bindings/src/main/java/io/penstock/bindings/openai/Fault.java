package io.penstock.bindings.openai;

/**
 * Why a request gets no answer, with the words of both API families for it.
 *
 * <p>Anthropic's 529 stands for "try again soon"; its clients retry it as they retry 503. Retry-After is the caller's:
 * without it some agents send dozens of requests in seconds.
 */
public enum Fault {
    /** The body is not JSON, or a field makes no sense. */
    BAD_REQUEST(400, "invalid_request_error", null, 400, "invalid_request_error"),
    /** No such model. */
    MODEL_NOT_FOUND(404, "invalid_request_error", "model_not_found", 404, "not_found_error"),
    /** No such path. */
    NOT_FOUND(404, "invalid_request_error", null, 404, "not_found_error"),
    /** The path does not know the method. */
    METHOD_NOT_ALLOWED(405, "invalid_request_error", null, 405, "invalid_request_error"),
    /** The body is longer than allowed. */
    TOO_LARGE(413, "invalid_request_error", "request_too_large", 413, "request_too_large"),
    /** The client sends more than it may. */
    RATE_LIMITED(429, "rate_limit_error", "rate_limit_exceeded", 429, "rate_limit_error"),
    /** No worker can take it now: none there, none healthy, or all busy. */
    UNAVAILABLE(503, "server_error", "service_unavailable", 529, "overloaded_error"),
    /** The engine refused or broke off, and no other was left to try. */
    ENGINE_FAILED(502, "server_error", "engine_failed", 502, "api_error"),
    /** The engine did not answer in time. */
    ENGINE_TIMEOUT(504, "server_error", "engine_timeout", 504, "timeout_error"),
    /** The router's own fault. */
    INTERNAL(500, "server_error", "internal_error", 500, "api_error");

    final int openAiStatus;
    final String openAiType;
    final String openAiCode;
    final int anthropicStatus;
    final String anthropicType;

    Fault(int openAiStatus, String openAiType, String openAiCode, int anthropicStatus, String anthropicType) {
        this.openAiStatus = openAiStatus;
        this.openAiType = openAiType;
        this.openAiCode = openAiCode;
        this.anthropicStatus = anthropicStatus;
        this.anthropicType = anthropicType;
    }
}
