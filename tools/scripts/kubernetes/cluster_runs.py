"""Runs of `once` and `nightly`, each compared with a run of one shard."""

import os
import signal
import threading
import time

from kubernetes.common import JOB_NAME, TREE, Wrong, output, report, run
from kubernetes.job import Job
from kubernetes.manifests import FUZZ_SECONDS, job_of, render, small_run
from kubernetes.node import excerpt, first_process


class Trial:
    def __init__(self, place, kubectl, manifests, node, plan):
        self.place, self.kubectl, self.manifests, self.node, self.plan = place, kubectl, manifests, node, plan
        self.jobs = []

    def results(self, name):
        for claim in self.node.claims.values():
            if os.path.isdir(f"{claim}/{name}"):
                return f"{claim}/{name}"
        raise Wrong(f"no folder {name} in any claim: {', '.join(self.node.claims)}")

    def prepare(self, overlay, shards):
        manifests = small_run(self.kubectl, self.manifests, overlay, shards, self.plan)
        self.node.add(render(self.kubectl, f"{self.manifests}/volumes"))
        self.node.add(manifests)
        # An input of an earlier run: so short a run may keep none.
        self.keep_input(self.node.claims["lanediff-inputs"])
        return manifests

    def keep_input(self, folder):
        case = sorted(os.listdir(f"{TREE}/corpus/min"))[0]
        os.makedirs(f"{folder}/min/inputs", exist_ok=True)
        output(f"{self.node.image}/usr/bin/lanediff", "convert", f"{TREE}/corpus/min/{case}", "-o", f"{folder}/min/inputs/first")
        output("chown", "-R", "10001:10001", folder)

    def job(self, manifest, name=None, disturb=()):
        job = Job(self.node, manifest, name or manifest["metadata"]["name"], disturb)
        self.jobs.append(job)
        return job

    def stop(self):
        for job in self.jobs:
            job.problem = job.problem or "stopped"
            for process in list(job.running):
                if process.poll() is None:
                    os.kill(first_process(process), signal.SIGKILL)
            for worker in job.workers:
                worker.join()

    def whole_run(self, manifests):
        """The same plan as one run, in a pod of the shards' own; its folder and verdict."""
        shards = next(one for one in manifests if one["kind"] in ("Job", "CronJob") and "PLAN" in str(one))
        pod = job_of(shards)["template"]["spec"]
        container = {**pod["containers"][0], "command": ["/usr/share/lanediff/deploy/sharded-run"]}
        runs = next(mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly") and mount["mountPath"] != "/tmp")
        shared = ["--out", f"{runs}/whole", "--keep", f"{runs}/kept"]
        self.keep_input(self.node.claims["lanediff-runs"] + "/kept")
        for args in (["shard", "0/1", *shared, "--plan", "/etc/lanediff/run.plan", "--seconds", str(FUZZ_SECONDS),
                      "--share", "200", "--seed", "7"], ["merge", "1", *shared]):
            process, log = self.node.start({**pod, "containers": [container]}, {"labels": {JOB_NAME: "whole", "lanediff-run": "whole"}},
                                           "whole", None, args)
            status = process.wait()
            if status:
                break  # the shard's error is better than its merge's
        if status not in (0, 1):
            raise Wrong(f"one run: status {status}: {excerpt(log)}")
        return f"{self.results('whole')}/merged", status

    def same(self, one, other, of):
        done = run(f"{TREE}/tools/scripts/compare-runs", one, other)
        if done.returncode != 0:
            raise Wrong(f"{of} is not one run's: {(done.stdout + done.stderr).strip()}")
        report(f"{of}: {done.stdout.strip().splitlines()[-1]}")

    def owned(self, folder, of):
        for path, _, files in os.walk(folder):
            for name in files:
                if os.lstat(f"{path}/{name}").st_uid != 10001:
                    raise Wrong(f"{of}: {path}/{name} is not user 10001's")

    def once(self, shards):
        manifests = self.prepare("once", shards)
        by_kind = {"shards": None, "merge": None}
        for manifest in manifests:
            if manifest["kind"] == "Job":
                by_kind["shards" if job_of(manifest).get("completionMode") == "Indexed" else "merge"] = manifest
        start = time.monotonic()
        # The merge is there first, and waits.
        merge, jobs = self.job(by_kind["merge"]), self.job(by_kind["shards"], disturb={0: signal.SIGTERM, 1: signal.SIGKILL})
        waiting = threading.Thread(target=merge.run)
        waiting.start()
        jobs.run()
        for index in jobs.indexes:
            jobs.expect(index, {0: [75, 0], 1: [137, 0]}.get(index, [0]))
        if len(jobs.indexes) != shards:
            raise Wrong(f"{jobs.name}: {len(jobs.indexes)} indexes for {shards} shards")
        waiting.join()
        took = time.monotonic() - start
        one, verdict = self.whole_run(manifests)
        merge.expect(None, [verdict])
        name = jobs.metadata["labels"]["lanediff-run"]
        report(f"once: {shards} shards, one killed, one interrupted, both repeated; merged with verdict {verdict} in {took:.0f} s")
        self.same(one, f"{self.results(name)}/merged", "once")
        self.owned(self.results(name), "once")
        if not os.path.isfile(f"{self.node.claims['lanediff-inputs']}/min/features"):
            raise Wrong("once: the merge kept no inputs")

    def nightly(self, shards):
        manifests = self.prepare("nightly", shards)
        cron = next(one for one in manifests if one["kind"] == "CronJob")
        # Two runs, one after the other, as Forbid orders; a Job is named by its minute.
        names = [f"{cron['metadata']['name']}-{29000000 + 1440 * day}" for day in range(2)]
        one, verdict = self.whole_run(manifests) if not os.path.isdir(f"{self.place}/claims/lanediff-runs/whole") else (
            f"{self.place}/claims/lanediff-runs/whole/merged", None)
        for name, disturb in zip(names, ({1: signal.SIGKILL}, {})):
            job = self.job(cron, name, disturb)
            job.run()
            for index in job.indexes[:-1]:
                job.expect(index, [137, 0] if index in disturb else [0])
            with open(f"{self.results(name)}/merged/shards.txt") as file:
                found = int(file.read().split()[-1])
            if verdict is not None and found != verdict:
                raise Wrong(f"{name}: verdict {found}, and one run's is {verdict}")
            job.expect(job.indexes[-1], [found])
            report(f"nightly: {name}: {len(job.indexes) - 1} shards and a merge, verdict {found}")
            self.same(one, f"{self.results(name)}/merged", name)
            self.owned(self.results(name), name)
