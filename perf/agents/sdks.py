import json
from pathlib import Path

from agent import Agent

CLIENTS = Path(__file__).resolve().parent / "clients"


class Sdk(Agent):
    """A small agent of ours on a vendor's SDK. It names no session unless its application does."""

    sessions = 0
    asks_again = False
    cases = ("root", "tool", "named", "retry-529", "cut-stream")
    client = ""
    named = None

    def environment(self):
        session = {"SESSION": self.named} if self.named else {}
        return {"SDK_FOLDER": f"{self.tools}/sdk/node_modules", **session}

    def command(self, prompt, resume=None):
        return [self.path(self.tools), CLIENTS / self.client, self.wire, self.base, prompt]


class PythonSdk(Sdk):
    @classmethod
    def path(cls, tools):
        return Path(tools) / "python" / "bin" / "python"

    @classmethod
    def version(cls, tools):
        found = Path(tools).glob(f"python/lib/python*/site-packages/{cls.package}-*.dist-info")
        return next((each.name.split("-")[1].removesuffix(".dist") for each in found), None)


class NodeSdk(Sdk):
    @classmethod
    def path(cls, tools):
        return Path(tools) / "node" / "node_modules" / ".bin" / "node"

    @classmethod
    def missing(cls, tools):
        folder = Path(tools) / "sdk" / "node_modules" / cls.package
        return super().missing(tools) or (None if folder.exists() else f"not installed: {folder}")

    @classmethod
    def version(cls, tools):
        return json.loads((Path(tools) / "sdk" / "node_modules" / cls.package / "package.json").read_text())["version"]


class OpenAiPythonChat(PythonSdk):
    name, package, client, wire = "openai-python-chat", "openai", "openai_sdk.py", "chat"


class OpenAiPythonResponses(PythonSdk):
    name, package, client, wire = "openai-python-responses", "openai", "openai_sdk.py", "responses"


class AnthropicPython(PythonSdk):
    name, package, client, wire = "anthropic-python", "anthropic", "anthropic_sdk.py", "messages"


class OpenAiNodeChat(NodeSdk):
    name, package, client, wire = "openai-node-chat", "openai", "openai_sdk.mjs", "chat"


class OpenAiNodeResponses(NodeSdk):
    name, package, client, wire = "openai-node-responses", "openai", "openai_sdk.mjs", "responses"


class AnthropicNode(NodeSdk):
    name, package, client, wire = "anthropic-node", "@anthropic-ai/sdk", "anthropic_sdk.mjs", "messages"


ALL = (OpenAiPythonChat, OpenAiPythonResponses, AnthropicPython, OpenAiNodeChat, OpenAiNodeResponses, AnthropicNode)
