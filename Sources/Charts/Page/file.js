// A chart in a file has all its days. To show some of them, its panels are stretched from left to right.
const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// How far apart days with labels are: days, weeks, and numbers of months.
const paces = [day => day, day => Math.floor((Date.parse(day) / 864e5 + 3) / 7)].concat(
  [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200].map(count => day => Math.floor((day.slice(0, 4) * 12 + Number(day.slice(5, 7)) - 1) / count)));

/** The days of an axis that have labels, and where their bars begin. What says more has precedence where two collide. */
function ticks(days, room) {
  let found, pace;
  for (pace = 0; pace < paces.length; pace += 1) {
    found = days.filter((each, index) => !index || paces[pace](each.day) !== paces[pace](days[index - 1].day));
    if (found.length <= room) break;
  }
  return found.map(({ bar, day }, index) => {
    const [year, month, number] = day.split("-").map(Number), before = found[index - 1]?.day ?? "";
    const name = monthNames[month - 1];
    if (!index) return { bar, rank: 1, text: pace < 2 ? `${number} ${name} ${year}` : pace < 5 ? `${name} ${year}` : `${year}` };
    if (before.slice(0, 4) !== day.slice(0, 4)) return { bar, rank: 0, text: `${year}` };
    return before.slice(0, 7) === day.slice(0, 7) ? { bar, rank: 3, text: `${number}` } : { bar, rank: 2, text: name };
  }).sort((a, b) => a.rank - b.rank);
}

/** Draws a part of a picture, which is whole before. */
function stretch(svg, plot, { data, view, total }) {
  const bars = view.high - view.low, letter = 7, limit = svg.viewBox.baseVal.width - plot.x;
  const placeOf = bar => plot.x + (bar - view.low) / bars * plot.width;
  // A bar of its own for each day, once there is room.
  svg.classList.toggle("detailed", bars * 3 <= plot.width);
  const days = data.days.map((name, bar) => ({ bar, day: name.slice(0, 10) })).filter(({ bar }) => bar >= view.low && bar < view.high);
  const kept = [];
  for (const tick of ticks(days, (limit - plot.x) / letter / 8)) {
    const x = placeOf(tick.bar + 0.5 / data.rowsPerBar), half = tick.text.length * letter / 2;
    const label = Math.max(plot.x + half, Math.min(limit - half, x));
    if (kept.every(each => Math.abs(each.label - label) >= each.half + half + letter)) kept.push({ x, label, half, text: tick.text });
  }
  for (const panel of $$(".plot", svg)) {
    const { x, y, width, height } = panel.viewBox.baseVal;
    panel.setAttribute("viewBox", `${x + view.low / total * width} ${y} ${bars / total * width} ${height}`);
    $(".days", panel.parentNode).setAttribute("d", kept.map(each => `M${Math.floor(each.x) + 0.5} ${y}v${height}`).join(""));
  }
  const labels = $$(".day", svg), y = labels[0]?.getAttribute("y") ?? plot.bottom;
  const next = kept.map(each => make("text", { class: "label middle day", x: each.label, y }, each.text));
  if (labels.length) labels[0].before(...next); else svg.append(...next);
  labels.forEach(each => each.remove());
  for (const mark of $$("[data-share]", svg)) {
    const share = Number(mark.dataset.share), bar = share * total, move = placeOf(bar) - plot.x - share * plot.width;
    if (bar < view.low || bar > view.high) mark.remove(); else mark.setAttribute("transform", `translate(${move} 0)`);
  }
  // The picture's last values aren't those of the days that are shown.
  const subtitle = $(".subtitle", svg);
  subtitle.textContent = subtitle.textContent.replace(/^[\d-]+( to [\d-]+)?/, namedDays(data, view)).replace(/close \S+$/, "close");
  for (const caption of $$(".caption", svg)) {
    const name = caption.textContent.slice(0, caption.textContent.lastIndexOf(" ")), series = data.series.find(each => each.name === name);
    if (series) caption.textContent = `${name} ${series.values[days.at(-1).bar]}`;
  }
}

/** The days that are shown: `2005-01-03 to 2005-06-30`. */
function namedDays(data, view) {
  const first = data.days[view.low].slice(0, 10), last = data.days[Math.ceil(view.high) - 1].slice(-10);
  return first === last ? first : `${first} to ${last}`;
}

for (const figure of $$("figure[data-movable]")) {
  const pictures = $$("svg.quoin-chart", figure), wholes = pictures.map(svg => svg.cloneNode(true));
  prepareChart(figure, (low, high, chart) => {
    // Whole bars, two at least.
    const { view, total } = chart, count = chart.data.days.length, width = Math.min(count, Math.max(2, Math.round(high - low)));
    view.low = Math.max(0, Math.min(count - width, Math.round(low)));
    view.high = Math.min(total, view.low + width);
    figure.classList.toggle("stretched", width < count);
    pictures.forEach((svg, index) => {
      svg.replaceChildren(...wholes[index].cloneNode(true).childNodes);
      svg.classList.remove("detailed");
      if (width < count) stretch(svg, chart.data.plots[index], chart);
    });
    $("#readout").replaceChildren(make("span", {}, namedDays(chart.data, view)));
  }, 0);
  figure.append(make("p", { class: "help" }, "Drag to zoom, turn the wheel to zoom, drag with Shift to move. With keys: left and right move the line, with Shift they move the days; + and - zoom; Home shows all."));
}
