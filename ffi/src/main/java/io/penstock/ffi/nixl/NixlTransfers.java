package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JAJAJ;
import static io.penstock.ffi.nixl.Shapes.JIJAJJAJAJ;
import static io.penstock.ffi.nixl.Shapes.JIJJAAJ;
import static io.penstock.ffi.nixl.Shapes.JJ;
import static io.penstock.ffi.nixl.Shapes.JJA;
import static io.penstock.ffi.nixl.Shapes.JJAJ;
import static io.penstock.ffi.nixl.Shapes.JJJ;
import static io.penstock.ffi.nixl.Shapes.JJJAAA;

import java.lang.foreign.MemorySegment;

/**
 * Transfers between registered memory of two agents (or of one with itself): prepare, post, poll, release; and views of
 * memory for kernels on a device.
 *
 * <p>A request is ended by {@link #releaseXferReq} and then {@link #destroyXferReq}, in this order. Memory and agent must
 * outlive it. Descriptor lists may be destroyed once a function has returned.
 *
 * <p><b>Threading:</b> the agent as its settings say; a request by one thread at a time. <b>Cost:</b> no allocation.
 */
public final class NixlTransfers {
    private final NixlSymbols library;
    private final MemorySegment prepXferDlist;
    private final MemorySegment releaseXferDlistHandle;
    private final MemorySegment makeXferReq;
    private final MemorySegment createXferReq;
    private final MemorySegment estimateXferCost;
    private final MemorySegment postXferReq;
    private final MemorySegment getXferStatus;
    private final MemorySegment queryXferBackend;
    private final MemorySegment releaseXferReq;
    private final MemorySegment destroyXferReq;
    private final MemorySegment getXferTelemetry;
    private final MemorySegment prepMemViewLocal;
    private final MemorySegment prepMemViewRemote;
    private final MemorySegment releaseMemView;

    NixlTransfers(NixlSymbols library) {
        this.library = library;
        prepXferDlist = library.find("nixl_capi_prep_xfer_dlist", JAJAJ);
        releaseXferDlistHandle = library.find("nixl_capi_release_xfer_dlist_handle", JJ);
        makeXferReq = library.find("nixl_capi_make_xfer_req", JIJAJJAJAJ);
        createXferReq = library.find("nixl_capi_create_xfer_req", JIJJAAJ);
        estimateXferCost = library.find("nixl_capi_estimate_xfer_cost", JJJAAA);
        postXferReq = library.find("nixl_capi_post_xfer_req", JJJ);
        getXferStatus = library.find("nixl_capi_get_xfer_status", JJ);
        queryXferBackend = library.find("nixl_capi_query_xfer_backend", JJA);
        releaseXferReq = library.find("nixl_capi_release_xfer_req", JJ);
        destroyXferReq = library.find("nixl_capi_destroy_xfer_req", J);
        getXferTelemetry = library.find("nixl_capi_get_xfer_telemetry", JJA);
        prepMemViewLocal = library.find("nixl_capi_prep_mem_view_local", JJAJ);
        prepMemViewRemote = library.find("nixl_capi_prep_mem_view_remote", JJAJ);
        releaseMemView = library.find("nixl_capi_release_mem_view", JJ);
    }

    /** Prepares a list for {@link #makeXferReq}: of the initiator when {@code agentName} is NULL, or of that agent. */
    public int prepXferDlist(long agent, MemorySegment agentName, long dlist, MemorySegment dlistHandle, long optArgs) {
        try {
            return (int) JAJAJ.invokeExact(prepXferDlist, agent, agentName, dlist, dlistHandle, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_prep_xfer_dlist", e);
        }
    }

    /** Releases a prepared list. */
    public int releaseXferDlistHandle(long agent, long dlistHandle) {
        try {
            return (int) JJ.invokeExact(releaseXferDlistHandle, agent, dlistHandle);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_release_xfer_dlist_handle", e);
        }
    }

    /** Makes a request from two prepared lists, by the descriptors' numbers (ints). */
    public int makeXferReq(
            long agent,
            int operation,
            long localDescs,
            MemorySegment localIndices,
            long localCount,
            long remoteDescs,
            MemorySegment remoteIndices,
            long remoteCount,
            MemorySegment request,
            long optArgs) {
        try {
            return (int) JIJAJJAJAJ.invokeExact(
                    makeXferReq,
                    agent,
                    operation,
                    localDescs,
                    localIndices,
                    localCount,
                    remoteDescs,
                    remoteIndices,
                    remoteCount,
                    request,
                    optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_make_xfer_req", e);
        }
    }

    /** Makes a request from two lists of equally many and equally long descriptors. */
    public int createXferReq(
            long agent,
            int operation,
            long localDescs,
            long remoteDescs,
            MemorySegment remoteAgent,
            MemorySegment request,
            long optArgs) {
        try {
            return (int) JIJJAAJ.invokeExact(
                    createXferReq, agent, operation, localDescs, remoteDescs, remoteAgent, request, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_xfer_req", e);
        }
    }

    /** What the backend thinks that the transfer takes (two longs) and how it came to know (int). */
    public int estimateXferCost(
            long agent,
            long request,
            long optArgs,
            MemorySegment durationUs,
            MemorySegment errorMarginUs,
            MemorySegment method) {
        try {
            return (int)
                    JJJAAA.invokeExact(estimateXferCost, agent, request, optArgs, durationUs, errorMarginUs, method);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_estimate_xfer_cost", e);
        }
    }

    /** Starts the transfer. In progress, or already done. One that is done may be posted again. */
    public int postXferReq(long agent, long request, long optArgs) {
        try {
            return (int) JJJ.invokeExact(postXferReq, agent, request, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_post_xfer_req", e);
        }
    }

    /** How the transfer stands. */
    public int getXferStatus(long agent, long request) {
        try {
            return (int) JJ.invokeExact(getXferStatus, agent, request);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_xfer_status", e);
        }
    }

    /** The backend that serves the request; the handle is freed with {@link NixlBackends#destroyBackend}. */
    public int queryXferBackend(long agent, long request, MemorySegment backend) {
        try {
            return (int) JJA.invokeExact(queryXferBackend, agent, request, backend);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_query_xfer_backend", e);
        }
    }

    /** Ends the request with the agent, aborting it where it still runs. */
    public int releaseXferReq(long agent, long request) {
        try {
            return (int) JJ.invokeExact(releaseXferReq, agent, request);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_release_xfer_req", e);
        }
    }

    /** Frees the handle of a released request. */
    public int destroyXferReq(long request) {
        try {
            return (int) J.invokeExact(destroyXferReq, request);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_xfer_req", e);
        }
    }

    /** Times and counts of a done transfer: {@link XferTelemetry}. Only where the agent was made with telemetry. */
    public int getXferTelemetry(long agent, long request, MemorySegment telemetry) {
        try {
            return (int) JJA.invokeExact(getXferTelemetry, agent, request, telemetry);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_xfer_telemetry", e);
        }
    }

    /** Makes a view of own memory for a kernel on a device. */
    public int prepMemViewLocal(long agent, long dlist, MemorySegment memView, long optArgs) {
        try {
            return (int) JJAJ.invokeExact(prepMemViewLocal, agent, dlist, memView, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_prep_mem_view_local", e);
        }
    }

    /** Makes a view of other agents' memory for a kernel on a device. */
    public int prepMemViewRemote(long agent, long remoteDlist, MemorySegment memView, long optArgs) {
        try {
            return (int) JJAJ.invokeExact(prepMemViewRemote, agent, remoteDlist, memView, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_prep_mem_view_remote", e);
        }
    }

    /** Releases a view, before its agent is destroyed. */
    public int releaseMemView(long agent, long memView) {
        try {
            return (int) JJ.invokeExact(releaseMemView, agent, memView);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_release_mem_view", e);
        }
    }
}
