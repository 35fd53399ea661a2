/**
 * Who a session is and whose child. A child process is told its parent by one inherited environment variable: each
 * session that starts writes itself there, so whatever Pi spawns (a subagent extension, a script that calls Pi or another
 * agent with a plugin of ours or of Dynamo's) names this session as its parent, at any depth.
 */
const SESSION = "DYN_AGENT_SESSION_ID";
const PARENT = "DYN_AGENT_PARENT_SESSION_ID";

// Pi loads an extension anew for each session of a process; what the process itself inherited must outlive that.
const INHERITED = Symbol.for("io.penstock.plugins.inherited");

interface Inherited {
  session: string | null;
  parent: string | null;
}

export interface Identity {
  session: string;
  parent: string | null;
}

/** What the process was started with; the same answer for the whole life of the process. */
export function inherited(environment: NodeJS.ProcessEnv, memory: object = globalThis): Inherited {
  const kept = memory as Record<symbol, Inherited | undefined>;
  return (kept[INHERITED] ??= { session: text(environment[SESSION]), parent: text(environment[PARENT]) });
}

/**
 * Identity of the session that starts now; children spawned from here on inherit it as their parent.
 *
 * @param own the session's id in Pi
 */
export function enter(own: string, environment: NodeJS.ProcessEnv, memory: object = globalThis): Identity {
  const start = inherited(environment, memory);
  // A given name is for one session: a second one in this process goes by its own.
  const session = start.session ?? own;
  start.session = null;
  const parent = start.parent === session ? null : start.parent;
  delete environment[SESSION];
  environment[PARENT] = session;
  return { session, parent };
}

/** Adds the identity to a request's headers; what the user set himself stays. */
export function stamp(headers: Record<string, string | null>, identity: Identity, requestId: string): void {
  const present = new Set(Object.keys(headers).filter((name) => headers[name] !== null).map((name) => name.toLowerCase()));
  const add = (name: string, value: string) => {
    if (!present.has(name)) {
      headers[name] = value;
    }
  };
  add("x-request-id", requestId);
  if (present.has("x-dynamo-session-id")) {
    return;
  }
  headers["x-dynamo-session-id"] = identity.session;
  if (identity.parent) {
    add("x-dynamo-parent-session-id", identity.parent);
  }
}

/** Whether a request to this base URL goes to the router; nobody else is told about sessions. */
export function isRouter(router: string | null, baseUrl: string | undefined): boolean {
  return router !== null && baseUrl !== undefined && (baseUrl === router || baseUrl.startsWith(router + "/"));
}

function text(value: string | undefined): string | null {
  return value?.trim() || null;
}
