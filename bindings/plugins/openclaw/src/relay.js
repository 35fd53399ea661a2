/**
 * Sends tool events to the router: PUSH, three frames (topic, sequence number, msgpack map in Dynamo's flat shape). Never in the
 * agent's way: events wait in a bounded queue, and what finds no room, or no router within a second, is counted and dropped.
 */
const SCHEMA = "dynamo.request.trace.v1";

export class ToolRelay {
  /** Events that were not sent. */
  dropped = 0;
  #open;
  #socket = null;
  #topic;
  #capacity;
  #waiting = [];
  #sequence = 0n;
  #sending = null;

  /**
   * @param {() => Promise<{send(frames: Uint8Array[]): Promise<void>, close(): void, encode(value: unknown): Uint8Array}>} open
   *     called with the first event: a host may load a plugin only to look at it
   */
  constructor(open, topic, capacity) {
    this.#open = open;
    this.#topic = new TextEncoder().encode(topic);
    this.#capacity = capacity;
  }

  send(event) {
    if (this.#waiting.length >= this.#capacity) {
      this.dropped++;
      return;
    }
    this.#waiting.push(event);
    this.#sending ??= this.#drain();
  }

  /** Waits until all is handed to the socket, or given up, and closes it; a later event opens it again. */
  async close() {
    await this.#sending;
    this.#socket?.close();
    this.#socket = null;
  }

  async #drain() {
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      try {
        this.#socket ??= await this.#open();
        const number = new DataView(new ArrayBuffer(8));
        number.setBigUint64(0, this.#sequence);
        await this.#socket.send([this.#topic, new Uint8Array(number.buffer), this.#socket.encode({ schema: SCHEMA, ...event })]);
        this.#sequence++;
      } catch {
        // Nobody took it within the time: the rest would wait as long again, each.
        this.dropped += 1 + this.#waiting.length;
        this.#waiting.length = 0;
      }
    }
    this.#sending = null;
  }
}

/** Opens the socket to the router; throws where the packages are missing. */
export function opener(settings) {
  return async () => {
    const [zmq, msgpack] = await libraries(settings);
    // Only to a router that is connected: what is in the socket would otherwise be lost uncounted when the process ends.
    const socket = new zmq.Push({ immediate: true, linger: 500, sendHighWaterMark: settings.toolQueue, sendTimeout: 1000 });
    socket.connect(settings.toolEvents);
    return { send: (frames) => socket.send(frames), close: () => socket.close(), encode: (value) => msgpack.encode(value) };
  };
}

export async function libraries(settings) {
  try {
    return await Promise.all([import("zeromq"), import("@msgpack/msgpack")]);
  } catch (error) {
    throw new Error(
      "tool events need the packages zeromq and @msgpack/msgpack, run npm install in the plugin's folder: " +
        `toolEvents=${settings.toolEvents} (${error.message.split("\n")[0]})`,
    );
  }
}
