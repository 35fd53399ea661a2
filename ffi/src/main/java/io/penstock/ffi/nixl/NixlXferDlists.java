package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.IA;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JI;
import static io.penstock.ffi.nixl.Shapes.JJ;
import static io.penstock.ffi.nixl.Shapes.JJJJ;
import static io.penstock.ffi.nixl.Shapes.JJJJA;

import java.lang.foreign.MemorySegment;

/**
 * Lists of transfer descriptors (address, bytes, device) of one kind of memory, and lists whose descriptors each name the
 * agent that owns the buffer.
 *
 * <p>A list is made and destroyed by the caller. It holds addresses, not memory: what they point to stays the caller's.
 *
 * <p><b>Threading:</b> one thread at a time for a list. <b>Cost:</b> no allocation.
 */
public final class NixlXferDlists {
    private final NixlSymbols library;
    private final MemorySegment createXferDlist;
    private final MemorySegment destroyXferDlist;
    private final MemorySegment xferDlistGetType;
    private final MemorySegment xferDlistAddDesc;
    private final MemorySegment xferDlistDescCount;
    private final MemorySegment xferDlistLen;
    private final MemorySegment xferDlistIsEmpty;
    private final MemorySegment xferDlistTrim;
    private final MemorySegment xferDlistRemDesc;
    private final MemorySegment xferDlistClear;
    private final MemorySegment xferDlistResize;
    private final MemorySegment xferDlistPrint;
    private final MemorySegment createRemoteDlist;
    private final MemorySegment destroyRemoteDlist;
    private final MemorySegment remoteDlistAddDesc;

    NixlXferDlists(NixlSymbols library) {
        this.library = library;
        createXferDlist = library.find("nixl_capi_create_xfer_dlist", IA);
        destroyXferDlist = library.find("nixl_capi_destroy_xfer_dlist", J);
        xferDlistGetType = library.find("nixl_capi_xfer_dlist_get_type", JA);
        xferDlistAddDesc = library.find("nixl_capi_xfer_dlist_add_desc", JJJJ);
        xferDlistDescCount = library.find("nixl_capi_xfer_dlist_desc_count", JA);
        xferDlistLen = library.find("nixl_capi_xfer_dlist_len", JA);
        xferDlistIsEmpty = library.find("nixl_capi_xfer_dlist_is_empty", JA);
        xferDlistTrim = library.find("nixl_capi_xfer_dlist_trim", J);
        xferDlistRemDesc = library.find("nixl_capi_xfer_dlist_rem_desc", JI);
        xferDlistClear = library.find("nixl_capi_xfer_dlist_clear", J);
        xferDlistResize = library.find("nixl_capi_xfer_dlist_resize", JJ);
        xferDlistPrint = library.find("nixl_capi_xfer_dlist_print", J);
        createRemoteDlist = library.find("nixl_capi_create_remote_dlist", IA);
        destroyRemoteDlist = library.find("nixl_capi_destroy_remote_dlist", J);
        remoteDlistAddDesc = library.find("nixl_capi_remote_dlist_add_desc", JJJJA);
    }

    /** Makes an empty list. */
    public int createXferDlist(int memType, MemorySegment dlist) {
        try {
            return (int) IA.invokeExact(createXferDlist, memType, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_xfer_dlist", e);
        }
    }

    /** Destroys a list. */
    public int destroyXferDlist(long dlist) {
        try {
            return (int) J.invokeExact(destroyXferDlist, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_xfer_dlist", e);
        }
    }

    /** The list's kind of memory (int). */
    public int xferDlistGetType(long dlist, MemorySegment memType) {
        try {
            return (int) JA.invokeExact(xferDlistGetType, dlist, memType);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_get_type", e);
        }
    }

    /** Adds a descriptor. Of a file: address = offset, device = file descriptor. */
    public int xferDlistAddDesc(long dlist, long address, long bytes, long deviceId) {
        try {
            return (int) JJJJ.invokeExact(xferDlistAddDesc, dlist, address, bytes, deviceId);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_add_desc", e);
        }
    }

    /** Number of descriptors. */
    public int xferDlistDescCount(long dlist, MemorySegment count) {
        try {
            return (int) JA.invokeExact(xferDlistDescCount, dlist, count);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_desc_count", e);
        }
    }

    /** Number of descriptors, under its other name. */
    public int xferDlistLen(long dlist, MemorySegment count) {
        try {
            return (int) JA.invokeExact(xferDlistLen, dlist, count);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_len", e);
        }
    }

    /** Whether there is no descriptor (one byte). */
    public int xferDlistIsEmpty(long dlist, MemorySegment isEmpty) {
        try {
            return (int) JA.invokeExact(xferDlistIsEmpty, dlist, isEmpty);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_is_empty", e);
        }
    }

    /** Gives spare room back. */
    public int xferDlistTrim(long dlist) {
        try {
            return (int) J.invokeExact(xferDlistTrim, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_trim", e);
        }
    }

    /** Removes a descriptor. */
    public int xferDlistRemDesc(long dlist, int index) {
        try {
            return (int) JI.invokeExact(xferDlistRemDesc, dlist, index);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_rem_desc", e);
        }
    }

    /** Removes all descriptors. */
    public int xferDlistClear(long dlist) {
        try {
            return (int) J.invokeExact(xferDlistClear, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_clear", e);
        }
    }

    /** Makes the list that long; new descriptors are empty. */
    public int xferDlistResize(long dlist, long newSize) {
        try {
            return (int) JJ.invokeExact(xferDlistResize, dlist, newSize);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_resize", e);
        }
    }

    /** Prints the list to standard output. */
    public int xferDlistPrint(long dlist) {
        try {
            return (int) J.invokeExact(xferDlistPrint, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_xfer_dlist_print", e);
        }
    }

    /** Makes an empty list of buffers of other agents. */
    public int createRemoteDlist(int memType, MemorySegment dlist) {
        try {
            return (int) IA.invokeExact(createRemoteDlist, memType, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_remote_dlist", e);
        }
    }

    /** Destroys a list of buffers of other agents. */
    public int destroyRemoteDlist(long dlist) {
        try {
            return (int) J.invokeExact(destroyRemoteDlist, dlist);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_remote_dlist", e);
        }
    }

    /** Adds a buffer and the name of its agent; NULL keeps the place only. The name is copied. */
    public int remoteDlistAddDesc(long dlist, long address, long bytes, long deviceId, MemorySegment remoteAgent) {
        try {
            return (int) JJJJA.invokeExact(remoteDlistAddDesc, dlist, address, bytes, deviceId, remoteAgent);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_remote_dlist_add_desc", e);
        }
    }
}
