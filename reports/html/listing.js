"use strict";
// A table that can be searched, filtered and sorted; what it shows stands in the
// address, so that it can be linked.

/**
 * @typedef {Object} Column
 * @property {string} id in the address
 * @property {string} title
 * @property {(row: *) => *} cell what to show
 * @property {(row: *) => (string|number)} [value] sorts by it; none: not sortable
 * @property {string} [class]
 * @property {boolean} [head] the cell names its row
 * @property {(query: URLSearchParams) => boolean} [when] shown only then
 *
 * @typedef {Object} Filter
 * @property {string} id in the address
 * @property {string} label
 * @property {string[]} options
 * @property {(row: *, value: string, query: URLSearchParams) => boolean} keeps
 */

/**
 * @param {{label: string, noun: string, rows: *[], columns: Column[],
 *   filters?: Filter[], groups?: Object<string, (row: *) => string[]>,
 *   text: (row: *) => string, query: URLSearchParams,
 *   summary?: (rows: *[], query: URLSearchParams) => string}} spec
 *   `text` is what the search looks at; `summary` adds to the line of counts.
 * @returns {Node[]}
 */
function listing(spec) {
  const status = el("p", { class: "shown", role: "status", "aria-live": "polite" });
  const heads = spec.columns.map((column) => headOf(column, spec, draw));
  const table = stackable({ class: "listing" }, heads, [], el("caption", { class: "offscreen" }, spec.label));
  const bar = filterBar(spec, draw);

  function draw() {
    setQuery(spec.query);
    const rows = sorted(spec.rows.filter((row) => keeps(spec, row)), spec);
    const columns = spec.columns.filter((column) => shows(column, spec.query));
    table.tBodies[0].replaceChildren(...groupsOf(rows, spec).flatMap(([name, members]) =>
      [...(name ? [groupRow(name, members, columns, spec)] : []), ...members.map((row) => rowOf(columns, row))]));
    heads.forEach((head, i) => showHead(head, spec.columns[i], spec.query));
    const sums = spec.summary ? spec.summary(rows, spec.query) : "";
    status.textContent = (rows.length ? `Showing ${count(rows.length)} of ` : "Nothing matches, of ") +
      counted(spec.rows.length, spec.noun) + (sums ? ": " + sums : "") + ".";
  }
  draw();
  const wide = scroller(spec.label, table);
  wide.classList.add("tall");
  return [bar, status, wide];
}

function shows(column, query) {
  return !column.when || column.when(query);
}

function rowOf(columns, row) {
  return stackRow(columns.map((column) =>
    el(column.head ? "th" : "td", { class: column.class, scope: column.head && "row" }, column.cell(row))),
  columns.map((column) => column.head ? "" : column.title));
}

/** The rows under the names of the group that the address names; a row may be in several, and those in none come last. */
function groupsOf(rows, { groups = {}, query }) {
  const by = query.get("by");
  if (!Object.hasOwn(groups, by)) return [["", rows]];
  const namesOf = groups[by];
  const without = rows.filter((row) => !namesOf(row).some(Boolean));
  return [...distinct(rows, namesOf).map((name) => [name, rows.filter((row) => namesOf(row).includes(name))]),
    ...(without.length ? [[`no ${by}`, without]] : [])];
}

function groupRow(name, members, columns, { noun }) {
  return el("tr", { role: "row", class: "group" },
    el("th", { role: "rowheader", scope: "rowgroup", colspan: columns.length }, name, el("span", { class: "soft" }, ` · ${counted(members.length, noun)}`)));
}

function keeps(spec, row) {
  const words = (spec.query.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const text = words.length ? spec.text(row).toLowerCase() : "";
  return words.every((word) => text.includes(word)) &&
    (spec.filters || []).every((filter) => {
      const value = spec.query.get(filter.id);
      return !value || filter.keeps(row, value, spec.query);
    });
}

/** `sort` in the address: a column's id, with '-' before it from the end. */
function sortOf(query) {
  const sort = query.get("sort") || "";
  return sort.startsWith("-") ? { id: sort.slice(1), sign: -1 } : { id: sort, sign: 1 };
}

function sorted(rows, { columns, query }) {
  const { id, sign } = sortOf(query);
  const column = columns.find((one) => one.id === id && one.value);
  if (!column) return rows;
  const keyed = rows.map((row) => [column.value(row), row]);
  keyed.sort(([a], [b]) => sign * (typeof a === "number" && typeof b === "number" ? a - b
    : String(a).localeCompare(String(b), "en", { numeric: true })));
  return keyed.map(([, row]) => row);
}

/** A head that sorts: upwards, downwards, as it was. */
function headOf(column, { query }, draw) {
  if (!column.value) return el("th", { scope: "col", class: column.class }, column.title);
  const press = () => {
    const { id, sign } = sortOf(query);
    if (id !== column.id) query.set("sort", column.id);
    else if (sign > 0) query.set("sort", "-" + column.id);
    else query.delete("sort");
    draw();
  };
  return el("th", { scope: "col", class: column.class },
    el("button", { type: "button", class: "sort", onclick: press }, column.title,
      el("span", { class: "arrow", "aria-hidden": "true" })));
}

function showHead(head, column, query) {
  const { id, sign } = sortOf(query);
  const here = column.value && id === column.id;
  head.hidden = !shows(column, query);
  if (!column.value) return;
  head.setAttribute("aria-sort", !here ? "none" : sign > 0 ? "ascending" : "descending");
  head.querySelector(".arrow").textContent = !here ? "" : sign > 0 ? " ▲" : " ▼";
}

function filterBar({ label, filters = [], groups, query }, draw) {
  const change = (id) => (event) => {
    if (event.target.value) query.set(id, event.target.value);
    else query.delete(id);
    draw();
  };
  const search = el("input", { type: "search", value: query.get("q") || "", oninput: change("q"), autocomplete: "off", spellcheck: "false" });
  const grouping = groups ? [{ id: "by", label: "Group by", none: "nothing", options: Object.keys(groups) }] : [];
  const selects = [...filters, ...grouping].map((filter) => {
    const select = el("select", { onchange: change(filter.id) },
      el("option", { value: "" }, filter.none || "all"), filter.options.map((one) => el("option", { value: one }, one)));
    select.value = query.get(filter.id) || "";
    // An unknown option in the address matches no row and is shown.
    if (select.selectedIndex < 0) {
      select.append(el("option", { value: query.get(filter.id), selected: true }, query.get(filter.id)));
    }
    return field(filter.label, select);
  });
  const clear = () => {
    search.value = "";
    for (const { lastElementChild: select } of selects) select.value = "";
    for (const name of [...query.keys()]) query.delete(name);
    draw();
    search.focus();
  };
  return el("form", { class: "filters", role: "search", "aria-label": label, onsubmit: (event) => event.preventDefault() },
    field("Search", search, "wide"), selects,
    el("button", { type: "button", onclick: clear }, "Clear"));
}

let fields = 0;

/** A control under its label. */
function field(label, control, more = "") {
  control.id = `field-${++fields}`;
  return el("div", { class: "field " + more }, el("label", { for: control.id }, label), control);
}

/** A filter by a word of a row, or by each of several. */
function choice(id, label, options, wordsOf) {
  return { id, label, options, keeps: (row, value) => [wordsOf(row)].flat().includes(value) };
}

/** The column that names a rule. */
const kRuleColumn = { id: "rule", title: "Rule", head: true, class: "rule", value: (rule) => rule.id,
  cell: (rule) => [el("a", { href: ruleHash(rule.id) }, rule.id), el("div", { class: "statement soft" }, rule.statement)] };

/** The different values of `rows`, in the order in which they come. */
function distinct(rows, valuesOf) {
  return [...new Set(rows.flatMap(valuesOf))].filter(Boolean);
}
