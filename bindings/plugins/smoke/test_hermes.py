"""The Hermes plugin in a real Hermes, enabled with `hermes plugins enable`, against a scripted engine."""
import unittest

from engine import MODEL, Call, Engine
from hosts import HOSTS, Home, install, wait
from tool_events import ToolEvents

HERMES = HOSTS / "hermes" / "venv" / "bin" / "hermes"


def script(turn):
    if "GO tool" in turn.prompt and not turn.results:
        return Call("terminal", {"command": "cat a.txt"})
    if "GO spawn" in turn.prompt and not turn.results:
        return Call("delegate_task", {"goal": "GO tool please"})
    return "Done."


class HermesTest(unittest.TestCase):
    def configure(self, home, engine, mode="chat_completions", entry="", more=""):
        """Writes Hermes's configuration and enables the plugin as a user does."""
        base = engine.url if mode == "anthropic_messages" else engine.url + "/v1"
        home.write(".hermes/config.yaml", f"""model:
  default: {MODEL}
  provider: custom
  base_url: {base}
  api_key: dummy
  api_mode: {mode}
plugins:
  enabled: []
  entries:
    penstock: {{{entry}}}
{more}""")
        install("hermes", home.path / ".hermes" / "plugins" / "penstock", packages=False)
        home.run(HERMES, "plugins", "enable", "penstock")

    def run_hermes(self, home, engine, prompt, mode="chat_completions", check=True, entry="", more="", **environment):
        self.configure(home, engine, mode, entry, more)
        return home.run(HERMES, "chat", "-Q", "--yolo", "-q", prompt, check=check, **{"PENSTOCK_URL": engine.url, **environment})

    def test_should_name_the_session_on_every_request_and_tell_its_end(self):
        for mode in ("chat_completions", "anthropic_messages"):
            with self.subTest(mode), Engine(script) as engine, ToolEvents() as tools, Home() as home:
                self.run_hermes(home, engine, "GO tool", mode, PENSTOCK_TOOL_EVENTS=tools.url)
                sessions = {turn.session for turn in engine.turns}
                self.assertEqual(1, len(sessions), [(turn.path, turn.session, turn.final, turn.prompt[:80]) for turn in engine.turns])
                self.assertNotIn(None, sessions)
                self.assertEqual([False, False, True], [turn.final for turn in engine.turns])
                wait(lambda: len(tools.events) == 2, f"two tool events, got {tools.events}")
                self.assertEqual(([], [0, 1]), (tools.faults, tools.sequences))
                start, end = tools.events
                self.assertEqual(("tool_start", "tool_end"), (start["event_type"], end["event_type"]))
                self.assertEqual(sessions, {start["session_id"], end["session_id"]})
                self.assertEqual(("terminal", "succeeded"), (end["tool"]["tool_class"], end["tool"]["status"]))
                self.assertGreater(end["tool"]["duration_ms"], 0)

    def test_should_name_the_parents_of_nested_subagents_and_tell_when_each_ends(self):
        def patient(turn):
            if "GO nest" in turn.prompt and not turn.results:
                return Call("delegate_task", {"goal": "GO spawn it", "role": "orchestrator"})
            if turn.parent is None and turn.results:
                # Subagents of the top level work in the background; a one-shot run would end before them.
                wait(lambda: sum(other.final for other in engine.turns) == 2, "the end of both subagents", 40)
            return script(turn)

        with Engine(patient) as engine, ToolEvents() as tools, Home() as home:
            self.run_hermes(home, engine, "GO nest", more="delegation:\n  max_spawn_depth: 2\n", PENSTOCK_TOOL_EVENTS=tools.url)
            parents = {turn.session: turn.parent for turn in engine.turns}
            self.assertEqual(3, len(parents), parents)
            order = [turn.session for turn in engine.turns if turn.final]
            self.assertEqual(set(parents), set(order))
            inner, child, root = order
            self.assertEqual({root: None, child: root, inner: child}, parents)
            wait(lambda: len(tools.named("tool_end")) == 3, f"three tools, got {tools.events}")
            self.assertEqual(set(parents.items()), {(e["session_id"], e.get("parent_session_id")) for e in tools.named("tool_end")})

    def test_should_end_a_subagent_with_the_process_when_nobody_waits_for_it(self):
        with Engine(script) as engine, ToolEvents() as tools, Home() as home:
            self.run_hermes(home, engine, "GO spawn", PENSTOCK_TOOL_EVENTS=tools.url)
            sessions = {turn.session for turn in engine.turns}
            self.assertEqual(sessions, {turn.session for turn in engine.turns if turn.final})
            wait(lambda: len(tools.named("tool_start")) == len(tools.named("tool_end")), f"an end for each start, got {tools.events}")

    def test_should_leave_other_endpoints_alone(self):
        with Engine(script) as engine, Home() as home:
            self.run_hermes(home, engine, "GO text", PENSTOCK_URL="http://127.0.0.1:1")
            self.assertEqual(1, len(engine.turns))
            self.assertEqual([], [name for name in engine.turns[0].headers if name.startswith("x-dynamo")])

    def test_should_say_what_is_wrong_with_the_configuration(self):
        with Engine(script) as engine, Home() as home:
            output = self.run_hermes(home, engine, "GO text", check=False, entry="session_final: perhaps")
            self.assertIn("penstock: neither on nor off: session_final=perhaps", output)
            self.assertEqual(1, len(engine.turns))


if __name__ == "__main__":
    unittest.main()
