"""What the scripted engine answers: decided by the request alone, so that a retry gets the same answer.

A marker in a user's text says what is wanted; the last one counts:
  plan:text      a short text
  plan:tool      one shell call (`ls`), then a text
  plan:spawn     one subagent with plan:tool, then a text
  plan:nest      one subagent with plan:spawn, then a text
  plan:compact   as plan:tool, but with a context reported so full that the agent compacts it; once an answer of ours
                 stands in the request (the summary), a text
"""
import json
import re
from dataclasses import dataclass, field

MARKER = re.compile(r"plan:([a-z]+)")
SHELLS = ("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command", "terminal", "list_files")
SPAWNS = ("Agent", "Task", "task", "spawn_agent")
WAITS = ("wait_agent", "wait_agents", "wait")
FULL_CONTEXT = 400_000


@dataclass
class Tool:
    """A tool that the request offers."""

    name: str
    schema: dict
    kind: str = "function"
    namespace: str | None = None


@dataclass
class Reply:
    """A text, or one tool call with a text of the same words left out."""

    text: str = ""
    tool: Tool | None = None
    arguments: dict = field(default_factory=dict)
    input_tokens: int = 1_200
    output_tokens: int = 20


def reply(body, api, nonce):
    """The answer to a request body; `nonce` stands in every final text."""
    marker, results = progress(body, api)
    offered = {tool.name: tool for tool in tools(body, api)}
    done = Reply(text=f"Done {marker or 'plain'}: the folder holds a.txt. <summary>{nonce}</summary>")
    shell = first(offered, SHELLS)
    if marker == "compact" and shell and nonce not in json.dumps(body):
        done.input_tokens = FULL_CONTEXT
    elif marker == "compact":
        return done
    if marker in ("tool", "compact") and results == 0 and shell:
        return Reply(tool=shell, arguments=fill(shell, None), input_tokens=done.input_tokens)
    if marker in ("spawn", "nest"):
        spawn, wait = first(offered, SPAWNS), first(offered, WAITS)
        if results == 0 and spawn:
            return Reply(tool=spawn, arguments=fill(spawn, "plan:spawn go on" if marker == "nest" else "plan:tool go on"))
        if results == 1 and wait:
            return Reply(tool=wait, arguments=waiting(wait, body))
    return done


def first(offered, names):
    return next((offered[name] for name in names if name in offered), None)


def progress(body, api):
    """The last marker, and how many tool results came after it."""
    marker, results = None, 0
    for role, text in turns(body, api):
        found = MARKER.findall(text) if role == "user" else []
        if found:
            marker, results = found[-1], 0
        elif role == "tool":
            results += 1
    return marker, results


def turns(body, api):
    """(role, text) of each message; a message of tool results has the role `tool`."""
    if api == "responses":
        items = body.get("input") or []
        for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
            kind = item.get("type") or "message"
            if kind.endswith("_output"):
                yield "tool", ""
            elif kind == "agent_message" or item.get("role") == "user":
                yield "user", texts(item.get("content"))
        return
    for message in body.get("messages") or []:
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        result = any(isinstance(p, dict) and p.get("type") == "tool_result" for p in parts)
        if message.get("role") == "tool" or result:
            yield "tool", ""
        if message.get("role") == "user":
            yield "user", texts(content)


def texts(content):
    if isinstance(content, str):
        return content
    return "\n".join(p["text"] for p in content or [] if isinstance(p, dict) and isinstance(p.get("text"), str))


def tools(body, api):
    for tool in body.get("tools") or []:
        if api == "messages":
            yield Tool(tool.get("name"), tool.get("input_schema") or {})
        elif api == "chat":
            function = tool.get("function") or {}
            yield Tool(function.get("name"), function.get("parameters") or {})
        elif tool.get("type") == "namespace":
            for inner in tool.get("tools") or []:
                yield Tool(inner.get("name"), inner.get("parameters") or {}, inner.get("type"), tool.get("name"))
        else:
            yield Tool(tool.get("name") or tool.get("type"), tool.get("parameters") or {}, tool.get("type"))


def fill(tool, task):
    """Arguments by the tool's own schema: the command `ls`, or the task for a subagent."""
    required = set(tool.schema.get("required") or ())
    arguments = {}
    for name, schema in (tool.schema.get("properties") or {}).items():
        value = argument(name, schema if isinstance(schema, dict) else {}, name in required, task)
        if value is not None:
            arguments[name] = value
    return arguments


def argument(name, schema, required, task):
    kind = schema.get("type")
    kind = next((k for k in kind if k != "null"), None) if isinstance(kind, list) else kind
    if name in ("command", "cmd"):
        return ["bash", "-lc", "ls"] if kind == "array" else "ls"
    if task and name in ("prompt", "task", "message"):
        return task
    if task and name in ("subagent_type", "agent_type"):
        named = [n for n in ("general-purpose", "general") if n in (schema.get("enum") or ())]
        return named[0] if named else ("general" if required else None)
    if task and name == "run_in_background":
        return False
    if task and name == "task_name":
        return "list_files"
    if not required:
        return None
    if schema.get("enum"):
        return schema["enum"][0]
    return {"number": 10, "integer": 10, "boolean": False, "array": [], "object": {}}.get(kind, "list the files")


def waiting(tool, body):
    """Arguments that wait for the agent started last."""
    properties = tool.schema.get("properties") or {}
    arguments = {"timeout_ms": 20_000} if "timeout_ms" in properties else {}
    started = re.findall(r'agent_id\W{1,9}([0-9a-f-]{36})', json.dumps(body))
    for name in ("targets", "ids"):
        if name in properties:
            arguments[name] = started[-1:]
    return arguments
