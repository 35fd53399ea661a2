"""Which session a request is of, by its headers: the table of docs/compatibility.md, written a second time to check the
router's own reading."""
from dataclasses import dataclass

RULES = (  # source, session, child, parent
    ("dynamo", "x-dynamo-session-id", None, "x-dynamo-parent-session-id"),
    ("claude-code", "x-claude-code-session-id", "x-claude-code-agent-id", "x-claude-code-parent-agent-id"),
    ("codex", "thread-id", None, "x-codex-parent-thread-id"),
    ("opencode", "x-session-id", None, "x-parent-session-id"),
    ("x-session-affinity", "x-session-affinity", None, None),
    ("session-id", "session-id", None, None),
    ("session_id", "session_id", None, None),
)


@dataclass(frozen=True)
class Identity:
    session: str | None = None
    parent: str | None = None
    source: str = "none"


def of(headers):
    """The identity in a list of (name, value)."""
    named = {}
    for name, value in headers:
        named.setdefault(name.lower(), value.strip())
    for source, session, child, parent in RULES:
        root = named.get(session)
        if root:
            me = named.get(child) or root if child else root
            up = named.get(parent) if parent else None
            up = None if up == me else up
            if source == "claude-code":
                # A child of the first level does not name its parent: the session is meant.
                up = None if me == root else up or root
            return Identity(me, up, source)
    return Identity()


def tree(identities):
    """session -> parent, in the order the sessions were first seen."""
    found = {}
    for each in identities:
        if each.session:
            found[each.session] = found.get(each.session) or each.parent
    return found


def depth(found):
    """Generations in a tree: 1 for roots alone."""

    def level(session):
        parent = found.get(session)
        return 1 if parent not in found else 1 + level(parent)

    return max((level(session) for session in found), default=0)
