"use strict";
// The first page: of an audit its matrix, else what the verb has to show.

function renderStart(args, query) {
  const report = data();
  if (report.nightly) return renderNightly();
  if (report.campaign) return renderCampaign(query);
  if (report.lint) return renderLint(query);
  if (report.comparison) return renderComparison(query);
  if (report.audit) return renderMatrix(query);
  if (report.run) return renderFindings(args, query);
  if (report.mutants) return renderMutants(args, query);
  const [first] = Object.keys(report.cases || {});
  const page = first !== undefined && findPage(caseHash(first));
  return page ? page.page.render(page.args, query) : missing("This report holds neither results nor cases.");
}

pages.register(/^#\/?$/, renderStart, { nav: "Start", to: "#/" });

/** Warnings for every page: nothing compared, or not all of it. */
function warnings(report) {
  const lines = [];
  const { audit, run, mutants, comparison } = report;
  if (audit && !audit.steps) lines.push("Nothing was compared: no verdict of this report means anything.");
  if (run && !comparedInRun(run)) lines.push("Nothing was compared in this run: it is no evidence of anything.");
  else if (run && run.complete === false) lines.push(`Not all of this run was done: ${(run.reasons || [run.unfinished]).join("; ")}.`);
  if (mutants && !mutants.mutants.some((one) => one.checkers.some((by) => by.tried))) {
    lines.push("No checker tried a single case: this is no evidence of anything.");
  }
  if (mutants && !mutants.complete) {
    lines.push(mutants.summary.notFinished === 0 ? "The hunt for planted bugs was interrupted." :
      `The hunt for ${counted(mutants.summary.notFinished, "planted bug")} was not finished: a checker may still find them.`);
  }
  if (comparison && !comparison.complete) lines.push(`Not every target was audited as a whole: ${comparison.reasons.join("; ")}.`);
  if (audit && audit.interrupted) lines.push("The audit was interrupted; its counts are not complete.");
  if (audit && audit.stopped) lines.push("The target was not queried any further: " + audit.stopped);
  return lines;
}

/** A fuzz run counts its cases by program, others in their summary. */
function comparedInRun({ summary, fuzzers = [], sweeps = [] }) {
  return summary.steps + [...fuzzers, ...sweeps].reduce((sum, one) => sum + one.cases, 0);
}

/** What frames every page: warnings above it, the report's name below. */
function drawFrame(report) {
  document.getElementById("main").before(...warnings(report).map((text) =>
    el("p", { class: "alert bad", role: "alert" }, el("strong", null, text))));
  document.getElementById("footer").append(
    `${report.title} · made by lanediff ${report.verb} · `,
    el("a", { href: "#/about" }, "about this report"));
}
