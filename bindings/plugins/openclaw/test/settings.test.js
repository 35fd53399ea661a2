import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSettings } from "../src/settings.js";

test("shouldReportNoToolsWhenNothingIsSet", () => {
  assert.deepEqual(readSettings({}, {}), { toolEvents: null, toolTopic: "agent-tool-events", toolQueue: 10000, sessionFinal: true });
});

test("shouldPreferTheEnvironmentWhenTheFileSaysOtherwise", () => {
  const settings = readSettings(
    { toolEvents: "tcp://file:1", toolQueue: 5, sessionFinal: false },
    { DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT: "tcp://env:2", PENSTOCK_TOOL_QUEUE: " ", DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC: "mine" },
  );
  assert.deepEqual(settings, { toolEvents: "tcp://env:2", toolTopic: "mine", toolQueue: 5, sessionFinal: false });
});

test("shouldKnowTheSettingsThatTheManifestKnows", () => {
  const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
  assert.deepEqual(Object.keys(manifest.configSchema.properties), Object.keys(readSettings({}, {})));
});

for (const [config, environment, message] of [
  [{}, { PENSTOCK_TOOL_EVENTS: "127.0.0.1:9" }, "not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: PENSTOCK_TOOL_EVENTS=127.0.0.1:9"],
  [{ sessionFinal: "maybe" }, {}, "neither on nor off: sessionFinal=maybe"],
  [{ toolQueue: 1.5 }, {}, "not a number from 1 to 1000000: toolQueue=1.5"],
  [{ url: "x" }, {}, "unknown setting in plugins.entries.penstock.config, known are toolEvents, toolTopic, toolQueue, sessionFinal: name=url"],
]) {
  test(`shouldSayWhatIsWrongWhenGiven ${JSON.stringify({ ...config, ...environment })}`, () => {
    assert.throws(() => readSettings(config, environment), { message });
  });
}
