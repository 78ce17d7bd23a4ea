// The page of a case, as `lanediff explain --html` writes it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assertAccessible, open, screenshot, work } from "./support.mjs";

const corpus = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "corpus");

/** The page of a case of the corpus. A case that disagrees ends with status 1. */
function casePage(name, target = "emulator") {
  const page = join(work, "pages", "case-" + name.replace(/\W+/g, "-"));
  const { status, stderr } = spawnSync(process.env.LANEDIFF,
    ["explain", join(corpus, name + ".json"), "--target", target, "--html", page], { encoding: "utf8" });
  assert.equal(status, target === "emulator" ? 0 : 1, stderr);
  return pathToFileURL(join(page, "index.html")).href;
}

const text = (page) => page.locator("main").innerText();
/** The letters of a DataBlock's cells. */
const letters = (page, number) => page.locator(".block").filter({ hasText: new RegExp(`^DataBlock ${number} `) })
  .locator(".letter").allTextContents().then((all) => all.map((one) => one || "-").join(""));

test("expected stands beside actual, in decimal and bits", () =>
  open(casePage("repeat_reduce_sum/tree-128-random-halves", "mutant:rrs-left-fold"), async (page) => {
    const shown = await text(page);
    for (const part of ["disagree", "-7696 (0xef84)", "-7736 (0xef8e)", "10 ULP", "memory/repeat_reduce_sum/value/half",
      "--target mutant:rrs-left-fold", "127 nodes: 34 rounded, 29 of them tied"]) {
      assert.ok(shown.includes(part), part);
    }
    assert.equal(await page.locator(".cell.differs:not(.sample)").count(), 1);
    assert.match(await page.locator(".memory-frame .detail").innerText(), /UB bytes 0–1 .* written .* has -7736 \(0xef8e\)/);
    await screenshot(page, "case");
  }));

test("the tree marks what rounded, by shape and letter, and folds", () =>
  open(casePage("repeat_reduce_sum/tree-128-random-halves"), async (page) => {
    await page.getByLabel("Show").selectOption("0");
    assert.equal(await page.locator(".tree-node").count(), 127);
    assert.equal(await page.locator(".tree-picture .node-t").count(), 29);
    assert.equal(await page.locator(".tree-picture .node-r").count(), 5);
    assert.equal(await page.locator(".tree-picture .edge").count(), 126);
    await page.getByLabel("Show").selectOption("4");
    assert.equal(await page.locator(".tree-node").count(), 7);
    await page.locator(".tree-node").last().focus();
    assert.match(await page.locator(".arithmetic .detail").innerText(), /^level 6 node 0 \(lanes 0–127\): add .* -7696 \(0xef84\)/);
    await page.keyboard.press("ArrowDown");
    assert.match(await page.locator(".arithmetic .detail").innerText(), /^level 5 node 1/);
    await screenshot(page, "case-tree");
  }));

test("saturated, tied and rounded nodes have different shapes", () =>
  open(casePage("repeat_reduce_sum/worked-saturates-at-65504-a2"), async (page) => {
    assert.deepEqual(await page.locator(".tree-picture .tree-node > text:not(.result)").allTextContents(), ["S", "R", "T"]);
    const shown = await page.locator(".tree-node").first().getAttribute("aria-label");
    assert.match(shown, /add 60000 .* = 120000 → 65504 \(0x7bff\) · rounded, saturated$/);
  }));

test("the slider changes the picture, by mouse and keyboard, and stands in the address", () =>
  open(casePage("min/bits-alternate-lanes-over-two-iterations"), async (page) => {
    assert.equal(await letters(page, 32), "W×W×W×W×W×W×W×W×");
    assert.equal(await letters(page, 33), "×".repeat(16));  // its lanes 16 to 31
    await page.getByRole("button", { name: "next iteration" }).click();
    assert.equal(await letters(page, 32), "-".repeat(16));
    assert.equal(await letters(page, 33), "W×W×W×W×W×W×W×W×");
    assert.match(page.url(), /iteration=1$/);
    assert.match(await text(page), /iteration 1 of 0…1/);
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    assert.equal(await letters(page, 32), "W-".repeat(8));
    assert.equal(await page.getByRole("slider").getAttribute("aria-valuetext"), "all 2 iterations");
    await page.reload();
    assert.equal(await letters(page, 33), "W-".repeat(8));
    await screenshot(page, "case-slider");
  }));

test("arrow keys lead from element to element", () =>
  open(casePage("min/bits-alternate-lanes-over-two-iterations"), async (page) => {
    const detail = page.locator(".memory-frame .detail");
    await page.locator(".cell[tabindex='0']").focus();
    assert.match(await detail.innerText(), /^UB bytes 0–1 · element 0 of DataBlock 0 of src0, half · read · before 1 \(0x3c00\)/);
    await page.keyboard.press("ArrowRight");
    assert.match(await detail.innerText(), /^UB bytes 2–3 .* masked lane/);
    await page.keyboard.press("ArrowDown");
    assert.match(await detail.innerText(), /^UB bytes 34–35 /);
    await page.keyboard.press("End");
    assert.match(await detail.innerText(), /^UB bytes 62–63 /);
  }));

test("overlapping bytes are marked and named", () =>
  open(casePage("min/overlap-dst-on-src0-accepted"), async (page) => {
    assert.ok(await page.locator(".memory .cell.touch-b.overlap").count() > 0);
    assert.ok((await text(page)).includes("read and written by one iteration"));
  }));

test("a refused call shows its broken rule and what it would have done", () =>
  open(casePage("repeat_reduce_sum/repeat-256-rejected"), async (page) => {
    const shown = await text(page);
    for (const part of ["broken: RRS-REPEAT", "repeat is 256; 0 to 255 is allowed", "The call is refused and changes no byte"]) {
      assert.ok(shown.includes(part), part);
    }
    assert.ok(shown.indexOf("broken: RRS-REPEAT") < shown.indexOf("Expected against actual"), "why comes first");
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong on pages of cases, ${colorScheme}`, async () => {
    for (const name of ["repeat_reduce_sum/worked-saturates-at-65504-a2", "data_copy/bounds-src-at-int64-min-rejected"]) {
      await open(casePage(name), (page) => assertAccessible(page, name), { colorScheme });
    }
  });
}

test("pages of cases fit a phone", async () => {
  for (const name of ["repeat_reduce_sum/tree-128-random-halves", "vec_trans/worked-three-blocks-dst-stride-2"]) {
    await open(casePage(name), async (page) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${name} is ${width} px wide`);
    }, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  }
});

test("a page that can't be written is one line and status 2", () => {
  const { status, stderr } = spawnSync(process.env.LANEDIFF,
    ["explain", join(corpus, "min/overlap-dst-on-src0-accepted.json"), "--html", join(corpus, "known_issues.json")], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /^lanediff: [^\n]+\n$/);
});
