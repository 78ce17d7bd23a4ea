"use strict";
// A nightly run: what each stage ran and compared, its results and their files.

/** Exit statuses as words; the colour comes with the word, never alone. */
const kStatusWords = {
  0: { word: "agrees", icon: "✓", tone: "good" },
  1: { word: "disagrees", icon: "✗", tone: "bad" },
  2: { word: "nothing compared, or malformed", icon: "!", tone: "bad" },
  3: { word: "a target failed", icon: "!", tone: "bad" },
};

const kDidNotRun = { word: "did not run", icon: "–", tone: "none" };

function statusOf(stage) {
  if (stage.status === null) return kDidNotRun;
  if (stage.unfinished) {
    return { word: stage.status === 1 ? "disagrees, and not finished" : "not finished", icon: "!", tone: "bad" };
  }
  return kStatusWords[stage.status] || { word: `ended with status ${stage.status}`, icon: "!", tone: "bad" };
}

function statusBadge(stage) {
  const { word, icon, tone } = statusOf(stage);
  return el("span", { class: "badge " + tone }, el("span", { class: "icon", "aria-hidden": "true" }, icon), word);
}

/** 3725 → "1 h 2 min", 65 → "1 min 5 s". */
function duration(seconds) {
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A file of the run's folder; names of files may hold anything. */
function fileLink(file, text) {
  const [path, hash] = file.split("#");
  const address = path.split("/").map(encodeURIComponent).join("/");
  return el("a", { href: hash === undefined ? address : `${address}#${hash}` }, text);
}

function renderNightly() {
  const { date, commit, stages, coverage, rates, findings } = data().nightly;
  const ran = stages.filter((stage) => stage.status !== null);
  const bad = ran.filter((stage) => stage.status !== 0);
  return {
    title: "A nightly run of lanediff",
    kicker: [date, commit && `commit ${commit}`].filter(Boolean).join(" · "),
    nodes: [
      el("p", { class: "lead" }, `${ran.length} of ${counted(stages.length, "stage")} ran, ${duration(ran.reduce((sum, stage) => sum + stage.seconds, 0))} in all. `,
        bad.length ? `Not well: ${bad.map((stage) => stage.name).join(", ")}.` : ran.length ? "All of them ended well." : "Nothing is known."),
      scroller("Stages", table(["Stage", "Result", "Took", "How much", "Left"], stages.map(stageRow), [2])),
      el("h2", null, "Functional coverage of fuzzing"), ...coverageNodes(coverage),
      el("h2", null, "Rates"), ...rateNodes(rates),
      el("h2", null, "Findings"), ...findingNodes(findings),
    ],
  };
}

function stageRow(stage) {
  const ran = stage.status !== null;
  return [
    [el("strong", null, stage.name), el("div", { class: "soft" }, stage.does)],
    statusBadge(stage),
    ran ? duration(stage.seconds) : "–",
    [stage.figures.map((one) => `${count(one.number)} ${one.what}`).join(", "),
      stage.problem && el("div", { class: "problem" }, stage.problem)],
    stage.links.flatMap((link, i) => [i ? " · " : "", fileLink(link.file, `${stage.name} ${link.text}`)]),
  ];
}

function coverageNodes(modules) {
  if (!modules.length) return [el("p", null, "Nothing was measured.")];
  return [scroller("Functional coverage", table(["Instruction", "Bins", "Reached", "Share", "Open"],
    modules.map((one) => [one.instruction, count(one.bins), count(one.reached), meter(one), count(one.open)]), [1, 2, 4]))];
}

function findingNodes(files) {
  if (!files.length) return [el("p", null, "There is no case in findings/.")];
  return [
    el("p", null, `${counted(files.length, "case")} of this run and of earlier ones.`),
    el("ul", null, files.map((file) => el("li", null, fileLink(file, file)))),
  ];
}
