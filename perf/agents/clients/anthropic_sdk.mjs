// A small agent on the Anthropic SDK: anthropic_sdk.mjs messages BASE PROMPT. Offers one tool and runs it.
import { execSync } from "node:child_process";
import { createRequire } from "node:module";

const Anthropic = createRequire(`${process.env.SDK_FOLDER}/`)("@anthropic-ai/sdk");
const [, base, prompt] = process.argv.slice(2);
const named = process.env.SESSION;
const defaultHeaders = named ? { "x-dynamo-session-id": named } : {};
const client = new Anthropic({ baseURL: base, apiKey: "dummy", defaultHeaders });
const input_schema = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const tools = [{ name: "shell", description: "runs a command", input_schema }];
const messages = [{ role: "user", content: prompt }];

try {
  for (;;) {
    const stream = client.messages.stream({ model: "claude-sonnet-4-5", max_tokens: 500, messages, tools });
    const answer = await stream.finalMessage();
    const call = answer.content.find((block) => block.type === "tool_use");
    if (!call) {
      console.log(answer.content.map((block) => block.text).join(""));
      break;
    }
    const content = execSync("ls", { encoding: "utf8" });
    messages.push({ role: "assistant", content: answer.content });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] });
  }
} catch (e) {
  console.error(`raised: ${e}`);
  process.exitCode = 1;
}
