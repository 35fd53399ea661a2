// The strip on top: load over all of the time, and which part is shown.
let profile = null, profileWidth = 0;

const overviewX = ms => LABELS + (ms + margin()) / (wholeSpan() + 2 * margin()) * plotWidth();
const overviewMs = x => (x - LABELS) / plotWidth() * (wholeSpan() + 2 * margin()) - margin();

function loadProfile() {
  const width = Math.ceil(plotWidth());
  if (profileWidth !== width) {
    profile = Float32Array.from({ length: width }, (_, k) => inFlight(overviewMs(LABELS + k)));
    profileWidth = width;
  }
  return profile;
}

function paintOverview() {
  const g = begin("overview");
  const height = view.overview, values = loadProfile();
  let most = 1;
  for (const value of values) most = Math.max(most, value);
  g.fillStyle = color.load;
  g.globalAlpha = 0.5;
  values.forEach((value, k) => {
    if (value > 0) {
      const tall = Math.max(1, (height - 10) * value / most);
      g.fillRect(LABELS + k, height - tall, 1, tall);
    }
  });
  g.globalAlpha = 1;
  const x0 = overviewX(view.from), x1 = Math.max(x0 + 2, overviewX(view.to));
  g.fillStyle = color.page;
  g.globalAlpha = 0.72;
  g.fillRect(LABELS, 0, x0 - LABELS, height);
  g.fillRect(x1, 0, view.width - x1, height);
  g.globalAlpha = 1;
  g.strokeStyle = color.accent;
  g.lineWidth = 1.5;
  g.strokeRect(x0 + 0.75, 1, x1 - x0 - 1.5, height - 2);
  g.fillStyle = color.ink;
  g.font = font.label;
  g.fillText(day(Math.max(0, view.from)), 16, 19);
  g.fillStyle = color.soft;
  g.font = font.small;
  const step = tickStep();
  g.fillText(`${clock(view.from, step)} to ${clock(view.to, step)}, ${duration(view.to - view.from)}`, 16, 35);
}
