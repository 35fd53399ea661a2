"""A small agent on the OpenAI SDK: openai_sdk.py chat|responses BASE PROMPT. Offers one tool and runs it."""
import os
import subprocess
import sys

from openai import OpenAI, OpenAIError

wire, base, prompt = sys.argv[1:]
named = os.environ.get("SESSION")
client = OpenAI(base_url=f"{base}/v1", api_key="dummy", default_headers={"x-dynamo-session-id": named} if named else {})
schema = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
shell = {"name": "shell", "description": "runs a command", "parameters": schema}


def run():
    return subprocess.run("ls", capture_output=True, text=True, check=True).stdout


def chat():
    messages = [{"role": "user", "content": prompt}]
    while True:
        text, call = "", None
        stream = client.chat.completions.create(
            model="lab-model", messages=messages, tools=[{"type": "function", "function": shell}], stream=True)
        for chunk in stream:
            # Nobody asked for usage: a chunk without choices would be the router's own.
            delta = chunk.choices[0].delta
            text += delta.content or ""
            call = call or (delta.tool_calls or [None])[0]
        if call is None:
            return text
        function = {"name": call.function.name, "arguments": '{"command":"ls"}'}
        messages += [
            {"role": "assistant", "tool_calls": [{"id": call.id, "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": call.id, "content": run()}]


def responses():
    items = [{"role": "user", "content": prompt}]
    while True:
        text, call = "", None
        tools = [{"type": "function", "strict": False, **shell}]
        for event in client.responses.create(model="lab-model", input=items, tools=tools, stream=True):
            if event.type == "response.output_text.delta":
                text += event.delta
            if event.type == "response.output_item.done" and event.item.type == "function_call":
                call = event.item
        if call is None:
            return text
        items += [
            {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments},
            {"type": "function_call_output", "call_id": call.call_id, "output": run()}]


try:
    print({"chat": chat, "responses": responses}[wire]())
except OpenAIError as e:
    sys.exit(f"raised: {e}")
