// Pictures of reports: screenshots.mjs AUDIT.html CAMPAIGN.html FOLDER. Prints the
// number of rules that the audit's page shows.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browser, open } from "./browser.mjs";

const [audit, campaign, folder] = process.argv.slice(2);
const view = { viewport: { width: 1200, height: 780 }, colorScheme: "light" };

/** `shown` is a selector of what the page must show; `top` of what is scrolled to. */
async function picture(report, hash, name, shown, top) {
  let text = "";
  await open(pathToFileURL(resolve(report)).href + hash, async (page) => {
    text = await page.locator(shown).first().innerText();
    if (top) await page.locator(top).first().evaluate((node) => scrollTo(0, node.getBoundingClientRect().top + scrollY - 70));
    await page.screenshot({ path: join(folder, name + ".png") });
  }, view);
  return text;
}

try {
  const rules = await picture(audit, "#/", "matrix", "text=/\\d rules × /", "text=/Showing \\d/");
  await picture(audit, "#/rule/MIN-REPEAT", "rule", "h2:has-text('What was tried')", "h2:has-text('What was tried')");
  await picture(audit, "#/case/" + encodeURIComponent("disagreements/subnormals"), "case", "h1:has-text('subnormals')");
  await picture(campaign, "#/", "campaign", "text=Findings open over time");
  console.log(rules.match(/\d[\d\s]*/)[0].replace(/\D/g, ""));
} catch (error) {
  console.error("screenshots: " + error.message);
  process.exitCode = 1;
} finally {
  await browser.close();
}
