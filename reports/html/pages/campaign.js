"use strict";
// Many days: what is open, what was fixed and came back, and how far fuzzing
// came.

const kFindingClasses = [
  ["failure", "the target failed"], ["legality", "legality"], ["result", "wrong results"], ["notes", "notes"],
  ["planted bug", "planted bugs that survived"],
];

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

/** 2027-02-01T02:00:00Z → 2027-02-01 and, small, the commit or 02:00 UTC. */
function momentText({ date, commit }) {
  const below = commit || (date.length > 10 && date.slice(11, 16) + " UTC");
  return [el("span", { class: "date" }, date.slice(0, 10)), below && el("div", { class: "soft" }, below)];
}

function dateText(date) {
  return momentText({ date });
}

function renderCampaign(query) {
  const { campaign } = data();
  const open = campaign.findings.filter((one) => one.state === "open" || one.state === "came back");
  return {
    title: "A campaign of lanediff",
    nodes: [
      el("div", { class: "headline " + (open.length ? "bad" : "good") }, el("p", { class: "sentence" }, campaign.sentence)),
      campaign.days.length > 0 && openFigure(campaign),
      el("h2", null, "Findings"),
      el("p", null, "A finding is a signature: cases that show the same defect of the same target. It is fixed at the first complete run that looked for it and did not see it; with fuzzing after ",
        counted(campaign.silentDays, "silent day"), " in a row. Commands are to be run in the folder of this page."),
      ...campaignFindings(campaign, query),
      ...coverageFigures(campaign),
      ...rateFigures(campaign),
      el("h2", null, "Runs"),
      campaignRuns(campaign),
    ].filter(Boolean),
  };
}

function openFigure(campaign) {
  const { days, missing } = campaign;
  const series = kFindingClasses.map(([id, name], i) => ({ id, name, colour: i, mark: "■", values: days.map((day) => day.open[i]) }))
    .concat([{ id: "accepted", name: "accepted as known", colour: 5, mark: "■", values: days.map((day) => day.accepted) }])
    .filter((one) => one.values.some((value) => value > 0));
  const marks = days.flatMap((day) => day.cameBack.length ? [{ date: day.date, text: "↺", title: `${day.date}: came back: ${day.cameBack.join(", ")}` }] : []);
  const keys = series.concat(marks.length ? [{ name: "one came back", colour: "back", mark: "↺" }] : []);
  const some = (dates) => dates.slice(0, 5).join(", ") + (dates.length > 5 ? ` and ${counted(dates.length - 5, "more day")}` : "");
  const partly = days.filter((day) => day.incomplete > 0).map((day) => day.date.slice(0, 10));
  const caption = ["Findings that were open after each day, by what is wrong.",
    missing.length ? `No run, and no bar: ${some(missing)}.` : "",
    partly.length ? `Not all was done, and what was not seen may still be there: ${some(partly)}.` : ""].join(" ");
  const numbers = scroller("Findings open over time", table(["Date", ...series.map((one) => one.name), "New", "Came back", "Fixed", "Runs"],
    days.map((day, i) => [dateText(day.date), ...series.map((one) => count(one.values[i])), day.new.join(", ") || "–", day.cameBack.join(", ") || "–", day.fixed.join(", ") || "–",
      day.incomplete ? `${day.runs}, ${day.incomplete} not complete` : count(day.runs)]), series.map((_, i) => i + 1)));
  return figure("Findings open over time", caption, stackPlot("Findings open over time", days.map((day) => day.date), "open findings", series, marks), keys, numbers);
}

function campaignFindings({ findings }, query) {
  if (!findings.length) return [el("p", null, "No run has found anything.")];
  const last = (found) => found.periods[found.periods.length - 1];
  const several = distinct(findings, (found) => found.target).length > 1;
  return listing({
    label: "Findings", noun: "finding", rows: findings, query,
    columns: [
      { id: "state", title: "State", value: (found) => found.state, cell: (found) => [badge(found.state),
        found.silent && el("div", { class: "soft" }, `silent for ${counted(found.silent, "day")}: too few for a fix`),
        found.accepted && el("div", { class: "soft" }, found.accepted)] },
      { id: "signature", title: "Finding and its smallest case", head: true, class: "found", value: (found) => found.signature, cell: (found) => [
        el("div", null, found.signature), several && el("div", { class: "soft" }, found.target), found.message && el("div", { class: "statement" }, found.message),
        found.caseFile && el("div", null, fileLink(found.caseFile, found.case)), found.reproduce && command(found.reproduce)] },
      { id: "instruction", title: "Instruction", value: (found) => found.instruction, cell: (found) => found.instruction },
      { id: "first", title: "First seen", value: (found) => found.periods[0].seen.date, cell: (found) => momentText(found.periods[0].seen) },
      { id: "last", title: "Last seen", value: (found) => last(found).lastSeen.date, cell: (found) => momentText(last(found).lastSeen) },
      { id: "fixed", title: "Fixed", cell: (found) => found.periods.some((one) => one.fixed) ? found.periods.filter((one) => one.fixed).map((one) => el("div", null, momentText(one.fixed), el("div", { class: "soft" }, "by " + one.fixedBy))) : "–" },
      { id: "back", title: "Came back", cell: (found) => found.periods.length > 1 ? found.periods.slice(1).map((one) => el("div", null, momentText(one.seen))) : "–" },
      { id: "times", title: "Times", class: "number", value: (found) => found.times, cell: (found) => [count(found.times), el("div", { class: "soft" }, counted(found.days, "day"))] },
    ],
    filters: [
      ["state", "State"], ["instruction", "Instruction"], ...(several ? [["target", "Target"]] : []),
    ].map(([id, label]) => choice(id, label, distinct(findings, (found) => found[id]), (found) => found[id])),
    text: (found) => [found.signature, found.target, found.message, found.case].join(" "),
  });
}

/** Rows by their `keyOf`, in the order of rows. */
function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) || []), row]);
  return [...groups];
}

/** No more lines than colours in one plot. */
function chunks(list, size = kMarks.length) {
  return list.length ? [list.slice(0, size), ...chunks(list.slice(size), size)] : [];
}

function coverageFigures({ coverage }) {
  return grouped(coverage, (row) => row.target).flatMap(([target, rows]) => chunks(grouped(rows, (row) => row.instruction)).map((lines) => {
    const series = lines.map(([name, points], i) => ({ name, colour: i, mark: kMarks[i], points: points.filter((row) => row.bins > 0 && row.cases > 0).map((row) => ({
      at: row.cases, y: (100 * row.reached) / row.bins, title: `${name}, ${row.date}: ${count(row.reached)} of ${count(row.bins)} bins after ${count(row.cases)} cases` })) })).filter((line) => line.points.length);
    if (!series.length) return null;
    const title = "Coverage bins reached over cases" + of(target, coverage);
    const x = logScale(series.flatMap((line) => line.points.map((point) => point.at)), "cases that fuzzing made so far (logarithmic)");
    return figure(title, "Share of the functional coverage's bins that fuzzing has reached, of those that can be reached: a point for each day. A line that stays level has little left to find this way.",
      linePlot(title, x, "% of bins reached", series), series,
      scroller(title, table(["Instruction", "Date", "Cases so far", "Bins reached", "Bins"], lines.flatMap(([name, points]) => points.map((row) =>
        [name, dateText(row.date), count(row.cases), count(row.reached), count(row.bins)])), [2, 3, 4])));
  }));
}

function of(target, rows) {
  return distinct(rows, (row) => row.target).length > 1 ? `: ${target}` : "";
}

function rateFigures({ rates, days }) {
  const dates = days.map((day) => day.date);
  const wholeDay = (date) => Math.floor(dayOf(date));
  const numbers = distinct(dates, wholeDay);
  const steps = numbers.slice(1).map((number, i) => number - numbers[i]).sort((a, b) => a - b);
  const usual = steps.length ? steps[Math.floor(steps.length / 2)] : 1;
  return grouped(rates, (row) => row.target + "\n" + row.build).flatMap(([, rows]) => chunks(grouped(rows, (row) => row.instruction)).map((lines) => {
    const [{ target, build }] = rows;
    const series = lines.map(([name, points], i) => ({ name, colour: i, mark: kMarks[i], points: points.map((row, j) => ({
      at: row.date, y: row.legalPerSecond, apart: j > 0 && wholeDay(row.date) - wholeDay(points[j - 1].date) > 1.5 * usual,
      title: `${name}, ${row.date}: ${count(Math.round(row.legalPerSecond))} legal cases a second` })) }));
    const title = "Rates of fuzzing by instruction" + of(target, rates) + (build ? `, ${build}` : "");
    return figure(title, "Legal cases that one fuzz program compares in a second, day by day. A line is broken where a day is missing.",
      linePlot(title, dateScale(dates), "legal cases per second", series), series,
      scroller(title, table(["Instruction", "Date", "Legal cases/s", "Cases/s", "Findings/s", "Nodes/s"], lines.flatMap(([name, points]) => points.map((row) =>
        [name, dateText(row.date), axisNumber(row.legalPerSecond), axisNumber(row.casesPerSecond), axisNumber(row.findingsPerSecond), axisNumber(row.nodesPerSecond)])), [2, 3, 4, 5])));
  }));
}

function campaignRuns({ runs }) {
  const partly = runs.filter((run) => !run.complete).length;
  return el("details", null,
    el("summary", null, `${counted(runs.length, "run")}, ${partly ? count(partly) : "none"} of them not complete: these never fix a finding`),
    scroller("Runs", table(["Date", "Verb", "Target", "Commit", "Complete", "Cases", "Findings", "Took"], runs.map((run) => [
      dateText(run.date), [run.verb, el("div", { class: "soft" }, `edition ${run.edition}`), run.label && el("div", { class: "soft" }, run.label)], run.target, run.commit || "–",
      run.complete ? "yes" : [el("span", { class: "problem" }, "no"), ` ${run.unfinished}`],
      count(run.cases), count(run.findings), run.seconds ? duration(Math.round(run.seconds)) : "–"]), [5, 6])));
}
