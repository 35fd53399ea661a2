"""What must hold between what an agent sent and what the engine received, and back. Each returns a list of complaints."""
import json
from collections import Counter

import identity
import wire

HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect",
              "host", "content-length", "accept-encoding"}
USAGE_WISH = b'"include_usage":true'


def generations(exchanges):
    return [e for e in exchanges if e.method == "POST" and wire.api_of(e.path)]


def requests_unchanged(sent, received):
    """Every request arrived, its headers as they were and its body as it was but for the usage wish of a chat stream."""
    complaints, left = [], [r for r in received if wire.api_of(r.path)]
    for exchange in generations(sent):
        twin = next((r for r in left if r.path == exchange.path and same_body(exchange, r.body)), None)
        if twin is None:
            complaints.append(f"no request of these bytes reached the engine: {exchange.path}, {len(exchange.body)} bytes")
            continue
        left.remove(twin)
        complaints += headers_kept(exchange.headers, twin.headers)
    if left:
        complaints.append(f"the engine received {len(left)} requests that no agent sent")
    return complaints


def same_body(exchange, received):
    if exchange.body == received:
        return True
    if wire.api_of(exchange.path) != "chat" or USAGE_WISH not in received.replace(b" ", b""):
        return False
    before, after = json.loads(exchange.body), json.loads(received)
    before["stream_options"] = {**(before.get("stream_options") or {}), "include_usage": True}
    return before == after and spliced(exchange.body, received)


def spliced(before, after):
    """Whether `after` is `before` with bytes put in at one place and all others kept."""
    head = 0
    while head < len(before) and before[head] == after[head]:
        head += 1
    return after.endswith(before[head:]) and len(after) > len(before)


def headers_kept(sent, received):
    def end_to_end(headers):
        return [(n.lower(), v) for n, v in headers if n.lower() not in HOP_BY_HOP and not n.lower().startswith("x-penstock-")]

    before, after = sorted(end_to_end(sent)), sorted(end_to_end(received))
    return [f"header changed on the way: {pair}" for pair in before if pair not in after] + [
        f"header from nowhere: {pair}" for pair in after if pair not in before]


def answers_unchanged(sent, received):
    """Every answer is what the engine wrote, but for the usage chunk that only the router asked for; one that broke off
    begins as the engine wrote it and ends in the router's own words."""
    complaints = []
    for exchange in generations(sent):
        twins = [r for r in received if r.path == exchange.path and same_body(exchange, r.body)]
        if exchange.status == 200 and not any(same_answer(exchange, r) for r in twins):
            complaints.append(f"an answer to {exchange.path} is not what the engine wrote")
    return complaints


def same_answer(exchange, received):
    written = b"".join(received.answer)
    if received.fault:
        return exchange.answer.startswith(written) and b"error" in exchange.answer[len(written):]
    if exchange.answer == written:
        return True
    unasked = [a for a in received.answer if not (b'"choices": []' in a and b'"usage"' in a)]
    asked = USAGE_WISH in exchange.body.replace(b" ", b"")
    return not asked and exchange.answer == b"".join(unasked)


def sessions_seen(received, decisions):
    """The router placed every request under the session that its headers name."""
    # In no order: requests may overlap.
    expected = sorted(str(identity.of(r.headers).session) for r in received if wire.api_of(r.path))
    seen = sorted(str(d["session"]) for d in decisions if wire.api_of(d["api"]))
    return [] if expected == seen else [f"sessions of the decisions: expected {expected}, found {seen}"]


def lineage(wanted_depth, wanted_sessions, received):
    """So many sessions, in so many generations, as the headers tell."""
    found = identity.tree(identity.of(r.headers) for r in received)
    complaints = []
    if len(found) != wanted_sessions:
        complaints.append(f"sessions: expected {wanted_sessions}, found {len(found)}")
    if identity.depth(found) != wanted_depth:
        complaints.append(f"generations: expected {wanted_depth}, found {identity.depth(found)}")
    return complaints


def session_table(router, received):
    """`GET /sessions/ID` tells each session's parent and source as the headers do, and hangs it below its root."""
    complaints = []
    identities = [identity.of(r.headers) for r in received]
    found = identity.tree(identities)
    sources = {each.session: each.source for each in identities}
    for session, parent in found.items():
        told = router.session(session)
        if told is None:
            complaints.append(f"unknown to GET /sessions: {session}")
        elif (told.get("parent"), told["source"]) != (parent, sources[session]):
            complaints.append(f"{session}: expected parent {parent} by {sources[session]}, found {told}")
        elif parent is None and not set(below(told)) >= set(found):
            complaints.append(f"not below {session}: {set(found) - set(below(told))}")
    return complaints


def below(told):
    """Sessions of a tree."""
    yield told["session"]
    for child in told["children"]:
        yield from below(child)


def journal(rows, requests, calls):
    """One row a request, with its session and parent, and every tool call that the engine answered with."""
    ends = [row for row in rows if row["kind"] == "request_end" and wire.api_of(row["api"])]
    told = [(row["api"], str(row.get("session")), str(row.get("parent"))) for row in ends]
    names = [call.get("name") for row in ends for call in row.get("toolCalls", ())]
    return differences("requests", requests, told) + differences("tool calls", calls, names)


def differences(what, expected, found):
    missing, surplus = Counter(expected) - Counter(found), Counter(found) - Counter(expected)
    return [f"{what}: missing {dict(missing)}, not expected {dict(surplus)}"] if missing or surplus else []
