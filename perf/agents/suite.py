"""Drives real agents through Penstock to a scripted engine and writes a summary; called by run.sh.

  suite.py TOOLS OUT [NAME ...]    TOOLS: where run.sh installed the agents; OUT: folder for logs and summary.json
"""
import json
import sys
import time
import traceback
from dataclasses import asdict
from pathlib import Path

import cases
import checks
import sdks
from claude_code import ClaudeCode, ClaudeCodeMerged
from codex import Codex, CodexAgentsV2, CodexMerged
from engine import ScriptedEngine
from opencode import OpenCode, OpenCodeMessages, OpenCodeResponses
from pi import Pi, PiChat, PiChatNamed, PiMessagesNamed
from router import Router
from tap import Wiretap

AGENTS = (ClaudeCode, ClaudeCodeMerged, Codex, CodexAgentsV2, CodexMerged, OpenCode, OpenCodeResponses, OpenCodeMessages,
          Pi, PiChat, PiChatNamed, PiMessagesNamed, *sdks.ALL)


def main(tools, out, wanted):
    chosen = [a for a in AGENTS if not wanted or any(a.name == w or a.name.startswith(w + "-") for w in wanted)]
    if not chosen:
        raise SystemExit(f"no such agent: names={' '.join(wanted)}; there are {' '.join(a.name for a in AGENTS)}")
    out.mkdir(parents=True, exist_ok=True)
    engine = ScriptedEngine()
    router = Router(engine.port, out)
    stage = cases.Stage(engine, Wiretap(router.port), router)
    try:
        results = [drive(kind, stage, tools, out) for kind in chosen]
        results.append(journal(stage))
    finally:
        router.close()
        engine.close()
    (out / "summary.json").write_text(json.dumps({"agents": results}, indent=2) + "\n")
    print(f"summary: {out}/summary.json")
    failed = sum(c["result"] == "fail" for r in results for c in r["cases"])
    return 1 if failed else 0


def drive(kind, stage, tools, out):
    reason = kind.missing(tools)
    result = {"agent": kind.name, "wire": kind.wire, "version": None if reason else kind.version(tools), "cases": []}
    print(f"{kind.name} {result['version'] or ''}", flush=True)
    for name in kind.cases:
        case = cases.ALL[name]
        skip = reason or kind.unsupported.get(name)
        begun = time.monotonic()
        complaints = [] if skip else attempt(kind, stage, tools, out / kind.name / name, case)
        tell(result, name, skip, complaints, begun, 0 if skip else len(stage.generations()))
    return result


def journal(stage):
    """All cases' requests once more, as other processes read them from the trace journal."""
    stage.begin()
    print("all of them", flush=True)
    result = {"agent": "all of them", "wire": None, "version": None, "cases": []}
    for name, read in (("journal", stage.router.records), ("tail", stage.router.tail)):
        begun = time.monotonic()
        rows, reason = read()
        complaints = [] if reason else checks.journal(rows, stage.requests, stage.calls)
        tell(result, name, reason, complaints, begun, len(stage.requests))
    return result


def tell(result, name, skip, complaints, begun, requests):
    row = {"case": name, "result": "skip" if skip else "fail" if complaints else "pass",
           "seconds": round(time.monotonic() - begun, 1), "requests": requests}
    if skip or complaints:
        row["why"] = skip or complaints
    result["cases"].append(row)
    print(f"  {name:11} {row['result']:4} {row['seconds']:5} s {requests:3} requests  {row.get('why', '')}", flush=True)


def attempt(kind, stage, tools, folder, case):
    try:
        return case(stage, kind(tools, folder, f"http://127.0.0.1:{stage.tap.port}"))
    except Exception:  # An agent's output that cannot be read is this case's failure, not the suite's end.
        return [traceback.format_exc()]
    finally:
        with (folder / "received.jsonl").open("w") as log:
            for each in stage.engine.received:
                told = {"path": each.path, "headers": each.headers, "body": each.body.decode(errors="replace"),
                        "fault": each.fault and asdict(each.fault), "reply": each.reply and asdict(each.reply)}
                log.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
