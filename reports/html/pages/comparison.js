"use strict";
// Audits of several targets side by side; each has a report of its own beside
// this page.

const kStatuses = ["all agrees", "something is wrong", "not all was audited, or wrong usage", "the target crashed or hung"];

/** `words` as a link to what they are of in the report of a target, if it has one. */
function inReport({ audited, folder, target }, hash, words, id, shown = words) {
  return audited ? el("a", { class: shown === words ? null : "plain", href: `${encodeURIComponent(folder)}/index.html${hash}`, "aria-label": `${words}: ${id}, ${target}` }, shown) : shown;
}

/** The worst verdict of `rule` for target `i`, over the products that `query` leaves. */
function worstFor(rule, i, query) {
  const product = query.get("product");
  const verdicts = rule.cells.filter((cell) => !product || cell.product === product).map((cell) => cell.verdicts[i]);
  return verdicts.reduce((worst, one) => rankOf(one) < rankOf(worst) ? one : worst, verdicts[0] || "–");
}

/** Whether a target claims the cell. */
function isClaimed({ verdicts }) {
  return verdicts.some((one) => one !== "not claimed" && one !== "not audited");
}

/** A filter of rows by whether their words, one for each audited target, are all the same. */
function alikeFilter(wordsOf) {
  const differ = (row, query) => new Set(wordsOf(row, query).filter((word) => word !== "not audited")).size > 1;
  return { id: "alike", label: "Targets that", options: ["differ", "are alike"], keeps: (row, value, query) => differ(row, query) === (value === "differ") };
}

function rulesSection({ targets, rules }, query) {
  const claimed = rules.map((rule) => ({ ...rule, cells: rule.cells.filter(isClaimed) })).filter((rule) => rule.cells.length);
  const columns = targets.map((target, i) => ({
    id: `target${i}`, title: target.target, class: "product target", value: (rule) => rankOf(worstFor(rule, i, query)),
    cell: (rule) => inReport(target, ruleHash(rule.id, query.get("product")), worstFor(rule, i, query), rule.id, badge(worstFor(rule, i, query))),
  }));
  return [
    el("h2", null, "Rules"),
    el("p", { class: "soft" }, `The worst verdict over the products. Left out: ${counted(rules.length - claimed.length, "rule")} that no target claims.`),
    ...listing({
      label: "Rules and targets", noun: "rule", rows: claimed, query,
      columns: [kRuleColumn, ...columns],
      filters: [
        choice("instruction", "Instruction", distinct(claimed, (rule) => rule.instruction), (rule) => rule.instruction),
        choice("product", "Product", distinct(claimed, (rule) => rule.cells.map((cell) => cell.product)), (rule) => rule.cells.map((cell) => cell.product)),
        alikeFilter((rule, now) => targets.map((_, i) => worstFor(rule, i, now)))],
      text: (rule) => [rule.id, rule.statement, ...rule.sources.flatMap(({ document, quote = "" }) => [document, quote])].join(" "),
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
        inReport(target, "", target.target, "report"), kStatuses[target.status] || `status ${target.status}`, target.sentence]))),
      el("p", null, el("a", { href: "#/disagreements" }, "Where the documents disagree"), ", and which reading each target follows"),
      ...rulesSection(comparison, query),
    ],
  };
}

/** A rule: what the documents state, and what came out on each target. */
function renderComparedRule(id) {
  const { comparison } = data();
  const { targets, rules } = comparison;
  const at = rules.findIndex((one) => one.id === id);
  if (at < 0) return missing(`There is no rule ${id}.`);
  const rule = rules[at];
  return {
    title: rule.id,
    kicker: effectText(rule),
    nodes: [
      el("p", { class: "lead" }, rule.statement),
      ...sourceSection(rule),
      el("h2", null, "What came out"),
      scroller("Verdict by product and target", table(["Product", ...targets.map(({ target }) => target)], rule.cells.map(({ product, verdicts }) =>
        [product, ...verdicts.map((verdict, i) => inReport(targets[i], ruleHash(id, product), verdict, `${id} on ${product}`, badge(verdict)))]))),
      ...disagreementSection(rule, comparison),
      neighbours(rules, at),
    ],
  };
}

/** Which reading of a disagreement each target follows. */
function followedBy(one) {
  return [el("h2", null, "What the targets do"), scroller("Reading by target", table(["Target", "Follows", "In words"],
    results().targets.map((target, i) => [target.target, inReport(target, disagreementHash(one.id), one.follows[i], one.id), kFollows[one.follows[i]] || ""])))];
}
