"use strict";
// What lint found: the sentence, findings by signature worst first, programs.

/** Programs with findings that are shown at once; the others on demand. */
const kFirstPrograms = 50;

const kDoings = { "SYNC-RAW": ["writes", "reads"], "SYNC-WAR": ["reads", "writes"], "SYNC-WAW": ["writes", "writes"], "INIT-READ": ["first reads", "reads"], "INIT-STALE": ["wrote before", "reads"] };

function renderLint() {
  const { lint } = data();
  const bad = lint.cases.filter((one) => one.findings);
  return {
    title: "lint: programs as they were meant",
    nodes: [
      lintHeadline(lint.headline),
      el("p", { class: "soft" }, "Edition of the documents: ", [...new Set(lint.cases.map((one) => one.edition))].sort().join(", ") || "–"),
      ...lintGroups(lint.groups),
      ...lintProducts(lint.cases),
      bad.length > 0 && el("h2", null, "Programs"),
      ...lintPrograms(bad),
    ].filter(Boolean),
  };
}

function lintHeadline({ sentence, tone, notLookedAt }) {
  const { icon, tone: look } = kTones[tone] || kTones.bad;
  const [what] = sentence.split("; NOT looked at: ");
  return el("section", { class: "headline " + look, "aria-label": "In one sentence" },
    el("p", { class: "sentence" }, el("span", { class: "icon", "aria-hidden": "true" }, icon), " ", what, "."),
    notLookedAt.length > 0 && el("p", null, el("strong", null, "Not looked at: "), notLookedAt.join("; "), "."));
}

function lintGroups(groups) {
  if (!groups.length) return [];
  return [el("h2", null, "Findings, worst first"),
    el("p", { class: "soft" }, "Findings of one instruction, rule and type are one, with one signature. The one of the shortest program is shown."),
    el("ol", { class: "cards groups" }, groups.map((group) => el("li", { class: "card bad" },
      el("div", { class: "group-head" }, el("strong", null, group.rule), " ", el("span", { class: "badge none" }, group.group), " ",
        el("span", { class: "badge none" }, `${counted(group.times, "time")} in ${counted(group.cases, "program")}`)),
      el("div", null, group.message),
      el("div", { class: "soft mono" }, group.signature),
      el("div", null, "shown by ", el("code", null, group.case), ` on ${group.product}`),
      command(group.reproduce))))];
}

/** Where programs were looked at on several products: one row for each. */
function lintProducts(cases) {
  const products = [...new Set(cases.map((one) => one.product))];
  const paths = [...new Set(cases.map((one) => one.path))];
  if (products.length < 2 || cases.length === paths.length) return [];
  const at = new Map(cases.map((one) => [one.path + "\n" + one.product, one]));
  return [el("h2", null, "By product"), scroller("By product", table(["Program", ...products],
    paths.map((path) => [path, ...products.map((product) => lintOutcome(at.get(path + "\n" + product)))])))];
}

function lintOutcome(one) {
  if (!one) return "–";
  if (one.rejected) return `step ${one.rejected.step} rejected`;
  if (one.unsupported !== undefined) return `step ${one.unsupported} unsupported`;
  return one.hazards.length ? counted(one.hazards.length, "hazard") : "clean";
}

function lintPrograms(cases) {
  const list = el("div", null, cases.slice(0, kFirstPrograms).map(lintProgram));
  const rest = cases.slice(kFirstPrograms);
  const more = rest.length > 0 && el("button", { type: "button", onclick: () => { list.append(...rest.map(lintProgram)); more.remove(); } },
    `Show ${counted(rest.length, "more program")}`);
  return [list, more];
}

function lintProgram(one) {
  return el("section", { class: "card" },
    el("h3", null, one.path, el("span", { class: "soft" }, ` on ${one.product}`)),
    !one.racecheck && el("p", { class: "soft" }, "Races were not looked for: the case does not specify its synchronization."),
    one.rejected && lintRejected(one.rejected),
    one.hazards.map(lintHazard),
    one.findings.filter((finding) => finding.known).map((finding) => el("p", { class: "soft" }, `known: ${finding.signature}: ${finding.known}`)),
    one.findings.filter((finding) => finding.alone).map((finding) =>
      el("p", null, `${finding.rule} at step ${finding.step} alone: `, el("code", null, finding.alone))),
    one.after && (one.after.rejected.length > 0 || one.after.hazards.length > 0 || one.after.atEnd) && el("details", null,
      el("summary", null, "What follows the rejected step, as if it did nothing"), one.after.rejected.map(lintRejected), one.after.hazards.map(lintHazard),
      one.after.atEnd && el("p", { class: "soft" }, "Open at the end, and not judged as it is not reached:"), (one.after.atEnd || []).map(lintHazard)),
    command(one.reproduce));
}

function lintRejected(rejected) {
  return el("div", null,
    el("h4", null, `step ${rejected.step} is rejected: ${rejected.rules.join(", ")}`),
    el("ul", null, (rejected.witness || []).map((one) => el("li", null, el("strong", null, one.rule), ` ${one.statement} `, el("div", null, one.text)))),
    rejected.repair && lintDiff(rejected.repair, rejected.step),
    rejected.repair === null && el("p", { class: "soft" }, "No repair was found."));
}

function diffLine(sign, text) {
  return el("div", { class: "mono " + (sign === "-" ? "diff-old" : "diff-new") }, `${sign} ${text}`);
}

/** A repair as what goes and what comes. */
function lintDiff(repair, step) {
  return el("div", { class: "diff" }, el("p", null, "repair: ", repair.text),
    (repair.before || []).map((one) => diffLine("+", `${JSON.stringify(one)} before step ${step}`)),
    repair.changes.flatMap((one) => {
      const name = one.step === undefined ? one.field : `step ${one.step} ${one.field}`;
      return [diffLine("-", `${name}: ${one.from}`), diffLine("+", `${name}: ${one.to}`)];
    }),
    (repair.behind || []).map((one) => diffLine("+", `${JSON.stringify(one)} behind step ${step}`)));
}

function lintHazard(hazard) {
  const [first, then] = kDoings[hazard.rule] || ["", ""];
  const row = (place, does) => [`step ${place.step}`, place.op, place.pipe || "", place.operand || "", place.iteration === undefined ? "" : count(place.iteration), does,
    hazard.memory && place.operand ? `${hazard.memory} ${count(hazard.at)} to ${count(hazard.at + hazard.bytes - 1)}` : ""];
  const rows = [hazard.earlier && row(hazard.earlier, first), row(hazard.later, then)].filter(Boolean);
  return el("div", null,
    el("h4", null, `${hazard.rule} at step ${hazard.later.step}`),
    scroller(hazard.rule, table(["Step", "Call", "Pipe", "Operand", "Iteration", "Does", "Bytes"], rows)),
    hazard.memory && hazard.total > hazard.bytes && el("p", { class: "soft" }, `${counted(hazard.total, "byte")} in all${hazard.folded ? `, ${counted(hazard.folded, "more pair")} of accesses` : ""}.`),
    hazard.cause && el("p", { class: "soft" }, `${hazard.cause.text[0].toUpperCase()}${hazard.cause.text.slice(1)}.`),
    lintFix(hazard),
    hazard.repair && lintDiff(hazard.repair, hazard.later.step),
    hazard.repair === null && el("p", { class: "soft" }, "No repair was found."));
}

function lintFix({ fix, fixAt }) {
  if (!fix.length) return null;
  const place = ({ behind, before }) => before === undefined ? `behind step ${behind}` : `before step ${before}`;
  const lines = fix.map((step, i) => `${JSON.stringify(step)} ${place(fixAt[i])}`);
  return el("div", { class: "diff" }, lines.map((text) => diffLine("+", text)));
}
