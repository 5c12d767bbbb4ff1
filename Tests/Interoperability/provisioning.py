"""provision and audit: every job on one tag at several boards, killed, interrupted, unplugged, on one journal together."""

import csv
import json
import os
import random
import signal
import sqlite3
import subprocess
import time

from support import (
    LIMIT, Difference, binary, check, expect, expect_equal, json_object, memory, nfcprog)

TEMPLATE = "https://example.com/t/{code}"


def jobs(count):
    return ["--range", f"1..{count}", "--width", "4", "--template", TEMPLATE]


def addresses(count):
    return {f"https://example.com/t/{number:04}" for number in range(1, count + 1)}


def link(path):
    """The link on the NTAG in the file at `path`, read here; None without one."""
    data = memory(path)
    if data[12] != 0xE1:
        return None
    place = 16
    while place < len(data) and data[place] != 0xFE:
        kind, length = data[place], data[place + 1]
        if kind == 0x03:
            value = data[place + 2 : place + 2 + length]
            return "https://" + value[5:].decode() if value[:1] == b"\xd1" else None
        place += 2 + length
    return None


def holding(folder):
    """Which tags hold which link: {link: [UID, …]}."""
    found = {}
    for path in sorted(folder.glob("*.tag")):
        address = link(path)
        if address:
            found.setdefault(address, []).append(path.stem)
    return found


def expect_agreement(folder, count, labels=None):
    """Every job is on exactly one tag, and the journal and the labels say which."""
    found = holding(folder / "tags")
    expect_equal(set(found), addresses(count), "codes on tags")
    doubled = {address: tags for address, tags in found.items() if len(tags) > 1}
    expect(not doubled, f"on more than one tag: {doubled}")
    nfcprog("journal", "verify", folder / "journal")
    with sqlite3.connect(folder / "journal") as journal:
        written = dict(journal.execute("SELECT uri, lower(hex(uid)) FROM job WHERE state = 'written'"))
    expect_equal(written, {address: tags[0] for address, tags in found.items()}, "journal")
    if labels:
        rows = list(csv.DictReader(open(labels, newline="")))
        expect_equal(len(rows), count, "rows of labels")
        expect_equal({row["uri"]: row["uid"] for row in rows}, written, "labels")


class Boards:
    """Boards of their own processes, whose tags outlive whoever works with them."""

    def __init__(self, folder, count, reel):
        self.folder, self.links, self.processes = folder, [], []
        for number in range(count):
            self.links.append(folder / f"board{number}")
            self.processes.append(self.start(number, reel))

    def start(self, number, reel):
        process = subprocess.Popen(
            [binary(), "simulate", f"{reel},save={self.folder / 'tags'},seed={number}",
             "--link", str(self.links[number])],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        if not process.stdout.readline():
            raise Difference("a board did not start")
        return process

    def options(self):
        return [word for link in self.links for word in ("--reader", f"pn532_uart:{link}")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.wait(LIMIT)


def start(*words, hangup=signal.SIG_DFL):
    """Starts provision, with SIGHUP as a terminal leaves it, whatever these checks were started by."""
    variables = {name: value for name, value in os.environ.items() if name != "NFCPROG_READER"}
    variables["SWIFT_BACKTRACE"] = "enable=no"
    return subprocess.Popen(
        [binary(), "provision", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env=variables,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup))


@check("provision at four readers with bad and wrong tags: every code on one tag, journal and labels agree")
def four_readers(folder):
    readers = []
    for _ in range(4):
        readers += ["--reader", f"sim:ntag213*40,bad=5%,wrong=5%,save={folder / 'tags'}"]
    outcome = nfcprog(
        "provision", *jobs(80), "--tag", "ntag213", "--journal", folder / "journal", "--label",
        folder / "labels.csv", "--json", *readers)
    expect_agreement(folder, 80, folder / "labels.csv")
    objects = [json.loads(line) for line in outcome.output.splitlines()]
    summary = objects[-1]
    expect_equal((summary["event"], summary["passed"], summary["ending"]), ("summary", 80, "complete"), "summary")
    passed = [item for item in objects if item.get("verdict") == "passed"]
    expect_equal({item["uri"] for item in passed}, addresses(80), "JSON")
    expect(all(item["verified"] and item["result"] == "written" for item in passed), "verified")
    expect_equal({item["station"] for item in passed}, {1, 2, 3, 4}, "stations")
    # Nothing is left to do, and no reader is needed to say so.
    nfcprog("provision", *jobs(80), "--tag", "ntag213", "--journal", folder / "journal", "--reader", "sim:ntag213")


@check("provision killed at random instants: the next run goes on, no code is lost and none is on two tags")
def killed(folder):
    random.seed(20261121)
    # NFCPROG_KILLS=200 is the whole proof: about ten minutes.
    kills = int(os.environ.get("NFCPROG_KILLS", "6"))
    count = max(40, 12 * kills)
    words = [*jobs(count), "--journal", folder / "journal", "--label", folder / "labels.csv", "--timeout", "20"]
    with Boards(folder, 2, f"ntag213*{count},bad=5%,pace=real") as boards:
        for _ in range(kills):
            process = start(*words, *boards.options())
            try:
                process.communicate(timeout=random.uniform(0.5, 2.5))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
        nfcprog("provision", *words, *boards.options(), limit=LIMIT + count)
    expect_agreement(folder, count, folder / "labels.csv")


@check("two processes share a journal: together they do every job once")
def together(folder):
    words = [*jobs(40), "--journal", folder / "journal", "--label", folder / "labels.csv", "--timeout", "3"]
    processes = [
        start(*words, "--reader", f"sim:ntag213*60,bad=5%,save={folder / 'tags'},seed={seed},pace=real")
        for seed in (1, 2)]
    outputs = [process.communicate(timeout=LIMIT)[0] for process in processes]
    expect_equal([process.returncode for process in processes], [0, 0], "\n".join(outputs))
    expect_agreement(folder, 40, folder / "labels.csv")
    expect(all("PASS" in output for output in outputs), "one of them did nothing")


for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):

    @check(f"provision ends at {number.name} with a summary and 130, and the same command goes on")
    def interrupted(folder, number=number):
        words = [*jobs(12), "--journal", folder / "journal"]
        words += ["--reader", f"sim:ntag213*20,save={folder / 'tags'},pace=real"]
        process = start(*words)
        line = process.stdout.readline()
        expect("PASS" in line, line)
        process.send_signal(number)
        rest = process.communicate(timeout=LIMIT)[0]
        expect_equal(process.returncode, 130, rest)
        expect("passed" in rest and "the same command goes on" in rest, rest)
        nfcprog("provision", *words)
        expect_agreement(folder, 12)


@check("provision under nohup goes on when its terminal is closed")
def nohup(folder):
    process = start(
        *jobs(6), "--journal", folder / "journal", "--reader", f"sim:ntag213*6,save={folder / 'tags'},pace=real",
        hangup=signal.SIG_IGN)
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    rest = process.communicate(timeout=LIMIT)[0]
    expect_equal(process.returncode, 0, rest)
    expect_agreement(folder, 6)


@check("a board that is unplugged in the middle of a run is taken up again; the other station goes on")
def unplugged(folder):
    with Boards(folder, 2, "ntag213*40,pace=real") as boards:
        process = start(*jobs(60), "--journal", folder / "journal", "--timeout", "20", *boards.options())
        seen = [process.stdout.readline() for _ in range(3)]
        boards.processes[0].kill()
        boards.processes[0].wait()
        while "READER AWAY" not in seen[-1]:
            seen.append(process.stdout.readline())
            expect(seen[-1], "".join(seen))
        others = [process.stdout.readline() for _ in range(3)]
        expect(any("station 2: PASS" in line for line in others), "".join(others))
        boards.processes[0] = boards.start(0, "ntag213*40,pace=real")
        rest = process.communicate(timeout=LIMIT)[0]
        expect_equal(process.returncode, 0, rest)
        expect("station 1: READER BACK" in "".join(others) + rest, rest)
    expect_agreement(folder, 60)


@check("what cannot be: a changed list, a read-only journal, another file, a journal of the future, a full disk")
def impossible(folder):
    table, journal = folder / "jobs.csv", folder / "journal"
    table.write_text("code\nA\nB\nC\n")
    words = ["provision", table, "--template", TEMPLATE, "--journal", journal]
    reader = ["--reader", f"sim:ntag213*5,save={folder / 'tags'}"]
    nfcprog(*words, *reader)
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
    nfcprog("provision", table, "--template", TEMPLATE, "--journal", later, "--reader", "sim:ntag213*9")
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


@check("--on-result is run for every tag with what became of it, and not for ever")
def results(folder):
    table = folder / "jobs.csv"
    table.write_text('code,serial no\nA,"1 ""2"""\nB,3\n')
    log = folder / "log"
    command = f'printf "%s|%s|%s|%s\\n" "$NFCPROG_RESULT" "$NFCPROG_NAME" "$NFCPROG_URL" "$NFCPROG_COLUMN_SERIAL_NO" >> {log}'
    nfcprog(
        "provision", table, "--template", TEMPLATE, "--reader", "sim:ntag213*3,bad=34%", "--on-result", command)
    lines = sorted(log.read_text().splitlines())
    expect_equal(
        [line for line in lines if line.startswith("passed")],
        ['passed|A|https://example.com/t/A|1 "2"', "passed|B|https://example.com/t/B|3"], "log")
    expect(any(line.startswith("failed") for line in lines), str(lines))
    began = time.monotonic()
    outcome = nfcprog(
        "provision", *jobs(2), "--reader", "sim:ntag213*2", "--on-result", "sleep 100",
        "--on-result-timeout", "0.5")
    expect("took too long" in outcome.errors, str(outcome))
    expect(time.monotonic() - began < 30, "it was waited for")
