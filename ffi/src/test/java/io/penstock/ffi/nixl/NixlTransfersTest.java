package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_COST_ANALYTICAL_BACKEND;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_BACKEND;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_INVALID_PARAM;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_INVALID_STATE;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_NO_TELEMETRY;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_IN_PROG;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_DRAM;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_FILE;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_XFER_OP_READ;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_XFER_OP_WRITE;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ffi.libc.HeapMemory;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory moved between two agents of one process. */
class NixlTransfersTest extends NixlCase {
    private static final int BYTES = 4096;

    private final MemorySegment ours = arena.allocate(BYTES, 4096);
    private final MemorySegment theirs = arena.allocate(BYTES, 4096);
    private NixlTransfers transfers;
    private NixlAgent left;
    private NixlAgent right;
    private NixlPeer rightPeer;
    private long ourRegistration;
    private long theirRegistration;
    private long local;
    private long remote;

    @BeforeEach
    void introduce() {
        transfers = capi.transfers();
        left = NixlAgent.open(capi, NixlAgentSettings.named("left").timed());
        right = NixlAgent.open(capi, NixlAgentSettings.named("right"));
        ourRegistration = register(left, ours);
        theirRegistration = register(right, theirs);
        rightPeer = left.load(right.metadata());
        right.load(left.metadata());
        local = list(ours);
        remote = list(theirs);
    }

    @AfterEach
    void end() {
        if (left != null) {
            ok(capi.regDlists().deregisterMem(left.handle(), ourRegistration, 0));
            ok(capi.regDlists().deregisterMem(right.handle(), theirRegistration, 0));
            ok(capi.regDlists().destroyRegDlist(ourRegistration));
            ok(capi.regDlists().destroyRegDlist(theirRegistration));
            ok(capi.xferDlists().destroyXferDlist(local));
            ok(capi.xferDlists().destroyXferDlist(remote));
            left.close();
            right.close();
        }
    }

    private long register(NixlAgent agent, MemorySegment memory) {
        NixlRegDlists lists = capi.regDlists();
        long list = out(l -> lists.createRegDlist(NIXL_CAPI_MEM_DRAM, l));
        ok(lists.regDlistAddDesc(list, memory.address(), memory.byteSize(), 0, MemorySegment.NULL, 0));
        ok(lists.registerMem(agent.handle(), list, 0));
        return list;
    }

    private long list(MemorySegment memory) {
        NixlXferDlists lists = capi.xferDlists();
        long list = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_DRAM, l));
        ok(lists.xferDlistAddDesc(list, memory.address(), memory.byteSize(), 0));
        return list;
    }

    private void run(long request) {
        int posted = transfers.postXferReq(left.handle(), request, 0);
        assertTrue(posted == 0 || posted == NIXL_CAPI_IN_PROG, () -> NixlConstants.statusText(posted));
        await("the transfer", () -> transfers.getXferStatus(left.handle(), request) != NIXL_CAPI_IN_PROG);
        ok(transfers.getXferStatus(left.handle(), request));
    }

    private void end(long request) {
        ok(transfers.releaseXferReq(left.handle(), request));
        ok(transfers.destroyXferReq(request));
    }

    @Test
    void shouldWriteReadAndNotifyBetweenAgents() {
        ok(capi.agents().agentMakeConnection(left.handle(), rightPeer.cName(), 0));
        long options = out(capi.options()::createOptArgs);
        ok(capi.options().optArgsSetNotifMsg(options, text("written"), 7));
        ok(capi.options().optArgsSetHasNotif(options, true));
        ours.fill((byte) 7);
        long write = out(r -> transfers.createXferReq(
                left.handle(), NIXL_CAPI_XFER_OP_WRITE, local, remote, rightPeer.cName(), r, options));
        run(write);
        List<String> taken = new ArrayList<>();
        MemorySegment buffer = arena.allocate(64);
        await(
                "the notification",
                () -> right.poll(buffer, (sender, data, bytes) -> taken.add(sender + ":" + bytes)) > 0);
        assertEquals(List.of("left:7"), taken);
        assertEquals(-1, theirs.mismatch(ours));

        ours.fill((byte) 8);
        run(write); // one that is done may be posted again
        assertEquals(8, theirs.get(JAVA_BYTE, BYTES - 1));
        assertEquals(NIXL_CAPI_ERROR_INVALID_STATE, transfers.destroyXferReq(write));
        end(write);
        ok(capi.options().destroyOptArgs(options));

        theirs.fill((byte) 9);
        long read = out(r ->
                transfers.createXferReq(left.handle(), NIXL_CAPI_XFER_OP_READ, local, remote, rightPeer.cName(), r, 0));
        run(read);
        assertEquals(-1, theirs.mismatch(ours));
        long backend = out(b -> transfers.queryXferBackend(left.handle(), read, b));
        assertTrue(backend != 0);
        ok(capi.backends().destroyBackend(backend));
        end(read);
    }

    @Test
    void shouldTimeTransfersOnlyWhenTheAgentWasMadeSo() {
        long request = out(r -> transfers.createXferReq(
                left.handle(), NIXL_CAPI_XFER_OP_WRITE, local, remote, rightPeer.cName(), r, 0));
        MemorySegment micros = arena.allocate(JAVA_LONG, 2);
        MemorySegment method = arena.allocate(JAVA_INT);
        ok(transfers.estimateXferCost(left.handle(), request, 0, micros, micros.asSlice(8), method));
        assertEquals(NIXL_CAPI_COST_ANALYTICAL_BACKEND, method.get(JAVA_INT, 0));
        assertTrue(micros.get(JAVA_LONG, 0) >= 0);
        run(request);
        MemorySegment struct = arena.allocate(XferTelemetry.LAYOUT);
        ok(transfers.getXferTelemetry(left.handle(), request, struct));
        XferTelemetry telemetry = XferTelemetry.of(struct);
        assertEquals(BYTES, telemetry.bytes());
        assertEquals(1, telemetry.descriptors());
        end(request);

        NixlPeer leftPeer = right.peer("left");
        long untimed = out(r -> transfers.createXferReq(
                right.handle(), NIXL_CAPI_XFER_OP_WRITE, remote, local, leftPeer.cName(), r, 0));
        assertEquals(NIXL_CAPI_ERROR_NO_TELEMETRY, transfers.getXferTelemetry(right.handle(), untimed, struct));
        ok(transfers.releaseXferReq(right.handle(), untimed));
        ok(transfers.destroyXferReq(untimed));
    }

    @Test
    void shouldMoveChosenDescriptorsOfPreparedLists() {
        NixlXferDlists lists = capi.xferDlists();
        long ourPages = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_DRAM, l));
        long theirPages = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_DRAM, l));
        for (int page = 0; page < 4; page++) {
            ok(lists.xferDlistAddDesc(ourPages, ours.address() + page * 1024L, 1024, 0));
            ok(lists.xferDlistAddDesc(theirPages, theirs.address() + page * 1024L, 1024, 0));
        }
        long from = out(h -> transfers.prepXferDlist(left.handle(), text(""), ourPages, h, 0));
        long to = out(h -> transfers.prepXferDlist(left.handle(), rightPeer.cName(), theirPages, h, 0));
        ours.asSlice(1024, 1024).fill((byte) 1);
        MemorySegment second = arena.allocateFrom(JAVA_INT, 1);
        MemorySegment last = arena.allocateFrom(JAVA_INT, 3);
        long request = out(
                r -> transfers.makeXferReq(left.handle(), NIXL_CAPI_XFER_OP_WRITE, from, second, 1, to, last, 1, r, 0));
        run(request);
        assertEquals(3072, theirs.mismatch(arena.allocate(BYTES)));
        assertEquals(-1, theirs.asSlice(3072).mismatch(ours.asSlice(1024, 1024)));
        end(request);
        ok(transfers.releaseXferDlistHandle(left.handle(), from));
        ok(transfers.releaseXferDlistHandle(left.handle(), to));
        ok(lists.destroyXferDlist(ourPages));
        ok(lists.destroyXferDlist(theirPages));
    }

    @Test
    void shouldGiveMetadataOfSomeMemoryOnly() {
        MemorySegment data = arena.allocate(ADDRESS);
        MemorySegment bytes = arena.allocate(JAVA_LONG);
        ok(capi.agents().getLocalPartialMd(right.handle(), theirRegistration, data, bytes, 0));
        byte[] partial = LibraryMemory.bytes(data.get(JAVA_LONG, 0), bytes.get(JAVA_LONG, 0));
        HeapMemory.free(data.get(JAVA_LONG, 0));
        try (NixlAgent third = NixlAgent.open(capi, NixlAgentSettings.named("third"))) {
            NixlPeer peer = third.peer("right");
            assertTrue(capi.agents().checkRemoteMd(third.handle(), peer.cName(), remote) < 0);
            third.load(right.metadata());
            assertEquals("right", third.load(partial).name());
            ok(capi.agents().checkRemoteMd(third.handle(), peer.cName(), remote));
            ok(third.forget(peer));
            assertTrue(!third.knows(peer));
        }
    }

    /** Views are for kernels on a device: without one the backend refuses, and there is nothing to release. */
    @Test
    void shouldRefuseMemoryViewsWhenThereIsNoDevice() {
        MemorySegment view = arena.allocate(ADDRESS);
        NixlXferDlists lists = capi.xferDlists();
        long buffers = out(l -> lists.createRemoteDlist(NIXL_CAPI_MEM_DRAM, l));
        ok(lists.remoteDlistAddDesc(buffers, theirs.address(), BYTES, 0, rightPeer.cName()));
        assertEquals(NIXL_CAPI_ERROR_BACKEND, transfers.prepMemViewLocal(left.handle(), local, view, 0));
        assertEquals(NIXL_CAPI_ERROR_BACKEND, transfers.prepMemViewRemote(left.handle(), buffers, view, 0));
        assertEquals(NIXL_CAPI_ERROR_INVALID_PARAM, transfers.releaseMemView(left.handle(), 0));
        ok(lists.destroyRemoteDlist(buffers));
    }

    @Test
    void shouldWriteFilesThroughPosix(@TempDir Path folder) throws Throwable {
        Path page = Files.write(folder.resolve("page"), new byte[2 * BYTES]);
        MethodHandle open = libc("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        MethodHandle close = libc("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        int file = (int) open.invokeExact(text(page.toString()), 2);
        long backend = left.createBackend("POSIX");
        long options = out(capi.options()::createOptArgs);
        ok(capi.options().optArgsAddBackend(options, backend));
        NixlRegDlists regDlists = capi.regDlists();
        long registration = out(l -> regDlists.createRegDlist(NIXL_CAPI_MEM_FILE, l));
        ok(regDlists.regDlistAddDesc(registration, 0, 2 * BYTES, file, MemorySegment.NULL, 0));
        ok(regDlists.registerMem(left.handle(), registration, options));
        ok(regDlists.registerMem(left.handle(), ourRegistration, options));
        long place = out(l -> capi.xferDlists().createXferDlist(NIXL_CAPI_MEM_FILE, l));
        ok(capi.xferDlists().xferDlistAddDesc(place, BYTES, BYTES, file));
        ours.fill((byte) 5);
        long request = out(r -> transfers.createXferReq(
                left.handle(), NIXL_CAPI_XFER_OP_WRITE, local, place, text("left"), r, options));
        run(request);
        end(request);
        byte[] written = Files.readAllBytes(page);
        assertEquals(0, written[BYTES - 1]);
        assertEquals(-1, MemorySegment.ofArray(written).asSlice(BYTES).mismatch(ours));
        ok(regDlists.deregisterMem(left.handle(), registration, options));
        ok(regDlists.deregisterMem(left.handle(), ourRegistration, options));
        ok(regDlists.destroyRegDlist(registration));
        ok(capi.xferDlists().destroyXferDlist(place));
        ok(capi.options().destroyOptArgs(options));
        ok(capi.backends().destroyBackend(backend));
        assertEquals(0, (int) close.invokeExact(file));
    }

    private static MethodHandle libc(String name, FunctionDescriptor function) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), function);
    }
}
