"""`emulate` where something goes wrong: a line that loses frames, telephones that leave halfway, files that change."""

import json
import os
import time

from emulating import LINK, Emulation, link_of, taps
from support import PACE, check, expect, expect_equal, nfcprog
from target_chip import SELECT, TargetChip, frame, wait_until

READ = SELECT + ["00b0000002", "00b0000217"]
EMPTY = "d00000"
WRITE = SELECT + ["00d60000020000", "00d6000203" + EMPTY, "00d60000020003"]


def losing(start, times=1):
    """Loses the first `times` commands that begin so."""
    left = [times]

    def lose(command):
        if not command.hex().startswith(start) or left[0] == 0:
            return False
        left[0] -= 1
        return True

    return lose


@check("emulate: a telephone that stays while it is ended has read what it has read, and written what it has written")
def ended(folder):
    for number, (commands, result) in enumerate(((READ, "read"), (WRITE, "written"), (READ[:3], "left"))):
        kept = folder / f"kept{number}.ndef"
        with TargetChip([(commands, "stays")]) as chip:
            emulation = Emulation(chip, "--url", LINK, "--writable", kept)
            expect(wait_until(lambda: len(chip.heard("8e")) == len(commands), 5 * PACE), str(chip.commands))
            time.sleep(0.1)
            status, _, said = emulation.end()
            expect_equal(status, 0, said)
            tap = json.loads(said.splitlines()[0])
            expect_equal((tap["result"], tap["complete"]), (result, result == "read"), str(tap))
            expect_equal(kept.exists() and kept.read_bytes().hex() or "", EMPTY if result == "written" else "", "the file")


@check("emulate: a board that is unplugged while a telephone is there takes nothing of what it wrote along")
def unplugged(folder):
    kept = folder / "kept.ndef"
    chip = TargetChip([(WRITE, "stays")])
    emulation = Emulation(chip, "--url", LINK, "--writable", kept)
    expect(wait_until(lambda: len(chip.heard("8e")) == len(WRITE), 5 * PACE), str(chip.commands))
    time.sleep(0.1)
    chip.unplug()
    tap = emulation.tap()
    expect_equal((tap["result"], kept.read_bytes().hex()), ("written", EMPTY), str(tap))
    status, _, said = emulation.end()
    expect_equal(status, 69, said)


@check("emulate: whoever goes before it has the last answer has not read the message")
def unanswered(folder):
    with TargetChip([(READ, "unanswered"), (READ, 0x29)], come=0.3) as chip:
        outcome = nfcprog("emulate", "--url", LINK, "--count", "2", "--json", "--reader", chip.port)
    first, second = taps(outcome)
    expect_equal((first["result"], first["readLength"], first["complete"]), ("left", 0, False), str(first))
    expect_equal((second["result"], second["complete"]), ("read", True), str(second))


@check("emulate --writable: half a message is refused, whatever was there before, and the tag holds what it held")
def halves(folder):
    writings = [
        ["00d6000806" + b"hacked".hex()], ["00d60000020003"], ["00d60000020000", "00d6000203" + EMPTY],
        ["00d60000020000", "00d60000020003", "00d6000203" + EMPTY], ["00d6000003001cd1"],
        ["00d60000020000", "00d6000202d101", "00d60000020003"],
    ]
    for number, writes in enumerate(writings):
        kept = folder / f"kept{number}.ndef"
        with TargetChip([(SELECT + writes, 0x29), (READ, 0x29)], come=0.3) as chip:
            outcome = nfcprog("emulate", "--url", LINK, "--writable", kept, "--count", "2", "--json", "--reader", chip.port)
        first, second = taps(outcome)
        expect_equal((first["result"], first["reason"]), ("refused", "it has not finished"), str(first))
        expect(second["complete"] and link_of(second) == LINK and not kept.exists(), str(second))


@check("emulate --writable: what cannot be kept is refused with the reason, the board is let go, and the run ends")
def unkept(folder):
    gone = folder / "gone"
    gone.mkdir()
    with TargetChip([(WRITE, 0x29)], come=0.5) as chip:
        emulation = Emulation(chip, "--url", LINK, "--writable", gone / "kept.ndef")
        for path in gone.iterdir():
            path.unlink()
        gone.rmdir()
        tap = emulation.tap()
        expect(tap["result"] == "refused" and "cannot be kept" in tap["reason"], str(tap))
        status, _, said = emulation.end()
        expect(status == 73 and chip.heard("1214")[-1:], said)


@check("emulate: one frame that the line loses, any of them, leaves a board that serves the next telephone", alone=True)
def lost_frames(folder):
    for start in ("3201", "1230", "08630", "8c", "86", "8e"):
        phones = [(READ, 0x29)] * 4
        chip = TargetChip(phones, lose=losing(start))
        with chip:
            outcome = nfcprog("emulate", "--url", LINK, "--once", "--json", "--reader", chip.port)
            seen = taps(outcome)
            expect(len(seen) == 1, str(outcome))
            expect(start in ("86", "8e") or seen[0]["complete"], f"{start}: {outcome}")


@check("emulate: a chip that forgets that it is a tag is told again; one that never is one is given up")
def forgetful(folder):
    chip = TargetChip([(READ, 0x29)] * 3)
    armed = []

    def lose(command):
        # It was without power for a moment.
        if command[0] == 0x8C and not armed:
            armed.append(True)
            chip.flags = 0x14
        return False

    chip.lose = lose
    with chip:
        outcome = nfcprog("emulate", "--url", LINK, "--once", "--json", "--reader", chip.port)
        expect(taps(outcome)[0]["complete"] and len(chip.heard("1230")) == 2, str(outcome))
    never = TargetChip([(READ, 0x29)] * 9)

    def forget(command):
        never.flags &= 0x1F
        return False

    never.lose = forget
    with never:
        outcome = nfcprog("emulate", "--url", LINK, "--once", "--reader", never.port, status=69)
        expect("not as the tag" in outcome.errors, str(outcome))


@check("emulate: noise on the line while it waits changes nothing, however often", alone=True)
def noise(folder):
    with TargetChip() as chip:
        emulation = Emulation(chip, "--url", LINK)
        for number in range(1, 6):
            chip.send((b"\x00\xff\x41\x41\x00", b"\x00\xff\x10\xf0\x01")[number % 2])
            expect(wait_until(lambda: len(chip.heard("8c")) == number + 1, 3 * PACE), f"{number}: {chip.commands}")
        chip.phones.append((READ, 0x29))
        chip.send(b"\x00\xff\x41\x41\x00")
        expect(emulation.tap()["complete"], "the tap")
        expect_equal(emulation.end()[0], 0, "exit status")


@check("emulate: the board is a reader again though the line loses frames at the end", alone=True)
def parting(folder):
    for start in ("5200", "1214", "0863013b"):
        with TargetChip() as chip:
            emulation = Emulation(chip, "--url", LINK)
            count = len(chip.commands)
            chip.lose = losing(start, 2)
            status, _, said = emulation.end()
            expect_equal(status, 0, f"{start}: {said}")
            after = chip.commands[count:]
            # Two of them were lost.
            expect(after.count(start) >= 3, f"{start}: {after}")
            for command in ("5200", "1214", "0863013b"):
                expect(command in after, f"{command}: {after}")


@check("emulate --once: a telephone that comes back just before its time is over is no reason to fail", alone=True)
def stale(folder):
    for wait in (0.90, 1.02):
        with TargetChip([(SELECT[:1], 0x29), (READ, 0x29)], field=True, come=wait) as chip:
            answers = {"count": 0}
            slow = chip.do

            def do(command):
                # The end takes long enough for the timer of the first coming to strike.
                if command.hex() == "5200" and chip.heard("8e9000"):
                    time.sleep(0.25)
                if command[0] == 0x04:
                    answers["count"] += 1
                    chip.field = answers["count"] == 1
                slow(command)

            chip.do = do
            outcome = nfcprog("emulate", "--url", LINK, "--once", "--json", "--reader", chip.port)
            expect_equal(len(taps(outcome)), 1, str(outcome))


APP = "Q7K2M9P4ZX.com.example.app"


def association(folder, path):
    rules = {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": path}]}]}}
    file = folder / "aasa.json"
    file.write_text(json.dumps(rules))
    return ("--aasa", file, "--app-id", APP, "--assume-served")


@check("emulate --follow: a message file is held to the app's rules as a URL is, at the start and later")
def held(folder):
    rules = association(folder, "/t/*")
    message, path = folder / "m.ndef", folder / "followed"

    def write(link):
        nfcprog("write-url", link, "--reader", f"sim:ntag213,file={folder / 'tag.txt'}", "--overwrite")
        nfcprog("read", "--raw", message, "--force", "--reader", f"sim:ntag213,file={folder / 'tag.txt'}")
        return message.read_bytes()

    good, bad = write("https://example.com/t/1"), write("https://example.com/private")
    for content in (bad, b"https://example.com/private", b"\xd1\x01\x04T\x02enx"):
        path.write_bytes(content)
        nfcprog("emulate", "--follow", path, *rules, "--reader", "/nonexistent/board", status=65)
        nfcprog("emulate", "--follow", path, "--wakes", "com.example.app", "--reader", "/nonexistent/board", status=65)
    path.write_bytes(good)
    nfcprog("emulate", "--follow", path, *rules, "--reader", "/nonexistent/board", status=69)
    with TargetChip([(READ, 0x29)], come=1) as chip:
        emulation = Emulation(chip, "--follow", path, *rules)
        path.write_bytes(bad)
        expect_equal(link_of(emulation.tap()), "https://example.com/t/1", "the message")
        status, _, said = emulation.end()
        expect(status == 0 and "holds what it held" in said, said)


@check("emulate --follow: pipes, devices and standard input are refused at once, and a file that becomes one is not read")
def pipes(folder):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null", "-"):
        outcome = nfcprog("emulate", "--follow", path, "--reader", "/nonexistent/board", status=65)
        expect("regular file" in outcome.errors, str(outcome))
    nfcprog("emulate", "--follow", folder, "--reader", "/nonexistent/board", status=65)
    path = folder / "link.txt"
    path.write_text(LINK)
    with TargetChip([(READ, 0x29)], come=0.5) as chip:
        emulation = Emulation(chip, "--follow", path)
        pipe.rename(path)
        expect_equal(link_of(emulation.tap()), LINK, "the link")
        status, _, said = emulation.end()
        expect(status == 0 and said.count("regular file") == 1, said)


@check("emulate --follow: nothing is read or checked between a telephone's coming and its first answer", alone=True)
def prompt(folder):
    # It takes long to find out what this file says of a link.
    rules = {"applinks": {"details": [{"appIDs": [APP], "components":
             [{"/": f"/q{number}/*"} for number in range(3000)] + [{"/": "/t/*"}]}]}}
    (folder / "aasa.json").write_text(json.dumps(rules))
    path = folder / "link.txt"
    path.write_text("https://example.com/t/1")
    with TargetChip([(READ, 0x29)]) as chip:
        times = {}
        usual = chip.do
        come_in = chip.come_in

        def come(contact, mode):
            # The file changes in the very moment.
            path.write_text("https://example.com/t/2")
            times["come"] = time.monotonic()
            come_in(contact, mode)

        def do(command):
            if command[0] == 0x86:
                times.setdefault("asked", time.monotonic())
            usual(command)

        chip.come_in, chip.do = come, do
        emulation = Emulation(chip, "--follow", path, "--aasa", folder / "aasa.json", "--app-id", APP, "--assume-served")
        emulation.tap()
        expect(times["asked"] - times["come"] < 0.05 * PACE, str(times))
        expect_equal(emulation.end()[0], 0, "exit status")


@check("emulate: it is a tag only once the board has heard of it")
def armed(folder):
    with TargetChip(lose=losing("1230", 99)) as chip:
        outcome = nfcprog("emulate", "--url", LINK, "--reader", chip.port, status=69)
        expect("is a tag now" not in outcome.errors and not chip.heard("8c"), str(outcome))


@check("emulate: a PN533 is tried, and what it answered is said, whether it refuses or is selected as no tag")
def pn533(folder):
    refusal = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
    for refused in ("1230", "8c"):
        chip = PN533([(READ, 0x29)] * 3, refused, refusal)
        with chip:
            outcome = nfcprog("emulate", "--url", LINK, "--once", "--reader", chip.port, status=69)
            expect("PN533" in outcome.errors and "did not become a tag" in outcome.errors, f"{refused}: {outcome}")
            expect("1214" in chip.commands[-4:], f"{refused}: {chip.commands}")
    with PN533([(READ, 0x29)] * 4, None, refusal) as chip:
        chip.plays = False
        outcome = nfcprog("emulate", "--url", LINK, "--once", "--reader", chip.port, status=69)
        expect("PN533" in outcome.errors and "not as the tag" in outcome.errors, str(outcome))
    with PN533([(READ, 0x29)], None, refusal) as chip:
        outcome = nfcprog("emulate", "--url", LINK, "--once", "--json", "--reader", chip.port)
        expect(taps(outcome)[0]["complete"], str(outcome))


class PN533(TargetChip):
    """Says that it is one; refuses commands that begin with `refused`, and is selected as no card where it does not play one."""

    def __init__(self, phones, refused, refusal):
        self.plays, self._refused, self._refusal = True, refused, refusal
        super().__init__(phones)

    def do(self, command):
        if command[0] == 0x02:
            return self.send(frame(b"\x03\x33\x02\x07\x07"))
        # Its answers about registers have a status in front.
        if command[0] == 0x06:
            return self.send(frame([0x07, 0x00] + [self._registers.get(command[place : place + 2], 0) for place in range(1, len(command), 2)]))
        if command[0] == 0x08:
            for place in range(1, len(command), 3):
                self._registers[command[place : place + 2]] = command[place + 2]
            return self.send(frame([0x09, 0x00]))
        if self._refused and command.hex().startswith(self._refused):
            return self.send(self._refusal)
        super().do(command)
        if not self.plays:
            self.flags &= 0x1F
