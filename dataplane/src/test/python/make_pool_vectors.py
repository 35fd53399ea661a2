"""Names of pool objects and hashes of pages, as the engines' own code makes them.

Run where vLLM and SGLang are installed: python make_pool_vectors.py BINDINGS_OUT DATAPLANE_OUT
Nothing of theirs is copied: the files hold what their functions answer to numbers of ours.
"""

import dataclasses
import hashlib
import json
import os
import sys
import types
from array import array

os.environ.pop("PYTHONHASHSEED", None)
os.environ["MOONCAKE_MASTER"] = "127.0.0.1:1"

PAGES = [hashlib.sha256(b"page %d" % i).hexdigest() for i in range(2)]


class Store:
    """Stands for Mooncake's client: remembers what it was asked for."""

    asked = []

    def setup(self, *args, **kwargs):
        return 0

    def put(self, key, value):
        self.value = value
        return 0

    def is_exist(self, key):
        return 1

    def get(self, key):
        return self.value

    def batch_is_exist(self, keys):
        Store.asked += keys
        return [1] * len(keys)


def sglang_names():
    module = types.ModuleType("mooncake.store")
    module.MooncakeDistributedStore = Store
    module.ReplicateConfig = type("ReplicateConfig", (), {})
    sys.modules["mooncake"] = types.ModuleType("mooncake")
    sys.modules["mooncake.store"] = module
    from sglang.srt.mem_cache.hicache_storage import HiCacheStorageConfig, PoolName, PoolTransfer
    from sglang.srt.mem_cache.pool_host.mla import MLATokenToKVPoolHost
    from sglang.srt.mem_cache.storage.mooncake_store.mooncake_store import MooncakeStore

    def config(**given):
        base = dict(tp_rank=0, tp_size=1, pp_rank=0, pp_size=1, attn_cp_rank=0, attn_cp_size=1,
                    is_mla_model=False, enable_storage_metrics=False, is_page_first_layout=True,
                    model_name="acme/wise-7b")
        return HiCacheStorageConfig(**{**base, **given})

    def asked(**given):
        """Names that every rank of the engine asks for, rank by rank."""
        names = []
        c = config(**given)
        replicated = c.is_mla_model and c.dcp_size == 1
        for pp in range(c.pp_size):
            for tp in range(1 if replicated else c.tp_size):
                for cp in range(c.attn_cp_size if c.dcp_size > 1 else 1):
                    Store.asked = []
                    store = MooncakeStore(config(**{**given, "tp_rank": tp, "pp_rank": pp, "attn_cp_rank": cp,
                                                    "dcp_rank": tp % c.dcp_size}))
                    store.batch_exists(list(PAGES))
                    names += [n for n in Store.asked if n not in names]
        return names

    def side(name, pool, **given):
        names = []
        c = config(**given)
        for pp in range(c.pp_size):
            for tp in range(c.tp_size):
                store = MooncakeStore(config(**{**given, "tp_rank": tp, "pp_rank": pp}))
                store.registered_pools = {PoolName(name): pool}
                keys, _ = store._get_hybrid_page_component_keys(list(PAGES), PoolTransfer(name=PoolName(name)))
                names += [n for n in store._tag_keys(keys) if n not in names]
        return names

    plain = types.SimpleNamespace
    cases = []

    def case(title, names, **layout):
        cases.append({"title": title, "layout": layout, "names": names})

    prefix = "acme-wise-7b"
    case("mha", asked(), prefix=prefix, tp=1)
    case("mha tp 4", asked(tp_size=4), prefix=prefix, tp=4)
    case("mha tp 16", asked(tp_size=16), prefix=prefix, tp=16)
    case("mha tp 2 pp 3", asked(tp_size=2, pp_size=3), prefix=prefix, tp=2, pp=3)
    case("mha without a model", asked(tp_size=2, model_name=None), prefix="", tp=2)
    case("mha tagged", asked(extra_config={"extra_backend_tag": "blue"}), prefix="blue_acme-wise-7b", tp=1)
    case("mha tagged without a model", asked(model_name=None, extra_config={"extra_backend_tag": "blue"}),
         prefix="blue", tp=1)
    case("mha heads split", asked(tp_size=2, tp_lcm_size=8, should_split_heads=True), prefix=prefix, tp=2, splitTo=8)
    case("mha heads split pp", asked(tp_size=2, pp_size=2, tp_lcm_size=4, should_split_heads=True),
         prefix=prefix, tp=2, pp=2, splitTo=4)
    case("mla", asked(is_mla_model=True, tp_size=8), prefix=prefix, tp=8, mla=True)
    case("mla pp 2", asked(is_mla_model=True, tp_size=2, pp_size=2), prefix=prefix, tp=2, pp=2, mla=True)
    case("mla dcp 2 cp 2", asked(is_mla_model=True, tp_size=4, dcp_size=2, attn_cp_size=2, logical_page_size=64),
         prefix="acme-wise-7b_tp4_dcp2_page64_pp1_cp2", tp=4, mla=True, dcp=2, cp=2)
    case("mla dcp 2 pp 2", asked(is_mla_model=True, tp_size=2, pp_size=2, dcp_size=2, logical_page_size=64),
         prefix="acme-wise-7b_tp2_dcp2_page64_pp2_cp1", tp=2, pp=2, mla=True, dcp=2)

    mamba = plain(conv_buffer=[0, 0], temporal_state_elem_size=4)
    convs = plain(conv_buffer=[0], temporal_state_elem_size=0)
    values = plain(v_buffer=0)
    mla_pool = MLATokenToKVPoolHost.__new__(MLATokenToKVPoolHost)
    sides = [
        ("mamba", mamba, dict(tp_size=2), "mamba:mamba:2"),
        ("mamba", convs, dict(tp_size=2, pp_size=2), "mamba:convolutions:1"),
        ("swa", values, dict(tp_size=2), "swa:keys-values"),
        ("swa", plain(), dict(tp_size=2, is_mla_model=True), "swa:replicated"),
        ("draft", plain(), dict(tp_size=2), "draft:keys-values"),
        ("draft", plain(), dict(tp_size=2, is_mla_model=True), "draft:keys-values"),
        ("draft", mla_pool, dict(tp_size=2, is_mla_model=True), "draft:replicated_k"),
        ("draft_swa", mla_pool, dict(is_mla_model=True), "draft_swa:replicated"),
        ("indexer", plain(), dict(tp_size=2, is_mla_model=True), "indexer:replicated"),
        ("indexer", plain(), dict(pp_size=2, is_mla_model=True), "indexer:replicated"),
        ("draft_indexer", plain(), dict(is_mla_model=True), "draft_indexer:replicated"),
        ("deepseek_v4_c4", plain(), dict(is_mla_model=True), "deepseek_v4_c4:replicated"),
        ("deepseek_v4_c128_state", plain(), dict(is_mla_model=True), "deepseek_v4_c128_state:replicated"),
    ]
    for name, pool, given, spec in sides:
        layout = dict(prefix=prefix, tp=given.get("tp_size", 1), side=spec)
        if given.get("pp_size"):
            layout["pp"] = given["pp_size"]
        if given.get("is_mla_model"):
            layout["mla"] = True
        case("%s with %s" % ("mla" if given.get("is_mla_model") else "mha", spec),
             asked(**given) + side(name, pool, **given), **layout)
    return cases, sglang_answers(config, MooncakeStore, asked, side, mla_pool)


def sglang_answers(config, MooncakeStore, asked, side, mla_pool):
    """What /server_info says of the storage, beside the names that the same engine asks for."""
    from sglang.srt.mem_cache.hicache_storage import PoolHitPolicy, PoolName, SidecarPoolSpec, merge_l3_layouts

    class Host:
        kv_buffer = 1
        page_size = 64

        def get_page_buffer_meta(self, indices):
            return [0], [0]

    def told(registered, specs=(), swa=None, **given):
        stages = []
        for pp in range(given.get("pp_size", 1)):
            store = MooncakeStore(config(**{**given, "pp_rank": pp}))
            store.mem_pool_host = Host()
            store.registered_pools = registered
            stages.append(store.describe_l3_object_layout(sidecar_pool_specs=specs, swa_trailing_pages=swa, page_size=64))
        return merge_l3_layouts(stages)

    cases = []

    def case(title, names, layout, **args):
        info = dict(enable_hierarchical_cache=True, hicache_storage_backend="mooncake", page_size=64, tp_size=1, pp_size=1,
                    dp_size=1, attn_dp_size=1, attn_cp_size=1, dcp_size=1, served_model_name="acme/wise-7b",
                    speculative_algorithm=None, hicache_mem_layout="page_first",
                    hicache_storage_backend_extra_config=None)
        info.update(args)
        if layout is not None:
            info["hicache_object_layout"] = layout
        cases.append({"title": title, "info": info, "names": names})

    plain = types.SimpleNamespace
    mla = dict(is_mla_model=True)
    case("mha", asked(tp_size=2), told({}, tp_size=2), tp_size=2)
    case("mha, nothing told of objects", asked(tp_size=2), None, tp_size=2)
    tag = '{"extra_backend_tag": "blue", "master_server_address": "127.0.0.1:50051"}'
    case("mha tagged", asked(extra_config={"extra_backend_tag": "blue"}),
         None, hicache_storage_backend_extra_config=tag)
    case("mha, attention of 2 groups, 2 stages", asked(tp_size=2, pp_size=2), told({}, tp_size=2, pp_size=2),
         tp_size=4, attn_dp_size=2, dp_size=2, pp_size=2)
    case("mha heads split", asked(tp_size=2, tp_lcm_size=4, should_split_heads=True), told({}, tp_size=2), tp_size=2,
         hicache_mem_layout="page_head", hicache_storage_backend_extra_config='{"tp_lcm_size": 4}')
    case("mla", asked(tp_size=4, **mla), told({}, tp_size=4, **mla), tp_size=4)
    case("mla pp 2", asked(pp_size=2, **mla), told({}, pp_size=2, **mla), pp_size=2)
    case("mla dcp", asked(is_mla_model=True, tp_size=2, dcp_size=2, logical_page_size=64), None, tp_size=2, dcp_size=2)
    indexer = plain()
    case("mla with an indexer", asked(**mla) + side("indexer", indexer, **mla), told({PoolName("indexer"): indexer}, **mla))
    case("mla with a draft", asked(**mla) + side("draft", mla_pool, **mla), told({PoolName("draft"): mla_pool}, **mla),
         speculative_algorithm="EAGLE")
    swa = plain()
    specs = (SidecarPoolSpec(PoolName("swa"), PoolName("swa"), PoolHitPolicy.TRAILING_PAGES),)
    case("mla with a window", asked(**mla) + side("swa", swa, **mla), told({PoolName("swa"): swa}, specs, 2, **mla))
    return cases


def vllm_names():
    from vllm.distributed.kv_transfer.kv_connector.v1.mooncake.store import data
    from vllm.distributed.kv_transfer.kv_connector.v1.mooncake.store.worker import MooncakeStoreWorker

    cases = []

    def case(title, tp=1, pcp=1, dcp=1, pp=1, factor=1, groups=(0,), prefix="", model="wise-7b", store_tp=0, fmt="",
             digits=64):
        namespace = ""
        if store_tp:
            layout_class = {"tp_shared_lbhnc": data.LBHNCStoreLayout, "tp_shared_lbnhc": data.LBNHCStoreLayout}[fmt]
            namespace = layout_class.shared_namespace(store_tp, pp)
        metadata = data.KeyMetadata(model_name=model, tp_rank=0, pcp_rank=0, dcp_rank=0, pp_rank=0,
                                    cache_prefix=prefix, store_namespace=namespace)
        worker = MooncakeStoreWorker.__new__(MooncakeStoreWorker)
        worker.tp_size, worker.pcp_size, worker.dcp_size, worker.pp_size = tp, pcp, dcp, pp
        worker._group_tp_replication_factors = {g: factor for g in groups}
        worker.token_dbs = []
        for g in groups:
            m = dataclasses.replace(metadata, group_id=g)
            layout = None
            if store_tp:
                layout = layout_class(m, 64, 64, local_tp_size=tp, store_tp_size=store_tp, tp_rank=0,
                                      num_kv_heads=store_tp)
            worker.token_dbs.append(data.ChunkedTokenDatabase(m, 64, hash_block_size=64, store_layout=layout))
        worker._group_tp_replication_factors = [factor] * len(groups)
        worker._init_lookup_key_prefixes()
        names = []
        for prefixes in worker._lookup_key_prefixes:
            for page in PAGES:
                names += [data.PoolKey.build_key_string(p, page[:digits]) for p in prefixes]
        cases.append({"title": title, "names": names,
                      "layout": dict(prefix=prefix, model=model, namespace=namespace, tpRanks=store_tp or tp // factor,
                                     pcp=pcp, dcp=dcp, pp=pp, groups=list(groups), keyBytes=digits // 2)})

    case("one rank")
    case("tp 4", tp=4)
    case("tp 16", tp=16)
    case("tp 8, 2 kv heads", tp=8, factor=4)
    case("mla tp 8", tp=8, factor=8)
    case("tp 2 pp 3", tp=2, pp=3)
    case("pcp 2 tp 2", tp=2, pcp=2)
    case("dcp 2 tp 4", tp=4, dcp=2)
    case("two groups", tp=2, groups=(0, 1))
    case("prefix", prefix="blue")
    case("prefix with pp", prefix="blue", tp=2, pp=2)
    case("shared heads", tp=2, store_tp=4, fmt="tp_shared_lbhnc")
    case("shared heads, tokens first", tp=2, pp=2, store_tp=4, fmt="tp_shared_lbnhc")
    case("xxhash", tp=2, digits=32)
    return cases


def sglang_hashes():
    from sglang.srt.mem_cache.radix_cache import RadixKey
    from sglang.srt.mem_cache.utils import get_storage_hash_str

    cases = []

    def case(title, tokens, page, bigram=False, salt=None, extra=None):
        key = RadixKey(array("q", tokens), extra, is_bigram=bigram, cache_salt=salt)
        cases.append({"title": title, "tokens": tokens, "pageSize": page, "bigram": bigram, "salt": salt,
                      "extra": extra, "keys": get_storage_hash_str(key.page_aligned(page), page_size=page)})

    numbers = [(i * 2654435761) % 151936 for i in range(300)]
    case("two pages", list(range(1, 9)), 4)
    case("a page and a rest", list(range(1, 8)), 4)
    case("pages of one token", [7, 8, 9], 1)
    case("pages of 64", numbers, 64)
    case("bigrams", list(range(1, 10)), 4, bigram=True)
    case("bigrams end one earlier", list(range(1, 9)), 4, bigram=True)
    case("bigrams of 64", numbers, 64, bigram=True)
    case("salted", numbers, 64, salt="tenant-a")
    case("salted bigrams", numbers, 64, bigram=True, salt="tenant-a")
    case("an empty salt is none", numbers[:64], 64, salt="")
    case("an extra key", numbers[:128], 64, extra="class-1")
    case("an extra key and a salt", numbers[:128], 64, extra="class-1", salt="käse")
    case("the largest token", [2**31 - 1, 0, 1, 2], 2)
    return cases


def vllm_hashes():
    from vllm.utils.hashing import get_hash_fn_by_name
    from vllm.v1.core import kv_cache_utils
    from vllm.distributed.kv_transfer.kv_connector.v1.mooncake.store.data import chunk_hashes_for_block_size

    cases = []

    def case(title, algorithm, tokens, block, page=None, salt=None, seed=None):
        if seed is None:
            os.environ.pop("PYTHONHASHSEED", None)
        else:
            os.environ["PYTHONHASHSEED"] = seed
        fn = get_hash_fn_by_name(algorithm)
        kv_cache_utils.init_none_hash(fn)
        request = types.SimpleNamespace(block_hashes=[], num_tokens=len(tokens), mm_features=None, lora_request=None,
                                        cache_salt=salt, prompt_embeds=None, all_token_ids=tokens)
        hashes = kv_cache_utils.get_request_block_hasher(block, fn)(request)
        chunks = chunk_hashes_for_block_size(hashes, block, page or block)
        keys = [chunks[i].hex() for i in range(len(tokens) // (page or block))]
        cases.append({"title": title, "algorithm": algorithm, "tokens": tokens, "blockSize": block,
                      "pageSize": page or block, "salt": salt, "seed": seed, "keys": keys})

    numbers = [(i * 2654435761) % 151936 for i in range(300)]
    widths = [0, 23, 24, 255, 256, 65535, 65536, 2**31 - 1]
    long = [(i * 2654435761) % 151936 for i in range(600)]
    for algorithm in ("sha256_cbor", "sha256"):
        case(algorithm, algorithm, numbers, 16)
        case(algorithm + ", numbers of every width", algorithm, widths, 8)
        case(algorithm + ", blocks of one", algorithm, [1, 70000, 3], 1)
        case(algorithm + ", blocks of two", algorithm, [1, 2, 3, 4], 2)
        case(algorithm + ", blocks of three", algorithm, [1, 2, 3, 4, 5, 6], 3)
        case(algorithm + ", blocks of 256", algorithm, long, 256)
        case(algorithm + ", chunks of four blocks", algorithm, numbers, 16, page=64)
        case(algorithm + ", salted", algorithm, numbers[:64], 16, salt="tenant-a")
        case(algorithm + ", a long salt", algorithm, numbers[:32], 16, salt="käse-" * 60)
        case(algorithm + ", seeded", algorithm, numbers[:64], 16, seed="0")
    case("xxhash_cbor, seeded", "xxhash_cbor", numbers[:64], 16, seed="0")
    case("xxhash_cbor, seeded and salted", "xxhash_cbor", numbers[:64], 16, seed="42", salt="tenant-a")
    case("xxhash, seeded", "xxhash", numbers[:64], 16, seed="0")
    return cases


def write(path, what):
    with open(path, "w") as f:
        json.dump(what, f, ensure_ascii=False, separators=(",", ":"))
        f.write("\n")


def main():
    import sglang
    import vllm

    made = "vLLM %s, SGLang %s, Python %s" % (vllm.__version__, sglang.__version__, sys.version.split()[0])
    sglang_cases, answers = sglang_names()
    write(sys.argv[1], {"made": made, "pages": PAGES, "sglang": sglang_cases, "answers": answers, "vllm": vllm_names()})
    write(sys.argv[2], {"made": made, "sglang": sglang_hashes(), "vllm": vllm_hashes()})


main()
