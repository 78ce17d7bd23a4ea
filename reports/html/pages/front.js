"use strict";
// What a report opens with: the sentence, who was under test, the findings worst
// first, and how the target reads what the documents leave open.

const kTones = {
  good: { icon: "✓", tone: "good", meaning: "all that was compared agrees" },
  incomplete: { icon: "!", tone: "mild", meaning: "nothing wrong was seen, but not all was compared" },
  bad: { icon: "✗", tone: "bad", meaning: "something is wrong" },
};

const kClasses = {
  failure: "The target crashed, hung, broke the protocol, or answered otherwise when run again.",
  legality: "It executes a call that the documents refuse, refuses one that they allow, or names other rules.",
  result: "It leaves other bytes than the documents state.",
  notes: "It notes something else than the documents state.",
};

const kSince = { new: { word: "new", tone: "bad" }, still: { word: "still there", tone: "mild" } };

/** Groups on the first page; the others stand behind a button. */
const kFirstGroups = 25;

/** The first lines of the start page of a run or an audit. */
function frontSection(record) {
  const { headline, about, changes, groups = [] } = record;
  if (!headline) return [];
  return [headlineBox(headline, changes, record.target, about), ...groupSection(groups, headline),
    record.groupsLeftOut > 0 && el("p", { class: "soft" }, `… and ${counted(record.groupsLeftOut, "more finding")}, in audit.json.`),
    targetCard(record.target, about, record)];
}

function headlineBox(headline, changes, target, about) {
  const { icon, tone, meaning } = kTones[headline.tone] || kTones.bad;
  const [what, ...rest] = headline.sentence.split("; NOT compared: ");
  return el("section", { class: "headline " + tone, "aria-label": "In one sentence" },
    about && (about.name || about.version) && el("p", null, el("strong", null, about.name), " ", about.version, el("span", { class: "soft" }, " · ", target)),
    el("p", { class: "sentence" }, el("span", { class: "icon", "aria-hidden": "true" }, icon), " ", what, ".",
      el("span", { class: "offscreen" }, ` (${meaning})`)),
    rest.length > 0 && el("p", null, el("strong", null, "Not compared: "), headline.notCompared.join("; "), "."),
    changes && changes.signatures && sinceLine(changes));
}

function sinceLine({ file, signatures: since, target }) {
  return el("p", null, "Since ", el("code", null, file), target ? ` (${target})` : "", ": ",
    el("strong", null, counted(since.new.length, "new finding")), `, ${count(since.gone.length)} gone, ${count(since.still.length)} still there`,
    since.notLookedAt.length > 0 && `, ${count(since.notLookedAt.length)} not looked at this time`, ". ",
    el("a", { href: "#/changes" }, "All changes"));
}

function targetCard(target, about, { vectors, edition }) {
  const rows = [["spelt", el("code", null, target)]];
  if (about && (about.name || about.version)) rows.unshift(["calls itself", [el("strong", null, about.name || "–"), " ", about.version]]);
  if (vectors) rows.push(["vectors", vectors]);
  if (edition) rows.push(["edition of the documents", edition]);
  for (const one of (about && about.capabilities) || []) rows.push([one.field, one.says]);
  return el("section", { class: "under-test" },
    el("h2", null, "What was under test"),
    el("dl", { class: "pairs" }, rows.map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value)))),
    characterPart(target, about));
}

/** What the target does where documents are silent. */
function characterPart(target, about) {
  if (!about) return null;
  if (!about.character.length) {
    return el("p", { class: "soft" }, `Its character (in which order it adds, how it rounds, …) is not known here: ${about.noCharacter || "it was not queried"}. `,
      el("code", null, "lanediff characterise --json FILE"), " queries it.");
  }
  return el("details", null,
    el("summary", null, "Its character: what it does where documents are silent"),
    el("dl", { class: "pairs" }, about.character.map(({ question, answers }) =>
      el("div", null, el("dt", null, question), el("dd", null, answers.map((line) => el("div", null, line)))))));
}

function groupSection(groups, headline) {
  if (!groups.length) return headline.tone === "good" ? [] : [el("h2", null, "Findings"), el("p", null, "None in what was compared.")];
  const list = el("ol", { class: "cards groups" }, groups.slice(0, kFirstGroups).map(groupCard));
  const rest = groups.slice(kFirstGroups);
  const more = rest.length > 0 && el("button", { type: "button", onclick: () => { list.append(...rest.map(groupCard)); more.remove(); } },
    `Show ${counted(rest.length, "more finding")}`);
  return [el("h2", null, "Findings, worst first"), el("p", { class: "soft" },
    "Cases that show the same defect are one finding: its signature is kind, instruction, what and type. The smallest case of each is shown."), list, more];
}

function groupCard(group) {
  const since = kSince[group.since];
  const shown = group.times ? `found ${counted(group.times, "time")}` : counted(group.cases, "case");
  return el("li", { class: "card bad" },
    el("div", { class: "group-head" },
      el("strong", { title: kClasses[group.class] || "" }, groupTitle(group)), " ",
      el("span", { class: "badge none" }, shown), " ",
      since && el("span", { class: "badge " + since.tone }, since.word)),
    el("div", null, group.message),
    el("div", { class: "soft mono" }, group.signature),
    group.rules && el("div", null, "speaks against ", ruleLinks(group.rules), group.products && el("span", { class: "soft" }, ` on ${group.products.join(", ")}`)),
    el("div", null, "smallest case: ", hasCase(group.case) ? el("a", { href: caseHash(group.case) }, group.case) : el("code", null, group.path)),
    group.reproduce && command(group.reproduce));
}

const kKindWords = {
  crash: "crashes", timeout: "gives no answer in time", protocol: "breaks the protocol", state: "another answer in a fresh process",
  "not-deterministic": "another answer when run again", outcome: "runs what is illegal or refuses what is legal", rules: "names other rules",
  memory: "wrong bytes", "reads-outside": "reads what it may not", expectation: "not what the case expects", notes: "other notes",
  "lint-differs": "lint and its model of bytes differ",
};

/** "Min: wrong bytes (nan, half)". */
function groupTitle(group) {
  const [kind, slug, what, type] = group.signature.split("/");
  const more = [what, type].filter((word) => word && !["step", "none", "target", "value"].includes(word));
  return `${group.instruction || slug}: ${kKindWords[kind] || kind}${more.length ? ` (${more.join(", ")})` : ""}`;
}

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
