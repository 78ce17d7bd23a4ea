// Many days: the plots, their tables, and findings that come and go.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostile } from "./fixture.mjs";
import { assertAccessible, makePage, open, screenshot, shownRows } from "./support.mjs";

const dates = [1, 2, 3, 5, 6].map((day) => `2027-02-0${day}`);
const at = (day) => ({ date: `2027-02-0${day}`, commit: "c0ffee" });
const found = (signature, state, periods, more = {}) => ({
  target: "model " + hostile, signature, instruction: "min", class: "result", state, periods, times: 12, days: 3,
  verbs: ["sweep"], message: hostile, case: "case", caseFile: "cases/a.json", reproduce: "lanediff check cases/a.json", ...more });
const sequence = (list) => ["min", "max"].flatMap((instruction, i) => dates.map((date, n) => ({ date, target: "model", instruction, ...list(i, n) })));

const campaign = {
  schema: "lanediff-report/2", kind: "campaign", sentence: "1 came back, 1 open, 1 fixed; 5 days from 2027-02-01 to 2027-02-06; 1 missing", silentDays: 3,
  missing: ["2027-02-04"],
  days: dates.map((date, i) => ({ date, runs: 2, incomplete: i === 1 ? 1 : 0, open: [0, 1, i > 1 ? 2 : 1, 0, 0], accepted: 0,
    new: i === 0 ? ["memory/min/nan/half"] : [], cameBack: i === 3 ? ["memory/min/value/half"] : [], fixed: [] })),
  findings: [
    found("memory/min/value/half", "came back", [{ seen: at(1), lastSeen: at(2), fixed: at(3), fixedBy: "sweep" }, { seen: at(5), lastSeen: at(6) }]),
    found("memory/min/nan/half", "open", [{ seen: at(1), lastSeen: at(5) }], { silent: 1 }),
    found("outcome/min/MIN-BOUNDS/half", "fixed", [{ seen: at(2), lastSeen: at(2), fixed: at(3), fixedBy: "fuzz" }], { class: "legality" }),
  ],
  runs: dates.map((date, i) => ({ date, verb: "sweep", target: "model", label: hostile, complete: i !== 1,
    unfinished: i === 1 ? "interrupted after 3 of 5 cases" : undefined, cases: 100, nodes: 5, seconds: 65, findings: 2 })),
  rates: sequence((i, n) => ({ build: "release", casesPerSecond: 900, legalPerSecond: 500 * (i + 1) + n, nodesPerSecond: 1e5, findingsPerSecond: 0 })),
  coverage: sequence((i, n) => ({ cases: 10 ** (n + 2), reached: 50 + 10 * n, bins: 120 })),
};
const url = makePage("campaign", { schema: "lanediff-report/2", title: "A campaign", verb: "campaign", campaign });

for (const colorScheme of ["light", "dark"]) {
  test(`a campaign in ${colorScheme}: sentence, findings, plots with tables, nothing of theirs run`, () => open(url, async (page) => {
    assert.ok((await page.locator(".headline").innerText()).includes(campaign.sentence));
    assert.deepEqual(await shownRows(page), ["↺", "✗", "✓"]);
    assert.equal(await page.locator("figure.plot svg").count(), 3);
    assert.equal(await page.locator("figure.plot svg .event").count(), 1);
    // A missing day is a gap: each line of rates has two pieces.
    const lines = await page.locator("figure.plot").last().locator("path.line").evaluateAll((paths) => paths.map((path) => path.getAttribute("d").match(/M/g).length));
    assert.deepEqual(lines, [2, 2]);
    for (const summary of await page.locator("details summary").all()) await summary.click();
    const text = await page.locator("main").innerText();
    for (const part of ["No run, and no bar: 2027-02-04", "may still be there: 2027-02-02", "silent for 1 day: too few for a fix", "by fuzz", "interrupted after 3 of 5 cases", hostile]) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await assertAccessible(page, "campaign in " + colorScheme);
    await screenshot(page, "campaign-" + colorScheme);
  }, { colorScheme }));
}

test("findings of a campaign by their state, in the address", () => open(url + "#/?state=open", async (page) => {
  assert.equal((await shownRows(page)).length, 1);
}));

test("an empty campaign reports it", () => {
  const empty = { ...campaign, sentence: "nothing was added yet", days: [], missing: [], findings: [], runs: [], rates: [], coverage: [] };
  return open(makePage("campaign-empty", { schema: "lanediff-report/2", title: "A campaign", verb: "campaign", campaign: empty }), async (page) => {
    const text = await page.locator("main").innerText();
    assert.ok(text.includes("nothing was added yet") && text.includes("No run has found anything."));
    assert.equal(await page.locator("figure").count(), 0);
  });
});
