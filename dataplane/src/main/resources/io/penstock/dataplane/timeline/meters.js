// Underneath: hit rate, requests in flight, evictions if the journal knows any; and the overview above.
const BUCKET = 4, SMOOTH = 6;
const METER = 44, METER_PAD = 20;
let sortedEnds;

const hasEvictions = () => data.evictions.length > 0;
const metersHeight = () => METER_PAD + (hasEvictions() ? 3 : 2) * (METER + METER_PAD) - 8;

function prepareMeters() {
  sortedEnds = Float64Array.from(data.requestStart, (start, i) => start + data.requestTook[i]).sort();
  data.evictions = [];
  data.hintStart.forEach((at, i) => {
    if (data.names[data.hintAction[i]].includes("evict")) data.evictions.push({ at, blocks: Math.max(0, data.hintAmount[i]) });
  });
}

const inFlight = ms => lowerBound(data.requestStart, ms) - lowerBound(sortedEnds, ms);

// Cached and whole prompt tokens of the requests that began in each bucket of the view.
function hitBuckets(from, to, buckets) {
  const cached = new Float64Array(buckets), input = new Float64Array(buckets), requests = new Uint32Array(buckets);
  const scale = buckets / (to - from);
  const last = lowerBound(data.requestStart, to);
  for (let i = lowerBound(data.requestStart, from); i < last; i++) {
    const known = cachedTokens(i), tokens = data.requestInput[i];
    if (known < 0 || tokens <= 0) continue;
    const at = Math.min(buckets - 1, Math.floor((data.requestStart[i] - from) * scale));
    cached[at] += Math.min(known, tokens);
    input[at] += tokens;
    requests[at]++;
  }
  return { cached, input, requests };
}

function meterFrame(g, top, title, low, high) {
  g.strokeStyle = color.grid;
  g.lineWidth = 1;
  for (const y of [top + 0.5, top + METER + 0.5]) line(g, LABELS, y, view.width - SCROLLBAR, y);
  g.fillStyle = color.ink;
  g.font = font.label;
  g.textAlign = "left";
  g.fillText(title, 16, top + 14);
  g.font = font.small;
  g.fillStyle = color.faint;
  g.textAlign = "right";
  g.fillText(high, LABELS - 8, top + 8);
  g.fillText(low, LABELS - 8, top + METER);
  g.textAlign = "left";
}

function meterValue(g, top, text) {
  g.font = font.small;
  g.fillStyle = color.soft;
  g.fillText(text, 16, top + 30);
}

function paintMeters() {
  const g = begin("meters");
  const buckets = Math.max(1, Math.ceil(plotWidth() / BUCKET));
  const cursorBucket = view.cursor === null ? -1 : Math.floor((xOf(view.cursor) - LABELS) / BUCKET);
  g.save();
  paintHitRate(g, METER_PAD, buckets, cursorBucket);
  paintLoad(g, METER_PAD + METER + METER_PAD);
  if (hasEvictions()) paintEvictions(g, METER_PAD + 2 * (METER + METER_PAD), buckets);
  g.restore();
  paintCursor(g, 0, view.meters);
}

function paintHitRate(g, top, buckets, cursorBucket) {
  const { cached, input, requests } = hitBuckets(view.from, msAt(LABELS + buckets * BUCKET), buckets);
  meterFrame(g, top, "KV hit rate", "0", "100%");
  g.globalAlpha = 0.28;
  g.fillStyle = color.warm;
  for (let b = 0; b < buckets; b++) {
    if (input[b] > 0) {
      const height = METER * cached[b] / input[b];
      g.fillRect(LABELS + b * BUCKET, top + METER - height, BUCKET - 1, height);
    }
  }
  g.globalAlpha = 1;
  g.strokeStyle = color.warm;
  g.lineWidth = 1.5;
  g.lineJoin = "round";
  g.beginPath();
  let drawing = false, sumCached = 0, sumInput = 0;
  for (let b = -SMOOTH; b < buckets; b++) {
    const enters = b + SMOOTH, leaves = b - SMOOTH - 1;
    if (enters < buckets) { sumCached += cached[enters]; sumInput += input[enters]; }
    if (leaves >= 0) { sumCached -= cached[leaves]; sumInput -= input[leaves]; }
    if (b < 0) continue;
    if (sumInput < 0.5) { drawing = false; continue; }
    const x = LABELS + (b + 0.5) * BUCKET, y = top + METER * (1 - Math.min(1, sumCached / sumInput));
    if (drawing) g.lineTo(x, y); else g.moveTo(x, y);
    drawing = true;
  }
  g.stroke();
  const b = cursorBucket;
  if (b >= 0 && b < buckets) {
    meterValue(g, top, input[b] > 0 ? `${percent(cached[b] / input[b])} of ${brief(input[b])} tokens` : "no request here");
  }
}

function paintLoad(g, top) {
  const width = plotWidth();
  const values = new Float32Array(Math.ceil(width / 2));
  let most = 1;
  for (let k = 0; k < values.length; k++) {
    values[k] = inFlight(msAt(LABELS + 2 * k + 1));
    most = Math.max(most, values[k]);
  }
  meterFrame(g, top, "In flight", "0", String(most));
  g.fillStyle = color.load;
  g.globalAlpha = 0.55;
  g.beginPath();
  g.moveTo(LABELS, top + METER);
  values.forEach((value, k) => {
    const y = top + METER * (1 - value / most);
    g.lineTo(LABELS + 2 * k, y);
    g.lineTo(LABELS + 2 * k + 2, y);
  });
  g.lineTo(LABELS + 2 * values.length, top + METER);
  g.fill();
  g.globalAlpha = 1;
  if (view.cursor !== null) meterValue(g, top, count(inFlight(view.cursor)) + " requests");
}

function paintEvictions(g, top, buckets) {
  const blocks = new Float64Array(buckets);
  for (const { at, blocks: gone } of data.evictions) {
    const b = Math.floor((xOf(at) - LABELS) / BUCKET);
    if (b >= 0 && b < buckets) blocks[b] += gone;
  }
  const most = Math.max(1, ...blocks);
  meterFrame(g, top, "KV evictions", "0", brief(most));
  g.fillStyle = color.evict;
  blocks.forEach((gone, b) => {
    if (gone > 0) g.fillRect(LABELS + b * BUCKET, top + METER * (1 - gone / most), BUCKET - 1, METER * gone / most);
  });
}
