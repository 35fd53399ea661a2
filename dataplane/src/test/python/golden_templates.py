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

# Expressions and tags one by one; rendered with VARS.
VARS = {
    "s": "  Hello, World\n", "u": "naïve 😀日本", "n": 7, "z": 0, "f": 2.5, "big": 12345678901234567890, "t": True, "none_": None,
    "l": [3, 1, 2], "e": [], "d": {"b": 1, "a": [1, {"x": None}], "items": "key"}, "w": ["b", "A", "c", "a"],
    "m": [{"k": "x", "v": 1, "o": {"p": 5}}, {"k": "y", "v": 2}, {"k": "x", "v": 3, "on": True}],
}
SNIPPETS = [
    "{{ s|trim }}|{{ s.strip() }}|{{ s.strip('\\n ') }}|{{ s.lstrip() }}|{{ s.rstrip('\\n') }}|",
    "{{ u|length }} {{ u[6:] }} {{ u[6] }} {{ u[::-1] }} {{ u[-2:] }} {{ u|upper }} {{ u|capitalize }} {{ u|list }}",
    "{{ n/2 }} {{ n//2 }} {{ -n//2 }} {{ n%3 }} {{ -n%3 }} {{ n**2 }} {{ 2**-1 }} {{ n*f }} {{ n-10 }} {{ 7.0 }} {{ 1e20 }} {{ 0.1+0.2 }}",
    "{{ big }} {{ big+1 }} {{ t }} {{ none_ }} {{ f }} {{ l }} {{ d }} {{ (1,) }} {{ (1,'a') }} {{ [none, true, 'q\\'s', \"d\\\"q\"] }}",
    "{{ d.b }} {{ d['items'] }} {{ d.items()|list }} {{ d.a[1].x }} {{ d.get('zz') }} {{ d.get('zz', 5) }} {{ d.keys()|list }} {{ d.nope }}|{{ d.nope is defined }}",
    "{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 'a' in 'abc' }} {{ 2 in l }} {{ 'b' in d }} {{ 9 not in l }} {{ not 9 in l }} {{ 'x' == 'x' }} {{ 1 == 1.0 }} {{ true == 1 }}",
    "{{ 'a' ~ 1 ~ none ~ true ~ 1.0 ~ [1] }} {{ 'a' 'b' }} {{ 'ab' * 2 }} {{ l + [4] }} {{ 'x' if n > 5 else 'y' }} {{ 'x' if false }}|",
    "{{ z or 'dflt' }} {{ n and 'yes' }} {{ e or l }} {{ none_ or '' }}| {{ not e }} {{ not l }} {{ z and 1 }}",
    "{{ undefined_ }}|{{ undefined_ is defined }} {{ undefined_|default('d') }} {{ ''|default('d') }}|{{ ''|default('d', true) }} {{ none|default('d') }} {{ undefined_|length }}",
    "{{ undefined_.x }}",
    "{{ undefined_ + 'x' }}",
    "{{ 'x' + 1 }}",
    "{{ none_.x }}|{{ none_.x is defined }}",
    "{{ none_.x.y }}",
    "{{ l|sort }} {{ w|sort }} {{ w|sort(case_sensitive=true) }} {{ l|sort(reverse=true) }} {{ l|reverse|list }} {{ l|first }} {{ l|last }} {{ l|sum }} {{ l|min }} {{ l|max }}",
    "{{ w|join('-') }} {{ l|join }} {{ m|map(attribute='k')|join(',') }} {{ m[:1]|map(attribute='o.p')|list }} {{ m|map(attribute='o.p', default=0)|list }} {{ w|map('upper')|list }} {{ m|join('|', attribute='v') }}",
    "{{ m|selectattr('k','equalto','x')|map(attribute='v')|list }} {{ m|rejectattr('k','eq','x')|list|length }} {{ m|selectattr('on')|list|length }} {{ m|selectattr('on','defined')|list|length }}",
    "{{ l|select('odd')|list }} {{ l|reject('gt', 1)|list }} {{ [1,'a',none]|select('string')|list }} {{ m|groupby('k')|list|length }} {{ w|unique|list }}",
    "{% for k, g in m|groupby('k') %}{{ k }}:{{ g|length }};{% endfor %} {{ d|dictsort }} {{ l|batch(2)|list }}",
    "{{ d|tojson }} {{ d|tojson(indent=2) }} {{ e|tojson(indent=2) }} {{ u|tojson }} {{ u|tojson(ensure_ascii=true) }} {{ d|tojson(separators=(',',':')) }} {{ d|tojson(sort_keys=true) }} {{ 1.0|tojson }} {{ '<a&\\'\"\\u2028>'|tojson }} {{ undefined_|default({})|tojson }}",
    "{{ undefined_|tojson }}",
    "{{ n is number }} {{ t is number }} {{ t is integer }} {{ n is integer }} {{ f is float }} {{ s is string }} {{ d is mapping }} {{ l is iterable }} {{ s is iterable }} {{ n is iterable }} {{ d is sequence }} {{ undefined_ is iterable }} {{ t is boolean }} {{ t is true }} {{ 1 is true }} {{ none_ is none }} {{ n is odd }} {{ n is even }} {{ n is divisibleby 7 }} {{ n is not none }} {{ 'a' is in 'abc' }} {{ n is eq 7 }} {{ n is gt(3) }} {{ t is sameas true }} {{ 'a' is lower }} {{ 'A' is upper }}",
    "{{ 'a,b,,c'.split(',') }} {{ ' a  b '.split() }} {{ 'a,b,c'.split(',', 1) }} {{ 'a,b,c'.rsplit(',', 1) }} {{ ''.split(',') }} {{ ''.split() }} {{ 'a\\nb\\r\\nc'.splitlines() }} {{ 'k=v=w'.partition('=') }} {{ 'kv'.partition('=') }} {{ 'k=v=w'.rpartition('=') }}",
    "{{ 'abc'.startswith('a') }} {{ 'abc'.endswith(('x','c')) }} {{ 'abcabc'.replace('b','X') }} {{ 'abcabc'.replace('b','X',1) }} {{ 'abcabc'.find('c') }} {{ 'abcabc'.rfind('c') }} {{ 'abc'.find('z') }} {{ 'abcabc'.count('bc') }} {{ '-'.join(w) }} {{ 'hello wORLD x2y'.title() }} {{ 'hello-wORLD (x'|title }} {{ 'aB'.swapcase() if false else 'aB'.lower() }} {{ 'abc'.removeprefix('a') }} {{ 'abc'.removesuffix('c') }} {{ '7'.zfill(3) }} {{ 'a'.isalpha() }} {{ '1'.isdigit() }} {{ ' '.isspace() }} {{ 'ab'.upper().lower().capitalize() }}",
    "{{ l[1:] }} {{ l[:-1] }} {{ l[::2] }} {{ l[::-1] }} {{ l[-1] }} {{ l[5:] }} {{ l[9] }}| {{ l[1:2][0] }} {{ (1,2,3)[1:] }} {{ s[2:7] }} {{ l.0 }} {{ l.index(1) }}",
    "{{ '3'|int + 1 }} {{ 'x'|int }} {{ 'x'|int(9) }} {{ 3.9|int }} {{ '2.5'|float }} {{ 2.567|round(2) }} {{ 2.5|round }} {{ 3.5|round }} {{ 2.1|round(0,'ceil') }} {{ -3|abs }} {{ n|string ~ 'x' }} {{ 'a b c'|wordcount }}",
    "{{ 'l1\\nl2\\n\\nl4'|indent(2) }}|{{ 'l1\\nl2'|indent(2, true) }}|{{ 'a<b>&\"'|e }} {{ 'a.b'|replace('.', '!') }}",
    "{% set x = 1 %}{% for i in l %}{% set x = i %}{{ x }}{% endfor %}{{ x }} {% set ns = namespace(x=1) %}{% for i in l %}{% set ns.x = i %}{% endfor %}{{ ns.x }}",
    "{% if true %}{% set y = 2 %}{% endif %}{{ y }} {% set a, b = 1, 2 %}{{ a }}{{ b }} {% set c %}in {{ n }}{% endset %}{{ c }}|{% set c2 | upper %}abc{% endset %}{{ c2 }}",
    "{% for i in range(5) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{{ loop.index }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{{ loop.revindex0 }} {% else %}none{% endfor %}",
    "{% for i in e %}x{% else %}empty{% endfor %} {% for i in l if i > 1 %}{{ loop.index }}/{{ loop.length }}:{{ i }} {% endfor %}{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}{% for k in d %}{{ k }}{% endfor %}",
    "{% for i in l %}{{ loop.previtem }}<{{ i }}>{{ loop.nextitem }} {{ loop.cycle('o','e') }} {{ loop.changed(i) }};{% endfor %}",
    "{% macro f(a, b='B', c=none) %}[{{ a }}{{ b }}{{ c }}{{ varargs }}{{ kwargs }}]{% endmacro %}{{ f(1) }}{{ f(1, c=3) }}{{ f(b=2, a=1) }}{{ f(1,2,3) }}{{ f() }}",
    "{% macro w(x) %}<{{ caller() }}|{{ x }}>{% endmacro %}{% call w(5) %}body{{ n }}{% endcall %} {% filter upper %}abc{{ u }}{% endfilter %} {% with q = 3 %}{{ q }}{% endwith %}{{ q }}",
    "{% for i in [[1,[2,[3]]]] recursive %}{{ loop.depth }}:{% if i is iterable %}({{ loop(i) }}){% else %}{{ i }}{% endif %}{% endfor %}",
    "  {% if true %}\n  x\n  {% endif %}\n  y {%- if true %} z {% endif -%}  \n w\n",
    "a\n  {%+ if true %}b{% endif +%}\nc {# comment #}\nd\n   {# c2 -#}  \n e {{- ' f ' -}} \n g",
    "{% raw %}{{ not }} {% if %}{% endraw %}|{%- raw -%} x {%- endraw %}|\n\n",
    "{{ {'a': {'b': {}}} }}{{ '}}' }}{{ \"%}\" }}{% set q = '{% x %}' %}{{ q }}{{ {'k': 1}['k'] }}",
    "{{ '\\x41\\u00e9\\t\\q\\\\' }} {{ 'it\\'s' }} {{ 1_000 }} {{ -2 ** 2 }} {{ 2 + 3 * 4 - 1 }} {{ 2 * 3 ~ 4 * 5 }} {{ (n > 3) and not (n < 5) }} {{ 10 - 2 - 3 }} {{ 2 ** 3 ** 2 }} {{ 7 is odd and 8 is even }} {{ not n is none }}",
    "{{ strftime_now('%d %b %Y|%Y-%m-%d|%H:%M:%S|%A %B|%-d|%j|%y|%I %p|%%') }}",
    "{{ raise_exception('no') }}",
    "{{ l.append(4) }}",
    "{{ l|nosuchfilter }}",
    "{{ d is mapping and d.b is not none and (d['a']|length) > 1 }} {{ d.a | length - 1 }} {{ -n|abs }} {{ l|length > 2 }} {{ 'x' ~ l|length }} {{ dict(a=1, b=2) }} {{ range(3)|list }} {{ range(4, 0, -2)|list }} {{ [1,2]|list + [3] }}",
    "{{ l == [3,1,2] }} {{ (1,2) == [1,2] }} {{ d == {'a': [1, {'x': none}], 'items': 'key', 'b': 1} }} {{ [1,2] < [1,3] }} {{ 'a' < 'b' }} {{ 'Z' < 'a' }} {{ none == none }} {{ undefined_ == undefined2_ }}",
    "{{ 1 < 'a' }}",
    "{{ 5 in 'abc' }}",
    "{{ 1 // 0 }}",
    "{% set x.y = 1 %}",
    "{% generation %}g{{ n }}{% endgeneration %}|",
    "{{ 1e16 }} {{ 123456789.123 }} {{ 1e-5 }} {{ 0.0001 }} {{ 1.5e300 }} {{ 100.0 }} {{ -0.0 }} {{ 1/3 }} {{ [1e16, 1e-7] | tojson }}",
]


def main():
    env = environment()
    tiny = json.load(open(os.path.join(RES, "tiny", "tokenizer_config.json")))
    templates = {"tiny": tiny["chat_template"]}
    folder = os.path.join(RES, "templates")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            templates[name[: -len(".jinja")]] = f.read()
    tokenizer = Tokenizer.from_file(os.path.join(RES, "tiny", "tokenizer.json"))
    out = {"now": NOW.isoformat(), "specials": SPECIALS, "chats": CHATS, "rendered": {}, "ids": {}, "vars": VARS, "snippets": []}
    for source in SNIPPETS:
        try:
            text = env.from_string(source).render(**VARS)
        except Exception as e:
            text = None
            print(f"snippet refused: {source[:60]!r}: {type(e).__name__}: {e}")
        out["snippets"].append([source, text])
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
