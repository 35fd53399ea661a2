"""The examples for a harness of one's own, against a scripted engine."""
import sys
import unittest

from engine import Engine
from hosts import PLUGINS, Home, install, wait
from tool_events import ToolEvents


class ExamplesTest(unittest.TestCase):
    def check(self, command):
        with Engine(lambda turn: "Done.") as engine, ToolEvents() as tools, Home() as home:
            install("examples", home.path / "example")
            output = home.run(command, home.path / "example" / f"harness.{'py' if command == sys.executable else 'ts'}", engine.url, tools.url)
            self.assertIn("Done. Done. Done.", output)
            root, child = engine.turns[0].session, engine.turns[1].session
            self.assertNotEqual(root, child)
            self.assertEqual([(root, None, False), (child, root, False), (root, None, False), (child, root, True), (root, None, True)],
                             [(turn.session, turn.parent, turn.final) for turn in engine.turns])
            self.assertEqual(1, engine.turns[-1].body["max_tokens"])
            wait(lambda: tools.events, "a tool event")
            self.assertEqual([(child, "tool_end", "ls")],
                             [(event["session_id"], event["event_type"], event["tool"]["tool_class"]) for event in tools.events])
            self.assertEqual([], tools.faults)

    def test_should_show_sessions_and_tools_in_python(self):
        self.check(sys.executable)

    def test_should_show_sessions_and_tools_in_typescript(self):
        self.check("node")

    def test_should_stay_at_some_thirty_lines(self):
        for name in ("harness.py", "harness.ts"):
            code = [line for line in (PLUGINS / "examples" / name).read_text().splitlines() if line.strip()]
            self.assertLessEqual(len(code), 40, name)


if __name__ == "__main__":
    unittest.main()
