"""Rendered overlays, and a small run made of one."""

import os

import yaml

from kubernetes.common import Wrong, run

IN_MANIFESTS = 8  # shards
FUZZ_SECONDS = 2
WAIT = {"seconds": 300}  # of a merge for its shards


def render(kubectl, folder):
    done = run(kubectl, "kustomize", folder)
    if done.returncode != 0:
        raise Wrong(f"{os.path.basename(folder)} can't be rendered: {done.stderr.strip().splitlines()[-1]}")
    return [one for one in yaml.safe_load_all(done.stdout) if one]


def job_path(manifest):
    return "/spec/jobTemplate/spec" if manifest["kind"] == "CronJob" else "/spec"


def job_of(manifest):
    return manifest["spec"]["jobTemplate"]["spec"] if manifest["kind"] == "CronJob" else manifest["spec"]


def small_patch(manifest, shards):
    """The patch for a small run of a Job, as in tools/deploy/kubernetes/example: a
    wrong number of shards stays wrong."""
    job, at = job_of(manifest), job_path(manifest)
    container = f"{at}/template/spec/containers/0"
    values = {"PLAN": "/etc/lanediff/run.plan", "FUZZ_SECONDS": FUZZ_SECONDS, "WAIT_SECONDS": WAIT["seconds"],
              "STAGE_SECONDS": 200, "SEED": 7}
    patch = []
    less = IN_MANIFESTS - shards
    if "completions" in job:
        patch.append({"op": "replace", "path": f"{at}/completions", "value": job["completions"] - less})
    variables = job["template"]["spec"]["containers"][0].get("env", [])
    names = [variable["name"] for variable in variables]
    for i, variable in enumerate(variables):
        if variable["name"] in ("SHARDS", "JOB_COMPLETIONS"):
            values[variable["name"]] = int(variable["value"]) - less
        if variable["name"] in values:
            patch.append({"op": "replace", "path": f"{container}/env/{i}/value", "value": str(values[variable["name"]])})
    if "PLAN" in names:
        patch.append({"op": "add", "path": f"{at}/template/spec/volumes/-",
                      "value": {"name": "plan", "configMap": {"name": "small-plan"}}})
        patch.append({"op": "add", "path": f"{container}/volumeMounts/-",
                      "value": {"name": "plan", "mountPath": "/etc/lanediff", "readOnly": True}})
    return patch


def small_run(kubectl, manifests, overlay, shards, plan):
    """The objects of a small run: an overlay over `overlay`, rendered."""
    folder = f"{manifests}/small-{overlay}"
    os.makedirs(folder)
    targets = [one for one in render(kubectl, f"{manifests}/{overlay}") if one["kind"] in ("Job", "CronJob")]
    patches = []
    for i, manifest in enumerate(targets):
        with open(f"{folder}/patch{i}.yaml", "w") as file:
            yaml.safe_dump(small_patch(manifest, shards), file)
        patches.append({"path": f"patch{i}.yaml", "target": {
            "group": "batch", "version": "v1", "kind": manifest["kind"], "name": manifest["metadata"]["name"]}})
    with open(f"{folder}/run.plan", "w") as file:
        file.write(plan)
    with open(f"{folder}/kustomization.yaml", "w") as file:
        yaml.safe_dump({"bases": [f"../{overlay}"], "patchesJson6902": patches,
                        "configMapGenerator": [{"name": "small-plan", "files": ["run.plan"]}]}, file)
    return render(kubectl, folder)
