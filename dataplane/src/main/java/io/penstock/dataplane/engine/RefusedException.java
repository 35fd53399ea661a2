package io.penstock.dataplane.engine;

/**
 * A request that the engine refuses, with the status and the words of vLLM's error object.
 *
 * <p><b>Threading:</b> immutable.
 */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;
    private final String param;

    RefusedException(int status, String type, String message, String param) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.param = param;
    }

    static RefusedException bad(String message, String param) {
        return new RefusedException(400, "BadRequestError", message, param);
    }

    static RefusedException notFound(String message, String param) {
        return new RefusedException(404, "NotFoundError", message, param);
    }

    int status() {
        return status;
    }

    /** The error as vLLM writes it, or as Anthropic's API does. */
    String json(boolean anthropic) {
        StringBuilder out = new StringBuilder(128);
        if (anthropic) {
            out.append("{\"type\":\"error\",\"error\":{\"type\":");
            JsonText.string(
                    out, status == 404 ? "not_found_error" : status < 500 ? "invalid_request_error" : "api_error");
            out.append(",\"message\":");
            JsonText.string(out, getMessage());
            return out.append("}}").toString();
        }
        out.append("{\"error\":{\"message\":");
        JsonText.string(out, getMessage());
        out.append(",\"type\":");
        JsonText.string(out, type);
        out.append(",\"param\":");
        JsonText.string(out, param);
        return out.append(",\"code\":").append(status).append("}}").toString();
    }
}
