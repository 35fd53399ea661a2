package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.A;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JAA;
import static io.penstock.ffi.nixl.Shapes.JAJ;
import static io.penstock.ffi.nixl.Shapes.JJ;
import static io.penstock.ffi.nixl.Shapes.JS;
import static io.penstock.ffi.nixl.Shapes.JZ;

import java.lang.foreign.MemorySegment;

/**
 * Optional arguments of many functions: the backend to use, a notification to send with a transfer, an address.
 *
 * <p>An object is made and destroyed by the caller and may be used for many calls; what is set is copied.
 *
 * <p><b>Threading:</b> one thread at a time for an object. <b>Cost:</b> no allocation.
 */
public final class NixlOptions {
    private final NixlSymbols library;
    private final MemorySegment createOptArgs;
    private final MemorySegment destroyOptArgs;
    private final MemorySegment optArgsAddBackend;
    private final MemorySegment optArgsSetNotifMsg;
    private final MemorySegment optArgsGetNotifMsg;
    private final MemorySegment optArgsSetCustomParam;
    private final MemorySegment optArgsGetCustomParam;
    private final MemorySegment optArgsSetHasNotif;
    private final MemorySegment optArgsGetHasNotif;
    private final MemorySegment optArgsSetSkipDescMerge;
    private final MemorySegment optArgsGetSkipDescMerge;
    private final MemorySegment optArgsSetIpAddr;
    private final MemorySegment optArgsSetPort;

    NixlOptions(NixlSymbols library) {
        this.library = library;
        createOptArgs = library.find("nixl_capi_create_opt_args", A);
        destroyOptArgs = library.find("nixl_capi_destroy_opt_args", J);
        optArgsAddBackend = library.find("nixl_capi_opt_args_add_backend", JJ);
        optArgsSetNotifMsg = library.find("nixl_capi_opt_args_set_notif_msg", JAJ);
        optArgsGetNotifMsg = library.find("nixl_capi_opt_args_get_notif_msg", JAA);
        optArgsSetCustomParam = library.find("nixl_capi_opt_args_set_custom_param", JAJ);
        optArgsGetCustomParam = library.find("nixl_capi_opt_args_get_custom_param", JAA);
        optArgsSetHasNotif = library.find("nixl_capi_opt_args_set_has_notif", JZ);
        optArgsGetHasNotif = library.find("nixl_capi_opt_args_get_has_notif", JA);
        optArgsSetSkipDescMerge = library.find("nixl_capi_opt_args_set_skip_desc_merge", JZ);
        optArgsGetSkipDescMerge = library.find("nixl_capi_opt_args_get_skip_desc_merge", JA);
        optArgsSetIpAddr = library.find("nixl_capi_opt_args_set_ip_addr", JA);
        optArgsSetPort = library.find("nixl_capi_opt_args_set_port", JS);
    }

    /** Makes empty arguments. */
    public int createOptArgs(MemorySegment args) {
        try {
            return (int) A.invokeExact(createOptArgs, args);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_opt_args", e);
        }
    }

    /** Destroys arguments. */
    public int destroyOptArgs(long args) {
        try {
            return (int) J.invokeExact(destroyOptArgs, args);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_opt_args", e);
        }
    }

    /** Adds a backend to those that may serve the call. */
    public int optArgsAddBackend(long args, long backend) {
        try {
            return (int) JJ.invokeExact(optArgsAddBackend, args, backend);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_add_backend", e);
        }
    }

    /** The notification that the other side gets when a transfer is done. Needs {@link #optArgsSetHasNotif} as well. */
    public int optArgsSetNotifMsg(long args, MemorySegment data, long bytes) {
        try {
            return (int) JAJ.invokeExact(optArgsSetNotifMsg, args, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_notif_msg", e);
        }
    }

    /** The notification set, as a copy that the caller frees with C's {@code free}. */
    public int optArgsGetNotifMsg(long args, MemorySegment data, MemorySegment bytes) {
        try {
            return (int) JAA.invokeExact(optArgsGetNotifMsg, args, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_get_notif_msg", e);
        }
    }

    /** Bytes for the backend, whose meaning is the backend's own. */
    public int optArgsSetCustomParam(long args, MemorySegment data, long bytes) {
        try {
            return (int) JAJ.invokeExact(optArgsSetCustomParam, args, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_custom_param", e);
        }
    }

    /** The bytes for the backend, as a copy that the caller frees with C's {@code free}; NULL and 0 when none are set. */
    public int optArgsGetCustomParam(long args, MemorySegment data, MemorySegment bytes) {
        try {
            return (int) JAA.invokeExact(optArgsGetCustomParam, args, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_get_custom_param", e);
        }
    }

    /** Whether a transfer carries a notification. */
    public int optArgsSetHasNotif(long args, boolean hasNotif) {
        try {
            return (int) JZ.invokeExact(optArgsSetHasNotif, args, hasNotif);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_has_notif", e);
        }
    }

    /** Whether a transfer carries a notification (one byte). */
    public int optArgsGetHasNotif(long args, MemorySegment hasNotif) {
        try {
            return (int) JA.invokeExact(optArgsGetHasNotif, args, hasNotif);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_get_has_notif", e);
        }
    }

    /** Whether descriptors that touch are left apart. */
    public int optArgsSetSkipDescMerge(long args, boolean skipMerge) {
        try {
            return (int) JZ.invokeExact(optArgsSetSkipDescMerge, args, skipMerge);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_skip_desc_merge", e);
        }
    }

    /** Whether descriptors that touch are left apart (one byte). */
    public int optArgsGetSkipDescMerge(long args, MemorySegment skipMerge) {
        try {
            return (int) JA.invokeExact(optArgsGetSkipDescMerge, args, skipMerge);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_get_skip_desc_merge", e);
        }
    }

    /** Address of the other agent's listener. */
    public int optArgsSetIpAddr(long args, MemorySegment ipAddress) {
        try {
            return (int) JA.invokeExact(optArgsSetIpAddr, args, ipAddress);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_ip_addr", e);
        }
    }

    /** Port of the other agent's listener, unsigned. */
    public int optArgsSetPort(long args, short port) {
        try {
            return (int) JS.invokeExact(optArgsSetPort, args, port);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_opt_args_set_port", e);
        }
    }
}
