"use strict";
// One case: what was expected and what came out, then each step of the program:
// memory, arithmetic, rules. The step shown, and its iteration, stand in the
// address.

function renderCase([id], query) {
  if (!hasCase(id)) return missing(`There is no page of case ${id} in this report.`);
  const view = data().cases[id];
  const again = view.reproduce && [el("h2", null, "See it again"), command(view.reproduce)];
  const sections = [againstSection(view), again, programSection(view, query)];
  // If both sides refuse a call, the reason comes first.
  if (caseVerdict(view) === "rejected") sections.reverse();
  return {
    title: view.id,
    kicker: `case · ${view.product} · edition ${view.edition} · ${view.target} against ${view.reference}`,
    nodes: [
      view.note && el("p", { class: "lead" }, view.note),
      ...sections.flat(),
    ].filter(Boolean),
  };
}

pages.register(/^#\/case\/(.+)$/, renderCase, { needs: ([id]) => partsOf("cases", id) });

function caseVerdict(view) {
  if (view.findings.length) return "disagree";
  if (view.steps.some((step) => step.status === "rejected")) return "rejected";
  return view.unsupported ? "unsupported" : "agree";
}

function againstSection(view) {
  const left = view.omittedFindings;
  return [
    el("h2", null, "Expected against actual ", badge(caseVerdict(view))),
    !view.targetWasRun && el("p", { class: "note" }, `${view.target} was not run for this page, because it crashed or hung on this case: memory is shown by ${view.reference} alone.`),
    view.why && el("p", { class: "note" }, `Not compared: ${view.why}.`),
    view.findings.length > 0 && el("ul", { class: "cards" }, view.findings.map(findingCard)),
    left > 0 && el("p", { class: "soft" }, `… ${counted(left, "finding")} left out.`),
    scroller("How each side ended", table(["Side", "Outcome"],
      view.sides.outcomes.map(({ side, text }) => [side, text]))),
    ...elementTable(view.sides),
  ].filter(Boolean);
}

function findingCard(finding) {
  const { difference: d } = finding;
  const rules = (ids) => (ids.length ? ids.map((id, i) => [i ? ", " : "", ruleLink(id)]) : "none");
  return el("li", { class: "card bad" },
    el("div", null, el("strong", null, finding.kind), `: ${finding.side} against ${finding.reference}`),
    d && facts([["expected", d.expected], ["actual", d.actual],
      d.before !== undefined && ["before the step", d.before],
      d.ulp !== "0" && ["apart", `${count(d.ulp)} ULP`],
      ["where", `${d.memory} byte ${d.at}, ${d.operand ? `${d.operand}, iteration ${d.iteration}, lane ${d.lane}` : "which no operand was to write"}`],
      ["type", d.dtype], ["bytes that differ in all", count(d.differingBytes)]], " against"),
    finding.expectedRules && facts([["rules expected", rules(finding.expectedRules)], ["rules found", rules(finding.actualRules)]], " against"),
    el("div", null, finding.message),
    finding.signature && el("div", { class: "soft mono" }, finding.signature));
}

/** Rules have pages in an audit only. */
function ruleLink(id) {
  const { audit } = data();
  const known = audit && audit.rules.some((rule) => rule.id === id);
  return known ? el("a", { href: "#/rule/" + encodeURIComponent(id) }, id) : el("code", null, id);
}

function elementTable({ columns, rows, differ, maybeMore, writtenBytes, unspecifiedBytes: unspecified }) {
  if (!rows.length) return [el("p", null, "No byte is written.")];
  const shown = table(["Element", ...columns, "Same"], rows.map((row) => [
    [`${row.memory} byte ${row.at}`, row.operand && el("div", { class: "soft" }, `${row.operand} of iteration ${row.iteration} lane ${row.lane}, ${row.dtype}`)],
    ...row.values.map((value) => el("span", { class: "mono nowrap" }, value)),
    row.differs ? badge("disagree") : badge("agree"),
  ]));
  const note = !differ ? `The first of ${counted(writtenBytes, "byte")} that the program writes.`
    : maybeMore ? "The first elements that differ; there are more." : "All elements that differ.";
  return [el("h3", null, "Elements at the end"), scroller("Elements at the end", shown), el("p", { class: "soft" }, note),
    unspecified > 0 && el("p", { class: "soft" }, `Not compared: ${counted(unspecified, "byte")} that tmp tiles of TROWPROD and padding of DataCopyPad, and what was computed from them, leave unspecified.`)];
}

function programSection(view, query) {
  const { steps } = view;
  if (!steps.length) return [];
  const inner = el("div");
  const requested = steps.findIndex((step) => String(step.index) === query.get("step"));
  const select = chooser({ id: "step" }, steps.map((step, i) =>
    [i, `step ${step.index} ${step.op}: ${step.status}${stepDiffers(view, step) ? ", differs" : ""}`]), requested >= 0 ? requested : view.focus,
  (i) => inner.replaceChildren(...stepNodes(view, steps[i], query)),
  (i) => {
    query.set("step", steps[i].index);
    query.delete("iteration");
    setQuery(query);
  });
  const left = view.omittedSteps;
  return [
    el("h2", null, "The program"),
    view.programSteps > 1 && el("p", null, el("label", null, "Step ", select),
      left > 0 && el("span", { class: "soft" }, ` … ${counted(left, "step")} of ${view.programSteps} not shown: left out, or not reached`)),
    inner,
  ].filter(Boolean);
}

function stepDiffers(view, step) {
  return view.findings.some((finding) => finding.kind !== "expectation" && finding.step === step.index);
}

function stepNodes(view, step, query) {
  const stage = { view, step, query, listeners: [] };  // listeners hear of the iteration
  return [
    el("h3", null, `Step ${step.index}: ${step.op}, ${step.status}`),
    facts(step.fields.map(({ name, value }) => [name, value])),
    ...brokenPart(step, view.rules),
    ...memorySection(stage),
    ...arithmeticSection(stage),
    ...ruleSection(step, view.rules),
  ];
}

/** Why a call was refused comes before everything else. */
function brokenPart(step, texts) {
  if (step.status !== "rejected") return [];
  const broken = step.rules.filter((use) => use.verdict === "broken");
  return [el("ul", { class: "cards" }, broken.map(({ id, values, witness }) =>
    el("li", { class: "card bad" },
      el("div", null, el("strong", null, "broken: "), ruleLink(id), values && !witness && [" — ", el("strong", null, values)]),
      el("div", null, texts[id].statement),
      (witness || []).map((text) => el("div", { class: "witness" }, el("strong", null, text))),
      el("div", { class: "soft" }, inEnglish(texts[id].document))))),
  el("p", { class: "note" }, step.repair ? `Repair that was tried: ${step.repair}.` : "No repair was found.")];
}

/** Rules that had to do with the step in full, the others behind a fold. */
const kRuleWords = {
  broken: "refused for it", noted: "reported", applies: "the result rests on it",
  "not broken": "looked at, kept", "not met": "had nothing to do", "not reached": "of a later stage than the broken one",
};

function ruleSection(step, texts) {
  const rows = (uses) => table(["Verdict", "Rule", "Statement", "Document"], uses.map(({ id, verdict, values }) => [
    [el("strong", null, verdict), el("div", { class: "soft" }, kRuleWords[verdict])], ruleLink(id),
    [el("div", { class: "wide-text" }, texts[id].statement), values && el("div", null, el("strong", null, values))], inEnglish(texts[id].document),
  ]));
  const order = Object.keys(kRuleWords);
  const sortedUses = [...step.rules].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const loud = sortedUses.filter(({ verdict }) => order.indexOf(verdict) < 3);
  const quiet = sortedUses.filter(({ verdict }) => order.indexOf(verdict) >= 3);
  return [
    el("h3", null, "Rules"),
    loud.length ? scroller("Rules of this step", rows(loud)) : el("p", null, "None that the result rests on."),
    quiet.length > 0 && el("details", null, el("summary", null, `${counted(quiet.length, "more rule")}: kept, not met or not reached`),
      scroller("Other rules", rows(quiet))),
  ].filter(Boolean);
}
