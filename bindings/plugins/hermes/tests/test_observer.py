import http.server
import json
import threading
import unittest

from ..final import tell_final
from ..observer import Observer, is_router, stamp
from ..sessions import Session
from ..settings import read_settings


class List:
    """A relay that keeps what it is given."""

    def __init__(self):
        self.events, self.dropped, self.closed = [], 0, False

    def send(self, event):
        self.events.append(event)

    def close(self):
        self.closed = True


class Router:
    """Answers any POST with a status and keeps it."""

    def __init__(self, status=200):
        self.seen = seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def observer(url="http://router:1", environment=None, relay=None, **entry):
    return Observer(read_settings({"url": url, **entry}, {}), "key", relay, {} if environment is None else environment, lambda: 1.0)


def ask(of, session, turn="", base="http://router:1/v1", mode="chat_completions", headers=None):
    request = {"model": "m"} if headers is None else {"model": "m", "extra_headers": headers}
    changed = of.request(request=request, session_id=session, turn_id=turn, base_url=base, api_mode=mode, model="m")
    return changed and changed["request"]["extra_headers"]


class RequestTest(unittest.TestCase):
    def test_should_name_parents_when_subagents_start_subagents(self):
        of = observer()
        self.assertNotIn("x-dynamo-parent-session-id", ask(of, "root"))
        of.subagent_start(child_session_id="child", parent_session_id="root")
        of.subagent_start(child_session_id="inner", parent_session_id="child")
        self.assertEqual("root", ask(of, "child")["x-dynamo-parent-session-id"])
        self.assertEqual("child", ask(of, "inner")["x-dynamo-parent-session-id"])

    def test_should_use_the_given_name_once_and_for_children_as_parent(self):
        environment = {"DYN_AGENT_SESSION_ID": "run-42", "DYN_AGENT_PARENT_SESSION_ID": "planner"}
        of = observer(environment=environment)
        headers = ask(of, "h-1")
        self.assertEqual(("run-42", "planner"), (headers["x-dynamo-session-id"], headers["x-dynamo-parent-session-id"]))
        of.subagent_start(child_session_id="child", parent_session_id="h-1")
        self.assertEqual("run-42", ask(of, "child")["x-dynamo-parent-session-id"])
        self.assertEqual({"DYN_AGENT_PARENT_SESSION_ID": "run-42"}, environment)
        self.assertEqual("h-2", ask(of, "h-2")["x-dynamo-session-id"])

    def test_should_keep_the_parent_when_compaction_gives_a_new_id(self):
        of = observer()
        of.subagent_start(child_session_id="child", parent_session_id="root")
        ask(of, "child", turn="t1")
        headers = ask(of, "child-2", turn="t1")
        self.assertEqual(("child-2", "root"), (headers["x-dynamo-session-id"], headers["x-dynamo-parent-session-id"]))

    def test_should_leave_a_request_when_it_goes_elsewhere(self):
        of = observer()
        self.assertIsNone(ask(of, "s", base="http://router:10/v1"))
        self.assertIsNone(ask(of, ""))
        self.assertFalse(is_router(None, "http://router:1"))
        self.assertTrue(is_router("http://router:1", "http://router:1/"))

    def test_should_leave_the_users_headers_when_they_are_there(self):
        headers = {"X-Dynamo-Session-ID": "mine", "X-Request-ID": "mine-too"}
        self.assertEqual(headers, stamp(headers, Session("s", "p")))
        self.assertEqual("z", ask(observer(), "s", headers={"x-other": "z"})["x-other"])


class FinalTest(unittest.TestCase):
    def test_should_tell_the_end_in_one_token_for_each_api(self):
        for mode, base, path, limit in (("chat_completions", "/v1", "/v1/chat/completions", "max_tokens"),
                                        ("codex_responses", "/v1", "/v1/responses", "max_output_tokens"),
                                        ("anthropic_messages", "", "/v1/messages", "max_tokens")):
            with self.subTest(mode), Router() as router:
                of = observer(router.url)
                of.subagent_start(child_session_id="child", parent_session_id="root")
                ask(of, "child", base=router.url + base, mode=mode)
                of.subagent_stop(child_session_id="child")
                of.subagent_stop(child_session_id="child")
                self.assertEqual(1, len(router.seen))
                seen, headers, body = router.seen[0]
                self.assertEqual((path, 1), (seen, body[limit]))
                self.assertEqual(("child", "root", "true"), tuple(headers["x-dynamo-" + name] for name in
                                                                  ("session-id", "parent-session-id", "session-final")))
                self.assertEqual("key", headers.get("x-api-key") or headers["authorization"].removeprefix("Bearer "))

    def test_should_end_all_sessions_leaves_first_when_the_process_ends(self):
        with Router() as router:
            relay = List()
            of = observer(router.url, relay=relay)
            ask(of, "root", base=router.url)
            of.subagent_start(child_session_id="child", parent_session_id="root")
            ask(of, "child", base=router.url)
            of.close()
            self.assertEqual(["child", "root"], [headers["x-dynamo-session-id"] for _, headers, _ in router.seen])
            self.assertTrue(relay.closed)

    def test_should_tell_no_end_when_nothing_was_asked_or_it_is_off(self):
        with Router() as router:
            observer(router.url).on_session_finalize(session_id="s")
            observer(router.url).on_session_finalize(session_id=None)
            off = observer(router.url, session_final="off")
            ask(off, "s", base=router.url)
            off.on_session_finalize(session_id="s")
            self.assertEqual([], router.seen)

    def test_should_say_why_when_it_is_not_told(self):
        with Router(529) as router:
            self.assertEqual("final marker refused: status=529", tell_final(Session("s", None, (router.url, "chat_completions", "m")), "k"))
        self.assertRegex(tell_final(Session("s", None, ("http://127.0.0.1:1", "chat_completions", "m")), "k"), "^final marker not sent: error=")
        self.assertEqual("no final marker in this API: apiMode=other", tell_final(Session("s", None, ("http://r", "other", "m")), "k"))


class ToolTest(unittest.TestCase):
    def test_should_send_the_flat_shape_when_a_tool_runs(self):
        relay = List()
        of = observer(relay=relay)
        of.subagent_start(child_session_id="s", parent_session_id="p")
        of.pre_tool_call(tool_name="terminal", session_id="s", tool_call_id="c", args={"command": "secret"})
        of.post_tool_call(tool_name="terminal", session_id="s", tool_call_id="c", result="grün", duration_ms=41, status="ok")
        start, end = relay.events
        self.assertEqual({"event_type": "tool_start", "event_time_unix_ms": 1000, "session_id": "s", "parent_session_id": "p",
                          "tool": {"tool_call_id": "c", "tool_class": "terminal", "status": "running", "started_at_unix_ms": 1000}}, start)
        self.assertEqual("tool_end", end["event_type"])
        self.assertEqual({"tool_call_id": "c", "tool_class": "terminal", "status": "succeeded", "started_at_unix_ms": 1000,
                          "ended_at_unix_ms": 1000, "duration_ms": 41.0, "output_bytes": 5}, end["tool"])

    def test_should_report_a_tool_as_cancelled_when_the_process_ends(self):
        relay = List()
        of = observer(relay=relay)
        of.pre_tool_call(tool_name="t", session_id="s", tool_call_id="c")
        of.close()
        of.close()
        self.assertEqual(["running", "cancelled"], [event["tool"]["status"] for event in relay.events])

    def test_should_report_an_error_when_a_tool_fails_or_is_blocked(self):
        relay = List()
        of = observer(relay=relay)
        of.post_tool_call(tool_name="t", session_id="s", tool_call_id="c", status="error", error_type="ValueError")
        of.post_tool_call(tool_name="t", session_id="s", tool_call_id="d", status="blocked")
        of.post_tool_call(tool_name="t", session_id="s", tool_call_id="e", status="cancelled")
        self.assertEqual([("tool_error", "ValueError"), ("tool_error", "blocked"), ("tool_end", None)],
                         [(event["event_type"], event["tool"].get("error_type")) for event in relay.events])
        self.assertEqual("cancelled", relay.events[2]["tool"]["status"])
