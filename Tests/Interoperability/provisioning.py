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



@check("a tag that keeps a UID from 08h on gets its job like any other, and the journal knows it again")
def kept_uid(folder):
    words = ["provision", *jobs(1), "--journal", folder / "journal", "--timeout", "1", "--json",
             "--reader", f"sim:classic1k,uid=08112233,file={folder / 'tag.txt'}"]
    lines = [json.loads(line) for line in nfcprog(*words).output.splitlines()]
    expect_equal([line["uid"] for line in lines if line.get("event") == "tag"], ["08112233"], "tags")
    found = json_object(nfcprog(
        "audit", "--journal", folder / "journal", "--json", "--reader", f"sim:classic1k,uid=08112233,file={folder / 'tag.txt'}"))
    expect_equal(found["uid"], "08112233", "audit")


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


@check("provision killed at random instants: the next run goes on, no code is lost and none is on two tags", alone=True)
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


@check("two processes share a journal: together they do every job once", alone=True)
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
        expect("passed" in rest and "run the same command to continue" in rest, rest)
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


@check("a board that is unplugged in the middle of a run is taken up again; the other station goes on", alone=True)
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


def remove_journal(folder):
    for path in folder.glob("journal*"):
        path.unlink()


@check("a journal that is deleted during a run ends it with 73, and no later run puts a code on a second tag")
def deleted_journal(folder):
    table = folder / "jobs.csv"
    table.write_text("code\n" + "".join(f"{number:04}\n" for number in range(1, 41)))
    words = [table, "--template", TEMPLATE, "--journal", folder / "journal", "--label", folder / "labels.csv"]
    process = start(*words, "--reader", f"sim:ntag213*40,save={folder / 'tags'},pace=real")
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
    expect("another one" in outcome.errors and "--start-over" in outcome.errors, str(outcome))
    expect_equal(holding(folder / "tags"), begun, "tags")


@check(
    "provision killed with the labels moved: every code once, a row for each, and what is reserved keeps its day", alone=True)
def killed_and_moved(folder):
    random.seed(20261122)
    kills = int(os.environ.get("NFCPROG_KILLS", "4"))
    count = max(30, 10 * kills)
    template = "https://example.com/t/{code}?d={date}"
    words = ["--range", f"1..{count}", "--width", "4", "--template", template, "--journal", folder / "journal",
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
        nfcprog("provision", *words, *boards.options(), limit=LIMIT + 2 * count)
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


@check("--on-result takes what became of every good tag at least once, whatever became of the command")
def results_again(folder):
    log, gate = folder / "log", folder / "gate"
    command = f'test -e {gate} || exit 3; echo "$NFCPROG_JOB $NFCPROG_REPEATED" >> {log}'
    words = [*jobs(3), "--journal", folder / "journal", "--reader", f"sim:ntag213*3,save={folder / 'tags'}"]
    outcome = nfcprog("provision", *words, "--on-result", command)
    expect("did not take 3 results" in outcome.errors and "status 3" in outcome.errors, str(outcome))
    gate.touch()
    nfcprog("provision", *words, "--on-result", command)
    expect_equal(sorted(log.read_text().split("\n")), ["", "1 yes", "2 yes", "3 yes"], "log")
    nfcprog("provision", *words, "--on-result", command)
    expect_equal(len(log.read_text().splitlines()), 3, "lines")


@check("a command of --on-result that hangs holds no Ctrl-C up, inherits no files and goes with its group", alone=True)
def hanging_result(folder):
    log = folder / "log"
    command = f"ls -l /proc/self/fd > {log}; sleep 317 & sleep 317"
    process = start(
        *jobs(5), "--journal", folder / "journal", "--reader", "sim:ntag213*5", "--on-result", command,
        "--on-result-timeout", "60")
    process.stdout.readline()
    limit = time.monotonic() + LIMIT
    while not log.exists() or not log.read_text():
        expect(time.monotonic() < limit, "the command did not start")
        time.sleep(0.05)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=LIMIT)[0]
    expect(time.monotonic() - began < 8, "Ctrl-C was held up")
    expect_equal(process.returncode, 130, rest)
    names = log.read_text()
    expect("journal" not in names and "ptmx" not in names and "pts" not in names, names)
    left = subprocess.run(["pgrep", "-f", "sleep 317"], capture_output=True, text=True).stdout
    expect_equal(left, "", "processes that were left")


@check("a scanned code chooses the row, wrong and used ones are refused, and the labels say where each tag was made")
def scanned(folder):
    table = folder / "jobs.csv"
    table.write_text("code,serial\nA,11\nB,12\nC,13\n")
    words = ["provision", table, "--template", TEMPLATE, "--journal", folder / "journal", "--label",
             folder / "labels.csv", "--scan", "-", "--match", "serial", "--json", "--count", "1"]
    outcome = nfcprog(*words, "--reader", "sim:ntag213*3", "--timeout", "10", input="99\n13\n")
    objects = [json.loads(line) for line in outcome.output.splitlines()]
    answers = [item["answer"] for item in objects if item["event"] == "scanned"]
    expect_equal(answers, ["unknown", "taken"], "answers")
    tags = [item for item in objects if item["event"] == "tag" and item["verdict"] == "passed"]
    expect_equal([tag["job"]["name"] for tag in tags], ["C"], "jobs")
    expect(tags[0]["time"].endswith("Z") and tags[0]["station"] == 1 and tags[0]["bin"] == "good", str(tags[0]))
    row = list(csv.DictReader(open(folder / "labels.csv", newline="")))[0]
    expect_equal((row["job"], row["station"], row["reader"]), ("3", "1", tags[0]["reader"]), "label")
    outcome = nfcprog(*words, "--reader", "sim:ntag213*2,seed=2", "--timeout", "3", input="13\n", status=77)
    answers = [json.loads(line).get("answer") for line in outcome.output.splitlines()]
    expect("repeated" in answers, str(outcome))
    nfcprog(*words[:-5], "--match", "none", "--reader", "sim:ntag213", input="", status=64)


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


@check("rows that come by a pipe with --follow are put on tags as they come, each once over two runs")
def followed(folder):
    words = ["-", "--follow", "--template", TEMPLATE, "--journal", folder / "journal", "--label", folder / "labels.csv",
             "--timeout", "20", "--reader", f"sim:ntag213*9,save={folder / 'tags'}"]
    process = subprocess.Popen(
        [binary(), "provision", *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    process.stdin.write("code,serial\n0001,a\n00")
    process.stdin.flush()
    expect("job 1 0001" in process.stdout.readline(), "the first row is on no tag")
    process.stdin.write("02,b\n0001,c\n")
    process.stdin.flush()
    lines = [process.stdout.readline(), process.stdout.readline()]
    expect(any("job 2 0002" in line for line in lines), str(lines))
    rest = process.communicate(timeout=LIMIT)[0]
    # A code that comes twice is refused, and is no job.
    expect_equal(process.returncode, 65, "".join(lines) + rest)
    expect("is the code of line 2 too" in "".join(lines) + rest, "".join(lines) + rest)
    nfcprog("provision", *words, input="code,serial\n0001,a\n0002,b\n0003,d\n")
    expect_agreement(folder, 3, folder / "labels.csv")
