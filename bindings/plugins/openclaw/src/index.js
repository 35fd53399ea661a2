/**
 * Penstock for OpenClaw: names the session (and its parent) on every request of the provider `penstock`, tells when it ends, and
 * reports when tools ran. Other providers are left alone.
 */
import { randomUUID } from "node:crypto";
import { tellFinal } from "./final.js";
import { ToolRelay, libraries, opener } from "./relay.js";
import { Sessions, stamp } from "./sessions.js";
import { readSettings } from "./settings.js";
import { ToolClock } from "./tools.js";

const PROVIDER = "penstock";

/** OpenClaw registers a plugin several times in a process, one instance for requests and one for subagents: all know the same. */
const SHARED = Symbol.for("io.penstock.openclaw");

export default {
  id: "penstock",
  name: "Penstock",
  description: "Sessions, subagents and tool times for the Penstock router",
  register(api) {
    const settings = readSettings(api.pluginConfig ?? {}, process.env);
    const store = api.runtime.agent.session;
    const warn = (text) => api.logger.warn(`penstock: ${text}`);
    const shared = (globalThis[SHARED] ??= { sessions: new Sessions(store, process.env, warn), tools: null });
    const { sessions } = shared;
    sessions.store = store;

    const wrap = (ctx) => {
      const inner = ctx.streamFn;
      return inner && ((model, context, options) => inner(model, context, named(sessions, ctx.agentId, model, options)));
    };
    api.registerProvider({ id: PROVIDER, label: "Penstock", auth: [], wrapStreamFn: wrap, wrapSimpleCompletionStreamFn: wrap });

    const finish = async (id) => {
      const ended = sessions.ended(id);
      const fault = ended && settings.sessionFinal && (await tellFinal(ended));
      if (fault) {
        warn(fault);
      }
    };
    api.on("subagent_spawned", (event, ctx) => sessions.spawned(event.childSessionKey, ctx.requesterSessionKey));
    api.on("subagent_ended", (event) => finish(sessions.idOf(event.targetSessionKey)));
    api.on("session_end", (event) => {
      if (event.nextSessionId) {
        sessions.renamed(event.sessionId, event.nextSessionId);
      }
      return finish(event.sessionId);
    });
    // What an agent starts in a shell and has a plugin of ours or of Dynamo's names this session as its parent.
    api.on("resolve_exec_env", (_event, ctx) => {
      const session = sessions.of(ctx.sessionId, ctx.agentId);
      return session ? { DYN_AGENT_PARENT_SESSION_ID: session.name } : undefined;
    });
    if (settings.toolEvents !== null) {
      shared.tools ??= { clock: new ToolClock(), relay: new ToolRelay(opener(settings), settings.toolTopic, settings.toolQueue) };
      observeTools(api, shared, settings, warn);
    }
    api.on("gateway_stop", async () => {
      await Promise.all([closeTools(shared, warn), ...sessions.live().map(finish)]);
    });
  },
};

/** The options of a request with its session's headers; unchanged without a session. */
export function named(sessions, agentId, model, options) {
  const session = sessions.of(options?.sessionId, agentId);
  if (!session) {
    return options;
  }
  session.target = { baseUrl: model.baseUrl, api: model.api, model: model.id, apiKey: options.apiKey };
  return { ...options, headers: stamp(options.headers, session, randomUUID()) };
}

function observeTools(api, { sessions, tools }, settings, warn) {
  libraries(settings).catch((error) => warn(error.message));
  const call = (event, ctx) => event.toolCallId ?? ctx.toolCallId;
  // A throw here would block the tool: the host takes this hook for a gate.
  api.on("before_tool_call", (event, ctx) => {
    const session = sessions.of(ctx.sessionId, ctx.agentId);
    if (session && call(event, ctx)) {
      tools.relay.send(tools.clock.start(session, call(event, ctx), event.toolName, Date.now()));
    }
  });
  api.on("after_tool_call", (event, ctx) => {
    const session = sessions.of(ctx.sessionId, ctx.agentId);
    if (session && call(event, ctx)) {
      tools.relay.send(
        tools.clock.end(session, call(event, ctx), event.toolName, event.result, event.error, event.durationMs, Date.now()),
      );
    }
  });
}

async function closeTools({ tools }, warn) {
  if (tools) {
    tools.clock.cancelled(Date.now()).forEach((event) => tools.relay.send(event));
    await tools.relay.close();
    if (tools.relay.dropped > 0) {
      warn(`tool events were dropped: dropped=${tools.relay.dropped}`);
    }
  }
}
