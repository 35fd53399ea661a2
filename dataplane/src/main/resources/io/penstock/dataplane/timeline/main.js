let data = null;
const help = document.getElementById("help"), root = document.documentElement;

function toggleActive() {
  model.activeOnly = !model.activeOnly;
  document.getElementById("active").setAttribute("aria-pressed", model.activeOnly);
  relistRows();
  scrollTo(view.y);
}

function setTheme(theme) {
  root.dataset.theme = theme;
  readColors();
  legend();
  if (data) repaint();
}

// The choice is kept where the browser lets a file keep anything.
function toggleTheme() {
  const theme = root.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("penstock-theme", theme); } catch { /* it then follows the system next time */ }
  setTheme(theme);
}

function keptTheme() {
  try { return localStorage.getItem("penstock-theme"); } catch { return null; }
}

function legend() {
  const list = document.getElementById("legend");
  list.replaceChildren(...[["Waiting", color.wait], ["Prefill, cached to cold", `linear-gradient(90deg, ${color.warm}, ${color.half}, ${color.cold})`],
    ["Decode", color.decode], ["Tool", color.tool], ["Failed", color.bad]].map(([name, fill]) => {
    const item = element("li"), swatch = element("i");
    swatch.style.background = fill;
    item.append(swatch, name);
    return item;
  }));
}

function quantile(sorted, share) {
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

// What is in view in numbers: the requests that began there.
function summarise() {
  let input = 0, known = 0, cached = 0, output = 0, bad = 0;
  const from = lowerBound(data.requestStart, view.from), to = lowerBound(data.requestStart, view.to);
  for (let i = from; i < to; i++) {
    input += Math.max(0, data.requestInput[i]);
    output += Math.max(0, data.requestOutput[i]);
    bad += failed(i) ? 1 : 0;
    if (cachedTokens(i) >= 0 && data.requestInput[i] > 0) {
      known += data.requestInput[i];
      cached += Math.min(cachedTokens(i), data.requestInput[i]);
    }
  }
  const first = data.requestFirst.slice(from, to).filter(ms => !Number.isNaN(ms)).sort();
  const parts = [[count(to - from), "requests"], [brief(input), "in"], [brief(output), "out"],
    [known > 0 ? percent(cached / known) : "–", "cached"], [duration(quantile(first, 0.5)), "TTFT p50"], [duration(quantile(first, 0.99)), "p99"]];
  if (bad > 0) parts.push([count(bad), "failed"]);
  document.getElementById("summary").replaceChildren(...parts.flatMap(([value, name], k) => {
    return [k > 0 ? " · " : "", element("b", value), " " + name];
  }));
}

async function start() {
  const began = performance.now();
  data = await unpack(document.getElementById("data"));
  prepareMeters();
  document.getElementById("source").textContent =
    `${data.source}: ${count(data.sessions.length)} agents, ${count(data.requests)} requests, ${count(data.tools)} tools, ${duration(data.spanMs)}`;
  document.title = "Timeline of " + data.source;
  root.style.setProperty("--meters", metersHeight() + "px");
  setTheme(keptTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  view.from = -margin();
  view.to = wholeSpan() + margin();
  setGroup("sessions");
  resize();
  listen();
  // Painted at once: a canvas is empty once its size is set.
  new ResizeObserver(() => { resize(); paint(); }).observe(document.getElementById("tracks"));
  document.getElementById("active").onclick = toggleActive;
  document.getElementById("fit").onclick = fit;
  document.getElementById("theme").onclick = toggleTheme;
  document.querySelectorAll("#group button").forEach(button => button.onclick = () => {
    document.querySelectorAll("#group button").forEach(other => other.setAttribute("aria-pressed", other === button));
    view.selected = -1;
    hideCard();
    setGroup(button.dataset.group);
    scrollTo(0);
  });
  paint();
  // For scripts that look at the page.
  window.penstock = { data, view, model, frames, loadMs: performance.now() - began, xOf, msAt, topOf, show, scrollTo, search };
}

start().catch(failure => {
  document.getElementById("source").textContent = "cannot be shown: " + failure.message;
  throw failure;
});
