// Tracks (an agent, a worker) with their lanes, and which of them are rows now.
const REQUEST = 0, TOOL = 1, GAP = 2;
const LANE = 19, TRACK_PAD = 7;
// Times of requests are whole ms at their begin, so neighbours may seem to overlap by less.
const ROUNDING_MS = 1;

function spanOf(kind, i) {
  const prefix = kind === REQUEST ? "request" : kind === TOOL ? "tool" : "gap";
  return [data[prefix + "Start"][i], data[prefix + "Took"][i]];
}

function makeTrack(name, parent, depth) {
  return { name, parent, depth, spans: [], lanes: [], gaps: [], children: 0, requests: 0, input: 0, cached: 0, output: 0,
    start: Infinity, end: -Infinity, failed: 0, open: true, more: false, y: 0, height: 0, laneCount: 1 };
}

function addRequest(track, i) {
  track.spans.push(REQUEST, i);
  track.requests++;
  const cached = cachedTokens(i);
  if (cached >= 0 && data.requestInput[i] > 0) {
    track.input += data.requestInput[i];
    track.cached += Math.min(cached, data.requestInput[i]);
  }
  track.output += Math.max(0, data.requestOutput[i]);
  track.failed += failed(i) ? 1 : 0;
}

// Each span takes the lowest lane that is free; a lane's spans are in order then.
function layLanes(track) {
  const { spans } = track;
  const order = Array.from({ length: spans.length / 2 }, (_, k) => k);
  const starts = order.map(k => spanOf(spans[2 * k], spans[2 * k + 1])[0]);
  order.sort((a, b) => starts[a] - starts[b]);
  const lanes = [];
  for (const k of order) {
    const [start, took] = spanOf(spans[2 * k], spans[2 * k + 1]);
    let lane = lanes.find(one => one.free <= start + ROUNDING_MS);
    if (!lane) lanes.push(lane = { free: 0, start: [], end: [], kind: [], index: [] });
    lane.free = start + took;
    lane.start.push(start);
    lane.end.push(start + took);
    lane.kind.push(spans[2 * k]);
    lane.index.push(spans[2 * k + 1]);
    track.start = Math.min(track.start, start);
    track.end = Math.max(track.end, start + took);
  }
  track.lanes = lanes;
  track.spans = null;
}

// Lanes fill from the first on, so those without anything in view are left out at the end.
function lanesInView(track) {
  for (let k = track.lanes.length - 1; k > 0; k--) {
    const { start, end } = track.lanes[k], at = lowerBound(end, view.from);
    if (at < start.length && start[at] < view.to) return k + 1;
  }
  return 1;
}

// Tools that one request asked for at once, and of which nobody told: one bar for all, by its first.
function addTools(tracks) {
  data.together = new Map();
  const firsts = new Map();
  for (let i = 0; i < data.tools; i++) {
    const caller = data.toolCaller[i];
    if (caller >= 0 && firsts.has(caller)) {
      data.together.get(firsts.get(caller)).push(i);
      continue;
    }
    if (caller >= 0) {
      firsts.set(caller, i);
      data.together.set(i, [i]);
    }
    tracks[data.toolSession[i]].spans.push(TOOL, i);
  }
}

// "Bash", "Task × 3", "Read, Grep".
function toolLabel(i) {
  const all = data.together.get(i) ?? [i], counts = new Map();
  for (const one of all) {
    const name = data.names[data.toolName[one]] || "tool";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, times]) => times > 1 ? `${name} × ${times}` : name).join(", ");
}

function bySession() {
  const tracks = data.sessions.map((name, i) => {
    const parent = data.sessionParent[i];
    return makeTrack(name, parent, 0);
  });
  tracks.forEach(track => {
    if (track.parent >= 0) {
      track.depth = tracks[track.parent].depth + 1;
      tracks[track.parent].children++;
    }
  });
  for (let i = 0; i < data.requests; i++) addRequest(tracks[data.requestSession[i]], i);
  addTools(tracks);
  for (let i = 0; i < data.gaps; i++) tracks[data.gapSession[i]].gaps.push(i);
  tracks.forEach(layLanes);
  // From below: a row knows whether a sister follows, for the lines of the tree.
  const seen = new Set();
  for (let i = tracks.length - 1; i >= 0; i--) {
    tracks[i].more = tracks[i].parent >= 0 && seen.has(tracks[i].parent);
    seen.add(tracks[i].parent);
  }
  return tracks;
}

function byWorker() {
  const tracks = new Map();
  for (let i = 0; i < data.requests; i++) {
    const name = data.names[data.requestWorker[i]] || "no worker";
    if (!tracks.has(name)) tracks.set(name, makeTrack(name, -1, 0));
    addRequest(tracks.get(name), i);
  }
  const sorted = [...tracks.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  sorted.forEach(layLanes);
  return sorted;
}

const model = { tracks: [], rows: [], height: 0, group: "sessions", activeOnly: true };
const grouping = {};

function setGroup(group) {
  model.group = group;
  grouping[group] ??= group === "sessions" ? bySession() : byWorker();
  model.tracks = grouping[group];
  listRows();
}

// Rows top down: children of closed ones are left out, and what shows nothing, when asked for.
function listRows() {
  const { tracks } = model;
  const rows = [];
  const shown = new Uint8Array(tracks.length);
  for (let i = 0; i < tracks.length; i++) {
    const track = tracks[i];
    shown[i] = track.parent < 0 || shown[track.parent] && tracks[track.parent].open ? 1 : 0;
    if (shown[i] && (!model.activeOnly || track.start < view.to && track.end > view.from)) rows.push(i);
  }
  let y = 0;
  for (const i of rows) {
    const track = tracks[i];
    track.y = y;
    track.laneCount = model.activeOnly ? lanesInView(track) : Math.max(1, track.lanes.length);
    track.height = track.laneCount * LANE + TRACK_PAD;
    y += track.height;
  }
  model.rows = rows;
  model.height = y;
}

// Lists the rows for another stretch of time so that what the eye is on stays where it is.
function relistRows() {
  const { rows, tracks } = model;
  const k = Math.max(0, rowAt(view.y + (view.hover ? view.pointerY - RULER : 0)));
  const index = rows[k], offset = index === undefined ? 0 : tracks[index].y - view.y;
  listRows();
  const now = index === undefined ? -1 : lowerBound(model.rows, index);
  if (now >= 0 && now < model.rows.length) view.y = tracks[model.rows[now]].y - offset;
}

// Position in rows of the row at height y, or -1.
function rowAt(y) {
  const { rows, tracks } = model;
  let from = 0, to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (tracks[rows[middle]].y + tracks[rows[middle]].height <= y) from = middle + 1; else to = middle;
  }
  return from < rows.length && y >= tracks[rows[from]].y ? from : -1;
}
