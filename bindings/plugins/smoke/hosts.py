"""Runs a real host in a home and environment of its own. Where the hosts are installed: PENSTOCK_PLUGIN_HOSTS (test.sh sets it)."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PLUGINS = pathlib.Path(__file__).resolve().parent.parent
HOSTS = pathlib.Path(os.environ["PENSTOCK_PLUGIN_HOSTS"])


class Home:
    """A fresh home folder with a workspace; gone after use, unless PENSTOCK_PLUGIN_KEEP is set."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="penstock-host-"))
        self.work = self.path / "work"
        self.work.mkdir()
        (self.work / "a.txt").write_text("hello\n")
        return self

    def __exit__(self, *_):
        if os.environ.get("PENSTOCK_PLUGIN_KEEP"):
            print(f"kept: {self.path}")
        else:
            shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def run(self, *command, timeout=120, check=True, **environment):
        """Runs a host to its end; its whole process group is gone afterwards. Returns what it printed."""
        process = self.start(*command, **environment)
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            raise AssertionError(f"still running: seconds={timeout} command={command[:3]}\n{output[-3000:]}") from None
        finally:
            kill(process)
        if check and process.returncode:
            raise AssertionError(f"failed: exit={process.returncode} command={command[:3]}\n{output[-3000:]}")
        return output

    def start(self, *command, output=subprocess.PIPE, input=subprocess.DEVNULL, **environment):
        """Starts a host in a process group of its own; the caller ends it with `kill`."""
        node = HOSTS / "node" / "node_modules" / ".bin"
        env = {"PATH": f"{node}:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.path), "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1",
               "TMPDIR": str(self.path), **environment}
        return subprocess.Popen([str(part) for part in command], cwd=self.work, env=env, stdin=input, stdout=output,
                                stderr=subprocess.STDOUT, text=True, start_new_session=True)


def kill(process):
    """Ends a host's process group, whatever is left of it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def install(plugin, target, packages=True):
    """Copies a plugin, with the packages that `npm install` in its folder brings."""
    shutil.copytree(PLUGINS / plugin, target, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    if packages:
        # Real files, as npm lays them: a host may refuse a link that leaves the plugin's folder.
        shutil.copytree(HOSTS / "modules" / "node_modules", target / "node_modules", symlinks=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(condition, what, seconds=10):
    """Waits until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen: {what}")
        time.sleep(0.02)
