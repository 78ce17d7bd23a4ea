"use strict";
// Bins of the functional coverage: what was reached, what was not, and why.

function coverageOf(report) {
  return report.coverage || (report.run && report.run.coverage) || [];
}

function renderCoverage(args, query) {
  const rooms = coverageOf(data());
  if (!rooms.length) return missing("This report holds no functional coverage.");
  const holes = rooms.flatMap((room) => room.holes.map((hole) => ({ room: room.room, ...hole })));
  return {
    title: "Functional coverage",
    nodes: [
      el("p", { class: "lead" }, "A bin is something that a set of cases should have met: a rule broken, a value of a field, a layout, a mask, an event of arithmetic. A hole is a bin that this run did not reach."),
      scroller("Rooms", table(["Instruction", "Bins", "Reached", "Share", "Can't be reached", "Open"], rooms.map((room) => [
        room.room, count(room.bins), count(room.reached), meter(room),
        count(room.holes.length - room.open), count(room.open)]), [1, 2, 4, 5])),
      el("h2", null, "Holes"),
      ...listing({
        label: "Holes", noun: "hole", rows: holes, query,
        columns: [
          { id: "bin", title: "Bin", head: true, class: "rule", value: (hole) => hole.bin, cell: (hole) => hole.bin },
          { id: "state", title: "State", value: stateOf, cell: stateOf },
          { id: "why", title: "Filled by, or why never", cell: (hole) => hole.never || (hole.filledBy ? [el("code", null, hole.filledBy)] : "no case is known that reaches it") },
        ],
        filters: [
          { id: "room", label: "Instruction", options: distinct(holes, (hole) => hole.room), keeps: (hole, value) => hole.room === value },
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
function meter(room) {
  const possible = room.reached + room.open;
  const percent = possible ? Math.floor((100 * room.reached) / possible) : 100;
  return [el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: `width:${percent}%` })),
    ` ${percent} % of what can be`];
}
