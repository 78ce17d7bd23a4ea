"use strict";
// The rate table: how many cases a second, and where the time goes.

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function rateNodes(rates) {
  if (!rates.length) return [el("p", null, "Nothing was measured.")];
  return [
    el("p", null, "Shares are of the time of these cases: in the oracle, in the target, which runs each step twice, in the harness that sets up and compares memories, and in the fuzzer that makes the cases."),
    scroller("Rates", table(["Instruction", "Build", "Cases", "How many", "A second", "Oracle", "Target", "Harness", "Fuzzer"],
      rates.map((one) => [one.instruction, one.build, one.kind, count(one.cases), count(Math.round(one.perSecond)),
        percent(one.oracle), percent(one.target), percent(one.harness), percent(one.fuzzer)]), [3, 4, 5, 6, 7, 8])),
  ];
}

/** Share of the bins that can be reached. */
function meter({ reached, open }) {
  const possible = reached + open;
  const share = possible ? Math.floor((100 * reached) / possible) : 100;
  return [el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: `width:${share}%` })),
    ` ${share} % of what can be`];
}
