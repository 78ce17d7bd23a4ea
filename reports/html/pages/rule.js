"use strict";
// One rule: the text of the documents, what was tried, what came out.

function renderRule([id], query) {
  const { audit, comparison } = data();
  if (comparison) return renderComparedRule(id);
  const at = audit ? audit.rules.findIndex((one) => one.id === id) : -1;
  if (at < 0) return missing(`There is no rule ${id}.`);
  const rule = audit.rules[at];
  return {
    title: rule.id,
    kicker: effectText(rule),
    nodes: [
      el("p", { class: "lead" }, badge(rule.verdict), " ", rule.statement),
      ...sourceSection(rule),
      ...productSection(rule),
      ...detailSection(rule, query),
      ...evidenceSection(rule),
      ...corpusSection(rule),
      ...disagreementSection(rule, audit),
      neighbours(audit.rules, at),
    ],
  };
}

pages.register(/^#\/rule\/(.+)$/, renderRule, { needs: ([id]) => partsOf("rules", id) });

function effectText({ instruction, effect }) {
  return `${instruction} · ${effect}: ${kEffects[effect] || ""}`;
}

function neighbours(rules, at) {
  const link = (rule, before, after) => rule && el("a", { href: ruleHash(rule.id) }, before, rule.id, after);
  return el("nav", { class: "neighbours", "aria-label": "Neighbouring rules" },
    link(rules[at - 1], "← ", ""), el("a", { href: "#/" }, "all rules"), link(rules[at + 1], "", " →"));
}

function sourceSection(rule) {
  return [
    el("h2", null, "What the documents state"),
    scroller("Sources", table(["Part", "Provenance", "The document's words, and where"], rule.sources.map((source) => [
      source.part || "all of it",
      [source.provenance, el("div", { class: "soft" }, kProvenances[source.provenance]),
        source.evidenceLevel && source.evidenceLevel !== source.provenance && el("div", { class: "soft" }, source.evidenceLevel)].filter(Boolean),
      cited(source),
    ]))),
    rule.ranges && rule.ranges.length > 0 && el("p", null, "Allowed: ", rule.ranges.map(rangeText).join("; "), "."),
    ...capacityTable(rule.capacities || []),
    el("p", null, el("strong", null, "Evidence level: ", rule.evidenceLevel || "not stated"), ". ", kEvidenceLevels[rule.evidenceLevel] || ""),
    el("p", { class: "note" }, kAgreement),
  ].filter(Boolean);
}

/** Bytes of each memory by product. */
function capacityTable(capacities) {
  if (!capacities.length) return [];
  const all = (key) => [...new Set(capacities.map((one) => one[key]))];
  const memories = all("memory");
  const bytes = (product, memory) => capacities.find((one) => one.product === product && one.memory === memory);
  return [
    el("h3", null, "How large the memories are, in bytes"),
    scroller("Capacities", table(["Product", ...memories], all("product").map((product) =>
      [product, ...memories.map((memory) => count((bytes(product, memory) || { bytes: 0 }).bytes))]), memories.map((_, i) => i + 1))),
    el("p", { class: "soft" }, "GM is as large as the case specifies."),
  ];
}

function rangeText({ field, low, high, elementBits }) {
  return `${field} ${low} … ${high}` + (elementBits ? ` for types of ${elementBits} bits` : "");
}

/** A plain table of texts or nodes; cells of `numbers` columns stand right. */
function table(heads, rows, numbers = []) {
  const place = (i) => ({ class: numbers.includes(i) ? "number" : null });
  return stackable({}, heads.map((head, i) => el("th", { scope: "col", ...place(i) }, head)),
    rows.map((row) => stackRow(row.map((cell, i) => el("td", place(i), cell)), heads)));
}

function productSection(rule) {
  return [
    el("h2", null, "What came out"),
    scroller("Verdict by product", table(["Product", "Verdict", "Cases compared", "In words"], rule.cells.map((cell) => [
      cell.product,
      badge(cell.verdict),
      count(cell.compared),
      plainWords(cell).map((sentence) => el("div", null, sentence)),
    ]), [2])),
  ];
}

/** The product whose details are shown: the one in the address, else the worst. */
function productShown(rule, query) {
  const requested = rule.cells.find((cell) => cell.product === query.get("product"));
  return requested || rule.cells.reduce((worst, cell) => {
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
  const select = chooser(null, rule.cells.map(({ product, verdict }) => [product, `${product}: ${verdict}`]), productShown(rule, query).product,
    (product) => inner.replaceChildren(...details(rule, rule.cells.find((cell) => cell.product === product))),
    (product) => {
      query.set("product", product);
      setQuery(query);
    });
  return [el("h2", null, "What was tried"), field("Product", select), inner];
}

function details(rule, cell) {
  const nodes = [...boundaryPictures(rule, cell), ...numericPart(cell)];
  const tried = cell.tried || [];
  const heads = ["Type", "Form", "Positions, destination first",
    ...(rule.effect === "reject" ? ["Break it", "Keep it"] : ["Show it", "Others"])];
  const forms = tried.some((one) => one.form);
  if (tried.length) {
    nodes.push(el("h3", null, "Types, forms and positions"), scroller("Types, forms and positions", table(heads,
      tried.map((one) => [one.dtype, one.form || (forms ? "plain" : "the only one"), one.positions, count(one.breaks), count(one.keeps)]), [3, 4])));
  }
  return nodes.length ? nodes : [el("p", null, cell.reason || "Nothing was tried.")];
}

function numericPart({ numeric }) {
  if (!numeric) return [];
  const known = [
    ["arithmetic nodes", count(numeric.nodes)], ["rounded", count(numeric.rounded)], ["exact ties", count(numeric.ties)],
    ["saturated", count(numeric.saturated)], ["largest error of the target", `${count(numeric.largestUlp)} ULP`],
    ["example: exact value", numeric.exact], ["example: value expected", numeric.expected], ["example: the target's", numeric.actual],
  ].filter(([, value]) => value !== "" && value !== undefined);
  return [el("h3", null, "Arithmetic"), facts(known)];
}

function caseLink(id, words = id) {
  return hasCase(id) ? el("a", { href: caseHash(id) }, words) : el("span", null, words);
}

/** Cases by product, those of a product with a bad one first. */
function evidenceSection(rule) {
  const bad = (one) => kBadShowings.includes(one.showing) && !one.tolerated;
  const cells = rule.cells.filter((cell) => cell.evidence && cell.evidence.length);
  if (!cells.length) return [el("h2", null, "Cases"), el("p", null, "No case was saved for this rule.")];
  const worst = (cell) => cell.evidence.some(bad);
  return [
    el("h2", null, "Cases"),
    cells.some((cell) => !cell.evidence.every((one) => hasCase(one.id))) && el("p", { class: "soft" },
      "Examples of each side. A case with a link has its own page here; any other gets one from ",
      el("code", null, "lanediff explain FILE --html DIR"), "."),
    [...cells].sort((a, b) => worst(b) - worst(a)).map((cell) => [
      el("h3", null, cell.product),
      el("ul", { class: "cards" }, [...cell.evidence].sort((a, b) => bad(b) - bad(a)).map((one) => evidenceCard(one, bad(one)))),
    ]),
  ].flat(2).filter(Boolean);
}

function evidenceCard(one, bad) {
  return el("li", { class: bad ? "card bad" : "card" },
    el("div", null, caseLink(one.id, one.what || one.id)),
    el("div", null, el("span", { class: "soft" }, one.side, " the rule: "), el("strong", null, one.showing), one.message && ": " + one.message),
    one.signature && el("div", { class: "soft mono" }, one.signature),
    one.file ? el("div", { class: "soft" }, "file ", el("code", null, one.file)) : el("div", { class: "soft" }, one.id),
    one.reproduce && command(one.reproduce));
}

/** Cases of the corpus by who worked out what they expect. */
function corpusSection(rule) {
  const { corpus } = rule;
  if (!corpus || !corpus.length) return [];
  return [
    el("h2", null, "Expectations in the corpus"),
    el("p", { class: "soft" }, kCorpus[rule.effect] || "", " This audit did not run them; ",
      el("code", null, "lanediff check corpus"), " does."),
    scroller("Expectations in the corpus", table(["Worked out", "Cases", "Their names"], corpus.map(({ tool, cases }) => [
      kTools[tool] || tool,
      count(cases.length),
      el("details", null, el("summary", null, "show"), el("ul", null, cases.map((id) => el("li", null, el("code", null, id))))),
    ]), [1])),
  ];
}

function disagreementSection(rule, audit) {
  const touched = (audit.disagreements || []).filter((one) => one.rules.includes(rule.id));
  if (!touched.length) return [];
  return [el("h2", null, "Where documents disagree"), el("ul", null, touched.map((one) =>
    el("li", null, el("a", { href: disagreementHash(one.id) }, one.title))))];
}
