import json

from agent import Agent


class ClaudeCode(Agent):
    name, package, binary = "claude-code", "claude", "claude"
    wire = "messages"

    def environment(self):
        return {
            "ANTHROPIC_BASE_URL": self.base, "ANTHROPIC_API_KEY": "dummy", "CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1"}

    def command(self, prompt, resume=None):
        more = ["--resume", resume] if resume else []
        return [self.path(self.tools), "-p", prompt, *more, "--allowedTools", "Bash", "Agent", "--output-format", "json",
                "--model", "claude-sonnet-4-5"]

    def compact(self, resume):
        return "/compact"

    def answer(self, run):
        return json.loads(run.output).get("result") or ""

    def session(self, run):
        return json.loads(run.output)["session_id"]


class ClaudeCodeMerged(ClaudeCode):
    """The mistake that docs/agents warns of: a static session header makes root and subagents one."""

    name, cases = "claude-code-merged", ("merged",)

    def environment(self):
        return {**super().environment(), "ANTHROPIC_CUSTOM_HEADERS": "x-dynamo-session-id: everybody"}
