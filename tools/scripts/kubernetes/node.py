"""A node: it runs pods exactly as their manifests specify."""

import math
import os
import re
import subprocess
import threading
import time

from kubernetes.common import Wrong

# As a container's runtime does it: mounts of its own, no network, a root that stays
# as it is, the devices that every container has, and the user without rights.
START = r"""
image=$1 root=$2 writable=$3 hostname=$4
shift 4
mount --bind "$image" "$root"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  if [ "$3" = ro ]; then mount -o remount,bind,ro,nosuid,nodev "$root$2"; fi
  shift 3
done
shift
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=1m,mode=755 dev "$root/dev"
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o size=64m,mode=1777 shm "$root/dev/shm"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
for i in 0 1 2; do ln -s "/proc/self/fd/$i" "$root/dev/$(echo stdin stdout stderr | cut -d' ' -f$((i + 1)))"; done
mount -o remount,bind,ro "$root/dev"
if [ "$writable" = no ]; then mount -o remount,bind,ro "$root"; fi
hostname "$hostname"
exec chroot "$root" "$@"
"""


class Node:
    """Where pods run: an image, and what claims and ConfigMaps hold."""

    def __init__(self, place, image):
        self.place, self.image = place, image
        self.claims, self.maps = {}, {}
        self.lock = threading.Lock()
        self.count = 0

    def add(self, manifests):
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            if manifest["kind"] == "PersistentVolumeClaim" and name not in self.claims:
                self.claims[name] = f"{self.place}/claims/{name}"
                os.makedirs(self.claims[name], mode=0o755)
            if manifest["kind"] == "ConfigMap":
                self.maps[name] = manifest["data"]

    def folder(self, *names):
        with self.lock:
            self.count += 1
            path = os.path.join(self.place, "pods", f"{self.count}-{'-'.join(names)}")
        os.makedirs(path)
        return path

    def volume(self, volume, group):
        """The folder of a pod's volume, as its group may write it."""
        if "persistentVolumeClaim" in volume:
            name = volume["persistentVolumeClaim"]["claimName"]
            if name not in self.claims:
                raise Wrong(f"no claim {name}; the pod would wait forever")
            path = self.claims[name]
        elif "emptyDir" in volume:
            path = self.folder("volume", volume["name"])
            os.chmod(path, 0o777)
        elif "configMap" in volume:
            path = self.folder("volume", volume["name"])
            for name, text in self.maps[volume["configMap"]["name"]].items():
                with open(f"{path}/{name}", "w") as file:
                    file.write(text)
            return path
        else:
            raise Wrong(f"volume {volume['name']}: of a kind that this test does not support")
        if group is not None:
            os.chown(path, -1, group)
            os.chmod(path, os.stat(path).st_mode | 0o2070)
        return path

    def start(self, pod, metadata, name, index, args=None):
        """Runs the only container of a pod; returns its process and where it talks to."""
        spec = pod["containers"][0]
        rights = {**pod.get("securityContext", {}), **spec.get("securityContext", {})}
        user, group = rights.get("runAsUser", 0), rights.get("runAsGroup", 0)
        if rights.get("runAsNonRoot") and user == 0:
            raise Wrong(f"pod {name}: runAsNonRoot, and it would run as root")
        variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME": name}
        for variable in spec.get("env", []):
            field = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
            resource = variable.get("valueFrom", {}).get("resourceFieldRef", {}).get("resource")
            label = re.fullmatch(r"metadata\.labels\['(.*)'\]", field or "")
            if label and label[1] not in metadata["labels"]:
                raise Wrong(f"pod {name}: no label {label[1]}")
            if resource:
                variables[variable["name"]] = processors(spec, resource)
            else:
                variables[variable["name"]] = metadata["labels"][label[1]] if label else expand(variable["value"], variables)
        if index is not None:
            variables["JOB_COMPLETION_INDEX"] = str(index)
        volumes = {volume["name"]: self.volume(volume, rights.get("fsGroup")) for volume in pod.get("volumes", [])}
        folder = self.folder(name)
        os.mkdir(f"{folder}/root")
        mounts = []
        for mount in sorted(spec.get("volumeMounts", []), key=lambda mount: mount["mountPath"]):
            os.makedirs(self.image + mount["mountPath"], exist_ok=True)
            mounts += [volumes[mount["name"]], mount["mountPath"], "ro" if mount.get("readOnly") else "rw"]
        # The image's own entry point serves where the manifest names no command.
        command = spec.get("command", ["/usr/share/lanediff/deploy/sharded-run"]) + (args or spec.get("args", []))
        groups = ",".join(str(one) for one in {group, rights.get("fsGroup", group)})
        drop = ["--bounding-set=-all", "--inh-caps=-all"] if "ALL" in rights.get("capabilities", {}).get("drop", []) else []
        argv = ["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGKILL", "--ipc", "--uts", "--net",
                "--propagation", "private", "bash", "-euc", START, "start", self.image, f"{folder}/root",
                "no" if rights.get("readOnlyRootFilesystem") else "yes", name, *mounts, "--",
                "setpriv", f"--reuid={user}", f"--regid={group}", f"--groups={groups}", "--no-new-privs", *drop,
                "env", "-i", "-C", spec.get("workingDir", "/tmp"), *[f"{key}={value}" for key, value in variables.items()],
                *[expand(word, variables) for word in command]]
        log = f"{folder}/log"
        with open(log, "w") as file:
            return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True), log


def processors(container, resource):
    """A request or limit of processors, as a whole number, as Kubernetes gives it."""
    kind, name = resource.split(".")
    quantity = container["resources"][kind][name]
    return str(math.ceil(int(quantity[:-1]) / 1000 if quantity.endswith("m") else float(quantity)))


def expand(text, variables):
    """$(NAME) as Kubernetes does it: unknown names stay, $$ is $."""
    return re.sub(r"\$\$|\$\((\w+)\)", lambda found: "$" if found[0] == "$$" else variables.get(found[1], found[0]), text)


def first_process(process):
    """The host's id of a pod's process 1, once it has become the pod's command."""
    for _ in range(500):
        try:
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                return int(file.read().split()[0])
        except (OSError, IndexError):
            time.sleep(0.01)
    raise Wrong("a pod has no process")


def excerpt(log):
    """The first and last lines of a pod's output."""
    with open(log, errors="replace") as file:
        lines = file.read().strip().splitlines()
    return " / ".join([*lines[:1], *lines[1:][-2:]]) or "no output"
