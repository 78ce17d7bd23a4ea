"use strict";
// The start of an audit: every rule on every product.

function cellOf(rule, product) {
  return rule.cells.find((cell) => cell.product === product);
}

/** Products that were audited, which may be some only. */
function auditedProducts(audit, rules = audit.rules) {
  return audit.products.filter((product) => rules.some((rule) => cellOf(rule, product)));
}

/** The rules with the cells that the target claims, those without one left out. */
function claimedRules({ rules }) {
  return rules.map((rule) => ({ ...rule, cells: rule.cells.filter((cell) => cell.claimed !== false) }))
    .filter((rule) => rule.cells.length);
}

/** What the matrix leaves out, with a link to all of it. */
function leftOut(audit, rules, products) {
  const cellsOf = (all) => all.reduce((sum, { cells }) => sum + cells.length, 0);
  const cells = cellsOf(audit.rules) - cellsOf(rules);
  const parts = [[audit.rules.length - rules.length, "rule"], [auditedProducts(audit).length - products.length, "product"]]
    .filter(([n]) => n).map(([n, noun]) => counted(n, noun));
  return cells > 0 && el("p", { class: "soft" },
    `Left out: ${counted(cells, "cell")} that the target does not claim${parts.length ? `, with all of ${parts.join(" and ")}` : ""}. `,
    el("a", { href: "#/?claims=all" }, "Show all"));
}

/** The cells of `rule` that the product filter leaves. */
function cellsShown(rule, query) {
  const product = query.get("product");
  return rule.cells.filter((cell) => !product || cell.product === product);
}

function matrixColumns(products, query) {
  return [
    kRuleColumn,
    { id: "worst", title: "Worst", value: (rule) => rankOf(rule.verdict), cell: (rule) => badge(rule.verdict) },
    { id: "level", title: "Evidence level", value: (rule) => Object.keys(kEvidenceLevels).indexOf(rule.evidenceLevel),
      cell: (rule) => rule.evidenceLevel },
    ...products.map((product) => ({
      id: product, title: product, class: "product",
      when: (query) => !query.get("product") || query.get("product") === product,
      value: (rule) => rankOf(cellOf(rule, product)?.verdict),
      cell: (rule) => productCell(rule, product, query),
    })),
  ];
}

/** The filter "not exercised" also shows the reason. */
function productCell(rule, product, query) {
  const cell = cellOf(rule, product);
  if (!cell) return el("span", { class: "soft", title: "The rule doesn't speak of this product, or the target does not claim it" }, "–");
  const why = query.get("verdict") === "not exercised" && cell.verdict === "not exercised" && cell.reason;
  return [el("a", { class: "plain", href: ruleHash(rule.id, product), "aria-label": `${cell.verdict}: ${rule.id} on ${product}` },
    badge(cell.verdict)), why && el("div", { class: "reason soft" }, why)];
}

function ruleHash(id, product) {
  return "#/rule/" + encodeURIComponent(id) + (product ? "?product=" + encodeURIComponent(product) : "");
}

function matrixFilters(rules, products) {
  return [
    choice("instruction", "Instruction", distinct(rules, (rule) => rule.instruction), (rule) => rule.instruction),
    choice("product", "Product", products, (rule) => rule.cells.map((cell) => cell.product)),
    { id: "verdict", label: "Verdict", options: kRuleVerdicts,
      keeps: (rule, value, query) => cellsShown(rule, query).some((cell) => cell.verdict === value) },
    choice("level", "Evidence level", Object.keys(kEvidenceLevels), (rule) => rule.evidenceLevel),
    choice("provenance", "Provenance", Object.keys(kProvenances), (rule) => rule.sources.map((source) => source.provenance)),
    choice("effect", "Effect", Object.keys(kEffects), (rule) => rule.effect),
  ];
}

/** "12 enforced, 1 violated": cells of the rules that are shown. */
function cellCounts(rules, query) {
  const cells = rules.flatMap((rule) => cellsShown(rule, query));
  const counts = kRuleVerdicts.map((verdict) => [cells.filter((cell) => cell.verdict === verdict).length, verdict]);
  return `${counted(cells.length, "cell")}, ` +
    counts.filter(([n]) => n).map(([n, verdict]) => `${count(n)} ${verdict}`).join(", ");
}

/** The sums of an audit, each a link to the rules behind it. */
function tiles(audit) {
  return el("ul", { class: "tiles", "aria-label": "Cells by verdict" }, kRuleVerdicts.map((verdict) =>
    el("li", { class: kindOf(verdict).tone },
      el("a", { href: "#/?verdict=" + encodeURIComponent(verdict) },
        el("strong", null, count(audit.cells[verdict] || 0)), " ", badge(verdict)))));
}

function renderMatrix(query) {
  const { audit } = data();
  const rules = query.get("claims") === "all" ? audit.rules : claimedRules(audit);
  const products = auditedProducts(audit, rules);
  return {
    title: data().title,
    kicker: `${counted(audit.rules.length, "rule")} × ${auditedProducts(audit).length} of ${counted(audit.products.length, "product")}`,
    nodes: [
      ...written(query).nodes,
      ...readingSection(audit),
      el("h2", null, "Rule by rule"),
      el("p", { class: "lead" }, `${counted(audit.rules.length, "rule")} of the documents on ${auditedProducts(audit).length} of ${counted(audit.products.length, "product")}, and what `, el("strong", null, audit.target),
        " makes of each: ", comparedText(audit), ". ", el("a", { href: "#/about" }, "What the words mean")),
      tiles(audit),
      el("p", { class: "note" }, kAgreement),
      leftOut(audit, rules, products),
      ...listing({
        label: "Rules and products", noun: "rule", rows: rules, query,
        columns: matrixColumns(products, query), filters: matrixFilters(rules, products), summary: cellCounts,
        text: (rule) => [rule.id, rule.statement, rule.instruction,
          ...rule.sources.flatMap((source) => [source.document || "", source.part || "", source.quote || ""])].join(" "),
      }),
    ].filter(Boolean),
  };
}

/** What an audit compared. */
function comparedText({ cases, steps, comparedBytes, nodes }) {
  return `${counted(cases, "case")}, ${counted(steps, "step")}, ${counted(comparedBytes, "byte")} and ` +
    `${counted(nodes, "arithmetic node")} compared`;
}
