import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { tellFinal } from "../src/final.ts";

type Seen = { path?: string; headers: NodeJS.Dict<string | string[]>; body: Record<string, unknown> };

async function withServer(status: number, work: (base: string, seen: Seen[]) => Promise<void>): Promise<void> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) {
      body += part;
    }
    seen.push({ path: request.url, headers: request.headers, body: JSON.parse(body) });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await work(`http://127.0.0.1:${(server.address() as { port: number }).port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

for (const [api, base, path, limit] of [
  ["openai-completions", "/v1", "/v1/chat/completions", "max_tokens"],
  ["openai-responses", "/v1/", "/v1/responses", "max_output_tokens"],
  ["anthropic-messages", "", "/v1/messages", "max_tokens"],
] as const) {
  test(`shouldTellTheEndInOneTokenWhenTheApiIs ${api}`, () =>
    withServer(200, async (url, seen) => {
      const target = { provider: "x", baseUrl: url + base, api, model: "m" };
      assert.equal(await tellFinal(target, { session: "s", parent: "p" }, { authorization: "Bearer k" }), null);
      assert.equal(seen.length, 1);
      assert.equal(seen[0]!.path, path);
      assert.equal(seen[0]!.body[limit], 1);
      assert.equal(seen[0]!.headers["x-dynamo-session-id"], "s");
      assert.equal(seen[0]!.headers["x-dynamo-parent-session-id"], "p");
      assert.equal(seen[0]!.headers["x-dynamo-session-final"], "true");
      assert.equal(seen[0]!.headers.authorization, "Bearer k");
    }));
}

test("shouldSayWhyWhenTheMarkerIsRefused", () =>
  withServer(529, async (url) => {
    const target = { provider: "x", baseUrl: url, api: "openai-completions", model: "m" };
    assert.equal(await tellFinal(target, { session: "s", parent: null }, {}), "final marker refused: status=529");
  }));

test("shouldSayWhyWhenNobodyListens", async () => {
  const target = { provider: "x", baseUrl: "http://127.0.0.1:1", api: "openai-completions", model: "m" };
  assert.match((await tellFinal(target, { session: "s", parent: null }, {}))!, /^final marker not sent: error=/);
});

test("shouldSayWhyWhenTheApiIsUnknown", async () => {
  const target = { provider: "x", baseUrl: "http://127.0.0.1:1", api: "google-generative-ai", model: "m" };
  assert.equal(await tellFinal(target, { session: "s", parent: null }, {}), "no final marker in this API: api=google-generative-ai");
});
