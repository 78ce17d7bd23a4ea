"use strict";
// Plots over time: an axis with dates or counts below, one with numbers at the
// left, and what is drawn between them. Colours are classes, s0 to s5; every
// series has a mark of its own, so that colour is not the only sign.

const kPlot = { width: 760, height: 300, left: 64, right: 20, top: 16, bottom: 56 };
const kMarks = ["●", "■", "▲", "◆", "▼", "✚"];

/** Numbers that people like on an axis: at most `most` from 0 to `high`. */
function niceSteps(high, most = 5) {
  if (!(high > 0)) return [0, 1];
  const rough = high / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * unit).find((one) => one >= rough);
  const steps = [];
  for (let i = 0; (i - 1) * step < high; ++i) steps.push(i * step);
  return steps;
}

/** 1234567 → "1.2 M"; short enough for an axis. */
function axisNumber(number) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return `${Number((number / size).toPrecision(3))}\u202f${letter}`;
  }
  return String(Number(number.toPrecision(3)));
}

/** Days since 1970 of a date, with its time of day. */
function dayOf(date) {
  return Date.parse(date.length === 10 ? date + "T00:00:00Z" : date) / 86400000;
}

/** A scale of dates: places, and up to `most` of them with their names. */
function dateScale(dates, most = 8) {
  const days = dates.map(dayOf);
  const low = Math.floor(Math.min(...days)), high = Math.max(...days);
  const inner = kPlot.width - kPlot.left - kPlot.right - 40;
  const place = (day) => kPlot.left + 20 + (high > low ? (day - low) / (high - low) : 0.5) * inner;
  const every = Math.max(1, Math.ceil((high - low + 1) / most));
  const ticks = [];
  for (let day = low; day <= high; day += every) {
    ticks.push({ x: place(day), text: new Date(day * 86400000).toISOString().slice(5, 10) });
  }
  const [first, last] = [dates[0], dates[dates.length - 1]].map((date) => date.slice(0, 4));
  return { place: (date) => place(dayOf(date)), ticks, label: `date (month-day of ${first}${last === first ? "" : "–" + last}, UTC)` };
}

/** A scale of powers of ten. */
function logScale(numbers, label) {
  const some = numbers.filter((one) => one > 0);
  const low = Math.floor(Math.log10(Math.min(...some)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...some))));
  const inner = kPlot.width - kPlot.left - kPlot.right - 24;
  const place = (number) => kPlot.left + 12 + ((Math.log10(Math.max(number, 10 ** low)) - low) / (high - low)) * inner;
  const ticks = [];
  for (let power = low; power <= high; ++power) {
    ticks.push({ x: place(10 ** power), text: axisNumber(10 ** power) });
  }
  return { place, ticks, label };
}

/** The frame: axes with their words; `up` places a number. */
function plotFrame(x, high, unit) {
  const steps = niceSteps(high);
  const top = steps[steps.length - 1];
  const floor = kPlot.height - kPlot.bottom;
  const up = (number) => floor - (number / top) * (floor - kPlot.top);
  const right = kPlot.width - kPlot.right;
  return { up, floor, nodes: [
    ...steps.map((step) => [
      svg("line", { class: "grid", x1: kPlot.left, x2: right, y1: up(step), y2: up(step) }),
      svg("text", { x: kPlot.left - 8, y: up(step) + 4, "text-anchor": "end" }, axisNumber(step))]),
    ...x.ticks.map((tick) => [
      svg("line", { class: "axis", x1: tick.x, x2: tick.x, y1: floor, y2: floor + 5 }),
      svg("text", { x: tick.x, y: floor + 19, "text-anchor": "middle" }, tick.text)]),
    svg("line", { class: "axis", x1: kPlot.left, x2: right, y1: floor, y2: floor }),
    svg("text", { class: "unit", x: (kPlot.left + right) / 2, y: kPlot.height - 12, "text-anchor": "middle" }, x.label),
    svg("text", { class: "unit", transform: `translate(14 ${(floor + kPlot.top) / 2}) rotate(-90)`, "text-anchor": "middle" }, unit),
  ] };
}

/** Names of series beside their colours and marks. */
function seriesKeys(series) {
  return el("ul", { class: "series" }, series.map((one) =>
    el("li", { class: "s" + one.colour }, el("span", { class: "key", "aria-hidden": "true" }, one.mark), one.name)));
}

/** A figure: what it shows, the plot, its legend, and the same as a table. */
function figure(title, caption, plot, series, numbers) {
  return el("figure", { class: "plot" },
    el("figcaption", null, el("h2", null, title), el("p", null, caption)),
    seriesKeys(series),
    el("div", { class: "plot-scroll", tabindex: "0", role: "region", "aria-label": "Plot: " + title }, plot),
    el("details", null, el("summary", null, "The same as a table"), numbers));
}

function drawing(title, nodes) {
  return svg("svg", { class: "drawn", viewBox: `0 0 ${kPlot.width} ${kPlot.height}`, role: "img", "aria-label": title }, nodes);
}

/**
 * Lines of {name, points: [{at, y, title, apart}]}; a point that is `apart` begins
 * a new piece, so that a gap stays a gap.
 */
function linePlot(title, x, unit, lines) {
  const high = Math.max(...lines.flatMap((line) => line.points.map((point) => point.y)));
  const { up, nodes } = plotFrame(x, high, unit);
  const drawn = lines.map((line) => {
    const path = line.points.map((point, i) =>
      `${i === 0 || point.apart ? "M" : "L"}${x.place(point.at).toFixed(1)} ${up(point.y).toFixed(1)}`).join(" ");
    return svg("g", { class: "s" + line.colour },
      svg("path", { class: "line", d: path }),
      line.points.map((point) => svg("text", { class: "dot", x: x.place(point.at), y: up(point.y) + 4, "text-anchor": "middle" }, line.mark, svg("title", null, point.title))));
  });
  return drawing(title, [nodes, drawn]);
}

/**
 * Bars that stand on each other, for each date one; `marks` are {date, text,
 * title} above them.
 */
function stackPlot(title, dates, unit, series, marks) {
  const x = dateScale(dates);
  const sums = dates.map((_, i) => series.reduce((sum, one) => sum + one.values[i], 0));
  const { up, floor, nodes } = plotFrame(x, Math.max(...sums, 1) * 1.15, unit);
  const places = dates.map(x.place);
  const apart = Math.min(...places.slice(1).map((place, i) => place - places[i]), 40);
  const wide = Math.max(3, apart * 0.7);
  const bars = dates.map((date, i) => {
    let below = 0;
    return series.map((one) => {
      const from = below;
      below += one.values[i];
      return one.values[i] > 0 && svg("rect", { class: "bar s" + one.colour, x: places[i] - wide / 2, y: up(below), width: wide, height: up(from) - up(below) },
        svg("title", null, `${date}: ${counted(one.values[i], "finding")}, ${one.name}`));
    });
  });
  const above = marks.map((mark) => {
    const i = dates.indexOf(mark.date);
    return svg("text", { class: "event", x: places[i], y: up(sums[i]) - 5, "text-anchor": "middle" }, mark.text, svg("title", null, mark.title));
  });
  return drawing(title, [nodes, bars, above, svg("line", { class: "axis", x1: kPlot.left, x2: kPlot.width - kPlot.right, y1: floor, y2: floor })]);
}
