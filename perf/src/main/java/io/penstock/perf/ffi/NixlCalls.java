package io.penstock.perf.ffi;

import static io.penstock.perf.ffi.NativeCalls.must;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.ffi.load.LibrarySearch;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlAgentSettings;
import io.penstock.ffi.nixl.NixlCapi;
import io.penstock.ffi.nixl.NixlConstants;
import io.penstock.ffi.nixl.NixlNotificationHandler;
import io.penstock.ffi.nixl.NixlNotifications;
import io.penstock.ffi.nixl.NixlPeer;
import io.penstock.ffi.nixl.NixlQueries;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * NIXL's calls over our bindings: two agents of this process, a POSIX backend, two files.
 *
 * <p><b>Threading:</b> owned by one thread.
 */
final class NixlCalls implements NativeCalls {
    private static final int HINT_BYTES = 256;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment hint = arena.allocate(HINT_BYTES);
    private final MemorySegment inbox = arena.allocate(HINT_BYTES);
    private final MemorySegment out = arena.allocate(JAVA_LONG);
    private final NixlCapi capi;
    private final NixlAgent from;
    private final NixlAgent to;
    private final NixlPeer peer;
    private final NixlNotifications notifications;
    private final NixlQueries queries;
    private final long map;
    private final long options;
    private final long files;
    private final NixlNotificationHandler ignoring = (sender, data, bytes) -> {};

    NixlCalls(LibrarySearch search, Path folder) {
        NativeLibrary library = NativeLibrary.find(LibrarySpec.NIXL, search);
        if (!library.isAvailable()) {
            throw new IllegalStateException(library.cause());
        }
        capi = NixlCapi.of(library.symbols());
        from = NixlAgent.open(capi, NixlAgentSettings.named("A"));
        to = NixlAgent.open(capi, NixlAgentSettings.named("B"));
        peer = from.load(to.metadata());
        notifications = capi.notifications();
        queries = capi.queries();
        must("create_notif_map", notifications.createNotifMap(out), 0);
        map = out.get(JAVA_LONG, 0);
        long posix = from.createBackend("POSIX");
        must("create_opt_args", capi.options().createOptArgs(out), 0);
        options = out.get(JAVA_LONG, 0);
        must("opt_args_add_backend", capi.options().optArgsAddBackend(options, posix), 0);
        must("create_reg_dlist", capi.regDlists().createRegDlist(NixlConstants.NIXL_CAPI_MEM_FILE, out), 0);
        files = out.get(JAVA_LONG, 0);
        for (int i = 0; i < 2; i++) {
            String path = folder.resolve("page-" + i).toString();
            MemorySegment cPath = arena.allocateFrom(path);
            must(
                    "reg_dlist_add_desc",
                    capi.regDlists().regDlistAddDesc(files, 0, 0, 0, cPath, cPath.byteSize() - 1),
                    0);
        }
    }

    @Override
    public Call find(String name) {
        return switch (name) {
            case "is_stub" -> this::isStub;
            case "notif_map_size" -> this::notifMapSize;
            case "get_notifs" -> this::getNotifs;
            case "check_remote_md" -> this::checkRemoteMd;
            case "gen_notif" -> new GenNotif();
            case "query_mem" -> this::queryMem;
            case "path.notify" -> this::notifyAndTake;
            case "path.poll" -> this::poll;
            default -> null;
        };
    }

    private void isStub(int times) {
        for (int i = 0; i < times; i++) {
            if (capi.isStub()) {
                must("is_stub", 1, 0);
            }
        }
    }

    private void notifMapSize(int times) {
        for (int i = 0; i < times; i++) {
            must("notif_map_size", notifications.notifMapSize(map, out), 0);
        }
    }

    private void getNotifs(int times) {
        for (int i = 0; i < times; i++) {
            must("get_notifs", notifications.getNotifs(to.handle(), map, 0), 0);
        }
    }

    private void checkRemoteMd(int times) {
        for (int i = 0; i < times; i++) {
            must("check_remote_md", capi.agents().checkRemoteMd(from.handle(), peer.cName(), 0), 0);
        }
    }

    private void queryMem(int times) {
        for (int i = 0; i < times; i++) {
            must("create_query_resp_list", queries.createQueryRespList(out), 0);
            long answers = out.get(JAVA_LONG, 0);
            must("query_mem", queries.queryMem(from.handle(), files, answers, options), 0);
            must("destroy_query_resp_list", queries.destroyQueryRespList(answers), 0);
        }
    }

    private void notifyAndTake(int times) {
        for (int i = 0; i < times; i++) {
            must("notify", from.notify(peer, hint, HINT_BYTES), 0);
        }
        take(times);
    }

    private void take(int times) {
        int left = times;
        while (left > 0) {
            left -= to.poll(inbox, ignoring);
        }
    }

    private void poll(int times) {
        for (int i = 0; i < times; i++) {
            must("poll", to.poll(inbox, ignoring), 0);
        }
    }

    @Override
    public void close() {
        from.close();
        to.close();
        arena.close();
    }

    /** What was sent is taken between the samples, or it would pile up. */
    private final class GenNotif implements Call {
        @Override
        public void make(int times) {
            for (int i = 0; i < times; i++) {
                must("gen_notif", notifications.genNotif(from.handle(), peer.cName(), hint, HINT_BYTES, 0), 0);
            }
        }

        @Override
        public void settle(int times) {
            take(times);
        }
    }
}
