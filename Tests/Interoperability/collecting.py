"""Tags that are only read: what collect names, the list that it makes, held to the tags' memories."""

import csv
import json
import os
import random
import signal
import subprocess
import time

from series import jobs, link
from support import LIMIT, binary, check, expect, expect_equal, memory, nfcprog, program


def reel(tags):
    """A reader on which tags of files are laid down, one after the other."""
    return ["--reader", "sim:" + ",then=".join(f"ntag213,file={tag}" for tag in tags)]


def written(folder, count):
    """Tags with a series on them: their files, and what each holds, read here."""
    nfcprog(
        "provision", *jobs(count), "--journal", folder / "journal", "--reader", f"sim:ntag213*{count},save={folder / 'tags'}",
        limit=LIMIT + count)
    tags = sorted((folder / "tags").glob("*.tag"))
    expect_equal(len(tags), count, "tags")
    return tags, {tag.stem: link(tag) for tag in tags}


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def documents(outcome):
    return [json.loads(line) for line in outcome.output.splitlines()]


@check("collect: the list has what the tags' memories hold, names doubles, and is a list for provision")
def listed(folder):
    tags, held = written(folder, 12)
    before = [tag.read_bytes() for tag in tags]
    order = [*random.Random(7).sample(tags, 12), tags[3], tags[7], tags[3]]
    outcome = nfcprog(
        "collect", "--csv", folder / "tags.csv", "--json", "--timeout", "1", *reel(order), status=76)
    found = rows(folder / "tags.csv")
    expect_equal({row["uid"]: row["url"] for row in found}, held, "rows")
    expect_equal(len(found), 12, "rows")
    for row in found:
        bytes_ = bytes.fromhex(row["message"])
        expect(bytes_ in memory(folder / "tags" / f"{row['uid']}.tag"), f"{row['uid']} does not hold {row['message']}")
        expect_equal((row["tag"], row["content"], row["status"]), ("ntag213", "message", "readWrite"), row["uid"])
    expect_equal([tag.read_bytes() for tag in tags], before, "the tags' files")
    seen = documents(outcome)
    doubles = sorted(one["uid"] for one in seen if one.get("cause") == "double")
    expect_equal(doubles, sorted([tags[3].stem, tags[3].stem, tags[7].stem]), "doubles")
    summary = seen[-1]
    expect_equal((summary["event"], summary["passed"], summary["failed"]), ("summary", 12, 3), str(summary))
    expect_equal(sorted(summary["faults"]["double"]), doubles, "the summary's doubles")
    # What info says of a tag is said here, word for word.
    one = next(one for one in seen if one.get("uid") == tags[0].stem)
    alone = json.loads(nfcprog("info", "--count", "--json", *reel(tags[:1])).output)
    for name in ("tag", "records", "content", "ndefStatus", "capacity", "length", "details"):
        expect_equal(one[name], alone[name], name)
    # Each row is for the tag that it was read from, in whatever order they come.
    nfcprog(
        "provision", folder / "tags.csv", "--template", "https://example.com/n/{counter:3}", "--overwrite",
        "--journal", folder / "again", *reel(random.Random(8).sample(tags, 12)))
    expect_equal(
        [link(folder / "tags" / f"{row['uid']}.tag") for row in found],
        [f"https://example.com/n/{number:03}" for number in range(1, 13)], "the rows' own tags")


@check("collect: of a reel of which one tag in a hundred lies there twice each of these is named", alone=True)
def doubles(folder):
    # NFCPROG_REEL=10000 is the whole proof.
    count = int(os.environ.get("NFCPROG_REEL", "100"))
    tags, held = written(folder, count)
    chance = random.Random(20261127)
    twice = chance.sample(tags, count // 100)
    order = [*tags, *twice]
    chance.shuffle(order)
    # At some readers at once; the system takes no longer name of one.
    readers = [word for start in range(0, len(order), 1000) for word in reel(order[start:start + 1000])]
    outcome = program(
        binary(), "collect", "--csv", folder / "tags.csv", "--json", "--timeout", "2", *readers, limit=LIMIT + count)
    expect_equal(outcome.status, 76, outcome.errors[-2000:])
    seen = documents(outcome)
    wanted = sorted(tag.stem for tag in twice)
    expect_equal(sorted(one["uid"] for one in seen if one.get("cause") == "double"), wanted, "doubles")
    expect_equal(sorted(seen[-1]["faults"]["double"]), wanted, "the summary's doubles")
    expect_equal((seen[-1]["passed"], seen[-1]["failed"]), (count, len(twice)), str(seen[-1]))
    expect_equal({row["uid"]: row["url"] for row in rows(folder / "tags.csv")}, held, "rows")


@check("collect --dry-run reads and judges the same tags, and makes no file")
def rehearsed(folder):
    tags, _ = written(folder, 3)
    words = ["collect", "--csv", folder / "tags.csv", "--json", "--timeout", "1", *reel([*tags, tags[0]])]
    planned = documents(nfcprog(*words, "--dry-run", status=76))
    expect(not (folder / "tags.csv").exists(), "a file")
    outcome = documents(nfcprog(*words, status=76))
    seen = [[(one.get("uid"), one.get("verdict"), one.get("cause")) for one in run] for run in (planned, outcome)]
    expect_equal(*seen, "what was found")
    before = (folder / "tags.csv").read_bytes()
    nfcprog(*words, "--dry-run", status=76)
    expect_equal((folder / "tags.csv").read_bytes(), before, "the file that was there")


@check("collect: the file continues, also after a kill at any moment, and another file stays as it is")
def continued(folder):
    tags, held = written(folder, 20)
    file = folder / "tags.csv"
    words = ["collect", "--csv", file, "--timeout", "1"]
    nfcprog(*words, *reel(tags[:5]))
    first = file.read_bytes()
    nfcprog(*words, *reel(tags[4:8]), status=76)
    expect(file.read_bytes().startswith(first), "the rows of the first run")
    expect_equal([row["uid"] for row in rows(file)], [tag.stem for tag in tags[:8]], "rows")
    for number in range(12):
        part = folder / f"killed{number}.csv"
        process = subprocess.Popen(
            [binary(), "collect", "--csv", str(part), *map(str, reel(tags))], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        time.sleep(0.05 + 0.06 * number)
        process.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
        process.wait(LIMIT)
        if part.exists():
            text = part.read_text()
            expect(not text or text.endswith("\n"), f"half a row after {number}: {text[-80:]}")
            expect(all(held[row["uid"]] == row["url"] for row in rows(part)), f"rows after {number}")
            there = len(rows(part))
        else:
            there = 0
        nfcprog("collect", "--csv", part, "--timeout", "1", *reel(tags), status=76 if there else 0)
        expect_equal(sorted(row["uid"] for row in rows(part)), sorted(held), f"rows in the end, {number}")
    # A row that a power cut has left half of goes.
    file.write_bytes(file.read_bytes() + b"04aabb,ntag")
    outcome = nfcprog(*words, *reel(tags[8:]))
    expect("an incomplete row was removed" in outcome.errors, str(outcome))
    expect_equal(sorted(row["uid"] for row in rows(file)), sorted(held), "rows in the end")
    other = folder / "other.csv"
    other.write_text("uid,mine\n1,2\n")
    nfcprog("collect", "--csv", other, *reel(tags[:1]), status=73)
    expect_equal(other.read_text(), "uid,mine\n1,2\n", "another file")
    # A quote by hand takes no rows away, and a missing line feed at the end no row.
    edited = folder / "edited.csv"
    lines = first.splitlines(keepends=True)
    stray = b"".join([*lines[:3], b'"' + lines[3], *lines[4:]])
    edited.write_bytes(stray)
    nfcprog("collect", "--csv", edited, *reel(tags[5:6]), status=73)
    expect_equal(edited.read_bytes(), stray, "an edited file")
    edited.write_bytes(first.rstrip(b"\n"))
    nfcprog("collect", "--csv", edited, "--timeout", "1", *reel(tags[5:6]))
    expect_equal([row["uid"] for row in rows(edited)], [tag.stem for tag in tags[:6]], "rows behind an edited one")
    nfcprog("collect", "--csv", folder / "none" / "tags.csv", *reel(tags[:1]), status=73)
    nfcprog("collect", "--csv", "/dev/full", *reel(tags[:1]), status=73)
    nfcprog("collect", "--csv", "-", *reel(tags[:1]), status=64)


@check("collect --expect: a list of UIDs, of addresses, or a journal: there, missing, changed, not expected")
def expected(folder):
    tags, held = written(folder, 6)
    base = ["collect", "--timeout", "1", "--json"]
    box = folder / "journal"
    nfcprog(*base, "--expect", box, *reel(tags))
    summary = documents(nfcprog(*base, "--expect", box, *reel(tags[:4]), status=75))[-1]
    expect_equal(len(summary["missing"]), 2, str(summary))
    expect_equal(summary["expected"], 6, str(summary))
    uids = folder / "uids.txt"
    uids.write_text("".join(f"{tag.stem}\n" for tag in tags[1:]))
    seen = documents(nfcprog(*base, "--expect", uids, *reel(tags), status=65))
    expect_equal([one["uid"] for one in seen if one.get("cause") == "unknown"], [tags[0].stem], "not expected")
    links = folder / "links.csv"
    links.write_text("url\n" + "".join(f"{address}\n" for address in held.values()))
    nfcprog(*base, "--expect", links, *reel(tags))
    # A tag that was written again, and a copy on another tag.
    nfcprog("write-url", "https://example.com/other", *reel(tags[:1]))
    seen = documents(nfcprog(*base, "--expect", box, *reel(tags), status=76))
    one = next(one for one in seen if one.get("cause") == "changed")
    expect_equal((one["uid"], one["state"], one["verdict"]), (tags[0].stem, "differs", "failed"), str(one))
    # It is named as well where a file has it from before.
    earlier = folder / "earlier.csv"
    nfcprog(*base, "--csv", earlier, *reel(tags[:5]))
    summary = documents(nfcprog(*base, "--csv", earlier, "--expect", box, *reel(tags[5:]), status=76))[-1]
    expect_equal(summary["faults"], {"changed": [tags[0].stem]}, str(summary))
    expect_equal((summary["earlier"], len(summary["missing"])), (5, 0), str(summary))
    copy = folder / "copy.tag"
    nfcprog("write-url", held[tags[1].stem], "--reader", f"sim:ntag213,uid=04112233445566,file={copy}")
    seen = documents(nfcprog(*base, "--expect", box, *reel([*tags[1:], copy]), status=76))
    one = next(one for one in seen if one.get("cause") == "copy")
    expect_equal((one["uid"], one["state"]), ("04112233445566", "copy"), str(one))
    nfcprog(*base, "--expect", folder / "none", *reel(tags), status=66)
    outcome = nfcprog(*base, "--expect", "/dev/null", *reel(tags), status=65)
    expect("is empty" in outcome.errors, str(outcome))


@check("collect: other types, tags without a signature, and hidden ones are named; Ctrl-C ends a run that follows")
def named(folder):
    hidden = folder / "hidden.tag"
    nfcprog("write-url", "https://example.com/t/1", "--set-password", "11223344", "--read-too",
            "--reader", f"sim:ntag213,uid=04AABBCCDDEE80,file={hidden}")
    reader = f"sim:felica-lite-s,then=ntag213,uid=04E10CDA993C80,then=ntag215,then=ntag213,file={hidden}"
    before = hidden.read_bytes()
    outcome = nfcprog(
        "collect", "--tag", "ntag213", "--genuine", "--json", "--timeout", "1", "--csv", folder / "tags.csv",
        "--reader", reader, "--trace", folder / "trace", status=65)
    seen = documents(outcome)
    expect_equal(
        [one.get("cause") for one in seen[:-1]], ["wrong-type", None, "wrong-type", "unread"], str(outcome))
    expect_equal([row["uid"] for row in rows(folder / "tags.csv")], ["04e10cda993c80"], "rows")
    expect_equal(hidden.read_bytes(), before, "the hidden tag")
    expect("11223344" not in (folder / "trace").read_text(), "a password was sent")
    process = subprocess.Popen(
        [binary(), "collect", "--follow", "--timeout", "1", "--json", "--reader", "sim:ntag213"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    expect(json.loads(process.stdout.readline())["verdict"] == "passed", "the first tag")
    time.sleep(2)
    expect(process.poll() is None, "it ended by itself")
    process.send_signal(signal.SIGINT)
    expect_equal(json.loads(process.stdout.readline())["ending"], "interrupted", "ending")
    expect_equal(process.wait(LIMIT), 0, "status")
