/**
 * Tells the router that a session has ended: the wire contract has no call for it, only a header on a request, so the smallest
 * request there is carries it. It never holds up the host for longer than its limit, and never fails it.
 */
const PROMPT = "end";
// OpenClaw gives all plugins together two seconds when it stops.
const LIMIT_MS = 1500;

/** Path, credentials and body of the smallest request of an API, or null for one that a router does not speak. */
function smallest({ api, model, apiKey = "penstock" }) {
  const messages = [{ role: "user", content: PROMPT }];
  const bearer = { authorization: `Bearer ${apiKey}` };
  switch (api) {
    case "openai-completions":
      return { path: "/chat/completions", auth: bearer, body: { model, messages, max_tokens: 1, stream: false } };
    case "openai-responses":
      return { path: "/responses", auth: bearer, body: { model, input: PROMPT, max_output_tokens: 1, stream: false, store: false } };
    case "anthropic-messages":
      return {
        path: "/v1/messages",
        auth: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
        body: { model, messages, max_tokens: 1, stream: false },
      };
    default:
      return null;
  }
}

/** @returns {Promise<string | null>} null when told, else why not */
export async function tellFinal(session, call = fetch) {
  const request = smallest(session.target);
  if (!request) {
    return `no final marker in this API: api=${session.target.api}`;
  }
  const base = session.target.baseUrl.replace(/\/+$/, "");
  const path = base.endsWith("/v1") ? request.path.replace(/^\/v1/, "") : request.path;
  try {
    const answer = await call(base + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...request.auth,
        "x-dynamo-session-id": session.name,
        "x-dynamo-session-final": "true",
        ...(session.parent ? { "x-dynamo-parent-session-id": session.parent } : {}),
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok ? null : `final marker refused: status=${answer.status}`;
  } catch (error) {
    return `final marker not sent: error=${error.message}`;
  }
}
