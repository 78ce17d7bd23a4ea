"use strict";
// A tree of neighbours: node i of a level is fed by nodes 2i and 2i+1 of the
// level below; a side without lanes is passed over.

const kTreeMostNodes = 32;  // of the lowest level that is shown at first
const kTreeWidth = 1100;
const kTreeRow = 62;
const kNodeRadius = 10;

/** Shapes by what happened; the first that fits. Letters mean the same. */
const kNodeShapes = [
  { event: "s", letter: "S", name: "saturated", points: "0,-12 12,9 -12,9" },
  { event: "n", letter: "N", name: "NaN comes in or would go out", points: "-6,-11 6,-11 12,0 6,11 -6,11 -12,0" },
  { event: "t", letter: "T", name: "rounded, a tie to even", points: "-10,-10 10,-10 10,10 -10,10" },
  { event: "r", letter: "R", name: "rounded", points: "0,-13 13,0 0,13 -13,0" },
  { event: "", letter: "", name: "exact", points: null },
];

function shapeOf(node) {
  return kNodeShapes.find(({ event }) => event === "" || node.events.includes(event));
}

function treePicture(name, nodes) {
  const top = Math.max(...nodes.map((node) => node.level));
  const widest = (level) => nodes.filter((node) => node.level === level).length;
  let lowest = 0;
  while (lowest < top && widest(lowest) > kTreeMostNodes) ++lowest;
  const frame = el("div", { class: "tree" });
  const detail = el("p", { class: "detail mono", role: "status" }, "Point at a node, or go there with Tab and the arrow keys.");
  const draw = (chosen) => {
    const from = Number(chosen);
    const hidden = nodes.filter((node) => node.level < from);
    const happened = hidden.filter((node) => node.events).length;
    frame.replaceChildren(scroller(`Tree of ${name}`, drawTree(name, nodes, from, top, detail)),
      hidden.length > 0 ? el("p", { class: "soft" }, `${counted(hidden.length, "node")} below are folded, ${happened} of them rounded, tied, saturated or with NaN.`) : "");
  };
  const select = chooser(null, Array.from({ length: top + 1 }, (unused, level) =>
    [level, level === 0 ? "all levels" : `levels ${level} and up`]), lowest, draw, () => {});
  return el("div", null,
    el("p", null, el("label", null, "Show ", select)), treeLegend(), frame, detail);
}

function treeLegend() {
  return el("p", { class: "keys" }, kNodeShapes.map((shape) => el("span", { class: "key" },
    svg("svg", { class: "tree-key", width: 28, height: 28, viewBox: "-14 -14 28 28", "aria-hidden": "true" }, nodeShape(shape)),
    " ", shape.name)));
}

function nodeShape({ points, letter, event }) {
  const kind = "node node-" + (event || "exact");
  return [
    points ? svg("polygon", { class: kind, points }) : svg("circle", { class: kind, r: kNodeRadius }),
    letter && svg("text", { "text-anchor": "middle", y: event === "s" ? 6 : 4 }, letter),
  ].filter(Boolean);
}

function drawTree(name, nodes, from, top, detail) {
  const shown = nodes.filter((node) => node.level >= from);
  const places = new Map(nodes.map((node) => [node.level + "/" + node.index, node]));
  const slots = Math.max(...shown.map((node) => (node.index + 1) << (node.level - from)));
  const slot = Math.max(28, Math.min(150, Math.floor(kTreeWidth / slots)));
  const x = (node) => (node.index + 0.5) * slot * (1 << (node.level - from));
  const y = (node) => (top - node.level) * kTreeRow + 30;
  const width = Math.max(slots * slot, 160);
  const height = (top - from) * kTreeRow + 64;
  const groups = shown.map((node) => nodeGroup(node, x(node), y(node), slot * (1 << (node.level - from)), from));
  const picture = svg("svg", { class: "tree-picture", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Tree of ${name}: ${counted(shown.length, "node")}, the result on top` },
    shown.flatMap((node) => feeders(places, node, from).map((child) =>
      svg("line", { class: "edge", x1: x(node), y1: y(node), x2: x(child), y2: y(child) }))),
    groups);
  // The root is the first; arrows go along the levels.
  rove(picture, groups, groups[groups.length - 1], (group) => { detail.textContent = group.description; }, (here, key) => {
    const at = groups.indexOf(here);
    return groups[{ ArrowRight: at + 1, ArrowDown: at - 1, ArrowLeft: at - 1, ArrowUp: at + 1, Home: 0, End: groups.length - 1 }[key]];
  });
  return picture;
}

/** The nodes right below, those passed over left out. */
function feeders(places, node, from) {
  const find = (level, index) => {
    if (level < from) return null;
    return places.get(level + "/" + index) || find(level - 1, 2 * index) || find(level - 1, 2 * index + 1);
  };
  return [find(node.level - 1, 2 * node.index), find(node.level - 1, 2 * node.index + 1)].filter(Boolean);
}

function nodeGroup(node, x, y, width, from) {
  const text = `${nodePlace({ arithmetic: "tree" }, node)}: ${node.operation} ${node.left}${node.operation === "write" ? "" : ", " + node.right} = ${node.exact} → ${node.result} · ${eventsText(node)}`;
  const group = svg("g", { class: "tree-node", transform: `translate(${x} ${y})`, tabindex: "-1", role: "img", "aria-label": text },
    svg("title", null, text),
    nodeShape(shapeOf(node)),
    width >= 66 && svg("text", { class: "result", "text-anchor": "middle", y: node.level === from ? 28 : -17 }, node.result.split(" ")[0]));
  group.description = text;
  return group;
}
