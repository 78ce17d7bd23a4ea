import assert from "node:assert/strict";
import { test } from "node:test";
import { report } from "./fixture.mjs";
import { makePage, open, screenshot, shownRows } from "./support.mjs";

const url = makePage("matrix", report);
const ids = report.audit.rules.map((rule) => rule.id);

test("the matrix shows every rule and every verdict in words", () => open(url, async (page) => {
  assert.deepEqual(await shownRows(page), ids);
  for (const verdict of Object.keys(report.audit.cells)) {
    assert.ok(await page.locator("td .badge", { hasText: verdict }).count() > 0, verdict);
  }
  assert.match(await page.locator(".shown").innerText(), /Showing 7 of 7 rules: 38 cells, 13 enforced, 7 tolerated, 1 violated/);
  await screenshot(page, "matrix");
}));

test("each filter leaves the rules that match", () => open(url, async (page) => {
  const shown = async (label, value) => {
    await page.getByLabel(label, { exact: true }).selectOption(value);
    const rows = await shownRows(page);
    await page.getByRole("button", { name: "Clear" }).click();
    return rows;
  };
  assert.deepEqual(await shown("Verdict", "violated"), ["DC-BOUNDS"]);
  assert.deepEqual(await shown("Verdict", "not exercised"), ["VT-PRODUCT"]);
  assert.deepEqual(await shown("Instruction", "Min"), ["MIN-REPEAT-RANGE", "MIN-ALIGN", "MIN-OVERLAP-SOURCES"]);
  assert.deepEqual(await shown("Evidence level", "device results"), ["RRS-ORDER"]);
  assert.deepEqual(await shown("Provenance", "supplement"), ["MIN-REPEAT-RANGE", "MIN-ALIGN"]);
  assert.deepEqual(await shown("Effect", "note"), ["MIN-OVERLAP-SOURCES"]);
  assert.deepEqual(await shownRows(page), ids);
}));

test("a product leaves its column and the rules that speak of it", () => open(url, async (page) => {
  await page.getByLabel("Product", { exact: true }).selectOption("atlas-training");
  assert.deepEqual(await shownRows(page), ids.filter((id) => id !== "RRS-ORDER"));
  assert.equal(await page.locator("thead th:visible").count(), 4);
  // DC-BOUNDS is violated on another product.
  await page.getByLabel("Verdict", { exact: true }).selectOption("violated");
  assert.deepEqual(await shownRows(page), []);
  assert.match(await page.locator(".shown").innerText(), /Nothing matches, of 7 rules/);
}));

test("search looks at statement and document, all words at once", () => open(url, async (page) => {
  await page.getByLabel("Search").fill("参数说明 REPEATTIMES");
  assert.deepEqual(await shownRows(page), ["MIN-REPEAT-RANGE"]);
  await page.getByLabel("Search").fill("no such words");
  assert.deepEqual(await shownRows(page), []);
}));

test("a head sorts up, down and back", () => open(url, async (page) => {
  const head = page.getByRole("columnheader", { name: "Rule" });
  const press = () => head.getByRole("button").click();
  await press();
  assert.deepEqual(await shownRows(page), [...ids].sort());
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  await press();
  assert.deepEqual(await shownRows(page), [...ids].sort().reverse());
  await press();
  assert.deepEqual(await shownRows(page), ids);
  await page.getByRole("columnheader", { name: "atlas-a2" }).getByRole("button").click();
  assert.equal((await shownRows(page))[0], "DC-BOUNDS");  // the worst comes first
}));

test("a view can be linked and is there again on the way back", () => open(url + "#/?verdict=enforced&instruction=Min&sort=-rule", async (page) => {
  assert.deepEqual(await shownRows(page), ["MIN-REPEAT-RANGE"]);
  await page.getByLabel("Instruction", { exact: true }).selectOption("");
  const there = page.url();
  assert.match(there, /#\/\?verdict=enforced&sort=-rule$/);
  await page.locator("table.listing").getByRole("link", { name: "DC-BOUNDS", exact: true }).click();
  await page.locator("h1", { hasText: /^DC-BOUNDS$/ }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
  await page.goBack();
  await page.locator("table.listing").waitFor();
  assert.equal(page.url(), there);
  assert.deepEqual(await shownRows(page), ["MIN-REPEAT-RANGE", "DC-BOUNDS"]);
}));

test("a tile leads to the rules behind its number", () => open(url, async (page) => {
  await page.locator(".tiles a", { hasText: "contradicted" }).click();
  await page.waitForFunction(() => document.querySelectorAll("table.listing tbody tr").length === 1);
  assert.deepEqual(await shownRows(page), ["RRS-ORDER"]);
}));

test("products that were not audited have no column", () => {
  const rules = report.audit.rules.map((rule) => ({ ...rule, cells: rule.cells.filter((cell) => cell.product === "atlas-a2") }));
  const one = { ...report, audit: { ...report.audit, rules: rules.filter((rule) => rule.cells.length) } };
  return open(makePage("one-product", one), async (page) => {
    assert.equal(await page.locator("thead th").count(), 4);
    assert.match(await page.locator(".kicker").innerText(), /1 of 7 products/);
  });
});

test("what the target does not claim is left out, counted, and shown if wanted", () => {
  const rules = report.audit.rules.map((rule) => ({ ...rule, cells: rule.cells.map((cell) => ({ ...cell, claimed: rule.instruction !== "vec_trans" && cell.product !== "atlas-a3" })) }));
  return open(makePage("unclaimed", { ...report, audit: { ...report.audit, rules } }), async (page) => {
    assert.deepEqual(await shownRows(page), ids.filter((id) => id !== "VT-PRODUCT"));
    assert.equal(await page.locator("thead th").count(), 9);
    await page.getByText("Left out: 7 cells that the target does not claim, with all of 1 rule and 1 product.").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForFunction(() => document.querySelectorAll("thead th").length === 10);
    assert.deepEqual(await shownRows(page), ids);
  });
});

test("a single cell that the target does not claim is counted", () => {
  const rules = report.audit.rules.map((rule) => ({ ...rule, cells: rule.cells.map((cell) => ({ ...cell, claimed: rule.id !== "MIN-ALIGN" || cell.product !== "atlas-a3" })) }));
  return open(makePage("one-unclaimed", { ...report, audit: { ...report.audit, rules } }), (page) =>
    page.getByText("Left out: 1 cell that the target does not claim. Show all").waitFor());
});
