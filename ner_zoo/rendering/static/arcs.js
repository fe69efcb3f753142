"use strict";
// Draws the relations of an annotated text as arcs above its lines, and connects the fragments of discontinuous entities. It reads
// only the marks and the table of relations; without JavaScript, the table shows the same.
var nerZooDrawArcs = (function () {
  const STEP = 19, FOOT = 9, RADIUS = 6, MARGIN = 10;
  const pen = document.createElement("canvas").getContext("2d");

  function element(name, attributes, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(made);
    return made;
  }

  // The rectangles of an entity: one per line and fragment.
  function places(text, number) {
    const origin = text.getBoundingClientRect();
    const marks = [...text.querySelectorAll('.nz-e[data-entity="' + number + '"]:not(.nz-off)')];
    const height = parseFloat(getComputedStyle(text).lineHeight);
    const top = parseFloat(getComputedStyle(text).paddingTop);
    return marks.map((mark) => [...mark.getClientRects()].filter((box) => box.width > 1).map((box) => ({
      left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top, bottom: box.bottom - origin.top,
      line: Math.floor(((box.top + box.bottom) / 2 - origin.top - top) / height),
    }))).filter((boxes) => boxes.length);
  }

  function ends(text) {
    const rows = text.parentElement.querySelectorAll(".nz-relations tr:not(.nz-off)");
    const arcs = [];
    for (const row of rows) {
      const head = places(text, row.dataset.head), tail = places(text, row.dataset.tail);
      if (head.length && tail.length) {
        arcs.push({ from: head[0][0], to: tail[0][0], type: row.dataset.type, score: Number(row.dataset.score) });
      }
    }
    return arcs;
  }

  // Arcs that start at the same word are spread out.
  function anchors(arcs) {
    const seats = new Map();
    for (const arc of arcs) {
      for (const [end, other] of [["from", "to"], ["to", "from"]]) {
        const key = arc[end].line + ":" + arc[end].left;
        if (!seats.has(key)) seats.set(key, []);
        const place = arc[other].line - arc[end].line || 0;
        seats.get(key).push({ arc: arc, end: end, towards: place * 1e6 + arc[other].left });
      }
    }
    for (const seat of seats.values()) {
      seat.sort((a, b) => a.towards - b.towards);
      seat.forEach((one, i) => {
        const box = one.arc[one.end], width = Math.min(box.right - box.left, 14 * (seat.length + 1));
        one.arc[one.end + "X"] = (box.left + box.right) / 2 + width * ((i + 1) / (seat.length + 1) - 0.5);
      });
    }
  }

  // An arc between two lines leaves the first at the right edge and enters the second at the left edge.
  function pieces(arcs, width) {
    const made = [];
    for (const arc of arcs) {
      if (arc.from.line === arc.to.line) {
        made.push({ arc: arc, line: arc.from.line, from: arc.fromX, to: arc.toX, named: true });
      } else {
        const down = arc.from.line < arc.to.line;
        const out = { arc: arc, line: arc.from.line, from: arc.fromX, to: down ? width : 0, leaves: true };
        const into = { arc: arc, line: arc.to.line, from: down ? 0 : width, to: arc.toX, enters: true };
        (reach(out) < reach(into) ? into : out).named = true;
        made.push(out, into);
      }
    }
    pen.font = "600 11.5px system-ui, sans-serif";
    for (const piece of made) {
      const name = pen.measureText(piece.arc.type).width + 10;
      piece.named = piece.named || reach(piece) > name + 12;
      const half = (piece.named ? name : 0) / 2;
      piece.middle = Math.max(half, Math.min((piece.from + piece.to) / 2, width - half));
      piece.low = Math.min(piece.from, piece.to, piece.middle - half) - MARGIN / 2;
      piece.high = Math.max(piece.from, piece.to, piece.middle + half) + MARGIN / 2;
    }
    return made;
  }

  const reach = (piece) => Math.abs(piece.from - piece.to);

  function stack(made) {
    const taken = new Map();
    let most = 0;
    made.sort((a, b) => (a.high - a.low) - (b.high - b.low));
    for (const piece of made) {
      if (!taken.has(piece.line)) taken.set(piece.line, []);
      const levels = taken.get(piece.line);
      let level = 0;
      while ((levels[level] || []).some((other) => piece.low < other.high && other.low < piece.high)) level += 1;
      (levels[level] = levels[level] || []).push(piece);
      piece.level = level;
      most = Math.max(most, level + 1);
    }
    return most;
  }

  function path(piece, roof) {
    const side = Math.sign(piece.to - piece.from) || 1;
    const radius = Math.min(RADIUS, reach(piece) / 2);
    let line = piece.enters ? `M${piece.from} ${roof}` : `M${piece.from} ${piece.arc.from.top - 1} V${roof + radius} Q${piece.from} ${roof} ${piece.from + side * radius} ${roof}`;
    line += piece.leaves ? ` H${piece.to}` : ` H${piece.to - side * radius} Q${piece.to} ${roof} ${piece.to} ${roof + radius} V${piece.arc.to.top - 5}`;
    return line;
  }

  function drawPiece(svg, piece, top) {
    const arc = piece.arc, foot = arc.to.top - 1;
    const roof = top - FOOT - 5 - STEP * piece.level;
    const group = element("g", { "class": "nz-arc", opacity: 0.35 + 0.65 * arc.score }, svg);
    element("title", {}, group).textContent = arc.type + " " + (100 * arc.score).toFixed(1) + "%";
    element("path", { d: path(piece, roof) }, group);
    if (!piece.leaves) {
      element("polygon", { points: `${piece.to - 3.6},${foot - 6.5} ${piece.to + 3.6},${foot - 6.5} ${piece.to},${foot}` }, group);
    }
    if (piece.named) element("text", { x: piece.middle, y: roof + 4 }, group).textContent = arc.type;
  }

  // All arcs of a line start at the height of its highest box.
  function tops(arcs) {
    const highest = new Map();
    for (const arc of arcs) {
      for (const end of [arc.from, arc.to]) highest.set(end.line, Math.min(end.top, highest.get(end.line) ?? Infinity));
    }
    return highest;
  }

  function drawGaps(svg, text) {
    const numbers = new Set([...text.querySelectorAll(".nz-e:not(.nz-off)")].map((mark) => mark.dataset.entity));
    for (const number of numbers) {
      const boxes = places(text, number);
      for (let i = 1; i < boxes.length; i += 1) {
        const before = boxes[i - 1][boxes[i - 1].length - 1], after = boxes[i][0];
        if (before.line === after.line && after.left - before.right > 4) {
          const y = Math.max(before.bottom, after.bottom) - 1;
          element("path", { "class": "nz-gap", d: `M${before.right} ${y} C${before.right + 8} ${y + 9} ${after.left - 8} ${y + 9} ${after.left} ${y}` }, svg);
        }
      }
    }
  }

  function draw(text) {
    text.querySelectorAll(".nz-arcs").forEach((old) => old.remove());
    let arcs = ends(text);
    anchors(arcs);
    const most = stack(pieces(arcs, text.clientWidth));
    text.style.setProperty("--nz-rise", most ? FOOT + STEP * most + "px" : "0px");
    // The line spacing has changed: measure again.
    arcs = ends(text);
    anchors(arcs);
    const made = pieces(arcs, text.clientWidth);
    stack(made);
    const svg = element("svg", { "class": "nz-arcs", width: text.clientWidth, height: text.clientHeight, "aria-hidden": "true" });
    const highest = tops(arcs);
    made.forEach((piece) => drawPiece(svg, piece, highest.get(piece.line)));
    drawGaps(svg, text);
    text.appendChild(svg);
  }

  function watch(text) {
    let width = text.clientWidth;
    new ResizeObserver(() => {
      if (text.clientWidth !== width) {
        width = text.clientWidth;
        draw(text);
      }
    }).observe(text);
  }

  return function () {
    for (const text of document.querySelectorAll(".nz-text[data-arcs]")) {
      if (!text.dataset.watched) {
        text.dataset.watched = "true";
        watch(text);
      }
      draw(text);
    }
  };
})();
