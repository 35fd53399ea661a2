package io.penstock.ffi.nixl;

/**
 * A call that had to succeed did not. Only for what is done once, such as making an agent; what is done often returns its
 * status.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class NixlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    NixlException(String what, int status) {
        super("NIXL: " + what + ": " + NixlConstants.statusText(status));
        this.status = status;
    }

    /** The status, {@code NIXL_CAPI_ERROR_*}. */
    public int status() {
        return status;
    }

    /** Throws unless the status is success. */
    static void check(int status, String what) {
        if (status != NixlConstants.NIXL_CAPI_SUCCESS) {
            throw new NixlException(what, status);
        }
    }
}
