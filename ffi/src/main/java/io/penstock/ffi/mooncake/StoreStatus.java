package io.penstock.ffi.mooncake;

/**
 * What the store's negative answers mean.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class StoreStatus {
    /** It worked. */
    public static final int OK = 0;

    /** No store, no key or no buffer was given, or the call failed inside the library. */
    public static final int INTERNAL_ERROR = -1;

    /** No room in the pool for the object. */
    public static final int NO_AVAILABLE_HANDLE = -200;

    /** A wrong parameter; also: the store is not set up, or no master answered the set-up. */
    public static final int INVALID_PARAMS = -600;

    /** There is no such object. */
    public static final int OBJECT_NOT_FOUND = -704;

    /** The object was read, stored or probed a moment ago and cannot be removed yet. */
    public static final int OBJECT_HAS_LEASE = -706;

    /** The master did not answer. */
    public static final int RPC_FAIL = -900;

    /** The master took the call and did not answer; after 30 s. */
    public static final int RPC_TIMEOUT = -901;

    private StoreStatus() {}

    /** The status in words, with its number. */
    public static String text(long status) {
        return name(status) + " (" + status + ")";
    }

    private static String name(long status) {
        if (status >= 0) {
            return "OK";
        }
        return switch ((int) status) {
            case INTERNAL_ERROR -> "INTERNAL_ERROR";
            case -10 -> "BUFFER_OVERFLOW";
            case -101 -> "SEGMENT_NOT_FOUND";
            case -102 -> "SEGMENT_ALREADY_EXISTS";
            case -103 -> "CLIENT_NOT_FOUND";
            case NO_AVAILABLE_HANDLE -> "NO_AVAILABLE_HANDLE";
            case -300 -> "INVALID_VERSION";
            case -400 -> "INVALID_KEY";
            case -500 -> "WRITE_FAIL";
            case INVALID_PARAMS -> "INVALID_PARAMS";
            case -601 -> "ILLEGAL_CLIENT";
            case -700 -> "INVALID_WRITE";
            case -701 -> "INVALID_READ";
            case -702 -> "INVALID_REPLICA";
            case -703 -> "REPLICA_IS_NOT_READY";
            case OBJECT_NOT_FOUND -> "OBJECT_NOT_FOUND";
            case -705 -> "OBJECT_ALREADY_EXISTS";
            case OBJECT_HAS_LEASE -> "OBJECT_HAS_LEASE";
            case -707 -> "LEASE_EXPIRED";
            case -708 -> "OBJECT_HAS_REPLICATION_TASK";
            case -709 -> "OBJECT_NO_REPLICATION_TASK";
            case -710 -> "REPLICA_NOT_FOUND";
            case -711 -> "REPLICA_ALREADY_EXISTS";
            case -712 -> "REPLICA_IS_GONE";
            case -800 -> "TRANSFER_FAIL";
            case RPC_FAIL -> "RPC_FAIL";
            case RPC_TIMEOUT -> "RPC_TIMEOUT";
            default -> "unknown status";
        };
    }
}
