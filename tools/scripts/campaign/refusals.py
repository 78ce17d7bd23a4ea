"""Checks that a wrong input, database or disk is reported in a line."""

import json
import shlex
import shutil
import sqlite3
import subprocess
import time

from .common import LANEDIFF, counts, expect, lanediff


def refuse(what, text, *arguments, cwd, status=2):
    done = lanediff("campaign", *arguments, cwd=cwd, allowed=range(-15, 256))
    lines = done.stderr.splitlines()
    if done.returncode != status or not any(text in line for line in lines):
        expect(what, (done.returncode, done.stderr), (status, text))


def check_bad_input(all_folders, work, campaign):
    bad = work / "bad"
    bad.mkdir()
    shards = [folder for folder, _ in all_folders if folder.name.startswith("shards-03")][0]
    text = (shards / "sweep.1-of-4.json").read_text()
    (bad / "sweep.0-of-4.json").write_text(text[: len(text) // 2])
    (bad / "sweep.1-of-4.json").write_text(text)
    (bad / "sweep.2-of-4.json").write_text(text.replace("lanediff-shard/1", "lanediff-shard/7"))
    (bad / "sweep.3-of-4.json").write_text("")
    new = work / "bad-campaign"
    done = lanediff("campaign", "add", bad, "--campaign", new, cwd=work, allowed=(2,))
    for file, message in (("sweep.0-of-4.json", "not JSON at byte"), ("sweep.2-of-4.json", 'found format "lanediff-shard/7"'), ("sweep.3-of-4.json", "no \"format\"")):
        expect(f"{file} is named", any(file in line and message in line for line in done.stderr.splitlines()), True)
    expect("the good one is added", "incomplete: 1 of 4 shards" in done.stdout, True)
    other = json.loads(text)
    other["run"]["sweeps"][0]["cases"] += 1
    (bad / "sweep.1-of-4.json").write_text(json.dumps(other))
    refuse("another content", "shard 1/4 of 2027-02-03 is there already with other results", "add", bad / "sweep.1-of-4.json", "--campaign", new, cwd=work)
    refuse("no date", "missing date", "add", work / "days/copy-03/sweep.json", "--campaign", new, cwd=work)
    refuse("a wrong date", "--date: found \"2027-02-30\"", "add", bad, "--date", "2027-02-30", "--campaign", new, cwd=work)
    refuse("nothing there", "is not there", "add", work / "nowhere", "--campaign", new, cwd=work)
    for what, sql, message in (("newer", "PRAGMA user_version = 99", "is of a newer lanediff, with tables of version 99"),
                            ("another program's", "PRAGMA application_id = 7", "is a database of another program")):
        folder = work / what.replace(" ", "-").replace("'", "")
        shutil.copytree(new, folder)
        with sqlite3.connect(folder / "campaign.db") as database:
            database.execute(sql)
        database.close()
        for word in ("list", "add"):
            refuse(what, message, word, *([bad] if word == "add" else []), "--campaign", folder, cwd=work)
    none = work / "none"
    none.mkdir()
    (none / "campaign.db").write_text("this is no database, and long enough to be taken for one" * 20)
    refuse("no database", "is no database", "list", "--campaign", none, cwd=work)
    damaged = work / "damaged"
    shutil.copytree(campaign, damaged)
    with open(damaged / "campaign.db", "r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * 16384)
    refuse("damaged", "is damaged", "list", "--campaign", damaged, cwd=work)
    held = sqlite3.connect(new / "campaign.db", isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    start = time.monotonic()
    refuse("locked", "locked by another process", "add", shards, "--campaign", new, cwd=work)
    held.execute("ROLLBACK")
    held.close()
    print(f"bad input: each reported in a line; a lock was waited for {time.monotonic() - start:.0f} s")


def check_full_disk(all_folders, work):
    (work / "disk").mkdir()
    folder = all_folders[0][0]
    script = f"""
mount -t tmpfs -o size=512k none disk || exit 99
"$LANEDIFF" campaign disk/c >/dev/null || exit 98
cat /dev/zero >disk/filler 2>/dev/null
"$LANEDIFF" campaign add {shlex.quote(str(folder))} --campaign disk/c && exit 97
rm disk/filler
[ "$("$LANEDIFF" campaign list --campaign disk/c)" = "nothing was added yet" ] || exit 96
"$LANEDIFF" campaign add {shlex.quote(str(folder))} --campaign disk/c
"""
    script = f"LANEDIFF={shlex.quote(LANEDIFF)}\n" + script
    for options in ("-rm", "-m"):
        # Through a shell, which returns 127 where there is no unshare.
        done = subprocess.run(["bash", "-c", 'unshare "$0" bash -c "$1"', options, script],
                              cwd=work, capture_output=True, text=True)
        if done.returncode not in (1, 99, 127):
            break
    if done.returncode in (1, 99, 127):
        counts["NOT TESTED"] += 1
        return print("full disk: NOT TESTED: a small disk can't be mounted here")
    expect("full disk", (done.returncode, done.stderr),
           (0, "lanediff: disk/c/campaign.db: can't be written: No space left on device; nothing of this was added\n"))
    print("full disk: reported in a line, nothing added, and added afterwards")
