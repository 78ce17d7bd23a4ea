// Checks rendered manifests for tools/scripts/check-manifests: node manifests.mjs FILE...
// Each file is one overlay. First the published schemas of a fixed version of
// Kubernetes, as the package kubernetes-models has them, without unknown fields; then
// other requirements of a cluster, and of a run on its pods.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { parseAllDocuments } from "yaml";

const require = createRequire(import.meta.url);
let objections = 0;
let file;
function object(place, text) {
  console.log(`manifests: ${basename(file, ".yaml")}: ${place}: ${text}`);
  ++objections;
}

/** The schema's validator; undefined where this version has no such kind. */
function validator({ apiVersion = "", kind = "" }) {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  const word = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const name = `IoK8sApi${word(group.split(".")[0])}${word(version)}${word(kind)}.js`;
  try {
    return require(`./node_modules/kubernetes-models/_schemas/${name}`).validate;
  } catch {
    return undefined;
  }
}

/**
 * The same value, which records the properties that are read. A validator that was
 * compiled from a schema reads each property that the schema has, and all of them where
 * any may stand: a property that it does not read is unknown.
 */
function watched(value, path, seen) {
  if (value === null || typeof value !== "object") return value;
  const queried = new Set();
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) copy[key] = watched(value[key], `${path}/${key}`, seen);
  seen.push({ path, unknown: () => Object.keys(copy).filter((key) => !queried.has(key)) });
  return new Proxy(copy, {
    get: (target, key) => (queried.add(key), target[key]),
    ownKeys: (target) => (Object.keys(target).forEach((key) => queried.add(key)), Reflect.ownKeys(target)),
  });
}

function checkSchema(manifest, name) {
  const validate = validator(manifest);
  if (!validate) return object(name, `no ${manifest.apiVersion} ${manifest.kind} in this version of Kubernetes`);
  const seen = [];
  if (!validate(watched(manifest, "", seen))) {
    // Of alternatives that all fail, the first is most useful.
    const [error] = validate.errors;
    const { allowedValues, missingProperty, type } = error.params;
    const wanted = missingProperty ? `"${missingProperty}" is missing` : type ? `a ${type} is wanted` :
      allowedValues ? `one of ${allowedValues.join(", ")} is wanted` : error.keyword;
    return object(name, `${error.instancePath || "/"}: ${wanted}`); // it may have stopped there, and read nothing more
  }
  for (const { path, unknown } of seen) {
    for (const key of unknown()) object(name, `${path}/${key}: unknown; Kubernetes would drop it`);
  }
}

const processors = (quantity = "0") => Math.ceil(quantity.endsWith("m") ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity));
const valueOf = (container, name) => container.env?.find((one) => one.name === name)?.value;

/** What makes a pod one that a restricted namespace takes, and what it names. */
function checkPod({ metadata, spec: pod }, name, there, job) {
  const of = pod.securityContext ?? {};
  const [container] = pod.containers;
  const { image = "", args = [], command = [], env = [], resources = {}, volumeMounts = [] } = container;
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext ?? {};
  const volumes = pod.volumes ?? [];
  const jobs = args[args.indexOf("--jobs") + 1];
  const cpus = processors(resources.requests?.cpu);
  const threads = jobs === "$(JOBS)" && env.some(({ name, valueFrom }) => name === "JOBS" && valueFrom?.resourceFieldRef?.resource === "requests.cpu") ? cpus : jobs;
  const labels = env.map(({ valueFrom }) => /^metadata\.labels\['(.*)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? "")?.[1]);
  const used = [...[...command, ...args].join("\n").matchAll(/\$\((\w+)\)/g)].map((match) => match[1]);
  const missing = (names, known) => names.filter((one) => one !== undefined && !known.includes(one));
  const rules = [
    [of.runAsNonRoot === true && of.runAsUser > 0, "runAsNonRoot and a runAsUser other than 0 are wanted"],
    [of.seccompProfile?.type === "RuntimeDefault", "seccompProfile RuntimeDefault is wanted"],
    [pod.automountServiceAccountToken === false, "automountServiceAccountToken: false is wanted"],
    [pod.containers.length === 1 && !pod.initContainers, "one container is wanted"],
    [/^[\w./:-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image) && !image.endsWith(":latest"), `image: found "${image}"; one with a version is wanted`],
    [allowPrivilegeEscalation === false, "allowPrivilegeEscalation: false is wanted"],
    [readOnlyRootFilesystem === true, "readOnlyRootFilesystem: true is wanted"],
    [capabilities?.drop?.includes("ALL") && !capabilities.add, "capabilities: drop ALL, and none added, is wanted"],
    [resources.requests?.cpu && resources.limits?.memory, "resources: a request of cpu and a limit of memory are wanted"],
    [!job || (args.includes("--jobs") && Number(threads) === cpus), `--jobs: found ${args.includes("--jobs") ? threads : "none"}; ${cpus} is wanted, as requests.cpu`],
    ...missing(volumes.map((one) => one.persistentVolumeClaim?.claimName), there("PersistentVolumeClaim")).map((one) => [false, `no claim ${one}`]),
    ...missing(volumes.map((one) => one.configMap?.name), there("ConfigMap")).map((one) => [false, `no ConfigMap ${one}`]),
    ...missing(volumeMounts.map((one) => one.name), volumes.map((one) => one.name)).map((one) => [false, `volumeMounts: no volume "${one}"`]),
    // A Job's controller gives the first to its pods, the overlay the others.
    ...missing(labels, ["batch.kubernetes.io/job-name", ...Object.keys(metadata?.labels ?? {})]).map((one) => [false, `the pod has no label ${one}`]),
    ...missing(used, env.map((one) => one.name)).map((one) => [false, `$(${one}) is no variable of env`]),
  ];
  for (const [holds, text] of rules) if (!holds) object(name, text);
}

/** What the API server refuses of a Job although its schema allows it, and shards. */
function checkJob(spec, name) {
  const [container] = spec.template.spec.containers;
  const shards = Number(valueOf(container, "SHARDS"));
  const wait = Number(valueOf(container, "WAIT_SECONDS"));
  const fuzzing = Math.ceil(shards / spec.parallelism) * Number(valueOf(container, "FUZZ_SECONDS"));
  const policy = spec.podFailurePolicy?.rules ?? [];
  const codes = policy.flatMap(({ onExitCodes }) => onExitCodes ?? []);
  const rules = [
    [spec.template.spec.restartPolicy === "Never", "restartPolicy: Never is wanted where a podFailurePolicy is"],
    [policy.every((rule) => !rule.onExitCodes !== !rule.onPodConditions), "podFailurePolicy: one of onExitCodes and onPodConditions is wanted"],
    [codes.every(({ values }) => values.every((value, i) => !i || value > values[i - 1])), "podFailurePolicy: rising values are wanted"],
    [codes.every(({ operator, values }) => operator !== "In" || !values.includes(0)), "podFailurePolicy: 0 is no failure"],
    [spec.completionMode === "Indexed", "completionMode: Indexed is wanted"],
    [spec.backoffLimitPerIndex !== undefined, "FailIndex needs backoffLimitPerIndex"],
    [spec.completions === shards + 1, `completions: found ${spec.completions}; ${shards + 1} is wanted, for SHARDS and the merge`],
    [spec.maxFailedIndexes <= spec.completions, `maxFailedIndexes: found ${spec.maxFailedIndexes}; at most ${spec.completions} is wanted, as many as completions`],
    // The pod that waits must not keep the one that it waits for from starting.
    [spec.parallelism >= 2, "parallelism: 2 or more is wanted"],
    [spec.activeDeadlineSeconds > 0, "activeDeadlineSeconds is wanted: a Job must end"],
    [wait < spec.activeDeadlineSeconds, `WAIT_SECONDS ${wait}: less than activeDeadlineSeconds is wanted`],
    [fuzzing < spec.activeDeadlineSeconds,
      `activeDeadlineSeconds: found ${spec.activeDeadlineSeconds}; more than ${fuzzing} is wanted, for FUZZ_SECONDS of one shard after the other`],
    ...codes.filter((one) => one.containerName && one.containerName !== container.name).map((one) => [false, `podFailurePolicy: no container "${one.containerName}"`]),
  ];
  for (const [holds, text] of rules) if (!holds) object(name, text);
}

const rendered = process.argv.slice(2).map((path) => ({
  path,
  manifests: parseAllDocuments(readFileSync(path, "utf8")).map((document) => {
    file = path;
    for (const error of document.errors) object("YAML", error.message.split("\n")[0]);
    return document.errors.length ? null : document.toJS();
  }).filter((manifest) => manifest),
}));
const there = (kind) => rendered.flatMap(({ manifests }) => manifests).filter((one) => one.kind === kind).map((one) => one.metadata?.name);
for (const { path, manifests } of rendered) {
  file = path;
  if (!manifests.length) object("/", "nothing is in it");
  for (const manifest of manifests) {
    const { kind, metadata, spec } = manifest;
    const name = `${kind} ${metadata?.name}`;
    const before = objections;
    checkSchema(manifest, name);
    if (objections > before) continue; // the rest builds on it
    const limit = kind === "CronJob" ? 52 : 63;
    if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(metadata.name ?? "") || metadata.name.length > limit) {
      object(name, `a name of a-z, 0-9 and -, at most ${limit}, is wanted`);
    }
    if (kind === "CronJob" && spec.concurrencyPolicy !== "Forbid") object(name, "concurrencyPolicy: Forbid is wanted");
    if (kind === "CronJob" && !/^(\S+ ){4}\S+$/.test(spec.schedule)) object(name, `schedule: found "${spec.schedule}"; five fields are wanted`);
    if (kind === "PersistentVolumeClaim" && !spec.accessModes?.includes("ReadWriteMany")) {
      object(name, "accessModes: ReadWriteMany is wanted: pods on several nodes use it");
    }
    const job = kind === "Job" ? spec : spec?.jobTemplate?.spec;
    if (job || kind === "Pod") checkPod(job ? job.template : manifest, name, there, job);
    if (job) checkJob(job, name);
  }
}
const count = rendered.flatMap(({ manifests }) => manifests).length;
if (!objections) console.log(`manifests: ${rendered.length} overlays of ${count} objects, as Kubernetes and a run require`);
process.exitCode = objections ? 1 : 0;
