"""Runs the manifests of tools/deploy/kubernetes/ on this machine, without a cluster.

Renders the overlay `nightly`, takes each pod's command, arguments, variables, rights and
volumes from the rendered manifests, and treats them as a cluster does: a Job's
controller gives indexes out, repeats one that failed by the Job's own policy, and
counts; a node gives a pod a root that can't be written, the user of the manifest
without any right, and the volumes that are declared. The root holds the programs of
this machine, and tools/scripts/image-tree.

KUBECTL names another kubectl.
Not tried: limits of memory, seccomp profiles.
"""

import math
import os
import re
import shutil
import subprocess
import tempfile

import yaml

from .common import SECONDS, TREE, Engine, Unfit, Wrong, children, output, run

JOB_NAME = "batch.kubernetes.io/job-name"
IN_MANIFESTS = 8
SMALL = {"PLAN": "/etc/lanediff/run.plan", "FUZZ_SECONDS": SECONDS, "WAIT_SECONDS": "300", "STAGE_SECONDS": "200", "SEED": "7"}

# As a container's runtime does it: mounts of its own, no network, a root that stays as
# it is, and the user without rights. Debian's programs are those of this machine, and
# all of /usr/share is that of the image.
START = r"""
tree=$1 root=$2 writable=$3 hostname=$4
shift 4
mount -t tmpfs -o mode=755 root "$root"
for folder in bin dev etc lib lib64 proc sbin usr; do
  [ -e "/$folder" ] || continue
  mkdir "$root/$folder"
  mount --rbind "/$folder" "$root/$folder"
done
mount --bind "$tree/usr/share" "$root/usr/share"
mount --bind "$tree/usr/bin" "$root/usr/local/bin"
mount -t tmpfs etc "$root/etc"
cp -r /etc/alternatives /etc/ld.so* "$root/etc/"
mount -t proc proc "$root/proc"
mkdir "$root/tmp"
while [ "$1" != -- ]; do
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  if [ "$3" = ro ]; then mount -o remount,bind,ro "$root$2"; fi
  shift 3
done
shift
for folder in bin etc lib lib64 sbin usr usr/share usr/local/bin; do
  [ ! -d "$root/$folder" ] || [ -L "/$folder" ] || mount -o remount,bind,ro "$root/$folder"
done
if [ "$writable" = no ]; then mount -o remount,ro "$root"; fi
hostname "$hostname"
exec chroot "$root" "$@"
"""


def expand(text, variables):
    """$(NAME) as Kubernetes does it: unknown names stay, $$ is $."""
    return re.sub(r"\$\$|\$\((\w+)\)", lambda found: "$" if found[0] == "$$" else variables.get(found[1], found[0]), text)


class Kubernetes(Engine):
    more = ("--seed", SMALL["SEED"], "--share", SMALL["STAGE_SECONDS"])

    def __init__(self, options, place, plan):
        super().__init__(options, place, plan)
        self.kubectl = shutil.which(os.environ.get("KUBECTL", "kubectl"))
        if not self.kubectl:
            raise Unfit("no kubectl; script/bootstrap installs it")
        if run("unshare", "--mount", "--pid", "--net", "--fork", "true").returncode != 0:
            raise Unfit("nothing can be mounted here; a container needs the privilege to (docker run --privileged)")
        self.claims = {}

    def render(self, folder):
        done = run(self.kubectl, "kustomize", f"{self.options.deploy}/kubernetes/{folder}")
        if done.returncode != 0:
            raise Wrong(f"{folder} can't be rendered: {done.stderr.strip().splitlines()[-1]}")
        return [one for one in yaml.safe_load_all(done.stdout) if one]

    def volume(self, volume, group, folder):
        """The folder of a pod's volume, as its group may write it."""
        path = self.claims.get(volume.get("persistentVolumeClaim", {}).get("claimName"), f"{folder}/{volume['name']}")
        if "emptyDir" in volume:
            os.makedirs(path, mode=0o777)
            os.chmod(path, 0o777)
        elif not os.path.isdir(path):
            raise Wrong(f"volume {volume['name']}: no claim; the pod would wait forever")
        if group is not None:
            os.chown(path, -1, group)
            os.chmod(path, os.stat(path).st_mode | 0o2070)
        return path

    def variables(self, spec, labels, name, index):
        variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME": name, "JOB_COMPLETION_INDEX": str(index)}
        for variable in spec["env"]:
            origin = variable.get("valueFrom", {})
            label = re.fullmatch(r"metadata\.labels\['(.*)'\]", origin.get("fieldRef", {}).get("fieldPath", ""))
            if label and label[1] not in labels:
                raise Wrong(f"pod {name}: no label {label[1]}")
            if "resourceFieldRef" in origin:  # a whole number of processors
                kind, resource = origin["resourceFieldRef"]["resource"].split(".")
                quantity = spec["resources"][kind][resource]
                value = str(math.ceil(int(quantity[:-1]) / 1000 if quantity.endswith("m") else float(quantity)))
            else:
                value = labels[label[1]] if label else expand(variable["value"], variables)
            variables[variable["name"]] = value
        return variables

    def start(self, number):
        """Runs the only container of a pod."""
        pod, labels, name = self.spec["template"]["spec"], {JOB_NAME: self.name}, f"{self.name}-{number}"
        spec = pod["containers"][0]
        rights = {**pod.get("securityContext", {}), **spec.get("securityContext", {})}
        user, group = rights.get("runAsUser", 0), rights.get("runAsGroup", 0)
        if rights.get("runAsNonRoot") and user == 0:
            raise Wrong(f"pod {name}: runAsNonRoot, and it would run as root")
        variables = self.variables(spec, labels, name, number)
        folder = tempfile.mkdtemp(prefix=f"{name}-", dir=f"{self.place}/pods")
        os.chmod(folder, 0o755)
        os.mkdir(f"{folder}/root")
        volumes = {volume["name"]: self.volume(volume, rights.get("fsGroup"), folder) for volume in pod["volumes"]}
        mounts = [f"{self.place}/plan", os.path.dirname(SMALL["PLAN"]), "ro"]
        for mount in spec["volumeMounts"]:
            mounts += [volumes[mount["name"]], mount["mountPath"], "ro" if mount.get("readOnly") else "rw"]
        groups = ",".join(str(one) for one in {group, rights.get("fsGroup", group)})
        drop = ["--bounding-set=-all", "--inh-caps=-all"] if "ALL" in rights.get("capabilities", {}).get("drop", []) else []
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGKILL", "--ipc", "--uts", "--net", "--propagation", "private",
                   "bash", "-euc", START, "start", f"{self.place}/tree", f"{folder}/root",
                   "no" if rights.get("readOnlyRootFilesystem") else "yes", name, *mounts, "--",
                   "setpriv", f"--reuid={user}", f"--regid={group}", f"--groups={groups}", "--no-new-privs", *drop,
                   "env", "-i", "-C", "/tmp", *[f"{key}={value}" for key, value in variables.items()],
                   *[expand(word, variables) for word in spec["command"] + spec["args"]]]
        with open(f"{self.place}/pods/{number}.log", "a") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True), log.name

    def again(self, number, status):
        """By the Job's own rules."""
        failing = [rule["onExitCodes"]["values"] for rule in self.spec["podFailurePolicy"]["rules"] if rule["action"] == "FailIndex"]
        return not any(status in values for values in failing) and len(self.statuses[number]) <= self.spec["backoffLimitPerIndex"]

    def main(self, process):
        return children(process.pid)[0]

    def keep_input(self, folder):
        """An input of an earlier run: so short a run may keep none."""
        os.makedirs(f"{folder}/min/inputs")
        case = sorted(os.listdir(f"{TREE}/corpus/min"))[0]
        output(self.options.lanediff, "convert", f"{TREE}/corpus/min/{case}", "-o", f"{folder}/min/inputs/first")
        output("chown", "-R", "10001:10001", folder)

    def begin(self):
        shards = self.shards
        manifest = next(one for one in self.render("nightly") if one["kind"] == "CronJob")
        self.name = f"{manifest['metadata']['name']}-29000000"  # a Job is named by its minute
        self.spec = manifest["spec"]["jobTemplate"]["spec"]
        # A wrong number of shards stays wrong.
        self.spec["completions"] -= IN_MANIFESTS - shards
        for variable in self.spec["template"]["spec"]["containers"][0]["env"]:
            if variable["name"] == "SHARDS":
                variable["value"] = str(int(variable["value"]) - IN_MANIFESTS + shards)
            variable.update({"value": SMALL[variable["name"]]} if variable["name"] in SMALL else {})
        if self.spec["completions"] != shards + 1:
            raise Wrong(f"{self.spec['completions']} indexes for {shards} shards and the merge")
        self.out = f"{self.claims['lanediff-runs']}/{self.name}"
        super().begin()

    def check(self):
        output(f"{TREE}/tools/scripts/image-tree", f"{self.place}/tree")
        output("cp", "-rT", self.options.deploy, f"{self.place}/tree/usr/share/lanediff/deploy")
        output("chmod", "-R", "a+rX", f"{self.place}/tree")  # the builder's umask may exclude pods' users
        for folder in ("plan", "pods"):
            os.mkdir(f"{self.place}/{folder}")
        shutil.copy(self.plan, f"{self.place}/plan/")
        for manifest in self.render("volumes"):
            name = manifest["metadata"]["name"]
            self.claims[name] = f"{self.place}/claims/{name}"
            os.makedirs(self.claims[name], mode=0o755)
        self.keep = f"{self.place}/kept"
        for folder in (self.claims["lanediff-inputs"], self.keep):
            self.keep_input(folder)
        self.deploy = f"{self.place}/tree/usr/share/lanediff/deploy"
        self.user = ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups"]
        self.more += ("--keep", self.claims["lanediff-inputs"])
        super().check()

    def check_promises(self, one, wanted):
        other = output("find", self.out, "!", "-user", "10001", "-type", "f")
        if other:
            raise Wrong(f"{other.splitlines()[0]} is not user 10001's")
        if not os.path.isfile(f"{self.claims['lanediff-inputs']}/min/features"):
            raise Wrong("the merge kept no inputs")
        super().check_promises(one, wanted)
