"""A harness of your own, in Python: a root session, a tool, a subagent, and their ends. `harness.py ROUTER_URL [TOOL_EVENTS]`"""
import json, struct, sys, time, urllib.request, uuid

import msgpack, zmq

url, socket = sys.argv[1], zmq.Context().socket(zmq.PUSH)
if len(sys.argv) > 2:
    socket.connect(sys.argv[2])

class Session:
    def __init__(self, parent=None):
        self.headers = {"content-type": "application/json", "x-dynamo-session-id": str(uuid.uuid4())}
        if parent:
            self.headers["x-dynamo-parent-session-id"] = parent.headers["x-dynamo-session-id"]
    def ask(self, text, **more):
        body = {"model": "lab-model", "messages": [{"role": "user", "content": text}], "max_tokens": 256}
        headers = self.headers | more.pop("headers", {})
        with urllib.request.urlopen(urllib.request.Request(url + "/v1/chat/completions", json.dumps(body | more).encode(), headers)) as answer:
            return json.load(answer)["choices"][0]["message"]["content"]
    def tool(self, name, work, sent=iter(range(1 << 62))):
        began = int(time.time() * 1000); result = work(); ended = int(time.time() * 1000)
        event = {"schema": "dynamo.request.trace.v1", "event_type": "tool_end", "event_time_unix_ms": ended, "session_id": self.headers["x-dynamo-session-id"],
                 "tool": {"tool_call_id": str(uuid.uuid4()), "tool_class": name, "status": "succeeded", "started_at_unix_ms": began, "ended_at_unix_ms": ended}}
        if len(sys.argv) > 2:
            socket.send_multipart([b"agent-tool-events", struct.pack(">Q", next(sent)), msgpack.packb(event)])
        return result
    def end(self):
        self.ask("end", max_tokens=1, headers={"x-dynamo-session-final": "true"})

root = Session(); child = Session(root)
print(root.ask("Plan."), child.ask("Look: " + child.tool("ls", lambda: "a.txt")), root.ask("Sum up."))
child.end(), root.end()
