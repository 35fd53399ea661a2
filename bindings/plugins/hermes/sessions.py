"""Who a session is and whose child, for all sessions of one Hermes process."""
import collections
import dataclasses
import threading

SESSION = "DYN_AGENT_SESSION_ID"
PARENT = "DYN_AGENT_PARENT_SESSION_ID"
KEPT = 4096


@dataclasses.dataclass
class Session:
    name: str
    parent: str | None
    target: tuple | None = None
    """Where its last request went: base URL, API mode, model; None before the first and after its end."""


class Sessions:
    """Threading: thread-safe; Hermes runs its agents in threads."""

    def __init__(self, environment):
        self.lock = threading.Lock()
        self.live = collections.OrderedDict()
        self.parents = collections.OrderedDict()
        self.turns = collections.OrderedDict()
        self.given = (environment.get(SESSION) or "").strip() or None
        self.inherited = (environment.get(PARENT) or "").strip() or None
        self.environment = environment
        # A given name is for one session; children of the process go by their own and name that one as parent.
        environment.pop(SESSION, None)

    def spawned(self, child, parent):
        """A session announced the child that it starts."""
        with self.lock:
            self.parents[child] = parent
            trim(self.parents)

    def of(self, own, turn=None):
        """The session with this id in Hermes; `turn` tells when compaction gave a running agent a new id."""
        with self.lock:
            before = self.turns.get(turn) if turn else None
            session = self.live.get(own)
            if session is None:
                session = self.start(own, before)
            self.live.move_to_end(own)
            trim(self.live)
            if turn:
                self.turns[turn] = own
                trim(self.turns)
            return session

    def start(self, own, before):
        if own not in self.parents and before in self.live:
            # Goes on under a new id: the place in the tree stays.
            parent = self.live[before].parent
        else:
            spawner = self.parents.get(own)
            parent = self.live[spawner].name if spawner in self.live else spawner or self.inherited
        name = own
        if self.given and own not in self.parents:
            name, self.given = self.given, None
        session = self.live[own] = Session(name, None if parent == name else parent)
        if own not in self.parents:
            self.environment[PARENT] = name
        return session

    def ended(self, own):
        """The session if it is to be told as ended, that is if it sent requests; else None."""
        with self.lock:
            session = self.live.get(own)
            if session is None or session.target is None:
                return None
            ended = dataclasses.replace(session)
            session.target = None
            return ended

    def names(self):
        with self.lock:
            # Children first: a tree ends from its leaves.
            return list(reversed(self.live))


def trim(entries):
    while len(entries) > KEPT:
        entries.popitem(last=False)
