"""Labels that a ZPL printer prints as tags pass."""

import json
import re
import signal
import subprocess
import time

import zplkit
from zplkit.parse import parse
from printers import Printer
from series import TEMPLATE, expect_agreement, jobs
from support import LIMIT, Difference, binary, check, expect, expect_equal, nfcprog

LABEL = "^XA^CI28\n^FO20,20^A0N,30,30^FD{code}^FS\n^FO20,60^BQN,2,4^FDQA,{uri}^FS\n^FO20,200^FD{uid}^FS\n^XZ\n"


def template(folder, text=LABEL):
    path = folder / "label.zpl"
    path.write_text(text)
    return path


def words(folder, printer, count=4, reel="sim:ntag213*4", text=LABEL):
    return [*jobs(count), "--journal", folder / "journal", "--reader", f"{reel},save={folder / 'tags'}",
            "--label", printer.address, "--label-template", template(folder, text)]


def begin(*words):
    """Starts provision, which prints nothing but JSON."""
    return subprocess.Popen(
        [binary(), "provision", *map(str, words), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)


def until(condition, what):
    limit = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > limit:
            raise Difference(f"it did not come to this: {what}")
        time.sleep(0.02)


def printed(printer):
    """The first text of each label."""
    return [values[0] for values in printer.values()]


@check("a label is printed for each good tag, beside the label file, and never twice")
def labels(folder):
    printer = Printer()
    run = words(folder, printer) + ["--label", folder / "labels.csv"]
    nfcprog("provision", *run)
    expect_agreement(folder, 4, folder / "labels.csv")
    expect_equal(sorted(printed(printer)), ["0001", "0002", "0003", "0004"], "labels")
    for code, address, uid in printer.values():
        expect_equal(address, f"QA,https://example.com/t/{code}", "text of the code")
        expect((folder / "tags" / f"{uid}.tag").exists(), f"no tag {uid}")
    expect("^FH" in printer.labels[0] and printer.labels[0].count("^CI28") == 1, printer.labels[0])
    nfcprog("provision", *run)
    expect_equal(len(printer.labels), 4, "labels after a second run")
    report = nfcprog("report", "--journal", folder / "journal").output
    expect("Labels: 4 printed, 0 may not have been printed, 0 not printed" in report, report)


@check("nothing in a list becomes a command of the label printer")
def safe_labels(folder):
    printer = Printer()
    evil = ["^XZ^XA^FDx^FS", "~JR", "a_5Eb", "Grüße 東京 \U0001f9f7", "tab\there", "{code}", "50>1 % & \\& \"q\""]
    table = folder / "jobs.csv"
    table.write_text("code,text\n" + "".join(
        f'{number},"{value.replace(chr(34), chr(34) * 2)}"\n' for number, value in enumerate(evil, 1)))
    text = "^XA^FO0,0^A0N,20,20^FD{code}^FS^FO0,40^A0N,20,20^FD<{text}_x>^FS^FO0,80^A0N,20,20^FH#^FD#41{text}^FS^XZ"
    nfcprog(
        "provision", table, "--template", TEMPLATE, "--journal", folder / "journal", "--reader", "sim:ntag213*7",
        "--label", printer.address, "--label-template", template(folder, text))
    values = {int(code): rest for code, *rest in printer.values()}
    for number, value in enumerate(evil, 1):
        expect_equal(values[number], [f"<{value}_x>", f"A{value}"], f"texts of job {number}")
    expect_equal([label.count("^XA") for label in printer.labels], [1] * 7, "labels in a label")
    # Another reader of ZPL finds the commands of the template and no others, and prints one label.
    wanted = "^XA ^CI ^FO ^A0 ^FH ^FD ^FS ^FO ^A0 ^FH ^FD ^FS ^FO ^A0 ^FH ^FD ^FS ^XZ".split()
    for label in printer.labels:
        found = [bytes(element)[:3].decode() for element in parse(label.encode()).elements]
        expect_equal(found, wanted, f"commands of {label}")
        if label.isascii():
            expect_equal(len(zplkit.render(label).labels), 1, "labels that are printed")


@check("what is no label is refused before the first tag")
def bad_labels(folder):
    printer = Printer()
    cases = [
        ("^FDx^FS", 65, "begins with ^XA and ends with ^XZ"),
        ("^XA^FDx^FS", 65, "begins with ^XA and ends with ^XZ"),
        ("^XA^FD{serial}^FS^XZ", 65, "{serial}"),
        ("^XA^PQ{code}^FS^XZ", 65, "in ^PQ"),
        ("^XA^CC/^FDx^FS^XZ", 65, "^CC"),
        ("^XA^CI27^FDx^FS^XZ", 65, "^CI27"),
        ("^XA~HI^FDx^FS^XZ", 65, "~HI"),
        ("^XA^FD{code^FS^XZ", 65, "braces"),
        ("^XA\n^FO20,20\n^BQN,2,2,M^FD{uri}^FS\n^XZ\n", 65, "QA,{uri}"),
        ("^XA^BQN,2,2^FDMM,{code}^FS^XZ", 65, "lose its beginning"),
        ("^XA^BD^FD{uri}^FS^XZ", 65, "^BD4"),
    ]
    for text, status, sentence in cases:
        outcome = nfcprog("provision", *words(folder, printer, text=text), status=status)
        expect(sentence in outcome.errors, str(outcome))
    run = words(folder, printer)
    nfcprog("provision", *run[:-2], status=64)
    nfcprog("provision", *jobs(1), "--label", "zpl:tcp://", "--label-template", folder / "label.zpl", status=64)
    expect_equal((printer.labels, (folder / "tags").exists()), ([], False), "labels and tags")
    printer.close()
    outcome = nfcprog("provision", *run, status=69)
    expect("cannot be reached" in outcome.errors and not (folder / "tags").exists(), str(outcome))


@check("a label that no printer takes is refused with its row before the first tag, and named truly where the tag is finished")
def long_labels(folder):
    printer = Printer()
    table = folder / "jobs.csv"
    table.write_text("code,text\n1,short\n2," + "x" * 4000 + "\n")
    run = ["provision", table, "--template", TEMPLATE, "--journal", folder / "journal", "--reader", "sim:ntag213*2"]
    path = template(folder, "^XA^FD{text}^FS^XZ")
    outcome = nfcprog(*run, "--label", printer.address, "--label-template", path, status=65)
    expect("ine 3" in outcome.errors and "4000 bytes; a printer takes 3072" in outcome.errors, str(outcome))
    expect_equal((printer.labels, (folder / "journal").exists()), ([], False), "labels, and a journal")
    # The list was found good for another template.
    other = folder / "other.zpl"
    other.write_text("^XA^FD{code}^FS^XZ")
    nfcprog(*run, "--label", printer.address, "--label-template", other, "--count", "1")
    for _ in range(2):
        outcome = nfcprog(*run, "--label", printer.address, "--label-template", path, status=73)
        expect("1 label cannot be printed with this template: job 2." in outcome.errors, str(outcome))
        expect("is printed then" in outcome.errors and "is printed.\n" not in outcome.errors, str(outcome))
    nfcprog(*run, "--label", printer.address, "--label-template", other)
    expect_equal(printed(printer), ["1", "2"], "labels")


@check("a station takes no tag while the printer is not ready, says what to do, and goes on by itself", alone=True)
def printer_trouble(folder):
    printer = Printer()
    printer.paper = 2
    process, read, events = start_events(*words(folder, printer))
    seen = read("printer")
    expect_equal((seen["cause"], seen["next"]), ("paper-out", "Put labels in."), "what is said")
    time.sleep(1.5)
    count = len(printer.labels)
    expect_equal(count, sum(event["event"] == "tag" for event in events), "labels, and tags")
    for trouble, cause in [("head", "head-open"), ("ribbon", "ribbon-out"), ("pause", "paused"),
                           ("full", "buffer-full"), ("partial", "partial-format")]:
        printer.trouble = trouble
        while read("printer")["cause"] != cause:
            pass
    (printer.paper, printer.trouble) = (None, None)
    read("printerReady")
    summary = read("summary")
    process.communicate(timeout=LIMIT)
    expect_equal((process.returncode, summary["labelsPrinted"], summary["labelsUnsure"], summary["labelsDue"]),
                 (0, 4, [], []), "the end")
    expect_agreement(folder, 4)
    expect_equal(sorted(printed(printer)), ["0001", "0002", "0003", "0004"], "labels")


@check("a label that was cut off is not printed again by itself, is named, and is printed when asked for")
def unsure_labels(folder):
    printer = Printer()
    printer.resets = 1
    run = words(folder, printer)
    outcome = nfcprog("provision", *run, status=73)
    expect("1 label may not have been printed: job 1." in outcome.errors, str(outcome))
    expect_agreement(folder, 4)
    expect_equal((sorted(printed(printer)), printer.cancelled), (["0002", "0003", "0004"], 1), "labels")
    report = nfcprog("report", "--journal", folder / "journal").output
    expect("Labels: 3 printed, 1 may not have been printed, 0 not printed" in report and "may not have been printed: job 1" in report, report)
    nfcprog("provision", *run, status=73)
    expect_equal(len(printer.labels), 3, "labels after a second run")
    nfcprog("provision", *run, "--reprint-labels", "unsure")
    expect_equal(printed(printer)[3:], ["0001"], "labels that were asked for")
    nfcprog("provision", *run, "--reprint-labels", "2-3,4")
    expect_equal(printed(printer)[4:], ["0002", "0003", "0004"], "labels that were asked for by number")
    # What is asked for in vain is said.
    outcome = nfcprog("provision", *run, "--reprint-labels", "unsure")
    expect("No label is known that may not have been printed" in outcome.errors, str(outcome))
    outcome = nfcprog("provision", *run, "--reprint-labels", "4-9")
    expect("its last job is 4." in outcome.errors and printed(printer)[7:] == ["0004"], str(outcome))
    (folder / "part").mkdir()
    part = words(folder / "part", printer, reel="sim:ntag213*1") + ["--count", "1"]
    nfcprog("provision", *part)
    outcome = nfcprog("provision", *part, "--reprint-labels", "2,3", "--timeout", "1", status=77)
    expect("jobs 2, 3 are not finished, so no label is printed again." in outcome.errors, str(outcome))
    deaf = Printer()
    deaf.deaf = 1
    (folder / "deaf").mkdir()
    outcome = nfcprog("provision", *words(folder / "deaf", deaf), status=73)
    expect("1 label may not have been printed: job 1." in outcome.errors, str(outcome))
    expect_equal(len(deaf.labels), 4, "labels of a printer that took one and did not say so")


@check("a printer that goes away stops the line, and labels that were not sent are printed by the next run", alone=True)
def lost_printer(folder):
    printer = Printer()
    process = begin(*words(folder, printer))
    while json.loads(process.stdout.readline())["event"] != "tag":
        pass
    printer.mute = True
    while json.loads(process.stdout.readline())["event"] != "printer":
        pass
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=LIMIT)[0]
    summary = json.loads(rest.strip().split("\n")[-1])
    expect_equal((process.returncode, summary["ending"]), (130, "interrupted"), rest)
    printer.mute = False
    run = words(folder, printer)
    nfcprog("provision", *run, "--reprint-labels", "unsure")
    until(lambda: set(printed(printer)) == {"0001", "0002", "0003", "0004"}, "all labels")
    expect_agreement(folder, 4)


@check("several stations share one label printer, and a slow one delays no tag that was begun")
def shared_printer(folder):
    printer = Printer()
    readers = [word for number in range(3) for word in ("--reader", f"sim:ntag213*10,seed={number},save={folder / 'tags'}")]
    nfcprog(
        "provision", *jobs(30), "--journal", folder / "journal", *readers, "--label", printer.address,
        "--label-template", template(folder))
    expect_agreement(folder, 30)
    expect_equal(sorted(printed(printer)), [f"{number:04}" for number in range(1, 31)], "labels")
    slow = Printer()
    slow.delay = 0.5
    (folder / "slow").mkdir()
    process = begin(*words(folder / "slow", slow))
    events = [json.loads(line) for line in process.communicate(timeout=LIMIT)[0].splitlines()]
    expect_equal((process.returncode, sorted(printed(slow))), (0, ["0001", "0002", "0003", "0004"]), "slow labels")
    expect(not any(event["event"] == "tag" and event["verdict"] != "passed" for event in events), str(events))


def start_events(*words):
    """Provision, a function that reads its events up to one of a name, and those that were read."""
    process = begin(*words)
    events = []

    def read(name):
        while True:
            line = process.stdout.readline()
            expect(line, f"the run ended: {events}")
            events.append(json.loads(line))
            if events[-1]["event"] == name:
                return events[-1]
    return process, read, events


@check("a label in the memory of a printer without paper is not printed yet, and is lost when that is switched off", alone=True)
def labels_in_memory(folder):
    for is_switched in (False, True):
        part = folder / str(is_switched)
        part.mkdir()
        printer = Printer()
        printer.last = 3
        run = words(part, printer)
        process, read, _ = start_events(*run)
        expect_equal(read("printer")["cause"], "paper-out", "what is said")
        report = nfcprog("report", "--journal", part / "journal").output
        expect(re.search("may not have been printed: jobs? (1, )?(2, )?3\n", report), report)
        printer.switch(1.5) if is_switched else printer.refill()
        summary = read("summary")
        process.communicate(timeout=LIMIT)
        # Those that came just before it may be in the memory, too.
        found = process.returncode, summary["labelsUnsure"][-1:], sorted(printed(printer))
        expect_equal(found, (73, [3], ["0001", "0002", "0004"]) if is_switched else
                     (0, [], ["0001", "0002", "0003", "0004"]), "the end")
        expect_equal(summary["labelsPrinted"] + len(summary["labelsUnsure"]), 4, "labels")
        printer.close()


@check("a run ends only when its last label is printed, or somebody asks for the end, and says why it is not", alone=True)
def last_label(folder):
    for answer in ("paper", "interrupt"):
        part = folder / answer
        part.mkdir()
        printer = Printer()
        printer.last = 4
        process, read, _ = start_events(*words(part, printer))
        expect_equal(read("printer")["cause"], "paper-out", "what is said")
        time.sleep(1)
        expect_equal(process.poll(), None, "the run, while the printer has no paper")
        if answer == "paper":
            printer.refill()
            read("printerReady")
        else:
            process.send_signal(signal.SIGINT)
        summary = read("summary")
        process.communicate(timeout=LIMIT)
        found = process.returncode, summary["labelsUnsure"][-1:]
        expect_equal(found, (0, []) if answer == "paper" else (73, [4]), "the end")
        printer.close()


@check("a tag that is written once more gets no second label")
def rewritten_label(folder):
    printer = Printer()
    run = [*jobs(1), "--journal", folder / "journal", "--reader", f"sim:ntag213,file={folder / 'tag'}",
           "--label", printer.address, "--label-template", template(folder)]
    nfcprog("provision", *run)
    nfcprog("provision", *run, "--rewrite", "--count", "1")
    expect_equal(printed(printer), ["0001"], "labels")


@check("an answer that comes late is not taken for one to a later question", alone=True)
def late_answer(folder):
    printer = Printer()
    printer.late = 1
    outcome = nfcprog("provision", *words(folder, printer, count=2, reel="sim:ntag213*2"), status=73)
    expect("1 label may not have been printed: job 1." in outcome.errors, str(outcome))
    expect_equal(printed(printer), ["0001", "0002"], "labels")
    expect(printer.times[1] - printer.answered > 2, f"a label {printer.times[1] - printer.answered} s after the late answer")


@check("three benches share a printer that takes one connection at a time", alone=True)
def one_connection(folder):
    printer = Printer()
    printer.isSingle, printer.delay = True, 0.05
    processes = []
    for name in ("left", "middle", "right"):
        (folder / name).mkdir()
        processes.append(begin(*words(folder / name, printer, count=8, reel=f"sim:ntag213*8,seed={len(processes)}")))
    for process in processes:
        rest = process.communicate(timeout=LIMIT)[0]
        events = [json.loads(line) for line in rest.splitlines()]
        expect_equal((process.returncode, events[-1]["labelsUnsure"]), (0, []), rest)
        expect("printer" not in [event["event"] for event in events], rest)
    expect_equal(sorted(printed(printer)), sorted(3 * [f"{number:04}" for number in range(1, 9)]), "labels")


@check("labels are printed again beside a run that works, which does not miss them")
def reprint_beside(folder):
    printer = Printer()
    run = ["provision", "-", "--follow", "--template", TEMPLATE, "--journal", folder / "journal", "--json",
           "--label", printer.address, "--label-template", template(folder)]
    process = subprocess.Popen(
        [binary(), *map(str, run), "--reader", "sim:ntag213*4"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    process.stdin.write("code\nA\nB\n")
    process.stdin.flush()
    until(lambda: len(printer.labels) == 2, "two labels")
    nfcprog(*run, "--reader", "sim:ntag213,seed=5", "--reprint-labels", "1", "--timeout", "1", input="code\nA\nB\n")
    expect_equal(printed(printer), ["A", "B", "A"], "labels")
    process.stdin.write("C\n")
    rest = process.communicate(timeout=LIMIT)[0]
    expect_equal((process.returncode, printed(printer)[3:]), (0, ["C"]), rest)


@check("a tag that fails its inspection has its label destroyed, and its result taken back")
def inspected_label(folder):
    printer = Printer()
    tag, log = f"sim:ntag213,file={folder / 'tag'}", folder / "log"
    run = ["provision", *jobs(1), "--journal", folder / "journal", "--reader", tag, "--inspect", "1", "--timeout", "1",
           "--label", printer.address, "--label-template", template(folder),
           "--on-result", f'echo "$NFCPROG_RESULT $NFCPROG_JOB $NFCPROG_CAUSE" >> {log}']
    nfcprog(*run, status=74)
    nfcprog("write-url", "https://example.org/", "--reader", tag, "--overwrite")
    outcome = nfcprog(*run, status=76)
    expect("Destroy its label, too." in outcome.output + outcome.errors, str(outcome))
    expect_equal(log.read_text(), "passed 1 \nfailed 1 inspection\n", "results")
