package io.penstock.ffi.nixl;

/**
 * The numbers of NIXL's C API, under their C names, and the text of a status. The C++ API has other numbers.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class NixlConstants {
    /** Status: done. */
    public static final int NIXL_CAPI_SUCCESS = 0;

    /** Status: not done yet; no error. */
    public static final int NIXL_CAPI_IN_PROG = 1;

    /** Status: an argument makes no sense. */
    public static final int NIXL_CAPI_ERROR_INVALID_PARAM = -1;

    /** Status: the backend refused, or the peer is gone. */
    public static final int NIXL_CAPI_ERROR_BACKEND = -2;

    /** Status: not in this order. */
    public static final int NIXL_CAPI_ERROR_INVALID_STATE = -3;

    /** Status: a C++ exception was caught. */
    public static final int NIXL_CAPI_ERROR_EXCEPTION = -4;

    /** Status: the agent keeps no telemetry. */
    public static final int NIXL_CAPI_ERROR_NO_TELEMETRY = -5;

    /** Status: the other agent is not known, or nothing serves the request. */
    public static final int NIXL_CAPI_ERROR_NOT_FOUND = -6;

    /** Kind of memory: the host's. */
    public static final int NIXL_CAPI_MEM_DRAM = 0;

    /** Kind of memory: a device's. */
    public static final int NIXL_CAPI_MEM_VRAM = 1;

    /** Kind of memory: a block device. */
    public static final int NIXL_CAPI_MEM_BLOCK = 2;

    /** Kind of memory: an object store. */
    public static final int NIXL_CAPI_MEM_OBJECT = 3;

    /** Kind of memory: files. */
    public static final int NIXL_CAPI_MEM_FILE = 4;

    /** Kind of memory: none of these. */
    public static final int NIXL_CAPI_MEM_UNKNOWN = 5;

    /** An agent's locks: none, which is the default. */
    public static final int NIXL_CAPI_THREAD_SYNC_NONE = 0;

    /** An agent's locks: one at a time. */
    public static final int NIXL_CAPI_THREAD_SYNC_STRICT = 1;

    /** An agent's locks: readers beside each other. */
    public static final int NIXL_CAPI_THREAD_SYNC_RW = 2;

    /** Transfer: from the other agent. */
    public static final int NIXL_CAPI_XFER_OP_READ = 0;

    /** Transfer: to the other agent. */
    public static final int NIXL_CAPI_XFER_OP_WRITE = 1;

    /** Origin of an estimate: the backend computed it. */
    public static final int NIXL_CAPI_COST_ANALYTICAL_BACKEND = 0;

    private NixlConstants() {}

    /** A status in words, with its number where that is an error's. */
    public static String statusText(int status) {
        return switch (status) {
            case NIXL_CAPI_SUCCESS -> "success";
            case NIXL_CAPI_IN_PROG -> "in progress";
            case NIXL_CAPI_ERROR_INVALID_PARAM -> "invalid parameter (-1)";
            case NIXL_CAPI_ERROR_BACKEND -> "backend refused, or peer gone (-2)";
            case NIXL_CAPI_ERROR_INVALID_STATE -> "invalid state (-3)";
            case NIXL_CAPI_ERROR_EXCEPTION -> "exception in the library (-4)";
            case NIXL_CAPI_ERROR_NO_TELEMETRY -> "no telemetry (-5)";
            case NIXL_CAPI_ERROR_NOT_FOUND -> "not found (-6)";
            default -> "status " + status;
        };
    }
}
