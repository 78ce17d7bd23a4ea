"use strict";
// One rule: what the document says, what was tried, what came out.

function renderRule([id], query) {
  const { audit } = data();
  const at = audit ? audit.rules.findIndex((one) => one.id === id) : -1;
  if (at < 0) return missing(`There is no rule ${id}.`);
  const rule = audit.rules[at];
  return {
    title: rule.id,
    kicker: `${rule.instruction} · ${rule.effect}: ${kEffects[rule.effect] || ""}`,
    nodes: [
      el("p", { class: "lead" }, badge(rule.verdict), " ", rule.statement),
      ...sourceSection(rule),
      ...productSection(rule),
      ...detailSection(rule, query),
      ...evidenceSection(rule),
      ...disagreementSection(rule, audit),
      neighbours(audit.rules, at),
    ],
  };
}

pages.register(/^#\/rule\/(.+)$/, renderRule);

function neighbours(rules, at) {
  const link = (rule, words) => rule && el("a", { href: ruleHash(rule.id) }, `${words} ${rule.id}`);
  return el("nav", { class: "neighbours", "aria-label": "Neighbouring rules" },
    link(rules[at - 1], "←"), el("a", { href: "#/" }, "all rules"), link(rules[at + 1], "→"));
}

function sourceSection(rule) {
  return [
    el("h2", null, "What the documents say"),
    scroller("Sources", table(["Part", "Provenance", "Document · section"], rule.sources.map((source) => [
      source.part || "all of it",
      [source.provenance, el("div", { class: "soft" }, kProvenances[source.provenance])],
      source.document || el("span", { class: "soft" }, source.provenance === "assumed" ? "none: our assumption" : "newer public documentation"),
    ]))),
    rule.ranges && rule.ranges.length > 0 && el("p", null, "Allowed: ", rule.ranges.map(rangeText).join("; "), "."),
    el("p", null, el("strong", null, "Evidence level: ", rule.evidenceLevel || "not stated"), ". ", kEvidenceLevels[rule.evidenceLevel] || ""),
    el("p", { class: "note" }, kAgreement),
  ].filter(Boolean);
}

function rangeText({ field, low, high, elementBits }) {
  return `${field} ${low} … ${high}` + (elementBits ? ` for types of ${elementBits} bits` : "");
}

/** A plain table of texts or nodes; cells of `numbers` columns stand right. */
function table(heads, rows, numbers = []) {
  const place = (i) => ({ class: numbers.includes(i) ? "number" : null });
  return el("table", null,
    el("thead", null, el("tr", null, heads.map((head, i) => el("th", { scope: "col", ...place(i) }, head)))),
    el("tbody", null, rows.map((row) => el("tr", null, row.map((cell, i) => el("td", place(i), cell))))));
}

function productSection(rule) {
  return [
    el("h2", null, "What came out"),
    scroller("Verdict by product", table(["Product", "Verdict", "In words"], rule.cells.map((cell) => [
      cell.product,
      badge(cell.verdict),
      plainWords(cell).map((sentence) => el("div", null, sentence)),
    ]))),
  ];
}

/** The product whose details are shown: the one asked for, else the worst. */
function productShown(rule, query) {
  const asked = rule.cells.find((cell) => cell.product === query.get("product"));
  return asked || rule.cells.reduce((worst, cell) => {
    const better = rankOf(cell.verdict) < rankOf(worst.verdict) ||
      (cell.verdict === worst.verdict && triedCount(cell) > triedCount(worst));
    return better ? cell : worst;
  }, rule.cells[0]);
}

function triedCount(cell) {
  return (cell.tried || []).reduce((sum, one) => sum + one.breaks + one.keeps, 0);
}

function detailSection(rule, query) {
  if (!rule.cells.length) return [];
  const inner = el("div");
  const select = el("select", null, rule.cells.map((cell) => el("option", { value: cell.product }, `${cell.product}: ${cell.verdict}`)));
  select.value = productShown(rule, query).product;
  const draw = () => inner.replaceChildren(...details(rule, rule.cells.find((cell) => cell.product === select.value)));
  select.addEventListener("change", () => {
    query.set("product", select.value);
    setQuery(query);
    draw();
  });
  draw();
  return [el("h2", null, "What was tried"), field("Product", select), inner];
}

function details(rule, cell) {
  const nodes = [...boundaryPictures(rule, cell), ...numericPart(cell)];
  const tried = cell.tried || [];
  const heads = rule.effect === "reject" ? ["Type", "Form", "Positions", "Break it", "Keep it"]
    : ["Type", "Form", "Positions", "Show it", "Others"];
  if (tried.length) {
    nodes.push(el("h3", null, "Types, forms and positions"), scroller("Types, forms and positions", table(heads,
      tried.map((one) => [one.dtype, one.form || "the only one", one.positions, count(one.breaks), count(one.keeps)]), [3, 4])));
  }
  return nodes.length ? nodes : [el("p", null, cell.reason || "Nothing was tried.")];
}

function numericPart({ numeric }) {
  if (!numeric) return [];
  const facts = [
    ["arithmetic nodes", count(numeric.nodes)], ["rounded", count(numeric.rounded)], ["exact ties", count(numeric.ties)],
    ["saturated", count(numeric.saturated)], ["largest error", `${count(numeric.largestUlp)} ULP`],
    ["exact value shown", numeric.exact], ["rounded by the oracle", numeric.expected], ["target gave", numeric.actual],
  ].filter(([, value]) => value !== "" && value !== undefined);
  return [el("h3", null, "Arithmetic"), el("dl", { class: "facts" },
    facts.map(([name, value]) => el("div", null, el("dt", null, name), el("dd", { class: "mono" }, value))))];
}

function caseLink(id) {
  return hasCase(id) ? el("a", { href: caseHash(id) }, id) : el("span", null, id);
}

function evidenceSection(rule) {
  const all = rule.cells.flatMap((cell) => (cell.evidence || []).map((one) => ({ product: cell.product, ...one })));
  if (!all.length) return [el("h2", null, "Cases"), el("p", null, "No case was saved for this rule.")];
  const bad = (one) => kBadShowings.includes(one.showing);
  all.sort((a, b) => bad(b) - bad(a));
  return [el("h2", null, "Cases"), el("ul", { class: "cards" }, all.map((one) => evidenceCard(one, bad(one))))];
}

function evidenceCard(one, bad) {
  return el("li", { class: bad ? "card bad" : "card" },
    el("div", null, caseLink(one.id), el("span", { class: "soft" }, ` · ${one.product} · ${one.side} the rule`)),
    el("div", null, one.what),
    el("div", null, el("strong", null, one.showing), one.message && ": " + one.message),
    one.signature && el("div", { class: "soft mono" }, one.signature),
    one.file && el("div", { class: "soft" }, "file ", el("code", null, one.file)),
    one.reproduce && command(one.reproduce));
}

function disagreementSection(rule, audit) {
  const touched = (audit.disagreements || []).filter((one) => one.rules.includes(rule.id));
  if (!touched.length) return [];
  return [el("h2", null, "Where documents disagree"), el("ul", null, touched.map((one) =>
    el("li", null, el("a", { href: disagreementHash(one.id) }, one.title))))];
}
