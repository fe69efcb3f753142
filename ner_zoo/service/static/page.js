"use strict";
// The page: sends the text, shows the prediction, and filters it locally. All text reaches the page as text, or as HTML escaped by the
// service's renderer; scripts in it could not run anyway, because the page's policy only allows scripts of the service.
(function () {
  const $ = (id) => document.getElementById(id);
  const EXAMPLES = [
    ["People", "Ada Lovelace met Charles Babbage in London in June 1833. Years later Luigi Menabrea, an engineer from Turin, wrote about the engine, and she translated his paper."],
    ["Business", "Harbour Analytics, a start-up from Rotterdam, was bought by Meridian Systems of Osaka. Its founder Imke Visser will stay on and lead the team behind the Compass 2."],
    ["Social", "omg just saw @zadie_k at Kings Cross with the new Pixelbook!! 😍 #london http://example.com/pic"],
    ["Chinese", "张伟去年从北京大学毕业，现在在上海的一家银行工作。"],
  ];
  let prediction = null, threshold = 0, token = "", milliseconds = 0;
  const hiddenTypes = new Set();

  async function ask(path, body) {
    const headers = { "Content-Type": "application/json" };
    if (token) headers.Authorization = "Bearer " + token;
    const answer = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status === 401 && await askForToken()) return ask(path, body);
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      throw new Error(problem.error || "The service returned status " + answer.status + ".");
    }
    return answer;
  }

  function askForToken() {
    const dialog = $("token-dialog");
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
      const changed = $("token").value && $("token").value !== token;
      token = $("token").value;
      resolve(Boolean(changed));
    }, { once: true }));
  }

  function show(problem) {
    $("problem").hidden = !problem;
    $("problem").textContent = problem || "";
  }

  async function annotate() {
    const input = { text: $("text").value };
    if ($("model").value) input.model = $("model").value;
    $("submit").disabled = true;
    show("");
    try {
      const started = performance.now();
      prediction = await (await ask("predict", input)).json();
      milliseconds = Math.round(performance.now() - started);
      $("marked").innerHTML = await (await ask("render/fragment", prediction)).text();
      $("result").hidden = false;
      hiddenTypes.clear();
      prepareLegend();
      filter();
    } catch (problem) {
      show(problem.message);
    } finally {
      $("submit").disabled = false;
    }
  }

  const isShown = (type, score) => score >= threshold && !hiddenTypes.has(type);

  // What the threshold and the legend leave, with relations renumbered.
  function filtered() {
    const places = new Map();
    const entities = prediction.entities.filter((entity, number) => {
      const kept = isShown(entity.type, entity.score);
      if (kept) places.set(number, places.size);
      return kept;
    });
    const relations = prediction.relations
      .filter((relation) => relation.score >= threshold && places.has(relation.head) && places.has(relation.tail))
      .map((relation) => Object.assign({}, relation, { head: places.get(relation.head), tail: places.get(relation.tail) }));
    return Object.assign({}, prediction, { entities, relations });
  }

  function filter() {
    for (const mark of $("marked").querySelectorAll(".nz-e")) {
      mark.classList.toggle("nz-off", !isShown(mark.dataset.type, Number(mark.dataset.score)));
    }
    const shown = prediction.entities.map((entity) => isShown(entity.type, entity.score));
    for (const row of $("marked").querySelectorAll(".nz-relations tr")) {
      row.classList.toggle("nz-off", Number(row.dataset.score) < threshold || !shown[row.dataset.head] || !shown[row.dataset.tail]);
    }
    const left = filtered();
    for (const key of $("marked").querySelectorAll(".nz-key")) {
      const type = key.dataset.type;
      key.querySelector("b").textContent = prediction.entities.filter((entity) => entity.type === type && entity.score >= threshold).length;
      key.classList.toggle("nz-hidden", hiddenTypes.has(type));
      key.setAttribute("aria-pressed", String(!hiddenTypes.has(type)));
    }
    nerZooDrawArcs();
    const { text, entities, relations, ...rest } = left;
    $("json").textContent = pretty({ text, entities, relations, ...rest }, "");
    $("summary").textContent = [
      count(left.entities.length, "entity", "entities"),
      count(left.relations.length, "relation", "relations"),
      count(prediction.tokens.length, "token", "tokens"),
      milliseconds + " ms",
    ].join("  ·  ");
  }

  const count = (number, one, many) => number + " " + (number === 1 ? one : many);

  function prepareLegend() {
    for (const key of $("marked").querySelectorAll(".nz-key")) {
      key.tabIndex = 0;
      key.setAttribute("role", "button");
      key.title = "Show or hide " + key.dataset.type;
      const toggle = () => {
        const type = key.dataset.type;
        if (!hiddenTypes.delete(type)) hiddenTypes.add(type);
        filter();
      };
      key.addEventListener("click", toggle);
      key.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(); }
      });
    }
    for (const mark of $("marked").querySelectorAll(".nz-e")) mark.removeAttribute("title");
  }

  // JSON with one line per innermost object.
  function pretty(value, indent) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const isFlat = Object.values(value).every((one) => one === null || typeof one !== "object" || Object.keys(one).length === 0);
    const isShort = isFlat || JSON.stringify(value).length < 110 && !Array.isArray(value);
    const deeper = isShort ? "" : indent + "  ";
    const parts = Array.isArray(value)
      ? value.map((one) => deeper + pretty(one, deeper))
      : Object.entries(value).map(([key, one]) => deeper + JSON.stringify(key) + ": " + pretty(one, deeper));
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    if (isShort || !parts.length) return open + parts.join(", ") + close;
    return open + "\n" + parts.join(",\n") + "\n" + indent + close;
  }

  function select(name) {
    for (const [tab, panel] of [["tab-marked", "marked"], ["tab-json", "json"]]) {
      $(tab).setAttribute("aria-selected", String(panel === name));
      $(tab).tabIndex = panel === name ? 0 : -1;
      $(panel).hidden = panel !== name;
    }
    if (name === "marked") nerZooDrawArcs();
  }

  async function copy() {
    const text = JSON.stringify(filtered(), null, 2);
    try {
      await navigator.clipboard.writeText(text);
    } catch (refused) {
      // The modern clipboard API requires a secure connection.
      const area = document.body.appendChild(document.createElement("textarea"));
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy JSON"; }, 1500);
  }

  async function save(format, name) {
    try {
      const file = await (await ask("render/" + format, filtered())).blob();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (problem) {
      show(problem.message);
    }
  }

  // ---- Tooltip for the entity under the pointer or with the focus

  function tip(event) {
    const mark = event.target.closest && event.target.closest(".nz-e:not(.nz-off)");
    document.querySelectorAll(".nz-lit").forEach((lit) => lit.classList.remove("nz-lit"));
    $("tip").hidden = !mark;
    if (!mark) return;
    const entity = prediction.entities[mark.dataset.entity];
    document.querySelectorAll('.nz-e[data-entity="' + mark.dataset.entity + '"]').forEach((part) => part.classList.add("nz-lit"));
    const name = document.createElement("b");
    name.textContent = entity.type + "  " + (100 * entity.score).toFixed(1) + "%";
    const bar = document.createElement("meter");
    bar.value = entity.score;
    const rest = document.createElement("small");
    rest.textContent = entity.fragments.map(([start, end]) => start + "–" + end).join(", ") + "  ·  " + entity.text;
    $("tip").replaceChildren(name, bar, rest);
    const box = mark.getClientRects()[0];
    $("tip").style.left = Math.max(8, Math.min(box.left + scrollX, innerWidth - $("tip").offsetWidth - 12)) + "px";
    $("tip").style.top = box.bottom + scrollY + 8 + "px";
  }

  function wire() {
    $("form").addEventListener("submit", (event) => { event.preventDefault(); annotate(); });
    $("text").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); annotate(); }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); $("text").focus(); }
      if (event.key === "Escape") $("tip").hidden = true;
    });
    $("threshold").addEventListener("input", () => {
      threshold = Number($("threshold").value);
      $("threshold-value").textContent = Math.round(100 * threshold) + "%";
      if (prediction) filter();
    });
    for (const [tab, panel, other] of [["tab-marked", "marked", "tab-json"], ["tab-json", "json", "tab-marked"]]) {
      $(tab).addEventListener("click", () => select(panel));
      $(tab).addEventListener("keydown", (event) => {
        if (event.key === "ArrowLeft" || event.key === "ArrowRight") { $(other).focus(); $(other).click(); }
      });
    }
    $("copy").addEventListener("click", copy);
    $("save-html").addEventListener("click", () => save("html", "annotated.html"));
    $("save-conll").addEventListener("click", () => save("conll", "annotated.conll"));
    for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
      $("marked").addEventListener(enter, tip);
      $("marked").addEventListener(leave, () => tip({ target: document }));
    }
    $("theme").addEventListener("click", switchTheme);
    $("card").addEventListener("click", showCard);
    $("card-dialog").addEventListener("click", (event) => { if (event.target === $("card-dialog")) $("card-dialog").close(); });
  }

  function switchTheme() {
    const root = document.documentElement;
    const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (refused) { /* storage is disabled: the choice is not remembered */ }
  }

  async function showCard() {
    try {
      const name = $("model").value;
      const answer = await ask("model/fragment" + (name ? "?name=" + encodeURIComponent(name) : ""));
      $("card-body").innerHTML = await answer.text();
      $("card-dialog").showModal();
    } catch (problem) {
      show(problem.message);
    }
  }

  async function start() {
    wire();
    for (const [name, text] of EXAMPLES) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => { $("text").value = text; annotate(); });
      $("examples").append(button);
    }
    if (!/Mac|iPhone|iPad/.test(navigator.platform)) return models();
    document.querySelector("kbd").textContent = "⌘ ⏎";
    return models();
  }

  async function models() {
    const known = await (await ask("models")).json();
    for (const model of known.models) $("model").add(new Option(model.name, model.name));
    document.querySelector(".model").hidden = known.models.length < 2;
  }

  start().catch((problem) => show(problem.message));
})();
