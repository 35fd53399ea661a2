/** Pi's tool events in the words of a request trace. Neither arguments nor results leave the process, only their size. */
import type { Identity } from "./identity.ts";
import type { ToolEvent } from "./relay.ts";

export class ToolClock {
  #started = new Map<string, number>();

  start(identity: Identity, callId: string, tool: string, now: number): ToolEvent {
    this.#started.set(callId, now);
    return event("tool_start", identity, now, {
      tool_call_id: callId,
      tool_class: tool,
      status: "running",
      started_at_unix_ms: now,
    });
  }

  /** @param durationMs as Pi measured it, or undefined: then the time between both events */
  end(identity: Identity, callId: string, tool: string, result: unknown, failed: boolean, durationMs: number | undefined, now: number): ToolEvent {
    const started = this.#started.get(callId);
    this.#started.delete(callId);
    const duration = durationMs ?? (started === undefined ? undefined : now - started);
    return event(failed ? "tool_error" : "tool_end", identity, now, {
      tool_call_id: callId,
      tool_class: tool,
      status: failed ? "error" : "succeeded",
      ...(started === undefined ? {} : { started_at_unix_ms: started }),
      ended_at_unix_ms: now,
      ...(duration === undefined ? {} : { duration_ms: Math.round(duration * 1000) / 1000 }),
      output_bytes: textBytes(result),
      ...(failed ? { error_type: "pi_tool_error" } : {}),
    });
  }
}

function event(type: ToolEvent["event_type"], identity: Identity, now: number, tool: ToolEvent["tool"]): ToolEvent {
  return {
    event_type: type,
    event_time_unix_ms: now,
    session_id: identity.session,
    ...(identity.parent ? { parent_session_id: identity.parent } : {}),
    tool,
  };
}

/** UTF-8 bytes of the texts in a tool's result. */
export function textBytes(result: unknown): number {
  const content = (result as { content?: unknown } | null)?.content;
  if (!Array.isArray(content)) {
    return typeof result === "string" ? Buffer.byteLength(result) : 0;
  }
  return content.reduce((sum, part) => sum + (typeof part?.text === "string" ? Buffer.byteLength(part.text) : 0), 0);
}
