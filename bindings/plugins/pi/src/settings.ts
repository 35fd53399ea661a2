/**
 * What the user may set. Each setting has one name in `penstock.json` and one environment variable, which wins; where
 * Dynamo's users know a variable already, that one is taken as well.
 */

/** APIs of Pi that a router answers, with the path of each below the base URL of a Pi model. */
export const API_PATHS = {
  "openai-completions": "/chat/completions",
  "openai-responses": "/responses",
  "anthropic-messages": "/v1/messages",
} as const;

export type ApiName = keyof typeof API_PATHS;

export interface Settings {
  /** Base URL of the router without a path, or null: then nothing is sent. */
  url: string | null;
  /** Key for the router; many take any. */
  apiKey: string;
  /** API of the provider `penstock`. */
  api: ApiName;
  /** ZMQ endpoint of the router's tool-event socket, or null: tools are not reported. */
  toolEvents: string | null;
  /** First frame of each tool event. */
  toolTopic: string;
  /** Tool events that may wait; more are dropped and counted. */
  toolQueue: number;
  /** Whether the end of a session is told, with a request of one token. */
  sessionFinal: boolean;
}

interface Setting {
  variables: string[];
  fallback: Settings[keyof Settings];
  read(name: string, value: string): Settings[keyof Settings];
}

const SETTINGS: Record<keyof Settings, Setting> = {
  url: { variables: ["PENSTOCK_URL"], fallback: null, read: httpUrl },
  apiKey: { variables: ["PENSTOCK_API_KEY"], fallback: "penstock", read: (_, value) => value },
  api: { variables: ["PENSTOCK_API"], fallback: "openai-completions", read: apiName },
  toolEvents: {
    variables: ["PENSTOCK_TOOL_EVENTS", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT"],
    fallback: null,
    read: zmqEndpoint,
  },
  toolTopic: {
    variables: ["PENSTOCK_TOOL_TOPIC", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC"],
    fallback: "agent-tool-events",
    read: (_, value) => value,
  },
  toolQueue: { variables: ["PENSTOCK_TOOL_QUEUE"], fallback: 10_000, read: queueSize },
  sessionFinal: { variables: ["PENSTOCK_SESSION_FINAL"], fallback: true, read: onOrOff },
};

/**
 * Settings from the text of `penstock.json` (or null) and the environment.
 *
 * @throws Error with one line, `what is wrong: name=value`
 */
export function readSettings(file: string | null, environment: NodeJS.ProcessEnv): Settings {
  const members = file === null ? {} : parse(file);
  for (const name of Object.keys(members)) {
    if (!(name in SETTINGS)) {
      throw new Error(`unknown setting in penstock.json, known are ${Object.keys(SETTINGS).join(", ")}: name=${name}`);
    }
  }
  const settings: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const variable = setting.variables.find((candidate) => environment[candidate]?.trim());
    const given = variable ? environment[variable] : members[name];
    const blank = given === undefined || given === null || String(given).trim() === "";
    settings[name] = blank ? setting.fallback : setting.read(variable ?? name, String(given).trim());
  }
  return settings as unknown as Settings;
}

function parse(file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch (error) {
    throw new Error(`penstock.json is not JSON: error=${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`penstock.json must hold an object: value=${file.trim().slice(0, 40)}`);
  }
  return value as Record<string, unknown>;
}

function httpUrl(name: string, value: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new Error(`not a URL, expected http://HOST:PORT: ${name}=${value}`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`neither http nor https: ${name}=${value}`);
  }
  // A path /v1 is what people copy from other clients; each API adds its own.
  return (url.origin + url.pathname).replace(/\/+$/, "").replace(/\/v1$/, "");
}

function apiName(name: string, value: string): ApiName {
  if (!Object.hasOwn(API_PATHS, value)) {
    throw new Error(`unknown API, known are ${Object.keys(API_PATHS).join(", ")}: ${name}=${value}`);
  }
  return value as ApiName;
}

function zmqEndpoint(name: string, value: string): string {
  if (!/^(tcp:\/\/[^/]+:\d+|ipc:\/\/.+)$/.test(value)) {
    throw new Error(`not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: ${name}=${value}`);
  }
  return value;
}

function queueSize(name: string, value: string): number {
  const size = Number(value);
  if (!Number.isInteger(size) || size < 1 || size > 1_000_000) {
    throw new Error(`not a number from 1 to 1000000: ${name}=${value}`);
  }
  return size;
}

function onOrOff(name: string, value: string): boolean {
  if (/^(1|true|on|yes)$/i.test(value)) {
    return true;
  }
  if (/^(0|false|off|no)$/i.test(value)) {
    return false;
  }
  throw new Error(`neither on nor off: ${name}=${value}`);
}
