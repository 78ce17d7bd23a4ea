"""The root of pods: Debian's smallest system, what programs need, and tools/scripts/image-tree."""

import os
import re
import shutil
import subprocess

from kubernetes.common import Unfit, output, run


def packages_of(names):
    """The installed packages that these and the smallest Debian depend on."""
    smallest = [fields[0] for fields in map(str.split, output(
        "dpkg-query", "-W", "-f=${Package} ${Essential} ${Priority}\n").splitlines())
        if "yes" in fields[1:] or "required" in fields[1:]]
    no = [f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")]
    listed = output("apt-cache", "depends", "--recurse", "--installed", *no, *smallest, *names)
    return sorted({line for line in listed.splitlines() if line[:1] not in ("", " ", "<")})


def make_image(image, tree):
    """A root with the files of Debian's smallest system, of `tree` and of what it needs."""
    with open(f"{tree}/usr/share/lanediff/packages.txt") as file:
        packages = packages_of(file.read().split())
    skipped = re.compile(r"/usr/share/(doc|man|locale|info|zoneinfo|lintian)/|/var/lib/dpkg/")
    paths = set()
    # Some are names that others provide, which have no files.
    for path in run("dpkg-query", "-L", *packages).stdout.splitlines():
        if path.startswith("/") and not skipped.match(path + "/") and os.path.lexists(path):
            folder, name = os.path.split(path)
            real = os.path.join(os.path.realpath(folder), name)
            if os.path.islink(path) or not os.path.isdir(path):
                paths.add(real)
    os.makedirs(image)
    for name in ("bin", "sbin", "lib", "lib64"):  # the file system may have moved them into /usr
        if os.path.islink(f"/{name}"):
            os.symlink(os.readlink(f"/{name}"), f"{image}/{name}")
    pack = subprocess.Popen(["tar", "-C", "/", "--no-recursion", "-cf", "-", "-T", "-"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    unpack = subprocess.Popen(["tar", "-C", image, "--keep-directory-symlink", "-xf", "-"], stdin=pack.stdout)
    pack.stdout.close()
    pack.stdin.write("".join(f"{path[1:]}\n" for path in sorted(paths)).encode())
    pack.stdin.close()
    if unpack.wait() or pack.wait():
        raise Unfit(f"{image}: Debian's files can't be copied; is the disk full?")
    output("chmod", "-R", "a+rX", tree)  # the builder's umask may exclude pods' users
    shutil.copytree(tree, image, symlinks=True, dirs_exist_ok=True)
    for folder in ("proc", "dev", "sys", "tmp", "etc", "root", "var/tmp"):
        os.makedirs(f"{image}/{folder}", exist_ok=True)
    # What packages make when they are installed.
    if not os.path.lexists(f"{image}/usr/bin/awk"):
        os.symlink("mawk", f"{image}/usr/bin/awk")
    with open(f"{image}/etc/passwd", "w") as file:
        file.write("root:x:0:0::/root:/bin/sh\nlanediff:x:10001:10001::/home/lanediff:/bin/sh\n")
    output("ldconfig", "-r", image)
