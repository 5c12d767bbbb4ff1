"""What the disk holds at the moment a tag is first written, by the system calls of a run: a cut of the power then."""

import re
import shutil
import sqlite3
import subprocess
import sys

from series import Boards, jobs
from support import LIMIT, Difference, binary, check, expect, expect_equal, program

CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
FILE = re.compile(r"^(\d+)<([^>]*)>(?:, )?(.*)$")
STRING = re.compile(r'^"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?, (\d+)(?:, (\d+))?')

CALLS = "pwrite64,write,fsync,fdatasync,ftruncate"


class Disk:
    """The journal's files: as the program sees them, and as they are on the disk after the last flush that ended."""

    def __init__(self, journal):
        self.journal, self.seen, self.flushed = str(journal), {}, {}

    def has(self, path):
        return path in (self.journal, self.journal + "-wal")

    def write(self, path, data, offset):
        file = self.seen.setdefault(path, bytearray())
        if len(file) < offset + len(data):
            file.extend(bytes(offset + len(data) - len(file)))
        file[offset : offset + len(data)] = data

    def truncate(self, path, size):
        file = self.seen.setdefault(path, bytearray())
        del file[size:]
        file.extend(bytes(size - len(file)))

    def states(self, folder):
        """The jobs in what a cut of the power would leave: {state: how many}."""
        folder.mkdir()
        for path, data in self.flushed.items():
            (folder / path.removeprefix(self.journal.rsplit("/", 1)[0] + "/")).write_bytes(data)
        connection = sqlite3.connect(folder / self.journal.rsplit("/", 1)[1])
        try:
            expect_equal(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "after a cut")
            return dict(connection.execute("SELECT state, count(*) FROM job GROUP BY state"))
        finally:
            connection.close()
            shutil.rmtree(folder)


def page_writes(data):
    """The pages that a frame to a PN532 writes on an NTAG (WRITE, A2h), in InDataExchange or InCommunicateThru."""
    found = re.search(rb"\x00\xff..(?:\xd4\x42|\xd4\x40.)\xa2(.)", data, re.DOTALL)
    return [found.group(1)[0]] if found else []


def unescaped(text):
    """Bytes that strace wrote as `\\x6a\\x6f`."""
    return bytes.fromhex(text.replace("\\x", ""))


def calls(lines):
    """The calls of a trace in order: (name, file, rest, whether it begins, whether it ends)."""
    open_calls = {}
    for line in lines:
        if found := RESUMED.match(line):
            process, name, _ = found.groups()
            if before := open_calls.pop((process, name), None):
                yield (name, *before, False, True)
        elif found := CALL.match(line):
            process, name, rest = found.groups()
            file = FILE.match(rest)
            if not file:
                continue
            begun = (unescaped(file.group(2)).decode(errors="replace"), file.group(3))
            unfinished = rest.endswith("<unfinished ...>")
            if unfinished:
                open_calls[(process, name)] = begun
            yield (name, *begun, True, not unfinished)


def replay(trace, disk, pty, folder):
    """Goes through a trace; returns for each moment that matters what a cut of the power would have left."""
    moments = []
    flushing = {}
    is_writing = False
    for name, path, rest, begins, ends in calls(trace.open(errors="replace")):
        if name in ("fsync", "fdatasync"):
            # What is written while a flush goes on may miss it.
            if begins and disk.has(path):
                flushing[path] = bytes(disk.seen.get(path, b""))
            if ends and path in flushing:
                disk.flushed[path] = flushing.pop(path)
            continue
        if name == "ftruncate":
            if ends and disk.has(path):
                disk.truncate(path, int(re.match(r"\d+", rest).group()))
            continue
        found = STRING.match(rest)
        if not begins or not found:
            continue
        expect(found.group(2) is None, "the trace was cut short")
        data = unescaped(found.group(1))
        if disk.has(path):
            disk.write(path, data, int(found.group(4) or 0))
        elif path == pty and page_writes(data):
            if not is_writing:
                moments.append(("write", disk.states(folder / "cut")))
            is_writing = True
        elif b"PASS" in data:
            moments.append(("pass", disk.states(folder / "cut")))
            is_writing = False
    return moments


def may_trace():
    """Whether system calls can be traced here; raises where that is only not installed."""
    if not sys.platform.startswith("linux"):
        print("SKIPPED: tracing system calls: strace is for Linux")
        return False
    if shutil.which("strace") is None:
        raise Difference("strace is not installed: Tests/prepare --peers installs it")
    if program("strace", "-o", "/dev/null", "true").status != 0:
        print("SKIPPED: tracing system calls: this machine does not allow strace to trace")
        return False
    return True


@check("a job is on the disk before its tag is first written, and its end before PASS: by a trace of the system calls")
def flushed(folder):
    if not may_trace():
        return
    count = 6
    trace = folder / "trace"
    with Boards(folder, 1, f"ntag213*{count},pace=real") as boards:
        pty = str(boards.links[0].resolve())
        done = subprocess.run(
            ["strace", "-f", "-y", "-xx", "-s", "4000000", "-e", f"trace={CALLS}", "-o", trace, binary(), "provision",
             *jobs(count), "--journal", folder / "journal", "--timeout", "20", *boards.options()],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * LIMIT)
    expect_equal(done.returncode, 0, done.stdout + done.stderr)
    moments = replay(trace, Disk(folder / "journal"), pty, folder)
    expect_equal([kind for kind, _ in moments], ["write", "pass"] * count, "moments")
    for number, (kind, states) in enumerate(moments):
        tags = number // 2
        written, reserved = (tags, 1) if kind == "write" else (tags + 1, 0)
        wanted = {"written": written, "reserved": reserved, "pending": count - written - reserved}
        expect_equal(states, {state: n for state, n in wanted.items() if n}, f"jobs on the disk, tag {tags + 1}, {kind}")
