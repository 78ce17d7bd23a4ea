"""A Job's controller."""

import os
import re
import signal
import threading
import time

from kubernetes.common import JOB_NAME, Wrong
from kubernetes.manifests import job_of
from kubernetes.node import first_process, excerpt

AT_ONCE = 3  # pods that run together, at most what the Job allows


class Job:
    """Gives out the indexes of a Job and repeats what fails, by the Job's own rules."""

    def __init__(self, node, manifest, name, disturb):
        self.node, self.spec, self.name = node, job_of(manifest), name
        self.indexes = list(range(self.spec["completions"])) if self.spec.get("completionMode") == "Indexed" else [None]
        self.disturb = dict(disturb)  # index: the signal that its first try gets
        self.statuses = {index: [] for index in self.indexes}  # of each try
        self.logs = {}
        self.problem = None
        labels = {**self.spec["template"].get("metadata", {}).get("labels", {}), JOB_NAME: name}
        self.metadata = {"labels": labels}
        self.running = set()
        self.workers = []

    def action(self, status):
        for rule in self.spec.get("podFailurePolicy", {}).get("rules", []):
            codes = rule.get("onExitCodes")
            if codes and (status in codes["values"]) == (codes["operator"] == "In"):
                return rule["action"]
        return "Count"

    def folder_of(self, index):
        """The folder of a shard, as the manifest sets it; None before it exists."""
        for claim in self.node.claims.values():
            for folder, names, _ in os.walk(claim):
                for name in names:
                    if re.fullmatch(rf"{index}-of-\d+", name) and os.path.basename(folder) in self.metadata["labels"].values():
                        return os.path.join(folder, name)
        return None

    def watch(self, index, process):
        """Sends the signal that a first try gets, once it has done a stage; the status
        of one that is killed, which unshare does not pass on."""
        number = self.disturb.pop(index)
        while process.poll() is None:
            folder = self.folder_of(index)
            if folder and any(name.endswith(".done") for name in os.listdir(folder)):
                os.kill(first_process(process), number)
                return 128 + number if number == signal.SIGKILL else None
            time.sleep(0.02)
        self.problem = self.problem or f"{self.name} index {index} ended before it could be disturbed: {excerpt(self.logs[index])}"
        return None

    def one(self, index):
        """An index to its end."""
        name = self.name if index is None else f"{self.name}-{index}"
        limit = self.spec.get("backoffLimit", 6) if index is None else self.spec.get("backoffLimitPerIndex", 6)
        failures = 0
        while True:
            process, self.logs[index] = self.node.start(self.spec["template"]["spec"], self.metadata, name, index)
            self.running.add(process)
            killed = self.watch(index, process) if index in self.disturb else None
            status = process.wait()
            self.running.discard(process)
            status = killed or status
            self.statuses[index].append(status)
            failures += 1
            if self.problem:
                return
            if status == 0 or self.action(status) in ("FailIndex", "FailJob") or failures > limit:
                return

    def run(self):
        todo, lock = list(self.indexes), threading.Lock()

        def work():
            while True:
                with lock:
                    if not todo or self.problem:
                        return
                    index = todo.pop(0)
                try:
                    self.one(index)
                except Wrong as wrong:
                    self.problem = self.problem or str(wrong)

        at_once = min(self.spec.get("parallelism", 1), AT_ONCE, len(self.indexes))
        self.workers = [threading.Thread(target=work) for _ in range(at_once)]
        for worker in self.workers:
            worker.start()
        for worker in self.workers:
            worker.join()

    def expect(self, index, tries):
        """The statuses that an index must have had."""
        if self.problem:
            raise Wrong(self.problem)
        if self.statuses[index] != tries:
            raise Wrong(f"{self.name} index {index}: statuses {self.statuses[index]}, expected {tries}: {excerpt(self.logs[index])}")
