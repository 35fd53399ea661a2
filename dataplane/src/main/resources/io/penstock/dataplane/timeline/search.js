// Sessions by name; also by the id of a request, by worker, model or tool.
const search = { matches: [], at: -1 };
const searchBox = document.getElementById("search"), searchCount = document.getElementById("found");

function matching(text) {
  const wanted = text.toLowerCase(), found = new Set();
  if (model.group === "workers") {
    model.tracks.forEach((track, i) => { if (track.name.toLowerCase().includes(wanted)) found.add(i); });
    return [...found];
  }
  data.sessions.forEach((name, i) => { if (name.toLowerCase().includes(wanted)) found.add(i); });
  if (found.size > 0) return [...found];
  const names = new Set();
  data.names.forEach((name, k) => { if (k > 0 && name.toLowerCase().includes(wanted)) names.add(k); });
  const ids = data.requestId(), clientIds = data.requestClientId();
  for (let i = 0; i < data.requests; i++) {
    if (names.has(data.requestWorker[i]) || names.has(data.requestModel[i]) || names.has(data.requestFinish[i])
      || ids[i].toLowerCase().startsWith(wanted) || clientIds[i].toLowerCase().startsWith(wanted)) {
      found.add(data.requestSession[i]);
    }
  }
  for (let i = 0; i < data.tools; i++) if (names.has(data.toolName[i])) found.add(data.toolSession[i]);
  return [...found].sort((a, b) => a - b);
}

function find(text) {
  search.matches = text.trim() ? matching(text.trim()) : [];
  search.at = -1;
  sayFound(text.trim());
}

function sayFound(text = searchBox.value.trim()) {
  const { matches, at } = search;
  searchCount.textContent = !text ? "" : matches.length === 0 ? "none" : at < 0 ? count(matches.length) : `${at + 1} of ${count(matches.length)}`;
}

function step(by) {
  const { matches } = search;
  if (matches.length === 0) return;
  search.at = search.at < 0 ? (by > 0 ? 0 : matches.length - 1) : (search.at + by + matches.length) % matches.length;
  sayFound();
  reveal(matches[search.at]);
}

function clearSearch() {
  searchBox.value = "";
  find("");
  view.selected = -1;
  searchBox.blur();
  repaint();
}

searchBox.addEventListener("input", () => find(searchBox.value));
searchBox.addEventListener("keydown", event => {
  if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  else if (event.key === "Escape") clearSearch();
  else return;
  event.preventDefault();
});
