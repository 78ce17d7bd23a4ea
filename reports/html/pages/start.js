"use strict";
// The first page: of an audit its matrix, else what the program wrote.

function renderStart(args, query) {
  const report = data();
  if (report.campaign) return renderCampaign(query);
  if (report.comparison) return renderComparison(query);
  if (report.audit) return renderMatrix(query);
  if (hasWritten()) return written(query);
  const [first] = Object.keys(report.cases || {});
  const page = first !== undefined && findPage(caseHash(first));
  return page ? page.page.render(page.args, query) : missing("This report holds neither results nor cases.");
}

pages.register(/^#\/?$/, renderStart, { nav: "Start", to: "#/" });

/** Warnings for every page: nothing compared, or not all of it. A campaign's page has its own. */
function warnings({ audit, campaign, reasons = [] }) {
  const lines = reasons.length && !campaign ? [`Not all of this was done: ${reasons.join("; ")}.`] : [];
  if (audit && !audit.steps) lines.push("Nothing was compared: no verdict of this report means anything.");
  return lines;
}

/** What frames every page: warnings above it, the report's name below. */
function drawFrame(report) {
  document.getElementById("main").before(...warnings(report).map((text) =>
    el("p", { class: "alert bad", role: "alert" }, el("strong", null, text))));
  document.getElementById("footer").append(
    `${report.title} · made by lanediff ${report.verb} · `,
    el("a", { href: "#/about" }, "about this report"));
}
