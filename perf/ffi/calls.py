"""Times calls of NIXL's and the Mooncake store's C API from Python through ctypes, for `penstock bench ffi`.

usage: calls.py NIXL NIXL_PRELOAD STORE STORE_PRELOAD MASTER FOLDER SECONDS CALL:BATCH ...   (as calls.c)
Prints a JSON line for each call: nanoseconds of one call, from samples of BATCH calls.
"""
import ctypes as C
import json
import sys
import time

P, Z, I, I64, U64, S = C.c_void_p, C.c_size_t, C.c_int, C.c_int64, C.c_uint64, C.c_char_p
KEYS, HINT, VALUE = 1024, 256, 4096


class AgentConfig(C.Structure):
    _fields_ = [("prog_thread", C.c_bool), ("listen_thread", C.c_bool), ("listen_port", I), ("sync", I),
                ("num_workers", C.c_uint), ("pthr_delay_us", U64), ("lthr_delay_us", U64), ("telemetry", C.c_bool)]


def must(what, got, want):
    if got != want:
        raise SystemExit(f"Error: {what} gave {got}, not {want}")


def opened(preload, library):
    for one in filter(None, preload.split(":")):
        C.CDLL(one)
    return C.CDLL(library)


class Nixl:
    def __init__(self, library, folder):
        self.library = library
        for name, result, *arguments in [
                ("is_stub", C.c_bool), ("create_configured_agent", I, S, P, P), ("get_plugin_params", I, P, S, P, P),
                ("create_backend", I, P, S, P, P), ("get_local_md", I, P, P, P), ("load_remote_md", I, P, P, Z, P),
                ("check_remote_md", I, P, S, P), ("gen_notif", I, P, S, P, Z, P), ("create_notif_map", I, P),
                ("get_notifs", I, P, P, P), ("notif_map_size", I, P, P), ("notif_map_get_agent_at", I, P, Z, P),
                ("notif_map_get_notifs_size", I, P, P, P), ("notif_map_clear", I, P), ("create_opt_args", I, P),
                ("opt_args_add_backend", I, P, P), ("create_reg_dlist", I, I, P),
                ("reg_dlist_add_desc", I, P, Z, Z, U64, S, Z), ("create_query_resp_list", I, P),
                ("destroy_query_resp_list", I, P), ("query_mem", I, P, P, P, P), ("destroy_agent", I, P)]:
            function = getattr(library, "nixl_capi_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.a, self.b = self.agent(b"A"), self.agent(b"B")
        md, size, name = P(), Z(), P()
        must("get_local_md", self.get_local_md(self.b, C.byref(md), C.byref(size)), 0)
        must("load_remote_md", self.load_remote_md(self.a, md, size, C.byref(name)), 0)
        self.map = self.new("create_notif_map")
        self.options = self.new("create_opt_args")
        must("opt_args_add_backend", self.opt_args_add_backend(self.options, self.backend(self.a, b"POSIX")), 0)
        self.files = self.new("create_reg_dlist", 4)
        for i in range(2):
            path = f"{folder}/page-{i}".encode()
            must("reg_dlist_add_desc", self.reg_dlist_add_desc(self.files, 0, 0, 0, path, len(path)), 0)

    def new(self, name, *arguments):
        out = P()
        must(name, getattr(self, name)(*arguments, C.byref(out)), 0)
        return out

    def backend(self, agent, plugin):
        mems, params = P(), P()
        must("get_plugin_params", self.get_plugin_params(agent, plugin, C.byref(mems), C.byref(params)), 0)
        return self.new("create_backend", agent, plugin, params)

    def agent(self, name):
        config = AgentConfig(prog_thread=True, sync=2, num_workers=1, pthr_delay_us=1000, lthr_delay_us=10000)
        agent = self.new("create_configured_agent", name, C.byref(config))
        self.backend(agent, b"UCX")
        return agent

    def drain(self, want):
        senders, count, name = Z(), Z(), P()
        while want > 0:
            must("get_notifs", self.get_notifs(self.b, self.map, None), 0)
            self.notif_map_size(self.map, C.byref(senders))
            if senders.value:
                self.notif_map_get_agent_at(self.map, 0, C.byref(name))
                self.notif_map_get_notifs_size(self.map, name, C.byref(count))
                want -= count.value
                self.notif_map_clear(self.map)

    def close(self):
        self.destroy_agent(self.a)
        self.destroy_agent(self.b)


class Store:
    def __init__(self, library, master):
        for name, result, *arguments in [
                ("create", P), ("destroy", None, P), ("setup", I, P, S, S, U64, U64, S, S, S), ("put", I, P, S, P, Z, P),
                ("is_exist", I, P, S), ("batch_is_exist", I, P, P, Z, P), ("get_into", I64, P, S, P, Z)]:
            function = getattr(library, "mooncake_store_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.store = P(self.create())
        must("setup", self.setup(self.store, b"127.0.0.1", b"P2PHANDSHAKE", 32 << 20, 16 << 20, b"tcp", b"", master.encode()), 0)
        self.value = C.create_string_buffer(VALUE)
        names = [f"py-page-{i}_0_k".encode() for i in range(KEYS)]
        self.present = (S * KEYS)(*names)
        self.results = (I * KEYS)()
        for name in names:
            must("put", self.put(self.store, name, self.value, VALUE, None), 0)

    def close(self):
        self.destroy(self.store)


def calls(nixl, store):
    """By name: what makes `batch` calls and gives the last answer, and what that has to be."""
    def times(function, *arguments):
        def run(batch):
            for _ in range(batch):
                got = function(*arguments)
            return got
        return run

    def query(batch):
        answers = P()
        for _ in range(batch):
            nixl.create_query_resp_list(C.byref(answers))
            got = nixl.query_mem(nixl.a, nixl.files, answers, nixl.options)
            nixl.destroy_query_resp_list(answers)
        return got

    table = {}
    if nixl:
        table["is_stub"] = times(nixl.is_stub), False
        table["notif_map_size"] = times(nixl.notif_map_size, nixl.map, C.byref(Z())), 0
        table["get_notifs"] = times(nixl.get_notifs, nixl.b, nixl.map, None), 0
        table["check_remote_md"] = times(nixl.check_remote_md, nixl.a, b"B", None), 0
        table["gen_notif"] = times(nixl.gen_notif, nixl.a, b"B", C.create_string_buffer(HINT), HINT, None), 0
        table["query_mem"] = query, 0
    if store:
        first = b"py-page-0_0_k"
        table["is_exist.hit"] = times(store.is_exist, store.store, first), 1
        table["is_exist.miss"] = times(store.is_exist, store.store, b"py-nowhere_0_k"), 0
        for keys in (1, 16, 64, 256, 1024):
            table[f"batch_is_exist.{keys}"] = times(store.batch_is_exist, store.store, store.present, keys, store.results), 0
        table["get_into"] = times(store.get_into, store.store, first, store.value, VALUE), VALUE
    return table


def measure(name, batch, run, want, seconds, after):
    clock, samples = time.perf_counter_ns, []
    for _ in range(2):
        samples.clear()
        end = clock() + int(seconds * 1e9 / 2)
        while len(samples) < 20 or clock() < end:
            start = clock()
            got = run(batch)
            samples.append((clock() - start) / batch)
            must(name, got, want)
            after(batch)
    samples.sort()
    count = len(samples)
    print(json.dumps({"call": name, "p50Ns": round(samples[count // 2], 1), "p99Ns": round(samples[count * 99 // 100], 1),
                      "samples": count}), flush=True)


def main():
    nixl_file, nixl_preload, store_file, store_preload, master, folder, seconds, *items = sys.argv[1:]
    nixl = None if nixl_file == "-" else Nixl(opened(nixl_preload, nixl_file), folder)
    store = None if store_file == "-" else Store(opened(store_preload, store_file), master)
    table = calls(nixl, store)
    for item in items:
        name, batch = item.rsplit(":", 1)
        run, want = table[name]
        measure(name, int(batch), run, want, float(seconds), nixl.drain if name == "gen_notif" else lambda batch: None)
    for one in filter(None, (store, nixl)):
        one.close()


main()
