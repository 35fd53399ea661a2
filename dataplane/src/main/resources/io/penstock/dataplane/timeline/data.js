// The data block: see Columns.java for its shape.
const TYPES = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u16: Uint16Array, u8: Uint8Array };

async function unpack(element) {
  const text = element.textContent;
  element.remove();
  const packed = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const data = { ...head };
  delete data.columns;
  for (const column of head.columns) {
    const at = 4 + length + column.at;
    data[column.name] = column.type === "text"
      ? lazyLines(new Uint8Array(bytes, at, column.count))
      : new TYPES[column.type](bytes, at, column.count);
  }
  data.requests = data.requestStart.length;
  data.tools = data.toolStart.length;
  data.gaps = data.gapStart.length;
  return data;
}

// Ids are looked at rarely: cut into lines when first asked for.
function lazyLines(bytes) {
  let lines;
  return () => lines ??= new TextDecoder().decode(bytes).split("\n");
}

// Tokens in cache: the engine's word, else the router's expectation, else -1.
function cachedTokens(i) {
  return data.requestCached[i] >= 0 ? data.requestCached[i] : data.requestPredicted[i];
}

// 0..1, or NaN.
function hitRate(i) {
  const cached = cachedTokens(i), input = data.requestInput[i];
  return cached < 0 || input <= 0 ? NaN : Math.min(1, cached / input);
}

const FAILED = new Set(["BROKEN", "REFUSED"]);

function failed(i) {
  return FAILED.has(data.names[data.requestOutcome[i]]) || data.requestStatus[i] >= 400;
}

function cancelled(i) {
  return data.names[data.requestOutcome[i]] === "CANCELLED";
}

// First index whose value is not below x, in a sorted column (or in order[from..to) of one).
function lowerBound(column, x, from = 0, to = column.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (column[middle] < x) from = middle + 1; else to = middle;
  }
  return from;
}
