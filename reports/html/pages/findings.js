"use strict";
// What a run of check, fuzz or sweep found.

const kCaseVerdicts = ["disagree", "malformed", "unsupported", "tolerated", "known", "agree"];

function renderFindings(args, query) {
  const { run } = data();
  if (!run) return missing("This report holds no run of check, fuzz or sweep.");
  return {
    title: `${run.verb}: ${run.target} against ${run.reference}`,
    nodes: [
      ...frontSection(run),
      el("ul", { class: "tiles", "aria-label": "Cases by verdict" }, kCaseVerdicts.map((verdict) =>
        el("li", { class: kindOf(verdict).tone }, el("a", { href: "#/findings?verdict=" + verdict },
          el("strong", null, count(run.summary[verdict])), " ", badge(verdict))))),
      el("p", { class: "lead" }, runText(run)),
      ...(run.staleKnownIssues || []).map((line) => el("p", { class: "alert mild" }, "Known issue: ", line)),
      ...fuzzerSection(run.fuzzers || []),
      ...ownCoverageSection(run.targetCoverage),
      ...rateSection((run.fuzzers || []).flatMap((one) => one.rates || [])),
      ...sweepSection(run.sweeps || []),
      ...caseSection(run, query),
    ].filter(Boolean),
  };
}

pages.register(/^#\/findings$/, renderFindings, { nav: "Findings", to: "#/findings", when: (report) => Boolean(report.run) });

/** What was compared; a fuzz run counts its cases by program. */
function runText(run) {
  if (run.summary.steps > 0) return comparedText(run.summary) + ".";
  const fuzzed = (run.fuzzers || []).reduce((sum, one) => sum + one.cases, 0);
  return fuzzed ? `${counted(fuzzed, "generated case")} compared.` : "Nothing was compared.";
}

function caseSection(run, query) {
  if (!run.cases.length) {
    return [el("h2", null, "Findings"), el("p", null, comparedInRun(run) ? "No case disagreed." : "No case was looked at.")];
  }
  return [el("h2", null, "Cases"), ...listing({
    label: "Cases", noun: "case", rows: run.cases, query,
    columns: [
      { id: "case", title: "Case", head: true, class: "rule", value: (one) => one.path, cell: caseName },
      { id: "verdict", title: "Verdict", value: (one) => rankOf(one.verdict), cell: (one) => badge(one.verdict) },
      { id: "what", title: "What was found", cell: findingsOf },
      { id: "steps", title: "Steps", class: "number", value: (one) => one.steps, cell: (one) => count(one.steps) },
      { id: "bytes", title: "Bytes", class: "number", value: (one) => one.comparedBytes, cell: (one) => count(one.comparedBytes) },
    ],
    filters: [
      { id: "verdict", label: "Verdict", options: kCaseVerdicts, keeps: (one, value) => one.verdict === value },
      { id: "kind", label: "Kind of finding", options: distinct(run.cases, (one) => (one.findings || []).map((finding) => finding.kind)),
        keeps: (one, value) => (one.findings || []).some((finding) => finding.kind === value) },
    ],
    text: (one) => [one.path, one.id, one.error || "", one.known || "",
      ...(one.findings || []).flatMap((finding) => [finding.signature, finding.message])].join(" "),
  })];
}

function caseName(one) {
  return [one.id && hasCase(one.id) ? el("a", { href: caseHash(one.id) }, one.id) : one.id,
    el("div", { class: "soft" }, one.path)];
}

function findingsOf(one) {
  return [
    one.error && el("div", null, one.error),
    one.known && el("div", null, "known: ", one.known),
    (one.findings || []).map((finding) => el("div", { class: "finding" },
      el("div", null, el("strong", null, finding.kind), ": ", finding.message),
      el("div", { class: "soft mono" }, finding.signature))),
    one.times > 0 && el("div", { class: "soft" }, `found ${counted(one.times, "time")}`),
    one.reproduce && command(one.reproduce),
  ];
}

/** What fuzzing reached of a plugin's own code. */
function ownCoverageSection(own) {
  if (!own) return [];
  const folded = own.places === own.counters ? "" : ` (the library has ${count(own.counters)}, folded)`;
  return [el("p", null, "Target's own coverage: ", own.counters
    ? `${count(own.reached)} of ${counted(own.places, "counter")}${folded}.` : "not instrumented.")];
}

function fuzzerSection(fuzzers) {
  if (!fuzzers.length) return [];
  return [el("h2", null, "Fuzz programs"), scroller("Fuzz programs", table(
    ["Program", "Seed", "Seconds", "Cases", "Executed", "Nodes", "Findings", "Crashes", "Ended early"],
    fuzzers.map((one) => [one.instruction, one.seed, one.seconds.toFixed(1), count(one.cases), count(one.legal),
      count(one.nodes), count(one.findings), count(one.crashes), one.error || "no"]), [1, 2, 3, 4, 5, 6, 7]))];
}

function sweepSection(sweeps) {
  if (!sweeps.length) return [];
  const rules = sweeps.flatMap((sweep) => sweep.rules.map((rule) => [sweep.instruction, rule]));
  return [
    el("h2", null, "Sweeps"),
    scroller("Sweeps", table(
      ["Instruction", "Cases", "Executed", "Rejected", "Unsupported", "Disagree", "Not claimed"],
      sweeps.map((one) => [one.instruction,
        ...[one.cases, one.legal, one.rejected, one.unsupported, one.disagree, one.beyond || 0].map(count)]), [1, 2, 3, 4, 5, 6])),
    el("details", null, el("summary", null, "How often each rule was met"), scroller("Rules met", table(
      ["Instruction", "Rule", "Broken alone", "Broken with others", "Noted", "Kept"],
      rules.map(([instruction, rule]) => [instruction, rule.id,
        ...[rule.brokenAlone, rule.brokenWithOthers, rule.noted, rule.kept].map(count)]), [2, 3, 4, 5]))),
  ];
}
