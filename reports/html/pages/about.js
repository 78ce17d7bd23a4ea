"use strict";
// What this report is, what its words mean, and how to get it again.

const kCaseVerdicts = ["disagree", "malformed", "unsupported", "tolerated", "known", "agree"];

const kVerbs = {
  audit: "For every rule of the documents an audit runs cases on both sides of each boundary, on every product, and gives a verdict with cases that can be replayed.",
  check: "Replays cases on target and reference and compares what came out, byte by byte.",
  fuzz: "Fuzz programs made cases guided by coverage; what disagreed was confirmed, shrunk and saved.",
  sweep: "Compares on systematic cases: both sides of every rule's boundary, special values, pairs of parameter classes.",
  lint: "Judges programs as they were meant, by the oracle alone: rules, races, unwritten bytes, flags, masks.",
  mutants: "Plants known bugs one by one and lists which checker finds each.",
  explain: "Shows one case: what its calls do, and which rules they meet.",
  index: "The start page of a nightly run: what each stage ran, how much it compared, what came out.",
};

function renderAbout() {
  const report = data();
  return {
    title: "About this report",
    nodes: [
      el("p", { class: "lead" }, "lanediff compares the documents of Ascend's vector intrinsics with an implementation. ", kVerbs[report.verb] || ""),
      ...countsSection(report),
      el("h2", null, "Verdicts of a rule"), legend(kRuleVerdicts, (word) => kindOf(word).means, badge),
      el("h2", null, "Verdicts of a case"), legend(kCaseVerdicts, (word) => kindOf(word).means, badge),
      el("h2", null, "Evidence levels, the strongest first"), legend(Object.keys(kEvidenceLevels), (word) => kEvidenceLevels[word]),
      el("p", { class: "note" }, kAgreement),
      el("h2", null, "Provenance"), legend(Object.keys(kProvenances), (word) => kProvenances[word]),
      el("h2", null, "Other words"), legend(Object.keys(kTerms), (word) => kTerms[word]),
      el("h2", null, "How to get it again"), ...again(report),
      el("p", null, "Files of cases are named relative to this report; the command beside each case shows it again."),
    ],
  };
}

pages.register(/^#\/about$/, renderAbout, { nav: "About", to: "#/about" });

function countsSection({ audit, cases = {}, parts = {} }) {
  const known = [];
  if (audit) {
    known.push(["target", audit.target], audit.vectors && ["vectors of the emulator", audit.vectors], ["reference", audit.reference],
      audit.edition && ["edition of the documents", audit.edition], ["cases generated", count(audit.cases)], ["cases compared", count(audit.compared)],
      ["steps compared", count(audit.steps)], ["bytes compared", count(audit.comparedBytes)], ["arithmetic nodes", count(audit.nodes)],
      ["unsupported", count(audit.unsupported)], ["left out, beyond what the target claims", count(audit.beyond || 0)], ["not run", count(audit.skipped)], ["crashed", count(audit.crashed)], ["hung", count(audit.hung)]);
  }
  known.push(["case pages", count(new Set([...Object.keys(cases), ...Object.keys(parts.cases || {})]).size)]);
  return [el("h2", null, "What was compared"), facts(known, "", "")];
}

/** The command behind the report, as far as its records have it. */
function again({ verb, audit }) {
  const target = (audit || {}).target;
  const named = target && target !== "emulator" ? ` --target ${target}` : "";
  const lines = {
    audit: `lanediff audit${named} --out DIR`,
    check: "lanediff check PATH… --html DIR",
    fuzz: "lanediff fuzz --html DIR",
    sweep: "lanediff sweep --html DIR",
    lint: "lanediff lint PATH… --html DIR",
    mutants: "lanediff mutants --html DIR",
    explain: "lanediff explain CASE --html DIR",
    index: "script/nightly",
  };
  return lines[verb] ? [command(lines[verb])] : [];
}
