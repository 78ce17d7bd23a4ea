// Checks rendered manifests for tools/scripts/check-manifests: node manifests.mjs FILE...
// Each file is one overlay. First the published schemas of a fixed version of
// Kubernetes, as the package kubernetes-models has them, without unknown fields; then
// other requirements of a cluster, and of a run on its pods.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";

const require = createRequire(join(process.env.CHECKS_WORK, "package.json"));
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
    return require(join(process.env.CHECKS_WORK, "node_modules/kubernetes-models/_schemas", name)).validate;
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
    object(name, `${error.instancePath || "/"}: ${wanted}`);
    return; // it may have stopped there, and read nothing more
  }
  for (const { path, unknown } of seen) {
    for (const key of unknown()) object(name, `${path}/${key}: unknown; Kubernetes would drop it`);
  }
}

function processors(quantity = "0") {
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}

/** The value of an option, where a variable stands for it that variable's. */
function argument(container, option) {
  const { args = [], env = [], resources } = container;
  const value = args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  const one = env.find(({ name }) => value === `$(${name})`);
  // Kubernetes gives processors as a whole number, rounded up.
  if (one?.valueFrom?.resourceFieldRef?.resource === "requests.cpu") return String(Math.ceil(processors(resources?.requests?.cpu)));
  return one ? one.value : value;
}

/** What makes a pod one that a restricted namespace takes, and the mounts it names. */
function checkPod({ metadata, spec: pod }, name, claims, maps, job) {
  const of = pod.securityContext ?? {};
  if (of.runAsNonRoot !== true || !(of.runAsUser > 0)) object(name, "runAsNonRoot and a runAsUser other than 0 are wanted");
  if (of.seccompProfile?.type !== "RuntimeDefault") object(name, "seccompProfile RuntimeDefault is wanted");
  if (pod.automountServiceAccountToken !== false) object(name, "automountServiceAccountToken: false is wanted");
  const volumes = new Map((pod.volumes ?? []).map((volume) => [volume.name, volume]));
  for (const { persistentVolumeClaim: claim, configMap: map, name: volume } of volumes.values()) {
    if (claim && !claims.has(claim.claimName)) object(name, `volume "${volume}": no claim ${claim.claimName}`);
    if (map && !maps.has(map.name)) object(name, `volume "${volume}": no ConfigMap ${map.name}`);
  }
  for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
    const at = `${name} container "${container.name}"`;
    if (!/^[\w./:-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/.test(container.image ?? "") || /:latest$/.test(container.image)) {
      object(at, `image: found "${container.image ?? ""}"; one with a version is wanted`);
    }
    const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext ?? {};
    if (allowPrivilegeEscalation !== false) object(at, "allowPrivilegeEscalation: false is wanted");
    if (readOnlyRootFilesystem !== true) object(at, "readOnlyRootFilesystem: true is wanted");
    if (!capabilities?.drop?.includes("ALL") || capabilities.add) object(at, "capabilities: drop ALL, and none added, is wanted");
    if (!container.resources?.requests?.cpu || !container.resources?.limits?.memory) {
      object(at, "resources: a request of cpu and a limit of memory are wanted");
    }
    for (const { name: volume } of container.volumeMounts ?? []) {
      if (!volumes.has(volume)) object(at, `volumeMounts: no volume "${volume}"`);
    }
    for (const { name: variable, valueFrom } of container.env ?? []) {
      const [, label] = /^metadata\.labels\['(.*)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? "") ?? [];
      // A Job's controller gives the first to its pods, the overlay the others.
      if (label && label !== "batch.kubernetes.io/job-name" && !metadata?.labels?.[label]) {
        object(at, `${variable}: the pod has no label ${label}`);
      }
    }
    const jobs = argument(container, "--jobs");
    const cpus = String(Math.ceil(processors(container.resources?.requests?.cpu)));
    if (job && container.args?.[0] !== "merge" && jobs !== cpus) {
      object(at, `--jobs: found ${jobs ?? "none"}; ${cpus} is wanted, as requests.cpu`);
    }
    const variables = new Set((container.env ?? []).map((variable) => variable.name));
    for (const [, variable] of [...(container.command ?? []), ...(container.args ?? [])].join("\n").matchAll(/\$\((\w+)\)/g)) {
      if (!variables.has(variable)) object(at, `$(${variable}) is no variable of env`);
    }
  }
}

function variable(pod, name) {
  return pod.containers[0].env?.find((one) => one.name === name)?.value;
}

/** What the API server refuses of a Job although its schema allows it, and shards. */
function checkJob(spec, name, found) {
  const pod = spec.template.spec;
  const indexed = spec.completionMode === "Indexed";
  if (pod.restartPolicy !== "Never") object(name, "restartPolicy: Never is wanted where a podFailurePolicy is");
  for (const { action, onExitCodes: codes, onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    if (!codes === !onPodConditions) object(name, `podFailurePolicy: ${action}: one of onExitCodes and onPodConditions is wanted`);
    if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) object(name, "FailIndex needs backoffLimitPerIndex");
    if (!codes) continue;
    const { values = [], operator, containerName } = codes;
    if (values.some((value, i) => i && value <= values[i - 1])) object(name, `podFailurePolicy: ${values}: rising values are wanted`);
    if (operator === "In" && values.includes(0)) object(name, "podFailurePolicy: 0 is no failure");
    if (containerName && !pod.containers.some((container) => container.name === containerName)) {
      object(name, `podFailurePolicy: no container "${containerName}"`);
    }
  }
  if (!spec.activeDeadlineSeconds) object(name, "activeDeadlineSeconds is wanted: a Job must end");
  const wait = Number(variable(pod, "WAIT_SECONDS") ?? 0);
  if (wait >= spec.activeDeadlineSeconds) object(name, `WAIT_SECONDS ${wait}: less than activeDeadlineSeconds is wanted`);
  if (!indexed) {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
      if (field in spec) object(name, `${field} needs completionMode: Indexed`);
    }
    found.merges.push({ name, shards: Number(variable(pod, "SHARDS")) });
    return;
  }
  const merging = variable(pod, "SHARDS");
  const wanted = merging === undefined ? Number(variable(pod, "JOB_COMPLETIONS")) : Number(merging) + 1;
  if (spec.completions !== wanted) {
    object(name, `completions: found ${spec.completions}; ${wanted} is wanted, for ${merging === undefined ? "JOB_COMPLETIONS" : "SHARDS and the merge"}`);
  }
  if (spec.maxFailedIndexes > spec.completions) {
    object(name, `maxFailedIndexes: found ${spec.maxFailedIndexes}; at most ${spec.completions} is wanted, as many as completions`);
  }
  const fuzzing = Math.ceil((merging === undefined ? wanted : wanted - 1) / spec.parallelism) * Number(variable(pod, "FUZZ_SECONDS"));
  if (spec.activeDeadlineSeconds <= fuzzing) {
    object(name, `activeDeadlineSeconds: found ${spec.activeDeadlineSeconds}; more than ${fuzzing} is wanted, for FUZZ_SECONDS of one shard after the other`);
  }
  // The pod that waits must not keep the one that it waits for from starting.
  if (merging !== undefined && spec.parallelism < 2) object(name, "parallelism: 2 or more is wanted");
  if (merging === undefined) found.shards.push({ name, shards: wanted });
}

const rendered = process.argv.slice(2).map((path) => ({
  path,
  manifests: parseAllDocuments(readFileSync(path, "utf8")).map((document) => {
    file = path;
    for (const error of document.errors) object("YAML", error.message.split("\n")[0]);
    return document.errors.length ? null : document.toJS();
  }).filter((manifest) => manifest),
}));
const named = (kind) => new Set(rendered.flatMap(({ manifests }) => manifests).filter((manifest) => manifest.kind === kind)
  .map((manifest) => manifest.metadata?.name));
const claims = named("PersistentVolumeClaim");
const maps = named("ConfigMap");
let count = 0;
for (const { path, manifests } of rendered) {
  file = path;
  if (!manifests.length) object("/", "nothing is in it");
  const found = { shards: [], merges: [] };
  for (const manifest of manifests) {
    const name = `${manifest.kind} ${manifest.metadata?.name}`;
    ++count;
    const before = objections;
    checkSchema(manifest, name);
    if (objections > before) continue; // the rest builds on it
    const limit = manifest.kind === "CronJob" ? 52 : 63;
    if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(manifest.metadata.name ?? "") || manifest.metadata.name.length > limit) {
      object(name, `a name of a-z, 0-9 and -, at most ${limit}, is wanted`);
    }
    const job = manifest.kind === "Job" ? manifest.spec : manifest.spec?.jobTemplate?.spec;
    if (manifest.kind === "CronJob") {
      if (manifest.spec.concurrencyPolicy !== "Forbid") object(name, "concurrencyPolicy: Forbid is wanted");
      if (!/^(\S+ ){4}\S+$/.test(manifest.spec.schedule)) object(name, `schedule: found "${manifest.spec.schedule}"; five fields are wanted`);
    }
    if (manifest.kind === "Pod") checkPod(manifest, name, claims, maps);
    if (job) {
      checkPod(job.template, name, claims, maps, job);
      checkJob(job, name, found);
    }
    if (manifest.kind === "PersistentVolumeClaim" && !manifest.spec.accessModes?.includes("ReadWriteMany")) {
      object(name, "accessModes: ReadWriteMany is wanted: pods on several nodes use it");
    }
  }
  for (const merge of found.merges) {
    for (const { name, shards } of found.shards) {
      if (merge.shards !== shards) object(merge.name, `SHARDS: found ${merge.shards}; ${shards} is wanted, as ${name} has`);
    }
  }
}
if (!objections) console.log(`manifests: ${rendered.length} overlays of ${count} objects, as Kubernetes and a run require`);
process.exitCode = objections ? 1 : 0;
