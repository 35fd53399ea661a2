package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.IA;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JI;
import static io.penstock.ffi.nixl.Shapes.JJ;
import static io.penstock.ffi.nixl.Shapes.JJJ;
import static io.penstock.ffi.nixl.Shapes.JJJJAJ;

import java.lang.foreign.MemorySegment;

/**
 * Lists of registration descriptors (address, bytes, device, metadata), and the registration of memory with an agent.
 *
 * <p>A list is made and destroyed by the caller, and copies the metadata. It holds addresses, not memory: <b>registered memory
 * must outlive its deregistration</b>, so an arena that is closed before frees memory that a device may still write to.
 *
 * <p><b>Threading:</b> one thread at a time for a list; the agent as its settings say. <b>Cost:</b> no allocation.
 */
public final class NixlRegDlists {
    private final NixlSymbols library;
    private final MemorySegment createRegDlist;
    private final MemorySegment destroyRegDlist;
    private final MemorySegment regDlistGetType;
    private final MemorySegment regDlistAddDesc;
    private final MemorySegment regDlistDescCount;
    private final MemorySegment regDlistIsEmpty;
    private final MemorySegment regDlistTrim;
    private final MemorySegment regDlistRemDesc;
    private final MemorySegment regDlistClear;
    private final MemorySegment regDlistResize;
    private final MemorySegment regDlistPrint;
    private final MemorySegment registerMem;
    private final MemorySegment deregisterMem;

    NixlRegDlists(NixlSymbols library) {
        this.library = library;
        createRegDlist = library.find("nixl_capi_create_reg_dlist", IA);
        destroyRegDlist = library.find("nixl_capi_destroy_reg_dlist", J);
        regDlistGetType = library.find("nixl_capi_reg_dlist_get_type", JA);
        regDlistAddDesc = library.find("nixl_capi_reg_dlist_add_desc", JJJJAJ);
        regDlistDescCount = library.find("nixl_capi_reg_dlist_desc_count", JA);
        regDlistIsEmpty = library.find("nixl_capi_reg_dlist_is_empty", JA);
        regDlistTrim = library.find("nixl_capi_reg_dlist_trim", J);
        regDlistRemDesc = library.find("nixl_capi_reg_dlist_rem_desc", JI);
        regDlistClear = library.find("nixl_capi_reg_dlist_clear", J);
        regDlistResize = library.find("nixl_capi_reg_dlist_resize", JJ);
        regDlistPrint = library.find("nixl_capi_reg_dlist_print", J);
        registerMem = library.find("nixl_capi_register_mem", JJJ);
        deregisterMem = library.find("nixl_capi_deregister_mem", JJJ);
    }

    /** Makes an empty list. */
    public int createRegDlist(int memType, MemorySegment dlist) {
        try {
            return (int) IA.invokeExact(createRegDlist, memType, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_reg_dlist", e);
        }
    }

    /** Destroys a list; what was registered with it stays registered. */
    public int destroyRegDlist(long dlist) {
        try {
            return (int) J.invokeExact(destroyRegDlist, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_reg_dlist", e);
        }
    }

    /** The list's kind of memory (int). */
    public int regDlistGetType(long dlist, MemorySegment memType) {
        try {
            return (int) JA.invokeExact(regDlistGetType, dlist, memType);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_get_type", e);
        }
    }

    /**
     * Adds a descriptor. Of a file to register: address = offset, device = file descriptor; of a file to ask for:
     * metadata = its path.
     */
    public int regDlistAddDesc(
            long dlist, long address, long bytes, long deviceId, MemorySegment metadata, long metadataBytes) {
        try {
            return (int) JJJJAJ.invokeExact(regDlistAddDesc, dlist, address, bytes, deviceId, metadata, metadataBytes);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_add_desc", e);
        }
    }

    /** Number of descriptors. */
    public int regDlistDescCount(long dlist, MemorySegment count) {
        try {
            return (int) JA.invokeExact(regDlistDescCount, dlist, count);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_desc_count", e);
        }
    }

    /** Whether there is no descriptor (one byte). */
    public int regDlistIsEmpty(long dlist, MemorySegment isEmpty) {
        try {
            return (int) JA.invokeExact(regDlistIsEmpty, dlist, isEmpty);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_is_empty", e);
        }
    }

    /** Gives spare room back. */
    public int regDlistTrim(long dlist) {
        try {
            return (int) J.invokeExact(regDlistTrim, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_trim", e);
        }
    }

    /** Removes a descriptor. */
    public int regDlistRemDesc(long dlist, int index) {
        try {
            return (int) JI.invokeExact(regDlistRemDesc, dlist, index);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_rem_desc", e);
        }
    }

    /** Removes all descriptors. */
    public int regDlistClear(long dlist) {
        try {
            return (int) J.invokeExact(regDlistClear, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_clear", e);
        }
    }

    /** Makes the list that long; new descriptors are empty. */
    public int regDlistResize(long dlist, long newSize) {
        try {
            return (int) JJ.invokeExact(regDlistResize, dlist, newSize);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_resize", e);
        }
    }

    /** Prints the list to standard output. */
    public int regDlistPrint(long dlist) {
        try {
            return (int) J.invokeExact(regDlistPrint, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_reg_dlist_print", e);
        }
    }

    /**
     * Registers memory with the backends in {@code optArgs}, or with all that know its kind (0). Pins pages; may
     * block.
     */
    public int registerMem(long agent, long dlist, long optArgs) {
        try {
            return (int) JJJ.invokeExact(registerMem, agent, dlist, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_register_mem", e);
        }
    }

    /** Takes registrations back; the memory may be freed after it. */
    public int deregisterMem(long agent, long dlist, long optArgs) {
        try {
            return (int) JJJ.invokeExact(deregisterMem, agent, dlist, optArgs);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_deregister_mem", e);
        }
    }
}
