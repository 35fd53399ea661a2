"""The OpenClaw plugin in a real OpenClaw, installed with `openclaw plugins install`, against a scripted engine. OpenClaw takes half a
minute for a turn on two cores."""
import json
import signal
import socket
import unittest

from engine import MODEL, Call, Engine
from hosts import HOSTS, Home, free_port, install, kill, wait
from tool_events import ToolEvents

OPENCLAW = HOSTS / "openclaw" / "node_modules" / ".bin" / "openclaw"
SLOW = 150


def script(turn):
    if "GO tool" in turn.prompt and not turn.results:
        return Call("exec", {"command": "cat a.txt; echo parent=$DYN_AGENT_PARENT_SESSION_ID"})
    return "Done."


class OpenClawTest(unittest.TestCase):
    def config(self, home, engine, api, plugin=None, **more):
        base = engine.url if api == "anthropic-messages" else engine.url + "/v1"
        file = home.path / ".openclaw" / "openclaw.json"
        config = json.loads(file.read_text()) if file.exists() else {}
        model = {"id": MODEL, "name": MODEL, "reasoning": False, "input": ["text"], "contextWindow": 128000, "maxTokens": 8192,
                 "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}
        config |= {"models": {"catalogRefresh": {"enabled": False}, "providers": {"penstock": {"baseUrl": base, "apiKey": "dummy", "api": api, "models": [model]}}},
                   "agents": {"defaults": {"model": {"primary": f"penstock/{MODEL}"}, "workspace": str(home.work), "skipBootstrap": True,
                                           "subagents": {"maxSpawnDepth": 2}}}, **more}
        if plugin is not None:
            config["plugins"]["entries"]["penstock"]["config"] = plugin
        home.write(".openclaw/openclaw.json", json.dumps(config))

    def install(self, home):
        install("openclaw", home.path / "plugin")
        home.run(OPENCLAW, "plugins", "install", "--link", home.path / "plugin", "--force", "--accept-capabilities", timeout=SLOW)
        home.run(OPENCLAW, "plugins", "enable", "penstock", timeout=SLOW)

    def local(self, home, prompt, check=True, **environment):
        return home.run(OPENCLAW, "agent", "--local", "--session-key", "agent:main:x", "-m", prompt, timeout=SLOW, check=check, **environment)

    def test_should_name_the_session_on_every_request_and_report_tools(self):
        with Engine(script) as engine, Home() as home:
            self.config(home, engine, "openai-completions")
            self.install(home)
            sessions = set()
            for api in ("openai-completions", "openai-responses", "anthropic-messages"):
                with self.subTest(api), ToolEvents() as tools:
                    engine.turns.clear()
                    self.config(home, engine, api, plugin={"toolEvents": tools.url})
                    self.local(home, "GO tool please")
                    self.assertEqual(2, len(engine.turns))
                    sessions |= {turn.session for turn in engine.turns}
                    self.assertNotIn(None, sessions)
                    wait(lambda: len(tools.events) == 2, f"two tool events, got {tools.events}")
                    self.assertEqual([], tools.faults)
                    start, end = tools.events
                    self.assertEqual(("tool_start", "tool_end"), (start["event_type"], end["event_type"]))
                    self.assertEqual({engine.turns[0].session}, {start["session_id"], end["session_id"]})
                    self.assertEqual(("exec", "succeeded"), (end["tool"]["tool_class"], end["tool"]["status"]))
                    self.assertGreater(end["tool"]["duration_ms"], 0)
                    self.assertIn(f"parent={engine.turns[0].session}", json.dumps(engine.turns[1].body))
            # One conversation, continued three times.
            self.assertEqual(1, len(sessions), sessions)

    def test_should_say_what_is_wrong_with_the_configuration(self):
        with Engine(script) as engine, Home() as home:
            self.config(home, engine, "openai-completions")
            self.install(home)
            output = self.local(home, "GO text", check=False, PENSTOCK_SESSION_FINAL="perhaps")
            self.assertIn("neither on nor off: PENSTOCK_SESSION_FINAL=perhaps", output)
            self.config(home, engine, "openai-completions", plugin={"toolEvents": "127.0.0.1:9"})
            output = self.local(home, "GO text", check=False)
            self.assertIn("plugins.entries.penstock.config.toolEvents", output)

    def test_should_name_the_parents_of_nested_subagents_and_tell_their_end(self):
        def nested(turn):
            for depth, inner in (("GO nest", "GO spawn it"), ("GO spawn", "GO tool please")):
                if depth in turn.prompt and turn.results == 0:
                    # Through OpenClaw's tool of tools: it offers most tools by name only.
                    return Call("tool_call", {"id": "sessions_spawn", "args": {"task": inner, "taskName": depth[3:]}})
                if depth in turn.prompt and turn.results == 1:
                    return Call("sessions_yield", {})
            return script(turn)

        port = free_port()
        with Engine(nested) as engine, ToolEvents() as tools, Home() as home:
            self.config(home, engine, "openai-responses", gateway={"mode": "local", "port": port, "bind": "loopback", "auth": {"mode": "none"}})
            self.install(home)
            log = open(home.path / "gateway.log", "w+")
            gateway = home.start(OPENCLAW, "gateway", "run", output=log, OPENCLAW_SKIP_CHANNELS="1",
                                 OPENCLAW_DISABLE_BONJOUR="1", PENSTOCK_TOOL_EVENTS=tools.url)
            try:
                wait(lambda: reachable(port), "the gateway listens", SLOW)
                home.run(OPENCLAW, "agent", "--session-key", "agent:main:x", "-m", "GO nest", timeout=SLOW)
                wait(lambda: sum(turn.final for turn in engine.turns) == 2, "the end of both subagents", SLOW)
                gateway.send_signal(signal.SIGTERM)
                gateway.wait(SLOW)
            except Exception:
                print((home.path / "gateway.log").read_text()[-6000:])
                raise
            finally:
                kill(gateway)
                log.close()
            parents = {}
            for turn in engine.turns:
                self.assertEqual(turn.parent, parents.setdefault(turn.session, turn.parent))
            root = next(session for session, parent in parents.items() if parent is None)
            child = next(session for session, parent in parents.items() if parent == root)
            self.assertEqual({None, root, child}, set(parents.values()))
            self.assertEqual(set(parents), {turn.session for turn in engine.turns if turn.final})
            self.assertEqual(set(parents.items()), {(e["session_id"], e.get("parent_session_id")) for e in tools.named("tool_end")})


def reachable(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    unittest.main()
