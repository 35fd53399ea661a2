"""What Hermes tells of its agents, put on requests and on the wire. No method raises: a hook must not disturb an agent."""
import logging
import time
import uuid

from .final import tell_final
from .sessions import Sessions

logger = logging.getLogger("penstock")

# Hermes's words for how a tool ended, in those of a request trace.
STATUS = {"ok": "succeeded", "success": "succeeded", "cancelled": "cancelled", "blocked": "error", "error": "error", "timeout": "error"}


class Observer:
    """Threading: thread-safe; Hermes calls hooks from the threads of its agents."""

    def __init__(self, settings, key, relay, environment, now=time.time):
        self.settings, self.key, self.relay, self.now = settings, key, relay, now
        self.sessions = Sessions(environment)
        self.started = {}

    # Requests
    def request(self, request=None, session_id="", turn_id="", base_url="", api_mode="", model="", **_):
        """Middleware: the request with the session's headers, or None to leave it."""
        if not session_id or not is_router(self.settings.url, base_url):
            return None
        session = self.sessions.of(session_id, turn_id)
        session.target = (base_url, api_mode, model)
        return {"request": {**request, "extra_headers": stamp(request.get("extra_headers") or {}, session)}, "source": "penstock"}

    # Sessions
    def subagent_start(self, child_session_id=None, parent_session_id=None, **_):
        if child_session_id and parent_session_id:
            self.sessions.spawned(child_session_id, parent_session_id)

    def subagent_stop(self, child_session_id=None, **_):
        self.finish(child_session_id)

    def on_session_finalize(self, session_id=None, **_):
        self.finish(session_id)

    def finish(self, own):
        ended = self.sessions.ended(own) if own else None
        if ended and self.settings.session_final:
            fault = tell_final(ended, self.key)
            if fault:
                logger.warning("penstock: %s", fault)

    # Tools
    def pre_tool_call(self, tool_name="", session_id="", tool_call_id="", **_):
        if self.relay and session_id:
            now = millis(self.now())
            self.started[(session_id, tool_call_id)] = (now, tool_name)
            self.send("tool_start", session_id, now,
                      {"tool_call_id": tool_call_id, "tool_class": tool_name, "status": "running", "started_at_unix_ms": now})

    def post_tool_call(self, tool_name="", session_id="", tool_call_id="", result=None, duration_ms=None, status=None, error_type=None, **_):
        if not self.relay or not session_id:
            return
        now = millis(self.now())
        started, _ = self.started.pop((session_id, tool_call_id), (None, None))
        ended = STATUS.get(str(status or "ok").lower(), "error")
        tool = {"tool_call_id": tool_call_id, "tool_class": tool_name, "status": ended, "started_at_unix_ms": started, "ended_at_unix_ms": now,
                "duration_ms": None if duration_ms is None else float(duration_ms),
                "output_bytes": len(result.encode()) if isinstance(result, str) else None,
                "error_type": str(error_type or status) if ended == "error" else None}
        self.send("tool_error" if ended == "error" else "tool_end", session_id, now, {k: v for k, v in tool.items() if v is not None})

    def send(self, kind, own, now, tool):
        session = self.sessions.of(own)
        event = {"event_type": kind, "event_time_unix_ms": now, "session_id": session.name, "tool": tool}
        if session.parent:
            event["parent_session_id"] = session.parent
        self.relay.send(event)

    def close(self):
        """The process ends: so do all its sessions and the tools that still run."""
        for (own, call), (_, tool) in list(self.started.items()):
            self.post_tool_call(tool, own, call, status="cancelled")
        for own in self.sessions.names():
            self.finish(own)
        if self.relay:
            self.relay.close()
            if self.relay.dropped:
                logger.warning("penstock: tool events were dropped: dropped=%d", self.relay.dropped)


def is_router(router, base_url):
    """Whether a request to this base URL goes to the router; nobody else is told about sessions."""
    base = str(base_url or "").rstrip("/")
    return router is not None and (base == router or base.startswith(router + "/"))


def stamp(headers, session):
    """The headers with the session's added; what the user set himself stays."""
    present = {name.lower() for name in headers}
    stamped = dict(headers)
    if "x-request-id" not in present:
        stamped["x-request-id"] = str(uuid.uuid4())
    if "x-dynamo-session-id" not in present:
        stamped["x-dynamo-session-id"] = session.name
        if session.parent and "x-dynamo-parent-session-id" not in present:
            stamped["x-dynamo-parent-session-id"] = session.parent
    return stamped


def millis(seconds):
    return round(seconds * 1000)
