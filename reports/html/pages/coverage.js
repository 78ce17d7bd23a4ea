"use strict";
// Bins of the functional coverage: what was reached, what was not, and why.

function coverageOf(report) {
  return report.coverage || (report.run && report.run.coverage) || [];
}

function renderCoverage(args, query) {
  const modules = coverageOf(data());
  if (!modules.length) return missing("This report holds no functional coverage.");
  const holes = modules.flatMap(({ instruction, holes: list }) => list.map((hole) => ({ instruction, ...hole })));
  return {
    title: "Functional coverage",
    nodes: [
      el("p", { class: "lead" }, "A bin is something that a set of cases should have met: a rule broken, a value of a field, a layout, a mask, an event of arithmetic. A hole is a bin that this run did not reach."),
      scroller("Modules", table(["Instruction", "Bins", "Reached", "Share", "Can't be reached", "Open"], modules.map((one) => [
        one.instruction, count(one.bins), count(one.reached), meter(one),
        count(one.holes.length - one.open), count(one.open)]), [1, 2, 4, 5])),
      el("h2", null, "Holes"),
      ...listing({
        label: "Holes", noun: "hole", rows: holes, query,
        columns: [
          { id: "bin", title: "Bin", head: true, class: "rule", value: (hole) => hole.bin, cell: (hole) => hole.bin },
          { id: "state", title: "State", value: stateOf, cell: stateOf },
          { id: "why", title: "Filled by, or why never", cell: (hole) => hole.never || (hole.filledBy ? [el("code", null, hole.filledBy)] : "no case is known that reaches it") },
        ],
        filters: [
          { id: "instruction", label: "Instruction", options: distinct(holes, (hole) => hole.instruction), keeps: (hole, value) => hole.instruction === value },
          { id: "state", label: "State", options: ["open", "can't be"], keeps: (hole, value) => stateOf(hole) === value },
        ],
        text: (hole) => [hole.bin, hole.never || "", hole.filledBy || ""].join(" "),
      }),
    ],
  };
}

pages.register(/^#\/coverage$/, renderCoverage, { nav: "Coverage", to: "#/coverage", when: (report) => coverageOf(report).length > 0 });

function stateOf(hole) {
  return hole.never ? "can't be" : "open";
}

/** Share of the bins that can be reached. */
function meter({ reached, open }) {
  const possible = reached + open;
  const percent = possible ? Math.floor((100 * reached) / possible) : 100;
  return [el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: `width:${percent}%` })),
    ` ${percent} % of what can be`];
}
