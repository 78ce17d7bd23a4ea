"use strict";
// Planted bugs: which checker found each, and after how many cases.

const kMutantVerdicts = ["found", "not found", "not finished"];

function renderMutants(args, query) {
  const { mutants: record } = data();
  if (!record) return missing("This report holds no hunt for mutants.");
  const checkers = distinct(record.mutants, (one) => one.checkers.map((by) => by.checker));
  return {
    title: "Planted bugs and who found them",
    nodes: [
      el("p", { class: "lead" }, `${count(record.summary.found)} of ${counted(record.summary.mutants, "planted bug")} found. ` +
        `Each checker had ${counted(record.cases, "case")} for each bug, ${counted(record.seeds, "seed")} from ${record.seed}; numbers are cases until found, the middle one of the seeds. A checker whose cell is empty did not run: another one had found the bug before.`),
      ...ratioText(record.summary.guidedToBaseline),
      ...listing({
        label: "Planted bugs", noun: "planted bug", rows: record.mutants, query,
        columns: mutantColumns(checkers),
        filters: mutantFilters(record, checkers),
        summary: (rows) => kMutantVerdicts.map((verdict) => `${count(rows.filter((one) => one.verdict === verdict).length)} ${verdict}`).join(", "),
        text: (one) => [one.name, one.defect, one.modelledOn, one.rule, one.instruction].join(" "),
      }),
    ],
  };
}

pages.register(/^#\/mutants$/, renderMutants, { nav: "Mutants", to: "#/mutants", when: (report) => Boolean(report.mutants) });

function ratioText(ratio) {
  if (!ratio) return [];
  return [el("p", null, `Where the baseline needs more than 1 000 cases (${counted(ratio.mutants, "planted bug")}), the guided checker needs ` +
    `${ratio.mean.toPrecision(2)} times as many, geometric mean; worst ${ratio.worst.toPrecision(2)} (${ratio.worstMutant}).`)];
}

function mutantColumns(checkers) {
  return [
    { id: "name", title: "Planted bug", head: true, class: "rule", value: (one) => one.name,
      cell: (one) => [one.name, el("div", { class: "soft statement" }, one.defect)] },
    { id: "found", title: "Outcome", value: (one) => rankOf(one.verdict), cell: (one) => badge(one.verdict) },
    { id: "rule", title: "Rule", value: (one) => one.rule, cell: (one) => ruleName(one.rule) },
    ...checkers.map((checker) => ({
      id: "by-" + checker, title: checker, class: "number",
      value: (one) => foundAfter(one, checker) ?? Infinity, cell: (one) => checkerText(one, checker),
    })),
  ];
}

function ruleName(id) {
  const { audit } = data();
  return audit && audit.rules.some((rule) => rule.id === id) ? el("a", { href: ruleHash(id) }, id) : id;
}

/** The middle number of cases, if at least half of the seeds found it. */
function foundAfter(mutant, checker) {
  const by = mutant.checkers.find((one) => one.checker === checker);
  if (!by) return null;
  const counts = by.foundAfter.map((n) => n ?? Infinity).sort((a, b) => a - b);
  const middle = counts[Math.floor((counts.length - 1) / 2)];
  return Number.isFinite(middle) ? middle : null;
}

function checkerText(mutant, checker) {
  const by = mutant.checkers.find((one) => one.checker === checker);
  if (!by || by.leftOut) return "";
  if (by.error) return el("span", { class: "soft", title: by.error }, "not run: " + by.error);
  const found = foundAfter(mutant, checker);
  if (found !== null) return count(found);
  const some = by.foundAfter.filter((n) => n !== null).length;
  return el("span", { class: "soft" }, some ? `${some} of ${by.foundAfter.length} seeds` : `not in ${count(by.tried)}`,
    by.capped && ", out of time");
}

function mutantFilters(record, checkers) {
  return [
    { id: "instruction", label: "Instruction", options: distinct(record.mutants, (one) => one.instruction), keeps: (one, value) => one.instruction === value },
    { id: "outcome", label: "Outcome", options: kMutantVerdicts, keeps: (one, value) => one.verdict === value },
    { id: "missed", label: "Missed by", options: checkers, keeps: (one, value) =>
      one.checkers.some((by) => by.checker === value && !by.leftOut) && foundAfter(one, value) === null },
  ];
}
