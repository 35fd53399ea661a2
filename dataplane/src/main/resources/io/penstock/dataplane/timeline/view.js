// What part of time and rows is shown, and the way to another part.
const LABELS = 252, RULER = 27, SCROLLBAR = 10;
const NARROWEST_MS = 1;
const GLIDE_MS = 170;
const view = { from: 0, to: 1, y: 0, width: 1, height: 1, selected: -1, hover: null, cursor: null, pointerY: 0, brush: null };
let gliding = 0;

const plotWidth = () => Math.max(1, view.width - LABELS - SCROLLBAR);
const xOf = ms => LABELS + (ms - view.from) / (view.to - view.from) * plotWidth();
const msAt = x => view.from + (x - LABELS) / plotWidth() * (view.to - view.from);
const wholeSpan = () => Math.max(NARROWEST_MS, data.spanMs);
const margin = () => wholeSpan() * 0.012;

// Shows this stretch of time, as far as there is something in it.
function show(from, to) {
  const width = Math.min(Math.max(to - from, NARROWEST_MS), wholeSpan() + 2 * margin());
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(middle - width / 2, -margin()), wholeSpan() + margin() - width);
  view.to = view.from + width;
  if (model.activeOnly) relistRows();
  scrollTo(view.y);
  repaint();
}

function scrollTo(y) {
  view.y = Math.max(0, Math.min(y, model.height - (view.height - RULER)));
  repaint();
}

function stopGliding() {
  cancelAnimationFrame(gliding);
  gliding = 0;
}

// The same with a short move, so that the eye can follow.
function glide(from, to, track = null) {
  stopGliding();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    show(from, to);
    keepInView(track);
    return;
  }
  const start = performance.now(), was = { from: view.from, to: view.to };
  const step = now => {
    const t = Math.min(1, Math.max(0, (now - start) / GLIDE_MS)), eased = 1 - (1 - t) ** 3;
    show(was.from + (from - was.from) * eased, was.to + (to - was.to) * eased);
    keepInView(track);
    gliding = t < 1 ? requestAnimationFrame(step) : 0;
  };
  gliding = requestAnimationFrame(step);
}

// Scrolls as little as shows a track, a third down where it was not to be seen.
function keepInView(track) {
  if (!track) return;
  const space = view.height - RULER;
  if (track.y < view.y || track.y + track.height > view.y + space) scrollTo(track.y - space / 3);
}

// By a factor around a place on the screen; below 1 shows less.
function zoom(factor, x) {
  stopGliding();
  const at = msAt(x), width = Math.max(NARROWEST_MS, (view.to - view.from) * factor);
  const share = (x - LABELS) / plotWidth();
  show(at - width * share, at + width * (1 - share));
}

function pan(ms) {
  stopGliding();
  show(view.from + ms, view.to + ms);
}

const fit = () => glide(-margin(), wholeSpan() + margin());

// Brings a track into view, open above it, with all of its time.
function reveal(index) {
  const { tracks } = model;
  for (let up = tracks[index].parent; up >= 0; up = tracks[up].parent) tracks[up].open = true;
  view.selected = index;
  const track = tracks[index];
  let { from, to } = view;
  if (track.end >= track.start) {
    const room = Math.max(NARROWEST_MS, track.end - track.start) * 0.06;
    from = track.start - room;
    to = track.end + room;
  }
  listRows();
  glide(from, to, track);
}
