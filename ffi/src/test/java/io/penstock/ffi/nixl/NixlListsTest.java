package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_BLOCK;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_DRAM;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_FILE;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_VRAM;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ffi.libc.HeapMemory;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What is kept by the library alone: lists of descriptors, and options. */
class NixlListsTest extends NixlCase {
    @Test
    void shouldKeepTransferDescriptors() {
        NixlXferDlists lists = capi.xferDlists();
        long list = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_VRAM, l));
        assertEquals(NIXL_CAPI_MEM_VRAM, outInt(type -> lists.xferDlistGetType(list, type)));
        assertTrue(outFlag(empty -> lists.xferDlistIsEmpty(list, empty)));
        for (int i = 0; i < 3; i++) {
            ok(lists.xferDlistAddDesc(list, 4096 * (i + 1), 4096, i));
        }
        assertEquals(3, out(count -> lists.xferDlistDescCount(list, count)));
        assertEquals(3, out(count -> lists.xferDlistLen(list, count)));
        ok(lists.xferDlistRemDesc(list, 1));
        ok(lists.xferDlistTrim(list));
        assertEquals(2, out(count -> lists.xferDlistDescCount(list, count)));
        ok(lists.xferDlistResize(list, 5));
        assertEquals(5, out(count -> lists.xferDlistDescCount(list, count)));
        ok(lists.xferDlistClear(list));
        assertTrue(outFlag(empty -> lists.xferDlistIsEmpty(list, empty)));
        ok(lists.destroyXferDlist(list));
    }

    @Test
    void shouldKeepRegistrationDescriptors() {
        NixlRegDlists lists = capi.regDlists();
        long list = out(l -> lists.createRegDlist(NIXL_CAPI_MEM_FILE, l));
        assertEquals(NIXL_CAPI_MEM_FILE, outInt(type -> lists.regDlistGetType(list, type)));
        assertTrue(outFlag(empty -> lists.regDlistIsEmpty(list, empty)));
        for (int i = 0; i < 3; i++) {
            ok(lists.regDlistAddDesc(list, 0, 0, i, text("/tmp/" + i), 6));
        }
        assertFalse(outFlag(empty -> lists.regDlistIsEmpty(list, empty)));
        ok(lists.regDlistRemDesc(list, 0));
        ok(lists.regDlistTrim(list));
        assertEquals(2, out(count -> lists.regDlistDescCount(list, count)));
        ok(lists.regDlistResize(list, 4));
        assertEquals(4, out(count -> lists.regDlistDescCount(list, count)));
        ok(lists.regDlistClear(list));
        assertEquals(0, out(count -> lists.regDlistDescCount(list, count)));
        ok(lists.destroyRegDlist(list));
    }

    @Test
    void shouldTakeBuffersOfManyAgents() {
        NixlXferDlists lists = capi.xferDlists();
        long list = out(l -> lists.createRemoteDlist(NIXL_CAPI_MEM_BLOCK, l));
        ok(lists.remoteDlistAddDesc(list, 4096, 4096, 0, text("somebody")));
        ok(lists.remoteDlistAddDesc(list, 4096, 4096, 0, MemorySegment.NULL));
        ok(lists.destroyRemoteDlist(list));
        assertTrue(lists.createRemoteDlist(NIXL_CAPI_MEM_DRAM, MemorySegment.NULL) < 0);
    }

    @Test
    void shouldGiveOptionsBackAsTheyWereSet() {
        NixlOptions options = capi.options();
        long args = out(options::createOptArgs);
        assertFalse(outFlag(flag -> options.optArgsGetHasNotif(args, flag)));
        ok(options.optArgsSetHasNotif(args, true));
        assertTrue(outFlag(flag -> options.optArgsGetHasNotif(args, flag)));
        assertFalse(outFlag(flag -> options.optArgsGetSkipDescMerge(args, flag)));
        ok(options.optArgsSetSkipDescMerge(args, true));
        assertTrue(outFlag(flag -> options.optArgsGetSkipDescMerge(args, flag)));

        byte[] message = {1, 0, 2};
        ok(options.optArgsSetNotifMsg(args, bytes(message), message.length));
        assertArrayEquals(message, copied(options::optArgsGetNotifMsg, args));
        assertArrayEquals(new byte[0], copied(options::optArgsGetCustomParam, args));
        byte[] custom = {0, 9, 8, 7};
        ok(options.optArgsSetCustomParam(args, bytes(custom), custom.length));
        assertArrayEquals(custom, copied(options::optArgsGetCustomParam, args));
        ok(options.optArgsSetIpAddr(args, text("127.0.0.1")));
        ok(options.optArgsSetPort(args, (short) 65_535));
        ok(options.destroyOptArgs(args));
    }

    private MemorySegment bytes(byte[] bytes) {
        return arena.allocateFrom(JAVA_BYTE, bytes);
    }

    private interface Getter {
        int get(long args, MemorySegment data, MemorySegment bytes);
    }

    private byte[] copied(Getter getter, long args) {
        MemorySegment data = arena.allocate(ADDRESS);
        MemorySegment bytes = arena.allocate(JAVA_LONG);
        ok(getter.get(args, data, bytes));
        byte[] copy = LibraryMemory.bytes(data.get(JAVA_LONG, 0), bytes.get(JAVA_LONG, 0));
        HeapMemory.free(data.get(JAVA_LONG, 0));
        return copy;
    }
}
