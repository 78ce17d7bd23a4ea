// One browser, and pages in it that must not complain.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

export const work = process.env.BROWSER_WORK;
if (!work) throw new Error("BROWSER_WORK is not set: the folder that ./install made ready");
export const require = createRequire(join(work, "package.json"));
const { chromium } = require("playwright-core");

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  timeout: 240_000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/**
 * Opens an address, gives the page to `body` and fails on anything that the page
 * complained of: an error, a warning, a request that left the disk.
 */
export async function open(url, body, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000);
  // The first page of a cold browser takes long where others use the processors.
  context.setDefaultNavigationTimeout(240_000);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push("request of " + request.url());
  });
  page.on("dialog", (dialog) => { complaints.push("dialog " + dialog.message()); dialog.dismiss(); });
  try {
    await page.goto(url);
    await body(page);
    assert.deepEqual(complaints, [], "the page complained");
    assert.equal(await page.evaluate("window.hacked"), undefined, "text of the report ran as script");
  } finally {
    await context.close();
  }
}
