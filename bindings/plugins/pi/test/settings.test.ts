import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/settings.ts";

test("shouldAskForNothingWhenNothingIsSet", () => {
  const settings = readSettings(null, {});
  assert.equal(settings.url, null);
  assert.equal(settings.toolEvents, null);
  assert.equal(settings.sessionFinal, true);
  assert.equal(settings.toolTopic, "agent-tool-events");
});

test("shouldPreferTheEnvironmentWhenTheFileSaysOtherwise", () => {
  const file = JSON.stringify({ url: "http://file:1", toolQueue: 5, sessionFinal: false });
  const settings = readSettings(file, { PENSTOCK_URL: "http://env:2/v1/", PENSTOCK_TOOL_QUEUE: "  " });
  assert.equal(settings.url, "http://env:2");
  assert.equal(settings.toolQueue, 5);
  assert.equal(settings.sessionFinal, false);
});

test("shouldTakeDynamosVariablesWhenOursAreUnset", () => {
  const settings = readSettings(null, {
    DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT: "tcp://127.0.0.1:9",
    DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC: "mine",
  });
  assert.equal(settings.toolEvents, "tcp://127.0.0.1:9");
  assert.equal(settings.toolTopic, "mine");
});

for (const [file, environment, message] of [
  [null, { PENSTOCK_URL: "localhost:8000" }, "neither http nor https: PENSTOCK_URL=localhost:8000"],
  [null, { PENSTOCK_URL: "router" }, "not a URL, expected http://HOST:PORT: PENSTOCK_URL=router"],
  [null, { PENSTOCK_TOOL_EVENTS: "127.0.0.1:9" }, "not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: PENSTOCK_TOOL_EVENTS=127.0.0.1:9"],
  [null, { PENSTOCK_SESSION_FINAL: "maybe" }, "neither on nor off: PENSTOCK_SESSION_FINAL=maybe"],
  [null, { PENSTOCK_TOOL_QUEUE: "0" }, "not a number from 1 to 1000000: PENSTOCK_TOOL_QUEUE=0"],
  [null, { PENSTOCK_API: "chat" }, /^unknown API, known are openai-completions.*: PENSTOCK_API=chat$/],
  ['{"uri": "http://x"}', {}, /^unknown setting in penstock\.json, known are url, .*: name=uri$/],
  ['{"toolQueue": 1.5}', {}, "not a number from 1 to 1000000: toolQueue=1.5"],
  ["[]", {}, "penstock.json must hold an object: value=[]"],
  ["{", {}, /^penstock\.json is not JSON: error=/],
] as [string | null, Record<string, string>, string | RegExp][]) {
  test(`shouldSayWhatIsWrongWhenGiven ${file ?? JSON.stringify(environment)}`, () => {
    assert.throws(() => readSettings(file, environment), { message });
  });
}
