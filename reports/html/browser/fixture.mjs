// A report written by hand that has every verdict, every page and hostile text.

export const hostile = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>';

const products = ["atlas-training", "atlas-inference-aicore", "atlas-inference-vectorcore", "atlas-a2", "atlas-a3", "atlas-200i-500-a2", "atlas-200-300-500"];

const reproduce = "lanediff check cases/refused-256.json";
const evidence = { id: "refused-256", file: "cases/refused-256.json", side: "breaks", what: "repeatTimes 256, alone", showing: "refused", message: "", signature: "", reproduce };
const point = (field, elementBits, value, allowed, accepted, refused) => ({ field, elementBits, value, allowed, accepted, refused });
const points = [
  point("repeatTimes", 0, -1, false, 0, 4), point("repeatTimes", 0, 0, true, 6, 0), point("repeatTimes", 0, 1, true, 9, 0),
  point("repeatTimes", 0, 255, true, 4, 0), point("repeatTimes", 0, 256, false, 0, 4), point("repeatTimes", 0, 2147483648, false, 0, 2),
  point("count", 16, 1, true, 3, 0), point("count", 16, 128, true, 3, 0), point("count", 16, 129, false, 0, 3),
  point("count", 16, "9223372036854775807", false, 0, 1),
];
const tried = [
  { dtype: "half", form: "count", positions: "VECOUT, VECIN", breaks: 40, keeps: 52 },
  { dtype: "float", form: "mask", positions: "VECCALC, VECIN", breaks: 31, keeps: 44 },
];

function rule(id, instruction, effect, statement, evidenceLevel, verdict, cell, more = {}) {
  const worst = { tried, ...cell, verdict };
  const cells = products.map((product) => ({ compared: 7, alone: {}, together: {}, tried: [], points: [], evidence: [], reason: "", ...worst, product, ...(more.others && product !== "atlas-a2" ? more.others : {}) }));
  return {
    id, instruction, effect, statement, evidenceLevel, verdict, cells: more.only ? cells.filter((one) => more.only.includes(one.product)) : cells,
    sources: more.sources || [{ provenance: "documented", evidenceLevel: "document text", document: "Min · 参数说明", part: "" }], ranges: more.ranges || [], capacities: [], corpus: more.corpus || [],
  };
}

const rules = [
  rule("MIN-REPEAT-RANGE", "Min", "reject", "repeatTimes is 0 to 255.", "document text", "enforced",
    { alone: { refused: 71, accepted: 96 }, together: { refused: 12 }, points, evidence: [evidence] },
    { ranges: [{ field: "repeatTimes", low: 0, high: 255, elementBits: 0 }],
      corpus: [{ tool: "published", cases: ["published/a", "published/b"] }, { tool: "hand", cases: ["min/" + hostile] }],
      sources: [{ provenance: "documented", document: "Min · 参数说明", part: "the range" }, { provenance: "supplement", document: "", part: "0 does nothing" }] }),
  rule("MIN-ALIGN", "Min", "reject", "Addresses of operands are multiples of 32 bytes.", "supplement", "tolerated",
    { alone: { "ran as extended": 40, accepted: 80 }, points: Array.from({ length: 12 }, (_, i) => point("stride", 0, i, i < 10, i < 10 ? 2 : 0, i < 10 ? 0 : 2)),
      evidence: [{ ...evidence, id: "odd-address", showing: "ran as extended" }] },
    { sources: [{ provenance: "supplement", document: "", part: "" }] }),
  rule("DC-BOUNDS", "DataCopy", "reject", "Reads and writes stay inside their memory. " + hostile, "vendor tables", "violated",
    { alone: { refused: 20, "wrote outside": 3, "refused legal": 1, crashed: 1 },
      points: [point("blockLen", 0, 0, false, 2, 0), point("blockLen", 0, 1, true, 1, 1), point("blockLen", 0, 65535, true, 0, 2), point("blockLen", 0, 65536, false, 0, 2)],
      evidence: [{ ...evidence, id: "outside", showing: "wrote outside", message: "UB byte 40960: " + hostile, signature: "memory/data_copy/outside", reproduce: "lanediff check cases/outside.json --target mutant:dc-outside" }] },
    { others: { verdict: "enforced", alone: { refused: 24 }, evidence: [], points: [point("blockLen", 0, 1, true, 1, 1)] } }),
  rule("ARITH-ROUND", "common", "semantics", "Every operation is computed exactly and rounded once to its type, to nearest, ties to even.", "assumption", "confirmed",
    { alone: { "as documented": 512 }, numeric: { nodes: 90112, rounded: 4410, ties: 118, saturated: 7, largestUlp: 0, exact: "2049/2048", expected: "1 (0x3c00)", actual: "1 (0x3c00)" } },
    { sources: [{ provenance: "assumed", document: "", part: "everything else" }] }),
  rule("RRS-ORDER", "RepeatReduceSum", "semantics", "Neighbours are added first, as a binary tree.", "device results", "contradicted",
    { alone: { "as documented": 100, differently: 2 }, numeric: { nodes: 127, rounded: 90, ties: 0, saturated: 0, largestUlp: 10, exact: "-7697.25", expected: "-7696 (0xef84)", actual: "-7736 (0xef8e)" },
      evidence: [{ ...evidence, id: "tree", side: "applies", what: "128 halves of mixed size", showing: "differently", message: "expected -7696 (0xef84), found -7736 (0xef8e), 10 ULP apart", signature: "memory/repeat_reduce_sum/value/half", reproduce: "lanediff check cases/tree.json" }] },
    { only: ["atlas-a2", "atlas-a3"] }),
  rule("VT-PRODUCT", "vec_trans", "reject", "vec_trans is offered on some products only.", "document text", "not exercised",
    { tried: [], reason: "every product of this case is one that offers it" }, { only: ["atlas-training"] }),
  rule("MIN-OVERLAP-SOURCES", "Min", "note", "Sources that overlap are noted.", "document text", "confirmed", { alone: { "as documented": 33 } }),
];

const cells = {};
for (const { verdict } of rules.flatMap((one) => one.cells)) cells[verdict] = (cells[verdict] || 0) + 1;

/** A target may report any text of its own. */
const about = { name: "model " + hostile, version: "0.3 " + hostile, legalOnly: true,
  capabilities: [{ field: "instructions", says: "Min " + hostile }],
  character: [{ question: "order", answers: ["half left-fold " + hostile] }] };
const headline = { sentence: "2 findings in 2 of 5 instructions; 61 rules enforced, 9 tolerated, 2 violated; NOT compared: 1 unsupported case", tone: "bad",
  findings: 2, instructions: 5, instructionsWithFindings: 2, notCompared: ["1 unsupported case"] };
const groups = ["crash/min/target/none", "memory/data_copy/outside/half"].map((signature) => ({ signature, class: "failure", instruction: "Min", cases: 3,
  case: "outside", path: "cases/outside.json", message: hostile, reproduce, since: "new", rules: ["DC-BOUNDS"], products: ["atlas-a2"] }));

export const report = {
  schema: "lanediff-report/2", title: "A hand-made report", verb: "audit",
  audit: {
    schema: "lanediff-report/2", kind: "audit", headline, groups, about, target: "emulator", vectors: "avx3", reference: "oracle", cases: 1234, unsupported: 2, crashed: 1, hung: 0, steps: 4321,
    comparedBytes: 196608000, nodes: 90239, interrupted: false, stopped: "", cells, products, rules,
    documents: [{ title: "RepeatReduceSum", edition: "CANN 8.0", address: "https://example.org/sum.html" }, { title: "asc-devkit kernel.h", edition: "CANN toolkit", address: "no address: in the toolkit" }],
    changes: { file: "before.json", target: "emulator", unchanged: 37, cells: [{ rule: "DC-BOUNDS", product: "atlas-a2", before: "enforced", now: "violated" }],
      disagreements: [{ id: "rrs-35604", before: null, now: "chosen" }] },
    disagreements: [
      { id: "vt-stride-unit", title: "Two printed units of strides", rules: ["VT-PRODUCT"],
        readings: [{ text: "Strides are in blocks of 512 bytes.", document: "vec_trans · 参数" }, { text: "Strides are in elements. " + hostile, document: "" }],
        differ: 430, why: "The example needs it.", product: "atlas-training", case: "unit", file: "cases/unit.json", follows: "undecided", message: "", reproduce: "lanediff check cases/unit.json" },
      { id: "rrs-35604", kind: "the document against itself", title: "The printed 35604 is no half value", rules: ["RRS-ORDER"],
        readings: [{ text: "The sum is rounded to the nearest half, 35616.", document: "RepeatReduceSum · 约束说明", quote: "第四步计算65504-29900=35604", citations: [{ title: "RepeatReduceSum", section: "约束说明" }] },
          { text: "The sum is 35604.", document: "asc-devkit kernel.h · Sum", noQuotation: "source code", citations: [{ title: "asc-devkit kernel.h", section: "Sum" }] }], differ: 12,
        why: "No half is 35604: near it they are 32 apart.", product: "atlas-a2", case: "tree", file: "cases/tree.json", follows: "chosen", message: "35616 by the first, 35604 by the second; found 35616", reproduce: "lanediff check cases/tree.json" },
    ],
  },
  cases: {},
};

/** A reading with a quotation and a link, and one that no document states. */
const readings = [{ text: "The first counts.", document: "Min · 参数说明", quote: "第一个", citations: [{ title: "Min", section: "参数说明" }] },
  { text: "Neither counts. " + hostile, document: "", citations: [], silent: ["Min"] }];
const sources = [{ provenance: "documented", evidenceLevel: "document text", part: "", ...readings[0] }];
const longName = "exec:./build/release/simulator-of-another-team --product atlas-a2 --vectors 256";

/** Audits of targets, of which one has no report. */
export const comparison = {
  schema: "lanediff-report/2", title: "lanediff audit of 2 targets", verb: "audit",
  complete: false, reasons: ["mutant:b: not audited as a whole", longName + ": not audited"],
  comparison: {
    schema: "lanediff-report/2", kind: "comparison", complete: false, reasons: ["mutant:b: not audited as a whole", longName + ": not audited"],
    targets: [{ target: "emulator", folder: "emulator", status: 0, sentence: "all agrees " + hostile, audited: true }, { target: "mutant:b", folder: "mutant-b", status: 1, sentence: "2 findings", audited: true },
      { target: longName, folder: "exec-.-build", status: 2, sentence: "not audited", audited: false }],
    documents: [{ title: "Min", edition: "CANN 8.0", address: "https://example.org/min.html" }, { title: "Max", edition: "CANN 8.3", address: "https://example.org/max.html" }],
    rules: [
      { id: "MIN-VALUE", instruction: "Min", statement: "The smaller one.", cells: [{ product: "atlas-a2", verdicts: ["confirmed", "contradicted", "not audited"] }, { product: "atlas-a3", verdicts: ["confirmed", "confirmed", "not audited"] }] },
      { id: "MIN-ALIGN", instruction: "Min", statement: "Aligned.", cells: [{ product: "atlas-a2", verdicts: ["enforced", "enforced", "not audited"] }, { product: "atlas-training", verdicts: ["not claimed", "not claimed", "not audited"] }] },
      { id: "VT-ALIGN", instruction: "vec_trans", statement: "Aligned.", cells: [{ product: "atlas-a2", verdicts: ["not claimed", "not claimed", "not audited"] }] },
    ].map((one) => ({ ...one, effect: "semantics", evidenceLevel: "document text", sources })),
    disagreements: [{ id: "DOC-A", title: "The first", differ: 40, documents: ["Min"], follows: ["chosen", "other", "not audited"], readings },
      { id: "DOC-B", title: "The second", differ: 0, documents: ["Max"], follows: ["chosen", "chosen", "not audited"],
        readings: [{ ...readings[0], document: "Max · 参数说明", citations: [{ title: "Max", section: "参数说明" }] }] },
    ].map((one) => ({ ...one, kind: "silent", rules: ["MIN-VALUE"], why: "It stands first." })),
  },
};

/** Beside the markup of a run or of mutants (page.cc). */
export const run = { schema: "lanediff-report/2", title: "A run", verb: "check", reasons: ["/abs/m.json: " + hostile], cases: {} };

/** A report in which nothing was compared. */
export const nothing = { schema: "lanediff-report/2", title: "Nothing", verb: "check", reasons: ["nothing was compared"] };
