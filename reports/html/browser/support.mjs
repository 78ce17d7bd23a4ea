// What tests of pages share: pages from hand-made reports, axe, pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { browser, require, work } from "./browser.mjs";

export { open, work } from "./browser.mjs";

const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
after(() => browser.close());

/** Writes a report's page; returns its address. `written`: [which sample's markup it has, a text in it]. */
export function makePage(name, report, written = []) {
  const data = join(work, "pages", name + ".json"), page = join(work, "pages", name + ".html");
  writeFileSync(data, JSON.stringify(report));
  execFileSync(process.env.HTML_PAGE, [data, page, ...written]);
  return pathToFileURL(page).href;
}

/** Fails on what axe finds wrong, with the rule and the elements. */
export async function assertAccessible(page, where) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message || "")).join(" | ")}`), [], where);
}

export async function screenshot(page, name) {
  await page.screenshot({ path: join(work, "screenshots", name + ".png") });
}

/** The first cells of the rows that a list shows. */
export function shownRows(page) {
  return page.locator("table.listing tbody tr > :first-child").allInnerTexts()
    .then((texts) => texts.map((text) => text.split("\n")[0]));
}
