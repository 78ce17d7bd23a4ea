"""A sharded run on a Slurm of its own: slurmctld and two nodes of one core each, on
loopback, with config, state, spools, ports and logs in one folder. Nothing of a Slurm
of the system is touched, no systemd, cgroup or munge is needed.

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

from .common import SECONDS, Engine, Unfit, Wrong, excerpt, kill, output, read, run, tree_of, wait_for

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


class Slurm(Engine):
    shards, strikes = 8, ["term", "requeue", "daemon", "task", "node", "kill"]

    def __init__(self, options, place, plan):
        super().__init__(options, place, plan)
        if not set(self.strikes) <= set(Slurm.strikes) or self.shards <= len(self.strikes):
            raise Unfit(f"--only is one of {', '.join(Slurm.strikes)}, --shards more than there are of these")
        self.daemons = {}
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

    def step(self):
        """Lets go what waits: Slurm has what it put back wait for two minutes."""
        for line in run("squeue", "-h", "-t", "PD", "-o", "%A %r").stdout.splitlines():
            if line.endswith(" BeginTime"):
                run("scontrol", "update", f"JobId={line.split()[0]}", "StartTime=now")
        queue = run("squeue", "-h")
        return queue.returncode == 0 and not queue.stdout.strip()

    def strike(self, name, shard, pid):
        task = f"{self.array}_{shard}"
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

    def log(self, shard):
        # What was killed as a whole is not put back: the merge runs it.
        lost = shard == self.hit.get("task") and shard != "merge"
        return f"{self.out}/log/{'merge' if lost or shard == 'merge' else f'shard-{shard}'}.log"

    def begin(self):
        self.start()
        jobs = run(f"{self.options.deploy}/slurm/submit", "--out", self.out, "--shards", self.shards, "--", "--plan", self.plan, "--seconds", SECONDS)
        found = re.fullmatch(r"shards (\d+)\nmerge (\d+)\n", jobs.stdout)
        if not found:
            raise Wrong(f"submit takes no run: {jobs.stdout}{jobs.stderr}")
        self.array, self.merge = found.groups()
        if run("squeue", "-h", "-o", "%r", "-j", self.merge).stdout.strip() != "Dependency":
            raise Wrong("the merge does not wait for the shards")

    def verdict(self):
        again = re.findall(r"^sharded-run: shard (\d+) is not whole; the merge", read(self.log("merge")), re.M)
        if again != [str(shard) for name, shard in self.hit.items() if name == "task"]:
            raise Wrong(f"the merge ran: {again}; shard {self.hit.get('task', 'none')} alone is wanted")
        return int(re.search(r" ExitCode=(\d+):", output("scontrol", "show", "job", self.merge))[1])
