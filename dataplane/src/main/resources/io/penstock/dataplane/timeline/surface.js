// Canvases, colours and the clock of repainting.
const color = {}, font = {}, contexts = {};
const frames = { painted: 0, last: 0, took: [] };
const FRAMES_KEPT = 240;
let asked = false, summaryTimer = 0;

// From the coldest prompt to one that was in cache as a whole.
const HEAT_STEPS = 24;
let heat = [];

function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["page", "panel", "raised", "line", "grid", "ink", "soft", "faint", "accent", "tint", "band", "warm", "half", "cold",
    "decode", "wait", "tool", "guess", "bad", "load", "evict"]) {
    color[name] = style.getPropertyValue("--" + name).trim();
  }
  const sans = style.getPropertyValue("--sans").trim(), mono = style.getPropertyValue("--mono").trim();
  Object.assign(font, { label: "500 12px " + sans, small: "11px " + sans, id: "11.5px " + mono });
  const channels = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));
  const stops = [color.cold, color.half, color.warm].map(channels);
  heat = Array.from({ length: HEAT_STEPS + 1 }, (_, k) => {
    const at = 2 * k / HEAT_STEPS, low = Math.min(1, Math.floor(at));
    return `rgb(${stops[low].map((from, c) => Math.round(from + (stops[low + 1][c] - from) * (at - low)))})`;
  });
}

const heatOf = rate => Number.isNaN(rate) ? color.soft : heat[Math.round(rate * HEAT_STEPS)];

function begin(id) {
  const g = contexts[id];
  const { canvas } = g;
  g.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  g.fillStyle = color.panel;
  g.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return g;
}

function line(g, x0, y0, x1, y1) {
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

function resize() {
  for (const id of ["overview", "tracks", "meters"]) {
    const canvas = document.getElementById(id);
    contexts[id] ??= canvas.getContext("2d", { alpha: false });
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    view[id === "tracks" ? "height" : id] = canvas.clientHeight;
    view.width = canvas.clientWidth;
  }
  scrollTo(view.y);
}

function repaint() {
  if (!asked) {
    asked = true;
    requestAnimationFrame(paint);
  }
}

function paint() {
  asked = false;
  const start = performance.now();
  paintOverview();
  paintTracks();
  paintMeters();
  frames.last = performance.now() - start;
  frames.painted++;
  frames.took[frames.painted % FRAMES_KEPT] = frames.last;
  clearTimeout(summaryTimer);
  summaryTimer = setTimeout(summarise, 120);
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5,
  108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5];

// Distance of two ticks: round, and wide enough for their labels.
function tickStep() {
  const least = (view.to - view.from) / plotWidth() * 96;
  return STEPS.find(step => step >= least) ?? STEPS.at(-1);
}

// Ticks at round local times.
function ticks() {
  const step = tickStep();
  const zone = new Date(data.startMs).getTimezoneOffset() * 60_000;
  const shift = (data.startMs - zone) % step;
  const found = [];
  for (let at = Math.ceil((view.from + shift) / step) * step - shift; at <= view.to; at += step) found.push(at);
  return { step, found };
}

function paintCursor(g, top, height) {
  if (view.cursor === null) return;
  const x = Math.round(xOf(view.cursor)) + 0.5;
  if (x < LABELS || x > view.width - SCROLLBAR) return;
  g.strokeStyle = color.faint;
  g.lineWidth = 1;
  line(g, x, top, x, height);
}
