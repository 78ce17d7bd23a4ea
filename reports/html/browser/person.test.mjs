// What a person needs: any screen, any theme, the keyboard alone, paper.
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparison, hostile, nothing, report, run } from "./fixture.mjs";
import { assertAccessible, makePage, open, screenshot, shownRows } from "./support.mjs";

const url = makePage("person", report);
const hashes = ["#/", "#/rule/MIN-REPEAT-RANGE", "#/rule/DC-BOUNDS", "#/rule/RRS-ORDER", "#/rule/VT-PRODUCT", "#/disagreements",
  "#/disagreement/rrs-35604", "#/changes", "#/about", "#/nowhere"];

const ofPrograms = [makePage("person-run", run, ["run", hostile]), makePage("person-mutants", run, ["mutants", hostile])];

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong, ${colorScheme}`, async () => {
    for (const hash of hashes) {
      await open(url + hash, (page) => assertAccessible(page, hash), { colorScheme });
    }
    for (const address of ofPrograms) await open(address, (page) => assertAccessible(page, address), { colorScheme });
    await open(makePage("nothing-" + colorScheme, nothing, ["nothing", ""]), (page) => assertAccessible(page, "nothing"), { colorScheme });
  });
}

const sideBySide = makePage("person-comparison", comparison);
const everyPage = [...hashes.map((hash) => url + hash), ...ofPrograms, sideBySide, ...["#/disagreements", "#/disagreement/DOC-A", "#/rule/MIN-VALUE"].map((hash) => sideBySide + hash)];

test("axe finds nothing wrong on pages of several targets", async () => {
  for (const address of everyPage.slice(-4)) await open(address, (page) => assertAccessible(page, address));
});

for (const [device, ...widths] of [["phone", 360, 400], ["screen", 700, 1000, 1280, 1400]]) {
  const phone = device === "phone";
  test(`no page scrolls sideways and no column is cut off, ${widths.join(", ")} px`, async () => {
    for (const address of everyPage) {
      await open(address, async (page) => {
        const name = address.replace(/^.*html/, "");
        for (const width of widths) {
          await page.setViewportSize({ width, height: 740 });
          const [page_width, ...cut] = await page.evaluate(() => [document.documentElement.scrollWidth,
            ...[...document.querySelectorAll(".scroll:has(> table)")].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
              .map((one) => `${one.getAttribute("aria-label")}: ${one.scrollWidth} in ${one.clientWidth}`)]);
          assert.ok(page_width <= width, `${name} is ${page_width} px wide, in ${width}`);
          assert.deepEqual(cut, [], `${name}, ${width} px`);
          if (width === 360) await screenshot(page, "phone-" + (name.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "start"));
        }
      }, { viewport: { width: widths[0], height: 740 }, isMobile: phone, hasTouch: phone });
    }
  });
}

test("the theme is switched and kept", () => open(url, async (page) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await background();
  assert.notEqual(dark, light);
  await screenshot(page, "dark");
  await page.reload();
  assert.equal(await background(), dark);
  await page.getByLabel("Theme").selectOption("");
  assert.equal(await background(), light);
}));

test("the keyboard alone leads from the start to a rule and back", () => open(url, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const tabTo = async (wanted) => {
    for (let presses = 0; presses < 80; presses++) {
      if ((await focused()) === wanted) return;
      await page.keyboard.press("Tab");
    }
    assert.fail("Tab never comes to " + wanted);
  };
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  assert.equal(await page.locator("h1").innerText(), "A hand-made report");
  await tabTo("Rule");
  await page.keyboard.press("Enter");
  assert.equal((await shownRows(page))[0], "ARITH-ROUND");
  assert.equal(await focused(), "Rule ▲");
  await tabTo("MIN-ALIGN");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid");
  await page.keyboard.press("Enter");
  await page.locator("h1", { hasText: "MIN-ALIGN" }).waitFor();
  // The browser's own key for the way back does nothing in headless Chromium.
  await page.goBack();
  await page.locator("table.listing").waitFor();
  assert.equal((await shownRows(page))[0], "ARITH-ROUND");
}));

test("counts are announced when a filter changes", () => open(url, async (page) => {
  const status = page.locator(".shown").first();
  assert.equal(await status.getAttribute("aria-live"), "polite");
  const before = await status.innerText();
  await page.getByLabel("Verdict", { exact: true }).selectOption("tolerated");
  assert.notEqual(await status.innerText(), before);
}));

test("on paper there are no controls and no cut tables", () => open(url, async (page) => {
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".filters").isVisible(), false);
  assert.equal(await page.locator(".scroll.tall").evaluate((node) => getComputedStyle(node).maxHeight), "none");
}));
