/**
 * Penstock for Pi: names the session (and its parent) on every request to the router, tells when it ends, and reports when
 * tools ran. Requests to other providers are left alone.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { tellFinal, type Target } from "./final.ts";
import { enter, inherited, isRouter, stamp, type Identity } from "./identity.ts";
import { ToolRelay } from "./relay.ts";
import { readSettings, type Settings } from "./settings.ts";
import { ToolClock } from "./tools.ts";

export default async function penstock(pi: ExtensionAPI): Promise<void> {
  inherited(process.env);
  const settings = readSettings(settingsFile(), process.env);
  if (settings.url === null && settings.toolEvents === null) {
    pi.on("session_start", (_event, ctx) => warn(ctx, "nothing is set: PENSTOCK_URL is the router's address"));
    return;
  }
  const problem = settings.url === null ? null : await offerModels(pi, settings);
  if (problem) {
    // At once: where the wanted model is missing, no session starts that could show it.
    process.stderr.write(`penstock: ${problem}\n`);
  }
  const tools = new ToolClock();
  let identity: Identity | null = null;
  let relay: ToolRelay | null = null;
  let last: Target | null = null;

  // Asked for where it is needed: a request may be under way before its session is told to have started.
  const current = (ctx: ExtensionContext) => (identity ??= enter(ctx.sessionManager.getSessionId(), process.env));

  pi.on("session_start", async (_event, ctx) => {
    current(ctx);
    if (problem && ctx.hasUI) {
      warn(ctx, problem);
    }
    try {
      relay = await ToolRelay.connect(settings);
    } catch (error) {
      warn(ctx, (error as Error).message);
    }
  });

  pi.on("before_provider_headers", (event, ctx) => {
    if (!ctx.model || !isRouter(settings.url, ctx.model.baseUrl)) {
      return;
    }
    stamp(event.headers, current(ctx), randomUUID());
    last = { provider: ctx.model.provider, baseUrl: ctx.model.baseUrl, api: ctx.model.api, model: ctx.model.id };
  });

  pi.on("tool_execution_start", (event, ctx) => {
    relay?.send(tools.start(current(ctx), event.toolCallId, event.toolName, Date.now()));
  });

  pi.on("tool_execution_end", (event, ctx) => {
    relay?.send(
      tools.end(current(ctx), event.toolCallId, event.toolName, event.result, event.isError, event.durationMs, Date.now()),
    );
  });

  pi.on("session_shutdown", async (event, ctx) => {
    const [ended, target, closing] = [identity, last, relay];
    [identity, last, relay] = [null, null, null];
    if (closing) {
      await closing.close();
      if (closing.dropped > 0) {
        warn(ctx, `tool events were dropped: dropped=${closing.dropped}`);
      }
    }
    // A reload goes on with the same session.
    if (event.reason !== "reload" && settings.sessionFinal && ended && target) {
      const failed = await tellFinal(target, ended, await authorization(ctx, target));
      if (failed) {
        warn(ctx, failed);
      }
    }
  });
}

function settingsFile(): string | null {
  const folder = process.env.PI_CODING_AGENT_DIR ?? join(homedir(), ".pi", "agent");
  try {
    return readFileSync(join(folder, "penstock.json"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return null;
    }
    throw error;
  }
}

/** Registers the router's models as provider `penstock`; returns what went wrong, or null. */
async function offerModels(pi: ExtensionAPI, settings: Settings): Promise<string | null> {
  const base = `${settings.url}/v1`;
  try {
    const answer = await fetch(`${base}/models`, {
      headers: { authorization: `Bearer ${settings.apiKey}` },
      signal: AbortSignal.timeout(2000),
    });
    if (!answer.ok) {
      return `the router's models could not be read: status=${answer.status} url=${base}/models`;
    }
    const { data } = (await answer.json()) as { data: { id: string; max_model_len?: number }[] };
    pi.registerProvider("penstock", {
      name: "Penstock",
      baseUrl: settings.api === "anthropic-messages" ? settings.url! : base,
      // Pi expands $NAME and runs !COMMAND in a key; this one is meant as it stands.
      apiKey: settings.apiKey.replace(/\$|^!/g, (sign) => `$${sign}`),
      api: settings.api,
      models: data.map((model) => ({
        id: model.id,
        name: model.id,
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: model.max_model_len ?? 128_000,
        maxTokens: 8192,
      })),
    });
    return null;
  } catch (error) {
    return `the router's models could not be read: url=${base}/models error=${(error as Error).message}`;
  }
}

async function authorization(ctx: ExtensionContext, target: Target): Promise<Record<string, string>> {
  const key = await ctx.modelRegistry.getApiKeyForProvider(target.provider);
  if (!key) {
    return {};
  }
  return target.api === "anthropic-messages" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
}

function warn(ctx: ExtensionContext, text: string): void {
  if (ctx.hasUI) {
    ctx.ui.notify(`penstock: ${text}`, "warning");
  } else {
    process.stderr.write(`penstock: ${text}\n`);
  }
}
