"""provision at several boards: killed, interrupted, unplugged, on one journal together; rows that come one by one."""

import csv
import json
import os
import random
import re
import signal
import subprocess

from hubs import Hub
from series import TEMPLATE, jobs, addresses, expect_agreement, finish, Boards, start
from support import LIMIT, binary, check, expect, expect_equal, json_object, nfcprog


@check("tags that are pulled in the middle and laid down again get their own jobs, and each job is on one tag")
def pulled_tags(folder):
    words = ["--journal", folder / "journal", "--silent"]
    outcome = nfcprog("provision", *jobs(3), *words, "--reader", f"sim:ntag213*3,pull=3,stay=2s,save={folder / 'tags'}")
    expect("3 passed" in outcome.output and "1 removed too early" in outcome.output, str(outcome))
    expect_agreement(folder, 3)


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


@check("a label file and a report are written as the list is: its delimiter, and its byte-order mark")
def dialects(folder):
    rows = [("1", "a, b; c"), ("2", "say \"so\""), ("3", "two\nlines")]
    for name, delimiter, encoding in (("plain", ",", "utf-8"), ("sheet", ";", "utf-8-sig"), ("tabs", "\t", "utf-8"), ("marked", ",", "utf-8-sig")):
        own = folder / name
        own.mkdir()
        table = own / "jobs.csv"
        with open(table, "w", newline="", encoding=encoding) as file:
            csv.writer(file, delimiter=delimiter).writerows([("code", "note"), *rows])
        words = ["provision", table, "--template", "https://example.com/{code}", "--journal", own / "j", "--silent", "--timeout", "1", "--label", own / "labels"]
        nfcprog(*words, "--count", "2", "--reader", "sim:ntag213*9")
        # The rest, with the same rows in another dialect: no other list, and the file goes on as it began.
        other = ";" if delimiter == "," else ","
        with open(table, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=other).writerows([("code", "note"), *rows])
        nfcprog(*words, "--reader", "sim:ntag213*9,seed=7")
        nfcprog("report", "--journal", own / "j", "--csv", own / "report", "--html", own / "page")
        for made, count in (("labels", 3), ("report", 6)):
            data = (own / made).read_bytes()
            expect_equal(data.startswith(b"\xef\xbb\xbf"), encoding == "utf-8-sig", f"{name}: the mark of {made}")
            with open(own / made, newline="", encoding=encoding) as file:
                read = list(csv.DictReader(file, delimiter=delimiter))
            expect_equal(len(read), count, f"{name}: rows of {made}")
            notes = [row["note"] for row in read if row["note"]]
            expect_equal(sorted(notes), sorted(note for _, note in rows), f"{name}: notes of {made}")


@check("a list from a spreadsheet is taken as it is meant, or named with its line before the first tag")
def spreadsheets(folder):
    table = folder / "l.csv"
    template = ["--template", "https://example.com/{code}"]
    refused = [
        (b"code\n0007,1,2\n", "line 2: The row has 3 fields"), (b"code\n0007;1\n", "line 2, column code: It has a semicolon"),
        (b"code,x\n1.23457E+11,a\n", "line 2, column code"), (b"code,x\n1,a\n#N/A,b\n", "line 3, column code"),
        ("code\n1\n".encode("utf-16"), "UTF-16"), ("code\n1\n".encode("utf-16-be"), "UTF-16"), (b"PK\x03\x04....", "workbook"),
    ]
    for content, sentence in refused:
        table.write_bytes(content)
        outcome = nfcprog("provision", table, *template, "--dry-run", status=65)
        expect(sentence in outcome.errors, f"{content}\n{outcome}")
    taken = [
        ("sep=;\nurl;x\nhttps://example.com/t/1;a\n", [], None, ["https://example.com/t/1"]),
        ("code;x\n1;a\n;\n;;\n2;b\n", template, "2 lines, the first of them line 3", ["https://example.com/1", "https://example.com/2"]),
        ("code,url\n1,https://example.com/a\n", template, "The column “url” is not used", ["https://example.com/1"]),
        ("code,ReadOnly\n1,yes\n", template, "no tag is locked by it. A column for that is called lock", ["https://example.com/1"]),
        ('code\n"a,b"\n', template, None, ["https://example.com/a,b"]),
    ]
    for number, (content, words, sentence, uris) in enumerate(taken):
        # Each is a list of its own: one of another's messages would not go on a second tag.
        table = folder / f"l{number}.csv"
        table.write_text(content)
        outcome = nfcprog(
            "provision", table, *words, "--journal", folder / f"journal-{number}", "--timeout", "2", "--json", "--reader",
            f"sim:ntag213*{len(uris)}")
        lines = [json.loads(line) for line in outcome.output.splitlines()]
        expect_equal([line["uri"] for line in lines if line.get("event") == "tag"], uris, content)
        said = [line for line in lines if line.get("event") == "list"]
        expect_equal(len(said), 1 if sentence else 0, f"{content}\n{outcome}")
        if sentence:
            expect(sentence in said[0]["remarks"][0]["text"] and sentence in outcome.errors, str(outcome))


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
        finish(folder, words, boards.options(), LIMIT + count)
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
        words = [*jobs(40), "--journal", folder / "journal", "--reader"]
        reel = f"sim:ntag213*60,save={folder / 'tags'}"
        process = start(*words, reel + ",pace=real")
        line = process.stdout.readline()
        expect("PASS" in line, line)
        process.send_signal(number)
        rest = process.communicate(timeout=LIMIT)[0]
        expect_equal(process.returncode, 130, rest)
        expect("passed" in rest and "run the same command to continue" in rest, rest)
        # Nothing has failed, whatever the operator cut short.
        report = json.loads(nfcprog("report", "--journal", folder / "journal", "--json").output.splitlines()[0])
        expect("FAIL" not in rest and " 0 failed" in rest, rest)
        expect_equal((report["failedAttempts"], report["failures"], report["yield"]), (0, [], 1), "attempts that failed")
        nfcprog("provision", *words, reel)
        expect_agreement(folder, 40)


@check("the first tag's type binds a run, --tag any mixes types, and summary, report and hub count by type alike")
def types(folder):
    for name, options in ("bound", []), ("mixed", ["--tag", "any"]):
        journal = folder / name
        outcome = nfcprog("provision", *jobs(12), "--journal", journal, *options, "--timeout", "2",
                          "--reader", f"sim:ntag213*30,wrong=40%,save={folder / name}-tags")
        report = json.loads(nfcprog("report", "--journal", journal, "--json").output.splitlines()[0])
        counts = {row["tag"]: row["written"] for row in report["types"]}
        expect_equal(sum(counts.values()), 12, f"by type, {name}")
        said = ", ".join(f"{count} {tag}" for tag, count in counts.items() if count)
        expect(f"By type: {said}." in outcome.output + outcome.errors, str(outcome))
        if options:
            expect(len([count for count in counts.values() if count]) > 1, str(counts))
        else:
            others = sum(row["left"] for row in report["types"])
            expect_equal({tag for tag, count in counts.items() if count}, {"ntag213"}, "types that were written")
            expect(others > 0 and f"Causes: {others} of the wrong type." in outcome.output + outcome.errors, str(outcome))
        with Hub(journal) as hub:
            board = hub.get(f"/v1/batches/{name}/board")
            expect_equal(board["types"], report["types"], "by type at the hub")
            expect_equal((board["yield"], board["attempts"]), (report["yield"], report["attempts"]), "yield at the hub")
            # Written once more, each is the one tag that it was.
            nfcprog("provision", *jobs(12), "--journal", journal, *options, "--rewrite", "--timeout", "1", "--reader",
                    "sim:ntag213*30,wrong=40%")
            again = json.loads(nfcprog("report", "--journal", journal, "--json").output.splitlines()[0])
            expect_equal(sum(row["written"] for row in again["types"]), 12, "by type, written again")
            expect(again["attempts"] > report["attempts"], f"nothing was written again: {again}")
            expect_equal(hub.get(f"/v1/batches/{name}/board")["types"], again["types"], "by type at the hub, written again")


@check("what is said of one job, one tag and one failure is said in the singular")
def one(folder):
    def said(*words, status=0):
        outcome = nfcprog(*words, status=status)
        text = outcome.output + outcome.errors
        expect(not re.search(r"(?<![\d.,])1 (jobs|tags|rows|bytes|attempts|sessions|labels|lines)\b", text), str(outcome))
        return text

    bad, journal = "sim:ntag213*3,bad=100%", folder / "journal"
    said("provision", *jobs(1), "--dry-run")
    words = ["provision", *jobs(1), "--journal", journal, "--timeout", "1", "--reader"]
    text = said(*words, bad, "--stop-after-failures", "1", status=77)
    expect("Ended after 1 tag that failed. 1 job is left" in text, text)
    said(*words, "sim:ntag213,seed=5", "--label", folder / "labels.csv")
    text = said(*words, "sim:ntag213,seed=6", "--count", "1", status=65)
    expect("the tag that --count asks for was not made" in text, text)
    said("report", "--journal", journal)
    said("journal", "verify", journal)


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
        boards.unplug(0)
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


@check("a scanned code chooses the row, wrong and used ones are refused, and the labels say where each tag was made", long=True)
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
    outcome = nfcprog(*words, "--reader", "sim:ntag213*2,seed=2", "--timeout", "10", input="13\n", status=77)
    answers = [json.loads(line).get("answer") for line in outcome.output.splitlines()]
    expect("repeated" in answers, str(outcome))
    nfcprog(*words[:-5], "--match", "none", "--reader", "sim:ntag213", input="", status=64)


@check("a scanner that goes away is said to be away and to be back, and its codes are trimmed")
def scanner_away(folder):
    table, fifo = folder / "jobs.csv", folder / "scanner"
    table.write_text("code,serial\nA,11\nB,12\n")
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [binary(), "provision", table, "--template", TEMPLATE, "--journal", folder / "journal", "--scan", fifo,
         "--match", "serial", "--json", "--reader", "sim:ntag213*2", "--timeout", "60"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with open(fifo, "w") as scanner:
        scanner.write("12\t \r\n")
    seen = []
    while not any(item["event"] == "scannerLost" for item in seen):
        seen.append(json.loads(process.stdout.readline()))
    with open(fifo, "w") as scanner:
        scanner.write(" 11 \n")
        scanner.flush()
        seen += [json.loads(line) for line in process.communicate(timeout=LIMIT)[0].splitlines()]
    expect_equal(process.returncode, 0, str(seen))
    expect("scannerBack" in [item["event"] for item in seen], str(seen))
    expect_equal([item["job"]["name"] for item in seen if item["event"] == "tag"], ["B", "A"], "jobs")


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
