// All tests in one process, one after the other, with one browser: two cores are
// enough, and what else runs on them does no harm.
import { readdirSync } from "node:fs";

const here = new URL(".", import.meta.url);
for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  await import(new URL(file, here));
}
