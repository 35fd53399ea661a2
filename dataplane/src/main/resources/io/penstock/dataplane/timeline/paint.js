// The rows: names on the left, what was done on the right.
const THINNEST = 0.75, STAGES_FROM = 4, TEXT_FROM = 46;

function paintTracks() {
  const g = begin("tracks");
  const { rows, tracks } = model;
  const bottom = view.height, { step, found } = ticks();
  g.save();
  g.beginPath();
  g.rect(0, RULER, view.width, bottom - RULER);
  g.clip();
  const first = Math.max(0, rowAt(view.y));
  let last = first;
  for (; last < rows.length && tracks[rows[last]].y - view.y + RULER < bottom; last++) {
    paintRowGround(g, last, tracks[rows[last]]);
  }
  g.strokeStyle = color.grid;
  g.lineWidth = 1;
  for (const at of found) line(g, Math.round(xOf(at)) + 0.5, RULER, Math.round(xOf(at)) + 0.5, bottom);
  g.save();
  g.beginPath();
  g.rect(LABELS, RULER, plotWidth(), bottom - RULER);
  g.clip();
  for (let k = first; k < last; k++) paintTrack(g, tracks[rows[k]]);
  g.restore();
  for (let k = first; k < last; k++) paintLabel(g, rows[k], tracks[rows[k]]);
  g.restore();
  paintRuler(g, step, found);
  paintScrollbar(g);
  paintCursor(g, RULER, bottom);
  paintBrush(g, bottom);
}

const topOf = track => track.y - view.y + RULER;

function paintRowGround(g, k, track) {
  const index = model.rows[k];
  if (index === view.selected) g.fillStyle = color.tint;
  else if (view.hover && view.hover.track === index) g.fillStyle = color.grid;
  else if (k % 2) g.fillStyle = color.band;
  else return;
  g.fillRect(0, topOf(track), view.width, track.height);
}

function paintTrack(g, track) {
  const top = topOf(track) + TRACK_PAD / 2;
  for (const i of track.gaps) {
    const start = data.gapStart[i];
    if (start > view.to) break;
    if (start + data.gapTook[i] > view.from) paintGap(g, i, top);
  }
  for (let k = 0; k < track.laneCount && k < track.lanes.length; k++) paintLane(g, track.lanes[k], top + k * LANE + 2, LANE - 4);
}

function paintGap(g, i, top) {
  const x0 = Math.max(LABELS, xOf(data.gapStart[i])), x1 = Math.min(view.width, xOf(data.gapStart[i] + data.gapTook[i]));
  if (x1 - x0 < 3) return;
  const waits = data.gapKind[i] === 1;
  g.fillStyle = waits ? color.guess : color.wait;
  g.fillRect(x0 + 1, top + LANE / 2 - (waits ? 1 : 0.5), x1 - x0 - 2, waits ? 2 : 1);
}

function paintLane(g, lane, top, height) {
  let covered = -1;
  // Spans of a lane do not overlap, so the first that ends within the view is the first to draw.
  for (let k = lowerBound(lane.end, view.from); k < lane.start.length && lane.start[k] < view.to; k++) {
    const x0 = xOf(lane.start[k]), x1 = Math.max(x0 + THINNEST, xOf(lane.end[k]));
    if (x1 < covered + 0.5) continue;
    if (lane.kind[k] === REQUEST) paintRequest(g, lane.index[k], x0, x1, top, height);
    else paintTool(g, lane.index[k], x0, x1, top, height);
    covered = x1;
  }
}

function paintRequest(g, i, x0, x1, top, height) {
  const width = x1 - x0, bad = failed(i), rate = hitRate(i);
  if (width < STAGES_FROM) {
    g.fillStyle = bad ? color.bad : rate < 0.5 ? heatOf(rate) : color.decode;
    g.fillRect(x0, top, Math.max(1, width - 0.3), height);
    return;
  }
  const scale = width / data.requestTook[i], end = x1 - 0.6;
  const first = data.requestFirst[i];
  const begun = Number.isNaN(first) ? 0 : Math.min(first, data.requestTook[i]) * scale;
  const placed = Math.min((data.requestRouted[i] || 0) * scale, Number.isNaN(first) ? width : begun);
  g.fillStyle = bad ? color.bad : color.decode;
  g.fillRect(x0, top, end - x0, height);
  if (!Number.isNaN(first)) {
    // However short, a prefill can be seen: its colour is the news.
    g.fillStyle = heatOf(rate);
    g.fillRect(x0, top, Math.min(end - x0, Math.max(begun, 2)), height);
  }
  if (placed > 0.5) {
    g.fillStyle = color.wait;
    g.fillRect(x0, top, placed, height);
  }
  if (cancelled(i)) {
    g.fillStyle = color.bad;
    g.fillRect(end - 2, top, 2, height);
  }
  const room = end - Math.max(x0 + begun, LABELS) - 10;
  if (room > TEXT_FROM && !bad) {
    const text = room > 150 ? `${brief(data.requestInput[i])} in, ${brief(data.requestOutput[i])} out` : brief(data.requestOutput[i]);
    paintText(g, text, Math.max(x0 + begun, LABELS) + 6, top, height, room);
  }
}

function paintTool(g, i, x0, x1, top, height) {
  const bad = data.toolState[i] === 1, guessed = data.toolSource[i] >= 2;
  const inset = 1.5, width = Math.max(1, x1 - x0 - 0.6);
  g.fillStyle = bad ? color.bad : color.tool;
  if (guessed && width > 4) {
    // Only seen from outside: an outline.
    const left = Math.max(x0, LABELS - 4), right = Math.min(x0 + width, view.width + 4);
    g.strokeStyle = color.tool;
    g.lineWidth = 1;
    g.strokeRect(left + 1, top + inset + 0.5, right - left - 2, height - 2 * inset - 1);
  } else {
    g.fillRect(x0, top + inset, width, height - 2 * inset);
  }
  const left = Math.max(x0, LABELS), room = Math.min(x1, view.width) - left - 8;
  if (room > 26) paintText(g, toolLabel(i), left + 5, top, height, room, bad ? color.panel : color.soft);
}

function paintText(g, text, x, top, height, room, style = color.ink) {
  g.font = font.small;
  if (g.measureText(text).width > room) return;
  g.fillStyle = style;
  g.fillText(text, x, top + height / 2 + 4);
}
