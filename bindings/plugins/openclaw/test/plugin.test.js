import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import plugin from "../src/index.js";
import { tellFinal } from "../src/final.js";
import { ToolRelay, libraries } from "../src/relay.js";
import { ToolClock, textBytes } from "../src/tools.js";

const SHARED = Symbol.for("io.penstock.openclaw");

/** A host that keeps what a plugin registers. */
function host(entries = {}) {
  delete globalThis[SHARED];
  return again(entries);
}

/** One more instance of the plugin in the same process. */
function again(entries) {
  const kept = { hooks: {}, warnings: [], provider: null };
  const api = {
    pluginConfig: {},
    logger: { warn: (text) => kept.warnings.push(text) },
    runtime: { agent: { session: { listSessionEntries: () => Object.entries(entries).map(([sessionKey, entry]) => ({ sessionKey, entry })) } } },
    registerProvider: (provider) => (kept.provider = provider),
    on: (name, handler) => (kept.hooks[name] = handler),
  };
  plugin.register(api);
  return kept;
}

async function withRouter(status, work) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) {
      body += part;
    }
    seen.push({ path: request.url, headers: request.headers, body: JSON.parse(body) });
    response.writeHead(status).end("{}");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    await work(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const stream = (kept, agentId = "main") =>
  kept.provider.wrapStreamFn({ agentId, streamFn: (_model, _context, options) => options });

test("shouldTellTheEndWhenASessionEnds", () =>
  withRouter(200, async (url, seen) => {
    const kept = host({ "agent:main:a": { sessionId: "root" }, "agent:main:b": { sessionId: "child", spawnedBy: "agent:main:a" } });
    const model = { baseUrl: `${url}/v1`, api: "openai-responses", id: "m" };
    stream(kept)(model, {}, { sessionId: "root", apiKey: "k" });
    stream(kept)(model, {}, { sessionId: "child", apiKey: "k" });
    await kept.hooks.subagent_ended({ targetSessionKey: "agent:main:b" }, {});
    await kept.hooks.session_end({ sessionId: "root" }, {});
    await kept.hooks.gateway_stop({}, {});
    assert.deepEqual(seen.map(({ headers }) => headers["x-dynamo-session-id"]), ["child", "root"]);
    assert.equal(seen[0].headers["x-dynamo-parent-session-id"], "root");
    assert.deepEqual(kept.warnings, []);
  }));

test("shouldTellTheEndWhenAnotherInstanceHearsOfIt", () =>
  withRouter(200, async (url, seen) => {
    const entries = { "agent:main:a": { sessionId: "root" }, "agent:main:b": { sessionId: "child", spawnedBy: "agent:main:a" } };
    stream(host(entries))({ baseUrl: `${url}/v1`, api: "openai-responses", id: "m" }, {}, { sessionId: "child" });
    await again(entries).hooks.subagent_ended({ targetSessionKey: "agent:main:b" }, {});
    assert.deepEqual(seen.map(({ headers }) => headers["x-dynamo-session-id"]), ["child"]);
  }));

test("shouldEndEverySessionWhenTheGatewayStops", () =>
  withRouter(200, async (url, seen) => {
    const kept = host();
    for (const sessionId of ["a", "b"]) {
      stream(kept)({ baseUrl: url, api: "anthropic-messages", id: "m" }, {}, { sessionId });
    }
    await kept.hooks.gateway_stop({}, {});
    assert.deepEqual(seen.map(({ headers }) => headers["x-dynamo-session-id"]).sort(), ["a", "b"]);
  }));

test("shouldKeepTheParentWhenCompactionEndsASession", () =>
  withRouter(200, async (url) => {
    const kept = host({ "agent:main:a": { sessionId: "root" }, "agent:main:b": { sessionId: "child", spawnedBy: "agent:main:a" } });
    const model = { baseUrl: url, api: "openai-completions", id: "m" };
    stream(kept)(model, {}, { sessionId: "child" });
    await kept.hooks.session_end({ sessionId: "child", nextSessionId: "child-2", reason: "compaction" }, {});
    const { headers } = stream(kept)(model, {}, { sessionId: "child-2" });
    assert.deepEqual([headers["x-dynamo-session-id"], headers["x-dynamo-parent-session-id"]], ["child-2", "root"]);
  }));

test("shouldHandItsSessionToShellsWhenAToolStartsOne", () => {
  const kept = host();
  assert.deepEqual(kept.hooks.resolve_exec_env({}, { sessionId: "s" }), { DYN_AGENT_PARENT_SESSION_ID: "s" });
  assert.equal(kept.hooks.resolve_exec_env({}, {}), undefined);
});

test("shouldLeaveTheStreamWhenTheHostHasNone", () => {
  assert.equal(host().provider.wrapStreamFn({ agentId: "main" }), undefined);
});

for (const [api, base, path, limit] of [
  ["openai-completions", "/v1", "/v1/chat/completions", "max_tokens"],
  ["openai-responses", "/v1/", "/v1/responses", "max_output_tokens"],
  ["anthropic-messages", "", "/v1/messages", "max_tokens"],
  ["anthropic-messages", "/v1", "/v1/messages", "max_tokens"],
]) {
  test(`shouldTellTheEndInOneTokenWhenTheApiIs ${api} at "${base}"`, () =>
    withRouter(200, async (url, seen) => {
      assert.equal(await tellFinal({ name: "s", parent: "p", target: { baseUrl: url + base, api, model: "m", apiKey: "k" } }), null);
      assert.equal(seen[0].path, path);
      assert.equal(seen[0].body[limit], 1);
      assert.equal(seen[0].headers["x-dynamo-session-final"], "true");
      assert.equal(seen[0].headers["x-api-key"] ?? seen[0].headers.authorization.replace("Bearer ", ""), "k");
    }));
}

test("shouldSayWhyWhenTheEndIsNotTold", () =>
  withRouter(503, async (url) => {
    const target = { baseUrl: url, api: "openai-completions", model: "m" };
    assert.equal(await tellFinal({ name: "s", target }), "final marker refused: status=503");
    assert.match(await tellFinal({ name: "s", target: { ...target, baseUrl: "http://127.0.0.1:1" } }), /^final marker not sent: error=/);
    assert.equal(await tellFinal({ name: "s", target: { ...target, api: "ollama" } }), "no final marker in this API: api=ollama");
  }));

test("shouldSendDynamosFlatShapeWhenAToolRuns", async () => {
  const frames = [];
  const relay = new ToolRelay(async () => ({ send: async (frame) => void frames.push(frame), close: () => {}, encode: (value) => value }), "topic", 10);
  const clock = new ToolClock();
  relay.send(clock.start({ name: "s", parent: "p" }, "c", "exec", 1000));
  relay.send(clock.end({ name: "s", parent: "p" }, "c", "exec", { content: [{ type: "text", text: "grün" }] }, undefined, 41, 1042));
  await relay.close();
  assert.deepEqual(frames.map(([, number]) => number[7]), [0, 1]);
  assert.deepEqual(frames[1][2], {
    schema: "dynamo.request.trace.v1",
    event_type: "tool_end",
    event_time_unix_ms: 1042,
    session_id: "s",
    parent_session_id: "p",
    tool: {
      tool_call_id: "c",
      tool_class: "exec",
      status: "succeeded",
      started_at_unix_ms: 1000,
      ended_at_unix_ms: 1042,
      duration_ms: 41,
      output_bytes: 5,
    },
  });
});

test("shouldReportErrorsAndWhatStillRunsWhenTheHostStops", () => {
  const clock = new ToolClock();
  const session = { name: "s", parent: null };
  const failed = clock.end(session, "c", "exec", undefined, "boom", undefined, 5);
  assert.deepEqual([failed.event_type, failed.tool.status, failed.tool.output_bytes], ["tool_error", "error", 0]);
  clock.start(session, "d", "exec", 5);
  const [cancelled, ...none] = clock.cancelled(9);
  assert.deepEqual([cancelled.tool.tool_call_id, cancelled.tool.status, cancelled.tool.duration_ms, none], ["d", "cancelled", 4, []]);
  assert.deepEqual(clock.cancelled(9), []);
});

test("shouldCountDropsWhenNobodyTakesThemOrTheQueueIsFull", async () => {
  const refused = new ToolRelay(() => Promise.reject(new Error("no socket")), "t", 2);
  for (let i = 0; i < 4; i++) {
    refused.send({ i });
  }
  await refused.close();
  assert.equal(refused.dropped, 4);
  assert.equal(textBytes("ab"), 2);
});

test("shouldNameThePackagesWhenTheyAreMissing", async (context) => {
  if (await import("zeromq").then(() => true, () => false)) {
    return context.skip("the packages are installed");
  }
  await assert.rejects(libraries({ toolEvents: "tcp://127.0.0.1:9" }), {
    message: /^tool events need the packages zeromq and @msgpack\/msgpack, run npm install .*: toolEvents=tcp:\/\/127\.0\.0\.1:9 /,
  });
});
