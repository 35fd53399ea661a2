import unittest

from ..settings import read_settings


class SettingsTest(unittest.TestCase):
    def test_should_ask_for_nothing_when_nothing_is_set(self):
        settings = read_settings({}, {})
        self.assertEqual((None, None, True, "agent-tool-events"),
                         (settings.url, settings.tool_events, settings.session_final, settings.tool_topic))

    def test_should_prefer_the_environment_when_the_file_says_otherwise(self):
        settings = read_settings({"url": "http://file:1", "tool_queue": 5, "session_final": False},
                                 {"PENSTOCK_URL": "http://env:2/v1/", "PENSTOCK_TOOL_QUEUE": "  "})
        self.assertEqual(("http://env:2", 5, False), (settings.url, settings.tool_queue, settings.session_final))

    def test_should_take_dynamos_variables_when_ours_are_unset(self):
        settings = read_settings({}, {"DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT": "tcp://127.0.0.1:9",
                                      "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC": "mine"})
        self.assertEqual(("tcp://127.0.0.1:9", "mine"), (settings.tool_events, settings.tool_topic))

    def test_should_leave_hermes_own_entries_when_they_are_there(self):
        self.assertIsNone(read_settings({"allow_tool_override": False, "llm": {}}, {}).url)

    def test_should_say_what_is_wrong(self):
        for entry, environment, message in (
                ({}, {"PENSTOCK_URL": "localhost:8000"}, "neither http nor https: PENSTOCK_URL=localhost:8000"),
                ({"url": "http://"}, {}, "not a URL, expected http://HOST:PORT: url=http://"),
                ({"url": "http://a:b"}, {}, "not a URL, expected http://HOST:PORT: url=http://a:b"),
                ({"tool_events": "127.0.0.1:9"}, {}, "not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: tool_events=127.0.0.1:9"),
                ({"session_final": "maybe"}, {}, "neither on nor off: session_final=maybe"),
                ({"tool_queue": 0}, {}, "not a number from 1 to 1000000: tool_queue=0"),
                ({"uri": "x"}, {}, "unknown setting in plugins.entries.penstock, known are url, api_key, tool_events, tool_topic, "
                                   "tool_queue, session_final: name=uri"),
                (["x"], {}, "plugins.entries.penstock must hold an object: value=['x']")):
            with self.subTest(message), self.assertRaises(ValueError) as raised:
                read_settings(entry, environment)
            self.assertEqual(message, str(raised.exception))
