"use strict";
// The report: theme, sortable tables, filterable lists, highlighting of the current section. It inserts no HTML.
(function () {
  const root = document.documentElement;
  root.classList.add("has-script");
  const PAGE = 8;

  // One tab stop per entity would be too many in a list of examples.
  document.querySelectorAll(".nz-e[tabindex]").forEach((mark) => mark.removeAttribute("tabindex"));

  try {
    const chosen = localStorage.getItem("theme");
    if (chosen) root.dataset.theme = chosen;
  } catch (refused) { /* storage is disabled: use the system's colour scheme */ }
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (refused) { /* storage is disabled: the choice is not remembered */ }
  });

  function sortBy(table, column, header) {
    const isFirst = column === 0, was = header.getAttribute("aria-sort");
    // Numbers sort in descending order first, names in ascending order.
    const order = was === "none" ? (isFirst ? "ascending" : "descending") : was === "ascending" ? "descending" : "ascending";
    table.querySelectorAll("thead th").forEach((other) => other.setAttribute("aria-sort", "none"));
    header.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const value = (row) => row.cells[column].dataset.value;
    const compare = isFirst ? (a, b) => value(a).localeCompare(value(b)) : (a, b) => Number(value(a)) - Number(value(b));
    const rows = [...table.tBodies[0].rows].sort((a, b) => sign * compare(a, b));
    table.tBodies[0].append(...rows);
  }
  document.querySelectorAll("table.sortable").forEach((table) => {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      header.querySelector("button").addEventListener("click", () => sortBy(table, column, header));
    });
  });

  document.querySelectorAll(".filtered").forEach((list) => {
    const items = [...list.querySelectorAll(".examples > li")];
    const words = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
    const selects = [...list.querySelectorAll("select")], search = list.querySelector("[data-search]");
    const more = list.querySelector(".more"), output = list.querySelector("output");
    const hasArcs = list.querySelector("[data-arcs]") !== null;
    let most = PAGE;

    function matches(item) {
      const wanted = search.value.trim().toLowerCase();
      return selects.every((select) => {
        if (!select.value) return true;
        const value = item.dataset[select.dataset.key];
        return select.dataset.key === "type" ? value.includes("\n" + select.value + "\n") : value === select.value;
      }) && (!wanted || words.get(item).includes(wanted));
    }
    function update() {
      const found = items.filter(matches);
      items.forEach((item) => { item.hidden = true; });
      found.slice(0, most).forEach((item) => { item.hidden = false; });
      more.hidden = found.length <= most;
      output.textContent = found.length === items.length ? items.length + " in total" : found.length + " of " + items.length;
      if (hasArcs) nerZooDrawArcs();
    }
    function restart() { most = PAGE; update(); }
    selects.forEach((select) => select.addEventListener("change", restart));
    search.addEventListener("input", restart);
    more.addEventListener("click", () => {
      const before = most;
      most += PAGE;
      update();
      const next = items.filter(matches)[before];
      if (next) { next.tabIndex = -1; next.focus({ preventScroll: true }); }
    });
    update();
  });

  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    entries.forEach((entry) => { if (entry.isIntersecting) seen.add(entry.target.id); else seen.delete(entry.target.id); });
    const current = [...links.keys()].find((name) => seen.has(name));
    links.forEach((link, name) => {
      if (name === current) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    });
  }, { rootMargin: "-20% 0px -60% 0px" });
  document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));
})();
