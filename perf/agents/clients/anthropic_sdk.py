"""A small agent on the Anthropic SDK: anthropic_sdk.py messages BASE PROMPT. Offers one tool and runs it."""
import os
import subprocess
import sys

from anthropic import Anthropic, AnthropicError

_, base, prompt = sys.argv[1:]
named = os.environ.get("SESSION")
client = Anthropic(base_url=base, api_key="dummy", default_headers={"x-dynamo-session-id": named} if named else {})
schema = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
shell = {"name": "shell", "description": "runs a command", "input_schema": schema}


def converse():
    messages = [{"role": "user", "content": prompt}]
    while True:
        with client.messages.stream(model="claude-sonnet-4-5", max_tokens=500, messages=messages, tools=[shell]) as stream:
            answer = stream.get_final_message()
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in answer.content)
        output = subprocess.run("ls", capture_output=True, text=True, check=True).stdout
        result = {"type": "tool_result", "tool_use_id": calls[0].id, "content": output}
        messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": [result]}]


try:
    print(converse())
except AnthropicError as e:
    sys.exit(f"raised: {e}")
