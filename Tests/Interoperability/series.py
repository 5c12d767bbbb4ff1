"""A series in a check: its list, its boards, and whether tags, journal and labels agree."""

import csv
import os
import re
import signal
import sqlite3
import subprocess
from pathlib import Path

from support import LIMIT, Difference, binary, expect, expect_equal, memory, nfcprog, program


TEMPLATE = "https://example.com/t/{code}"


def key_pair(private, public):
    """Makes a key that signs proofs, and its public half."""
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True, capture_output=True)
    private.chmod(0o600)


def jobs(count):
    return ["--range", f"0001..{count:04}", "--template", TEMPLATE]


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

    def unplug(self, number):
        """Takes a board away with its device: another board could get that name of its line meanwhile."""
        self.processes[number].kill()
        self.processes[number].wait()
        self.links[number].unlink()

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


def lay_down_again(folder, words, text, environment=None):
    """What an operator does at a bench that ended because only unfinished tags are left: puts them on a reader.

    Gives the options for the bench's next start: a tag that no board has written is not among the tags, and is given up.
    """
    tags = re.findall(r"(?:[0-9A-F]{2}:){6}[0-9A-F]{2}", text.split("may hold an unfinished job:")[1])
    expect(tags, text)
    files = [folder / "tags" / f"{uid.replace(':', '').lower()}.tag" for uid in tags]
    for tag in filter(Path.exists, files):
        # The database may be away meanwhile: the bench then ends in the same way again.
        program(binary(), "provision", *words, "--reader", f"sim:ntag213,file={tag}", environment=environment)
    return [] if all(tag.exists() for tag in files) else ["--release-reserved"]


def finish(folder, words, options, limit):
    """Runs provision to its end. A hand that saw the last run killed may have gone on with another tag than its own."""
    outcome = program(binary(), "provision", *words, *options, limit=limit)
    text = outcome.output + outcome.errors
    if "No tag that the line waits for" in text:
        given_up = lay_down_again(folder, words, text)
        nfcprog("provision", *words, *given_up, *options, limit=limit)
    else:
        expect_equal(outcome.status, 0, text)
