import assert from "node:assert/strict";
import { test } from "node:test";
import { comparison, hostile, nothing, report, run } from "./fixture.mjs";
import { makePage, open, screenshot, shownRows } from "./support.mjs";

const url = makePage("pages", report);
const ofRun = makePage("pages-run", run, ["run", hostile]);
const ofMutants = makePage("pages-mutants", run, ["mutants", hostile]);
const text = (page) => page.locator("main").innerText();

test("a rule's page shows the document's text, what was tried, what came out", () => open(url + "#/rule/MIN-REPEAT-RANGE", async (page) => {
  const shown = await text(page);
  for (const part of ["repeatTimes is 0 to 255.", "Min · 参数说明", "the range", "Evidence level: document text",
    "two programs, written from the same text, agree", "Allowed: repeatTimes 0 … 255.",
    "Calls that break only this rule: 71 refused, this rule named.", "Calls that keep it: 96 accepted.",
    "With another rule broken too: 12 refused, this rule named.", "VECOUT, VECIN", "cases/refused-256.json",
    "by the vendor, who published the result value by value", "by hand, from the document"]) {
    assert.ok(shown.includes(part), part);
  }
  await screenshot(page, "rule");
}));

test("the boundary is drawn, described and tabled", () => open(url + "#/rule/MIN-REPEAT-RANGE", async (page) => {
  const pictures = page.locator("svg.boundary");
  assert.equal(await pictures.count(), 2);
  assert.deepEqual(await pictures.first().locator("text").allTextContents(), ["−1", "0", "1", "255", "256", "2³¹"]);
  assert.deepEqual(await pictures.last().locator("text").allTextContents(), ["1", "128", "129", "2⁶³−1"]);
  assert.equal(await pictures.first().locator(".dot").count(), 3);
  assert.equal(await pictures.first().locator(".cross").count(), 3);
  assert.equal(await pictures.first().locator(".ring").count(), 0);
  assert.match(await pictures.first().getAttribute("aria-label"), /-1 refused; 0 accepted;.*2147483648 refused$/);
  await page.getByText("as a table").last().click();
  assert.ok((await text(page)).includes("9223372036854775807"));
}));

test("values that came out alike are drawn at their ends and tabled all", () => open(url + "#/rule/MIN-ALIGN", async (page) => {
  assert.deepEqual(await page.locator("svg.boundary text").allTextContents(), ["0", "1", "8", "9", "10", "11"]);
  await page.getByText("All 12 values as a table").click();
  assert.equal(await page.locator("details tbody tr").count(), 12);
}));

test("what goes against the rule is ringed; another product shows its own", () => open(url + "#/rule/DC-BOUNDS", async (page) => {
  assert.equal(await page.locator(".ring").count(), 3);
  assert.match(await page.locator("svg.boundary").getAttribute("aria-label"), /1 both accepted and refused, against the rule/);
  await page.getByLabel("Product", { exact: true }).selectOption("atlas-a3");
  // What is enforced was never gone against: a value may be both by the call's form.
  assert.match(await page.locator("svg.boundary").getAttribute("aria-label"), /1 both accepted and refused(;|$)/);
  assert.ok((await text(page)).includes("the call's form decides"));
  assert.equal(await page.locator(".ring").count(), 0);
  assert.match(page.url(), /product=atlas-a3/);
}));

test("arithmetic and the smallest contradicting case", () => open(url + "#/rule/RRS-ORDER", async (page) => {
  const shown = await text(page);
  for (const part of ["-7697.25", "10 ULP", "-7736 (0xef8e)", "2 came out differently", "memory/repeat_reduce_sum/value/half"]) {
    assert.ok(shown.includes(part), part);
  }
  await page.getByRole("link", { name: "The printed 35604 is no half value" }).click();
  await page.getByText("near it they are 32 apart").first().waitFor();
  assert.deepEqual(await page.locator(".readings strong").allInnerTexts(), ["Chosen reading", "Other reading"]);
}));

test("both sides of a disagreement are quoted, with a link and an edition", () => open(url + "#/disagreement/rrs-35604", async (page) => {
  assert.deepEqual(await page.locator("blockquote").allInnerTexts(), ["第四步计算65504-29900=35604"]);
  assert.equal(await page.getByRole("link", { name: "RepeatReduceSum", exact: true }).getAttribute("href"), "https://example.org/sum.html");
  const shown = await text(page);
  for (const part of ["CANN 8.0", "no quotation: source code", "CANN toolkit; no address: in the toolkit", "12 legal calls differ."]) assert.ok(shown.includes(part), part);
}));

test("disagreements come by the legal calls that differ, by document if wanted", () => open(url + "#/disagreements", async (page) => {
  assert.deepEqual(await shownRows(page), ["Two printed units of strides", "The printed 35604 is no half value"]);
  await page.getByLabel("Group by", { exact: true }).selectOption("document");
  assert.deepEqual(await shownRows(page), ["RepeatReduceSum · 1 disagreement", "The printed 35604 is no half value", "asc-devkit kernel.h · 1 disagreement", "The printed 35604 is no half value", "no document · 1 disagreement", "Two printed units of strides"]);
  await page.getByLabel("Group by", { exact: true }).selectOption("");
  await page.getByLabel("Document", { exact: true }).selectOption("RepeatReduceSum");
  assert.deepEqual(await shownRows(page), ["The printed 35604 is no half value"]);
  const documents = page.getByRole("region", { name: "Disagreements by document" });
  assert.deepEqual(await documents.locator("tbody tr").allInnerTexts().then((rows) => rows.map((row) => row.split("\n")[0])), ["RepeatReduceSum", "asc-devkit kernel.h"]);
  assert.equal(await documents.getByRole("link", { name: "RepeatReduceSum", exact: true }).getAttribute("href"), "https://example.org/sum.html");
}));

test("targets stand side by side, without what no target claims", () => open(makePage("comparison", comparison), async (page) => {
  assert.match(await page.getByRole("alert").innerText(), /Not all of this was done: mutant:b/);
  assert.deepEqual(await shownRows(page), ["MIN-VALUE", "MIN-ALIGN"]);
  assert.ok((await text(page)).includes("Left out: 1 rule that no target claims."));
  assert.equal(await page.getByRole("link", { name: "contradicted: MIN-VALUE, mutant:b" }).getAttribute("href"), "mutant-b/index.html#/rule/MIN-VALUE");
  assert.equal(await page.getByRole("link", { name: /not audited/ }).count(), 0, "there is no report to link to");
  await page.getByLabel("Targets that", { exact: true }).selectOption("differ");
  assert.deepEqual(await shownRows(page), ["MIN-VALUE"]);
  assert.deepEqual(await page.getByLabel("Product", { exact: true }).locator("option").allInnerTexts(), ["all", "atlas-a2", "atlas-a3"]);
  await page.getByLabel("Product", { exact: true }).selectOption("atlas-a3");
  assert.deepEqual(await shownRows(page), []);
  await page.locator("#nav").getByRole("link", { name: "Disagreements" }).click();
  await page.getByText("Showing 2 of 2 disagreements").waitFor();
  assert.deepEqual(await shownRows(page), ["The first", "The second"]);
  await screenshot(page, "comparison");
  await page.getByRole("link", { name: "The first" }).click();
  await page.locator("h1", { hasText: "The first" }).waitFor();
  assert.deepEqual(await page.locator("blockquote").allInnerTexts(), ["第一个"]);
  assert.deepEqual(await page.locator(".readings a").evaluateAll((all) => all.map((one) => one.href)), ["https://example.org/min.html", "https://example.org/min.html"], "the page that states it, and the one that is silent");
  assert.equal(await page.getByRole("link", { name: "other: DOC-A, mutant:b" }).getAttribute("href"), "mutant-b/index.html#/disagreement/DOC-A");
  await page.getByRole("link", { name: "MIN-VALUE", exact: true }).click();
  await page.locator("h1", { hasText: "MIN-VALUE" }).waitFor();
  assert.deepEqual(await page.locator("blockquote").allInnerTexts(), ["第一个"]);
  assert.equal(await page.getByRole("link", { name: "contradicted: MIN-VALUE on atlas-a2, mutant:b" }).getAttribute("href"), "mutant-b/index.html#/rule/MIN-VALUE?product=atlas-a2");
}));

test("links of the menu lead to every page", () => open(url, async (page) => {
  const titles = [];
  for (const name of ["Disagreements", "Changes", "About", "Start"]) {
    await page.locator("#nav").getByRole("link", { name, exact: true }).click();
    await page.waitForFunction((wanted) => document.querySelector("#nav [aria-current]")?.textContent === wanted, name);
    titles.push(await page.locator("h1").innerText());
    await screenshot(page, name.toLowerCase());
  }
  assert.deepEqual(titles, ["Where the documents disagree", "What has changed", "About this report", "A hand-made report"]);
}));

test("a run's page has the sentence, findings, cases with their verdicts, and tables", () => open(ofRun, async (page) => {
  assert.equal(await page.locator("h1").innerText(), "check: emulator against oracle");
  assert.match(await page.locator(".headline .sentence").innerText(), /^✗ 2 findings in /);
  assert.match(await page.getByRole("alert").innerText(), /Not all of this was done: /);
  const titles = await page.locator("h2").allInnerTexts();
  for (const title of ["Findings, worst first", "What was under test", "Known issues", "Since old.json", "Fuzz programs", "Instructions", "Cases",
    "How often each rule was met", "Coverage", "Bins that were not reached"]) assert.ok(titles.includes(title), title);
  assert.equal(await page.getByRole("link", { name: "a", exact: true }).first().getAttribute("href"), "#/case/a");
  await page.getByLabel("verdict", { exact: true }).selectOption("disagree");
  assert.deepEqual(await shownRows(page).then((rows) => rows.slice(0, 1)), ["b c%<é>.json"]);
  assert.match(page.url(), /verdict=disagree/);
  assert.match(await page.locator(".shown").first().innerText(), /^Showing 1 of 6 cases: 0 agree, 1 disagree, /);
  await page.getByRole("button", { name: /^Copy command: lanediff check/ }).first().waitFor();
  await screenshot(page, "run");
}));

test("each table of a page has its own part of the address", () => open(ofRun, async (page) => {
  await page.getByRole("search", { name: "Bins that were not reached" }).getByLabel("Search").fill("two");
  await page.getByText("Showing 1 of 2 holes").waitFor();
  assert.match(await page.locator(".shown").first().innerText(), /^Showing 6 of 6 cases/);
  assert.match(page.url(), /q\.3=two/);
}));

test("mutants are sorted by cases until found, the missed last, and filtered", () => open(ofMutants, async (page) => {
  await page.getByRole("columnheader", { name: "guided" }).getByRole("button").click();
  assert.deepEqual(await shownRows(page), ["min/signed-zero", "min/other", "min/late"]);
  await page.getByLabel("outcome", { exact: true }).selectOption("not finished");
  assert.deepEqual(await shownRows(page), ["min/late"]);
  assert.match(await page.locator(".shown").innerText(), /0 found, 0 not found, 1 not finished/);
  await screenshot(page, "mutants");
}));

test("changes since a baseline are listed from both sides", async () => {
  await open(url + "#/changes", async (page) => {
    const shown = await text(page);
    for (const part of ["DC-BOUNDS on atlas-a2: ✓enforced → ✗violated", "rrs-35604: not there → chosen"]) {
      assert.ok(shown.replace(/\n/g, "").includes(part), part + " in " + shown);
    }
  });
  await open(ofRun, async (page) => {
    for (const part of ["new a.json memory/min/value/half", "gone a.json memory/min/value/half (its case was not run)", "against old.json of emulator: "]) assert.ok((await text(page)).includes(part), part);
  });
});

test("hostile text is shown as text", async () => {
  for (const address of [url + "#/rule/DC-BOUNDS", url + "#/disagreement/vt-stride-unit", ofRun, ofMutants]) {
    await open(address, async (page) => {
      assert.ok((await text(page)).includes(hostile), address);
      assert.equal(await page.locator("main img").count(), 0);
    });
  }
});

test("a missing page is reported", () => open(url + "#/rule/NO-SUCH%", async (page) => {
  assert.ok((await text(page)).includes("There is no rule NO-SUCH%."));
  await page.goto(url + "#/nowhere");
  await page.getByText("There is no page #/nowhere.").waitFor();
}));

test("a command is copied", () => open(url + "#/rule/MIN-REPEAT-RANGE", async (page) => {
  await page.getByRole("button", { name: /^Copy command/ }).first().click();
  await page.getByText("copied", { exact: true }).first().waitFor();
}, { permissions: ["clipboard-read", "clipboard-write"] }));

test("a report that compared nothing warns on each page", () => open(makePage("nothing", nothing, ["nothing", ""]), async (page) => {
  const alert = page.getByRole("alert");
  assert.match(await alert.innerText(), /nothing was compared/);
  await page.getByRole("link", { name: "About", exact: true }).click();
  await page.locator("h1", { hasText: "About this report" }).waitFor();
  assert.ok(await alert.isVisible());
}));
