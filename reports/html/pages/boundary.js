"use strict";
// A number line for each field and element width: which values a rule allows and
// which the target took. Values that no case tried are left out of the line, so
// that -1, 0, 1, 255, 256 and 2^31 stand beside each other readably.

const kStep = 58;  // between neighbouring values, pixels
const kBreak = 26;  // more, where values between them are left out
const kAxis = 46;
const kEnds = 2;  // of a stretch of values that came out alike, at each end

const kRinged = "; ringed where the target broke the rule";
const kLeftOut = "At slashes values are left out: not tried, or tried and all like those on both sides; the tables have every value that was tried.";
const kByForm = " Where both signs stand, the call's form decides whether the value is allowed.";

function boundaryPictures(rule, cell) {
  const groups = new Map();
  for (const point of cell.points || []) {
    const key = point.field + "\n" + point.elementBits;
    groups.set(key, [...(groups.get(key) || []), point]);
  }
  const made = [...groups.values()].map((points) => judged(points, cell.verdict));
  if (!made.length) return [];
  const all = made.flat();
  return [...made.flatMap(boundaryPicture), el("p", { class: "soft keys" },
    "Shaded: allowed by the rule. ● accepted, ✕ refused", all.some((point) => point.against) && kRinged, ". ", kLeftOut,
    all.some((point) => isBoth(point) && !point.against) && kByForm)];
}

/** 2147483647 → "2³¹−1": powers of two and their neighbours, from 2^16 on. */
function shortNumber(value) {
  const number = BigInt(value);
  const size = number < 0n ? -number : number;
  for (const [away, after] of [[0n, ""], [1n, "−1"], [-1n, "+1"]]) {
    const power = size + away;
    if (power < 65536n || (power & (power - 1n)) !== 0n) continue;
    const text = "2" + [...String(power.toString(2).length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
    return number >= 0n ? text + after : away === 0n ? "−" + text : `−(${text}${after})`;
  }
  return String(value).replace("-", "−");
}

/** The ends of each stretch of values that came out alike. */
function edges(points) {
  const like = (a, b) => a && b && a.allowed === b.allowed && a.accepted > 0 === b.accepted > 0 && a.refused > 0 === b.refused > 0;
  const near = (i, step) => {
    let n = 0;
    while (n < kEnds && like(points[i], points[i + step * (n + 1)])) n++;
    return n < kEnds;
  };
  return points.filter((_, i) => near(i, -1) || near(i, 1));
}

/**
 * The points in order, each with whether a call went against the rule. Where the
 * rule is enforced none did: a value that was both accepted and refused is allowed
 * by one form of the call and not by another.
 */
function judged(points, verdict) {
  return points.map((point) => ({ ...point,
    against: verdict !== "enforced" && (point.allowed ? point.refused : point.accepted) > 0 }))
    .sort((a, b) => (BigInt(a.value) < BigInt(b.value) ? -1 : 1));
}

function boundaryPicture(all) {
  const points = edges(all);
  const { field, elementBits } = points[0];
  const name = field + (elementBits ? `, types of ${elementBits} bits` : "");
  const { xs, width, breaks } = places(points);
  const picture = svg("svg", { class: "boundary", width, height: 92, viewBox: `0 0 ${width} 92`, role: "img", "aria-label": `${name}: ${inWords(points)}` },
    bands(points, xs),
    svg("line", { class: "axis", x1: 8, x2: width - 8, y1: kAxis, y2: kAxis }),
    breaks.map((x) => svg("path", { class: "break", d: `M${x - 5} ${kAxis + 6}l4 -12m2 12l4 -12` })),
    points.map((point, i) => mark(point, xs[i])));
  return [
    el("h3", null, "Boundary of ", el("code", null, name)),
    scroller("Boundary of " + name, picture),
    el("details", null, el("summary", null, `All ${counted(all.length, "value")} as a table`), scroller("Table of " + name,
      table(["Value", "By the rule", "Accepted", "Refused"], all.map((point) => [
        String(point.value), point.allowed ? "allowed" : "not allowed", count(point.accepted), count(point.refused)]), [0, 2, 3]))),
  ];
}

/** Where the values stand, and where slashes stand for values left out. */
function places(points) {
  const xs = [], breaks = [];
  let x = 40;
  points.forEach((point, i) => {
    if (i > 0) {
      const apart = BigInt(point.value) - BigInt(points[i - 1].value) > 1n;
      if (apart) breaks.push(x + (kStep + kBreak) / 2);
      x += kStep + (apart ? kBreak : 0);
    }
    xs.push(x);
  });
  return { xs, breaks, width: x + 48 };
}

/** A band under every stretch of allowed values. */
function bands(points, xs) {
  const made = [];
  points.forEach((point, i) => {
    if (!point.allowed) return;
    const last = i + 1 === points.length || !points[i + 1].allowed;
    const first = i === 0 || !points[i - 1].allowed;
    const from = first ? xs[i] - 16 : xs[i];
    const to = last ? xs[i] + 16 : xs[i + 1];
    made.push(svg("rect", { class: "allowed", x: from, y: kAxis - 20, width: to - from, height: 40 }));
  });
  return made;
}

function isBoth({ accepted, refused }) {
  return accepted > 0 && refused > 0;
}

function mark(point, x) {
  const wrong = point.against;
  const both = isBoth(point);
  const title = `${point.value}: ${point.allowed ? "allowed" : "not allowed"} by the rule, accepted ${point.accepted}, refused ${point.refused}`;
  const left = both ? x - 9 : x, right = both ? x + 9 : x;
  return svg("g", { class: "mark" + (wrong ? " wrong" : "") },
    svg("title", null, title),
    wrong && svg("circle", { class: "ring", cx: x, cy: kAxis, r: both ? 19 : 12 }),
    point.accepted > 0 && svg("circle", { class: "dot", cx: left, cy: kAxis, r: 5.5 }),
    point.refused > 0 && svg("path", { class: "cross", d: `M${right - 5} ${kAxis - 5}l10 10m0 -10l-10 10` }),
    svg("text", { x, y: 84, "text-anchor": "middle" }, shortNumber(point.value)));
}

function inWords(points) {
  const words = (point) => `${point.value} ${isBoth(point) ? "both accepted and refused"
    : point.accepted ? "accepted" : point.refused ? "refused" : "not tried"}${point.against ? ", against the rule" : ""}`;
  return points.map(words).join("; ");
}
