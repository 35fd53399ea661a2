"""One record of the journal, from its bytes."""
import math
import struct

VERSION, FIRST, LAST, DOCUMENT_HEADER, MAX_DOCUMENT = 1, 1, 2, 12, 1 << 16
FIXED = struct.Struct("<4BI9i2q3dq4iqQ")
EXACT, PARTIAL, TRACE_HASHES, TOOL, ACTION, FINAL_KNOWN, FINAL, SALTED = (1 << i for i in range(8))
KINDS = {1: "request_end", 2: "tool_start", 3: "tool_end", 4: "tool_error", 5: "admission", 6: "hint"}
OUTCOMES = (None, "completed", "cancelled", "refused", "broken")
SOURCES = (None, "dynamo", "claude-code", "codex", "opencode", "x-session-affinity", "session-id", "session_id", "body", "none")
TRIGGERS = (None, "user_message", "tool_result", "other")
CRC_TABLE = []
for number in range(256):
    for _ in range(8):
        number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
    CRC_TABLE.append(number)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def known(number):
    return None if number == -1 or isinstance(number, float) and math.isnan(number) else number


class Fields:
    """Reads the part of a record whose fields have no fixed place."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def bytes(self):
        length = self.varint() - 1
        if length < 0:
            return None
        if self.at + length > len(self.data):
            raise IndexError("a field is longer than its record")
        self.at += length
        return bytes(self.data[self.at - length:self.at])

    def text(self):
        value = self.bytes()
        return None if value is None else value.decode("utf-8")

    def hashes(self, count):
        values = list(struct.unpack_from(f"<{count}Q", self.data, self.at))
        self.at += 8 * count
        return values


def decode(data):
    """The record as a dict, its own hashes only; (record, shared, base)."""
    (kind, outcome, source, trigger, flags, status, attempts, tokens, out, predicted, cached, rank, slot, overlap, epoch,
     received, routed, first, total, wait, block_size, count, shared, depth, base, partial) = FIXED.unpack_from(data, 0)
    fields = Fields(data, FIXED.size)
    record = {"kind": KINDS[kind], "epochMs": epoch}
    record.update((name, fields.text()) for name in ("session", "parent", "group", "requestId", "clientRequestId", "api",
                                                     "model", "worker", "finishReason"))
    record.update(
        source=SOURCES[source], inputTrigger=TRIGGERS[trigger], outcome=OUTCOMES[outcome], status=known(status),
        sessionFinal=bool(flags & FINAL) if flags & FINAL_KNOWN else None, attempts=attempts, inputTokens=known(tokens),
        outputTokens=known(out), predictedCachedTokens=known(predicted), cachedTokens=known(cached), rank=known(rank),
        slot=known(slot), overlapBlocks=known(overlap), receivedMs=known(received), routedMs=known(routed),
        firstTokenMs=known(first), totalMs=known(total), waitNs=known(wait), blockSize=block_size,
        exact=bool(flags & EXACT), salted=bool(flags & SALTED))
    record["agentHeaders"] = {fields.text(): [fields.text() for _ in range(fields.varint())] for _ in range(fields.varint())}
    record["choices"] = [{"index": fields.take("i"), "finishReason": fields.text(), "stopReason": fields.text()}
                         for _ in range(fields.varint())]
    record["toolCalls"] = [{"choice": fields.take("i"), "index": fields.take("i"), "id": fields.text(), "name": fields.text()}
                           for _ in range(fields.varint())]
    if flags & TOOL:
        for name, layout in (("toolStartedMs", "q"), ("toolEndedMs", "q"), ("toolMs", "d"), ("toolOutputTokens", "q"),
                             ("toolOutputBytes", "q")):
            record[name] = known(fields.take(layout))
        for name in ("toolCallId", "toolClass", "toolStatus", "toolNameHash", "toolErrorType"):
            record[name] = fields.text()
    if flags & ACTION:
        record["action"], record["amount"] = fields.text(), known(fields.take("q"))
    record["hashes"] = fields.hashes(count - shared)
    record["traceHashes"] = fields.hashes(count - shared) if flags & TRACE_HASHES else None
    record["partialHash"] = partial if flags & PARTIAL else None
    record["requestPayload"], record["responsePayload"] = fields.bytes(), fields.bytes()
    return record, shared, base
