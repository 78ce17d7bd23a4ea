"use strict";
// Places at which documents disagree, with themselves or each other.

const kFollows = {
  chosen: "the target does as the reading we chose",
  other: "the target does as the other reading",
  neither: "the target does as neither reading",
  undecided: "the case doesn't show which reading the target follows",
};

function disagreementHash(id) {
  return "#/disagreement/" + encodeURIComponent(id);
}

/** Those that touch most legal calls come first. */
function disagreements(report) {
  return results(report).disagreements || [];
}

/** The titles that its readings cite. */
function documentsOf(one) {
  return distinct(one.readings, (reading) => (reading.citations || []).map(({ title }) => title));
}

const kDiffer = "Of 1000 legal calls made at random of each instruction: how many come out otherwise by another reading. 0: the readings differ only in what is refused, or in calls that are not among these.";

/** The documents, those whose disagreements touch most legal calls first. */
function documentSection(rows) {
  const titles = distinct(rows, documentsOf).map((title) => {
    const own = rows.filter((one) => documentsOf(one).includes(title));
    return { title, own, differ: own.reduce((sum, one) => sum + (one.differ || 0), 0) };
  }).sort((a, b) => b.differ - a.differ);
  return titles.length ? [el("h2", null, "By document"), scroller("Disagreements by document",
    table(["Document", "Disagreements", "Calls that differ, in all"], titles.map(({ title, own, differ }) =>
      [place(title), el("a", { href: "#/disagreements?document=" + encodeURIComponent(title), "aria-label": `${own.length} of ${title}` }, count(own.length)), count(differ)]), [1, 2]))] : [];
}

/** What each target does: of an audit its one, in its own words. */
function followColumns() {
  const { targets } = results();
  return targets ? targets.map((target, i) => ({ id: `target${i}`, title: target.target, class: "target", value: (one) => one.follows[i],
    cell: (one) => inReport(target, disagreementHash(one.id), one.follows[i], one.id) })) : [
    { id: "kind", title: "Kind", value: (one) => one.kind, cell: (one) => one.kind },
    { id: "chosen", title: "Chosen reading", cell: (one) => one.readings[0] ? one.readings[0].text : "" },
    { id: "follows", title: "Target follows", value: (one) => one.follows, cell: (one) => one.follows },
    { id: "rules", title: "Rules", value: (one) => one.rules.join(), cell: (one) => ruleLinks(one.rules) },
  ];
}

function renderDisagreements(args, query) {
  const rows = disagreements(data());
  return {
    title: "Where the documents disagree",
    nodes: [
      el("p", { class: "lead" }, "Places where a document contradicts itself or another one, or leaves a question open. Each has the reading we chose, the reason, and a case that separates the readings."),
      el("p", { class: "note" }, el("strong", null, "Calls that differ. "), kDiffer),
      ...listing({
        label: "Disagreements of the documents", noun: "disagreement", rows, query,
        columns: [
          { id: "title", title: "What", head: true, class: "rule", value: (one) => one.title,
            cell: (one) => el("a", { href: disagreementHash(one.id) }, one.title) },
          { id: "differ", title: "Calls that differ", class: "number", value: (one) => one.differ || 0, cell: (one) => count(one.differ || 0) },
          { id: "documents", title: "Documents", value: (one) => documentsOf(one).join(), cell: (one) => el("span", { lang: "zh" }, documentsOf(one).join(", ")) },
          ...followColumns(),
        ],
        filters: [results().targets ? alikeFilter((one) => one.follows)
          : choice("follows", "Target follows", Object.keys(kFollows), (one) => one.follows),
        choice("document", "Document", distinct(rows, documentsOf).sort(), documentsOf)],
        groups: { document: documentsOf },
        text: (one) => [one.id, one.title, one.why, ...one.rules, ...one.readings.flatMap((reading) => [reading.text, reading.document, reading.quote || ""])].join(" "),
      }),
      ...documentSection(rows),
    ],
  };
}

pages.register(/^#\/disagreements$/, renderDisagreements,
  { nav: "Disagreements", to: "#/disagreements", when: (report) => disagreements(report).length > 0 });

function ruleLinks(ids) {
  return ids.flatMap((id, i) => [i ? ", " : "", el("a", { href: ruleHash(id) }, id)]);
}

/** What the target of an audit does, and the case that shows it. */
function followed(one) {
  return [
    el("h2", null, "What the target does"),
    el("p", null, el("strong", null, one.follows), ": ", kFollows[one.follows] || "", one.product && `, on ${one.product}`, "."),
    one.message && el("pre", null, one.message),
    el("h2", null, "The case that separates them"),
    el("p", null, one.case ? caseLink(one.case) : "none", one.file && [", file ", el("code", null, one.file)]),
    one.reproduce && command(one.reproduce),
  ];
}

function renderDisagreement([id]) {
  const one = disagreements(data()).find((each) => each.id === id);
  if (!one) return missing(`There is no disagreement ${id}.`);
  return {
    title: one.title,
    kicker: `${one.id} · ${one.kind}`,
    nodes: [
      el("ol", { class: "cards readings" }, one.readings.map((reading, i) => el("li", { class: i ? "card" : "card chosen" },
        el("strong", null, i ? "Other reading" : "Chosen reading"),
        el("p", null, reading.text),
        cited(reading)))),
      el("p", null, el("strong", null, `${count(one.differ || 0)} legal calls differ. `), el("span", { class: "soft" }, kDiffer)),
      el("h2", null, "Why the first was chosen"), el("p", null, one.why),
      ...(results().targets ? followedBy(one) : followed(one)),
      one.rules.length > 0 && el("p", null, "Rules that rest on the chosen reading: ", ruleLinks(one.rules)),
      el("p", null, el("a", { href: "#/disagreements" }, "All disagreements")),
    ].filter(Boolean),
  };
}

pages.register(/^#\/disagreement\/(.+)$/, renderDisagreement);
