// The numbers of what the pointer is on.
const card = document.getElementById("card");

function element(name, content = "", className = "") {
  const made = document.createElement(name);
  made.textContent = content;
  if (className) made.className = className;
  return made;
}

function hit(x, y) {
  if (x < LABELS || y < RULER || x > view.width - SCROLLBAR) return null;
  const row = rowAt(y - RULER + view.y);
  if (row < 0) return null;
  const index = model.rows[row], track = model.tracks[index], ms = msAt(x);
  const slack = (view.to - view.from) / plotWidth() * 2;
  const laneAt = Math.floor((y - topOf(track) - TRACK_PAD / 2) / LANE);
  const lane = track.lanes[Math.max(0, Math.min(laneAt, track.laneCount - 1))];
  if (lane) {
    const k = lowerBound(lane.end, ms - slack);
    for (let at = k; at < lane.start.length && lane.start[at] <= ms + slack; at++) {
      if (lane.start[at] <= ms && lane.end[at] >= ms || at === k) return { track: index, kind: lane.kind[at], index: lane.index[at] };
    }
  }
  for (const i of track.gaps) {
    if (data.gapStart[i] <= ms && data.gapStart[i] + data.gapTook[i] >= ms) return { track: index, kind: GAP, index: i };
  }
  return { track: index, kind: -1, index: -1 };
}

function facts(rows) {
  const list = element("dl");
  for (const row of rows) {
    if (row === null) {
      list.append(element("hr"));
    } else if (row[1] !== "" && row[1] !== undefined) {
      const value = element("dd", row[1], row[2] ?? "");
      if (row[3]) value.append(element("small", " " + row[3]));
      list.append(element("dt", row[0]), value);
    }
  }
  return list;
}

function stageBar(parts) {
  const bar = element("div", "", "bar");
  for (const [ms, fill] of parts) {
    const part = element("span");
    part.style.cssText = `flex:${Math.max(ms, 0)} 0 ${ms > 0 ? 2 : 0}px;background:${fill}`;
    bar.append(part);
  }
  return bar;
}

function requestCard(i) {
  const name = k => data.names[k];
  const took = data.requestTook[i], first = data.requestFirst[i], routed = data.requestRouted[i];
  const ended = name(data.requestOutcome[i]).toLowerCase();
  const placed = Math.min(routed || 0, Number.isNaN(first) ? took : first);
  const cached = data.requestCached[i], predicted = data.requestPredicted[i], output = data.requestOutput[i];
  card.append(element("h3", name(data.requestModel[i]) || "Request"), element("p", data.sessions[data.requestSession[i]]));
  if (failed(i) || cancelled(i)) {
    card.append(element("p", ended + (data.requestStatus[i] >= 400 ? ", status " + data.requestStatus[i] : ""), "bad"));
  }
  if (!Number.isNaN(first)) card.append(stageBar([[placed, color.wait], [first - placed, heatOf(hitRate(i))], [took - first, color.decode]]));
  card.append(facts([
    ["Began", clock(data.requestStart[i], 1)],
    ["Waiting in the router", Number.isNaN(routed) ? "" : duration(placed)],
    ["Prefill", Number.isNaN(first) ? "" : duration(first - placed), "", "with the engine's queue"],
    ["Decode", Number.isNaN(first) ? "" : duration(took - first), "", output > 1 ? `${((took - first) / (output - 1)).toFixed(1)} ms a token` : ""],
    ["Whole", duration(took)],
    null,
    ["Prompt", count(data.requestInput[i]), "", "tokens"],
    ["In cache", cached < 0 ? "" : count(cached), "", percent(hitRate(i))],
    ["Expected in cache", predicted < 0 ? "" : count(predicted), "", cached < 0 ? percent(hitRate(i)) : ""],
    ["Output", output < 0 ? "" : count(output), "", "tokens"],
    null,
    ["Worker", name(data.requestWorker[i])],
    ["Attempts", data.requestAttempts[i] > 1 ? String(data.requestAttempts[i]) : ""],
    ["Sent because of", name(data.requestTrigger[i]).replace("_", " ")],
    ["Ended by", name(data.requestFinish[i])],
    ["Asked for", name(data.requestCalls[i])],
    ["Request", data.requestId()[i], "id"],
    ["Client's id", data.requestClientId()[i], "id"]]));
}

const TOOL_STATES = ["done", "failed", "its end is not in the journal"];

function toolCard(i) {
  const source = data.toolSource[i], unknown = source === 1 || source === 3 || data.toolState[i] === 2;
  card.append(element("h3", toolLabel(i)), element("p", data.sessions[data.toolSession[i]]));
  card.append(facts([
    ["Began", clock(data.toolStart[i], 1)],
    ["Took", unknown ? "not known" : (source === 2 ? "up to " : "") + duration(data.toolTook[i])],
    ["Ended", source >= 2 ? "" : data.names[data.toolStatus[i]] || TOOL_STATES[data.toolState[i]], data.toolState[i] === 1 ? "bad" : ""],
    ["Output", data.toolOutput[i] < 0 ? "" : count(data.toolOutput[i]), "", "tokens"],
    ...(data.together.get(i) ?? [i]).slice(0, 6).map(one => ["Call", data.toolCall()[one], "id"]),
    ["Known from", source >= 2 ? "the requests around it" : "the agent's events"]]));
}

function gapCard(i) {
  card.append(element("h3", data.gapKind[i] === 1 ? "Waiting for subagents" : "Paused"),
    element("p", data.sessions[data.gapSession[i]]));
  card.append(facts([["From", clock(data.gapStart[i], 1)], ["For", duration(data.gapTook[i])]]));
}

function trackCard(index) {
  const track = model.tracks[index];
  card.append(element("h3", model.group === "sessions" ? "Agent" : "Worker"), element("p", track.name));
  card.append(facts([
    ["Subagent of", track.parent < 0 ? "" : data.sessions[track.parent]],
    ["Subagents", track.children > 0 ? count(track.children) : ""],
    ["Requests", count(track.requests)],
    ["Failed", track.failed > 0 ? count(track.failed) : "", "bad"],
    ["Prompt tokens", track.requests > 0 ? count(track.input) : ""],
    ["In cache", track.input > 0 ? percent(track.cached / track.input) : ""],
    ["Output tokens", track.requests > 0 ? count(track.output) : ""],
    ["From", track.end >= track.start ? clock(track.start, 1) : ""],
    ["For", track.end >= track.start ? duration(track.end - track.start) : ""]]));
}

function showCard(what, x, y) {
  card.replaceChildren();
  if (what.kind === REQUEST) requestCard(what.index);
  else if (what.kind === TOOL) toolCard(what.index);
  else if (what.kind === GAP) gapCard(what.index);
  else trackCard(what.track);
  card.hidden = false;
  const { width, height } = card.getBoundingClientRect();
  const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
  card.style.left = Math.max(8, left) + "px";
  card.style.top = Math.max(8, Math.min(y + 14, innerHeight - height - 8)) + "px";
}

function hideCard() {
  card.hidden = true;
  card.classList.remove("pinned");
}
