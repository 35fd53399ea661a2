import assert from "node:assert/strict";
import { test } from "node:test";
import { enter, isRouter, stamp } from "../src/identity.ts";

test("shouldNameItselfAsParentWhenAChildProcessIsStarted", () => {
  const environment: NodeJS.ProcessEnv = {};
  assert.deepEqual(enter("root", environment, {}), { session: "root", parent: null });
  assert.deepEqual(enter("child", environment, {}), { session: "child", parent: "root" });
  assert.deepEqual(enter("grandchild", environment, {}), { session: "grandchild", parent: "child" });
});

test("shouldKeepWhatTheProcessInheritedWhenASecondSessionStartsInIt", () => {
  const environment: NodeJS.ProcessEnv = { DYN_AGENT_PARENT_SESSION_ID: "planner" };
  const memory = {};
  assert.deepEqual(enter("one", environment, memory), { session: "one", parent: "planner" });
  assert.deepEqual(enter("two", environment, memory), { session: "two", parent: "planner" });
  assert.equal(environment.DYN_AGENT_PARENT_SESSION_ID, "two");
});

test("shouldUseAGivenNameOnceWhenItIsInTheEnvironment", () => {
  const environment: NodeJS.ProcessEnv = { DYN_AGENT_SESSION_ID: " run-42 " };
  const memory = {};
  assert.deepEqual(enter("pi-1", environment, memory), { session: "run-42", parent: null });
  assert.equal(environment.DYN_AGENT_SESSION_ID, undefined);
  assert.deepEqual(enter("pi-2", environment, memory), { session: "pi-2", parent: null });
});

test("shouldHaveNoParentWhenItWouldBeItself", () => {
  assert.deepEqual(enter("s", { DYN_AGENT_PARENT_SESSION_ID: "s" }, {}), { session: "s", parent: null });
});

test("shouldAddHeadersWhenTheyAreMissing", () => {
  const headers: Record<string, string | null> = { "X-Request-Id": null, accept: "application/json" };
  stamp(headers, { session: "s", parent: "p" }, "r");
  assert.equal(headers["x-request-id"], "r");
  assert.equal(headers["x-dynamo-session-id"], "s");
  assert.equal(headers["x-dynamo-parent-session-id"], "p");
});

test("shouldLeaveTheUsersHeadersWhenTheyAreThere", () => {
  const headers: Record<string, string | null> = { "X-Dynamo-Session-ID": "mine", "X-Request-ID": "mine-too" };
  stamp(headers, { session: "s", parent: "p" }, "r");
  assert.deepEqual(headers, { "X-Dynamo-Session-ID": "mine", "X-Request-ID": "mine-too" });
});

test("shouldKnowTheRouterWhenTheBaseUrlIsBelowIt", () => {
  assert.ok(isRouter("http://r:1", "http://r:1"));
  assert.ok(isRouter("http://r:1", "http://r:1/v1"));
  assert.ok(!isRouter("http://r:1", "http://r:10/v1"));
  assert.ok(!isRouter(null, "http://r:1"));
  assert.ok(!isRouter("http://r:1", undefined));
});
