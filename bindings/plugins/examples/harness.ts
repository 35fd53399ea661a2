/** A harness of your own, in TypeScript: a root session, a tool, a subagent, and their ends. `node harness.ts ROUTER_URL [TOOL_EVENTS]` */
import { randomUUID } from "node:crypto";
import { encode } from "@msgpack/msgpack";
import { Push } from "zeromq";

const [url, endpoint] = process.argv.slice(2);
const socket = new Push({ linger: 1000 });
if (endpoint) socket.connect(endpoint);
let sent = 0n;

class Session {
  readonly id = randomUUID();
  readonly headers: Record<string, string>;
  constructor(parent?: Session) {
    this.headers = { "content-type": "application/json", "x-dynamo-session-id": this.id, ...(parent && { "x-dynamo-parent-session-id": parent.id }) };
  }
  async ask(text: string, more: object = {}, headers: object = {}): Promise<string> {
    const body = JSON.stringify({ model: "lab-model", messages: [{ role: "user", content: text }], max_tokens: 256, ...more });
    const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers: { ...this.headers, ...headers }, body });
    if (!answer.ok) throw new Error(`refused: status=${answer.status}`);
    return ((await answer.json()) as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
  }
  async tool(name: string, work: () => Promise<string>): Promise<string> {
    const [began, result, ended] = [Date.now(), await work(), Date.now()];
    const tool = { tool_call_id: randomUUID(), tool_class: name, status: "succeeded", started_at_unix_ms: began, ended_at_unix_ms: ended };
    const event = { schema: "dynamo.request.trace.v1", event_type: "tool_end", event_time_unix_ms: ended, session_id: this.id, tool };
    const number = Buffer.alloc(8); number.writeBigUInt64BE(sent++);
    if (endpoint) await socket.send(["agent-tool-events", number, encode(event)]);
    return result;
  }
  end() { return this.ask("end", { max_tokens: 1 }, { "x-dynamo-session-final": "true" }); }
}

const root = new Session(), child = new Session(root);
console.log(await root.ask("Plan."), await child.ask("Look: " + (await child.tool("ls", async () => "a.txt"))), await root.ask("Sum up."));
await child.end(), await root.end();
socket.close();
