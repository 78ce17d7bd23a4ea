// Lets the checks beside this file import what tools/scripts/npm-install put into
// $CHECKS_WORK, and JSON files as modules, as bundlers do: node --import modules.mjs.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const work = process.env.CHECKS_WORK;
if (!work) throw new Error("CHECKS_WORK is not set: the folder that tools/scripts/npm-install made ready");

export function resolve(specifier, context, next) {
  const bare = !/^([./]|node:|file:)/.test(specifier) && context.parentURL?.startsWith(new URL(".", import.meta.url));
  return next(specifier, bare ? { ...context, parentURL: pathToFileURL(work) + "/" } : context);
}

export async function load(url, context, next) {
  if (!url.endsWith(".json")) return next(url, context);
  return { format: "module", shortCircuit: true, source: "export default " + (await readFile(new URL(url), "utf8")) };
}

if (isMainThread) register(import.meta.url);
