"""Penstock for Hermes: names the session (and its parent) on every model request of an agent to the router, tells when a session
ends, and reports when tools ran. Requests to other endpoints are left alone.

Uses Hermes's own middleware and hooks, so nothing of Hermes is patched.
"""
import atexit
import logging
import os

from .observer import Observer
from .relay import connect
from .settings import read_settings

logger = logging.getLogger("penstock")


def register(ctx):
    """Called by Hermes once a process."""
    config = host_config()
    settings = read_settings(((config.get("plugins") or {}).get("entries") or {}).get("penstock") or {}, os.environ)
    if settings.url is None and settings.tool_events is None:
        logger.warning("penstock: nothing is set: PENSTOCK_URL is the router's address")
        return
    model = config.get("model")
    key = settings.api_key or (model.get("api_key") if isinstance(model, dict) else None) or "penstock"
    observer = Observer(settings, key, connect(settings), os.environ)
    ctx.register_middleware("llm_request", observer.request)
    for hook in ("pre_tool_call", "post_tool_call", "subagent_start", "subagent_stop", "on_session_finalize"):
        ctx.register_hook(hook, getattr(observer, hook))
    # A one-shot run may end while subagents still work; they end with it.
    atexit.register(observer.close)


def host_config():
    """Hermes's configuration, whole."""
    from hermes_cli.config import load_config

    return load_config() or {}
