package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_BACKEND;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_IN_PROG;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_DRAM;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_XFER_OP_READ;
import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_XFER_OP_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The router and an engine as they run: each in a process of its own. */
class NixlTwoProcessesTest extends NixlCase {
    private static final HexFormat HEX = HexFormat.of();
    private static final int BYTES = 1 << 20;
    private static final String LOOPBACK = "127.0.0.1";

    private final MemorySegment memory = arena.allocate(BYTES, 4096);
    private final MemorySegment buffer = arena.allocate(4096);

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }

    private String take(NixlAgent agent) {
        List<String> taken = new ArrayList<>();
        await(
                "a notification",
                () -> agent.poll(
                                buffer,
                                (sender, data, bytes) -> taken.add(sender + "="
                                        + new String(
                                                data.asSlice(0, bytes).toArray(JAVA_BYTE), StandardCharsets.UTF_8)))
                        > 0);
        return String.join(" ", taken);
    }

    @Test
    void shouldWriteReadAndNotifyWhenMetadataTravelsAsBytes() throws Exception {
        try (PeerProcess engine = new PeerProcess("engine", 0);
                NixlAgent router = NixlAgent.open(capi, NixlAgentSettings.named("router"))) {
            long ourRegistration = register(router);
            long address = Long.parseLong(engine.ask("register"));
            NixlPeer peer = router.load(HEX.parseHex(engine.ask("metadata")));
            assertEquals("engine", peer.name());
            assertEquals("router", engine.ask("load " + HEX.formatHex(router.metadata())));

            memory.fill((byte) 11);
            transfer(router, peer, NIXL_CAPI_XFER_OP_WRITE, address, "pages-written");
            assertEquals("router=pages-written", engine.ask("take 1"));
            assertEquals(Integer.toString(BYTES), engine.ask("count 11"));

            assertEquals("filled", engine.ask("fill 22"));
            transfer(router, peer, NIXL_CAPI_XFER_OP_READ, address, "pages-read");
            assertEquals("router=pages-read", engine.ask("take 1"));
            assertEquals(-1, memory.mismatch(arena.allocate(BYTES).fill((byte) 22)));

            ok(router.notify(peer, text("hint"), 4));
            assertEquals("router=hint", engine.ask("take 1"));
            assertEquals("success", engine.ask("notify router done"));
            assertEquals("engine=done", take(router));

            assertEquals("printed", engine.ask("print"));
            assertEquals(List.of("DescList of mem type 0", "DescList of mem type 0"), engine.printed());
            assertEquals(0, engine.end(), "exit of the engine");
            ok(capi.regDlists().deregisterMem(router.handle(), ourRegistration, 0));
            ok(capi.regDlists().destroyRegDlist(ourRegistration));
        }
    }

    private long register(NixlAgent agent) {
        NixlRegDlists lists = capi.regDlists();
        long list = out(l -> lists.createRegDlist(NIXL_CAPI_MEM_DRAM, l));
        ok(lists.regDlistAddDesc(list, memory.address(), BYTES, 0, MemorySegment.NULL, 0));
        ok(lists.registerMem(agent.handle(), list, 0));
        return list;
    }

    private void transfer(NixlAgent agent, NixlPeer peer, int operation, long address, String notification) {
        NixlTransfers transfers = capi.transfers();
        NixlXferDlists lists = capi.xferDlists();
        long options = out(capi.options()::createOptArgs);
        ok(capi.options().optArgsSetNotifMsg(options, text(notification), notification.length()));
        ok(capi.options().optArgsSetHasNotif(options, true));
        long local = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_DRAM, l));
        long remote = out(l -> lists.createXferDlist(NIXL_CAPI_MEM_DRAM, l));
        ok(lists.xferDlistAddDesc(local, memory.address(), BYTES, 0));
        ok(lists.xferDlistAddDesc(remote, address, BYTES, 0));
        long request =
                out(r -> transfers.createXferReq(agent.handle(), operation, local, remote, peer.cName(), r, options));
        int posted = transfers.postXferReq(agent.handle(), request, 0);
        assertTrue(posted >= 0, () -> NixlConstants.statusText(posted));
        await("the transfer", () -> transfers.getXferStatus(agent.handle(), request) != NIXL_CAPI_IN_PROG);
        ok(transfers.getXferStatus(agent.handle(), request));
        ok(transfers.releaseXferReq(agent.handle(), request));
        ok(transfers.destroyXferReq(request));
        ok(lists.destroyXferDlist(local));
        ok(lists.destroyXferDlist(remote));
        ok(capi.options().destroyOptArgs(options));
    }

    @Test
    void shouldIntroduceAgentsWhenTheyListen() throws Exception {
        int ourPort = freePort();
        int enginePort = freePort();
        try (PeerProcess engine = new PeerProcess("engine", enginePort);
                NixlAgent router =
                        NixlAgent.open(capi, NixlAgentSettings.named("router").listeningAt(ourPort))) {
            NixlPeer peer = router.peer("engine");
            assertFalse(router.knows(peer));
            ok(router.fetch(peer, LOOPBACK, enginePort));
            await("the engine's metadata", () -> router.knows(peer));
            ok(router.send(LOOPBACK, enginePort));
            assertEquals("yes", engine.ask("knows router"));
            assertEquals("success", engine.ask("notify router hello"));
            assertEquals("engine=hello", take(router));
            assertEquals(0, engine.end(), "exit of the engine");
        }
    }

    @Test
    void shouldReachThePeerAgainWhenItWasRestarted() throws Exception {
        try (NixlAgent router = NixlAgent.open(capi, NixlAgentSettings.named("router"))) {
            NixlPeer peer;
            try (PeerProcess engine = new PeerProcess("engine", 0)) {
                peer = router.load(HEX.parseHex(engine.ask("metadata")));
                ok(router.notify(peer, text("one"), 3));
                assertEquals("router=one", engine.ask("take 1"));
                engine.kill();
            }
            await("the loss of the engine", () -> router.notify(peer, text("two"), 3) == NIXL_CAPI_ERROR_BACKEND);
            ok(router.forget(peer));
            try (PeerProcess engine = new PeerProcess("engine", 0)) {
                assertEquals(peer, router.load(HEX.parseHex(engine.ask("metadata"))));
                ok(router.notify(peer, text("three"), 5));
                assertEquals("router=three", engine.ask("take 1"));
                assertEquals(0, engine.end(), "exit of the engine");
            }
        }
    }

    @Test
    void shouldSendAndTakeBackPartsOfTheMetadataThroughAListener() throws Exception {
        int enginePort = freePort();
        try (PeerProcess engine = new PeerProcess("engine", enginePort);
                NixlAgent router =
                        NixlAgent.open(capi, NixlAgentSettings.named("router").listeningAt(freePort()))) {
            long registration = register(router);
            long options = out(capi.options()::createOptArgs);
            ok(capi.options().optArgsSetIpAddr(options, text(LOOPBACK)));
            ok(capi.options().optArgsSetPort(options, (short) enginePort));
            long nothing = out(l -> capi.regDlists().createRegDlist(NIXL_CAPI_MEM_DRAM, l));
            ok(capi.agents().sendLocalPartialMd(router.handle(), nothing, options));
            assertEquals("yes", engine.ask("knows router"));
            ok(capi.agents().invalidateLocalMd(router.handle(), options));
            assertEquals("yes", engine.ask("misses router"));
            ok(capi.regDlists().destroyRegDlist(nothing));
            ok(capi.options().destroyOptArgs(options));
            ok(capi.regDlists().deregisterMem(router.handle(), registration, 0));
            ok(capi.regDlists().destroyRegDlist(registration));
            assertEquals(0, engine.end(), "exit of the engine");
        }
    }
}
