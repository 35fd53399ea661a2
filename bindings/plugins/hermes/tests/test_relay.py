import json
import sys
import threading
import unittest
import unittest.mock

from ..relay import Relay, connect
from ..settings import read_settings


class RelayTest(unittest.TestCase):
    def test_should_number_frames_in_order(self):
        frames, released = [], threading.Event()
        relay = Relay(frames.append, lambda value: json.dumps(value).encode(), "topic", 10, released.set)
        relay.send({"session_id": "a"})
        relay.send({"session_id": "b"})
        relay.close()
        self.assertTrue(released.is_set())
        self.assertEqual([(b"topic", 7 * b"\0" + b"\0"), (b"topic", 7 * b"\0" + b"\1")], [tuple(frame[:2]) for frame in frames])
        self.assertEqual({"schema": "dynamo.request.trace.v1", "session_id": "a"}, json.loads(frames[0][2]))

    def test_should_count_drops_when_the_queue_is_full(self):
        entered, go, frames = threading.Event(), threading.Event(), []

        def write(frame):
            entered.set()
            go.wait(10)
            frames.append(frame)

        relay = Relay(write, lambda value: value, "t", 2)
        relay.send({"n": 0})
        self.assertTrue(entered.wait(10))
        for n in range(1, 5):
            relay.send({"n": n})
        go.set()
        relay.close()
        self.assertEqual([0, 1, 2], [frame[2]["n"] for frame in frames])
        self.assertEqual(2, relay.dropped)

    def test_should_count_everything_when_nobody_takes_it(self):
        go = threading.Event()

        def write(_):
            go.wait(10)
            raise TimeoutError

        relay = Relay(write, lambda value: value, "t", 10)
        for n in range(3):
            relay.send({"n": n})
        go.set()
        relay.close()
        self.assertFalse(relay.thread.is_alive())
        self.assertEqual(3, relay.dropped)

    def test_should_name_the_packages_when_they_are_missing(self):
        with unittest.mock.patch.dict(sys.modules, {"zmq": None}), self.assertRaises(ImportError) as raised:
            connect(read_settings({"tool_events": "tcp://127.0.0.1:9"}, {}))
        self.assertRegex(str(raised.exception), "^tool events need the packages pyzmq and msgpack, .*: tool_events=tcp://127.0.0.1:9 ")
        self.assertIsNone(connect(read_settings({}, {})))
