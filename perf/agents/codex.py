import json

from agent import Agent


class Codex(Agent):
    name, package, binary = "codex", "codex", "codex"
    wire = "responses"

    def configure(self):
        (self.home / ".codex").mkdir(exist_ok=True)

    def environment(self):
        return {"LAB_KEY": "dummy", "CODEX_HOME": str(self.home / ".codex")}

    def command(self, prompt, resume=None):
        settings = {
            "model_provider": "lab", "model": "gpt-5", "model_providers.lab.name": "lab",
            "model_providers.lab.base_url": f'"{self.base}/v1"', "model_providers.lab.env_key": "LAB_KEY",
            "model_providers.lab.wire_api": "responses", "model_auto_compact_token_limit": "200000",
            "agents.max_depth": "3", **self.settings()}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        call = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "--json", *options]
        return [self.path(self.tools), *call, *(["resume", "--last"] if resume else []), prompt]

    def settings(self):
        return {}

    def answer(self, run):
        said = ""
        for line in run.output.splitlines():
            event = json.loads(line) if line.startswith("{") else {}
            if (event.get("item") or {}).get("type") == "agent_message" and event.get("type") == "item.completed":
                said = event["item"].get("text", "")
        return said


class CodexAgentsV2(Codex):
    """Its second kind of subagents: children begin with their parent's history."""

    name = "codex-agents-v2"
    cases = ("subagent",)

    def settings(self):
        return {"features.multi_agent_v2": "true"}


class CodexMerged(Codex):
    """The mistake that docs/agents warns of: a static session header makes root and subagents one."""

    name, cases = "codex-merged", ("merged",)

    def settings(self):
        return {"model_providers.lab.http_headers": '{"x-dynamo-session-id"="everybody"}'}
