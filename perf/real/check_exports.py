#!/usr/bin/env python3
"""Writes a trace of agents, exports it with Penstock in every format, and loads each file with the loader of the tool that
the format is for: Dynamo's replay (ai-dynamo 1.6.1), AIPerf 0.13.0, OpenTelemetry's protocol buffers, ATIF's models.

usage: check_exports.py PENSTOCK OUT [JOURNAL ...]

PENSTOCK: the command, quoted if it has arguments. OUT: a folder, which is filled. JOURNAL: a router's journal folder or
files of a Dynamo trace, to be exported instead of the trace of the script's own.
A package that is not installed is named as skipped. Exit 0 when all that was loaded was accepted, 1 otherwise.
"""
import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = 64
# AIPerf's worker processes cannot load a tokenizer from a folder; in one process it can.
os.environ["AIPERF_DATASET_WEKA_PARALLEL_WORKERS"] = "1"
penstock, out = shlex.split(sys.argv[1]), Path(sys.argv[2])
journal = sys.argv[3:]
out.mkdir(parents=True, exist_ok=True)
failed, skipped, passed, known = [], [], [], []
arrivals, blocks = {}, {}


def mix(*words):
    """A 64-bit number that stands for a chained hash of all words."""
    value = 0xCBF29CE484222325
    for word in words:
        for byte in str(word).encode() + b"|":
            value = ((value ^ byte) * 0x100000001B3) & (2**64 - 1)
    return value


class Trace:
    """Rows of a Dynamo trace; a prompt is a list of words, a word a block."""

    def __init__(self):
        self.rows = []

    def request(self, rid, session, parent, start, total, words, rest=0, output=20, tools=(), final=None):
        hashes, at = [], ()
        for word in words + (["partial" + rid] if rest else []):
            at = at + (word,)
            hashes.append(mix(*at))
        length = len(words) * BLOCK + rest
        request = {
            "request_id": rid, "input_tokens": length, "output_tokens": output, "request_received_ms": start,
            "ttft_ms": total / 4, "total_time_ms": float(total), "kv_hit_rate": 0.0,
            "replay": {"trace_block_size": BLOCK, "input_length": length, "input_sequence_hashes": hashes},
        }
        row = {"schema": "dynamo.request.trace.v1", "event_type": "request_end", "event_time_unix_ms": start + total}
        if session:
            context = {"session_id": session, "input_trigger": "user_message"}
            if parent:
                context["parent_session_id"] = parent
            if final is not None:
                context["session_final"] = final
            request["model"] = "tiny"
            request["finish_reason_metadata"] = {
                "finish_reason": "tool_calls" if tools else "stop",
                "tool_calls": [
                    {"choice_index": 0, "tool_call_index": i, "id": id, "name": "bash"} for i, id in enumerate(tools)
                ],
            }
            row |= {"event_source": "dynamo", "agent_context": context}
        self.rows.append(row | {"request": request})

    def tool(self, call, session, start, end):
        self.rows.append({
            "schema": "dynamo.request.trace.v1", "event_type": "tool_end", "event_time_unix_ms": end,
            "event_source": "harness", "agent_context": {"session_id": session},
            "tool": {"tool_call_id": call, "tool_class": "bash", "status": "succeeded", "started_at_unix_ms": start,
                     "ended_at_unix_ms": end, "duration_ms": float(end - start)},
        })

    def write(self, path):
        self.rows.sort(key=lambda row: row["event_time_unix_ms"])
        path.write_text("".join(json.dumps({"timestamp": i, "event": row}) + "\n" for i, row in enumerate(self.rows)))
        return [str(path)]


def agents(overlap):
    """A root with a tool, a child with a child of its own, and, if asked, two requests of one session at once."""
    t0, trace = 1_800_000_000_000, Trace()
    prefix = [f"system{i}" for i in range(8)]
    task = prefix + ["task0", "task1"]
    trace.request("root-1", "root", None, t0, 900, task, 30, tools=("call-1",))
    trace.tool("call-1", "root", t0 + 950, t0 + 1400)
    trace.request("root-2", "root", None, t0 + 1500, 1000, task + ["result1"], 12, tools=("call-2",))
    if overlap:
        trace.request("root-title", "root", None, t0 + 1600, 300, ["title0"], 5)
    trace.request("child-1", "child", "root", t0 + 2600, 500, prefix + ["child0"], 7)
    trace.request("grand-1", "grand", "child", t0 + 3200, 400, prefix + ["grand0"], 0)
    trace.request("child-2", "child", "root", t0 + 3700, 600, prefix + ["child0", "child1"], 9)
    trace.request("child-3", "child", "root", t0 + 9700, 600, prefix + ["child0", "child1", "child2"], 1, final=True)
    trace.request("root-3", "root", None, t0 + 10400, 700, task + ["result1", "result2"], 40, final=True)
    return trace


def nameless():
    """Requests that name no session, two of which overlap."""
    t0, trace = 1_800_000_000_000, Trace()
    for i in range(6):
        trace.request(f"plain-{i}", None, None, t0 + 300 * i, 400, ["shared0", f"own{i % 3}"], 10)
    return trace


def export(fmt, source, target, *options):
    command = [*penstock, "export", "--format", fmt, "-o", str(target), *options, *source]
    done = subprocess.run(command, capture_output=True, text=True)
    for line in done.stderr.splitlines():
        print(f"    {line}")
        told = re.search(r"with blocks of (\d+) tokens", line)
        if told:
            blocks[str(target)] = int(told.group(1))
    if done.returncode:
        raise RuntimeError(f"export failed with {done.returncode}")
    return target


def check(name, body, refusal=None):
    """Runs one check. refusal: part of the message with which the reader is known to refuse this."""
    print(f"== {name}", flush=True)
    try:
        print(f"    {body()}")
        if refusal:
            print(f"    ACCEPTED what was known to be refused ({refusal}): the documentation is out of date")
            failed.append(name)
        else:
            passed.append(name)
    except ImportError as e:
        print(f"    SKIPPED: {e}")
        skipped.append(name)
    except BaseException as e:
        if refusal and refusal in str(e):
            print(f"    refused, as known: {e}")
            known.append(name)
            return
        print(f"    REJECTED: {type(e).__name__}: {str(e)[:600]}")
        failed.append(name)


def dynamo(fmt, path, told=False, agentic=False, **options):
    """Plays a file in Dynamo's replay. told: whether the block size must be told beside the file."""
    from dynamo.mocker.config import normalize_mocker_config
    from dynamo.replay import run_trace_replay

    engine = normalize_mocker_config({"engine": {"block_size": blocks.get(str(path), BLOCK), "num_gpu_blocks": 65536}})
    report = run_trace_replay(
        str(path), extra_engine_args=engine, trace_format=fmt, trace_block_size=blocks[str(path)] if told else None, replay_mode="offline",
        capture_per_request=True, execution_model="tiny" if agentic else None, **options)
    rows = sorted(report.per_request, key=lambda row: row["arrival_time_ms"])
    told = ", ".join(f"{row.get('request_id') or '-'}@{row['arrival_time_ms']:.0f}+{row['reused_input_tokens']}" for row in rows[:12])
    summary = report.summary
    if agentic and fmt != "weka":
        arrivals[path.name] = {row["request_id"]: round(row["arrival_time_ms"], 3) for row in rows}
    if summary["completed_requests"] != summary["num_requests"]:
        raise RuntimeError(f"not all completed: {summary}")
    return f"{summary['completed_requests']} requests played, {summary['total_input_tokens']} tokens in: {told}"


def aiperf_loader(kind, path, fmt):
    """A whole loader of AIPerf over a file, with a tokenizer of the repository's tests."""
    from aiperf.common import random_generator
    from aiperf.common.tokenizer import Tokenizer
    from aiperf.config.config import BenchmarkConfig
    from aiperf.config.resolution.plan import BenchmarkRun
    from aiperf.dataset.generator.prompt import PromptGenerator

    name = str(Path(__file__).resolve().parents[2] / "dataplane/src/test/resources/tokens/tiny")
    tokenizer = Tokenizer.from_pretrained(name)
    random_generator.reset()
    random_generator.init(7)
    config = BenchmarkConfig.model_validate({
        "models": ["tiny"], "tokenizer": {"name": name}, "endpoint": {"urls": ["http://localhost:1"]},
        "dataset": {"type": "file", "path": str(path), "format": fmt},
        "phases": [{"type": "fixed_schedule", "name": "profiling"}]})
    run = BenchmarkRun(benchmark_id="check", cfg=config, artifact_dir=out / "artifacts", trial=0, random_seed=7, cli_command=None)
    generator = PromptGenerator(prompts=None, prefix_prompts=None, tokenizer=tokenizer)
    loader = kind(filename=str(path), run=run, prompt_generator=generator, default_block_size=blocks[str(path)])
    return tokenizer, loader.convert_to_conversations(loader.load_dataset())


def aiperf_mooncake(path):
    from aiperf.dataset.loader.mooncake_trace import MooncakeTraceDatasetLoader as Loader

    from aiperf.dataset.loader.models import MooncakeTrace

    lines = path.read_text().splitlines()
    assert Loader.can_load(json.loads(lines[0]))
    for line in lines:
        MooncakeTrace.model_validate_json(line)
    # From ten prompts on AIPerf decodes in worker processes, which cannot load a tokenizer from a folder.
    head = path.with_name("head-" + path.name)
    head.write_text("\n".join(lines[:9]) + "\n")
    blocks[str(head)] = blocks[str(path)]
    rows = [json.loads(line) for line in lines[:9]]
    tokenizer, conversations = aiperf_loader(Loader, head, "mooncake_trace")
    turns = [turn for conversation in conversations for turn in conversation.turns]
    told = [(turn.timestamp, turn.max_tokens, len(tokenizer.encode(turn.texts[0].contents[0]))) for turn in turns]
    asked = [(row["timestamp"], row["output_length"], row["input_length"]) for row in rows]
    assert told == asked, f"{told[:5]} is not {asked[:5]}"
    return f"{len(lines)} rows; {len(conversations)} conversations built, prompts as long as recorded"


def aiperf_weka(folder):
    from aiperf.dataset.loader.weka_trace import WekaTraceLoader as Loader

    assert Loader.can_load(filename=folder)
    _, conversations = aiperf_loader(Loader, folder, "weka_trace")
    told = {c.session_id: [round(turn.timestamp) for turn in c.turns] for c in conversations}
    if not journal and "::sa:" in str(list(told)):
        assert told["root::sa:child"] == [2600, 3700, 9700], told
    return str(told)[:400]


def otlp(path):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    count = 0
    for line in path.read_text().splitlines():
        request = json_format.Parse(line, ExportLogsServiceRequest())
        for record in request.resource_logs[0].scope_logs[0].log_records:
            payload = next(a.value.string_value for a in record.attributes if a.key == "payload")
            assert json.loads(payload)["event_type"] == record.body.string_value
            count += 1
    return f"{count} log records"


def atif(trace):
    """A trajectory as a harness writes it, joined, in the models of ATIF's own package; strict about unknown fields."""
    from atif import Trajectory

    def step(i, text, *tools):
        calls = [{"tool_call_id": id, "function_name": "bash", "arguments": {}} for id in tools]
        results = {"results": [{"source_call_id": id, "content": "ok"} for id in tools]}
        told = {"tool_calls": calls, "observation": results} if calls else {}
        return {"step_id": i, "source": "agent", "message": text} | told

    agent = {"name": "script", "version": "1"}
    document = {
        "schema_version": "ATIF-v1.7", "session_id": "root", "trajectory_id": "root", "agent": agent,
        "steps": [{"step_id": 1, "source": "user", "message": "go"}, step(2, "", "call-1"), step(3, "", "call-2"),
                  step(4, "done")],
        "subagent_trajectories": [{
            "schema_version": "ATIF-v1.7", "session_id": "root", "trajectory_id": "child", "agent": agent,
            "steps": [step(1, "a"), step(2, "b"), step(3, "c")]}],
    }
    file, joined = out / "atif.json", out / "atif-joined.json"
    file.write_text(json.dumps(document))
    subprocess.run([*penstock, "trace", "atif", str(file), *trace, "-o", str(joined)], check=True, capture_output=True)
    trajectory = Trajectory.model_validate_json(joined.read_text())
    told = [s.metrics.extra["dynamo"]["request_ids"] for s in trajectory.steps if s.metrics]
    assert told == [["root-1"], ["root-2"], ["root-3"]], told
    child = trajectory.subagent_trajectories[0]
    child = child if isinstance(child, dict) else child.model_dump()
    told = [s["metrics"]["extra"]["dynamo"]["request_ids"] for s in child["steps"]]
    assert told == [["child-1"], ["child-2"], ["child-3"]], told
    return f"{trajectory.extra['dynamo']['summary']}"


def letta(trace):
    """The trajectory that Letta's own package makes of an ATIF file, and the file beside it."""
    from trajectory import normalize_transcript

    records = normalize_transcript(source="atif", transcript=(out / "atif.json").read_text())["records"]
    file, beside = out / "letta.json", out / "letta-beside.json"
    file.write_text(json.dumps(records))
    subprocess.run([*penstock, "trace", "letta", str(file), *trace, "-o", str(beside)], check=True, capture_output=True)
    sidecar = json.loads(beside.read_text())
    assert sidecar["session_id"] == "root", sidecar["session_id"]
    told = [[r["request_id"] for r in call["requests"]] for call in sidecar["calls"]]
    assert told == [["root-1"], ["root-2"], ["root-3"]], told
    return f"calls {told}, tools {[t['tool_call_id'] for t in sidecar['tools']]}"


def same(one, other):
    """Dynamo's own lowering of a trace, and ours, play at the same times."""
    if one not in arrivals or other not in arrivals:
        raise ImportError("Dynamo's replay did not run")
    if arrivals[one] != arrivals[other]:
        raise RuntimeError(f"{arrivals[one]} is not {arrivals[other]}")
    return f"{len(arrivals[one])} requests at the same times"


def table(path):
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    if any(None in row or None in row.values() for row in rows):
        raise RuntimeError("a line has another number of fields than the header")
    return f"{len(rows)} lines"


def main():
    sources = {"given": journal} if journal else {
        "agents": agents(False).write(out / "agents.jsonl"),
        "overlapping": agents(True).write(out / "overlapping.jsonl"),
        "nameless": nameless().write(out / "nameless.jsonl"),
    }
    for name, source in sources.items():
        agentic = name != "nameless"
        own = ["--agents-only"] if journal else []

        def at(suffix):
            return out / f"{name}-{suffix}"

        check(f"{name}: dynamo, Dynamo's replay",
              lambda: dynamo("dynamo", export("dynamo", source, at("dynamo.jsonl.gz"), *own), agentic=agentic),
              refusal="invalid dependency delay" if name == "overlapping" else None)
        check(f"{name}: mooncake, Dynamo's replay",
              lambda: dynamo("mooncake", export("mooncake", source, at("mooncake.jsonl"), *own), True))
        check(f"{name}: agentic-mooncake, Dynamo's replay",
              lambda: dynamo("agentic_mooncake", export("agentic-mooncake", source, at("agentic.jsonl"), *own), True, True))
        check(f"{name}: aiperf-mooncake, AIPerf",
              lambda: aiperf_mooncake(export("aiperf-mooncake", source, at("aiperf.jsonl"), *own)))
        check(f"{name}: weka, AIPerf", lambda: aiperf_weka(export("weka", source, at("weka"), *own)))
        for basis in (None, "absolute"):
            check(f"{name}: weka, Dynamo's replay, nested times {basis or 'auto'}",
                  lambda: dynamo("weka", at("weka"), agentic=True, weka_nested_timestamp_basis=basis))
        check(f"{name}: otlp, protocol buffers", lambda: otlp(export("otlp", source, at("otlp.jsonl"), *own)))
        check(f"{name}: csv", lambda: table(export("csv", source, at("table.csv"), *own)))

    if not journal:
        check("agents: Dynamo's lowering against ours", lambda: same("agents-dynamo.jsonl.gz", "agents-agentic.jsonl"))
        check("agents: joined trajectory, ATIF's models", lambda: atif(sources["agents"]))
        check("agents: file beside a trajectory of Letta's package", lambda: letta(sources["agents"]))
    print(f"{len(passed)} accepted, {len(failed)} rejected, {len(known)} refused as known, {len(skipped)} skipped")
    for name in failed:
        print(f"rejected: {name}")
    for name in skipped:
        print(f"skipped: {name}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
