package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.AA;
import static io.penstock.ffi.nixl.Shapes.AAA;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JAA;
import static io.penstock.ffi.nixl.Shapes.JAJ;
import static io.penstock.ffi.nixl.Shapes.JAJA;
import static io.penstock.ffi.nixl.Shapes.JJ;
import static io.penstock.ffi.nixl.Shapes.JJAAJ;
import static io.penstock.ffi.nixl.Shapes.JJJ;

import java.lang.foreign.MemorySegment;

/**
 * Agents and the exchange of their metadata: the part of NIXL's C API that makes an agent, and makes agents known to each
 * other, as bytes that the caller carries, or through the agents' own listener threads.
 *
 * <p>Names of agents are C strings. What an agent's function is given is copied before it returns, so a confined arena does.
 *
 * <p><b>Threading:</b> an agent made with {@link NixlConstants#NIXL_CAPI_THREAD_SYNC_RW} or {@code _STRICT} may be called from
 * many threads, one made without from one at a time. Creating and destroying belong to one thread.
 * <b>Cost:</b> no allocation.
 */
public final class NixlAgents {
    private final NixlSymbols library;
    private final MemorySegment createConfiguredAgent;
    private final MemorySegment createAgent;
    private final MemorySegment destroyAgent;
    private final MemorySegment getLocalMd;
    private final MemorySegment getLocalPartialMd;
    private final MemorySegment loadRemoteMd;
    private final MemorySegment invalidateRemoteMd;
    private final MemorySegment invalidateLocalMd;
    private final MemorySegment checkRemoteMd;
    private final MemorySegment sendLocalMd;
    private final MemorySegment sendLocalPartialMd;
    private final MemorySegment fetchRemoteMd;
    private final MemorySegment agentMakeConnection;

    NixlAgents(NixlSymbols library) {
        this.library = library;
        createConfiguredAgent = library.find("nixl_capi_create_configured_agent", AAA);
        createAgent = library.find("nixl_capi_create_agent", AA);
        destroyAgent = library.find("nixl_capi_destroy_agent", J);
        getLocalMd = library.find("nixl_capi_get_local_md", JAA);
        getLocalPartialMd = library.find("nixl_capi_get_local_partial_md", JJAAJ);
        loadRemoteMd = library.find("nixl_capi_load_remote_md", JAJA);
        invalidateRemoteMd = library.find("nixl_capi_invalidate_remote_md", JA);
        invalidateLocalMd = library.find("nixl_capi_invalidate_local_md", JJ);
        checkRemoteMd = library.find("nixl_capi_check_remote_md", JAJ);
        sendLocalMd = library.find("nixl_capi_send_local_md", JJ);
        sendLocalPartialMd = library.find("nixl_capi_send_local_partial_md", JJJ);
        fetchRemoteMd = library.find("nixl_capi_fetch_remote_md", JAJ);
        agentMakeConnection = library.find("nixl_capi_agent_make_connection", JAJ);
    }

    /**
     * Makes an agent. May start a progress thread and a listener thread. {@code config}: {@link AgentConfig}; {@code
     * agent} gets the handle. A progress delay of 0 keeps the thread busy all the time: give 1,000 µs.
     */
    public int createConfiguredAgent(MemorySegment name, MemorySegment config, MemorySegment agent) {
        try {
            return (int) AAA.invokeExact(createConfiguredAgent, name, config, agent);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_configured_agent", e);
        }
    }

    /** Makes an agent with NIXL's own settings: a progress thread without a delay, which takes half a core when idle. */
    public int createAgent(MemorySegment name, MemorySegment agent) {
        try {
            return (int) AA.invokeExact(createAgent, name, agent);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_agent", e);
        }
    }

    /**
     * Ends an agent, its backends and its threads. Waits for the threads. Nothing that it made may be used after it,
     * and what was registered may be freed.
     */
    public int destroyAgent(long agent) {
        try {
            return (int) J.invokeExact(destroyAgent, agent);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_agent", e);
        }
    }

    /** The agent's metadata: address and length. The caller frees the address with C's {@code free}. */
    public int getLocalMd(long agent, MemorySegment data, MemorySegment bytes) {
        try {
            return (int) JAA.invokeExact(getLocalMd, agent, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_local_md", e);
        }
    }

    /**
     * The metadata of some registered memory only; an empty list gives that of the connection. Freed by the caller
     * with C's {@code free}.
     */
    public int getLocalPartialMd(long agent, long regDlist, MemorySegment data, MemorySegment bytes, long optArgs) {
        try {
            return (int) JJAAJ.invokeExact(getLocalPartialMd, agent, regDlist, data, bytes, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_local_partial_md", e);
        }
    }

    /**
     * Makes another agent known from its metadata. {@code agentName} gets the address of its name, freed by the caller
     * with C's {@code free}.
     */
    public int loadRemoteMd(long agent, MemorySegment data, long bytes, MemorySegment agentName) {
        try {
            return (int) JAJA.invokeExact(loadRemoteMd, agent, data, bytes, agentName);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_load_remote_md", e);
        }
    }

    /** Forgets another agent and its connections. A peer that has gone is forgotten so before it is loaded again. */
    public int invalidateRemoteMd(long agent, MemorySegment remoteAgent) {
        try {
            return (int) JA.invokeExact(invalidateRemoteMd, agent, remoteAgent);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_invalidate_remote_md", e);
        }
    }

    /**
     * Asks those who have this agent's metadata to forget it: the listener whose address is in {@code optArgs}, or
     * etcd. Returns before it is done.
     */
    public int invalidateLocalMd(long agent, long optArgs) {
        try {
            return (int) JJ.invokeExact(invalidateLocalMd, agent, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_invalidate_local_md", e);
        }
    }

    /** Whether another agent is known ({@code xferDlist} 0), or known with that memory. */
    public int checkRemoteMd(long agent, MemorySegment remoteName, long xferDlist) {
        try {
            return (int) JAJ.invokeExact(checkRemoteMd, agent, remoteName, xferDlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_check_remote_md", e);
        }
    }

    /**
     * Sends the agent's metadata to the listener whose address is in {@code optArgs}, or to etcd. Returns before it is
     * done.
     */
    public int sendLocalMd(long agent, long optArgs) {
        try {
            return (int) JJ.invokeExact(sendLocalMd, agent, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_send_local_md", e);
        }
    }

    /** As {@link #sendLocalMd}, for some of the registered memory. */
    public int sendLocalPartialMd(long agent, long regDlist, long optArgs) {
        try {
            return (int) JJJ.invokeExact(sendLocalPartialMd, agent, regDlist, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_send_local_partial_md", e);
        }
    }

    /**
     * Asks the listener whose address is in {@code optArgs}, or etcd, for an agent's metadata. Returns before it is
     * there: ask {@link #checkRemoteMd}.
     */
    public int fetchRemoteMd(long agent, MemorySegment remoteName, long optArgs) {
        try {
            return (int) JAJ.invokeExact(fetchRemoteMd, agent, remoteName, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_fetch_remote_md", e);
        }
    }

    /** Connects to a known agent now, instead of at the first transfer or notification. */
    public int agentMakeConnection(long agent, MemorySegment remoteAgent, long optArgs) {
        try {
            return (int) JAJ.invokeExact(agentMakeConnection, agent, remoteAgent, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_agent_make_connection", e);
        }
    }
}
