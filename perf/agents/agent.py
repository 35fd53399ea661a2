"""What the suite must know of an agent: how it is called, configured and read. One subclass an agent."""
import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120


@dataclass
class Run:
    """A finished command; `code` is None when it had to be ended."""

    code: int | None
    output: str
    errors: str
    seconds: float


class Agent:
    """An agent with a home and a working folder of its own."""

    name = ""
    package = ""
    """Folder below the tools folder that run.sh installed it in."""
    binary = ""
    sessions = 1
    """Sessions of a run without subagents: 0 where the agent names none."""
    asks_again = True
    """Whether it sends a turn again whose answer broke off; else it must fail rather than take a part for the whole."""
    cases = ("root", "tool", "subagent", "nested", "resume", "compaction", "retry-529", "cut-stream")
    unsupported = {}
    """Case name -> why this agent cannot run it."""

    def __init__(self, tools, folder, base):
        self.tools, self.base = tools, base
        self.home, self.work = folder / "home", folder / "work"
        for each in (self.home, self.work, self.home / "tmp"):
            each.mkdir(parents=True, exist_ok=True)
        (self.work / "a.txt").write_text("hello\n")
        self.configure()

    @classmethod
    def path(cls, tools):
        return Path(tools) / cls.package / "node_modules" / ".bin" / cls.binary

    @classmethod
    def missing(cls, tools):
        """Why it cannot be run at all, or None."""
        return None if cls.path(tools).exists() else f"not installed: {cls.path(tools)}"

    @classmethod
    def version(cls, tools):
        """The installed package's own version."""
        link = cls.path(tools).resolve()
        for folder in link.parents:
            if (folder / "package.json").exists():
                return json.loads((folder / "package.json").read_text()).get("version")
        return None

    def configure(self):
        """Writes what the agent reads from its home."""

    def environment(self):
        return {}

    def command(self, prompt, resume=None):
        raise NotImplementedError

    def compact(self, resume):
        """Prompt or command that makes a running session compact itself; None: the plan's full context does."""
        return None

    def answer(self, run):
        """The text that the agent gives its user."""
        return run.output

    def session(self, run):
        """What `command` takes as `resume`."""
        return "last"

    def run(self, command):
        """Runs a command to its end in a clean environment; whatever it leaves behind is ended with it."""
        environment = {
            "PATH": f"{self.tools}/node/node_modules/.bin:{os.environ['PATH']}", "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"), "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "SHELL": "/bin/bash",
            **self.environment()}
        begun = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], cwd=self.work, env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        try:
            output, errors = process.communicate(timeout=SECONDS)
            code = process.returncode
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # Nothing was left behind.
        if code is None:
            output, errors = process.communicate()
        return Run(code, output, errors, time.monotonic() - begun)
