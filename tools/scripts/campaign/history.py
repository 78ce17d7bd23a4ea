"""Checks of the history: row by row, in any order, after any kill."""

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from .common import LANEDIFF, add, expect, lanediff, report
from .simulation import MISSED, UNFINISHED, date, stamp


def history(text):
    rows = {}
    for found in json.loads(text)["findings"]:
        periods = [tuple(one[key]["date"] if one.get(key) else None for key in ("seen", "lastSeen", "fixed")) for one in found["periods"]]
        expect("commit of " + found["signature"], found["periods"][0]["seen"].get("commit", "")[3:], "0ffee")
        rows[found["signature"]] = (found["state"], found["verbs"], periods)
    return rows


def check_history(text, simulation):
    wanted = {}
    for signature, (state, verbs, periods) in simulation.expected().items():
        wanted[signature] = (state, verbs, [tuple(day and stamp(day) for day in one) for one in periods])
    found = history(text)
    for signature in sorted(wanted.keys() | found.keys()):
        expect(signature, found.get(signature), wanted.get(signature))
    document = json.loads(text)
    expect("missing", document["missing"], [date(MISSED)])
    incomplete = sorted({run["date"] for run in document["runs"] if not run["complete"]})
    expect("incomplete", incomplete, [stamp(UNFINISHED)])
    print(f"history: {len(found)} findings, {len(document['runs'])} runs, {len(document['days'])} days: {document['sentence']}")


def check_saved_cases(runs, work):
    """The case of each finding is on the page, and a check of it that agrees proves it fixed."""
    fuzzed = "mutant:rrs-left-fold"
    for verb, (document, folder, target) in (("fuzz", (*runs.fuzz("repeat_reduce_sum", fuzzed), fuzzed)), ("exhaust", runs.exhaust())):
        campaign, page = work / f"saved-{verb}", work / f"saved-{verb}-page"
        add(campaign, [document], ["--date", date(1)], work)
        lanediff("campaign", "report", "--campaign", campaign, "--html", page, "--json", work / "saved.json", cwd=work)
        found = json.loads((work / "saved.json").read_text())["findings"]
        expect(f"findings of {verb}", bool(found), True)
        for one in found:
            case = page / one.get("caseFile", "none")
            if not case.is_file():
                expect(f"{verb}: case of {one['signature']}", "none is kept", "kept")
                continue
            expect(f"{verb}: kept case of {one['signature']}", json.loads(case.read_text())["origin"]["signature"], one["signature"])
            again = lanediff("check", case, "--target", target, "--json", work / "again.json", cwd=work, allowed=(1,))
            expect(f"{verb}: it shows {one['signature']}", one["signature"] in again.stdout, True)
        # All that it saved, now that the target is as it should be.
        lanediff("check", folder / "findings", "--target", "emulator", "--json", work / "mended.json", cwd=work)
        (work / "mended.json").write_text((work / "mended.json").read_text().replace('"emulator"', f'"{target}"'))
        add(campaign, [work / "mended.json"], ["--date", date(2)], work)
        listed = lanediff("campaign", "list", "--campaign", campaign, cwd=work).stdout
        expect(f"{verb}: fixed by a check", listed.startswith(f"{len(found)} fixed; "), True)
        print(f"saved cases of {verb}: {len(found)} kept, shown again, and fixed by a check")


def check_orders(all_folders, wanted, work):
    for number in range(3):
        rng = random.Random(number)
        shuffled = all_folders[:]
        rng.shuffle(shuffled)
        campaign = work / f"order-{number}"
        while shuffled:
            folder, options = shuffled.pop()
            files = sorted(folder.glob("sweep.*-of-*.json"))
            if files and number > 0:  # shard by shard, in disorder
                rng.shuffle(files)
                for file in files:
                    add(campaign, [file], options, work)
            else:
                # Folders with equal options may be added together.
                more = [one for one in shuffled if one[1] == options and number == 2]
                shuffled = [one for one in shuffled if one not in more]
                add(campaign, [folder, *(one[0] for one in more)], options, work)
            if rng.random() < 0.2:
                add(campaign, [folder], options, work)  # twice is once
        to = work / f"report-{number}"
        to.mkdir()
        expect(f"bytes in order {number}", report(campaign, to) == wanted, True)
    print("orders: 3 orders and groupings give the same bytes")


KILLS = 40


def check_kills(all_folders, wanted, work):
    campaign, rng, kills, rounds, longest = work / "killed", random.Random(17), 0, 0, {}
    while rounds < 400:
        rounds += 1
        whole = True
        for options in sorted({tuple(options) for _, options in all_folders}):
            folders = [folder for folder, of in all_folders if tuple(of) == options]
            began = time.monotonic()
            child = subprocess.Popen([LANEDIFF, "campaign", "add", *folders, *options, "--campaign", campaign], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                # The first round measures the duration.
                child.wait(rng.uniform(0, longest[options]) if options in longest and kills < KILLS else 60)
                longest.setdefault(options, time.monotonic() - began)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
                kills += 1
                whole = False
        if (campaign / "campaign.db").exists():
            with sqlite3.connect(campaign / "campaign.db") as database:
                expect("integrity after a kill", database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
                expect("foreign keys after a kill", database.execute("PRAGMA foreign_key_check").fetchall(), [])
            database.close()
        if kills >= KILLS and whole:
            break
        if whole:
            shutil.rmtree(campaign)
    expect("kills", kills >= KILLS, True)
    to = work / "report-killed"
    to.mkdir()
    expect("bytes after kills", report(campaign, to) == wanted, True)
    print(f"kills: {kills} in {rounds} rounds, then the same bytes")
