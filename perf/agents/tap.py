"""A relay in front of the router that keeps both directions byte for byte: what the agent sent, what it got back."""
import socket
import threading
import time
from dataclasses import dataclass


@dataclass
class Exchange:
    """A request as the agent sent it, and its answer as the agent got it; `complete` is false for a broken answer."""

    method: str
    path: str
    headers: list
    body: bytes
    at: float
    status: int = 0
    answer_headers: list = ()
    answer: bytes = b""
    complete: bool = False


class Wiretap:
    """Relays connections to a port until closed. Thread-safe; read `exchanges` once the agent is gone."""

    def __init__(self, target_port):
        self.target = ("127.0.0.1", target_port)
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self.target)
            except OSError:
                client.close()
                continue
            connection = Connection()
            self.connections.append(connection)
            for source, sink, parts in ((client, server, connection.up), (server, client, connection.down)):
                threading.Thread(target=relay, args=(source, sink, parts), daemon=True).start()

    def close(self):
        self.listener.close()

    def exchanges(self):
        """Everything relayed so far, by time of the request's first byte."""
        found = [exchange for connection in list(self.connections) for exchange in connection.exchanges()]
        return sorted(found, key=lambda exchange: exchange.at)

    def forget(self):
        self.connections = []


def relay(source, sink, parts):
    try:
        while data := source.recv(65_536):
            parts.append((time.monotonic(), data))
            sink.sendall(data)
    except OSError:
        pass  # One side is gone: so is the other.
    for each in (source, sink):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Connection:
    """Bytes of one connection, with the times they came."""

    def __init__(self):
        self.up = []
        self.down = []

    def exchanges(self):
        up, down = Reader(self.up), Reader(self.down)
        while head := up.head():
            at = up.time_of_head
            method, path, _ = head[0].split(" ", 2)
            body, whole = up.body(head[1])
            if not whole:
                return
            exchange = Exchange(method, path, head[1], body, at)
            answered = down.head()
            if answered:
                exchange.status = int(answered[0].split(" ")[1])
                exchange.answer_headers = answered[1]
                exchange.answer, exchange.complete = down.body(answered[1])
            yield exchange
            if not exchange.complete:
                return


class Reader:
    """HTTP/1.1 messages in recorded bytes."""

    def __init__(self, parts):
        self.parts = list(parts)
        self.data = b"".join(part for _, part in self.parts)
        self.position = 0
        self.time_of_head = 0.0

    def head(self):
        end = self.data.find(b"\r\n\r\n", self.position)
        if end < 0:
            return None
        self.time_of_head = self.time_at(self.position)
        first, *lines = self.data[self.position : end].decode("latin-1").split("\r\n")
        self.position = end + 4
        pairs = [line.partition(":") for line in lines]
        return first, [(name, value.strip()) for name, _, value in pairs]

    def time_at(self, position):
        for at, part in self.parts:
            position -= len(part)
            if position < 0:
                return at
        return 0.0

    def body(self, headers):
        """The body, and whether it came to its end."""
        named = {name.lower(): value for name, value in headers}
        if named.get("transfer-encoding", "").lower() == "chunked":
            return self.chunks()
        length = int(named.get("content-length") or 0)
        body = self.data[self.position : self.position + length]
        self.position += length
        return body, len(body) == length

    def chunks(self):
        body = b""
        while True:
            line = self.data.find(b"\r\n", self.position)
            if line < 0:
                return body, False
            size = int(self.data[self.position : line].split(b";")[0], 16)
            chunk = self.data[line + 2 : line + 2 + size]
            self.position = line + 2 + size + 2
            body += chunk
            if size == 0:
                return body, True
            if len(chunk) < size:
                return body, False
