/**
 * Who a session is and whose child. OpenClaw names sessions twice: by a key, under which its store knows parents, and by an id,
 * which requests carry and which changes when a session is reset or compacted.
 */

/** Sessions kept in mind; the oldest leave first. */
const KEPT = 4096;

/**
 * @typedef {object} Session
 * @property {string} name
 * @property {string | null} parent
 * @property {{baseUrl: string, api: string, model: string, apiKey: string | undefined} | null} target where its last request went;
 *     null before the first and after its end
 */

export class Sessions {
  /** @type {Map<string, Session>} */
  #sessions = new Map();
  /** @type {Map<string, string>} child key to requester key, as the host announced it */
  #spawned = new Map();
  /** @type {{listSessionEntries(params?: object): {sessionKey: string, entry: Record<string, unknown>}[]}} OpenClaw's sessions */
  store;
  #inherited;
  #warn;

  /** @param {(text: string) => void} warn called once, when the store cannot be read */
  constructor(store, environment, warn) {
    this.store = store;
    this.#warn = warn;
    this.#inherited = environment.DYN_AGENT_PARENT_SESSION_ID?.trim() || null;
  }

  /** The host starts a child. */
  spawned(childKey, requesterKey) {
    if (childKey && requesterKey) {
      remember(this.#spawned, childKey, requesterKey);
    }
  }

  /** @returns {Session | null} null without an id */
  of(id, agentId) {
    const name = plain(id);
    if (!name) {
      return null;
    }
    let session = this.#sessions.get(name);
    if (!session) {
      session = { name, parent: this.#parentOf(name, agentId), target: null };
    }
    remember(this.#sessions, name, session);
    return session;
  }

  /** A session goes on under another id: its place in the tree stays. */
  renamed(id, next) {
    const before = this.of(id);
    const name = plain(next);
    if (before && name && name !== before.name) {
      remember(this.#sessions, name, { name, parent: before.parent, target: null });
    }
  }

  /** The session if it is to be told as ended, that is if it sent requests; else null. */
  ended(id) {
    const session = this.#sessions.get(plain(id) ?? "");
    if (!session?.target) {
      return null;
    }
    const ended = { ...session };
    session.target = null;
    return ended;
  }

  /** Id of the session that a key means now, or null. */
  idOf(key) {
    // A key names the agent whose store has it: agent:AGENT:...
    const agentId = /^agent:([^:]+):/.exec(key ?? "")?.[1];
    const id = this.#entries(agentId).find(({ sessionKey }) => sessionKey === key)?.entry.sessionId;
    return id === undefined ? null : String(id);
  }

  /** Names of sessions that were not told as ended, the youngest first: a tree ends from its leaves. */
  live() {
    return [...this.#sessions.values()].filter((session) => session.target).map((session) => session.name).reverse();
  }

  #parentOf(name, agentId) {
    const own = this.#entries(agentId).find(({ entry }) => entry.sessionId === name);
    const key = own && (this.#spawned.get(own.sessionKey) ?? own.entry.parentSessionKey ?? own.entry.spawnedBy);
    const parent = key ? this.idOf(key) : this.#inherited;
    return parent === name ? null : parent;
  }

  #entries(agentId) {
    if (!agentId) {
      return [];
    }
    try {
      return this.store.listSessionEntries({ agentId, readOnly: true });
    } catch (error) {
      // A request without a parent is better than none.
      this.#warn?.(`sessions cannot be read, subagents have no parent: agent=${agentId} error=${error.message}`);
      this.#warn = null;
      return [];
    }
  }
}

/** The id without the counter that OpenClaw appends for a provider's cache, or null. */
export function plain(id) {
  return (typeof id === "string" && id.trim().replace(/:\d+$/, "")) || null;
}

/** The headers with the session's added; what the user set himself stays. */
export function stamp(headers, session, requestId) {
  const present = new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase()));
  const stamped = { ...headers };
  if (!present.has("x-request-id")) {
    stamped["x-request-id"] = requestId;
  }
  if (!present.has("x-dynamo-session-id")) {
    stamped["x-dynamo-session-id"] = session.name;
    if (session.parent && !present.has("x-dynamo-parent-session-id")) {
      stamped["x-dynamo-parent-session-id"] = session.parent;
    }
  }
  return stamped;
}

function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > KEPT) {
    map.delete(map.keys().next().value);
  }
}
