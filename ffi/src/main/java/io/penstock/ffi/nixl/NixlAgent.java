package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_SUCCESS;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_THREAD_SYNC_RW;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.ffi.libc.HeapMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent that sends notifications to others and takes theirs, over UCX: TCP, shared memory or RDMA, as UCX finds them.
 * What else NIXL can do is done with {@link #capi} and {@link #handle}.
 *
 * <p>Two agents talk when the sender has the receiver's metadata: as bytes that travel by any way ({@link #metadata},
 * {@link #load}), or from a listening agent ({@link #fetch}, {@link #send}). After a peer was restarted, it is
 * {@linkplain #forget forgotten} and loaded anew.
 *
 * <p><b>Threading:</b> thread-safe; {@link #poll} is meant for one thread, since others wait. {@link #close} waits for the
 * calls under way; a call after it throws {@link IllegalStateException}. <b>Cost:</b> {@link #notify} and {@link #poll} allocate nothing, except for the first
 * notification of a sender.
 */
public final class NixlAgent implements AutoCloseable {
    private static final long CLOSE_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final NixlCapi capi;
    private final NixlNotifications notifications;
    private final NixlAgentSettings settings;
    // Guards the calls that are made seldom against close.
    private final Object life = new Object();
    // Guards the inbox and its out parameters.
    private final Object polling = new Object();
    // Guards the calls that are given a peer's name: shared, and closed before the agent ends. A call under way holds
    // it
    // open, a later one finds it closed.
    private final Arena arena = Arena.ofShared();
    private final NixlPeers peers = new NixlPeers(arena);
    private final MemorySegment out = arena.allocate(JAVA_LONG, 2);
    private final MemorySegment out1 = out.asSlice(Long.BYTES);
    private final long handle;
    private long inbox;
    private boolean handing;
    // Set before the arena is closed, so that steady callers cannot keep it open for ever.
    private volatile boolean closed;

    private NixlAgent(NixlCapi capi, NixlAgentSettings settings) {
        this.capi = capi;
        this.notifications = capi.notifications();
        this.settings = settings;
        MemorySegment config = AgentConfig.allocate(
                arena,
                settings.listenPort(),
                NIXL_CAPI_THREAD_SYNC_RW,
                settings.progressDelayUs(),
                settings.listenDelayUs(),
                settings.telemetry());
        NixlException.check(
                capi.agents().createConfiguredAgent(arena.allocateFrom(settings.name()), config, out),
                "an agent cannot be made: name=" + settings.name());
        handle = out.get(JAVA_LONG, 0);
    }

    /**
     * Makes an agent with a UCX backend; 50 to 140 ms.
     *
     * @throws NixlException the library refused
     */
    public static NixlAgent open(NixlCapi capi, NixlAgentSettings settings) {
        NixlAgent agent = new NixlAgent(capi, settings);
        try {
            agent.createBackend("UCX");
            NixlException.check(capi.notifications().createNotifMap(agent.out), "a map cannot be made");
            agent.inbox = agent.out.get(JAVA_LONG, 0);
            return agent;
        } catch (NixlException e) {
            agent.close();
            throw e;
        }
    }

    /**
     * Makes a backend with its default parameters and returns its handle, which {@link NixlBackends#destroyBackend} frees.
     *
     * @throws NixlException no such plugin, or it cannot be loaded
     */
    public long createBackend(String plugin) {
        NixlBackends backends = capi.backends();
        synchronized (life) {
            return createBackend(backends, plugin);
        }
    }

    private long createBackend(NixlBackends backends, String plugin) {
        requireOpen();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment name = call.allocateFrom(plugin);
            MemorySegment memList = call.allocate(ADDRESS);
            MemorySegment params = call.allocate(ADDRESS);
            MemorySegment backend = call.allocate(ADDRESS);
            NixlException.check(
                    backends.getPluginParams(handle, name, memList, params), "no such plugin: plugin=" + plugin);
            int status = backends.createBackend(handle, name, params.get(JAVA_LONG, 0), backend);
            backends.destroyMemList(memList.get(JAVA_LONG, 0));
            backends.destroyParams(params.get(JAVA_LONG, 0));
            NixlException.check(status, "a backend cannot be made: plugin=" + plugin);
            return backend.get(JAVA_LONG, 0);
        }
    }

    /** The agent's name. */
    public String name() {
        return settings.name();
    }

    /** The functions that this agent is made with. */
    public NixlCapi capi() {
        return capi;
    }

    /** {@code nixl_capi_agent_t}, good until {@link #close}. */
    public long handle() {
        return handle;
    }

    /** The other agent of that name, known to this one or not. */
    public NixlPeer peer(String name) {
        return peers.named(name);
    }

    /** What another agent has to {@link #load} to send to this one; some 450 bytes. */
    public byte[] metadata() {
        synchronized (life) {
            requireOpen();
            return readMetadata();
        }
    }

    private byte[] readMetadata() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment data = call.allocate(ADDRESS);
            MemorySegment bytes = call.allocate(JAVA_LONG);
            NixlException.check(capi.agents().getLocalMd(handle, data, bytes), "no metadata: agent=" + name());
            long address = data.get(JAVA_LONG, 0);
            try {
                return LibraryMemory.bytes(address, bytes.get(JAVA_LONG, 0));
            } finally {
                HeapMemory.free(address);
            }
        }
    }

    /**
     * Makes another agent known by its metadata.
     *
     * @throws NixlException it is not an agent's metadata
     */
    public NixlPeer load(byte[] metadata) {
        synchronized (life) {
            requireOpen();
            return loadCopy(metadata);
        }
    }

    private NixlPeer loadCopy(byte[] metadata) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment name = call.allocate(ADDRESS);
            MemorySegment data = call.allocate(Math.max(1, metadata.length));
            data.copyFrom(MemorySegment.ofArray(metadata));
            NixlException.check(
                    capi.agents().loadRemoteMd(handle, data, metadata.length, name),
                    "not an agent's metadata: bytes=" + metadata.length);
            long address = name.get(JAVA_LONG, 0);
            try {
                return peers.named(LibraryMemory.string(address));
            } finally {
                HeapMemory.free(address);
            }
        }
    }

    /**
     * Asks a listening agent for its metadata. Returns at once; {@link #knows} says when it has come.
     *
     * @param ipAddress where it listens, as digits
     */
    public int fetch(NixlPeer peer, String ipAddress, int port) {
        requireOpen();
        long at = listenerAt(ipAddress, port);
        try {
            return capi.agents().fetchRemoteMd(handle, peer.cName(), at);
        } finally {
            capi.options().destroyOptArgs(at);
        }
    }

    /** Gives this agent's metadata to a listening agent. Returns at once. */
    public int send(String ipAddress, int port) {
        synchronized (life) {
            requireOpen();
            long at = listenerAt(ipAddress, port);
            try {
                return capi.agents().sendLocalMd(handle, at);
            } finally {
                capi.options().destroyOptArgs(at);
            }
        }
    }

    private long listenerAt(String ipAddress, int port) {
        NixlOptions options = capi.options();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment args = call.allocate(ADDRESS);
            NixlException.check(options.createOptArgs(args), "options cannot be made");
            long at = args.get(JAVA_LONG, 0);
            int status = options.optArgsSetIpAddr(at, call.allocateFrom(ipAddress));
            if (status == NIXL_CAPI_SUCCESS) {
                status = options.optArgsSetPort(at, (short) port);
            }
            if (status != NIXL_CAPI_SUCCESS) {
                options.destroyOptArgs(at);
                throw new NixlException("not an address: listener=" + ipAddress + ":" + port, status);
            }
            return at;
        }
    }

    /** Whether the other agent's metadata has been loaded. Says nothing about whether it still lives. */
    public boolean knows(NixlPeer peer) {
        requireOpen();
        return capi.agents().checkRemoteMd(handle, peer.cName(), 0) == NIXL_CAPI_SUCCESS;
    }

    /** Drops another agent's metadata and connections: before it is loaded anew. */
    public int forget(NixlPeer peer) {
        requireOpen();
        return capi.agents().invalidateRemoteMd(handle, peer.cName());
    }

    /**
     * Sends a notification; 2 µs. NIXL bounds nothing: what a receiver does not poll piles up in its memory.
     *
     * @param data off-heap memory; copied before this returns
     * @return {@link NixlConstants#NIXL_CAPI_SUCCESS}: taken over, which is not delivered;
     *     {@link NixlConstants#NIXL_CAPI_ERROR_NOT_FOUND}: its metadata is not loaded;
     *     {@link NixlConstants#NIXL_CAPI_ERROR_BACKEND}: it has gone, and has to be forgotten and loaded anew
     */
    public int notify(NixlPeer peer, MemorySegment data, long bytes) {
        requireOpen();
        return notifications.genNotif(handle, peer.cName(), data, bytes, 0);
    }

    /**
     * Hands over every notification that has come in, each sender's in the order of its arrival; 0.3 µs when there is none.
     *
     * @param buffer the caller's memory that each is copied into
     * @throws IllegalStateException called by the handler
     * @return how many there were; negative = {@code NIXL_CAPI_ERROR_*}
     */
    public int poll(MemorySegment buffer, NixlNotificationHandler handler) {
        synchronized (polling) {
            requireOpen();
            if (handing) {
                throw new IllegalStateException("polled by its own handler: agent=" + name());
            }
            int status = notifications.getNotifs(handle, inbox, 0);
            if (status != NIXL_CAPI_SUCCESS) {
                return Math.min(status, 0);
            }
            notifications.notifMapSize(inbox, out);
            long senders = out.get(JAVA_LONG, 0);
            return senders == 0 ? 0 : handOver((int) senders, buffer, handler);
        }
    }

    private int handOver(int senders, MemorySegment buffer, NixlNotificationHandler handler) {
        handing = true;
        try {
            int count = 0;
            for (int i = 0; i < senders; i++) {
                notifications.notifMapGetAgentAt(inbox, i, out);
                count += handOver(out.get(JAVA_LONG, 0), buffer, handler);
            }
            return count;
        } finally {
            handing = false;
            notifications.notifMapClear(inbox);
        }
    }

    private int handOver(long senderName, MemorySegment buffer, NixlNotificationHandler handler) {
        NixlPeer sender = peers.find(senderName);
        notifications.notifMapGetNotifsSize(inbox, senderName, out);
        int count = (int) out.get(JAVA_LONG, 0);
        for (long i = 0; i < count; i++) {
            notifications.notifMapGetNotif(inbox, senderName, i, out, out1);
            long bytes = out1.get(JAVA_LONG, 0);
            LibraryMemory.copy(out.get(JAVA_LONG, 0), buffer, Math.min(bytes, buffer.byteSize()));
            handler.onNotification(sender, buffer, bytes);
        }
        return count;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("closed: agent=" + name());
        }
    }

    /**
     * Ends the agent and its threads. What was made with its {@link #handle} is ended before.
     *
     * @throws IllegalStateException called by the handler of a notification
     */
    @Override
    public void close() {
        synchronized (life) {
            synchronized (polling) {
                if (handing) {
                    throw new IllegalStateException("closed by its own handler: agent=" + name());
                }
                if (closed) {
                    return;
                }
                closed = true;
                closeArena();
                if (inbox != 0) {
                    notifications.destroyNotifMap(inbox);
                }
                capi.agents().destroyAgent(handle);
            }
        }
    }

    private void closeArena() {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException callUnderWay) {
                LockSupport.parkNanos(CLOSE_PAUSE_NS);
            }
        }
    }
}
