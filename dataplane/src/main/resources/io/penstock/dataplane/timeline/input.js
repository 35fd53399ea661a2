// Pointer, wheel and keys.
const DRAG_FROM = 4, WHEEL_ZOOM = 0.0016, KEY_ZOOM = 0.72, KEY_PAN = 0.14, KEY_SCROLL = 60;
let drag = null;

function localPoint(event, canvas) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function point(x, y, event) {
  view.pointerY = Math.max(RULER, y);
  view.cursor = x >= LABELS && x <= view.width - SCROLLBAR ? msAt(x) : null;
  if (!card.classList.contains("pinned") && !drag) {
    const row = y >= RULER ? rowAt(y - RULER + view.y) : -1;
    view.hover = hit(x, y) ?? (x < LABELS && row >= 0 ? { track: model.rows[row], kind: -1, index: -1 } : null);
    if (view.hover && (view.hover.kind >= 0 || x < LABELS)) showCard(view.hover, event.clientX, event.clientY);
    else hideCard();
  }
  repaint();
}

function dragTo(x, y) {
  drag.moved ||= Math.hypot(x - drag.x, y - drag.y) >= DRAG_FROM;
  if (!drag.moved) return;
  if (!drag.bar) hideCard();
  if (drag.bar) {
    scrollTo(drag.top + (y - drag.y) * scrollbar().scale);
  } else if (drag.brush) {
    view.brush = [drag.ms, msAt(Math.max(LABELS, x))];
    repaint();
  } else {
    const perPixel = (drag.to - drag.from) / plotWidth();
    show(drag.from - (x - drag.x) * perPixel, drag.to - (x - drag.x) * perPixel);
    // By steps: rows that come and go with the time move the view, too.
    scrollTo(view.y - (y - drag.lastY));
    drag.lastY = y;
  }
}

function press(event, canvas) {
  const { x, y } = localPoint(event, canvas);
  stopGliding();
  canvas.setPointerCapture(event.pointerId);
  canvas.focus();
  drag = { x, y, from: view.from, to: view.to, top: view.y, lastY: y, ms: msAt(x), moved: false,
    brush: event.shiftKey && x >= LABELS, bar: x > view.width - SCROLLBAR };
}

function release(event, canvas) {
  if (!drag) return;
  const { x, y } = localPoint(event, canvas), done = drag;
  drag = null;
  if (done.brush && view.brush && done.moved) glide(Math.min(...view.brush), Math.max(...view.brush));
  else if (!done.moved && !done.bar) click(x, y, event);
  view.brush = null;
  repaint();
}

function click(x, y, event) {
  const row = y >= RULER ? rowAt(y - RULER + view.y) : -1;
  if (card.classList.contains("pinned")) hideCard();
  if (row < 0) {
    view.selected = -1;
    return;
  }
  const index = model.rows[row], track = model.tracks[index];
  if (x < 16 + Math.min(track.depth, 5) * 13 + 12 && track.children > 0) {
    track.open = !track.open;
    listRows();
    scrollTo(view.y);
    return;
  }
  view.selected = index;
  const what = hit(x, y) ?? { track: index, kind: -1, index: -1 };
  if (what.kind >= 0 || x < LABELS) {
    showCard(what, event.clientX, event.clientY);
    card.classList.add("pinned");
  }
}

function wheel(event, canvas) {
  event.preventDefault();
  stopGliding();
  const { x } = localPoint(event, canvas), unit = event.deltaMode === 1 ? 24 : 1;
  const perPixel = (view.to - view.from) / plotWidth();
  if (canvas.id === "tracks" && x < LABELS) scrollTo(view.y + event.deltaY * unit);
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX * unit * perPixel);
  else if (event.shiftKey) pan(event.deltaY * unit * perPixel);
  else zoom(Math.exp(event.deltaY * unit * WHEEL_ZOOM), Math.max(LABELS, x));
  point(x, canvas.id === "tracks" ? localPoint(event, canvas).y : 0, event);
}

const middle = () => view.cursor === null ? LABELS + plotWidth() / 2 : xOf(view.cursor);
const some = () => (view.to - view.from) * KEY_PAN;
const page = () => view.height - RULER - LANE;
const KEYS = {
  "+": () => zoom(KEY_ZOOM, middle()), "=": () => zoom(KEY_ZOOM, middle()), w: () => zoom(KEY_ZOOM, middle()),
  "-": () => zoom(1 / KEY_ZOOM, middle()), s: () => zoom(1 / KEY_ZOOM, middle()),
  ArrowLeft: () => pan(-some()), a: () => pan(-some()), ArrowRight: () => pan(some()), d: () => pan(some()),
  ArrowUp: () => scrollTo(view.y - KEY_SCROLL), ArrowDown: () => scrollTo(view.y + KEY_SCROLL),
  PageUp: () => scrollTo(view.y - page()), PageDown: () => scrollTo(view.y + page()),
  Home: () => scrollTo(0), End: () => scrollTo(model.height),
  0: fit, f: fit, "/": () => searchBox.select(), n: () => step(1), p: () => step(-1), v: toggleActive, t: toggleTheme,
  "?": () => help.hidden = !help.hidden,
  Escape: () => { hideCard(); help.hidden = true; clearSearch(); },
};

function listen() {
  const tracks = document.getElementById("tracks"), meters = document.getElementById("meters");
  for (const canvas of [tracks, meters]) {
    canvas.addEventListener("pointerdown", event => { if (event.button === 0) press(event, canvas); });
    canvas.addEventListener("pointerup", event => release(event, canvas));
    canvas.addEventListener("pointercancel", () => { drag = null; view.brush = null; });
    canvas.addEventListener("wheel", event => wheel(event, canvas), { passive: false });
    canvas.addEventListener("pointerleave", () => {
      view.cursor = null;
      view.hover = null;
      if (!card.classList.contains("pinned")) hideCard();
      repaint();
    });
    canvas.addEventListener("pointermove", event => {
      const { x, y } = localPoint(event, canvas);
      if (drag) dragTo(x, canvas === tracks ? y : drag.lastY);
      point(x, canvas === tracks ? y : 0, event);
    });
  }
  tracks.addEventListener("dblclick", event => {
    const row = rowAt(localPoint(event, tracks).y - RULER + view.y);
    hideCard();
    if (row >= 0) reveal(model.rows[row]);
  });
  listenToOverview(document.getElementById("overview"));
  addEventListener("keydown", event => {
    const action = KEYS[event.key];
    if (event.target === searchBox || event.ctrlKey || event.metaKey || event.altKey || !action) return;
    event.preventDefault();
    action();
  });
}

function listenToOverview(canvas) {
  let began = null;
  const at = event => overviewMs(localPoint(event, canvas).x);
  canvas.addEventListener("pointerdown", event => {
    stopGliding();
    canvas.setPointerCapture(event.pointerId);
    const ms = at(event), inside = ms > view.from && ms < view.to && view.to - view.from < wholeSpan() * 0.98;
    began = { ms, inside, from: view.from, to: view.to };
  });
  canvas.addEventListener("pointermove", event => {
    if (!began) return;
    const ms = at(event), by = ms - began.ms;
    if (began.inside) show(began.from + by, began.to + by);
    else if (Math.abs(overviewX(ms) - overviewX(began.ms)) > DRAG_FROM) show(Math.min(ms, began.ms), Math.max(ms, began.ms));
  });
  canvas.addEventListener("pointerup", event => {
    const ms = at(event), half = (view.to - view.from) / 2;
    if (began && !began.inside && Math.abs(overviewX(ms) - overviewX(began.ms)) <= DRAG_FROM) glide(ms - half, ms + half);
    began = null;
  });
}
