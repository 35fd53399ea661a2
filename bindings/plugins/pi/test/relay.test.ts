import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolRelay, type Sink } from "../src/relay.ts";
import { readSettings } from "../src/settings.ts";
import { ToolClock, textBytes } from "../src/tools.ts";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const decode = (frames: Uint8Array[]) => JSON.parse(new TextDecoder().decode(frames[2]));
const identity = { session: "s", parent: "p" };

function list(): Sink & { frames: Uint8Array[][]; closed: boolean } {
  const sink = { frames: [] as Uint8Array[][], closed: false, send: async (frames: Uint8Array[]) => void sink.frames.push(frames), close: () => void (sink.closed = true) };
  return sink;
}

test("shouldSendDynamosFlatShapeWhenAToolRuns", async () => {
  const sink = list();
  const relay = new ToolRelay(sink, encode, "topic", 10);
  const clock = new ToolClock();
  relay.send(clock.start(identity, "call-1", "bash", 1000));
  relay.send(clock.end(identity, "call-1", "bash", { content: [{ type: "text", text: "grün" }] }, false, 41.23456, 1042));
  await relay.close();
  assert.ok(sink.closed);
  assert.deepEqual(sink.frames.map(([topic]) => new TextDecoder().decode(topic)), ["topic", "topic"]);
  assert.deepEqual(sink.frames.map(([, number]) => [...number!]), [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1]]);
  assert.deepEqual(decode(sink.frames[0]!), {
    schema: "dynamo.request.trace.v1",
    event_type: "tool_start",
    event_time_unix_ms: 1000,
    session_id: "s",
    parent_session_id: "p",
    tool: { tool_call_id: "call-1", tool_class: "bash", status: "running", started_at_unix_ms: 1000 },
  });
  assert.deepEqual(decode(sink.frames[1]!).tool, {
    tool_call_id: "call-1",
    tool_class: "bash",
    status: "succeeded",
    started_at_unix_ms: 1000,
    ended_at_unix_ms: 1042,
    duration_ms: 41.235,
    output_bytes: 5,
  });
});

test("shouldReportAnErrorWhenAToolFailsThatNeverRan", () => {
  const event = new ToolClock().end({ session: "s", parent: null }, "c", "edit", undefined, true, undefined, 7);
  assert.equal(event.event_type, "tool_error");
  assert.equal("parent_session_id" in event, false);
  assert.deepEqual(event.tool, {
    tool_call_id: "c",
    tool_class: "edit",
    status: "error",
    ended_at_unix_ms: 7,
    output_bytes: 0,
    error_type: "pi_tool_error",
  });
});

test("shouldCountDropsWhenTheQueueIsFull", async () => {
  const sink = list();
  let release = () => {};
  const first = new Promise<void>((done) => (release = done));
  const relay = new ToolRelay({ ...sink, send: async (frames) => void (await first, sink.frames.push(frames)) }, encode, "t", 2);
  for (let i = 0; i < 5; i++) {
    relay.send(new ToolClock().start(identity, `c${i}`, "bash", i));
  }
  release();
  await relay.close();
  // One is on its way, two wait, two found no room.
  assert.deepEqual(sink.frames.map((frames) => decode(frames).tool.tool_call_id), ["c0", "c1", "c2"]);
  assert.equal(relay.dropped, 2);
});

test("shouldCountEverythingWhenNobodyTakesIt", async () => {
  const relay = new ToolRelay({ send: () => Promise.reject(new Error("would block")), close: () => {} }, encode, "t", 10);
  for (let i = 0; i < 3; i++) {
    relay.send(new ToolClock().start(identity, `c${i}`, "bash", i));
  }
  await relay.close();
  assert.equal(relay.dropped, 3);
});

test("shouldCountBytesWhenAResultHasOtherParts", () => {
  assert.equal(textBytes({ content: [{ type: "image", data: "xxxx" }, { type: "text", text: "ab" }] }), 2);
  assert.equal(textBytes("ab"), 2);
  assert.equal(textBytes(null), 0);
});

test("shouldNameThePackagesWhenTheyAreMissing", async (context) => {
  if (await import("zeromq").then(() => true, () => false)) {
    return context.skip("the packages are installed");
  }
  const settings = readSettings(null, { PENSTOCK_TOOL_EVENTS: "tcp://127.0.0.1:9" });
  await assert.rejects(ToolRelay.connect(settings), {
    message: /^tool events need the packages zeromq and @msgpack\/msgpack, run npm install .*: toolEvents=tcp:\/\/127\.0\.0\.1:9 /,
  });
});

test("shouldNeedNoPackagesWhenToolsAreNotReported", async () => {
  assert.equal(await ToolRelay.connect(readSettings(null, {})), null);
});
