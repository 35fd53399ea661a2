"""The Pi extension in a real Pi, installed with `pi install`, against a scripted engine."""
import json
import subprocess
import unittest

from engine import MODEL, Call, Engine
from hosts import HOSTS, Home, install, kill, wait
from tool_events import ToolEvents

PI = HOSTS / "pi" / "node_modules" / ".bin" / "pi"
PACKAGE = HOSTS / "pi" / "node_modules" / "@earendil-works" / "pi-coding-agent"


def script(turn):
    if "GO tool" in turn.prompt and not turn.results:
        return Call("bash", {"command": "cat a.txt"})
    if "GO fail" in turn.prompt and not turn.results:
        return Call("bash", {"command": "exit 3"})
    for depth, inner in (("GO nest", "GO spawn it"), ("GO spawn", "GO tool please")):
        if depth in turn.prompt and not turn.results:
            return Call("subagent", {"agent": "scout", "task": inner, "agentScope": "user"})
    return "Done."


class PiTest(unittest.TestCase):
    def run_pi(self, home, engine, prompt, *more, **environment):
        if not (home.path / "plugin").exists():
            install("pi", home.path / "plugin")
            home.run(PI, "install", home.path / "plugin", PI_OFFLINE="1")
        return home.run(PI, "--model", f"penstock/{MODEL}", "-p", prompt, *more, PI_OFFLINE="1",
                        **{"PENSTOCK_URL": engine.url, **environment})

    def test_should_name_the_session_on_every_request_and_tell_its_end(self):
        for api in ("openai-completions", "openai-responses", "anthropic-messages"):
            with self.subTest(api), Engine(script) as engine, ToolEvents() as tools, Home() as home:
                self.run_pi(home, engine, "GO tool", PENSTOCK_API=api, PENSTOCK_TOOL_EVENTS=tools.url)
                sessions = {turn.session for turn in engine.turns}
                self.assertEqual(1, len(sessions), sessions)
                self.assertNotIn(None, sessions)
                self.assertEqual([False, False, True], [turn.final for turn in engine.turns])
                self.assertEqual({None}, {turn.parent for turn in engine.turns})
                self.assertEqual(3, len({turn.headers.get("x-request-id") for turn in engine.turns} | {None}))
                wait(lambda: len(tools.events) == 2, f"two tool events, got {tools.events}")
                self.assertEqual([], tools.faults)
                self.assertEqual([0, 1], tools.sequences)
                start, end = tools.events
                self.assertEqual(("tool_start", "tool_end"), (start["event_type"], end["event_type"]))
                self.assertEqual(sessions, {start["session_id"], end["session_id"]})
                self.assertEqual("bash", end["tool"]["tool_class"])
                self.assertEqual("succeeded", end["tool"]["status"])
                self.assertGreater(end["tool"]["duration_ms"], 0)
                self.assertGreaterEqual(end["tool"]["output_bytes"], len("hello"))
                self.assertEqual(start["tool"]["tool_call_id"], end["tool"]["tool_call_id"])

    def test_should_report_a_tool_that_fails(self):
        with Engine(script) as engine, ToolEvents() as tools, Home() as home:
            self.run_pi(home, engine, "GO fail", DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT=tools.url)
            wait(lambda: tools.named("tool_error"), "a tool error")
            self.assertEqual("error", tools.named("tool_error")[0]["tool"]["status"])

    def test_should_name_the_parent_of_nested_subagents(self):
        with Engine(script) as engine, ToolEvents() as tools, Home() as home:
            agent = home.path / ".pi" / "agent"
            (agent / "extensions").mkdir(parents=True)
            (agent / "extensions" / "subagent").symlink_to(PACKAGE / "examples" / "extensions" / "subagent")
            home.write(".pi/agent/agents/scout.md", f"---\nname: scout\ndescription: looks around\nmodel: penstock/{MODEL}\n---\nLook around.\n")
            self.run_pi(home, engine, "GO nest", PENSTOCK_TOOL_EVENTS=tools.url)
            parents = {}
            for turn in engine.turns:
                self.assertEqual(turn.parent, parents.setdefault(turn.session, turn.parent))
            self.assertEqual(3, len(parents), parents)
            root = next(session for session, parent in parents.items() if parent is None)
            child = next(session for session, parent in parents.items() if parent == root)
            self.assertIn(child, [parent for session, parent in parents.items() if session not in (root, child)])
            self.assertEqual(set(parents), {turn.session for turn in engine.turns if turn.final})
            wait(lambda: len(tools.named("tool_end")) == 3, "three tools")
            self.assertEqual(set(parents.items()), {(e["session_id"], e.get("parent_session_id")) for e in tools.named("tool_end")})

    def test_should_keep_the_session_when_it_is_continued_and_take_a_given_name(self):
        with Engine(script) as engine, Home() as home:
            self.run_pi(home, engine, "GO text", PENSTOCK_SESSION_FINAL="off")
            self.run_pi(home, engine, "GO text", "--continue", PENSTOCK_SESSION_FINAL="off")
            self.assertEqual(2, len(engine.turns))
            self.assertEqual(1, len({turn.session for turn in engine.turns}))
            self.run_pi(home, engine, "GO text", DYN_AGENT_SESSION_ID="run-42", DYN_AGENT_PARENT_SESSION_ID="planner")
            self.assertEqual(("run-42", "planner"), (engine.turns[2].session, engine.turns[2].parent))

    def test_should_tell_the_end_when_a_new_session_replaces_one_and_name_the_session_of_a_compaction(self):
        with Engine(script) as engine, Home() as home:
            self.run_pi(home, engine, "GO text")
            engine.turns.clear()
            home.write(".pi/agent/settings.json", json.dumps({**json.loads((home.path / ".pi/agent/settings.json").read_text()),
                                                              "compaction": {"keepRecentTokens": 1}}))
            log, prompts = home.path / "rpc.log", 0
            with open(log, "w") as output:
                pi = home.start(PI, "--mode", "rpc", "--model", f"penstock/{MODEL}", input=subprocess.PIPE, output=output,
                                PI_OFFLINE="1", PENSTOCK_URL=engine.url, DYN_AGENT_PARENT_SESSION_ID="planner")
            try:
                for step, command in enumerate(({"type": "prompt", "message": "GO text one"}, {"type": "prompt", "message": "GO text two"},
                                                {"type": "compact"}, {"type": "new_session"}, {"type": "prompt", "message": "GO text three"})):
                    pi.stdin.write(json.dumps({"id": f"step-{step}", **command}) + "\n")
                    pi.stdin.flush()
                    wait(lambda: f'"id":"step-{step}"' in log.read_text() and len(engine.turns) > step, f"step {step}: {command}", 30)
                    prompts += command["type"] == "prompt"
                    wait(lambda: log.read_text().count('"type":"agent_settled"') == prompts, f"the answer to step {step}", 30)
                pi.stdin.close()
                pi.wait(30)
            finally:
                kill(pi)
            first, second = engine.turns[0].session, engine.turns[-1].session
            self.assertNotEqual(first, second)
            self.assertIn("summar", json.dumps(engine.turns[2].body))
            # A compaction takes a request or two.
            told = [(turn.session, turn.final) for turn in engine.turns]
            self.assertEqual([(first, False)] * (len(told) - 3) + [(first, True), (second, False), (second, True)], told)
            self.assertEqual({"planner"}, {turn.parent for turn in engine.turns})

    def test_should_leave_other_providers_alone(self):
        with Engine(script) as engine, Engine(script) as other, Home() as home:
            model = {"id": "other-model", "name": "other", "contextWindow": 100000, "maxTokens": 1000}
            home.write(".pi/agent/models.json", json.dumps({"providers": {"other": {
                "baseUrl": other.url + "/v1", "apiKey": "dummy", "api": "openai-completions", "models": [model]}}}))
            self.run_pi(home, engine, "GO text", "--model", "other/other-model")
            self.assertEqual(1, len(other.turns))
            self.assertEqual([], [name for name in other.turns[0].headers if name.startswith("x-dynamo")])
            self.assertEqual([], engine.turns)

    def test_should_say_what_is_wrong_with_the_configuration(self):
        with Engine(script) as engine, Home() as home:
            self.run_pi(home, engine, "GO text")
            home.write(".pi/agent/penstock.json", '{"sessionFinal": "perhaps"}')
            output = home.run(PI, "--model", f"penstock/{MODEL}", "-p", "x", check=False, PI_OFFLINE="1", PENSTOCK_URL=engine.url)
            self.assertIn("neither on nor off: sessionFinal=perhaps", output)
            home.write(".pi/agent/penstock.json", '{"url": "http://127.0.0.1:1"}')
            output = home.run(PI, "--model", f"penstock/{MODEL}", "-p", "x", check=False, PI_OFFLINE="1")
            self.assertIn("penstock: the router's models could not be read: url=http://127.0.0.1:1/v1/models", output)


if __name__ == "__main__":
    unittest.main()
