"""A list and its journal: what does not belong together, a journal that is deleted or moved, audit."""

import csv
import os
import random
import sqlite3
import subprocess
import time

from series import TEMPLATE, jobs, addresses, finish, link, holding, Boards, start
from support import LIMIT, check, expect, expect_equal, json_object, nfcprog


@check("what cannot be: a changed list, a read-only journal, another file, a journal of the future, a full disk")
def impossible(folder):
    table, journal = folder / "jobs.csv", folder / "journal"
    table.write_text("code\nA\nB\nC\n")
    words = ["provision", table, "--template", TEMPLATE, "--journal", journal]
    reader = ["--reader", f"sim:ntag213*5,save={folder / 'tags'}"]
    # A rehearsal is no use of the list; tags on a board are.
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", folder / "rehearsal", "--reader", "sim:ntag213*5")
    expect(not (folder / "jobs.csv.nfcprog").exists(), "a rehearsal marks the list")
    with Boards(folder, 1, "ntag213*5") as boards:
        nfcprog(*words, *boards.options())
    expect((folder / "jobs.csv.nfcprog").exists(), "the list is not marked")
    table.write_text("code\nA\nX\nC\n")
    outcome = nfcprog(*words, *reader, status=65)
    expect("was “B”, is “X”" in outcome.errors, str(outcome))
    table.write_text("code\nA\nB\nC\nD\n")
    nfcprog(*words, *reader, status=65)
    nfcprog(*words, "--extend", *reader)
    outcome = nfcprog("provision", table, "--mime", "a/b=@/none", "--journal", folder / "files", *reader, status=66)
    expect_equal(outcome.errors.count("/none cannot be read"), 1, str(outcome))
    nfcprog("provision", table, "--mime", "a/b=@/dev/zero", "--journal", folder / "files", *reader, status=65)
    other = folder / "other"
    other.write_text("not a journal, and long enough to be looked at" * 20)
    before = other.read_bytes()
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", other, *reader, status=65)
    expect_equal(other.read_bytes(), before, "another file")
    later = folder / "later"
    # The list has a journal: another one is the operator's word.
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", later, "--reader", "sim:ntag213*9", status=65)
    nfcprog(
        "provision", table, "--template", TEMPLATE, "--journal", later, "--start-over", "--reader", "sim:ntag213*9")
    with sqlite3.connect(later) as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('999')")
    outcome = nfcprog("provision", table, "--template", TEMPLATE, "--journal", later, *reader, status=65)
    expect("later version" in outcome.errors, str(outcome))
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", folder / "none" / "journal", *reader, status=73)
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", "/dev/full", *reader, status=73)


@check("a tag is told from its journal: as written, changed, copied, unknown")
def audited(folder):
    nfcprog(
        "provision", *jobs(2), "--journal", folder / "journal", "--operator", "Ada",
        "--reader", f"sim:ntag213*3,save={folder / 'tags'}")
    tag = sorted((folder / "tags").iterdir())[0]
    reader = f"sim:ntag213,file={tag}"
    seen = json_object(nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", reader))
    expect_equal((seen["state"], seen["uri"], seen["operator"]), ("agrees", link(tag), "Ada"), str(seen))
    nfcprog("write-url", "https://example.org/", "--reader", reader)
    seen = json_object(nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", reader, status=76))
    expect_equal((seen["state"], seen["job"]["name"]), ("differs", seen["job"]["name"]), str(seen))
    copy = f"sim:ntag213,uid=04aabbccddeeff,file={folder / 'copy.tag'}"
    nfcprog("audit", "--journal", folder / "journal", "--reader", copy, status=65)
    nfcprog("write-url", f"https://example.com/t/{seen['job']['name']}", "--reader", copy)
    seen = json_object(nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", copy, status=76))
    expect_equal(seen["state"], "copy", str(seen))


def remove_journal(folder):
    for path in folder.glob("journal*"):
        path.unlink()


@check("a journal that is deleted during a run ends it with 73, and no later run puts a code on a second tag")
def deleted_journal(folder):
    table = folder / "jobs.csv"
    table.write_text("code\n" + "".join(f"{number:04}\n" for number in range(1, 41)))
    words = [table, "--template", TEMPLATE, "--journal", folder / "journal", "--label", folder / "labels.csv"]
    with Boards(folder, 1, "ntag213*40,pace=real") as boards:
        process = start(*words, *boards.options())
        expect("PASS" in process.stdout.readline(), "no tag passed")
        remove_journal(folder)
        rest = process.communicate(timeout=LIMIT)[0]
    expect_equal(process.returncode, 73, rest)
    expect("deleted or moved" in rest and "The requested number of tags is done" not in rest, rest)
    begun = holding(folder / "tags")
    expect(0 < len(begun) < 40, f"{len(begun)} tags")
    fresh = ["--reader", f"sim:ntag213*50,seed=2,save={folder / 'tags'}"]
    # The label file, the marker beside the list, and the tags: each alone is enough.
    outcome = nfcprog("provision", *words, *fresh, status=65)
    expect("--start-over" in outcome.errors, str(outcome))
    remove_journal(folder)
    (folder / "labels.csv").rename(folder / "labels.old")
    nfcprog("provision", *words, *fresh, status=65)
    remove_journal(folder)
    (folder / "labels.csv").unlink(missing_ok=True)
    marker = folder / "jobs.csv.nfcprog"
    expect(marker.exists(), "no marker beside the list")
    marker.unlink()
    tag = sorted(path for path in (folder / "tags").glob("*.tag") if link(path))[0]
    outcome = nfcprog("provision", *words, "--reader", f"sim:ntag213,file={tag}", "--timeout", "5", status=65)
    expect("another journal" in outcome.errors and "--start-over" in outcome.errors, str(outcome))
    expect_equal(holding(folder / "tags"), begun, "tags")


@check("a list that has a journal is known without --lock and with another --tag, too; not with another message or other rows")
def other_options(folder):
    table = folder / "jobs.csv"
    table.write_text("code\nA\nB\n")
    words = ["provision", table, "--template", TEMPLATE]
    reader = ["--reader", "sim:ntag213*2"]
    with Boards(folder, 1, "ntag213*2") as boards:
        nfcprog(*words, "--lock", "--journal", folder / "one", *boards.options())
    for number, more in enumerate([[], ["--tag", "ntag213"], ["--tag", "ntag213", "--lock"]]):
        outcome = nfcprog(*words, *more, "--journal", folder / f"new{number}", *reader, status=65)
        expect(str(folder / "one") in outcome.errors and "--start-over" in outcome.errors, str(outcome))
    other = ["provision", table, "--template", "https://example.com/other/{code}"]
    nfcprog(*other, "--journal", folder / "other", *reader)
    table.write_text("code\nC\nD\n")
    nfcprog(*words, "--journal", folder / "rows", *reader)


@check(
    "provision killed with the labels moved: every code once, a row for each, and what is reserved keeps its day", alone=True)
def killed_and_moved(folder):
    random.seed(20261122)
    kills = int(os.environ.get("NFCPROG_KILLS", "4"))
    count = max(30, 10 * kills)
    template = "https://example.com/t/{code}?d={date}"
    words = ["--range", f"0001..{count:04}", "--template", template, "--journal", folder / "journal",
             "--label", folder / "labels.csv", "--lock", "--timeout", "20"]
    moved = 0
    with Boards(folder, 2, f"ntag213*{count},bad=5%,pace=real") as boards:
        for kill in range(kills):
            process = start(*words, *boards.options())
            try:
                process.communicate(timeout=random.uniform(0.6, 2.0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            # The day is kept with the reservation, so that a run after midnight finishes what was begun before.
            with sqlite3.connect(folder / "journal") as journal:
                for number, day in journal.execute("SELECT number, day FROM job WHERE state = 'reserved'").fetchall():
                    expect(day, f"job {number} has no day")
            if (folder / "labels.csv").exists() and kill % 2:
                (folder / "labels.csv").rename(folder / f"labels.{kill}")
                moved += 1
        finish(folder, words, boards.options(), LIMIT + 2 * count)
    found = holding(folder / "tags")
    codes = [address.split("?")[0] for address in found]
    expect_equal(sorted(codes), sorted(addresses(count)), "codes")
    expect(all(len(tags) == 1 for tags in found.values()), f"{found}")
    nfcprog("journal", "verify", folder / "journal")
    rows = []
    for path in folder.glob("labels.*"):
        rows += list(csv.DictReader(open(path, newline="")))
    expect_equal({row["uri"] for row in rows}, set(found), "label rows")
    expect(moved > 0, "no label file was moved")


@check("a label file that is a device without an end is refused with 73")
def endless_labels(folder):
    for device in ("/dev/full", "/dev/zero"):
        outcome = nfcprog(
            "provision", *jobs(1), "--journal", folder / "journal", "--label", device, "--reader", "sim:ntag213",
            status=73)
        expect("not a file" in outcome.errors, str(outcome))


@check("a long list is looked through once: the same command starts at once the next time", alone=True)
def known_list(folder):
    table = folder / "jobs.csv"
    count = 30_000
    table.write_text("code\n" + "".join(f"C{number:06}\n" for number in range(count)))
    words = ["provision", table, "--template", TEMPLATE, "--journal", folder / "journal", "--timeout", "0"]
    began = time.monotonic()
    nfcprog(*words, "--reader", "sim:ntag213", "--count", "1")
    first = time.monotonic() - began
    began = time.monotonic()
    nfcprog(*words, "--reader", "sim:ntag213,uid=04112233445566", "--count", "1")
    second = time.monotonic() - began
    expect(second < first / 2, f"{first:.2f} s, then {second:.2f} s")
    # Another byte, and it is looked through again.
    table.write_text(table.read_text().replace("C029999", "C029998"))
    outcome = nfcprog(*words, "--reader", "sim:ntag213", status=65)
    expect("is the code of line" in outcome.errors, str(outcome))
