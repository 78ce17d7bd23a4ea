"use strict";
// Audits of several targets side by side; each has a report of its own beside
// this page.

const kStatuses = ["all agrees", "something is wrong", "not all was audited, or wrong usage", "the target crashed or hung"];

/** The address of a page in the report of a target. */
function reportOf({ folder }, hash) {
  return `${encodeURIComponent(folder)}/index.html${hash}`;
}

/** The worst verdict of `rule` for target `i`, over the products that `query` leaves. */
function worstFor(rule, i, query) {
  const product = query.get("product");
  const verdicts = rule.cells.filter((cell) => !product || cell.product === product).map((cell) => cell.verdicts[i]);
  return verdicts.reduce((worst, one) => rankOf(one) < rankOf(worst) ? one : worst, verdicts[0] || "–");
}

function isClaimed({ cells }) {
  return cells.some(({ verdicts }) => verdicts.some((one) => one !== "not claimed" && one !== "not audited"));
}

/** A filter of rows by whether their words, one for each audited target, are all the same. */
function alikeFilter(wordsOf) {
  const differ = (row, query) => new Set(wordsOf(row, query).filter((word) => word !== "not audited")).size > 1;
  return { id: "alike", label: "Targets that", options: ["differ", "are alike"], keeps: (row, value, query) => differ(row, query) === (value === "differ") };
}

function rulesSection({ targets, rules }, query) {
  const claimed = rules.filter(isClaimed);
  const columns = targets.map((target, i) => ({
    id: `target${i}`, title: target.target, class: "product", value: (rule) => rankOf(worstFor(rule, i, query)),
    cell: (rule) => el("a", { class: "plain", href: reportOf(target, ruleHash(rule.id, query.get("product"))),
      "aria-label": `${worstFor(rule, i, query)}: ${rule.id}, ${target.target}` }, badge(worstFor(rule, i, query))),
  }));
  return [
    el("h2", null, "Rules"),
    el("p", { class: "soft" }, `The worst verdict over the products. Left out: ${counted(rules.length - claimed.length, "rule")} that no target claims.`),
    ...listing({
      label: "Rules and targets", noun: "rule", rows: claimed, query,
      columns: [{ id: "rule", title: "Rule", head: true, class: "rule", value: (rule) => rule.id,
        cell: (rule) => [el("strong", null, rule.id), el("div", { class: "statement soft" }, rule.statement)] }, ...columns],
      filters: [
        { id: "instruction", label: "Instruction", options: distinct(claimed, (rule) => rule.instruction), keeps: (rule, value) => rule.instruction === value },
        { id: "product", label: "Product", options: distinct(claimed, (rule) => rule.cells.map((cell) => cell.product)),
          keeps: (rule, value) => rule.cells.some((cell) => cell.product === value) },
        alikeFilter((rule, now) => targets.map((_, i) => worstFor(rule, i, now)))],
      text: (rule) => `${rule.id} ${rule.statement}`,
    }),
  ];
}

function renderComparison(query) {
  const { comparison } = data();
  const { targets } = comparison;
  return {
    title: data().title,
    kicker: `${counted(targets.length, "target")} · ${counted(comparison.rules.length, "rule")}`,
    nodes: [
      scroller("Targets", table(["Target", "What came out", "In one sentence"], targets.map((target) => [
        el("a", { href: reportOf(target, "") }, target.target), kStatuses[target.status] || `status ${target.status}`, target.sentence]))),
      el("p", null, el("a", { href: "#/readings" }, "Where the documents disagree"), ", and which reading each target follows"),
      ...rulesSection(comparison, query),
    ],
  };
}

function renderReadings(args, query) {
  const { targets, disagreements: rows } = data().comparison;
  return {
    title: "Where the documents disagree",
    nodes: [el("p", { class: "note" }, el("strong", null, "Calls that differ. "), kDiffer), ...listing({
      label: "Disagreements and targets", noun: "disagreement", rows, query,
      columns: [
        { id: "title", title: "What", head: true, class: "rule", value: (one) => one.title,
          cell: (one) => [el("a", { href: reportOf(targets[0], disagreementHash(one.id)) }, one.title), el("div", { class: "soft" }, one.id)] },
        { id: "differ", title: "Calls that differ", class: "number", value: (one) => one.differ, cell: (one) => count(one.differ) },
        ...targets.map((target, i) => ({ id: `target${i}`, title: target.target, value: (one) => one.follows[i],
          cell: (one) => el("a", { href: reportOf(target, disagreementHash(one.id)), "aria-label": `${one.follows[i]}: ${one.id}, ${target.target}` }, one.follows[i]) })),
      ],
      filters: [{ id: "document", label: "Document", options: distinct(rows, (one) => one.documents).sort(), keeps: (one, value) => one.documents.includes(value) },
        alikeFilter((one) => one.follows)],
      groups: { document: (one) => one.documents },
      text: (one) => [one.id, one.title, ...one.documents].join(" "),
    })],
  };
}

pages.register(/^#\/readings$/, renderReadings, { nav: "Disagreements", to: "#/readings", when: (report) => Boolean(report.comparison) });
