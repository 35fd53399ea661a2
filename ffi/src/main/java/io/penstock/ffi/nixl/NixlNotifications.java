package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.A;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JAAJJ;
import static io.penstock.ffi.nixl.Shapes.JJA;
import static io.penstock.ffi.nixl.Shapes.JJJ;
import static io.penstock.ffi.nixl.Shapes.JJJAA;

import java.lang.foreign.MemorySegment;

/**
 * Notifications: bytes that an agent sends to another, with a transfer or alone. No memory need be registered for them.
 *
 * <p>A map holds what has come in, by sender. Names and bytes out of a map are the map's: their addresses hold until
 * {@link #notifMapClear} or {@link #destroyNotifMap}, so the functions that take a name take it as such an address.
 *
 * <p><b>Threading:</b> the agent as its settings say; a map by one thread at a time. <b>Cost:</b> no allocation; 0.3 µs to find
 * nothing, 2 µs to send.
 */
public final class NixlNotifications {
    private final NixlSymbols library;
    private final MemorySegment genNotif;
    private final MemorySegment getNotifs;
    private final MemorySegment createNotifMap;
    private final MemorySegment destroyNotifMap;
    private final MemorySegment notifMapSize;
    private final MemorySegment notifMapGetAgentAt;
    private final MemorySegment notifMapGetNotifsSize;
    private final MemorySegment notifMapGetNotif;
    private final MemorySegment notifMapClear;

    NixlNotifications(NixlSymbols library) {
        this.library = library;
        genNotif = library.find("nixl_capi_gen_notif", JAAJJ);
        getNotifs = library.find("nixl_capi_get_notifs", JJJ);
        createNotifMap = library.find("nixl_capi_create_notif_map", A);
        destroyNotifMap = library.find("nixl_capi_destroy_notif_map", J);
        notifMapSize = library.find("nixl_capi_notif_map_size", JA);
        notifMapGetAgentAt = library.find("nixl_capi_notif_map_get_agent_at", JJA);
        notifMapGetNotifsSize = library.find("nixl_capi_notif_map_get_notifs_size", JJA);
        notifMapGetNotif = library.find("nixl_capi_notif_map_get_notif", JJJAA);
        notifMapClear = library.find("nixl_capi_notif_map_clear", J);
    }

    /**
     * Sends a notification to a known agent. Success = taken over for sending, not delivered; the bytes are copied. A
     * peer that has gone gives {@link NixlConstants#NIXL_CAPI_ERROR_BACKEND}, and goes on doing so until it is
     * invalidated.
     */
    public int genNotif(long agent, MemorySegment remoteAgent, MemorySegment data, long bytes, long optArgs) {
        try {
            return (int) JAAJJ.invokeExact(genNotif, agent, remoteAgent, data, bytes, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_gen_notif", e);
        }
    }

    /** Moves what has come in to the end of the map. Also drives sending where the agent has no progress thread. */
    public int getNotifs(long agent, long map, long optArgs) {
        try {
            return (int) JJJ.invokeExact(getNotifs, agent, map, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_notifs", e);
        }
    }

    /** Makes an empty map. */
    public int createNotifMap(MemorySegment map) {
        try {
            return (int) A.invokeExact(createNotifMap, map);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_notif_map", e);
        }
    }

    /** Destroys a map. */
    public int destroyNotifMap(long map) {
        try {
            return (int) J.invokeExact(destroyNotifMap, map);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_notif_map", e);
        }
    }

    /** Number of senders in the map. */
    public int notifMapSize(long map, MemorySegment size) {
        try {
            return (int) JA.invokeExact(notifMapSize, map, size);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_notif_map_size", e);
        }
    }

    /** Address of a sender's name. */
    public int notifMapGetAgentAt(long map, long index, MemorySegment agentName) {
        try {
            return (int) JJA.invokeExact(notifMapGetAgentAt, map, index, agentName);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_notif_map_get_agent_at", e);
        }
    }

    /** Number of a sender's notifications. */
    public int notifMapGetNotifsSize(long map, long agentName, MemorySegment size) {
        try {
            return (int) JJA.invokeExact(notifMapGetNotifsSize, map, agentName, size);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_notif_map_get_notifs_size", e);
        }
    }

    /** Address and length of a notification, in the order received. */
    public int notifMapGetNotif(long map, long agentName, long index, MemorySegment data, MemorySegment bytes) {
        try {
            return (int) JJJAA.invokeExact(notifMapGetNotif, map, agentName, index, data, bytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_notif_map_get_notif", e);
        }
    }

    /** Empties the map. */
    public int notifMapClear(long map) {
        try {
            return (int) J.invokeExact(notifMapClear, map);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_notif_map_clear", e);
        }
    }
}
