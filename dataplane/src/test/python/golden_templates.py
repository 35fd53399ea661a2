"""Render conversations through chat templates as Hugging Face transformers does, and keep the results.

The goldens in ../resources/tokens/golden.json come from here; the Java renderer must equal them, so that the tests need
no Python. Run again after a change of a template or a conversation:

    python golden_templates.py        (needs jinja2; and, for the token ids, tokenizers)

Templates are written for these tests in the styles of public model families: the idioms are theirs, the texts are not.
"""
import datetime
import json
import os

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
RES = os.path.join(HERE, "..", "resources", "tokens")
NOW = datetime.datetime(2026, 3, 7, 9, 5, 2)
SPECIALS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}


class Generation(jinja2.ext.Extension):
    """{% generation %} marks the assistant's text for training; rendering ignores it."""

    tags = {"generation"}

    def parse(self, parser):
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_support"), [], [], body).set_lineno(lineno)

    def _support(self, caller):
        return caller()


def environment():
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda fmt: NOW.strftime(fmt)
    return env


WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather now. ",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name of the city, e.g. \"Zürich\""},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "days": {"type": "array", "items": {"type": "integer"}, "minItems": 0},
                "nested": {"type": "object", "properties": {"a": {"type": "number", "default": 1.5}, "b": {}}},
            },
            "required": ["city"],
        },
    },
}
PLAIN = {"type": "function", "function": {"name": "now", "description": None, "parameters": None}}
LINES = {
    "type": "function",
    "function": {
        "name": "edit",
        "description": "Edits <b>lines</b> & 'quotes' \\ back\nslash 日本 😀",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        "strict": True,
    },
}


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def call(name, arguments, id="call_0123456789"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def tool(text, id="call_0123456789"):
    return {"role": "tool", "content": text, "tool_call_id": id}


SYSTEM = {"role": "system", "content": "  You are terse.\n"}
CHATS = {
    "hello": dict(messages=[user("Hello!")]),
    "no_prompt": dict(messages=[user("Hi"), assistant("Hello")], add_generation_prompt=False),
    "system": dict(messages=[SYSTEM, user(" padded \n")]),
    "two_systems": dict(messages=[SYSTEM, user("a"), {"role": "system", "content": "More."}, user("b")]),
    "turns": dict(messages=[SYSTEM, user("1+1?"), assistant("2"), user("and 2+2?"), assistant(" 4 "), user("ok")]),
    "unicode": dict(messages=[user("naïve 日本語 😀\u200d👩 \u00a0nbsp"), assistant("ß→∑ <|im_end|>"), user("\u2028x\ttab\r\ncrlf")]),
    "empty": dict(messages=[SYSTEM, user(""), assistant(""), user("?")]),
    "null": dict(messages=[user("call"), assistant(None, tool_calls=[call("now", {})]), tool("12:00")], tools=[PLAIN]),
    "tools": dict(messages=[SYSTEM, user("Weather?")], tools=[WEATHER, PLAIN, LINES]),
    "tool_use": dict(
        messages=[
            user("Weather in Zürich?"),
            assistant("", tool_calls=[call("get_weather", {"city": "Zürich", "days": [1, 2], "deep": {"x": None, "y": True, "z": 1.0}})]),
            tool('{"temp": 21}'),
            assistant("It is 21 °C."),
            user("And in Paris?"),
        ],
        tools=[WEATHER],
    ),
    "two_calls": dict(
        messages=[
            SYSTEM,
            user("Both?"),
            assistant("Let me see", tool_calls=[call("get_weather", {"city": "A"}, "aaaaaaaaa"), call("now", {}, "bbbbbbbbbbbb")]),
            tool("hot\ttab\nline two", "aaaaaaaaa"),
            tool("12:00", "bbbbbbbbbbbb"),
        ],
        tools=[WEATHER, PLAIN],
    ),
    "agent_loop": dict(
        messages=[
            SYSTEM,
            user("Fix the bug"),
            assistant("<think>\nwhere?\n</think>\n\nReading.", tool_calls=[call("edit", {"path": "a.py", "n": 3})]),
            tool("def f():\n    return 1 < 2 and {'k': [1]}\n"),
            assistant("<think>aha</think>Done?", tool_calls=[call("edit", {"text": "x\n\"y\" \\ </script>", "ok": False})]),
            tool(""),
            assistant("Fixed."),
        ],
        tools=[LINES],
    ),
    "thinking": dict(
        messages=[user("q"), assistant("a", reasoning="r1\n", reasoning_content="r1\n"), user("q2"), assistant("<think>\nz\n</think>\n\nlast")],
        add_generation_prompt=False,
    ),
    "kwargs": dict(messages=[user("q")], kwargs={"enable_thinking": False, "date_string": "1 Jan 2020", "tools_in_user_message": False}, tools=[PLAIN]),
    "parts": dict(messages=[{"role": "system", "content": [{"type": "text", "text": "S"}]}, {"role": "user", "content": [{"type": "text", "text": " one "}, {"type": "text", "text": "two\n"}]}]),
    "documents": dict(
        messages=[user("cite")],
        kwargs={"documents": [{"title": "T", "text": " body\nline "}, {"text": "no title"}, {"title": "", "text": "x"}]},
    ),
    "alternation": dict(messages=[user("a"), user("b"), assistant("c")]),
    "many": dict(messages=[m for i in range(9) for m in (user(f"question {i} " * (i + 1)), assistant(f"answer {i}\n" * (i % 3)))] + [user("end")]),
}

PROBES = {}


def main():
    env = environment()
    tiny = json.load(open(os.path.join(RES, "tiny", "tokenizer_config.json")))
    templates = {"tiny": tiny["chat_template"]}
    folder = os.path.join(RES, "templates")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            templates[name[: -len(".jinja")]] = f.read()
    tokenizer = Tokenizer.from_file(os.path.join(RES, "tiny", "tokenizer.json"))
    out = {"now": NOW.isoformat(), "specials": SPECIALS, "chats": CHATS, "rendered": {}, "ids": {}}
    for name, source in templates.items():
        compiled = env.from_string(source)
        rendered = out["rendered"][name] = {}
        for chat, c in CHATS.items():
            kwargs = {**SPECIALS, "tools": c.get("tools"), "documents": None, **c.get("kwargs", {})}
            try:
                text = compiled.render(
                    messages=json.loads(json.dumps(c["messages"])),
                    add_generation_prompt=c.get("add_generation_prompt", True),
                    **kwargs,
                )
            except Exception as e:  # the template refuses: so must we
                rendered[chat] = None
                print(f"{name:10} {chat:12} refused: {type(e).__name__}: {e}")
                continue
            rendered[chat] = text
            if name == "tiny":
                out["ids"][chat] = tokenizer.encode(text, add_special_tokens=False).ids
    with open(os.path.join(RES, "golden.json"), "w", encoding="utf-8") as f:
        json.dump(out, f, ensure_ascii=False, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
