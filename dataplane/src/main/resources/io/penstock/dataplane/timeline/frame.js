// Around the rows: names, ruler, scroll bar.
function paintLabel(g, index, track) {
  const top = topOf(track), base = top + TRACK_PAD / 2 + LANE / 2 + 4;
  g.fillStyle = index === view.selected ? color.accent : color.line;
  g.fillRect(LABELS - 1, top, 1, track.height);
  if (index === view.selected) g.fillRect(0, top, 3, track.height);
  const depth = Math.min(track.depth, 5), x = 16 + depth * 13;
  if (depth > 0) paintBranch(g, track, x, top, base - 4);
  if (track.children > 0) paintCaret(g, x + 4, base - 4, track.open);
  g.font = font.id;
  g.fillStyle = track.requests === 0 && track.lanes.length === 0 ? color.faint : color.ink;
  const name = model.group === "sessions" ? shortened(track.name) : track.name;
  const left = x + (model.group === "sessions" ? 14 : 0);
  paintFitted(g, name, left, base, LABELS - 84 - left);
  g.font = font.small;
  g.textAlign = "right";
  g.fillStyle = color.soft;
  if (track.requests > 0) g.fillText(brief(track.requests), LABELS - 48, base);
  g.fillStyle = color.faint;
  if (track.input > 0) g.fillText(percent(track.cached / track.input), LABELS - 10, base);
  g.textAlign = "left";
  if (track.failed > 0) {
    g.fillStyle = color.bad;
    g.beginPath();
    g.arc(LABELS - 80, base - 4, 2.5, 0, 7);
    g.fill();
  }
}

// Lines of the tree: to this row, and past it to sisters of it and of those above.
function paintBranch(g, track, x, top, middle) {
  g.strokeStyle = color.line;
  g.lineWidth = 1;
  line(g, x - 8.5, top, x - 8.5, track.more ? top + track.height : middle);
  line(g, x - 8.5, middle - 0.5, x - 2, middle - 0.5);
  let up = model.tracks[track.parent];
  for (let at = x - 13; up && up.depth > 0; at -= 13, up = model.tracks[up.parent]) {
    if (up.more) line(g, at - 8.5, top, at - 8.5, top + track.height);
  }
}

function paintFitted(g, text, x, y, room) {
  let shown = text;
  while (shown.length > 2 && g.measureText(shown).width > room) shown = shown.slice(0, -2) + "…";
  g.fillText(shown, x, y);
}

function paintCaret(g, x, y, open) {
  g.fillStyle = color.soft;
  g.beginPath();
  if (open) {
    g.moveTo(x - 3.5, y - 2);
    g.lineTo(x + 3.5, y - 2);
    g.lineTo(x, y + 2.5);
  } else {
    g.moveTo(x - 2, y - 3.5);
    g.lineTo(x + 2.5, y);
    g.lineTo(x - 2, y + 3.5);
  }
  g.fill();
}

function paintRuler(g, step, found) {
  g.fillStyle = color.panel;
  g.fillRect(0, 0, view.width, RULER);
  g.strokeStyle = color.line;
  g.lineWidth = 1;
  line(g, 0, RULER - 0.5, view.width, RULER - 0.5);
  g.font = font.small;
  g.fillStyle = color.faint;
  g.fillText(model.group === "sessions" ? "Agent" : "Worker", 16, 18);
  g.textAlign = "right";
  g.fillText("requests", LABELS - 48, 18);
  g.fillText("hit", LABELS - 10, 18);
  g.textAlign = "left";
  g.fillStyle = color.soft;
  for (const at of found) {
    const x = Math.round(xOf(at)) + 0.5;
    if (x < LABELS) continue;
    line(g, x, RULER - 5, x, RULER);
    if (x + 60 < view.width) g.fillText(clock(at, step), x + 4, 17);
  }
  if (view.cursor !== null) {
    const text = clock(view.cursor, Math.min(step / 10, 1000)), width = g.measureText(text).width + 12;
    const x = Math.min(Math.max(LABELS, xOf(view.cursor) - width / 2), view.width - SCROLLBAR - width);
    g.fillStyle = color.ink;
    g.beginPath();
    g.roundRect(x, 4, width, 19, 4);
    g.fill();
    g.fillStyle = color.panel;
    g.fillText(text, x + 6, 17);
  }
}

function scrollbar() {
  const space = view.height - RULER, whole = Math.max(space, model.height);
  const length = Math.max(24, space * space / whole);
  return { length, top: RULER + (space - length) * view.y / Math.max(1, whole - space), scale: (whole - space) / Math.max(1, space - length) };
}

function paintScrollbar(g) {
  if (model.height <= view.height - RULER) return;
  const { length, top } = scrollbar();
  g.fillStyle = color.line;
  g.beginPath();
  g.roundRect(view.width - SCROLLBAR + 2, top + 2, SCROLLBAR - 4, length - 4, 3);
  g.fill();
}

function paintBrush(g, bottom) {
  if (!view.brush) return;
  const x0 = xOf(Math.min(...view.brush)), x1 = xOf(Math.max(...view.brush));
  g.fillStyle = color.tint;
  g.fillRect(x0, RULER, x1 - x0, bottom - RULER);
  g.fillStyle = color.accent;
  g.fillRect(x0, RULER, 1, bottom - RULER);
  g.fillRect(x1, RULER, 1, bottom - RULER);
  g.font = font.label;
  g.fillText(duration(Math.abs(view.brush[1] - view.brush[0])), x0 + 6, RULER + 16);
}
