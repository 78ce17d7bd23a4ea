"use strict";
// The words of a report and what they mean, once for all pages.

/** From worst to best: the order in which verdicts are sorted. */
const kVerdicts = {
  violated: { icon: "✗", tone: "bad", means: "A call that breaks the rule ran otherwise than its addresses naturally go on, wrote outside its operands, crashed or hung; or a call that keeps the rule was refused for it." },
  contradicted: { icon: "≠", tone: "bad", means: "At least one case came out otherwise, and this rule explains it better than the others that the case rests on; the smallest is shown." },
  suspected: { icon: "?", tone: "mild", means: "Wrong cases that are blamed on another rule could speak against this one just as well." },
  "not exercised": { icon: "–", tone: "none", means: "Nothing was compared; the reason is given." },
  tolerated: { icon: "~", tone: "mild", means: "Calls that break the rule are not refused: they run as their address arithmetic naturally goes on, or the target states that it checks nothing. It doesn't check this rule; what a tolerated case left was not compared." },
  enforced: { icon: "✓", tone: "good", means: "Every call that breaks the rule and was compared was refused, and this rule was named; no call that keeps it was refused for it." },
  confirmed: { icon: "=", tone: "good", means: "Every case came out as the rule states, but for those that another rule explains better: two programs, written from the same text, agree." },
  "not claimed": { icon: "–", tone: "none", means: "The target does not claim the instruction or the product." },
  "not audited": { icon: "–", tone: "none", means: "The audit of the target did not get so far." },
  // Of single cases in a run.
  disagree: { icon: "✗", tone: "bad", means: "Target and reference differ." },
  malformed: { icon: "!", tone: "bad", means: "The file is no case." },
  unsupported: { icon: "–", tone: "none", means: "A side can't do a step; nothing was compared." },
  known: { icon: "~", tone: "mild", means: "It differs as a list of known issues states." },
  rejected: { icon: "⊘", tone: "mild", means: "Both sides refuse a step: the program ends there." },
  agree: { icon: "✓", tone: "good", means: "Target and reference came to the same." },
  // Of findings in a campaign.
  "came back": { icon: "↺", tone: "bad", means: "It was seen again after it was fixed." },
  open: { icon: "✗", tone: "bad", means: "Nothing shows that it is gone." },
  accepted: { icon: "–", tone: "none", means: "It is a known issue." },
  fixed: { icon: "✓", tone: "good", means: "A run that looked for it did not see it any more." },
};

/** Verdicts of rules, in the order of a legend. */
const kRuleVerdicts = ["enforced", "tolerated", "violated", "confirmed", "contradicted", "suspected", "not exercised"];

const kEffects = {
  reject: "a call that breaks it must be refused",
  note: "the call runs and the finding is noted",
  semantics: "how the result is computed",
};

/** From strongest to weakest. */
const kEvidenceLevels = {
  "device results": "A document publishes results that show every part of it.",
  "vendor tables": "Every part of it stands at least in a table of the cited document.",
  "document text": "Every part of it stands at least in the text of the cited document.",
  "published result": "Every part of it stands at least in results, value by value, that the vendor published in a newer guide for atlas-a2 and atlas-a3.",
  supplement: "Some part of it stands in newer public documentation of the same interface only.",
  assumption: "No document states some part of it: we chose that reading.",
};

/** Which cases of the corpus are evidence of a rule. */
const kCorpus = {
  reject: "Cases that expect a call to be refused for this rule and no other.",
  note: "Cases that expect this note.",
  semantics: "Cases whose result rests on this rule.",
};

/** Who worked out what a case of the corpus expects. */
const kTools = {
  published: "by the vendor, who published the result value by value",
  hand: "by hand, from the document",
  "script/expectations": "by a third implementation, which shares nothing with emulator and oracle",
  oracle: "by the oracle: it shows that nothing has changed since, no more",
};

/** Words that a reader of the documents need not know. */
const kTerms = {
  target: "The implementation that is looked at.",
  reference: "What it is compared with: the oracle, a second implementation with arithmetic of any precision.",
  case: "A product, memory with its values, and a program; a file that can be run again.",
  step: "One call of a case's program.",
  node: "One operation on numbers, such as one addition of a sum; its result is rounded or exact.",
  common: "In the place of an instruction: a rule of all of them.",
  "–": "In the place of a verdict: the rule doesn't speak of this product, most often because the instruction is not supported there, or the target does not claim it.",
  "[64, 128)": "Bytes from 64 on up to 128, byte 128 left out.",
};

const kProvenances = {
  documented: "the cited document states it",
  supplement: "newer public documentation of the same interface states it",
  assumed: "our own decision where no document speaks",
};

const kAgreement = "“Confirmed” and “enforced” mean that two programs, written from the same text, agree. They are no result of a device: if both read the text wrongly in the same way, they agree all the same. The evidence level states what stands behind the text's reading.";

/** What calls showed, in the order of reports. */
const kShowings = {
  breaks: {
    refused: "refused, this rule named",
    "refused otherwise": "refused, but this rule not named",
    "ran as extended": "not refused: ran as the addresses naturally go on",
    "ran, undefined": "not refused: what should come out is undefined, nothing written outside its operands",
    "ran otherwise": "not refused: ran otherwise than the addresses naturally go on",
    "wrote outside": "not refused: wrote outside its operands",
  },
  keeps: { accepted: "accepted", "refused legal": "refused, though allowed" },
  applies: { "as documented": "came out as the rule states", differently: "came out differently" },
  either: { crashed: "crashed the target", hung: "hung the target" },
};

const kBadShowings = ["refused otherwise", "ran otherwise", "wrote outside", "refused legal", "differently", "crashed", "hung"];

function kindOf(verdict) {
  return kVerdicts[verdict] || { icon: "?", tone: "none", means: "" };
}

/** A verdict as icon and word; its colour is the third sign, never the only one. */
function badge(verdict) {
  const { icon, tone } = kindOf(verdict);
  return el("span", { class: "badge " + tone },
    el("span", { class: "icon", "aria-hidden": "true" }, icon), verdict);
}

/** The place of a verdict from worst, 0, to best; what is not there comes last. */
function rankOf(verdict) {
  const rank = Object.keys(kVerdicts).indexOf(verdict);
  return rank < 0 ? 99 : rank;
}

/** "312 refused, this rule named; 2 crashed the target": the words of `group`. */
function saysOf(showings, group) {
  return Object.entries(kShowings[group]).filter(([name]) => showings[name])
    .map(([name, words]) => `${count(showings[name])} ${words}`).join("; ");
}

/** " in forms count, mask, not in params"; empty where there is but one. */
function formsOf(wrong, right) {
  if (!wrong || !wrong.length) return "";
  return ` in ${wrong.length > 1 ? "forms" : "form"} ${wrong.join(", ")}${right && right.length ? `, not in ${right.join(", ")}` : ""}`;
}

/** Sentences of what a cell's calls showed, the rule broken alone first. */
function plainWords(cell) {
  const alone = cell.alone || {}, together = cell.together || {};
  const sentences = [
    ["Calls that break only this rule: ", saysOf(alone, "breaks")],
    ["Calls that keep it: ", saysOf(alone, "keeps")],
    ["Cases that rest on it: ", saysOf(alone, "applies")],
    ["Wrong cases that rest on it, blamed on another rule: ", (cell.blamedElsewhere || [])
      .map(({ rule, wrong }) => `${count(wrong)} on ${rule}`).join("; ")],
    ["What is blamed on it: ", (cell.wrong || []).map(({ where, wrong, right, forms, rightForms }) =>
      `${where || "anywhere"}, ${count(wrong)} wrong and ${count(right)} right${formsOf(forms, rightForms)}`).join("; ")],
    ["What characterise found: ", (cell.measured || []).join("; ")],
    ["Rules that explain this as well: ", (cell.coSuspects || []).join(", ")],
    ["", saysOf(alone, "either")],
    ["With another rule broken too: ", ["breaks", "keeps", "applies", "either"]
      .map((group) => saysOf(together, group)).filter(Boolean).join("; ")],
  ].filter(([, words]) => words).map(([start, words]) => `${start}${words}.`);
  if (cell.reason) sentences.push(cell.reason.replace(/\.?$/, "."));
  return sentences.length ? sentences : ["Nothing was counted."];
}

/** Headings of the documents, which are in Chinese. Longer ones come first. */
const kHeadings = [
  ["支持的通路和数据类型", "supported routes and data types"], ["产品支持情况", "supported products"],
  ["支持的型号", "supported products"], ["调用示例二", "second example"], ["调用示例", "example"],
  ["函数原型", "prototype"], ["函数功能", "function"], ["功能说明", "function"], ["参数说明", "parameters"],
  ["约束说明", "constraints"], ["约束条件", "constraints"], ["注意事项", "notes"],
  ["数学定义", "mathematical definition"], ["实现说明", "implementation"],
  ["Memory矢量计算接口边界值汇总", "Boundary values of vector instructions on memory"],
  ["NPU架构版本2201", "NPU architecture 2201"], ["存储单元", "storage units"],
  ["API流水类型汇总", "Pipes of the APIs"], ["结构体具体定义", "definition of the struct"],
  ["高维切分", "High-dimensional tiling"], ["地址间隔配置", "strides"],
  ["通用说明和约束", "General notes and constraints"], ["通用地址重叠约束", "overlap of addresses"],
  ["通用约束", "General constraints"], ["掩码", "Mask"], ["接口内设置Mask", "masks set by calls"], ["概述", "overview"],
  ["数据类型", "data types"], ["关键特性", "key properties"], ["临时空间", "temporary space"], ["Tile 编程模型", "Tile programming model"], ["有效区域", "valid region"],
  ["编译期约束（对齐与盒化）", "constraints at compile time (alignment, boxes)"],
  ["形式2：编译时地址（含静态边界检查）", "form 2: addresses at compile time, with static bounds checks"],
  ["双目指令", "Instructions of two operands"], ["通用定义", "general definitions"],
  ["表", "table "],
];

function englishOf(place) {
  return kHeadings.reduce((text, [chinese, words]) => text.replaceAll(chinese, words), place);
}

/** A place in a document as it is written there, with its headings in English below. */
function inEnglish(place) {
  const english = englishOf(place);
  return english === place ? place : [el("span", { lang: "zh" }, place), el("div", { class: "soft" }, english)];
}

/** A document's title with its link, and its edition below; `section` behind the title. */
function place(title, section) {
  const { address = "", edition = "" } = (results().documents || []).find((one) => one.title === title) || {};
  const link = address.startsWith("https://");
  return el("div", { class: "place" }, link ? el("a", { href: address, lang: "zh", rel: "noreferrer" }, title) : el("span", { lang: "zh" }, title),
    section && [" · ", el("span", { lang: "zh" }, section)], edition && el("div", { class: "soft" }, edition, link ? "" : `; ${address}`));
}

/** The words of a document that a source of a rule, or a reading, cites, and a link to each place. */
function cited({ document, quote, noQuotation, citations = [], silent = [] }) {
  if (!document) {
    return [el("div", { class: "soft" }, "no document states it: our assumption", silent.length ? "; silent:" : ""), silent.map((title) => place(title))];
  }
  const places = citations.map(({ title, section }) => place(title, section));
  const english = englishOf(document);
  return [quote ? el("blockquote", { lang: "zh" }, quote) : el("div", { class: "soft" }, "no quotation", noQuotation && `: ${noQuotation}`),
    places.length ? places : document, english !== document && el("div", { class: "soft" }, english)];
}

/** A list of words and what they mean. */
function legend(words, meaning, sign = (word) => word) {
  return el("dl", { class: "legend" }, words.map((word) =>
    el("div", null, el("dt", null, sign(word)), el("dd", null, meaning(word)))));
}
