package io.penstock.dataplane.engine;

/**
 * Why a sequence ended; the label of {@code vllm:request_success_total}.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum FinishReason {
    /** The text came to its end. */
    STOP("stop"),
    /** The token limit was reached. */
    LENGTH("length"),
    /** The text came to its end with a tool call. */
    TOOL_CALLS("stop"),
    /** The client went away. */
    ABORT("abort"),
    /** The engine failed or was restarted. */
    ERROR("error");

    private final String metric;

    FinishReason(String metric) {
        this.metric = metric;
    }

    /** Label in the metrics. */
    public String metric() {
        return metric;
    }
}
