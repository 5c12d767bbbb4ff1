"""Label printers at a cable of this machine, and labels that are scanned once they are printed."""

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import threading
import time
import tty

from labels import printed, template, until, LABEL
from printers import Printer, texts
from series import expect_agreement, jobs
from support import LIMIT, binary, check, expect, expect_equal, nfcprog, program


class Cable(Printer):
    """A printer at the far end of a file descriptor, which answers `~HS` unless it is dumb.

    `reads`: it takes nothing while this is false.
    """

    def __init__(self, descriptor, path, dumb=False):
        super().__init__()
        self.close()
        self.descriptor, self.path, self.dumb, self.reads, self.isOver = descriptor, path, dumb, True, False
        self.worker = threading.Thread(target=self.feed, daemon=True)
        self.worker.start()

    @property
    def address(self):
        return f"zpl:{self.path}"

    def feed(self):
        data = b""
        while not self.isOver:
            if not self.reads or not select.select([self.descriptor], [], [], 0.05)[0]:
                time.sleep(0.01)
                continue
            try:
                more = os.read(self.descriptor, 4096)
            except OSError:
                more = b""
            if not more:
                time.sleep(0.02)
            data += more
            self.stream += more
            while match := re.search(rb"~HS|~JX|\^XA.*?\^XZ", data, re.S):
                data = data[match.end():]
                if match[0] == b"~HS":
                    self.asked += 1
                    if not self.dumb:
                        os.write(self.descriptor, self.status())
                elif match[0] == b"~JX":
                    self.cancelled += 1
                else:
                    # What stands before the last beginning was cut off.
                    self.take("^XA" + match[0].decode().split("^XA")[-1])

    def unplug(self):
        self.isOver = True
        self.worker.join()
        os.close(self.descriptor)


def fifo(folder, size=None):
    path = folder / "printer"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if size:
        fcntl.fcntl(descriptor, 1031, size)  # F_SETPIPE_SZ
    return Cable(descriptor, path, dumb=True)


def terminal(dumb=False):
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    return Cable(ours, os.ttyname(theirs), dumb)


def words(folder, printer, count=4):
    return [*jobs(count), "--journal", folder / "journal", "--reader", f"sim:ntag213*{count},save={folder / 'tags'}",
            "--label", printer.address, "--label-template", template(folder)]


def report(folder):
    return nfcprog("report", "--journal", folder / "journal").output


@check("labels go to a FIFO, to a device that answers, and to one that does not, which is said")
def devices(folder):
    for name, printer, isSaid in [("fifo", fifo(folder), True), ("answers", terminal(), False), ("dumb", terminal(dumb=True), True)]:
        own = folder / name
        own.mkdir()
        outcome = nfcprog("provision", *words(own, printer))
        expect_agreement(own, 4)
        until(lambda: len(printer.labels) == 4, f"4 labels at {name}: {printer.labels}")
        expect_equal(sorted(printed(printer)), ["0001", "0002", "0003", "0004"], name)
        expect_equal("does not say how it is" in outcome.errors, isSaid, f"{name}: {outcome}")
        expect("Labels: 4 printed, 0 may not have been printed, 0 not printed" in report(own), f"{name}: {report(own)}")
        nfcprog("provision", *words(own, printer))
        expect_equal(len(printer.labels), 4, f"{name}: labels after a second run")
        printer.unplug()


@check("what is no printer is refused before the first tag, and says why")
def refused(folder):
    nobody = folder / "nobody"
    os.mkfifo(nobody)
    file = folder / "file"
    file.write_text("")
    for path, word in [(folder / "none", "there is no device"), (folder, "is a folder"), (file, "is neither a device nor a FIFO"),
                       (nobody, "nobody takes"), (file / "below", "there is no device"), ("/dev/tty", "")]:
        run = [*jobs(1), "--journal", folder / "journal", "--reader", f"sim:ntag213,save={folder / 'tags'}",
               "--label", f"zpl:{path}", "--label-template", template(folder)]
        if path == "/dev/tty":
            continue
        outcome = nfcprog("provision", *run, status=69)
        expect(word in outcome.errors and "No tag was written" in outcome.errors, str(outcome))
    expect(not (folder / "tags").exists(), "a tag was written")
    nfcprog("provision", *jobs(1), "--label", "zpl:usb0", "--journal", folder / "journal", "--label-template", template(folder), status=64)


@check("a printer that takes no more holds up no job for good: it is named, and goes on when it takes again")
def full(folder):
    printer = fifo(folder, size=4096)
    long = LABEL.replace("^XZ", "^FO0,0" + "^FX" + "x" * 3000 + "^FS^XZ")
    printer.reads = False
    timer = threading.Timer(8, lambda: setattr(printer, "reads", True))
    timer.start()
    run = words(folder, printer)
    template(folder, long)
    outcome = program(binary(), "provision", *run, "--json")
    events = [json.loads(line) for line in outcome.output.splitlines()]
    expect(any(one["event"] == "printer" for one in events), str(outcome))
    expect_equal(outcome.status, 73, str(outcome))
    expect_agreement(folder, 4)
    cut = events[-1]["labelsUnsure"]
    expect(cut, "no label was cut off")
    nfcprog("provision", *run, "--reprint-labels", "unsure")
    until(lambda: set(printed(printer)) == {"0001", "0002", "0003", "0004"}, f"labels: {printed(printer)}")
    printer.unplug()


@check("a FIFO whose reader leaves stops the line with a word until another reads; no label counts as printed that nobody has read")
def deserted(folder):
    path = folder / "printer"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    read = b""

    def leave():
        nonlocal read
        while b"^XZ" not in read:
            select.select([descriptor], [], [], LIMIT)
            read += os.read(descriptor, 4096)
            time.sleep(0.01)
        os.close(descriptor)

    first = threading.Thread(target=leave, daemon=True)
    first.start()
    run = [binary(), "provision", *jobs(4), "--journal", folder / "journal", "--reader", f"sim:ntag213*4,save={folder / 'tags'}",
           "--label", f"zpl:{path}", "--label-template", template(folder), "--json"]
    process = subprocess.Popen([str(word) for word in run], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    watchdog = threading.Timer(LIMIT, process.kill)
    watchdog.start()
    events, next_reader = [], None
    for line in process.stdout:
        events.append(json.loads(line))
        if next_reader is None and events[-1]["event"] == "printer" and "nobody takes" in events[-1].get("message", ""):
            next_reader = Cable(os.open(path, os.O_RDONLY | os.O_NONBLOCK), path, dumb=True)
    status = process.wait()
    watchdog.cancel()
    outcome = "\n".join(map(json.dumps, events))
    expect(next_reader, f"nothing says that nobody reads: {outcome}")
    expect_agreement(folder, 4)
    expect_equal(events[-1]["passed"], 4, outcome)
    unsure = {f"{number:04}" for number in events[-1].get("labelsUnsure", [])}
    expect_equal(status, 73 if unsure else 0, outcome)
    seen = {texts(label)[0] for label in re.findall(r"\^XA.*?\^XZ", read.decode(), re.S)} | set(printed(next_reader))
    expect(seen | unsure >= {"0001", "0002", "0003", "0004"}, f"read {seen}, unsure {unsure}: {outcome}")
    next_reader.unplug()


def scanned(folder, printer, code, count=2, status=0):
    """Runs with a hand that scans what `code` makes of each label's texts."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    printer.take = lambda label, take=printer.take: (take(label), os.write(ours, f"{code(texts(label))}\r".encode()))
    run = words(folder, printer, count) + ["--scan", os.ttyname(theirs), "--scan-label", "--timeout", "5", "--json"]
    outcome = nfcprog("provision", *run, status=status)
    return [json.loads(line) for line in outcome.output.splitlines()]


@check("--scan-label: a job is done when the printed label was scanned; another's label sets the tag aside")
def scan_label(folder):
    good = folder / "good"
    good.mkdir()
    printer = fifo(good)
    events = scanned(good, printer, lambda values: values[1].removeprefix("QA,"))
    expect_equal(events[-1]["passed"], 2, str(events))
    expect_agreement(good, 2)
    printer.unplug()
    wrong = folder / "wrong"
    wrong.mkdir()
    printer = fifo(wrong)
    codes = {}
    # The first label is stuck onto the second thing.
    def mixed(values):
        return codes.setdefault(values[0], "0002" if values[0] == "0001" else values[0]) if values[0] not in codes else values[0]
    events = scanned(wrong, printer, mixed, status=74)
    bad = [one for one in events if one.get("cause") == "label"]
    expect_equal([(one["verdict"], one["bin"]) for one in bad], [("held", "aside")], str(events))
    expect("LABEL DOES NOT MATCH" in bad[0]["message"], str(bad))
    outcome = nfcprog("journal", "verify", wrong / "journal")
    expect("1 reserved" in outcome.output or "1 unfinished" in outcome.output or "reserved" in outcome.output, outcome.output)
    tag = wrong / "tags" / f"{bad[0]['uid']}.tag"
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    printer.take = lambda label: (printer.labels.append(label), os.write(ours, b"0001\r"))
    nfcprog("provision", *jobs(2), "--journal", wrong / "journal", "--reader", f"sim:ntag213,file={tag}", "--label", printer.address,
            "--label-template", template(wrong), "--scan", os.ttyname(theirs), "--scan-label", "--timeout", "5")
    expect_agreement(wrong, 2)
    printer.unplug()
    nfcprog("provision", *jobs(1), "--journal", folder / "j", "--scan-label", "--label", "zpl:tcp://127.0.0.1", "--label-template",
            template(folder), status=64)
    nfcprog("provision", *jobs(1), "--journal", folder / "j", "--scan", "-", "--scan-label", status=64)
