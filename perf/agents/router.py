"""A Penstock process in front of the scripted engine, and its admin port."""
import json
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
PENSTOCK = HOME / "penstock"
sys.path.insert(0, str(HOME / "bindings" / "python" / "penstock-journal"))
from penstock_journal import JournalReader  # noqa: E402
READY_SECONDS = 60
LISTENS = re.compile(r"router listens: url=http://[^ ]*:(\d+) admin=http://[^ ]*:(\d+)")


class Router:
    """Started at once, ready when the constructor returns; `close` ends the process that it started."""

    def __init__(self, engine_port, folder):
        self.log = folder / "router.log"
        self.journal = folder / "data" / "journal"
        config = folder / "router.yaml"
        config.write_text(
            f"http:\n  host: 127.0.0.1\n  port: 0\n  adminPort: 0\n  decisionsKept: 4096\n"
            f"  drainTimeoutMs: 1000\n"
            f"tokens:\n  fallback:\n    engineEndpoint: false\n"
            f'dataDir: "{folder}/data"\n'
            f'workers:\n  - {{name: scripted, url: "http://127.0.0.1:{engine_port}", engine: none}}\n')
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([PENSTOCK, "route", "-c", config], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT)
        self.port = self.admin = None
        deadline = time.monotonic() + READY_SECONDS
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.close()
                raise SystemExit(f"the router is not ready; its log: {self.log}")
            time.sleep(0.1)

    def ready(self):
        """Whether it told the ports that it chose, and takes requests."""
        told = LISTENS.search(self.log.read_text())
        if told:
            self.port, self.admin = int(told[1]), int(told[2])
        return told is not None and self.get(self.port, "/ready") is not None

    def close(self):
        self.process.terminate()
        self.process.wait()

    def decisions(self, after):
        """Decisions younger than a number, oldest first."""
        found = json.loads(self.get(self.admin, "/decisions?limit=4096"))
        return sorted((d for d in found if d["number"] > after), key=lambda d: d["number"])

    def last_decision(self):
        return max((d["number"] for d in json.loads(self.get(self.admin, "/decisions?limit=1"))), default=-1)

    def session(self, name):
        """What the session table holds of one session, its children with it; None where it is unknown."""
        found = self.get(self.admin, "/sessions/" + urllib.parse.quote(name, safe=""))
        return None if found is None else json.loads(found)

    def records(self):
        """All that the trace journal holds, by the reader in bindings/python."""
        return list(JournalReader(self.journal)), None

    def tail(self):
        """All that the trace journal holds, as `penstock tail --json` gives it, and why there is nothing to read."""
        command = [PENSTOCK, "tail", "--json", "--lines", "1000000", self.journal]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            why = [line for line in done.stderr.splitlines() if "tail" in line]
            return [], f"penstock tail: exit {done.returncode}: {' '.join(why[:1])}"
        return [json.loads(line) for line in done.stdout.splitlines()], None

    @staticmethod
    def get(port, path):
        """Body of a 200, else None."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.read()
        except OSError:
            return None
