"""Tells the router that a session has ended: the wire contract has no call for it, only a header on a request, so the smallest
request there is carries it. It never holds up the host for longer than its limit, and never fails it.
"""
import json
import urllib.error
import urllib.request

LIMIT_SECONDS = 2
PROMPT = "end"


def final_request(session, key):
    """URL, headers and body of the marker, or None for an API that a router does not speak."""
    base, mode, model = session.target
    base = base.rstrip("/")
    headers = {"content-type": "application/json", "x-dynamo-session-id": session.name, "x-dynamo-session-final": "true"}
    if session.parent:
        headers["x-dynamo-parent-session-id"] = session.parent
    messages = [{"role": "user", "content": PROMPT}]
    if mode == "anthropic_messages":
        headers |= {"x-api-key": key, "anthropic-version": "2023-06-01"}
        path = "/messages" if base.endswith("/v1") else "/v1/messages"
        return base + path, headers, {"model": model, "messages": messages, "max_tokens": 1, "stream": False}
    headers["authorization"] = f"Bearer {key}"
    if mode == "chat_completions":
        return base + "/chat/completions", headers, {"model": model, "messages": messages, "max_tokens": 1, "stream": False}
    if mode == "codex_responses":
        return base + "/responses", headers, {"model": model, "input": PROMPT, "max_output_tokens": 1, "stream": False, "store": False}
    return None


def tell_final(session, key):
    """None when told, else why not."""
    marker = final_request(session, key)
    if marker is None:
        return f"no final marker in this API: apiMode={session.target[1]}"
    url, headers, body = marker
    try:
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answer:
            answer.read()
        return None
    except urllib.error.HTTPError as refused:
        refused.close()
        return f"final marker refused: status={refused.code}"
    except (OSError, ValueError) as fault:
        return f"final marker not sent: error={fault}"
