// Makes the page quicker to use. Without it everything works too: every state is an address, and the server draws it.
{
  document.documentElement.classList.add("has-script");

  // Addresses. A link or a form of this server is fetched, and its main part takes the place of the one that is shown.

  let fetching = null, typed = null;

  function isOurs(url) {
    return url.origin === location.origin && !url.pathname.startsWith("/api/") && !/\.(svg|json)$/.test(url.pathname);
  }

  /** Shows an address, in place of what is on its way and of the form that is being typed in. `history` is "push", "replace" or null; `keeps` says whether the focus and the place stay. */
  async function show(address, history = "push", keeps = false) {
    fetching?.abort();
    typed = null;
    const request = (fetching = new AbortController());
    const progress = startProgress(request);
    try {
      const response = await fetch(address, { signal: request.signal, headers: { accept: "text/html" } });
      const text = await response.text();
      if (request.signal.aborted) return;
      // A form can't say what to leave out, and an empty value means the same as none.
      place(new DOMParser().parseFromString(text, "text/html"), keeps);
      const hash = new URL(address, location.href).hash, part = hash && document.getElementById(hash.slice(1));
      const shown = response.url + (part ? hash : "");
      if (history === "push") window.history.pushState(null, "", shown);
      if (history === "replace") window.history.replaceState(null, "", shown);
      if (keeps) return;
      if (part) part.scrollIntoView();
      else scrollTo(0, 0);
      (part || $("main")).focus({ preventScroll: true });
    } catch (error) {
      if (error.name !== "AbortError") complain("The server can't be reached. Is it still running?");
    } finally {
      progress.end();
      if (fetching === request) fetching = null;
    }
  }

  function place(page, keeps) {
    const focused = keeps && document.activeElement;
    const mark = focused && (focused.id ? "#" + CSS.escape(focused.id) : focused.name && `[name="${CSS.escape(focused.name)}"]`);
    const caret = focused && focused.selectionStart != null ? [focused.selectionStart, focused.selectionEnd] : null;
    const typed = focused && "value" in focused ? focused.value : null;
    document.title = page.title;
    for (const selector of ["header nav", "main", "footer"]) {
      const next = $(selector, page);
      if (next) $(selector).replaceWith(document.adoptNode(next));
    }
    const form = $("#sign-out", page);
    if (form && !$("#sign-out")) $("header").append(document.adoptNode(form));
    if (!form) $("#sign-out")?.remove();
    const again = mark && $(mark);
    if (again) {
      if (typed != null && again.type !== "checkbox" && again.tagName !== "SELECT" && again.tagName !== "BUTTON") again.value = typed;
      again.focus({ preventScroll: true });
      try { if (caret) again.setSelectionRange(...caret); } catch { /* numbers have no caret */ }
    }
    $("#newer").replaceChildren();
    prepare();
  }

  function complain(sentence) {
    $("#error")?.remove();
    $("h1").after(make("div", { id: "error", role: "alert" }, make("p", {}, sentence)));
  }

  /** After half a second, says for how long it has been looking, and lets the reader stop it. */
  function startProgress(request) {
    const box = $("#progress"), start = performance.now(), time = make("span");
    const stop = make("button", { type: "button" }, "Stop");
    stop.addEventListener("click", () => request.abort());
    const timer = setInterval(() => {
      const seconds = (performance.now() - start) / 1000;
      if (seconds < 0.5) return;
      time.textContent = `Looking, ${seconds.toFixed(1)} s `;
      if (!box.contains(stop)) box.replaceChildren(time, stop);
    }, 100);
    return { end() { clearInterval(timer); if (box.contains(stop)) box.replaceChildren(); } };
  }

  function addressOf(form, submitter) {
    const url = new URL(form.action, location.href), query = new URLSearchParams();
    for (const [name, value] of new FormData(form, submitter)) if (value !== "") query.append(name, value);
    url.search = query;
    return url;
  }

  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href, location.href);
    if (link.hasAttribute("download") || link.target || !isOurs(url) || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    show(url);
  });

  document.addEventListener("submit", event => {
    const form = event.target;
    if (form.method !== "get" || event.defaultPrevented) return;
    event.preventDefault();
    show(addressOf(form, event.submitter));
  });

  // Files that are dropped on the page of imports are looked at, and so is another choice.

  for (const type of ["dragover", "drop"]) document.addEventListener(type, event => {
    const input = $("#files");
    if (!input || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (type === "dragover" || !event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    input.form.requestSubmit();
  });

  document.addEventListener("change", event => {
    if (event.target.matches?.("#options select, #options [type=checkbox], #files")) event.target.form.requestSubmit();
  });

  addEventListener("popstate", () => show(location.href, null));

  // Search as you type, unless something else is asked for meanwhile.

  const search = later(120, () => { if (typed) show(addressOf(typed), "replace", true); });

  // Live counts. One question at a time: the newest one follows the one that is being answered.

  let counting = null, counted = null;

  async function count(form) {
    if (counting) { counted = form; return; }
    counting = new AbortController();
    counted = null;
    const query = new URLSearchParams(), conditions = [];
    for (const [name, value] of new FormData(form)) {
      if (value === "") continue;
      const [, attribute, end] = name.match(/^(.+)\.(min|max)$/) ?? [];
      if (attribute) conditions.push(`${attribute} ${end === "min" ? ">=" : "<="} ${value}`);
      else if (["tickers", "from", "to"].includes(name)) query.append(name, value);
    }
    if (conditions.length) query.append("where", conditions.join(" and "));
    try {
      const response = await fetch("/api/v1/count?" + query, { signal: counting.signal, headers: { accept: "application/json" } });
      const answer = await response.json();
      const output = $("#count");
      if (output && form.isConnected) {
        output.textContent = response.ok
          ? `${answer[0].rows.toLocaleString("en")} day${answer[0].rows === 1 ? "" : "s"}` : answer.quandl_error.message;
      }
    } catch { /* the next change asks again */ }
    counting = null;
    if (counted?.isConnected) count(counted);
  }

  document.addEventListener("input", event => {
    const form = event.target.form;
    if (form?.id === "search") {
      typed = form;
      search();
    }
    if (form?.matches("[data-live]")) {
      followNumbers(event.target);
      count(form);
      note(form);
    }
    if (event.target.dataset.completes) complete(event.target);
  });

  document.addEventListener("change", event => {
    const form = event.target.form;
    if (form?.id === "view" && event.target.matches("select, [type=checkbox], [type=date]")) {
      if (event.target.type === "date") $("[name=range]", form)?.remove();
      show(addressOf(form), "push", true);
    }
  });

  /** The address is that of what is typed, so that it can be copied. What was found before stays until it is asked for. */
  const note = later(300, form => {
    if (!form.isConnected) return;
    const url = addressOf(form);
    url.hash = "";
    history.replaceState(null, "", url);
  });

  // Sliders: two for each attribute, on the edges of its distribution.

  function prepareRanges() {
    for (const box of $$("[data-attribute]")) {
      if ($(".slide", box)) continue;
      const edges = JSON.parse(box.dataset.edges), name = box.dataset.attribute;
      if (edges.length < 2) continue;
      const slide = make("div", { class: "slide" });
      for (const [end, label] of [["min", "at least"], ["max", "at most"]]) {
        const input = make("input", { type: "range", min: 0, max: edges.length - 1, step: 1, "aria-label": `${name} ${label}, as a slider`, "data-end": end });
        input.addEventListener("input", () => {
          const [low, high] = $$("input", slide).map(each => Number(each.value));
          if (low > high) input.value = end === "min" ? high : low;
          const at = Number(input.value), isOpen = at === (end === "min" ? 0 : edges.length - 1);
          $(`[name="${name}.${end}"]`, box).value = isOpen ? "" : String(edges[at]);
          say(input, isOpen ? "open" : String(edges[at]));
          paint(box, edges);
        });
        slide.append(input);
      }
      $(".distribution", box).after(slide);
      followNumbers($("input[type=number]", box));
    }
  }

  const say = (input, text) => input.setAttribute("aria-valuetext", text);

  /** Moves the sliders to the numbers of their fields. */
  function followNumbers(input) {
    const box = input.closest("[data-attribute]");
    if (!box || input.type === "range") return;
    const edges = JSON.parse(box.dataset.edges);
    for (const slider of $$("input[type=range]", box)) {
      const end = slider.dataset.end, text = $(`[name="${box.dataset.attribute}.${end}"]`, box).value, value = Number(text);
      let at = end === "min" ? 0 : edges.length - 1;
      if (text !== "") at = edges.reduce((best, edge, index) => Math.abs(edge - value) < Math.abs(edges[best] - value) ? index : best, 0);
      slider.value = at;
      say(slider, text === "" ? "open" : text);
    }
    paint(box, edges);
  }

  /** Shows which part of the distribution lies inside. */
  function paint(box, edges) {
    const sliders = $$("input[type=range]", box);
    if (sliders.length < 2) return;
    const [low, high] = sliders.map(each => Number(each.value));
    const bars = ($(".outside", box).getAttribute("d") + $(".inside", box).getAttribute("d")).split(/(?=M)/).filter(Boolean);
    const width = 200 / (edges.length - 1);
    const isInside = bar => { const at = Math.round(parseFloat(bar.slice(1)) / width); return at >= low && at < high; };
    $(".inside", box).setAttribute("d", bars.filter(isInside).join(""));
    $(".outside", box).setAttribute("d", bars.filter(bar => !isInside(bar)).join(""));
  }

  // The chart's other days. The server draws them; this only says which.

  const showDays = later(60, (low, high, { data, total }) => {
    const first = Math.round(low), last = Math.abs(high - total) < 1e-6 ? data.days.length - 1 : Math.max(first, Math.round(high) - 1);
    const [from, to] = [dayAt(data, first), dayAt(data, last, true)];
    const isAll = low === -Infinity || from <= data.firstDay && to >= data.lastDay;
    const url = new URL(location.href);
    for (const name of ["range", "page", "from", "to"]) url.searchParams.delete(name);
    if (isAll) url.searchParams.set("range", "max");
    else { url.searchParams.set("from", from < data.firstDay ? data.firstDay : from); url.searchParams.set("to", to > data.lastDay ? data.lastDay : to); }
    show(url, "push", true);
  });

  /** The first or last day of a bar. Beyond the ends days are reckoned: 252 rows are about 365 of them. */
  function dayAt(data, bar, isLast) {
    const inside = Math.max(0, Math.min(data.days.length - 1, bar)), day = isLast ? data.days[inside].slice(-10) : data.days[inside].slice(0, 10);
    if (inside === bar || !Number.isFinite(bar)) return day;
    const far = new Date(day + "T00:00:00Z");
    far.setUTCDate(far.getUTCDate() + Math.max(-3e5, Math.min(3e5, Math.round((bar - inside) * data.rowsPerBar * data.daysPerRow))));
    return far.toISOString().slice(0, 10);
  }

  function prepareFigure() {
    const figure = $("#chart");
    if (figure) prepareChart(figure, "movable" in figure.dataset ? showDays : null, 120);
  }

  // Completion of names in expressions.

  let open = null;

  function close() {
    if (!open) return;
    open.list.remove();
    open.input.removeAttribute("aria-activedescendant");
    open.input.setAttribute("aria-expanded", "false");
    open = null;
  }

  function complete(input) {
    close();
    const words = JSON.parse($("#words")?.textContent ?? "{}")[input.dataset.completes];
    const before = input.value.slice(0, input.selectionStart), start = before.match(/[A-Za-z_][A-Za-z_0-9]*$/)?.[0];
    // After "as" comes a name that nobody knows.
    if (!words || !start || /\bas\s+\w*$/i.test(before)) return;
    const fits = words.filter(word => word.startsWith(start.toLowerCase()) && word !== start).slice(0, 30);
    if (!fits.length) return;
    const list = make("ul", { id: "completions", role: "listbox", "aria-label": "Names that fit" });
    fits.forEach((word, index) => {
      const item = make("li", { role: "option", id: `completion-${index}`, "aria-selected": "false" }, word);
      item.addEventListener("pointerdown", event => { event.preventDefault(); take(index); });
      list.append(item);
    });
    input.parentElement.classList.add("completed");
    input.after(list);
    input.setAttribute("aria-expanded", "true");
    open = { input, list, start, fits, chosen: -1 };
  }

  function choose(index) {
    open.chosen = (index + open.fits.length) % open.fits.length;
    [...open.list.children].forEach((item, each) => item.setAttribute("aria-selected", String(each === open.chosen)));
    open.list.children[open.chosen].scrollIntoView({ block: "nearest" });
    open.input.setAttribute("aria-activedescendant", `completion-${open.chosen}`);
  }

  function take(index) {
    const { input, start, fits } = open, word = fits[index], end = input.selectionStart;
    input.value = input.value.slice(0, end - start.length) + word + input.value.slice(end);
    input.setSelectionRange(end - start.length + word.length, end - start.length + word.length);
    close();
  }

  document.addEventListener("keydown", event => {
    if (!open || event.target !== open.input) return;
    if (event.key === "ArrowDown") choose(open.chosen + 1);
    else if (event.key === "ArrowUp") choose(open.chosen - 1);
    else if ((event.key === "Enter" || event.key === "Tab") && open.chosen >= 0) take(open.chosen);
    else if (event.key === "Tab" && open.fits.length === 1) take(0);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("focusout", event => { if (open && event.target === open.input) close(); });

  function prepareCompletion() {
    if (!$("#words")) return;
    for (const input of $$("[data-completes]")) {
      for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", "completions"]]) input.setAttribute(name, value);
      input.autocomplete = "off";
    }
  }

  // Copying.

  function prepareCopies() {
    for (const code of $$("code[data-copy]")) {
      const button = make("button", { type: "button", class: "plain" }, "Copy");
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      code.parentElement.before(button);
    }
  }

  // Newer data. Only a page that is seen listens, because a browser has few connections for each server.

  let events = null;

  function listen() {
    if (document.hidden) { events?.close(); events = null; return; }
    if (events || location.pathname === "/sign-in") return;
    events = new EventSource("/events");
    events.addEventListener("commit", event => {
      if (event.data === $("main").dataset.generation || !$("main").dataset.generation) return;
      const link = make("a", { href: location.href }, "Newer data: show it");
      link.addEventListener("click", event => { event.preventDefault(); show(location.href, "replace", true); });
      $("#newer").replaceChildren(link);
    });
  }

  document.addEventListener("visibilitychange", listen);

  function prepare() {
    prepareRanges();
    prepareFigure();
    prepareCompletion();
    prepareCopies();
    listen();
  }

  prepare();
}
