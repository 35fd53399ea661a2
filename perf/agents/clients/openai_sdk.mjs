// A small agent on the OpenAI SDK: openai_sdk.mjs chat|responses BASE PROMPT. Offers one tool and runs it.
import { execSync } from "node:child_process";
import { createRequire } from "node:module";

const OpenAI = createRequire(`${process.env.SDK_FOLDER}/`)("openai");
const [wire, base, prompt] = process.argv.slice(2);
const named = process.env.SESSION;
const defaultHeaders = named ? { "x-dynamo-session-id": named } : {};
const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: "dummy", defaultHeaders });
const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const shell = { name: "shell", description: "runs a command", parameters };
const run = () => execSync("ls", { encoding: "utf8" });

async function chat() {
  const messages = [{ role: "user", content: prompt }];
  for (;;) {
    let text = "";
    let call = null;
    const tools = [{ type: "function", function: shell }];
    const stream = await client.chat.completions.create({ model: "lab-model", messages, tools, stream: true });
    for await (const chunk of stream) {
      // Nobody asked for usage: a chunk without choices would be the router's own.
      const { delta } = chunk.choices[0];
      text += delta.content ?? "";
      call ??= delta.tool_calls?.[0] ?? null;
    }
    if (!call) return text;
    const fn = { name: call.function.name, arguments: '{"command":"ls"}' };
    messages.push({ role: "assistant", tool_calls: [{ id: call.id, type: "function", function: fn }] });
    messages.push({ role: "tool", tool_call_id: call.id, content: run() });
  }
}

async function responses() {
  const input = [{ role: "user", content: prompt }];
  for (;;) {
    let text = "";
    let call = null;
    const tools = [{ type: "function", strict: false, ...shell }];
    const stream = await client.responses.create({ model: "lab-model", input, tools, stream: true });
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") text += event.delta;
      if (event.type === "response.output_item.done" && event.item.type === "function_call") call = event.item;
    }
    if (!call) return text;
    input.push({ type: "function_call", call_id: call.call_id, name: call.name, arguments: call.arguments });
    input.push({ type: "function_call_output", call_id: call.call_id, output: run() });
  }
}

try {
  console.log(await { chat, responses }[wire]());
} catch (e) {
  console.error(`raised: ${e}`);
  process.exitCode = 1;
}
