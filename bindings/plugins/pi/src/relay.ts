/**
 * Sends tool events to the router: PUSH, three frames (topic, sequence number, msgpack map in Dynamo's flat shape). Never in
 * the agent's way: events wait in a bounded queue, and what finds no room, or no router until the end, is counted and dropped.
 */
import type { Settings } from "./settings.ts";

/** One event, without the fields that the relay adds. */
export interface ToolEvent {
  event_type: "tool_start" | "tool_end" | "tool_error";
  event_time_unix_ms: number;
  session_id: string;
  parent_session_id?: string;
  tool: {
    tool_call_id: string;
    tool_class: string;
    status: "running" | "succeeded" | "error";
    started_at_unix_ms?: number;
    ended_at_unix_ms?: number;
    duration_ms?: number;
    output_bytes?: number;
    error_type?: string;
  };
}

/** Where frames go: a PUSH socket, or a list in a test. */
export interface Sink {
  send(frames: Uint8Array[]): Promise<void>;
  close(): void;
}

export const SCHEMA = "dynamo.request.trace.v1";

export class ToolRelay {
  /** Events that were not sent: queue full, or the socket refused. */
  dropped = 0;
  #sequence = 0n;
  #waiting: Uint8Array[][] = [];
  #sending: Promise<void> | null = null;
  #sink: Sink;
  #encode: (value: unknown) => Uint8Array;
  #topic: Uint8Array;
  #capacity: number;

  constructor(sink: Sink, encode: (value: unknown) => Uint8Array, topic: string, capacity: number) {
    this.#sink = sink;
    this.#encode = encode;
    this.#topic = new TextEncoder().encode(topic);
    this.#capacity = capacity;
  }

  /** A relay to the router, or null when no endpoint is set. */
  static async connect(settings: Settings): Promise<ToolRelay | null> {
    if (settings.toolEvents === null) {
      return null;
    }
    let zmq: typeof import("zeromq");
    let msgpack: typeof import("@msgpack/msgpack");
    try {
      [zmq, msgpack] = await Promise.all([import("zeromq"), import("@msgpack/msgpack")]);
    } catch (error) {
      throw new Error(`tool events need the packages zeromq and @msgpack/msgpack, run npm install in the plugin's folder: ` +
        `toolEvents=${settings.toolEvents} (${(error as Error).message.split("\n")[0]})`);
    }
    // Only to a router that is connected: what is in the socket would otherwise be lost uncounted when the process ends.
    const socket = new zmq.Push({ immediate: true, linger: 500, sendHighWaterMark: settings.toolQueue, sendTimeout: 1000 });
    socket.connect(settings.toolEvents);
    const sink: Sink = { send: (frames) => socket.send(frames), close: () => socket.close() };
    return new ToolRelay(sink, (value) => msgpack.encode(value), settings.toolTopic, settings.toolQueue);
  }

  send(event: ToolEvent): void {
    if (this.#waiting.length >= this.#capacity) {
      this.dropped++;
      return;
    }
    const number = new DataView(new ArrayBuffer(8));
    number.setBigUint64(0, this.#sequence++);
    this.#waiting.push([this.#topic, new Uint8Array(number.buffer), this.#encode({ schema: SCHEMA, ...event })]);
    this.#sending ??= this.#drain();
  }

  /** Waits until all is handed to the socket, or given up, and closes it. */
  async close(): Promise<void> {
    await this.#sending;
    this.#sink.close();
  }

  async #drain(): Promise<void> {
    for (let frames = this.#waiting.shift(); frames; frames = this.#waiting.shift()) {
      try {
        await this.#sink.send(frames);
      } catch {
        // Nobody took it within the time: the rest would wait as long again, each.
        this.dropped += 1 + this.#waiting.length;
        this.#waiting.length = 0;
      }
    }
    this.#sending = null;
  }
}
