package io.penstock.perf.ffi;

import java.util.List;

/**
 * The calls that are compared, by the names that {@code perf/ffi/calls.c} and {@code calls.py} know as well.
 *
 * @param name its key in the figures
 * @param title what it is, in the table
 * @param batch calls in a sample: enough that the clock does not count
 *     <p><b>Threading:</b> immutable.
 */
record TimedCall(String name, String title, int batch) {
    /** Calls of NIXL, in the table's order. */
    static final List<TimedCall> NIXL = List.of(
            new TimedCall("is_stub", "is_stub, a call and nothing else", 1_000),
            new TimedCall("notif_map_size", "notif_map_size", 1_000),
            new TimedCall("get_notifs", "get_notifs, nothing waiting", 100),
            new TimedCall("check_remote_md", "check_remote_md, known", 100),
            new TimedCall("gen_notif", "gen_notif of 256 bytes", 50),
            new TimedCall("query_mem", "query_mem of two files, with its list", 10));

    /** Calls of the Mooncake store against a master on loopback. */
    static final List<TimedCall> STORE = List.of(
            new TimedCall("is_exist.hit", "is_exist, there", 1),
            new TimedCall("is_exist.miss", "is_exist, not there", 1),
            new TimedCall("batch_is_exist.1", "batch_is_exist of 1", 1),
            new TimedCall("batch_is_exist.16", "batch_is_exist of 16", 1),
            new TimedCall("batch_is_exist.64", "batch_is_exist of 64", 1),
            new TimedCall("batch_is_exist.256", "batch_is_exist of 256", 1),
            new TimedCall("batch_is_exist.1024", "batch_is_exist of 1,024", 1),
            new TimedCall("get_into", "get_into of 4 KiB", 1));

    /** Ours alone: what the router does with NIXL. */
    static final List<TimedCall> NIXL_PATHS = List.of(
            new TimedCall("path.notify", "a notification sent, and taken by its receiver", 50),
            new TimedCall("path.poll", "a look for notifications, none there", 100));

    /** Ours alone: what the router does with the store. */
    static final List<TimedCall> STORE_PATHS = List.of(
            new TimedCall("path.probe.64", "a probe of 64 objects by the thread that asks", 1),
            new TimedCall("path.probe.1024", "a probe of 1,024 objects", 1));

    /** As an argument of the programs. */
    String argument() {
        return name + ":" + batch;
    }
}
