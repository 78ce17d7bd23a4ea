"use strict";
// What has changed since an earlier audit, the baseline.

function renderChanges() {
  const { changes } = data().audit || {};
  return {
    title: "What has changed",
    nodes: changes ? changeSection(changes) : [el("p", null, "No earlier report was given to compare this one with.")],
  };
}

pages.register(/^#\/changes$/, renderChanges, { nav: "Changes", to: "#/changes", when: ({ audit }) => Boolean(audit && audit.changes) });

function changeSection(changes) {
  const all = auditChanges(changes).filter(([, rows]) => rows.length);
  return [
    el("p", { class: "lead" }, "Since ", el("code", null, changes.file), changes.target && ` (${changes.target})`,
      `: ${count(changes.unchanged)} unchanged`, all.length ? "" : ", nothing else", "."),
    ...all.flatMap(([title, rows]) => [el("h2", null, `${title} (${count(rows.length)})`), el("ul", null, rows.map((row) => el("li", null, row)))]),
  ];
}

function auditChanges({ cells, disagreements: readings }) {
  return [
    ["Verdicts", cells.map((cell) => [el("a", { href: ruleHash(cell.rule, cell.product) }, cell.rule), ` on ${cell.product}: `,
      cell.before ? badge(cell.before) : "not there", " → ", cell.now ? badge(cell.now) : "not there"])],
    ["Readings", readings.map((reading) => [el("a", { href: disagreementHash(reading.id) }, reading.id),
      `: ${reading.before || "not there"} → ${reading.now || "not there"}`])],
  ];
}
