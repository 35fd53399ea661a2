"""A scripted engine: answers chat, responses and messages by plan.py, fails when told to, keeps all it received."""
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import plan
import wire

MODELS = ("lab-model", "claude-sonnet-4-5", "gpt-5")


@dataclass
class Fault:
    """How the next agent's turn fails: `status` with a code, or `cut` in the middle of the stream."""

    kind: str
    code: int = 0
    retry_after: str | None = None
    only_with_tools: bool = True
    """Agents offer tools in a turn and none in a title request, which must not use the fault up; SDKs offer none."""


@dataclass
class Received:
    """A request as it arrived, and what was answered."""

    path: str
    headers: list
    body: bytes
    at: float
    fault: Fault | None = None
    reply: plan.Reply | None = None
    answer: list = field(default_factory=list)
    """Events or the one body, as bytes, in the order they were written."""


class ScriptedEngine:
    """Serves on a free loopback port until closed. Thread-safe."""

    def __init__(self):
        self.nonce = ""
        self.received = []
        self.faults = []
        self.lock = threading.Lock()
        handler = type("Handler", (EngineHandler,), {"engine": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def take(self, received, with_tools):
        with self.lock:
            self.received.append(received)
            if self.faults and (with_tools or not self.faults[0].only_with_tools):
                received.fault = self.faults.pop(0)
            return received.fault


class EngineHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.split("?")[0].endswith("/models"):
            self.json(200, {"object": "list", "data": [{"id": m, "object": "model", "owned_by": "lab"} for m in MODELS]})
        elif self.path == "/health":
            self.json(200, {})
        else:
            self.json(404, {"error": {"message": "not found", "type": "not_found_error"}})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        received = Received(self.path, list(self.headers.items()), raw, time.monotonic())
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        api = wire.api_of(self.path)
        fault = self.engine.take(received, bool(isinstance(body, dict) and body.get("tools")))
        if self.path.split("?")[0].endswith("/count_tokens"):
            self.json(200, {"input_tokens": 1_234}, received)
        elif api is None or not isinstance(body, dict):
            self.json(404, {"error": {"message": "not found", "type": "not_found_error"}}, received)
        elif fault and fault.kind == "status":
            extra = [("Retry-After", fault.retry_after)] if fault.retry_after else []
            self.json(fault.code, wire.overloaded(api), received, extra)
        else:
            received.reply = plan.reply(body, api, self.engine.nonce)
            if body.get("stream"):
                self.stream(wire.events(api, body, received.reply), received, fault)
            else:
                self.json(200, wire.whole(api, body, received.reply), received)

    def json(self, status, content, received=None, extra=()):
        data = json.dumps(content).encode()
        if received:
            received.answer.append(data)
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(data))), *extra]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events, received, fault):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        stop = len(events) // 2 if fault and fault.kind == "cut" else len(events)
        for each in events[:stop]:
            data = each.encode()
            received.answer.append(data)
            last = b"0\r\n\r\n" if each is events[-1] else b""
            # The last event and the end in one write: some clients give the connection up otherwise.
            try:
                self.wfile.write(b"%x\r\n%s\r\n%s" % (len(data), data, last))
            except OSError:  # The client left: nothing more is to be told.
                self.close_connection = True
                return
            time.sleep(0.005)
        if stop < len(events):
            self.close_connection = True
