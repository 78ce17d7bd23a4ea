"""A sharded run on a Slurm of its own: slurmctld and two nodes of one core each, on
loopback, with config, state, spools, ports and logs in one folder. Nothing of a Slurm
of the system is touched, no systemd, cgroup or munge is needed.

  early    a merge that does not wait for its shards
  kill     SIGKILL of a shard's lanediff
  term     scancel --signal=TERM of a task
  requeue  scontrol requeue of a running task
  task     SIGKILL of all processes of a task, its batch script too
  daemon   SIGKILL of a node's slurmd, which is started again
  node     SIGKILL of a node's slurmd and of all that runs there
"""

import glob
import os
import random
import re
import shutil
import signal
import socket
import subprocess

from .common import SECONDS, TREE, Unfit, Wrong, check_same, excerpt, kill, one_run, output, read, report, run, tree_of, wait_for

DISTURBANCES = ["term", "requeue", "daemon", "task", "node", "early", "kill"]
CONFIG = """\
ClusterName=lanediff
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool-%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd-%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=20
KillWait=5
ReturnToService=2
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
PartitionName=lanediff Nodes=one,two Default=YES MaxTime=INFINITE State=UP
"""


def is_free(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) != 0


class Slurm:
    def __init__(self, options, place, plan):
        self.options, self.place, self.out = options, place, f"{place}/out"
        self.disturbances = options.only or DISTURBANCES
        self.shards = options.shards or 8
        if not set(self.disturbances) <= set(DISTURBANCES) or self.shards <= len(self.disturbances):
            raise Unfit(f"--only is one of {', '.join(DISTURBANCES)}, --shards more than there are of these")
        self.plan = plan
        self.daemons, self.hit = {}, {}
        os.environ["PATH"] += ":/usr/sbin"
        os.environ["SLURM_CONF"] = f"{place}/slurm.conf"
        missing = [name for name in ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo") if not shutil.which(name)]
        if missing:
            raise Unfit(f"no {missing[0]}; script/bootstrap brings it (slurm-wlm)")

    def start_daemon(self, name):
        with open(f"{self.place}/{name}.out.log", "a") as log:
            self.daemons[name] = subprocess.Popen(["slurmctld", "-D"] if name == "ctld" else ["slurmd", "-D", "-N", name], stdout=log, stderr=log)

    def running(self):
        return all(daemon.poll() is None for daemon in self.daemons.values())

    def start(self):
        for _ in range(5):
            # From 32768 on the system gives them to clients.
            ports = [port for port in random.sample(range(20000, 32000), 20) if is_free(port)]
            for folder in ("state", "spool-one", "spool-two"):
                shutil.rmtree(f"{self.place}/{folder}", ignore_errors=True)
                os.mkdir(f"{self.place}/{folder}")
            with open(f"{self.place}/slurm.conf", "w") as file:
                file.write(CONFIG.format(host=socket.gethostname().partition(".")[0], ports=ports, place=self.place))
            for name in ("ctld", "one", "two"):
                self.start_daemon(name)
            wait_for(60, "two nodes", lambda: not self.running() or len(run("sinfo", "-h", "-N", "-t", "idle", "-o", "%n").stdout.split()) == 2)
            if self.running():
                return
            self.stop()  # another process may have taken a port
        raise Wrong(f"daemons do not stay: {excerpt(f'{self.place}/slurmctld.log')}")

    def stop(self):
        if self.daemons and self.running():
            run("timeout", "20", "scancel", "--quiet", "--user=root")
        # What outlives its node is known by its configuration.
        own = [int(path.split("/")[2]) for path in glob.glob("/proc/[0-9]*/environ") if f"SLURM_CONF={self.place}/" in read(path)]
        pids = [daemon.pid for daemon in self.daemons.values()] + [pid for pid in own if pid != os.getpid()]
        kill([one for pid in pids for one in tree_of(pid)], signal.SIGKILL)
        for daemon in self.daemons.values():
            daemon.wait()

    def hurry(self):
        """Lets go what waits: Slurm has what it put back wait for two minutes."""
        for line in run("squeue", "-h", "-t", "PD", "-o", "%A %r").stdout.splitlines():
            if line.endswith(" BeginTime"):
                run("scontrol", "update", f"JobId={line.split()[0]}", "StartTime=now")

    def pick(self, name):
        """A shard in the middle of exhaust that was not disturbed yet, and its lanediff. The
        last one, whose task has the id of the whole array, is for "kill"."""
        self.hurry()
        for shard in [self.shards - 1] if name == "kill" else range(self.shards - 1):
            folder = f"{self.out}/{shard}-of-{self.shards}"
            if shard in self.hit.values() or os.path.exists(f"{folder}/exhaust.done") or not glob.glob(f"{folder}/exhaust/exhaust/*.state.json"):
                continue
            for pid in run("pgrep", "-f", "--", f" --out {folder}/exhaust$").stdout.split():
                if os.path.exists(f"/proc/{pid}/exe") and os.path.samefile(f"/proc/{pid}/exe", self.options.lanediff):
                    return shard, int(pid)
        return None

    def strike(self, name, shard, pid):
        """Whether it hit what it is for; that may have ended before."""
        task = f"{self.array}_{shard}"
        if name == "early":
            done = run(f"{self.options.deploy}/sharded-run", "merge", self.shards, "--out", self.out)
            if done.returncode != 2 or os.path.exists(f"{self.out}/merged"):
                raise Wrong(f"a merge before the shards are whole ends with {done.returncode}, or writes: {done.stderr.strip()}")
            return True
        if name == "kill":
            kill([pid], signal.SIGKILL)
        elif name == "term":
            # It tries again for a minute where the task is back in the queue at once.
            subprocess.Popen(["timeout", "60", "scancel", "--batch", "--signal=TERM", task], stderr=subprocess.DEVNULL)
        elif name == "requeue":
            return run("scontrol", "requeue", task).returncode == 0
        else:
            while pid > 1 and "slurm/submit" not in read(f"/proc/{pid}/cmdline"):
                pid = int((re.findall(r"^PPid:\s+(\d+)", read(f"/proc/{pid}/status"), re.M) or [0])[0])
            node = run("squeue", "-h", "-o", "%N", "-j", task).stdout.strip()
            if pid <= 1 or node not in self.daemons:
                return False
            if name == "task":
                kill(tree_of(pid), signal.SIGKILL)
                return True
            step = int(re.search(r"^PPid:\s+(\d+)", read(f"/proc/{pid}/status"), re.M)[1])
            kill([self.daemons[node].pid, *(tree_of(step) if name == "node" else [])], signal.SIGKILL)
            self.daemons[node].wait()
            self.start_daemon(node)
        return True

    def ended(self):
        self.hurry()
        queue = run("squeue", "-h")
        return queue.returncode == 0 and not queue.stdout.strip()

    def check_shard(self, shard, disturbance):
        """A disturbed shard continued, and did no stage twice."""
        # Slurm puts back what was disturbed but for a task that was killed as a whole.
        log = read(f"{self.out}/log/{'merge' if disturbance == 'task' else f'shard-{shard}'}.log")
        if not os.path.isfile(f"{self.out}/{shard}-of-{self.shards}/whole.txt"):
            raise Wrong(f"shard {shard} did not get whole: {excerpt(f'{self.out}/log/shard-{shard}.log')}")
        if disturbance in (None, "early", "daemon"):
            if re.search("is (done|whole) already", log):
                raise Wrong(f"shard {shard} was run again, though nothing had ended it")
        elif not re.search("^sharded-run: replay is done already", log, re.M):
            raise Wrong(f"{disturbance}: shard {shard} was not run again")
        elif not re.search("goes on from|was finished at", log):
            raise Wrong(f"{disturbance}: exhaust of shard {shard} did not go on where it was")

    def check(self):
        self.start()
        jobs = run(f"{self.options.deploy}/slurm/submit", "--out", self.out, "--shards", self.shards, "--", "--plan", self.plan, "--seconds", SECONDS)
        found = re.fullmatch(r"shards (\d+)\nmerge (\d+)\n", jobs.stdout)
        if not found:
            raise Wrong(f"submit takes no run: {jobs.stdout}{jobs.stderr}")
        self.array, merge = found.groups()
        if run("squeue", "-h", "-o", "%r", "-j", merge).stdout.strip() != "Dependency":
            raise Wrong("the merge does not wait for the shards")
        for name in self.disturbances:
            while True:
                shard, pid = wait_for(180, f'shard at work for "{name}"', lambda name=name: self.pick(name))
                if self.strike(name, shard, pid):
                    break
            if name != "early":
                self.hit[name] = shard
            report(f"{name}: shard {self.hit.get(name)}")
        wait_for(300, "end of all jobs", self.ended)
        by = {shard: name for name, shard in self.hit.items()}
        for shard in range(self.shards):
            self.check_shard(shard, by.get(shard))
        again = re.findall(r"^slurm: shard (\d+) is not whole", read(f"{self.out}/log/merge.log"), re.M)
        if again != [str(self.hit[name]) for name in ("task",) if name in self.hit]:
            raise Wrong(f"the merge ran: {again}; shard {self.hit.get('task', 'none')} alone is wanted")
        if not os.path.isfile(f"{self.out}/merged/shards.txt"):
            raise Wrong(f"no merged results: {excerpt(f'{self.out}/log/merge.log')}")
        verdict = read(f"{self.out}/merged/shards.txt").split()[-1]
        if f" ExitCode={verdict}:" not in output("scontrol", "show", "job", merge):
            raise Wrong(f"the merge does not end with the verdict {verdict}")
        one, wanted = one_run(self.options, self.place, self.plan)
        if verdict != str(wanted):
            raise Wrong(f"verdict {verdict}; one run has {wanted}")
        check_same(f"{one}/merged", f"{self.out}/merged")
