"""Lists whose rows are for single tags: each on its own, whoever is killed and whatever lies there, by the tags' memories."""

import csv
import json
import os
import random
import subprocess

from pool_benches import variables
from pool_benches import start as start_bench
from postgres import Database
from series import TEMPLATE, Boards, finish, link, start
from support import LIMIT, check, expect, expect_equal, json_object, memory, nfcprog

# NFCPROG_KILLS=200 is the whole proof.
KILLS = int(os.environ.get("NFCPROG_KILLS", "5"))


def delivered(folder, boards, count):
    """The UIDs of the tags that each board lays down, found out by reading them."""
    uids = []
    for number in range(boards):
        file = folder / f"reel{number}.csv"
        nfcprog("collect", "--csv", file, "--timeout", "5", "--count", str(count), "--reader", f"sim:ntag213*{count},seed={number}")
        uids.append([row["uid"] for row in csv.DictReader(open(file, newline=""))])
    return uids


def write(table, uids, randomly):
    """A list with a row for each, in no order, each UID in another way of writing; {UID: its link}."""
    rows = [(f"{number:04}", uid) for number, uid in enumerate(uids, 1)]
    randomly.shuffle(rows)
    ways = [str, str.upper, lambda uid: ":".join(uid[at : at + 2] for at in range(0, len(uid), 2)), lambda uid: "0x" + uid]
    with open(table, "w", newline="") as file:
        csv.writer(file).writerows([("code", "uid"), *((code, ways[at % len(ways)](uid)) for at, (code, uid) in enumerate(rows))])
    return {uid: f"https://example.com/t/{code}" for code, uid in rows}


def on_tags(folder):
    return {path.stem: link(path) for path in (folder / "tags").glob("*.tag") if link(path)}


@check("rows for single tags, killed at random instants: each is on its own tag and no tag without a row is touched", alone=True)
def killed(folder):
    randomly = random.Random(42)
    count = max(24, 8 * KILLS)
    reels = delivered(folder, 2, count)
    # Every sixth tag is in no row.
    listed = [uid for reel in reels for at, uid in enumerate(reel) if at % 6]
    wanted = write(folder / "jobs.csv", listed, randomly)
    words = [folder / "jobs.csv", "--template", TEMPLATE, "--journal", folder / "journal", "--timeout", "20", "--match", "uid"]
    with Boards(folder, 2, f"ntag213*{count},pace=real") as boards:
        for _ in range(KILLS):
            process = start(*words, *boards.options())
            try:
                process.communicate(timeout=randomly.uniform(0.5, 2.5))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            expect(all(wanted.get(uid) == address for uid, address in on_tags(folder).items()), "a row on another tag")
        finish(folder, words, boards.options(), LIMIT + count)
    expect_equal(on_tags(folder), wanted, "rows on tags")
    nfcprog("journal", "verify", folder / "journal")


@check("two benches of a pool share rows for single tags: whichever tag comes where, it gets its own row")
def pooled(folder):
    randomly = random.Random(43)
    reels = delivered(folder, 2, 12)
    wanted = write(folder / "jobs.csv", [uid for reel in reels for uid in reel[:10]], randomly)
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", environment=variables(folder, 0))
        words = [folder / "jobs.csv", "--template", TEMPLATE, "--journal", database.address("A"), "--timeout", "10"]
        benches = [
            start_bench(folder, bench, [*words, "--reader", f"sim:ntag213*12,seed={bench},pace=real,save={folder / 'tags'}"])
            for bench in range(2)]
        outputs = [bench.communicate(timeout=LIMIT)[0] for bench in benches]
        expect_equal([bench.returncode for bench in benches], [0, 0], "\n".join(outputs))
        expect_equal(on_tags(folder), wanted, "rows on tags")
        rows = database.sql("SELECT encode(uid, 'hex') || ' ' || uri FROM nfcprog.job WHERE state = 'written'")
        expect_equal(dict(row.split() for row in rows.splitlines()), wanted, "the pool")


@check("a list of rows for single tags: what is refused before the first tag, a dry run, and tags that it does not name")
def refusals(folder):
    table = folder / "jobs.csv"
    template = ["--template", TEMPLATE]
    for rows, sentence in [
        ("A,04E12345678901\nB,04:e1:23:45:67:89:01\n", "line 3, column uid: 04:E1:23:45:67:89:01 is the tag of line 2 too"),
        ("A,04E1234567890\n", "line 2, column uid"), ("A,somebody\n", "line 2, column uid"), ("A,\n", "line 2, column uid: It is empty"),
        ("A,08123456\n", "line 2, column uid: 08:12:34:56 is a random UID"), ("A,4.12346E+12\n", "line 2, column uid"),
    ]:
        table.write_text("code,uid\n" + rows)
        refused = nfcprog("provision", table, *template, "--dry-run", status=65)
        expect(sentence in refused.errors, str(refused))
    table.write_text("code\nA\n")
    expect("no column uid" in nfcprog("provision", table, *template, "--match", "uid", "--dry-run", status=64).errors, "--match uid")
    table.write_text("code,old-password\nA,C0FFEE01\n")
    refused = nfcprog("provision", table, *template, "--dry-run", status=65)
    expect("needs a column uid" in refused.errors and "C0FFEE" not in refused.errors, str(refused))
    # Tags with the supplier's passwords: what lies there decides.
    uids = delivered(folder, 1, 3)[0]
    tags = [folder / f"{uid}.txt" for uid in uids]
    readers = [f"sim:ntag213,uid={uid},file={tag}" for uid, tag in zip(uids, tags)]
    for number, reader in enumerate(readers):
        nfcprog("protect", "--set-password", f"A0B0C0{number:02}", "--reader", reader)
    table.write_text(
        "code,uid,old-password,password\n" + "".join(f"C{at},{uids[at]},A0B0C0{at:02},D0E0F0{at:02}\n" for at in (1, 0)))
    words = ["provision", table, *template, "--timeout", "1", "--trace", folder / "trace", "--force"]
    planned = nfcprog(*words, "--dry-run", "--reader", readers[0])
    expect("https://example.com/t/C0" in planned.output or "C0" in planned.output or "write" in planned.output, str(planned))
    expect("none for this UID" in nfcprog(*words, "--dry-run", "--reader", readers[2], status=77).errors, "a dry run of a stranger")
    before = memory(tags[2])
    words += ["--journal", folder / "journal"]
    left = nfcprog(*words, "--json", "--reader", readers[2], status=77)
    tag = next(item for item in map(json.loads, left.output.splitlines()) if item.get("event") == "tag")
    expect_equal((tag["cause"], tag["bin"], tag["verdict"]), ("not-listed", "aside", "left"), "a tag without a row")
    expect_equal(memory(tags[2]), before, "a tag without a row")
    said = []
    for number in (0, 1):
        done = nfcprog(*words, "--verbose", "--reader", readers[number], status=0 if number else 75)
        said.append(done.output + done.errors + (folder / "trace").read_text())
        expect_equal(link(tags[number]), f"https://example.com/t/C{number}", "its row")
    found = json_object(nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", readers[1]))
    expect_equal(found["job"]["name"], "C1", "audit")
    for number in (0, 1):
        nfcprog("unprotect", "--password", f"D0E0F0{number:02}", "--reader", readers[number])
    found = json_object(nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", readers[1], status=76))
    expect_equal(found["job"]["name"], "C1", "audit of a tag without its password")
    report = nfcprog("report", "--journal", folder / "journal", "--csv", folder / "report.csv", "--html", folder / "page.html")
    expect("not-listed" in report.output, str(report))
    for text in [*said, report.output, (folder / "report.csv").read_text(), (folder / "page.html").read_text(),
                 (folder / "journal").read_bytes().decode("latin-1")]:
        for secret in ("A0B0C0", "D0E0F0"):
            expect(secret not in text.upper() and bytes.fromhex(secret).decode("latin-1") not in text, f"{secret} in {text[:300]}")
