"""What the user may set. Each setting has one name under `plugins.entries.penstock` in Hermes's config.yaml and one environment
variable, which wins; where Dynamo's users know a variable already, that one is taken as well.
"""
import dataclasses
import re
import urllib.parse


@dataclasses.dataclass(frozen=True)
class Settings:
    url: str | None
    """Base URL of the router without a path, or None: then no request is stamped."""
    api_key: str | None
    """Key for the final marker; None: the one of Hermes's own model."""
    tool_events: str | None
    """ZMQ endpoint of the router's tool-event socket, or None: tools are not reported."""
    tool_topic: str
    """First frame of each tool event."""
    tool_queue: int
    """Tool events that may wait; more are dropped and counted."""
    session_final: bool
    """Whether the end of a session is told, with a request of one token."""


def read_settings(entry, environment):
    """Settings from the config entry (a dict) and the environment; ValueError with one line, `what is wrong: name=value`."""
    if not isinstance(entry, dict):
        raise ValueError(f"plugins.entries.penstock must hold an object: value={entry}")
    for name in entry:
        # Two names are Hermes's own for any plugin.
        if name not in SETTINGS and name not in ("llm", "allow_tool_override"):
            raise ValueError(f"unknown setting in plugins.entries.penstock, known are {', '.join(SETTINGS)}: name={name}")
    values = {}
    for name, (variables, fallback, read) in SETTINGS.items():
        variable = next((v for v in variables if environment.get(v, "").strip()), None)
        given = environment[variable] if variable else entry.get(name)
        blank = given is None or not str(given).strip()
        values[name] = fallback if blank else read(variable or name, str(given).strip())
    return Settings(**values)


def http_url(name, value):
    try:
        url = urllib.parse.urlsplit(value)
        host, _ = url.hostname, url.port
    except ValueError:
        raise ValueError(f"not a URL, expected http://HOST:PORT: {name}={value}") from None
    if url.scheme not in ("http", "https"):
        raise ValueError(f"neither http nor https: {name}={value}")
    if not host:
        raise ValueError(f"not a URL, expected http://HOST:PORT: {name}={value}")
    # A path /v1 is what people copy from other clients; each API adds its own.
    return re.sub(r"/v1$", "", f"{url.scheme}://{url.netloc}{url.path}".rstrip("/"))


def endpoint(name, value):
    if not re.fullmatch(r"tcp://[^/]+:\d+|ipc://.+", value):
        raise ValueError(f"not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: {name}={value}")
    return value


def queue_size(name, value):
    if not re.fullmatch(r"\d{1,7}", value) or not 1 <= int(value) <= 1_000_000:
        raise ValueError(f"not a number from 1 to 1000000: {name}={value}")
    return int(value)


def on_or_off(name, value):
    if value.lower() in ("1", "true", "on", "yes"):
        return True
    if value.lower() in ("0", "false", "off", "no"):
        return False
    raise ValueError(f"neither on nor off: {name}={value}")


def text(_, value):
    return value


SETTINGS = {
    "url": (("PENSTOCK_URL",), None, http_url),
    "api_key": (("PENSTOCK_API_KEY",), None, text),
    "tool_events": (("PENSTOCK_TOOL_EVENTS", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT"), None, endpoint),
    "tool_topic": (("PENSTOCK_TOOL_TOPIC", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC"), "agent-tool-events", text),
    "tool_queue": (("PENSTOCK_TOOL_QUEUE",), 10_000, queue_size),
    "session_final": (("PENSTOCK_SESSION_FINAL",), True, on_or_off),
}
