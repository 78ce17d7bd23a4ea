"use strict";
// How the target of an audit reads what the documents leave open.

/** How the target reads the places at which documents disagree. */
function readingSection(audit) {
  const all = disagreements({ audit });
  if (!all.length) return [];
  const by = (follows) => all.filter((one) => one.follows === follows);
  const differs = [...by("other"), ...by("neither")];
  const row = (one) => [el("a", { href: disagreementHash(one.id) }, one.title), one.follows,
    one.follows === "other" ? (one.readings[1] || { text: "" }).text : one.readings[0] ? one.readings[0].text : ""];
  return [
    el("h2", null, "Where the documents disagree"),
    el("p", null, `At ${counted(all.length, "place")} a document contradicts itself or another one, or leaves a question open. The target follows the reading that we chose at `,
      el("strong", null, count(by("chosen").length)), ", another one at ", el("strong", null, count(by("other").length)), ", neither at ",
      el("strong", null, count(by("neither").length)), `; ${count(by("undecided").length)} are undecided. `, el("a", { href: "#/disagreements" }, "All of them")),
    differs.length > 0 && scroller("Where the target follows another reading", table(["Question", "Target follows", "The reading (of ‘neither’: the one we chose)"], differs.slice(0, 30).map(row))),
    differs.length > 30 && el("p", { class: "soft" }, `… and ${count(differs.length - 30)} more.`),
    el("details", null, el("summary", null, "Which reading at each place"), el("ul", null, all.map((one) =>
      el("li", null, el("a", { href: disagreementHash(one.id) }, one.title), ": ", el("strong", null, one.follows))))),
  ].filter(Boolean);
}
