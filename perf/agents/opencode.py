import json

from agent import Agent


class OpenCode(Agent):
    name, package, binary = "opencode", "opencode", "opencode"
    wire = "chat"
    provider = "@ai-sdk/openai-compatible"

    def environment(self):
        limits = {"context": 128_000, "output": 8_192}
        model = {"name": "lab", "tool_call": True, "limit": limits}
        options = {"baseURL": f"{self.base}/v1", "apiKey": "dummy"}
        config = {
            "provider": {"lab": {"npm": self.provider, "options": options, "models": {"lab-model": model}}},
            "model": "lab/lab-model", "permission": {"bash": "allow", "task": "allow"}, "autoupdate": False,
            # Without these a subagent may start none.
            "agent": {"general": {"permission": {"task": "allow"}}}, "subagent_depth": 3}
        return {"OPENCODE_CONFIG_CONTENT": json.dumps(config), "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_AUTOUPDATE": "1"}

    def command(self, prompt, resume=None):
        return [self.path(self.tools), "run", *(["--continue"] if resume else []), prompt]


class OpenCodeResponses(OpenCode):
    name, wire, provider = "opencode-responses", "responses", "@ai-sdk/openai"
    cases = ("root", "tool", "subagent")


class OpenCodeMessages(OpenCode):
    name, wire, provider = "opencode-messages", "messages", "@ai-sdk/anthropic"
    cases = ("root", "tool", "subagent")
