/**
 * Tells the router that a session has ended: the wire contract has no call for it, only a header on a request, so the
 * smallest request there is carries it. It never holds up the host for longer than its limit, and never fails it.
 */
import type { Identity } from "./identity.ts";
import { API_PATHS, type ApiName } from "./settings.ts";

/** Where a session's last request went. */
export interface Target {
  provider: string;
  baseUrl: string;
  api: string;
  model: string;
}

const PROMPT = "end";
const LIMIT_MS = 2000;

/** Body of the smallest request of an API, or null for an API that a router does not speak. */
export function finalBody(target: Target): object | null {
  const messages = [{ role: "user", content: PROMPT }];
  switch (target.api) {
    case "openai-completions":
    case "anthropic-messages":
      return { model: target.model, messages, max_tokens: 1, stream: false };
    case "openai-responses":
      return { model: target.model, input: PROMPT, max_output_tokens: 1, stream: false, store: false };
    default:
      return null;
  }
}

/** @return null when told, else why not */
export async function tellFinal(
  target: Target,
  identity: Identity,
  auth: Record<string, string>,
  call: typeof fetch = fetch,
): Promise<string | null> {
  const body = finalBody(target);
  if (body === null) {
    return `no final marker in this API: api=${target.api}`;
  }
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...auth,
    "x-dynamo-session-id": identity.session,
    "x-dynamo-session-final": "true",
    ...(identity.parent ? { "x-dynamo-parent-session-id": identity.parent } : {}),
    ...(target.api === "anthropic-messages" ? { "anthropic-version": "2023-06-01" } : {}),
  };
  const url = target.baseUrl.replace(/\/+$/, "") + API_PATHS[target.api as ApiName];
  try {
    const answer = await call(url, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok ? null : `final marker refused: status=${answer.status}`;
  } catch (error) {
    return `final marker not sent: error=${(error as Error).message}`;
  }
}
