"""Sessions as a real Penstock sees them: the Python example, and a Pi that starts a Hermes, through a router to a scripted engine."""
import contextlib
import json
import os
import sys
import unittest
import urllib.error
import urllib.request

# As modules: their tests would run here once more.
import test_hermes
import test_pi
from engine import Call, Engine
from hosts import PLUGINS, Home, free_port, kill, wait

PENSTOCK = PLUGINS.parent.parent / "penstock"


class Router:
    """A router of its own ports before one engine; `url` is the clients' address."""

    def __init__(self, home, engine):
        self.home, self.engine = home, engine
        self.url, self.admin, self.tools = (f"{scheme}://127.0.0.1:{free_port()}" for scheme in ("http", "http", "tcp"))

    def __enter__(self):
        self.log = open(self.home.path / "router.log", "w")
        self.process = self.home.start(
            PENSTOCK, "route", "--worker", self.engine.url, "--port", self.url.rsplit(":")[-1], "--admin-port", self.admin.rsplit(":")[-1],
            "--data-dir", self.home.path / "data", output=self.log, PENSTOCK_CLASS_ARCHIVE="off", DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT=self.tools,
            **{name: os.environ[name] for name in ("JAVA_HOME", "PENSTOCK_JAVA_HOME") if name in os.environ})
        try:
            wait(lambda: self.get(self.url + "/ready") is not None, "the router is ready", 90)
        except AssertionError as late:
            self.__exit__()
            raise AssertionError(f"{late}\n{(self.home.path / 'router.log').read_text()[-2000:]}") from None
        return self

    def __exit__(self, *_):
        kill(self.process)
        self.log.close()

    @staticmethod
    def get(url):
        with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(url) as answer:
            return answer.read().decode()
        return None

    def tree(self, session, done):
        """The session with its children, once `done` says that all has arrived."""
        tree = {}

        def arrived():
            tree.update(json.loads(self.get(f"{self.admin}/sessions/{session}") or "{}"))
            return tree and done(tree)

        try:
            wait(arrived, "the sessions")
        except AssertionError as late:
            raise AssertionError(f"{late}: {json.dumps(tree)}") from None
        return tree


class RouterTest(unittest.TestCase):
    def test_should_show_the_examples_sessions(self):
        with Engine(lambda turn: "Done.") as engine, Home() as home, Router(home, engine) as router:
            home.run(sys.executable, PLUGINS / "examples" / "harness.py", router.url, router.tools)
            tree = router.tree(engine.turns[0].session, lambda tree: tree["children"] and tree["children"][0]["tools"]["ended"])
            child = tree["children"][0]
            self.assertEqual((3, True, "dynamo"), (tree["turns"], tree["ended"], tree["source"]))
            self.assertEqual((2, True, tree["session"]), (child["turns"], child["ended"], child["parent"]))

    def test_should_show_a_hermes_below_the_pi_that_started_it(self):
        def script(turn):
            if "GO hermes" in turn.prompt and not turn.results:
                return Call("bash", {"command": f"{test_hermes.HERMES} chat -Q --yolo -q 'GO tool please'"})
            if "GO tool" in turn.prompt and not turn.results:
                return Call("terminal", {"command": "cat a.txt"})
            return "Done."

        with Engine(script) as engine, Home() as home, Router(home, engine) as router:
            test_hermes.HermesTest().configure(home, router)
            test_pi.PiTest().run_pi(home, router, "GO hermes", PENSTOCK_TOOL_EVENTS=router.tools)
            tree = router.tree(engine.turns[0].session, lambda tree: tree["tools"]["ended"] and tree["children"] and tree["children"][0]["tools"]["ended"])
            child = tree["children"][0]
            self.assertEqual((3, True, 1), (tree["turns"], tree["ended"], tree["tools"]["ended"]))
            self.assertEqual((3, True, 1, tree["session"]), (child["turns"], child["ended"], child["tools"]["ended"], child["parent"]))


if __name__ == "__main__":
    unittest.main()
