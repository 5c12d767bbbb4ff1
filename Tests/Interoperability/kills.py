"""provision killed at random instants, while its journal goes away and while the days go by."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from series import Boards, TEMPLATE, expect_agreement, finish, holding, lay_down_again, start
from support import LIMIT, Difference, binary, check, expect, expect_equal, memory, nfcprog, program

# NFCPROG_KILLS=200 is the whole proof.
KILLS = int(os.environ.get("NFCPROG_KILLS", "4"))


def run_and_kill(words, after, days=0):
    """Runs provision `days` from now, kills it after so many seconds; its status, None when it was killed, and words."""
    clock = ["faketime", "-f", f"+{days}d"] if days else []
    process = subprocess.Popen(
        [*clock, binary(), "provision", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env=dict(os.environ, SWIFT_BACKTRACE="enable=no", FAKETIME_DONT_FAKE_MONOTONIC="1"))
    try:
        output = process.communicate(timeout=after)[0]
        return process.returncode, output
    except subprocess.TimeoutExpired:
        # faketime is a parent of its own.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""


def move(paths, folder):
    """Moves files into a folder and returns how to put them back where they were, in place of what lies there."""
    folder.mkdir()
    moved = [(path, folder / path.name) for path in paths if path.exists()]
    for path, kept in moved:
        path.rename(kept)

    def back():
        for path, kept in moved:
            kept.rename(path)
        shutil.rmtree(folder)

    return back


@check(
    "provision killed with its journal deleted: refused until --start-over is said, and no code is on two tags", alone=True)
def deleted_between_kills(folder):
    random.seed(20261123)
    count = max(40, 12 * KILLS)
    table, labels, marker = folder / "jobs.csv", folder / "labels.csv", folder / "jobs.csv.nfcprog"
    table.write_text("code\n" + "".join(f"{number:04}\n" for number in range(1, count + 1)))
    words = [table, "--template", TEMPLATE, "--journal", folder / "journal", "--label", labels, "--timeout", "20"]
    refused = 0
    with Boards(folder, 2, f"ntag213*{count},bad=5%,pace=real") as boards:
        for kill in range(KILLS):
            run_and_kill([*words, *boards.options()], random.uniform(0.5, 2.0))
            begun = holding(folder / "tags")
            # What a kill in the first moments has left is no list that was begun.
            if not begun or not marker.exists() or not labels.exists():
                continue
            # The marker alone tells it, the label file alone, and both.
            gone = [folder / "journal", folder / "journal-wal", folder / "journal-shm"]
            back = move(gone + [[labels], [marker], []][kill % 3], folder / "gone")
            status, output = run_and_kill([*words, *boards.options()], LIMIT)
            expect_equal(status, 65, output)
            expect("for example after a test run. Use --start-over" in output, output)
            expect_equal(holding(folder / "tags"), begun, "tags after a refusal")
            for path in gone:
                path.unlink(missing_ok=True)
            back()
            refused += 1
        finish(folder, words, boards.options(), LIMIT + count)
    expect(refused > 0, "no journal was deleted")
    found = holding(folder / "tags")
    expect_equal(set(found), {f"https://example.com/t/{number:04}" for number in range(1, count + 1)}, "codes")
    expect(all(len(tags) == 1 for tags in found.values()), f"on more than one tag: {found}")
    nfcprog("journal", "verify", folder / "journal")
    rows = list(csv.DictReader(open(labels, newline="")))
    expect_equal({row["uri"]: row["uid"] for row in rows}, {uri: tags[0] for uri, tags in found.items()}, "labels")


@check(
    "provision killed with days going by, with {date}, password and lock: each job on one tag, none for ever open", alone=True)
def days_go_by(folder):
    if shutil.which("faketime") is None:
        raise Difference("faketime is not installed: Tests/prepare --peers installs it")
    random.seed(20261124)
    count = max(24, 8 * KILLS)
    table = folder / "jobs.csv"
    table.write_text(
        "code,password\n" + "".join(f"{number:04},{number:08X}\n" for number in range(1, count + 1)))
    words = [table, "--template", "https://example.com/t/{code}?d={date}", "--lock", "--journal", folder / "journal",
             "--label", folder / "labels.csv", "--timeout", "20"]
    with Boards(folder, 2, f"ntag213*{count},bad=8%,pace=real") as boards:
        for kill in range(KILLS):
            run_and_kill([*words, *boards.options()], random.uniform(0.6, 2.0), kill)
        # The last run is bounded: a tag that is asked for again and again would keep it from its end.
        status, output = run_and_kill([*words, *boards.options()], LIMIT + 2 * count, KILLS)
        if "No tag that the line waits for" in output:
            # A hand that saw its board killed goes on with the next tag.
            given_up = lay_down_again(folder, words, output)
            status, output = run_and_kill([*words, *given_up, *boards.options()], LIMIT + 2 * count, KILLS)
        expect_equal(status, 0, output)
    found = holding(folder / "tags")
    codes = sorted(uri.split("?")[0] for uri in found)
    expect_equal(codes, [f"https://example.com/t/{number:04}" for number in range(1, count + 1)], "codes")
    expect(all(len(tags) == 1 for tags in found.values()), f"on more than one tag: {found}")
    expect(len({uri.split("?d=")[1] for uri in found}) > 1, "all tags are of one day")
    nfcprog("journal", "verify", folder / "journal")
    rows = list(csv.DictReader(open(folder / "labels.csv", newline="")))
    expect_equal({row["uri"]: row["uid"] for row in rows}, {uri: tags[0] for uri, tags in found.items()}, "labels")
    for uri, (uid,) in found.items():
        data = memory(folder / "tags" / f"{uid}.tag")
        # NTAG213, page 41: AUTH0; page 2: the static lock bytes.
        expect(data[41 * 4 + 3] < 0xFF, f"{uid} has no password")
        expect_equal(data[10:12], b"\xff\xff", f"locks of {uid}")


def kill_before_inspection(words):
    """Runs provision and kills it as soon as it asks for an inspection."""
    process = subprocess.Popen(
        [binary(), "provision", *map(str, words), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    for line in process.stdout:
        if json.loads(line).get("inspection") == "wanted":
            process.kill()
    process.communicate()
    expect_equal(process.returncode, -signal.SIGKILL, "status")


@check("provision killed between a tag's write and its inspection: the next run inspects it, and stops at one that changed")
def inspection(folder):
    for is_changed in (False, True):
        journal, tag = folder / f"journal-{is_changed}", f"sim:ntag213,file={folder / f'tag-{is_changed}'}"
        words = ["--range", "1..1", "--template", TEMPLATE, "--journal", journal, "--inspect", "1", "--timeout", "5"]
        kill_before_inspection([*words, "--reader", tag])
        nfcprog("journal", "verify", journal)
        head, job = [json.loads(line) for line in nfcprog("report", "--journal", journal, "--json").output.splitlines()][:2]
        expect_equal((head["inspections"]["pending"], job["inspection"], job["outcome"]), (1, "pending", "written"), "report")
        if is_changed:
            nfcprog("write-url", "https://example.org/", "--reader", tag)
        outcome = nfcprog("provision", *words, "--json", "--reader", tag, status=76 if is_changed else 0)
        events = [json.loads(line) for line in outcome.output.splitlines()]
        found = [event["inspection"] for event in events if event["event"] == "inspection"]
        expect_equal(found, ["wanted", "bad" if is_changed else "good"], "inspections")
        expect_equal(events[-1]["ending"], "inspection" if is_changed else "complete", "ending")
        nfcprog("journal", "verify", journal)
        job = json.loads(nfcprog("report", "--journal", journal, "--json").output.splitlines()[1])
        wanted = ("bad", "pending") if is_changed else ("good", "written")
        expect_equal((job["inspection"], job["outcome"]), wanted, "the job")
    # A tag that comes again by itself, another one in between.
    tag = f"ntag213,file={folder / 'twice'}"
    twice = f"sim:{tag},then=ntag213,uid=04112233445566,then={tag}"
    outcome = nfcprog("provision", "--range", "1..1", "--template", TEMPLATE, "--journal", folder / "twice.journal", "--inspect", "5",
                      "--reader", twice)
    expect("INSPECT " in outcome.output and "Inspected: 1, 0 of them bad." in outcome.output, outcome.output)
    outcome = nfcprog("audit", "--journal", folder / "twice.journal", "--reader", f"sim:ntag213,file={folder / 'twice'}")
    expect("was inspected" in outcome.output + outcome.errors, str(outcome))


def tell_station(process, name, number):
    """Sends a signal to the thread of a station that waits for its board; false where none does within 10 s.

    Elsewhere the thread may be the one that writes into the journal, for which all the others wait.
    """
    import ctypes

    waits = {"7", "23", "270", "271"}  # poll, select, pselect6 and ppoll of x86-64
    end = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < end:
        for task in Path(f"/proc/{process.pid}/task").glob("*"):
            try:
                while (task / "comm").read_text().strip() == name and process.poll() is None:
                    if (task / "syscall").read_text().split()[0] in waits:
                        return ctypes.CDLL(None).syscall(234, process.pid, int(task.name), number) == 0
            except OSError:
                pass
        time.sleep(0.02)
    return False


@check(
    "a mistake of the program ends one station alone: the other finishes its tag, 70, and the next run everything",
    alone=True)
def fallen_station(folder):
    # What a failed check of Swift's, memory that is not there and abort(3) end a thread with; the number of tgkill(2) is
    # that of x86-64.
    if os.uname().sysname != "Linux" or os.uname().machine != "x86_64":
        return
    for number in (signal.SIGILL, signal.SIGSEGV, signal.SIGABRT):
        bench = folder / number.name
        bench.mkdir()
        fall(bench, number)


def fall(folder, number):
    count = 16
    words = ["--range", f"0001..{count:04}", "--template", TEMPLATE, "--journal", folder / "journal", "--silent"]
    with Boards(folder, 2, f"ntag213*{count + 40},pace=real") as boards:
        process = start(*words, "--timeout", "20", *boards.options())
        time.sleep(0.4)
        expect(tell_station(process, "station 1", number), "the station's thread was not found")
        output = process.communicate(timeout=LIMIT * 2)[0]
        expect_equal(process.returncode, 70, output)
        expect("board0" in output and "mistake in the program" in output, output)
        # Neither board's tags hold a code that the journal does not have, or half of one.
        nfcprog("journal", "verify", folder / "journal")
        finish(folder, [*words, "--timeout", "20"], boards.options(), LIMIT * 2)
    expect_agreement(folder, count)


@check("a limit of the size of files ends a run with its reason, whatever it stops, and the next run everything")
def limited(folder):
    words = ["--range", "0001..0060", "--template", TEMPLATE, "--journal", folder / "journal", "--silent"]
    reader = ["--reader", f"sim:ntag213*80,save={folder / 'tags'}"]
    command = " ".join(f"'{word}'" for word in [binary(), "provision", *words, "--timeout", "2", *reader])
    # 60 blocks of 1,024 bytes: the journal ends in the middle of the run.
    outcome = program("bash", "-c", f"ulimit -f 60; {command}", limit=LIMIT * 2)
    expect_equal(outcome.status, 73, str(outcome))
    expect("journal" in outcome.errors, outcome.errors)
    finish(folder, [*words, "--timeout", "20"], reader, LIMIT * 2)
    expect_agreement(folder, 60)
