"use strict";
// Memory of a step as DataBlocks of 32 bytes: what an iteration reads, writes
// and leaves out.

const kElementBytes = { int8: 1, uint8: 1, int16: 2, uint16: 2, half: 2, bfloat16: 2,
  int32: 4, uint32: 4, float: 4, int64: 8, uint64: 8, double: 8 };

/** What a letter in a cell means; `m` is a lane that the mask leaves out. */
const kTouches = {
  r: { letter: "R", name: "read" },
  w: { letter: "W", name: "written" },
  b: { letter: "B", name: "read and written" },
  m: { letter: "×", name: "masked lane" },
  ".": { letter: "", name: "not touched" },
};

function memorySection(stage) {
  const { step } = stage;
  if (!step.blocks) return [];
  const map = el("div", { class: "memory", role: "grid", "aria-label": `DataBlocks of step ${step.index}` });
  const detail = el("p", { class: "detail mono", role: "status" }, "Each cell shows the value after the step. Point at one, or go there with Tab and the arrow keys.");
  const cells = drawBlocks(stage, map, detail);
  stage.listeners.push((place) => {
    colour(stage, cells, place);
    if (stage.moved) stage.moved();
  });
  return [
    el("h3", null, "Memory"),
    ...extensionNote(step),
    ...slider(stage),
    touchLegend(step),
    step.blocks.length ? el("div", { class: "memory-frame" }, map, detail) : el("p", null, "No byte is read or written."),
    step.omittedBlocks > 0 && el("p", { class: "soft" }, `… ${counted(step.omittedBlocks, "DataBlock")} more that the step touches left out.`),
    ...accessList(stage),
    ...laneStrip(step),
    ...overlapTable(step),
    ...windowTable(step),
  ].filter(Boolean);
}

function extensionNote(step) {
  if (step.status !== "rejected") return [];
  return [el("p", { class: "note" }, step.extended
    ? "The call is refused and changes no byte. The picture shows what its address arithmetic would have come to: “after” is what would then stand in memory."
    : "The call is refused and changes no byte, and what it would have done has no natural meaning. The picture shows where its operands' windows begin and meet.")];
}

/** 0 is all iterations together, i the i-th of those shown. */
function slider(stage) {
  const { step, query } = stage;
  const { shown, iterations, iterationWord: word } = step;
  const most = shown.length;
  const requested = shown.findIndex((one) => String(one.number) === query.get("iteration"));
  const focus = shown.findIndex((one) => one.number === step.focus);
  let place = query.get("iteration") === "all" ? 0 : (requested >= 0 ? requested : focus) + 1;
  if (iterations === 1 && place === 0) place = 1;
  const output = el("output", { for: "iteration" });
  const input = el("input", { type: "range", id: "iteration", min: 0, max: most, step: 1, value: place });
  const name = () => (place === 0 ? `all ${iterations} ${word}s` : `${word} ${shown[place - 1].number} of 0…${iterations - 1}`);
  const move = (to) => {
    place = Math.max(0, Math.min(most, to));
    input.value = String(place);
    input.setAttribute("aria-valuetext", name());
    output.textContent = name();
    for (const listen of stage.listeners) listen(place);
  };
  const moved = (to) => {
    move(to);
    query.set("iteration", place === 0 ? "all" : shown[place - 1].number);
    setQuery(query);
  };
  input.addEventListener("input", () => moved(Number(input.value)));
  // Those who listen are made after the slider.
  queueMicrotask(() => move(place));
  if (iterations < 2) return [];
  const left = iterations - most;
  return [el("div", { class: "slider" },
    el("label", { for: "iteration" }, word),
    el("button", { type: "button", "aria-label": `previous ${word}`, onclick: () => moved(place - 1) }, "◀"),
    input,
    el("button", { type: "button", "aria-label": `next ${word}`, onclick: () => moved(place + 1) }, "▶"),
    output,
    left > 0 && el("span", { class: "soft" }, `… ${counted(left, word)} left out of the slider; the leftmost place shows all together`))];
}

function touchLegend(step) {
  const has = (kind) => kind === "." || step.shown.some((one) => one.accesses.some((access) => access[1] === kind)) ||
    step.blocks.some((block) => block.touched.includes(kind));
  const sample = (classes, letter) => el("span", { class: "cell sample " + classes, "aria-hidden": "true" }, letter);
  return el("p", { class: "keys" },
    Object.entries(kTouches).filter(([kind]) => has(kind)).map(([kind, { letter, name }]) =>
      el("span", { class: "key" }, sample("touch-" + (kind === "." ? "n" : kind), letter), " ", name)),
    step.overlaps.length > 0 && el("span", { class: "key" }, sample("touch-n overlap", ""), " overlap: touched more than once"),
    step.blocks.some((block) => block.differing) && el("span", { class: "key" }, sample("touch-w differs", "W"), " target differs"));
}

/** The elements of a block in one of its states: decimal texts. */
function valuesOf(block, state) {
  const texts = (block[state] || (state === "actual" ? block.after : null) || block.before || { values: "" }).values.split(" ");
  const number = 32 / kElementBytes[block.dtype];
  return texts.length === 1 ? new Array(number).fill(texts[0]) : texts;
}

/** "35584 (0x7858)": hex digits are in the order of memory, lowest byte first. */
function elementText(block, state, i) {
  const bytes = block[state] || block.before;
  if (!bytes) return "outside the memory";
  const size = kElementBytes[block.dtype];
  const digits = bytes.hex.slice(2 * size * i, 2 * size * (i + 1)).match(/../g) || [];
  return `${valuesOf(block, state)[i]} (0x${digits.reverse().join("")})`;
}

/** Rows of cells, block by block, with gaps. Returns the cells. */
function drawBlocks(stage, map, detail) {
  const { step } = stage;
  const cells = [];
  let before = null;
  for (const block of step.blocks) {
    if (!before || before.memory !== block.memory) {
      map.append(el("div", { role: "row", class: "memory-name" }, el("span", { role: "gridcell" }, block.memory)));
      before = null;
    }
    const gap = gapText(before, block);
    if (gap) map.append(el("div", { role: "row", class: "gap" }, el("span", { role: "gridcell" }, gap)));
    map.append(blockRow(step, block, cells));
    before = block;
  }
  watchCells(stage, map, cells, detail);
  return cells;
}

function gapText(before, block) {
  const missing = before ? block.number - before.number - 1 : 0;
  const left = block.omittedBefore || 0;
  if (missing === 0 && left === 0) return "";
  if (left === 0) return `gap of ${counted(missing, "DataBlock")}, not touched`;
  return `… ${counted(left, "touched DataBlock")} left out here`;
}

function blockRow(step, block, cells) {
  const size = kElementBytes[block.dtype];
  const at = block.number * 32;
  const names = block.operands.map((i) => step.operands[i].name).join(", ");
  const bytes = block.before ? block.before.hex.length / 2 : 32;
  const after = valuesOf(block, "after");
  const row = el("div", { role: "row", class: "block", style: `--cells: ${32 / size}` },
    el("span", { role: "rowheader", class: "block-name" }, `DataBlock ${block.number}`,
      el("span", { class: "soft" }, ` at byte ${at} ${names}`)));
  for (let i = 0; i < Math.floor(bytes / size); ++i) {
    const cell = { block, i, at: at + i * size, size, overlaps: [],
      letter: el("span", { class: "letter" }), words: el("span", { class: "offscreen" }),
      differs: Boolean(block.differing && block.differing.includes(i)) };
    cell.overlaps = step.overlaps.filter((one) => one.memory === block.memory &&
      one.at < cell.at + size && cell.at < one.at + one.bytes);
    cell.node = el("span", { role: "gridcell", tabindex: "-1", class: "cell" }, cell.letter,
      block.before && el("span", { class: "value" }, after[i]), cell.words);
    cell.node.cell = cell;
    cells.push(cell);
    row.append(cell.node);
  }
  return row;
}

/** Per byte of a block the letters of an iteration, or of all of them. */
function touchesOf(stage, place) {
  const { step } = stage;
  if (place === 0) return (block, from, to) => [...block.touched.slice(from, to)];
  const touched = new Map();
  for (const [operand, kind, at, bytes] of step.shown[place - 1].accesses) {
    for (let byte = at; byte < at + bytes; ++byte) {
      const key = step.operands[operand].memory + byte;
      const old = touched.get(key);
      touched.set(key, joined(old, kind));
    }
  }
  return (block, from, to) => {
    const letters = [];
    for (let i = from; i < to; ++i) letters.push(touched.get(block.memory + (block.number * 32 + i)) || ".");
    return letters;
  };
}

/** Read and written is both; what takes part is not masked. */
function joined(a, b) {
  if (!a || a === "." || a === "m") return b === "." ? a || "." : b;
  if (b === "." || b === "m" || a === b) return a;
  return "b";
}

function colour(stage, cells, place) {
  const touches = touchesOf(stage, place);
  for (const cell of cells) {
    const from = cell.at - cell.block.number * 32;
    const touch = touches(cell.block, from, from + cell.size).reduce(joined);
    cell.touch = touch;
    const overlaps = touch !== "." && touch !== "m" && cell.overlaps.length > 0;
    cell.node.className = "cell touch-" + (touch === "." ? "n" : touch) +
      (overlaps ? " overlap" : "") + (cell.differs ? " differs" : "");
    cell.letter.textContent = kTouches[touch].letter;
    cell.words.textContent = ` ${cell.block.memory} byte ${cell.at}, ${kTouches[touch].name}` +
      (overlaps ? ", overlap" : "") + (cell.differs ? ", target differs" : "");
  }
}

/** What stands in the line below the blocks. */
function cellText(stage, cell) {
  const { step, view } = stage;
  const { block, i, at, size } = cell;
  const names = block.operands.map((one) => step.operands[one].name).join(", ");
  const facts = [
    `${block.memory} byte${size > 1 ? `s ${at}–${at + size - 1}` : ` ${at}`}`,
    `element ${i} of DataBlock ${block.number}${names && " of " + names}, ${block.dtype}`,
    kTouches[cell.touch || "."].name,
    `before ${elementText(block, "before", i)}`,
  ];
  const written = block.after && elementText(block, "after", i) !== elementText(block, "before", i);
  if (written) facts.push(`${step.extended ? "would be" : "after"} ${elementText(block, "after", i)}`);
  if (cell.differs) facts.push(`${view.target} has ${elementText(block, "actual", i)}`);
  const seen = new Set(cell.overlaps.map((one) => `${one.meeting} (${meetingText(step, one)})`));
  return [...facts, ...seen].join(" · ");
}

function meetingText({ iterationWord: word }, { first, second }) {
  return first === second ? `${word} ${first}` : `${word}s ${first} and ${second}`;
}

/** Pointing and arrow keys; where the two sides differ is where one looks first. */
function watchCells(stage, map, cells, detail) {
  if (!cells.length) return;
  const wrong = cells.find((cell) => cell.differs);
  let current = wrong;
  const show = (cell) => {
    current = cell;
    detail.textContent = cellText(stage, cell);
  };
  // Another iteration may do something else there.
  stage.moved = () => current && show(current);
  rove(map, cells.map(({ node }) => node), (wrong || cells[0]).node, (node) => show(node.cell), (node, key) => {
    const to = cellAfter(cells, node.cell, key);
    return to && to.node;
  });
}

function cellAfter(cells, here, key) {
  const at = cells.indexOf(here);
  const mine = cells.filter((cell) => cell.block === here.block);
  const sameColumn = (step) => {
    let i = at;
    while (cells[i] && cells[i].block === here.block) i += step;
    if (!cells[i]) return null;
    const row = cells.filter((cell) => cell.block === cells[i].block);
    return row[Math.min(row.length - 1, Math.floor(here.i * row.length / mine.length))];
  };
  switch (key) {
    case "ArrowRight": return cells[at + 1];
    case "ArrowLeft": return cells[at - 1];
    case "ArrowDown": return sameColumn(1);
    case "ArrowUp": return sameColumn(-1);
    case "Home": return mine[0];
    case "End": return mine[mine.length - 1];
    default: return null;
  }
}

/** The picture in words, for the iteration of the slider. */
function accessList(stage) {
  const { step } = stage;
  if (!step.shown.length) return [];
  const kinds = { r: "reads", w: "writes", m: "leaves out" };
  const body = el("div");
  stage.listeners.push((place) => {
    const chosen = place === 0 ? step.shown : [step.shown[place - 1]];
    body.replaceChildren(...chosen.map((one) => scroller(`Accesses of ${step.iterationWord} ${one.number}`,
      table([`${step.iterationWord} ${one.number}`, "Operand", "Bytes", "Lanes"], [
        ...one.accesses.map(([operand, kind, at, bytes, lane]) => {
          const { name, memory, dtype } = step.operands[operand];
          const lanes = bytes / kElementBytes[dtype];
          return [kinds[kind], name, `${memory} [${at}, ${at + bytes})`, lanes > 1 ? `${lane}–${lane + lanes - 1}` : String(lane)];
        }),
        ...(one.omittedAccesses ? [[`… ${one.omittedAccesses} more`, "", "", ""]] : []),
      ]))));
  });
  return [el("details", null, el("summary", null, "The same as a table of accesses"), body)];
}

/** Which lanes take part, a DataBlock of lanes after the other. */
function laneStrip({ lanes }) {
  if (!lanes) return [];
  const width = 32 / kElementBytes[lanes.dtype];
  const rows = lanes.drawing.match(new RegExp(`.{1,${width}}`, "g")) || [];
  const lines = [];
  for (let i = 0; i < rows.length;) {
    let end = i + 1;
    while (rows[end] === rows[i]) ++end;
    lines.push(`${end - i > 1 ? `blocks ${i}–${end - 1}` : `block ${i}`}`.padEnd(12) + `|${rows[i]}|`);
    i = end;
  }
  return [
    el("h3", null, "Lanes of an iteration"),
    el("p", null, `${counted(lanes.takingPart, "lane")} take part (#), others are masked (.); ${lanes.origin}.`),
    el("pre", { class: "lanes" }, lines.join("\n")),
  ];
}

function overlapTable(step) {
  if (!step.overlaps.length) return [];
  const left = step.omittedOverlaps;
  return [
    el("h3", null, "Overlapping bytes"),
    scroller("Overlapping bytes", table(["Bytes", "How many", "What meets", "First in"], step.overlaps.map((one) => [
      `${one.memory} [${one.at}, ${one.at + one.bytes})`, count(one.bytes), one.meeting, meetingText(step, one)]), [1])),
    left > 0 && el("p", { class: "soft" }, `… ${counted(left, "stretch", "stretches")} more left out.`),
  ].filter(Boolean);
}

function windowTable(step) {
  const rows = step.windows.map((one) => [one.operand, one.position, one.memory, one.dtype, one.at, one.bytes]);
  return [el("details", { open: step.status === "rejected" }, el("summary", null, "Windows of the operands"),
    scroller("Windows of the operands", table(["Operand", "Position", "Memory", "Type", "From byte", "Bytes"], rows, [4, 5])),
    step.shared && el("ul", null, step.shared.map((one) => el("li", null,
      `${one.first} and ${one.second} share ${counted(one.bytes, "byte")} of ${one.memory} from ${one.at} on`))))];
}
