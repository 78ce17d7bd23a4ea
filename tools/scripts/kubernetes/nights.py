"""The nights of `once` and `nightly`, each held against one run."""

import os
import signal
import threading
import time

from kubernetes.common import JOB_NAME, TREE, Wrong, output, run, say
from kubernetes.job import Job
from kubernetes.manifests import FUZZ_SECONDS, job_of, render, small_night
from kubernetes.node import first_process, said


class Trial:
    def __init__(self, place, kubectl, manifests, node, plan):
        self.place, self.kubectl, self.manifests, self.node, self.plan = place, kubectl, manifests, node, plan
        self.jobs = []

    def results(self, night):
        for claim in self.node.claims.values():
            if os.path.isdir(f"{claim}/{night}"):
                return f"{claim}/{night}"
        raise Wrong(f"no folder {night} in any claim: {', '.join(self.node.claims)}")

    def prepare(self, overlay, shards):
        manifests = small_night(self.kubectl, self.manifests, overlay, shards, self.plan)
        self.node.add(render(self.kubectl, f"{self.manifests}/volumes"))
        self.node.add(manifests)
        # What an earlier night kept: so short a one may find nothing worth it.
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
        container = {**pod["containers"][0], "command": ["/usr/share/lanediff/deploy/night"]}
        nights = next(mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly") and mount["mountPath"] != "/tmp")
        shared = ["--out", f"{nights}/whole", "--keep", f"{nights}/kept"]
        self.keep_input(self.node.claims["lanediff-nights"] + "/kept")
        for args in (["shard", "0/1", *shared, "--plan", "/etc/lanediff/night.plan", "--seconds", str(FUZZ_SECONDS),
                      "--share", "200", "--seed", "7"], ["merge", "1", *shared]):
            process, log = self.node.start({**pod, "containers": [container]}, {"labels": {JOB_NAME: "whole", "lanediff-night": "whole"}},
                                           "whole", None, args)
            status = process.wait()
            if status:
                break  # what the shard lacks tells more than what its merge does
        if status not in (0, 1):
            raise Wrong(f"one run: status {status}: {said(log)}")
        return f"{self.results('whole')}/night", status

    def same(self, one, other, of):
        done = run(f"{TREE}/tools/scripts/same-night", one, other)
        if done.returncode != 0:
            raise Wrong(f"{of} is not one run's: {(done.stdout + done.stderr).strip()}")
        say(f"{of}: {done.stdout.strip().splitlines()[-1]}")

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
        night = jobs.metadata["labels"]["lanediff-night"]
        say(f"once: {shards} shards, one killed, one told to end, both repeated; merged with verdict {verdict} in {took:.0f} s")
        self.same(one, f"{self.results(night)}/night", "once")
        self.owned(self.results(night), "once")
        if not os.path.isfile(f"{self.node.claims['lanediff-inputs']}/min/features"):
            raise Wrong("once: the merge kept no inputs")

    def nightly(self, shards):
        manifests = self.prepare("nightly", shards)
        cron = next(one for one in manifests if one["kind"] == "CronJob")
        # Two nights, one after the other, as Forbid has it; a Job is named by its minute.
        names = [f"{cron['metadata']['name']}-{29000000 + 1440 * night}" for night in range(2)]
        one, verdict = self.whole_run(manifests) if not os.path.isdir(f"{self.place}/claims/lanediff-nights/whole") else (
            f"{self.place}/claims/lanediff-nights/whole/night", None)
        for name, disturb in zip(names, ({1: signal.SIGKILL}, {})):
            job = self.job(cron, name, disturb)
            job.run()
            for index in job.indexes[:-1]:
                job.expect(index, [137, 0] if index in disturb else [0])
            with open(f"{self.results(name)}/night/shards.txt") as file:
                told = int(file.read().split()[-1])
            if verdict is not None and told != verdict:
                raise Wrong(f"{name}: verdict {told}, and one run's is {verdict}")
            job.expect(job.indexes[-1], [told])
            say(f"nightly: {name}: {len(job.indexes) - 1} shards and a merge, verdict {told}")
            self.same(one, f"{self.results(name)}/night", name)
            self.owned(self.results(name), name)
