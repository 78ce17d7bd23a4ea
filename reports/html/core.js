"use strict";
// What every page uses: making elements, reading the report, writing numbers.

/**
 * Makes an element. In `attrs` a function is a listener ("onclick"), true an
 * attribute without value; null, undefined and false leave it out. Children are
 * nodes, or texts that stay texts; arrays are flattened, null and false skipped.
 * @param {string} tag
 * @param {Object<string, *>|null} [attrs]
 * @param {...*} children
 * @returns {HTMLElement}
 */
function el(tag, attrs, ...children) {
  return fill(document.createElement(tag), attrs, children);
}

/** As `el`, for elements of SVG. */
function svg(tag, attrs, ...children) {
  const space = "http://www.w3.org/2000/svg";
  return fill(document.createElementNS(space, tag), attrs, children);
}

function fill(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.replace(/^on/, ""), value);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((child) =>
    child !== null && child !== undefined && child !== false));
  return node;
}

let reportData = null;

/** The report: reports/html.h lists its contents. Parsed once. */
function data() {
  if (!reportData) {
    reportData = JSON.parse(document.getElementById("data").textContent);
  }
  return reportData;
}

/** The audit of the report, or several side by side: both have rules, disagreements and documents. */
function results({ audit, comparison } = data()) {
  return audit || comparison || {};
}

/** 196608 → "196 608", with spaces that don't break. Digits stay as they are. */
function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** count(1, "case") → "1 case", count(2, "case") → "2 cases". */
function counted(number, one, many = one + "s") {
  return `${count(number)} ${Number(number) === 1 ? one : many}`;
}

/** The address of a case's page. */
function caseHash(id) {
  return "#/case/" + encodeURIComponent(id);
}

/** Whether the report holds the view of this case. */
function hasCase(id) {
  const { cases = {} } = data().parts || {};
  return Object.hasOwn(data().cases || {}, id) || Object.hasOwn(cases, id);
}

/** A command, with a button that copies it. */
function command(text) {
  const status = el("span", { class: "copied", role: "status" });
  const copy = async () => {
    status.textContent = (await copyText(text)) ? "copied" : "select and copy it by hand";
    setTimeout(() => { status.textContent = ""; }, 2000);
  };
  return el("div", { class: "command" },
    el("code", { tabindex: "0" }, text),
    el("button", { type: "button", onclick: copy, "aria-label": "Copy command: " + text }, "Copy"),
    status);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from disk may have no clipboard: the old way needs none.
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/**
 * A table under `heads`, th elements, with rows of td and th. Where more than
 * three columns have no space each row becomes a block of labelled cells
 * (parts.css): roles keep what display takes from a screen reader.
 */
function stackable(attrs, heads, rows, ...before) {
  const role = (name, node) => { node.setAttribute("role", name); return node; };
  return el("table", { ...attrs, role: "table", class: [heads.length > 3 && "stack", attrs.class].filter(Boolean).join(" ") || null }, before,
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map((head) => role("columnheader", head)))),
    el("tbody", { role: "rowgroup" }, rows));
}

/** A row of `stackable`: cells are td, or th of the row, labelled in order. */
function stackRow(cells, labels) {
  cells.forEach((cell, i) => {
    cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
    cell.dataset.label = labels[i];
  });
  return el("tr", { role: "row" }, cells);
}

/** A list of names and what they stand for; nothing of what is false. */
function facts(list, more = "", values = "mono") {
  return el("dl", { class: "facts" + more }, list.filter(Boolean).map(([name, value]) =>
    el("div", null, el("dt", null, name), el("dd", { class: values || null }, value))));
}

/** A choice that draws what is below it: now, and after `remember` when another one is made. */
function chooser(attrs, options, value, draw, remember) {
  const select = el("select", attrs, options.map(([one, words]) => el("option", { value: one }, words)));
  select.value = String(value);
  select.addEventListener("change", () => {
    remember(select.value);
    draw(select.value);
  });
  draw(select.value);
  return select;
}

/**
 * Pointing and arrow keys among `items`, elements below `frame`; one at a time,
 * at first `first`, is in the order of Tab. `show` gets the one that is meant,
 * `after` returns where a key leads from one, if anywhere.
 */
function rove(frame, items, first, show, after) {
  let here = first;
  const go = (item) => {
    here.setAttribute("tabindex", "-1");
    here = item;
    here.setAttribute("tabindex", "0");
  };
  go(first);
  const on = (name, then) => frame.addEventListener(name, (event) => {
    const item = items.find((one) => one.contains(event.target));
    if (item) then(item);
  });
  on("pointerover", show);
  on("click", (item) => item.focus());
  on("focusin", (item) => { go(item); show(item); });
  frame.addEventListener("keydown", (event) => {
    const to = after(here, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
}

/** A table that scrolls within itself where it is too wide. */
function scroller(label, table) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}
