/** OpenClaw's tool events in the words of a request trace. Neither parameters nor results leave the process, only their size. */

export class ToolClock {
  #started = new Map();

  start(session, callId, tool, now) {
    this.#started.set(callId, { session, tool, now });
    return event("tool_start", session, now, { tool_call_id: callId, tool_class: tool, status: "running", started_at_unix_ms: now });
  }

  /** @param {number | undefined} durationMs as OpenClaw measured it */
  end(session, callId, tool, result, error, durationMs, now) {
    const started = this.#started.get(callId)?.now;
    this.#started.delete(callId);
    const failed = error !== undefined && error !== null;
    const duration = durationMs ?? (started === undefined ? undefined : now - started);
    return event(failed ? "tool_error" : "tool_end", session, now, {
      tool_call_id: callId,
      tool_class: tool,
      status: failed ? "error" : "succeeded",
      ...(started === undefined ? {} : { started_at_unix_ms: started }),
      ended_at_unix_ms: now,
      ...(duration === undefined ? {} : { duration_ms: duration }),
      output_bytes: textBytes(result),
      ...(failed ? { error_type: "openclaw_tool_error" } : {}),
    });
  }

  /** The host stops: what still runs ends with it. */
  cancelled(now) {
    const events = [...this.#started].map(([callId, { session, tool, now: started }]) =>
      event("tool_end", session, now, {
        tool_call_id: callId,
        tool_class: tool,
        status: "cancelled",
        started_at_unix_ms: started,
        ended_at_unix_ms: now,
        duration_ms: now - started,
      }),
    );
    this.#started.clear();
    return events;
  }
}

function event(type, session, now, tool) {
  return {
    event_type: type,
    event_time_unix_ms: now,
    session_id: session.name,
    ...(session.parent ? { parent_session_id: session.parent } : {}),
    tool,
  };
}

/** UTF-8 bytes of the texts in a tool's result. */
export function textBytes(result) {
  if (typeof result === "string") {
    return Buffer.byteLength(result);
  }
  const content = result?.content;
  return Array.isArray(content) ? content.reduce((sum, part) => sum + (typeof part?.text === "string" ? Buffer.byteLength(part.text) : 0), 0) : 0;
}
