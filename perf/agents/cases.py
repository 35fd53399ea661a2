"""The cases: what an agent is made to do, and what must hold then. A case returns complaints; none means it passed."""
import time
import uuid

import checks
import identity
import wire
from engine import Fault

RETRY_AFTER = 2
SETTLE_SECONDS = 5


class Stage:
    """Engine, wiretap and router, shared by all cases; `begin` forgets what came before."""

    def __init__(self, engine, tap, router):
        self.engine, self.tap, self.router = engine, tap, router
        self.requests, self.calls = [], []
        """What the journal must hold at the end: (path, session, parent) of each request, and each tool call's name."""

    def begin(self, faults=()):
        self.file()
        self.engine.nonce = f"nonce-{uuid.uuid4().hex[:8]}"
        self.engine.received, self.engine.faults = [], list(faults)
        self.tap.forget()
        self.before = self.router.last_decision()

    def decisions(self):
        """Attempts that reached the engine; an attempt that found no further worker after a 529 did not. Waits until the
        record holds as many as the engine received."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            found = [d for d in self.router.decisions(self.before) if d["status"] == "ROUTED"]
            if len(found) >= len(self.engine.received) or time.monotonic() > deadline:
                return found
            time.sleep(0.05)

    def file(self):
        """Keeps what the journal must tell of the requests since `begin`."""
        for exchange in checks.generations(self.tap.exchanges()):
            who = identity.of(exchange.headers)
            self.requests.append((exchange.path.split("?")[0], str(who.session), str(who.parent)))
        self.calls += [r.reply.tool.name for r in self.generations() if r.reply and r.reply.tool]

    def generations(self):
        return [r for r in self.engine.received if wire.api_of(r.path)]


def common(stage, agent, run, wanted_sessions, wanted_depth):
    """What holds in every case: the agent's own end, bytes both ways, sessions."""
    complaints = []
    if run.code != 0:
        complaints.append(f"exit {run.code}: {(run.errors or run.output).strip()[-300:]}")
    elif stage.engine.nonce not in agent.answer(run):
        complaints.append(f"the engine's answer is not the agent's: {agent.answer(run)[-200:]!r}")
    return complaints + on_the_way(stage, agent, wanted_sessions, wanted_depth)


def on_the_way(stage, agent, wanted_sessions, wanted_depth):
    received, sent = stage.engine.received, stage.tap.exchanges()
    complaints = []
    if {wire.api_of(r.path) for r in stage.generations()} - {agent.wire}:
        complaints.append(f"expected only {agent.wire}: {sorted({r.path for r in received})}")
    complaints += checks.requests_unchanged(sent, received)
    complaints += checks.answers_unchanged(sent, received)
    complaints += checks.sessions_seen(received, stage.decisions())
    complaints += checks.lineage(wanted_depth, wanted_sessions, received)
    complaints += checks.session_table(stage.router, received)
    return complaints


def plain(stage, agent, prompt, sessions, depth, least):
    stage.begin()
    run = agent.run(agent.command(prompt))
    complaints = common(stage, agent, run, sessions, depth)
    if len(stage.generations()) < least:
        complaints.append(f"requests: expected at least {least}, found {len(stage.generations())}")
    return complaints


def root(stage, agent):
    return plain(stage, agent, "plan:text say a few words", agent.sessions, agent.sessions, 1)


def tool(stage, agent):
    """The second request carries what the tool printed."""
    complaints = plain(stage, agent, "plan:tool list the files", agent.sessions, agent.sessions, 2)
    if b"a.txt" not in stage.generations()[-1].body:
        complaints.append("the tool's output did not reach the engine")
    return complaints


def subagent(stage, agent):
    return plain(stage, agent, "plan:spawn let a subagent list the files", 2, 2, 4)


def merged(stage, agent):
    """With a static session header even the subagent's requests are the one session's."""
    return plain(stage, agent, "plan:spawn let a subagent list the files", 1, 1, 4)


def nested(stage, agent):
    return plain(stage, agent, "plan:nest let a subagent start a subagent", 3, 3, 6)


def resume(stage, agent):
    """A second process goes on with the session of the first, under the same name."""
    complaints = plain(stage, agent, "plan:text begin", agent.sessions, agent.sessions, 1)
    before = names(stage)
    first = agent.run(agent.command("plan:text begin"))
    before = names(stage) - before or before
    stage.begin()
    second = agent.run(agent.command("plan:text go on", resume=agent.session(first)))
    complaints += common(stage, agent, second, agent.sessions, agent.sessions)
    if names(stage) != before:
        complaints.append(f"the session changed its name: {sorted(before)} became {sorted(names(stage))}")
    return complaints


def names(stage):
    return {identity.of(r.headers).session for r in stage.generations()}


def compaction(stage, agent):
    """The context is summarised; the session keeps its name."""
    stage.begin()
    if agent.compact("last") is None:
        run = agent.run(agent.command("plan:compact list the files"))
        return common(stage, agent, run, 1, 1) + enough(stage, 3)
    first = agent.run(agent.command("plan:tool list the files"))
    begun = len(stage.generations())
    second = agent.run(agent.command(agent.compact("last"), resume=agent.session(first)))
    if second.code != 0:
        return [f"exit {second.code}: {(second.errors or second.output).strip()[-300:]}"]
    summarised = len(stage.generations()) - begun
    third = agent.run(agent.command("plan:text go on", resume=agent.session(first)))
    complaints = common(stage, agent, third, 1, 1)
    return complaints if summarised else complaints + ["no request for a summary"]


def enough(stage, least):
    count = len(stage.generations())
    return [] if count >= least else [f"requests: expected at least {least}, found {count}"]


def overloaded(stage, agent):
    """Two answers of 529 with Retry-After, then the answer; whether the wait was honoured is told, not judged."""
    stage.begin([Fault("status", 529, str(RETRY_AFTER), agent.asks_again) for _ in range(2)])
    run = agent.run(agent.command("plan:text say a few words"))
    complaints = common(stage, agent, run, agent.sessions, agent.sessions)
    refused = [e for e in stage.tap.exchanges() if e.status == 529]
    if len(refused) != 2:
        complaints.append(f"answers of 529: expected 2, found {len(refused)}")
    for exchange in refused:
        told = [value for name, value in exchange.answer_headers if name.lower() == "retry-after"]
        if told != [str(RETRY_AFTER)]:
            complaints.append(f"Retry-After: expected {RETRY_AFTER}, found {told}")
    return complaints


def cut(stage, agent):
    """The engine breaks off in the middle of the stream: the agent asks again and gives the whole answer, or fails."""
    stage.begin([Fault("cut", only_with_tools=agent.asks_again)])
    run = agent.run(agent.command("plan:text say a few words"))
    if agent.asks_again:
        complaints = common(stage, agent, run, agent.sessions, agent.sessions) + enough(stage, 2)
    else:
        complaints = on_the_way(stage, agent, agent.sessions, agent.sessions)
        if run.code == 0 or "raised" not in run.errors:
            complaints.append(f"a broken answer was taken for a whole one: {run.output[-200:]!r}")
    if stage.engine.faults:
        complaints.append("no request met the fault")
    return complaints


def named(stage, agent):
    """The application names its session in the canonical header."""
    agent.named = f"app-{uuid.uuid4().hex[:8]}"
    complaints = plain(stage, agent, "plan:tool list the files", 1, 1, 2)
    return complaints if names(stage) == {agent.named} else complaints + [f"expected {agent.named}: {names(stage)}"]


ALL = {"root": root, "tool": tool, "named": named, "merged": merged, "subagent": subagent, "nested": nested,
       "resume": resume, "compaction": compaction, "retry-529": overloaded, "cut-stream": cut}
