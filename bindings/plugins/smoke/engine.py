"""A scripted engine on loopback: answers OpenAI chat and responses and Anthropic messages as a script says, streamed or not,
and keeps what it was sent.

A script is a function of a Turn; it returns a text, or a Call for a tool.
"""
import dataclasses
import http.server
import json
import sys
import threading
import uuid

MODEL = "lab-model"
MARK = "GO "


@dataclasses.dataclass
class Call:
    """A tool that the model asks for."""

    name: str
    arguments: dict


@dataclasses.dataclass
class Turn:
    """One request to a model: what a script needs to decide."""

    path: str
    headers: dict
    body: dict
    kind: str

    @property
    def session(self):
        return self.headers.get("x-dynamo-session-id")

    @property
    def parent(self):
        return self.headers.get("x-dynamo-parent-session-id")

    @property
    def final(self):
        return self.headers.get("x-dynamo-session-final") == "true"

    @property
    def prompt(self):
        """The last text with the mark in it that a user sent; hosts add messages of their own behind it."""
        return next((text for role, text in reversed(self.messages()) if role == "user" and MARK in text), "")

    @property
    def results(self):
        """Tool results since that text."""
        count = 0
        for role, text in reversed(self.messages()):
            if role == "user" and MARK in text:
                break
            count += role == "tool"
        return count

    def messages(self):
        if self.kind == "responses":
            items = self.body.get("input")
            items = [{"role": "user", "content": items}] if isinstance(items, str) else items
        else:
            items = self.body.get("messages")
        return [(self.role(item), json.dumps(item.get("content"), ensure_ascii=False)) for item in items or []]

    @staticmethod
    def role(item):
        content = item.get("content")
        if item.get("role") == "tool" or str(item.get("type", "")).endswith("_output"):
            return "tool"
        if isinstance(content, list) and any(part.get("type") == "tool_result" for part in content if isinstance(part, dict)):
            return "tool"
        return item.get("role") or "assistant"


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        # A host that is gone leaves its connections; anything else is worth a trace.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, address)


class Engine:
    """Serves until closed; `turns` holds the requests in the order they came."""

    def __init__(self, script):
        self.script, self.turns, self.others = script, [], []
        self.changed = threading.Condition()
        self.server = Server(("127.0.0.1", 0), type("Handler", (Handler,), {"engine": self}))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def take(self, turn):
        with self.changed:
            self.turns.append(turn)
            self.changed.notify_all()
        return "" if turn.final else self.script(turn)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    engine = None
    protocol_version = "HTTP/1.1"
    KINDS = {"/chat/completions": "chat", "/responses": "responses", "/messages": "messages"}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.engine.others.append((self.path, dict(self.headers)))
        if self.path.split("?")[0].endswith("/models"):
            self.json({"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": 131072}]})
        elif self.path == "/health":
            self.json({})
        else:
            self.json({"error": {"message": "not found"}}, 404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        path = self.path.split("?")[0]
        kind = next((kind for end, kind in self.KINDS.items() if path.endswith(end)), None)
        if kind is None:
            self.engine.others.append((self.path, dict(self.headers)))
            return self.json({"error": {"message": "not found"}}, 404)
        answer = self.engine.take(Turn(path, {k.lower(): v for k, v in self.headers.items()}, body, kind))
        if body.get("stream"):
            self.stream(getattr(self, "stream_" + kind)(answer))
        else:
            self.json(getattr(self, "whole_" + kind)(answer))

    def json(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events:
            data = event.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    # OpenAI chat
    def whole_chat(self, answer):
        message = {"role": "assistant", "content": answer} if isinstance(answer, str) else \
            {"role": "assistant", "content": None, "tool_calls": [self.chat_call(answer)]}
        return {"id": name("chatcmpl-"), "object": "chat.completion", "created": 1, "model": MODEL, "usage": CHAT_USAGE,
                "choices": [{"index": 0, "message": message, "finish_reason": chat_finish(answer)}]}

    def stream_chat(self, answer):
        head = {"id": name("chatcmpl-"), "object": "chat.completion.chunk", "created": 1, "model": MODEL}
        delta = {"content": answer} if isinstance(answer, str) else {"tool_calls": [{"index": 0, **self.chat_call(answer)}]}
        for choice in ({"delta": {"role": "assistant", **delta}, "finish_reason": None}, {"delta": {}, "finish_reason": chat_finish(answer)}):
            yield data({**head, "choices": [{"index": 0, **choice}]})
        yield data({**head, "choices": [], "usage": CHAT_USAGE})
        yield "data: [DONE]\n\n"

    @staticmethod
    def chat_call(call):
        return {"id": name("call_"), "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.arguments)}}

    # OpenAI responses
    def whole_responses(self, answer, items=None):
        items = [self.item(answer)] if items is None else items
        return {"id": name("resp_"), "object": "response", "created_at": 1, "status": "completed", "model": MODEL, "output": items,
                "error": None, "incomplete_details": None, "instructions": None, "metadata": {}, "parallel_tool_calls": True,
                "tool_choice": "auto", "tools": [], "temperature": 1, "top_p": 1,
                "usage": {"input_tokens": 1200, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
                          "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1220}}

    def stream_responses(self, answer):
        item = self.item(answer)
        begun = {**self.whole_responses(answer, []), "status": "in_progress", "usage": None}
        at = {"output_index": 0}
        inner = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        events = [("response.created", {"response": begun})]
        if isinstance(answer, str):
            part = item["content"][0]
            events += [("response.output_item.added", {**at, "item": {**item, "status": "in_progress", "content": []}}),
                       ("response.content_part.added", {**inner, "part": {**part, "text": ""}}),
                       ("response.output_text.delta", {**inner, "delta": answer}),
                       ("response.output_text.done", {**inner, "text": answer}),
                       ("response.content_part.done", {**inner, "part": part})]
        else:
            events += [("response.output_item.added", {**at, "item": {**item, "status": "in_progress", "arguments": ""}}),
                       ("response.function_call_arguments.delta", {**at, "item_id": item["id"], "delta": item["arguments"]}),
                       ("response.function_call_arguments.done", {**at, "item_id": item["id"], "arguments": item["arguments"]})]
        events += [("response.output_item.done", {**at, "item": item}),
                   ("response.completed", {"response": {**self.whole_responses(answer, [item]), "id": begun["id"]}})]
        for number, (kind, value) in enumerate(events):
            yield f"event: {kind}\n" + data({"type": kind, "sequence_number": number, **value})

    @staticmethod
    def item(answer):
        if isinstance(answer, str):
            return {"id": name("msg_"), "type": "message", "status": "completed", "role": "assistant",
                    "content": [{"type": "output_text", "text": answer, "annotations": []}]}
        return {"id": name("fc_"), "type": "function_call", "status": "completed", "call_id": name("call_"), "name": answer.name,
                "arguments": json.dumps(answer.arguments)}

    # Anthropic messages
    def whole_messages(self, answer, content=None):
        if content is None:
            content = [{"type": "text", "text": answer}] if isinstance(answer, str) else \
                [{"type": "tool_use", "id": name("toolu_"), "name": answer.name, "input": answer.arguments}]
        return {"id": name("msg_"), "type": "message", "role": "assistant", "model": MODEL, "content": content,
                "stop_reason": "end_turn" if isinstance(answer, str) else "tool_use", "stop_sequence": None,
                "usage": {"input_tokens": 1200, "output_tokens": 20}}

    def stream_messages(self, answer):
        start = {**self.whole_messages(answer, []), "stop_reason": None}
        if isinstance(answer, str):
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": answer}
        else:
            block = {"type": "tool_use", "id": name("toolu_"), "name": answer.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
        stop = "end_turn" if isinstance(answer, str) else "tool_use"
        for kind, value in (("message_start", {"message": start}), ("content_block_start", {"index": 0, "content_block": block}),
                            ("content_block_delta", {"index": 0, "delta": delta}), ("content_block_stop", {"index": 0}),
                            ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 20}}),
                            ("message_stop", {})):
            yield f"event: {kind}\n" + data({"type": kind, **value})


CHAT_USAGE = {"prompt_tokens": 1200, "completion_tokens": 20, "total_tokens": 1220}


def chat_finish(answer):
    return "stop" if isinstance(answer, str) else "tool_calls"


def name(prefix):
    return prefix + uuid.uuid4().hex[:20]


def data(value):
    return f"data: {json.dumps(value)}\n\n"
