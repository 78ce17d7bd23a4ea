// Pages that the program itself writes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assertAccessible, open, screenshot, shownRows, work } from "./support.mjs";

const corpus = fileURLToPath(new URL("../../../corpus", import.meta.url));

function lanediff(...args) {
  const { status, stderr } = spawnSync(process.env.LANEDIFF, args, { encoding: "utf8" });
  return { status, stderr };
}

function report(name, ...args) {
  const folder = join(work, "pages", name);
  const ran = lanediff(...args, "--html", folder);
  return { ...ran, url: pathToFileURL(join(folder, "index.html")).href };
}

test("check of a planted bug: the findings, their cases, their command", async () => {
  const { status, url } = report("check", "check", join(corpus, "repeat_reduce_sum"), "--target", "mutant:rrs-left-fold");
  assert.equal(status, 1);
  await open(url, async (page) => {
    await page.getByLabel("verdict", { exact: true }).selectOption("disagree");
    const rows = await shownRows(page);
    assert.ok(rows.length > 0);
    assert.ok((await page.locator(".command code").first().innerText()).includes("--target mutant:rrs-left-fold"));
    await screenshot(page, "check");
    await page.locator("table.listing tbody a").first().click();
    await page.locator("h1", { hasText: rows[0] }).waitFor();
    await screenshot(page, "check-case");
  });
});

test("an audit opens with its sentence and loads requested parts", async () => {
  const folder = join(work, "pages", "audit");
  rmSync(folder, { recursive: true, force: true });
  const { status } = lanediff("audit", "--instruction", "vec_trans", "--product", "atlas-a2", "--target", "mutant:vt-repeat-zero-accepted", "--out", folder);
  assert.equal(status, 1);
  const url = pathToFileURL(join(folder, "index.html")).href;
  await open(url, async (page) => {
    assert.match(await page.locator(".headline .sentence").innerText(), /2 findings in 1 of 1 instruction; .* 1 violated/);
    await assertAccessible(page, "audit");
    await screenshot(page, "audit");
    await page.locator(".groups a", { hasText: "VT-REPEAT" }).first().click();
    await page.locator("h2", { hasText: "What was tried" }).waitFor();
    assert.ok((await page.locator("blockquote").first().innerText()).includes("[1, 4095]"));
    await page.locator(".card a").first().click();
    await page.locator("h2", { hasText: "Expected against actual" }).waitFor();
    await screenshot(page, "audit-case");
  });
});

test("check where all agree shows how much was compared", async () => {
  const { status, url } = report("agree", "check", join(corpus, "min"));
  assert.equal(status, 0);
  await open(url, async (page) => {
    assert.match(await page.locator(".lead").first().innerText(), /[1-9]\d* cases: .* compared [1-9]\d* steps, \d+ bytes, \d+ nodes of emulator/);
    assert.equal(await page.getByRole("alert").count(), 0);
    await assertAccessible(page, "check");
  });
});

test("mutants: each planted bug with its checker", async () => {
  const { status, url } = report("mutants", "mutants", "--instruction", "trowprod", "--checker", "corpus,sweep", "--corpus", corpus);
  assert.ok(status <= 1);
  await open(url, async (page) => {
    assert.ok((await shownRows(page)).length > 5);
    assert.match(await page.locator(".shown").innerText(), /\d+ found, \d+ not found, 0 not finished/);
    await screenshot(page, "mutants-real");
  });
});

test("a folder that can't be is one line and status 2", () => {
  const file = join(work, "pages", "a-file");
  writeFileSync(file, "mine");
  const { status, stderr } = lanediff("check", join(corpus, "min"), "--html", file);
  assert.equal(status, 2);
  assert.match(stderr, /^lanediff: --html: .*a-file: can't be made: .*\n$/);
  assert.equal(readFileSync(file, "utf8"), "mine");
});
