/**
 * What the user may set: under `plugins.entries.penstock.config` in openclaw.json, whose schema OpenClaw checks, or by
 * environment variables, which win and are checked here; where Dynamo's users know a variable already, that one is taken too.
 *
 * @typedef {object} Settings
 * @property {string | null} toolEvents ZMQ endpoint of the router's tool-event socket, or null: tools are not reported
 * @property {string} toolTopic first frame of each tool event
 * @property {number} toolQueue tool events that may wait; more are dropped and counted
 * @property {boolean} sessionFinal whether the end of a session is told, with a request of one token
 */

const SETTINGS = {
  toolEvents: { variables: ["PENSTOCK_TOOL_EVENTS", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT"], fallback: null, read: zmqEndpoint },
  toolTopic: {
    variables: ["PENSTOCK_TOOL_TOPIC", "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_TOPIC"],
    fallback: "agent-tool-events",
    read: (_, value) => value,
  },
  toolQueue: { variables: ["PENSTOCK_TOOL_QUEUE"], fallback: 10_000, read: queueSize },
  sessionFinal: { variables: ["PENSTOCK_SESSION_FINAL"], fallback: true, read: onOrOff },
};

/**
 * @param {Record<string, unknown>} config the plugin's entry
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Settings}
 * @throws {Error} with one line, `what is wrong: name=value`
 */
export function readSettings(config, environment) {
  for (const name of Object.keys(config)) {
    if (!(name in SETTINGS)) {
      throw new Error(`unknown setting in plugins.entries.penstock.config, known are ${Object.keys(SETTINGS).join(", ")}: name=${name}`);
    }
  }
  const settings = {};
  for (const [name, { variables, fallback, read }] of Object.entries(SETTINGS)) {
    const variable = variables.find((candidate) => environment[candidate]?.trim());
    const given = variable ? environment[variable] : config[name];
    const blank = given === undefined || given === null || String(given).trim() === "";
    settings[name] = blank ? fallback : read(variable ?? name, String(given).trim());
  }
  return /** @type {Settings} */ (settings);
}

function zmqEndpoint(name, value) {
  if (!/^(tcp:\/\/[^/]+:\d+|ipc:\/\/.+)$/.test(value)) {
    throw new Error(`not a ZMQ endpoint, expected tcp://HOST:PORT or ipc://PATH: ${name}=${value}`);
  }
  return value;
}

function queueSize(name, value) {
  const size = Number(value);
  if (!Number.isInteger(size) || size < 1 || size > 1_000_000) {
    throw new Error(`not a number from 1 to 1000000: ${name}=${value}`);
  }
  return size;
}

function onOrOff(name, value) {
  if (/^(1|true|on|yes)$/i.test(value)) {
    return true;
  }
  if (/^(0|false|off|no)$/i.test(value)) {
    return false;
  }
  throw new Error(`neither on nor off: ${name}=${value}`);
}
