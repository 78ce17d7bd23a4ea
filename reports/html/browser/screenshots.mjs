// Pictures of a report: screenshots.mjs REPORT.html FOLDER RULE CASE. Without RULE
// the rule with the most tried values is shown, without CASE the first case that
// has a page.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browser, open } from "./browser.mjs";

const [report, folder, rule, chosen] = process.argv.slice(2);
const url = pathToFileURL(resolve(report)).href;
const view = { viewport: { width: 1200, height: 780 }, colorScheme: "light" };

async function picture(hash, name, top) {
  await open(url + hash, async (page) => {
    if (top) await page.locator(top).first().evaluate((node) => scrollTo(0, node.getBoundingClientRect().top + scrollY - 70));
    await page.screenshot({ path: join(folder, name + ".png") });
  }, view);
}

/** What a report has to show. */
async function choose() {
  let found;
  await open(url, async (page) => {
    found = await page.evaluate(() => {
      const { audit, cases = {} } = data();
      const points = (one) => Math.max(0, ...one.cells.map((cell) => cell.points.length));
      const best = audit && [...audit.rules].sort((a, b) => points(b) - points(a))[0];
      return { rule: best && best.id, case: Object.keys(cases)[0] };
    });
  }, view);
  return { rule: rule || found.rule, case: chosen || found.case };
}

try {
  const shown = await choose();
  if (!shown.rule || !shown.case) throw new Error(`${report} holds no audit with pages of cases`);
  await picture("#/", "matrix");
  await picture("#/rule/" + encodeURIComponent(shown.rule), "rule", "h2:has-text('What was tried')");
  await picture("#/case/" + encodeURIComponent(shown.case), "case");
} catch (error) {
  console.error("screenshots: " + error.message);
  process.exitCode = 1;
} finally {
  await browser.close();
}
