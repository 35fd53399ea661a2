package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The agents met so far, found by a C string without making one of Java's. Nobody is taken out: they are as many as there
 * are agents that have this one's metadata.
 *
 * <p><b>Threading:</b> thread-safe; writers take turns. <b>Cost:</b> finding allocates nothing.
 */
final class NixlPeers {
    private static final int FNV_BASIS = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private final Arena arena;
    private int count;
    // Written whole by add, under the lock, and read by find without it: the partner of both is the volatile field.
    private volatile NixlPeer[] table = new NixlPeer[16];

    NixlPeers(Arena arena) {
        this.arena = arena;
    }

    /** The agent whose name is the C string at this address; met now if it was not before. */
    NixlPeer find(long address) {
        NixlPeer[] peers = table;
        int mask = peers.length - 1;
        for (int i = hash(address) & mask; peers[i] != null; i = (i + 1) & mask) {
            if (peers[i].isNamed(address)) {
                return peers[i];
            }
        }
        return named(LibraryMemory.string(address));
    }

    /** The agent of that name; met now if it was not before. */
    synchronized NixlPeer named(String name) {
        for (NixlPeer peer : table) {
            if (peer != null && peer.name().equals(name)) {
                return peer;
            }
        }
        NixlPeer peer = new NixlPeer(name, arena.allocateFrom(name));
        NixlPeer[] larger = new NixlPeer[count * 4 >= table.length * 2 ? table.length * 2 : table.length];
        for (NixlPeer each : table) {
            if (each != null) {
                place(larger, each);
            }
        }
        place(larger, peer);
        count++;
        table = larger;
        return peer;
    }

    private static void place(NixlPeer[] peers, NixlPeer peer) {
        int mask = peers.length - 1;
        int i = hash(peer.cName()) & mask;
        while (peers[i] != null) {
            i = (i + 1) & mask;
        }
        peers[i] = peer;
    }

    private static int hash(long address) {
        int hash = FNV_BASIS;
        for (long i = address; LibraryMemory.byteAt(i) != 0; i++) {
            hash = (hash ^ LibraryMemory.byteAt(i)) * FNV_PRIME;
        }
        return hash ^ hash >>> 16;
    }

    private static int hash(MemorySegment name) {
        int hash = FNV_BASIS;
        for (long i = 0; name.get(JAVA_BYTE, i) != 0; i++) {
            hash = (hash ^ name.get(JAVA_BYTE, i)) * FNV_PRIME;
        }
        return hash ^ hash >>> 16;
    }
}
