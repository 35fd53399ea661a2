"""A reply in the three APIs: one JSON object, or the list of its server-sent events."""
import json
import re
import time
import uuid


def short(prefix):
    return prefix + uuid.uuid4().hex[:20]


def words(text):
    return re.findall(r"\S+\s*", text)


def pieces(text, size=24):
    return [text[i : i + size] for i in range(0, len(text), size)]


def event(kind, **fields):
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def api_of(path):
    """`messages`, `responses`, `chat`, or None for a path that generates nothing."""
    path = path.split("?")[0]
    ends = {"/messages": "messages", "/responses": "responses", "/chat/completions": "chat"}
    return next((api for end, api in ends.items() if path.endswith(end)), None)


def overloaded(api):
    if api == "messages":
        return {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    return {"error": {"message": "Overloaded, try again", "type": "server_error", "code": "overloaded"}}


def whole(api, body, reply):
    return {"messages": message, "responses": response, "chat": completion}[api](body, reply)


def events(api, body, reply):
    return list({"messages": message_events, "responses": response_events, "chat": chat_events}[api](body, reply))


# ---- Anthropic messages
def message(body, reply, finished=True):
    block = {"type": "text", "text": reply.text}
    if reply.tool:
        block = {"type": "tool_use", "id": short("toolu_"), "name": reply.tool.name, "input": reply.arguments}
    return {
        "id": short("msg_"), "type": "message", "role": "assistant", "model": body.get("model"),
        "content": [block] if finished else [],
        "stop_reason": ("tool_use" if reply.tool else "end_turn") if finished else None, "stop_sequence": None,
        "usage": {"input_tokens": reply.input_tokens, "cache_creation_input_tokens": 0,
                  "cache_read_input_tokens": 0, "output_tokens": reply.output_tokens if finished else 1},
    }


def message_events(body, reply):
    yield event("message_start", message=message(body, reply, finished=False))
    if reply.tool:
        block = {"type": "tool_use", "id": short("toolu_"), "name": reply.tool.name, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": p} for p in pieces(json.dumps(reply.arguments))]
    else:
        block = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": word} for word in words(reply.text)]
    yield event("content_block_start", index=0, content_block=block)
    yield event("ping")
    for delta in deltas:
        yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    reason = "tool_use" if reply.tool else "end_turn"
    yield event("message_delta", delta={"stop_reason": reason, "stop_sequence": None},
                usage={"output_tokens": reply.output_tokens})
    yield event("message_stop")


# ---- OpenAI responses
def item(reply):
    if not reply.tool:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        return {"id": short("msg_"), "type": "message", "status": "completed", "role": "assistant", "content": content}
    call = {"id": short("fc_"), "type": "function_call", "status": "completed", "call_id": short("call_"),
            "name": reply.tool.name, "arguments": json.dumps(reply.arguments)}
    if reply.tool.namespace:
        call["namespace"] = reply.tool.namespace
    return call


def response(body, reply, output=None, finished=True):
    usage = {"input_tokens": reply.input_tokens, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens": reply.output_tokens, "output_tokens_details": {"reasoning_tokens": 0},
             "total_tokens": reply.input_tokens + reply.output_tokens}
    return {
        "id": short("resp_"), "object": "response", "created_at": int(time.time()),
        "status": "completed" if finished else "in_progress", "model": body.get("model"),
        "output": ([item(reply)] if output is None else output) if finished else [],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": usage if finished else None,
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1, "top_p": 1,
    }


def response_events(body, reply):
    number = iter(range(1_000_000))
    done = item(reply)
    begun = response(body, reply, finished=False)
    at = {"item_id": done["id"], "output_index": 0}

    def sse(kind, **fields):
        return event(kind, sequence_number=next(number), **fields)

    yield sse("response.created", response=begun)
    yield sse("response.in_progress", response=begun)
    if reply.tool:
        opened = {**done, "status": "in_progress", "arguments": ""}
        yield sse("response.output_item.added", output_index=0, item=opened)
        for piece in pieces(done["arguments"]):
            yield sse("response.function_call_arguments.delta", delta=piece, **at)
        yield sse("response.function_call_arguments.done", arguments=done["arguments"], name=done["name"], **at)
    else:
        part = {"type": "output_text", "text": "", "annotations": []}
        opened = {**done, "status": "in_progress", "content": []}
        yield sse("response.output_item.added", output_index=0, item=opened)
        yield sse("response.content_part.added", content_index=0, part=part, **at)
        for word in words(reply.text):
            yield sse("response.output_text.delta", content_index=0, delta=word, **at)
        yield sse("response.output_text.done", content_index=0, text=reply.text, **at)
        yield sse("response.content_part.done", content_index=0, part=done["content"][0], **at)
    yield sse("response.output_item.done", output_index=0, item=done)
    yield sse("response.completed", response={**response(body, reply, [done]), "id": begun["id"]})


# ---- OpenAI chat
def chat_usage(reply):
    return {"prompt_tokens": reply.input_tokens, "completion_tokens": reply.output_tokens,
            "total_tokens": reply.input_tokens + reply.output_tokens}


def call(reply):
    function = {"name": reply.tool.name, "arguments": json.dumps(reply.arguments)}
    return {"id": short("call_"), "type": "function", "function": function}


def completion(body, reply):
    said = {"role": "assistant", "content": None if reply.tool else reply.text}
    if reply.tool:
        said["tool_calls"] = [call(reply)]
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if reply.tool else "stop", "logprobs": None}
    return {"id": short("chatcmpl-"), "object": "chat.completion", "created": int(time.time()),
            "model": body.get("model"), "choices": [choice], "usage": chat_usage(reply)}


def chat_events(body, reply):
    head = {"id": short("chatcmpl-"), "object": "chat.completion.chunk", "created": int(time.time()),
            "model": body.get("model")}

    def chunk(choices, **more):
        return "data: " + json.dumps({**head, "choices": choices, **more}) + "\n\n"

    def choice(delta, end=None):
        return [{"index": 0, "delta": delta, "finish_reason": end}]

    yield chunk(choice({"role": "assistant", "content": ""}))
    if reply.tool:
        made = call(reply)
        arguments = made["function"]["arguments"]
        opened = {**made, "index": 0, "function": {"name": reply.tool.name, "arguments": ""}}
        yield chunk(choice({"tool_calls": [opened]}))
        for piece in pieces(arguments):
            yield chunk(choice({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))
    else:
        for word in words(reply.text):
            yield chunk(choice({"content": word}))
    yield chunk(choice({}, "tool_calls" if reply.tool else "stop"))
    if (body.get("stream_options") or {}).get("include_usage"):
        yield chunk([], usage=chat_usage(reply))
    yield "data: [DONE]\n\n"
