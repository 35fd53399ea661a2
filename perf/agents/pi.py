import json

from agent import Agent

NO_SUBAGENTS = {"subagent": "no subagents built in", "nested": "no subagents built in"}


class Pi(Agent):
    name, package, binary = "pi", "pi", "pi"
    wire, api, compat = "responses", "openai-responses", {}
    unsupported = NO_SUBAGENTS

    def configure(self):
        folder = self.home / ".pi" / "agent"
        folder.mkdir(parents=True, exist_ok=True)
        model = {"id": "lab-model", "name": "lab", "reasoning": False, "input": ["text"], "contextWindow": 128_000,
                 "maxTokens": 8_192, "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                 **({"compat": self.compat} if self.compat else {})}
        # The Anthropic client appends /v1 itself.
        base = self.base if self.wire == "messages" else f"{self.base}/v1"
        lab = {"baseUrl": base, "apiKey": "dummy", "api": self.api, "models": [model]}
        # By default its last 20,000 tokens are kept, which is more than there are.
        (folder / "settings.json").write_text(json.dumps({"compaction": {"keepRecentTokens": 1}}))
        (folder / "models.json").write_text(json.dumps({"providers": {"lab": lab}}))

    def environment(self):
        return {"PI_OFFLINE": "1"}

    def command(self, prompt, resume=None):
        more = ["--continue"] if resume else []
        return [self.path(self.tools), "--provider", "lab", "--model", "lab-model", *more, "-p", prompt]


class PiChat(Pi):
    """Without a setting it names no session on this wire."""

    name, wire, api, sessions = "pi-chat", "chat", "openai-completions", 0
    cases = ("root", "tool")


class PiChatNamed(Pi):
    """The setting of docs/agents/pi.md."""

    name, wire, api = "pi-chat-named", "chat", "openai-completions"
    compat = {"sendSessionAffinityHeaders": True, "sessionAffinityFormat": "openrouter"}
    cases = ("root", "tool", "resume", "retry-529", "cut-stream")


class PiMessagesNamed(Pi):
    name, wire, api = "pi-messages-named", "messages", "anthropic-messages"
    compat = {"sendSessionAffinityHeaders": True, "sessionAffinityFormat": "openrouter"}
    cases = ("root", "tool")
