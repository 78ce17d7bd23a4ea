// Lets the checks beside this file import what tools/scripts/npm-install put into
// $CHECKS_WORK: node --import modules.mjs.
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const work = process.env.CHECKS_WORK;
if (!work) throw new Error("CHECKS_WORK is not set: the folder that tools/scripts/npm-install made ready");

export function resolve(specifier, context, next) {
  const bare = !/^([./]|node:|file:)/.test(specifier) && context.parentURL?.startsWith(new URL(".", import.meta.url));
  return next(specifier, bare ? { ...context, parentURL: pathToFileURL(work) + "/" } : context);
}

if (isMainThread) register(import.meta.url);
