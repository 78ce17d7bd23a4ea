"use strict";
// What has changed since an earlier report, the baseline.

function changesOf(report) {
  return [report.audit, report.run, report.mutants].filter((one) => one && one.changes);
}

function renderChanges() {
  const found = changesOf(data());
  return {
    title: "What has changed",
    nodes: found.length ? found.flatMap(changeSection) : [el("p", null, "No earlier report was given to compare this one with.")],
  };
}

pages.register(/^#\/changes$/, renderChanges, { nav: "Changes", to: "#/changes", when: (report) => changesOf(report).length > 0 });

function changeSection({ changes }) {
  const lists = changes.cells ? auditChanges(changes) : changes.survived ? mutantChanges(changes) : findingChanges(changes);
  const all = lists.filter(([, rows]) => rows.length);
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

function findingChanges(changes) {
  const row = (one) => [caseLink(one.id || one.path), ": ", one.message, el("div", { class: "soft mono" }, one.signature),
    one.lookedAt === false && el("div", { class: "soft" }, "this run did not look at the case")];
  return [["New", changes.new.map(row)], ["Gone", changes.gone.map(row)], ["Another message", changes.updated.map(row)]];
}

function mutantChanges(changes) {
  return [["Not found now, found before", changes.survived], ["Found now, not before", changes.found],
    ["Not hunted to the end before", changes.added], ["Not hunted to the end now", changes.gone]];
}
