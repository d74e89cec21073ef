// Charts in a page: the values under the pointer, and the gestures and keys that ask for other days.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, attributes = {}, ...children) => {
  const isSVG = ["line", "rect", "text"].includes(name);
  const element = isSVG ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const later = (wait, body) => { let timer; return (...values) => { clearTimeout(timer); timer = setTimeout(() => body(...values), wait); }; };

/**
 * Makes a figure tell its values. `show(low, high, chart)`, if there is one, is asked for other days: for those from an edge of a bar
 * to another one, in bars from the left, which may lie beyond the ends. `wait` is how many milliseconds of the wheel are one request.
 */
function prepareChart(figure, show, wait) {
  if (figure.dataset.ready) return;
  figure.dataset.ready = "yes";
  const data = JSON.parse($("script", figure).textContent), readout = $("#readout", figure);
  if (!data.days?.length) return;
  // The last bar may have fewer days than the others. What is shown is from one bar's edge to another's too.
  const count = data.days.length, total = data.rowCount / data.rowsPerBar;
  const view = { low: 0, high: total }, width = () => view.high - view.low;
  let at = null, drag = null;
  const shown = () => $$("svg.quoin-chart", figure).find(svg => svg.getBoundingClientRect().width > 0);
  const plotOf = svg => data.plots[svg.classList.contains("narrow") ? 1 : 0];
  const clamp = (low, value, high) => Math.max(low, Math.min(high, value));
  const placeOf = (plot, bar) => plot.x + plot.width * clamp(0, (bar - view.low) / width(), 1);

  /** Where a pointer is, in bars from the left, perhaps beside the chart. */
  function barAt(event) {
    const svg = shown(), plot = plotOf(svg), box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    return view.low + (x - plot.x) / plot.width * width();
  }

  function point(bar) {
    at = clamp(view.low, Math.floor(bar), Math.ceil(view.high) - 1);
    readout.replaceChildren(make("b", {}, data.days[at]), ...data.series.map(each => make("span", {}, `${each.name} ${each.values[at]}`)));
    const svg = shown(), plot = plotOf(svg);
    let line = $(".cross", svg);
    if (!line) svg.append(line = make("line", { class: "cross" }));
    const x = placeOf(plot, Math.min(at + 0.5, total - 0.5 / data.rowsPerBar));
    for (const [name, value] of [["x1", x], ["x2", x], ["y1", plot.y], ["y2", plot.bottom]]) line.setAttribute(name, value);
  }

  function clear() {
    at = null;
    $$(".cross", figure).forEach(each => each.remove());
    readout.replaceChildren();
  }

  function go(low, high) {
    show(low, high, { figure, data, view, total });
    if (at !== null) point(at);
  }

  function zoom(center, factor) {
    const next = Math.max(4 / data.rowsPerBar, width() * factor), share = (center - view.low) / width();
    go(center - next * share, center + next * (1 - share));
  }

  const pan = bars => go(view.low + bars, view.high + bars);

  let pendingZoom = 1;
  const zoomSoon = later(wait, center => { const factor = pendingZoom; pendingZoom = 1; zoom(center, factor); });

  figure.addEventListener("pointermove", event => {
    if (!event.target.closest("svg")) return;
    const bar = barAt(event);
    point(bar);
    if (!drag || drag.moves) return;
    const svg = shown(), plot = plotOf(svg);
    let box = $(".zoom", svg);
    if (!box) svg.append(box = make("rect", { class: "zoom" }));
    const [left, right] = [drag.start, bar].map(each => placeOf(plot, each)).sort((a, b) => a - b);
    for (const [name, value] of [["x", left], ["y", plot.y], ["width", right - left], ["height", plot.bottom - plot.y]]) box.setAttribute(name, value);
  });
  figure.addEventListener("pointerleave", () => { if (!drag) clear(); });
  figure.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const middle = at === null ? (view.low + view.high) / 2 : at + 0.5;
    if (step && !event.shiftKey) point((at ?? (step > 0 ? view.low - 1 : view.high)) + step);
    else if (event.key === "Escape") clear();
    else if (!show) return;
    else if (step) pan(step * width() / 4);
    else if (event.key === "+" || event.key === "=") zoom(middle, 0.5);
    else if (event.key === "-") zoom(middle, 2);
    else if (event.key === "Home") go(-Infinity, Infinity);
    else return;
    event.preventDefault();
  });

  if (!show) return;
  figure.addEventListener("pointerdown", event => {
    if (event.button || event.pointerType === "touch" || !event.target.closest("svg")) return;
    drag = { start: barAt(event), moves: event.shiftKey };
    figure.setPointerCapture(event.pointerId);
    event.preventDefault();
    figure.focus({ preventScroll: true });
  });
  figure.addEventListener("pointerup", event => {
    if (!drag) return;
    const { start, moves } = drag, end = barAt(event);
    drag = null;
    $$(".zoom", figure).forEach(each => each.remove());
    if (Math.abs(end - start) < Math.max(0.5, width() / 200)) return;
    if (moves) pan(start - end);
    else go(Math.max(view.low, Math.min(start, end)), Math.min(view.high, Math.max(start, end)));
  });
  figure.addEventListener("wheel", event => {
    if (!event.target.closest("svg") || event.ctrlKey) return;
    event.preventDefault();
    pendingZoom *= event.deltaY > 0 ? 1.25 : 0.8;
    zoomSoon(barAt(event));
  }, { passive: false });
}

