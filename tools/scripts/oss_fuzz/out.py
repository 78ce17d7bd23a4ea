"""The folder that is checked, and how programs in it are run."""

import os
import shutil
import subprocess
import tempfile
import zipfile

ENTRY = b"LLVMFuzzerTestOneInput"
BESIDE = ("_seed_corpus.zip", ".dict", ".options")
NOBODY = 65534
LLVM = "-19"

# How ClusterFuzz runs them: signals are the sanitizer's, where there is one.
SANITIZER_OPTIONS = {"ASAN_OPTIONS": "handle_abort=1:handle_sigill=1:symbolize=1:detect_leaks=1:allocator_may_return_null=1",
                     "UBSAN_OPTIONS": "handle_abort=1:handle_sigill=1:symbolize=1:print_stacktrace=1:silence_unsigned_overflow=1"}
LIBFUZZER = ["-rss_limit_mb=2560", "-timeout=60"]


class Out:
    """The copy that is checked, and the objections to it."""

    def __init__(self, arguments, folder):
        self.sanitizer = arguments.sanitizer
        self.also = set(arguments.also)
        self.sources = arguments.sources
        self.home = folder
        self.path = os.path.join(folder, "moved-out")
        shutil.copytree(arguments.out, self.path, symlinks=True)
        for name in os.listdir(self.path):
            path = os.path.join(self.path, name)
            if not os.path.islink(path):
                owner = os.stat(path).st_mode & 0o500  # the umask of the build may have kept it from others
                os.chmod(path, owner | owner >> 3 | owner >> 6)
        os.chmod(self.path, 0o555)
        os.chmod(folder, 0o755)
        self.symbolizer = shutil.which(f"llvm-symbolizer{LLVM}")
        self.wrong = []

    def object(self, check, program, text):
        self.wrong.append((check, program))
        print(f"check-oss-fuzz-out: {program}: {check}: {text}", flush=True)

    def beside(self, program, ending):
        return os.path.join(self.path, program + ending)

    def scratch(self):
        """A new folder that programs may write to."""
        folder = tempfile.mkdtemp(dir=self.home)
        os.chmod(folder, 0o777)
        return folder

    def run(self, program, *arguments, cwd=None, out=None, environment=None, seconds=900):
        """The output of `program`, and its status; without the environment of this machine."""
        given = {"PATH": "/usr/bin:/bin", **SANITIZER_OPTIONS, **(environment or {})}
        if self.symbolizer:
            given["ASAN_SYMBOLIZER_PATH"] = self.symbolizer
            given["UBSAN_SYMBOLIZER_PATH"] = self.symbolizer
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = subprocess.run([os.path.join(out or self.path, program), *arguments],
                                  cwd=cwd or self.scratch(), env=given, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, **other)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error), -1
        return done.stdout.decode(errors="replace"), done.returncode

    def seeds(self, program):
        """The seeds, unpacked, for every user to read."""
        folder = self.scratch()
        with zipfile.ZipFile(self.beside(program, "_seed_corpus.zip")) as archive:
            archive.extractall(folder)
        for root, folders, files in os.walk(folder):
            for name in folders + files:
                os.chmod(os.path.join(root, name), 0o755)
        return folder


def last_line(output):
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def tool(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {last_line(done.stderr)}")
    return done.stdout
