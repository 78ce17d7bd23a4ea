"use strict";
// What the program wrote as markup (reports/html_printer.cc), made fit for a
// person: tables that are searched, sorted and filtered, commands that are copied.

const kWritten = document.getElementById("written");

function hasWritten() {
  return kWritten.childElementCount > 0;
}

/** The written page: its title and the rest of it. */
function written(query) {
  const copy = kWritten.cloneNode(true);
  makeLive(copy);
  [...copy.querySelectorAll("table[data-noun]")].forEach((table, i) =>
    table.closest(".scroll").replaceWith(...listingOf(table, partOf(query, i))));
  const title = copy.querySelector("h1");
  if (title) title.remove();
  return { title: title ? title.textContent : data().title, nodes: [...copy.childNodes] };
}

/** Gives the commands below `node` their buttons. */
function makeLive(node) {
  for (const one of node.querySelectorAll(".command")) one.replaceWith(command(one.querySelector("code").textContent));
}

/** The part of the address that belongs to table `i`; the first has plain names. */
function partOf(query, i) {
  if (i === 0) return query;
  const own = (name) => `${name}.${i + 1}`;
  return {
    get: (name) => query.get(own(name)), set: (name, value) => query.set(own(name), value), delete: (name) => query.delete(own(name)),
    keys: () => [...query.keys()].filter((key) => key.endsWith(own(""))).map((key) => key.slice(0, -own("").length)),
    toString: () => query.toString(),
  };
}

/** A written table as a listing: filters by the columns that have `data-words`. */
function listingOf(table, query) {
  const rows = [...table.tBodies[0].rows];
  const valueOf = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  const columns = [...table.tHead.rows[0].cells].map((head, i) => {
    const words = head.dataset.words ? head.dataset.words.split("|") : null;
    const sortKey = (row) => {
      const text = valueOf(row, i);
      if (words) return words.indexOf(text);
      return head.className !== "number" ? text : /^[0-9.]+/.test(text) ? parseFloat(text) : Infinity;
    };
    return { id: head.textContent.replace(/\W+/g, "-"), title: head.textContent, class: head.className || (i === 0 ? "rule" : null), head: i === 0, words, index: i,
      value: sortKey, cell: (row) => {
        const cell = row.cells[i].cloneNode(true);
        makeLive(cell);
        return [...cell.childNodes];
      } };
  });
  const filtered = columns.filter((column) => column.words);
  return listing({
    label: table.parentElement.getAttribute("aria-label"), noun: table.dataset.noun, rows, columns, query,
    filters: filtered.map(({ id, title, words, index }) =>
      ({ id, label: title, options: words, keeps: (row, value) => valueOf(row, index) === value })),
    text: (row) => row.textContent,
    summary: filtered.length ? (shown) => filtered[0].words.map((word) =>
      `${count(shown.filter((row) => valueOf(row, filtered[0].index) === word).length)} ${word}`).join(", ") : null,
  });
}
