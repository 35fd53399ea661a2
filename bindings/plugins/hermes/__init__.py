"""Penstock for Hermes: names the session (and its parent) on every model request of an agent to the router, tells when a session
ends, and reports when tools ran. Requests to other endpoints are left alone.

Uses Hermes's own middleware and hooks, so nothing of Hermes is patched.
"""
import atexit
import logging
import os
import sys

from .observer import Observer
from .relay import connect
from .settings import read_settings

logger = logging.getLogger("penstock")


def register(ctx):
    """Called by Hermes once a process; what is wrong with the settings keeps the plugin from loading."""
    config = host_config()
    try:
        settings = read_settings(((config.get("plugins") or {}).get("entries") or {}).get("penstock") or {}, os.environ)
    except ValueError as fault:
        say(fault)
        raise
    if settings.url is None and settings.tool_events is None:
        say("nothing is set: PENSTOCK_URL is the router's address")
        return
    try:
        relay = connect(settings)
    except ImportError as missing:
        say(missing)
        relay = None
    model = config.get("model")
    key = settings.api_key or (model.get("api_key") if isinstance(model, dict) else None) or "penstock"
    observer = Observer(settings, key, relay, os.environ)
    ctx.register_middleware("llm_request", observer.request)
    for hook in ("pre_tool_call", "post_tool_call", "subagent_start", "subagent_stop", "on_session_finalize"):
        ctx.register_hook(hook, getattr(observer, hook))
    # A one-shot run may end while subagents still work; they end with it.
    atexit.register(observer.close)


def say(text):
    # Hermes logs to a file; who starts it should see what is wrong.
    print(f"penstock: {text}", file=sys.stderr)
    logger.warning("penstock: %s", text)


def host_config():
    """Hermes's configuration, whole."""
    from hermes_cli.config import load_config

    return load_config() or {}
