"""Sends tool events to the router: PUSH, three frames (topic, sequence number, msgpack map in Dynamo's flat shape). Never in the
agent's way: events wait in a bounded queue, and what finds no room, or no router within a second, is counted and dropped.
"""
import queue
import struct
import threading

SCHEMA = "dynamo.request.trace.v1"
LIMIT_MS = 1000


class Relay:
    """Threading: `send` from any thread; one thread of its own encodes and writes."""

    def __init__(self, write, encode, topic, capacity, release=lambda: None):
        self.write, self.encode, self.topic, self.release = write, encode, topic.encode(), release
        self.waiting = queue.Queue(capacity)
        self.dropped = 0
        self.thread = threading.Thread(target=self.run, name="penstock-tools", daemon=True)
        self.thread.start()

    def send(self, event):
        try:
            self.waiting.put_nowait(event)
        except queue.Full:
            self.dropped += 1

    def close(self):
        """Waits until all is handed to the socket, or given up."""
        try:
            self.waiting.put(None, timeout=2 * LIMIT_MS / 1000)
        except queue.Full:
            self.dropped += self.waiting.qsize()
        self.thread.join(2 * LIMIT_MS / 1000)

    def run(self):
        sequence = 0
        while (event := self.waiting.get()) is not None:
            try:
                self.write([self.topic, struct.pack(">Q", sequence), self.encode({"schema": SCHEMA, **event})])
                sequence += 1
            except Exception:
                # Nobody took it within the time: the rest would wait as long again, each.
                self.dropped += 1 + self.discard()
        self.release()

    def discard(self):
        count, ends = 0, False
        while not self.waiting.empty():
            ends |= self.waiting.get_nowait() is None
            count += 1
        if ends:
            self.waiting.put_nowait(None)
        return count - ends


def connect(settings):
    """A relay to the router, or None when no endpoint is set; ImportError with one line when packages are missing."""
    if settings.tool_events is None:
        return None
    try:
        import msgpack
        import zmq
    except ImportError as missing:
        raise ImportError("tool events need the packages pyzmq and msgpack, pip install them where Hermes is: "
                         f"tool_events={settings.tool_events} ({missing})") from None
    context = zmq.Context()
    socket = context.socket(zmq.PUSH)
    # Only to a router that is connected: what is in the socket would otherwise be lost uncounted when the process ends.
    socket.setsockopt(zmq.IMMEDIATE, 1)
    socket.setsockopt(zmq.LINGER, 500)
    socket.setsockopt(zmq.SNDTIMEO, LIMIT_MS)
    socket.connect(settings.tool_events)
    return Relay(socket.send_multipart, msgpack.packb, settings.tool_topic, settings.tool_queue, lambda: context.destroy(500))
