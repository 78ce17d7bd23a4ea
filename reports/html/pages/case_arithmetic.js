"use strict";
// The arithmetic of a step: a tree of sums, the phases of a product, or a node
// for each lane; and how far the result is from the true one.

function arithmeticSection(stage) {
  const { step } = stage;
  if (!step.counts) return [];
  const inner = el("div", { class: "arithmetic" });
  stage.listeners.push((place) => {
    const at = place > 0 ? place - 1 : Math.max(0, step.shown.findIndex((one) => one.number === step.focus));
    inner.replaceChildren(...iterationArithmetic(stage, step.shown[at], place === 0));
  });
  return [
    el("h3", null, "Arithmetic"),
    el("p", null, `All ${step.iterationWord}s: ${countsText(step.counts)}.`),
    ...phaseTable(step),
    inner,
    ...trueResultTable(step),
  ];
}

function countsText({ all, rounded, ties, saturated, wrapped, nan }) {
  return [counted(all, "node") + ": " + (rounded ? `${count(rounded)} rounded` : "none rounded"),
    ties > 0 && `${count(ties)} of them tied`, saturated > 0 && `${count(saturated)} saturated`,
    wrapped > 0 && `${count(wrapped)} wrapped`, nan > 0 && `${count(nan)} with NaN`].filter(Boolean).join(", ");
}

function phaseTable({ phases }) {
  if (!phases) return [];
  return [scroller("Phases", table(["Phase", "Levels", "What meets what", "Nodes", "Rounded", "Tied", "Saturated"], phases.map((one) => [
    one.name, one.firstLevel === one.lastLevel ? one.firstLevel : `${one.firstLevel}–${one.lastLevel}`, one.meaning,
    count(one.counts.all), count(one.counts.rounded), count(one.counts.ties), count(one.counts.saturated)].map(String)), [3, 4, 5, 6]))];
}

/** Nodes as objects, by the names that the report gives to their members. */
function nodesOf(view, iteration) {
  return (iteration.nodes || []).map((values) =>
    Object.fromEntries(view.nodeColumns.map((name, i) => [name, values[i]])));
}

function iterationArithmetic({ view, step }, iteration, isFocus) {
  const name = `${step.iterationWord} ${iteration.number}`;
  if (!iteration.counts) return [el("h4", null, name), el("p", null, "No node.")];
  const nodes = nodesOf(view, iteration);
  const whole = !iteration.omittedNodes;
  const left = iteration.omittedNodes > 0 && el("p", { class: "soft" },
    `… ${counted(iteration.omittedNodes, "node")} of this ${step.iterationWord} left out${nodes.length ? "; those to which something happened came first" : ""}.`);
  const summary = nodes.length > 0 && el("details", { open: !(whole && step.arithmetic === "tree") },
    el("summary", null, step.arithmetic === "tree" && whole ? "The same as a table" : `Nodes of ${name}`), nodeTable(step, nodes));
  return [
    el("h4", null, `${name}${isFocus ? ", standing for all" : ""}: ${countsText(iteration.counts)}`),
    step.arithmetic === "tree" && whole && nodes.length > 0 && treePicture(name, nodes),
    summary, left,
  ].filter(Boolean);
}

/** Where a node stands, in words. */
function nodePlace({ arithmetic }, node) {
  if (arithmetic === "lanes") return `lane ${node.index}`;
  if (arithmetic === "phases") return `level ${node.level} lane ${node.index}`;
  if (node.operation === "write") return `result ${node.index}`;
  const leaves = 2 << node.level;
  return `level ${node.level} node ${node.index} (lanes ${node.index * leaves}–${(node.index + 1) * leaves - 1})`;
}

const kEvents = { r: "rounded", t: "tie to even", s: "saturated", w: "wrapped", n: "NaN" };

function eventsText({ events }) {
  return [...events].map((letter) => kEvents[letter]).join(", ") || "exact";
}

function nodeTable(step, nodes) {
  return scroller("Nodes", table(["Where", "Operation", "Left", "Right", "Exact", "Result", "What happened"], nodes.map((node) => [
    nodePlace(step, node), node.operation, node.left, node.operation === "write" ? "" : node.right, node.exact, node.result,
    node.events ? el("strong", null, eventsText(node)) : "exact"])));
}

function trueResultTable({ trueResults, omittedTrueResults: left, iterationWord }) {
  if (!trueResults) return [];
  const several = trueResults.some((one, i) => i > 0 && one.iteration === trueResults[i - 1].iteration);
  return [
    el("h4", null, "True results, unrounded"),
    scroller("True results", table([iterationWord, ...(several ? ["Result"] : []), "Exact", "Nearest value", "Written", "ULP between"], trueResults.map((one) => [
      String(one.iteration), ...(several ? [String(one.lane)] : []), one.exact, one.nearest || "no finite one", one.written,
      one.ulp === undefined ? "none" : count(one.ulp)]), several ? [0, 1, 5] : [0, 4])),
    left > 0 && el("p", { class: "soft" }, `… ${counted(left, "result")} left out.`),
  ].filter(Boolean);
}
