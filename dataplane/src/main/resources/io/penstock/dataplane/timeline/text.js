const grouped = new Intl.NumberFormat("en-US");
const pad = (number, width = 2) => String(Math.floor(number)).padStart(width, "0");

function count(number) {
  return number < 0 ? "–" : grouped.format(number);
}

// 812, 48.2k, 1.9M
function brief(number) {
  if (number < 0) return "–";
  if (number < 1000) return String(Math.round(number));
  if (number < 1e6) return (number / 1e3).toFixed(number < 1e5 ? 1 : 0) + "k";
  if (number < 1e9) return (number / 1e6).toFixed(number < 1e8 ? 1 : 0) + "M";
  return (number / 1e9).toFixed(1) + "G";
}

function duration(ms) {
  if (!(ms >= 0)) return "–";
  if (ms < 10) return ms.toFixed(ms < 1 ? 2 : 1) + " ms";
  if (ms < 999.5) return Math.round(ms) + " ms";
  if (ms < 59_950) return (ms / 1000).toFixed(ms < 9_995 ? 2 : 1) + " s";
  if (ms < 3_599_500) return Math.floor(Math.round(ms / 1000) / 60) + " min " + Math.round(ms / 1000) % 60 + " s";
  return Math.floor(ms / 3_600_000) + " h " + Math.round(ms % 3_600_000 / 60_000) + " min";
}

function percent(share) {
  return Number.isNaN(share) ? "–" : (100 * share).toFixed(share > 0.995 && share < 1 ? 1 : share < 0.1 ? 1 : 0) + "%";
}

// Local time of a moment, ms since the first; as exact as the step asks for.
function clock(ms, step = 1000) {
  const time = new Date(data.startMs + ms);
  const minutes = pad(time.getHours()) + ":" + pad(time.getMinutes());
  if (step >= 60_000) return minutes;
  const seconds = minutes + ":" + pad(time.getSeconds());
  return step >= 1000 ? seconds : seconds + "." + pad(time.getMilliseconds(), 3);
}

function day(ms) {
  const time = new Date(data.startMs + ms);
  return time.getFullYear() + "-" + pad(time.getMonth() + 1) + "-" + pad(time.getDate());
}

// A name that fits: ids keep their beginning, paths of ids their end too.
function shortened(name) {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(name)) return name.slice(0, 13);
  return name.length > 24 ? name.slice(0, 23) + "…" : name;
}
