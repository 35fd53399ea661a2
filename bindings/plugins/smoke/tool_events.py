"""The router's side of the tool relay: a PULL socket that checks frames as Dynamo 1.6.1's decoder does and keeps the events."""
import struct
import threading

import msgpack
import zmq

FIELDS = {"schema", "event_type", "event_time_unix_ms", "session_id", "parent_session_id", "tool"}


class ToolEvents:
    def __init__(self, topic=b"agent-tool-events"):
        self.topic, self.events, self.faults, self.sequences = topic, [], [], []
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PULL)
        self.url = f"tcp://127.0.0.1:{self.socket.bind_to_random_port('tcp://127.0.0.1')}"
        self.open = True
        self.thread = threading.Thread(target=self.receive, daemon=True)
        self.thread.start()

    def receive(self):
        while self.open:
            if self.socket.poll(50):
                try:
                    self.take(self.socket.recv_multipart())
                except Exception as fault:
                    self.faults.append(repr(fault))

    def take(self, frames):
        topic, sequence, body = frames
        if topic != self.topic:
            raise ValueError(f"topic differs: topic={topic}")
        self.sequences.append(struct.unpack(">Q", sequence)[0])
        event = msgpack.unpackb(body)
        if set(event) - FIELDS or event["schema"] != "dynamo.request.trace.v1" or not isinstance(event["session_id"], str):
            raise ValueError(f"not the flat shape: event={event}")
        counts = [event["event_time_unix_ms"]] + [value for name, value in event["tool"].items() if name.endswith(("_unix_ms", "_bytes"))]
        if not all(isinstance(count, int) for count in counts):
            raise ValueError(f"a count is no integer: event={event}")
        self.events.append(event)

    def named(self, kind):
        return [event for event in self.events if event["event_type"] == kind]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open = False
        self.thread.join()
        self.context.destroy(linger=0)
