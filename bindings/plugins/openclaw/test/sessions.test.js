import assert from "node:assert/strict";
import { test } from "node:test";
import { Sessions, plain, stamp } from "../src/sessions.js";
import { named } from "../src/index.js";

const MODEL = { baseUrl: "http://router/v1", api: "openai-completions", id: "m" };

/** A store with these entries, which like OpenClaw's must be told the agent. */
const store = (entries) => ({
  listSessionEntries({ agentId }) {
    assert.ok(agentId);
    return Object.entries(entries)
      .filter(([sessionKey]) => sessionKey.startsWith(`agent:${agentId}:`))
      .map(([sessionKey, entry]) => ({ sessionKey, entry }));
  },
});

test("shouldNameParentsWhenTheStoreKnowsThem", () => {
  const sessions = new Sessions(
    store({
      "agent:main:x": { sessionId: "root" },
      "agent:main:subagent:1": { sessionId: "child", spawnedBy: "agent:main:x" },
      "agent:helper:subagent:2": { sessionId: "inner", parentSessionKey: "agent:main:subagent:1", spawnedBy: "agent:main:x" },
    }),
    {},
  );
  assert.equal(sessions.of("root", "main").parent, null);
  assert.equal(sessions.of("child:0", "main").parent, "root");
  assert.equal(sessions.of("inner", "helper").parent, "child");
});

test("shouldNameTheParentWhenTheHostAnnouncedTheChild", () => {
  const sessions = new Sessions(store({ "agent:main:a": { sessionId: "root" }, "agent:main:b": { sessionId: "child" } }), {});
  sessions.spawned("agent:main:b", "agent:main:a");
  assert.equal(sessions.of("child", "main").parent, "root");
});

test("shouldNameTheInheritedParentWhenAnAgentStartedTheProcess", () => {
  const sessions = new Sessions(store({ "agent:main:a": { sessionId: "root" } }), { DYN_AGENT_PARENT_SESSION_ID: " planner " });
  assert.equal(sessions.of("root", "main").parent, "planner");
  assert.equal(sessions.of("planner", "main").parent, null);
});

test("shouldKeepTheParentWhenASessionGoesOnUnderAnotherId", () => {
  const sessions = new Sessions(store({ "agent:main:a": { sessionId: "root" }, "agent:main:b": { sessionId: "child", spawnedBy: "agent:main:a" } }), {});
  sessions.of("child", "main");
  sessions.renamed("child", "child-2");
  assert.deepEqual(sessions.of("child-2"), { name: "child-2", parent: "root", target: null });
});

test("shouldHaveNoParentWhenTheStoreCannotBeRead", () => {
  const broken = { listSessionEntries: () => { throw new Error("no store"); } };
  const warnings = [];
  const sessions = new Sessions(broken, {}, (text) => warnings.push(text));
  assert.equal(sessions.of("s", "main").parent, null);
  assert.equal(sessions.of("t", "main").parent, null);
  assert.deepEqual(warnings, ["sessions cannot be read, subagents have no parent: agent=main error=no store"]);
});

test("shouldEndASessionOnceWhenItSentRequests", () => {
  const sessions = new Sessions(store({}), {});
  assert.equal(sessions.ended("s"), null);
  named(sessions, "main", MODEL, { sessionId: "s", apiKey: "k" });
  assert.deepEqual(sessions.live(), ["s"]);
  assert.equal(sessions.ended("s").target.apiKey, "k");
  assert.equal(sessions.ended("s"), null);
  assert.deepEqual(sessions.live(), []);
});

test("shouldAddHeadersWhenTheyAreMissing", () => {
  const options = named(new Sessions(store({}), { DYN_AGENT_PARENT_SESSION_ID: "p" }), "main", MODEL, { sessionId: "s:0", headers: { a: "b" }, maxTokens: 5 });
  assert.deepEqual([options.maxTokens, options.headers.a], [5, "b"]);
  assert.deepEqual([options.headers["x-dynamo-session-id"], options.headers["x-dynamo-parent-session-id"]], ["s", "p"]);
  assert.match(options.headers["x-request-id"], /^[0-9a-f-]{36}$/);
});

test("shouldLeaveOptionsWhenThereIsNoSession", () => {
  const options = { headers: {} };
  assert.equal(named(new Sessions(store({}), {}), "main", MODEL, options), options);
  assert.equal(named(new Sessions(store({}), {}), "main", MODEL, undefined), undefined);
});

test("shouldLeaveTheUsersHeadersWhenTheyAreThere", () => {
  const headers = { "X-Dynamo-Session-ID": "mine", "X-Request-ID": "mine-too" };
  assert.deepEqual(stamp(headers, { name: "s", parent: "p" }, "r"), headers);
});

test("shouldForgetTheOldestWhenThereAreTooMany", () => {
  const sessions = new Sessions(store({}), {});
  for (let i = 0; i < 5000; i++) {
    named(sessions, "main", MODEL, { sessionId: `s-${i}` });
  }
  assert.equal(sessions.live().length, 4096);
  assert.equal(sessions.live()[0], "s-4999");
});

test("shouldTakeTheCounterOffWhenAnIdHasOne", () => {
  assert.deepEqual([plain("a:0"), plain(" a "), plain(""), plain(undefined)], ["a", "a", null, null]);
});
