"""`emulate`: the board as a tag, for telephones on a simulated board, and as a reader again afterwards."""

import json
import os
import select
import signal
import subprocess
import time

from support import LIMIT, PACE, Difference, Simulation, binary, check, expect, expect_equal, nfcprog, program

LINK = "https://example.com/live/1"


def taps(outcome):
    """The objects that `emulate --json` has printed, one a tap."""
    return [json.loads(line) for line in outcome.output.splitlines()]


def link_of(tap):
    return tap["records"][0].get("uri")


@check("emulate: each telephone reads the whole message, and each tap is told with who that may have been")
def telephones(folder):
    outcome = nfcprog("emulate", "--url", LINK, "--reader", "sim:phone=iphone+android+iphone-app+samsung+odd",
                      "--count", "5", "--json")
    seen = taps(outcome)
    expect_equal([tap["tap"] for tap in seen], [1, 2, 3, 4, 5], "numbers")
    expect(all(tap["complete"] and tap["result"] == "read" and link_of(tap) == LINK for tap in seen), str(outcome))
    expect_equal([tap["reader"] for tap in seen], ["iphone", "android", "iphone-app", "android", "iphone"], "readers")
    expect_equal([tap["selections"] for tap in seen], [1, 2, 2, 2, 1], "selections")


@check("emulate: wherever a telephone is taken away, the next one reads everything")
def leaving(folder):
    for kind in ("iphone", "android"):
        phones = "+".join(f"{kind}@{frame}" for frame in range(1, 25))
        outcome = nfcprog("emulate", "--url", LINK, "--reader", f"sim:phone={phones}+iphone", "--once", "--json")
        seen = taps(outcome)
        # Those that leave and come back at once are one; all of them together have read it once.
        expect(seen[-1]["complete"] and link_of(seen[-1]) == LINK, str(outcome))


@check("emulate: records as for write, a message of a file, and a long one in many parts")
def messages(folder):
    outcome = nfcprog("emulate", "--text", "Hello", "--uri", LINK, "--reader", "sim:phone=android", "--once", "--json")
    records = taps(outcome)[0]["records"]
    expect_equal((records[0]["text"], records[1]["uri"]), ("Hello", LINK), "records")
    long = "x" * 5000
    nfcprog("write", "--text", long, "--reader", f"sim:type4,file={folder / 'tag.txt'},size=8192")
    nfcprog("read", "--raw", folder / "long.ndef", "--reader", f"sim:type4,file={folder / 'tag.txt'},size=8192")
    nfcprog("write", "--text", "short", "--reader", f"sim:ntag213,file={folder / 'small.txt'}")
    for source, text in ((("--ndef", folder / "long.ndef"), long), (("--from", folder / "long.ndef"), long),
                         (("--from", folder / "small.txt"), "short")):
        outcome = nfcprog("emulate", *source, "--reader", "sim:phone=iphone+android", "--count", "2", "--json")
        expect(all(tap["records"][0]["text"] == text and tap["complete"] for tap in taps(outcome)), str(outcome))


@check("emulate: what cannot be served is refused before a board is opened")
def refused(folder):
    nowhere = "/nonexistent/board"
    too_long = folder / "long.txt"
    too_long.write_bytes(b"x" * 40000)
    cases = [
        (("--url", "nonsense"), 65), (("--mime", f"text/plain=@{too_long}"), 65), ((), 64),
        (("--url", LINK, "--text", "x", "--from", "a"), 64), (("--url", LINK, "--count", "0"), 64),
        (("--url", LINK, "--once", "--count", "2"), 64), (("--follow", folder / "none"), 66),
        (("--from", folder / "none"), 66), (("--text", "x", "--app-id", "Q7K2M9P4ZX.com.example.app"), 64),
    ]
    for words, status in cases:
        nfcprog("emulate", *words, "--reader", nowhere, status=status)
    outcome = nfcprog("emulate", "--url", LINK, "--reader", "sim:ntag213,reader=acr122u", status=69)
    expect("ACR122U" in outcome.errors, str(outcome))
    nfcprog("emulate", "--url", LINK, "--reader", nowhere, status=69)


class Emulation:
    """`emulate` on a board of another process, until it is ended."""

    def __init__(self, board, *words):
        self._process = subprocess.Popen(
            [binary(), "emulate", "--json", *map(str, words), "--reader", board.port], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._ready = self._line(self._process.stderr)

    def _line(self, stream):
        ready, _, _ = select.select([stream], [], [], LIMIT)
        line = stream.readline() if ready else ""
        if not line:
            self._process.kill()
            raise Difference(f"emulate says nothing: {self._process.communicate()[1]}")
        return line

    def tap(self):
        return json.loads(self._line(self._process.stdout))

    def wait(self):
        """Its exit status, and what it has said, once it ends by itself."""
        output, errors = self._process.communicate(timeout=LIMIT)
        return self._process.returncode, output + errors

    def end(self, number=signal.SIGINT):
        """Its exit status, and how long the end took."""
        start = time.monotonic()
        self._process.send_signal(number)
        output, errors = self._process.communicate(timeout=LIMIT)
        return self._process.returncode, time.monotonic() - start, output + errors


@check("emulate: Ctrl-C ends it at once, and the board is a reader again", alone=True)
def interrupted(folder):
    with Simulation("type4,uid=04112233445566") as board:
        for _ in range(2):
            emulation = Emulation(board, "--url", LINK)
            time.sleep(0.3)
            status, seconds, said = emulation.end()
            expect_equal(status, 0, f"exit status\n{said}")
            expect(seconds < 2 * PACE, f"the end took {seconds:.1f} s")
            listed = program("nfc-list", environment=board.environment).output
            # The ATS is there only where the chip sends RATS by itself again.
            expect("04  11  22  33  44  55  66" in listed and "ATS" in listed, listed)


@check("emulate: after SIGKILL, at any moment, the board is a reader again")
def killed(folder):
    for phones in ("iphone@1", "iphone@4", "android@7", "iphone"):
        with Simulation(f"type4,uid=04112233445566,phone={phones}") as board:
            emulation = Emulation(board, "--url", LINK)
            time.sleep(0.2)
            emulation.end(signal.SIGKILL)
            listed = program("nfc-list", environment=board.environment).output
            expect("04  11  22  33  44  55  66" in listed, listed)
            nfcprog("info", "--reader", board.port)


@check("emulate --follow: the next tap has what the file holds then, and half a file changes nothing")
def follow(folder):
    path = folder / "link.txt"
    path.write_text(LINK + "\n")
    phones = "+".join(["iphone"] * 60)
    with Simulation(f"phone={phones},pause=100") as board:
        emulation = Emulation(board, "--follow", path)
        expect_equal(link_of(emulation.tap()), LINK, "the first tap")
        for number in range(2, 5):
            new = f"https://example.com/live/{number}"
            draft = folder / "draft"
            draft.write_text(new)
            draft.rename(path)
            seen = [link_of(emulation.tap()) for _ in range(4)]
            expect(seen[-1] == new, f"{seen} after {new}")
        path.write_text("nonsense")
        expect_equal([link_of(emulation.tap()) for _ in range(3)][-1], new, "after nonsense")
        status, _, said = emulation.end()
        expect_equal(status, 0, "exit status")
        expect("holds what it held" in said, said)


@check("emulate --writable: what a telephone writes is kept, and the next one reads it; else it is refused")
def written(folder):
    kept = folder / "kept.ndef"
    outcome = nfcprog("emulate", "--url", LINK, "--writable", kept, "--reader", "sim:phone=writer+android", "--count", "2", "--json")
    first, second = taps(outcome)
    expect_equal(first["result"], "written", str(outcome))
    expect_equal(kept.read_bytes().hex(), "d00000", "the file")
    expect(second["complete"] and second["records"][0]["tnf"] == 0, str(outcome))
    outcome = nfcprog("emulate", "--url", LINK, "--reader", "sim:phone=writer+iphone,pause=400", "--count", "2", "--json")
    expect_equal(link_of(taps(outcome)[-1]), LINK, "a tag that nobody may write")
