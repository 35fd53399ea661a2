package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Another agent, by its name: kept as a C string, so that sending makes none.
 *
 * <p><b>Threading:</b> immutable; usable until the agent that it was asked from is closed.
 */
public final class NixlPeer {
    private final String name;
    private final MemorySegment cName;

    NixlPeer(String name, MemorySegment cName) {
        this.name = name;
        this.cName = cName;
    }

    /** The agent's name. */
    public String name() {
        return name;
    }

    /** The name as a C string, for the functions of the C API. */
    public MemorySegment cName() {
        return cName;
    }

    /** Whether the C string at an address is this name. */
    boolean isNamed(long address) {
        for (long i = 0; ; i++) {
            byte own = cName.get(JAVA_BYTE, i);
            if (own != LibraryMemory.byteAt(address + i)) {
                return false;
            }
            if (own == 0) {
                return true;
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
