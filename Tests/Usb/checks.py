"""What nfcprog does with readers on a real kernel's USB: finding, permissions, drivers, unplugging, the main job."""

import json
import os
import signal
import time

from support import check, expect, expect_equal

URL = "https://example.com/t/1"
machine = None
program = None


def nfcprog(*words, status=0, **options):
    """Runs nfcprog in the machine; another exit status than `status` raises with all that it said."""
    seen, output, errors = machine.run(program, *words, limit=120, **options)
    expect(seen == status, f"{' '.join(map(str, words))}: exit status {status} wanted, not {seen}\n{output}{errors}")
    return output, errors


def readers(*words, **options):
    """The readers on USB, by their serial number or product."""
    output, _ = nfcprog("readers", "--json", *words, **options)
    found = [json.loads(line) for line in output.splitlines()]
    return {reader.get("serialNumber") or reader["usb"]: reader for reader in found if "usb" in reader}


class Plugged:
    """Devices in sockets for the time of a check."""

    def __init__(self, *kinds, tags=("ntag213",), patience=None):
        self.kinds, self.tags, self.patience = kinds, tags, patience

    def __enter__(self):
        for socket, kind in enumerate(self.kinds):
            machine.plug(socket, kind, *self.tags, patience=self.patience)

    def __exit__(self, *_):
        for socket in range(len(self.kinds)):
            machine.unplug(socket)


def emptied(function):
    """Leaves no device behind, however the check ends."""

    def run(folder):
        try:
            function(folder)
        finally:
            for socket in range(4):
                machine.unplug(socket)

    return run


@check("USB: a machine without readers says so, 69 with --check")
def nothing(folder):
    _, errors = nfcprog("readers", "--check", status=69)
    expect("No reader was found" in errors, errors)


@check("USB: each kind of serial adapter is told apart, opened and named for good")
def adapters(folder):
    with Plugged("ftdi", "cp210x", "ch341", "pl2303", "cdc"):
        found = readers("--check")
        expect_equal(
            {name: (reader["adapter"], reader["driver"]) for name, reader in found.items()}, {
                "A50285BI": ("FTDI", "ftdi_sio"), "0001": ("CP210x", "cp210x"),
                "1a86:7523": ("CH340/CH341", "ch341"), "067b:2303": ("PL2303", "pl2303"),
                "E6605481DB318A34": ("CDC", "cdc_acm")}, "adapters")
        for name, reader in found.items():
            expect(reader.get("firmware") == "PN532 v1.6", f"{name}: {reader}")
            expect(reader["stablePath"].startswith("/dev/serial/by-id/usb-"), f"{name}: {reader}")
            expect(reader["access"] == "root:dialout 660", f"{name}: {reader}")
        expect_equal(found["A50285BI"]["latencyMs"], 16, "latency before FTDI's is opened")
        _, errors = nfcprog("info", status=69)
        expect("5 readers were found" in errors and "/dev/ttyUSB1" in errors, errors)


@check("USB: the only reader is taken; a serial number, a socket and a lasting path name it")
def naming(folder):
    with Plugged("ftdi"):
        path = readers()["A50285BI"]["stablePath"]
        for words in ([], ["--reader", "A50285BI"], ["--reader", "usb:1-1"], ["--reader", path]):
            output, _ = nfcprog("read", *words)
            expect("ntag213" in output, output)
        _, errors = nfcprog("read", "--reader", "usb:1-7", status=69)
        expect("usb:1-1" in errors, f"what there is instead is missing: {errors}")


@check("USB: an adapter without a board is silent, one that is in use is busy, each with its remedy")
def troubles(folder):
    with Plugged("silent", "ftdi"):
        holder = machine.start("python3", "-c", "import time; file = open('/dev/ttyUSB1'); time.sleep(600)")
        time.sleep(2)
        found = readers("--check", status=69)
        machine.signal(holder, signal.SIGTERM)
        machine.wait(holder)
        expect_equal(found["SILENT"]["problem"], "silent", "silent adapter")
        expect("TXD" in found["SILENT"]["remedy"], found["SILENT"]["remedy"])
        busy = found["A50285BI"]
        expect_equal(busy["problem"], "busy", "adapter in use")
        expect("python3" in busy["reason"] and "kill" in busy["remedy"], f"{busy}")


@check("USB: a user without the right group is refused, told how to repair it, and works with it")
def permissions(folder):
    # Debian's libnfc brings rules of its own.
    machine.run("sh", "-c", "rm -f $(grep -l 04cc /usr/lib/udev/rules.d/*); udevadm control --reload")
    with Plugged("ftdi", "pn533"):
        machine.run("udevadm", "trigger", "--action=add", "--settle", "--subsystem-match=usb")
        found = readers(user="nobody")
        expect_equal({reader["problem"] for reader in found.values()}, {"no-permission"}, "problems")
        expect("usermod -aG dialout" in found["A50285BI"]["remedy"], f"{found}")
        expect("--udev-rules" in found["04cc:2533"]["remedy"], f"{found}")
        _, errors = nfcprog("info", "--reader", "A50285BI", user="nobody", status=69)
        expect("usermod -aG dialout" in errors, errors)
        output, _ = nfcprog("read", "--reader", "A50285BI", user="nobody", groups=["dialout"])
        expect("ntag213" in output, output)
        machine.run("sh", "-c", f"{program} readers --udev-rules >/etc/udev/rules.d/60-nfcprog.rules; udevadm control --reload")
        machine.unplug(1)
        machine.plug(1, "pn533", "ntag213")
        output, _ = nfcprog("read", "--reader", "usb:1-2", user="nobody", groups=["plugdev"])
        expect("ntag213" in output, output)
        machine.run("rm", "/etc/udev/rules.d/60-nfcprog.rules")


@check("USB: the kernel's own NFC driver is found in the way, and without it the reader opens")
def kernel_driver(folder):
    with Plugged("pn533"):
        machine.load()
        time.sleep(2)
        found = readers()["04cc:2533"]
        expect_equal((found.get("problem"), found.get("driver")), ("kernel-driver", "pn533_usb"), "with the driver")
        _, errors = nfcprog("info", status=69)
        expect("modprobe -r pn533_usb" in errors, errors)
        machine.unload()
        output, _ = nfcprog("read")
        expect("ntag213" in output, output)


def main_job(kind, tag):
    with Plugged(kind, tags=(tag,)):
        output, _ = nfcprog("write-url", URL, "--json")
        written = json.loads(output)
        expect_equal((written["result"], written["verified"]), ("written", True), f"writing {tag}")
        output, _ = nfcprog("read", "--json")
        expect_equal(json.loads(output)["records"][0]["uri"], URL, f"reading {tag}")
        output, _ = nfcprog("write-url", URL, "--json")
        expect_equal(json.loads(output)["result"], "unchanged", f"writing {tag} again")


@check("USB: a PN533 writes and reads NTAG and MIFARE Classic")
def pn533(folder):
    for tag in ("ntag213", "classic1k"):
        main_job("pn533", tag)


@check("USB: an ACR122 writes and reads NTAG and MIFARE Classic")
def acr122(folder):
    for tag in ("ntag213", "classic1k"):
        main_job("acr122", tag)


@check("USB: unplugged in the middle of a write, the same command finishes the tag afterwards")
@emptied
def unplugged(folder):
    tag = "classic1k,file=/tmp/unplugged.tag"
    for kind in ("ftdi", "pn533"):
        machine.plug(0, kind, tag, patience=60)
        _, errors = nfcprog("format-classic", "--url", URL, status=69)
        expect("gone" in errors or "unplugged" in errors, errors)
        with Plugged(kind, tags=(tag,)):
            nfcprog("format-classic", "--url", URL)
            output, _ = nfcprog("read", "--json")
            expect_equal(json.loads(output)["records"][0]["uri"], URL, kind)
            nfcprog("reset-classic")


@check("USB: clone goes on when its reader is plugged in again, even under another name")
@emptied
def returning(folder):
    machine.run("sh", "-c", "printf '\\321\\001\\014U\\004example.com' >/tmp/message.ndef")
    tags = [f"{kind},file=/tmp/clone-{kind}.tag" for kind in ("ntag213", "ntag215", "classic1k")]
    machine.plug(0, "ftdi", *tags, patience=120)
    run = machine.start(program, "clone", "--from", "/tmp/message.ndef", "--count", "3", "--timeout", "90", "--json")
    time.sleep(25)
    machine.plug(3, "ftdi", *tags)
    status, output, errors = machine.wait(run, 150)
    expect(status == 0 and "is back" in errors, f"status {status}\n{output}{errors}")
    done = {seen["uid"] for seen in map(json.loads, output.splitlines()) if seen["result"] in ("written", "unchanged")}
    expect_equal(len(done), 3, f"tags done\n{output}{errors}")


def stalled(*words, pauses=6):
    """Runs nfcprog and stops it again and again for longer than libnfc waits for one thing, as a laptop's lid or Ctrl-Z
    do; its exit status (None: it never came to an end), output and errors."""
    run = machine.start(program, *words)
    for _ in range(pauses):
        time.sleep(0.25)
        machine.signal(run, signal.SIGSTOP)
        time.sleep(0.4)
        machine.signal(run, signal.SIGCONT)
    return machine.wait(run, 100)


@check("USB: a program that is stopped and goes on never hangs, and a write is finished by the same command")
@emptied
def stalls(folder):
    # NFCPROG_STALLS=200 is for whoever changes the watchdog.
    runs = int(os.environ.get("NFCPROG_STALLS", "8"))
    for kind in ("pn533", "acr122"):
        with Plugged(kind, tags=("classic4k",)):
            ends = [stalled("info", "--timeout", "10") for _ in range(runs // 2)]
            hung = [end for end in ends if end[0] is None]
            expect(not hung, f"{kind}: {len(hung)} of {len(ends)} runs did not end\n{hung[:1]}")
            strange = [end for end in ends if end[0] not in (0, 69, 74, 75)]
            expect(not strange, f"{kind}: {strange[:1]}")
            good = [end for end in ends if end[0] == 0 and "classic4k" in end[1]]
            expect(len(good) > len(ends) / 2, f"{kind}: only {len(good)} of {len(ends)} read the tag: {ends[-1]}")
        with Plugged(kind, tags=("ntag213",)):
            status, output, errors = stalled("write-url", URL, "--timeout", "10")
            expect(status is not None, f"{kind}: a write did not end\n{output}{errors}")
            nfcprog("write-url", URL)
            output, _ = nfcprog("read", "--json")
            expect_equal(json.loads(output)["records"][0]["uri"], URL, f"{kind} after a stalled write")


@check("USB: answers that come around the end of libnfc's wait are late answers and no hang")
@emptied
def late(folder):
    with Plugged("late pn533", tags=("ntag213",)):
        for _ in range(3):
            status, output, errors = machine.run(program, "info", "--timeout", "5", limit=100)
            expect(status in (0, 69, 74, 75), f"status {status}\n{output}{errors}")


@check("USB: two adapters of one serial number are named by their sockets, and their shared name is refused")
@emptied
def namesakes(folder):
    machine.run("rm", "-rf", "/tmp/.local/state/nfcprog")
    with Plugged("cp210x"):
        link = readers()["0001"]["stablePath"]
        machine.plug(1, "cp210x", "ntag215")
        output, _ = nfcprog("readers", "--json")
        found = [json.loads(line) for line in output.splitlines()]
        found = [reader for reader in found if reader.get("serialNumber") == "0001"]
        expect_equal([reader["portPath"] for reader in found], ["1-1", "1-2"], "sockets")
        for reader, tag in zip(found, ("ntag213", "ntag215")):
            expect("stablePath" not in reader, f"{reader}")
            expect_equal(reader["nameSharedBy"], ["1-1", "1-2"], "who has the name")
            output, _ = nfcprog("read", "--json", "--reader", reader["portLink"])
            expect_equal(json.loads(output)["tag"], tag, reader["portLink"])
        for words in (["--reader", link], ["--reader", f"pn532_uart:{link}"], ["--reader", "0001"]):
            _, errors = nfcprog("read", *words, status=69)
            expect("1-1" in errors and "1-2" in errors, errors)
        # Its owner goes; the link may lead to the other one now.
        for socket in (1, 0):
            machine.unplug(socket)
            machine.run("udevadm", "trigger", "--action=add", "--settle", "--subsystem-match=tty")
            _, errors = nfcprog("read", "--reader", link, status=69)
            expect("1-1 and 1-2" in errors or "no device" in errors, errors)
            machine.plug(socket, "cp210x", "ntag213")
    machine.run("rm", "-rf", "/tmp/.local/state/nfcprog")


@check("USB: a reader that only acknowledges, and one with another chip, are told apart, each with its remedy")
@emptied
def otherwise(folder):
    for kind, name, problem, words in (
        ("acknowledging pn533", "04cc:2533", "only-acknowledges", "unplug it"),
        ("deaf acr122", "072f:2200", "only-acknowledges", "unplug it"),
        ("pn531", "054c:0193", "wrong-chip", "reader or board"),
        ("unknown pn531", "04cc:2533", "wrong-chip", "reader or board"),
    ):
        with Plugged(kind):
            found = readers("--check", status=69)[name]
            expect_equal(found.get("problem"), problem, f"{kind}: {found}")
            expect(words in found.get("remedy", ""), f"{kind}: {found}")
            _, errors = nfcprog("info", "--timeout", "0", status=69)
            expect(found["reason"] in errors and found["remedy"] in errors, f"{kind}: {errors}")
            expect_equal(len(errors.splitlines()), 1, f"{kind}: lines on standard error\n{errors}")


@check("USB: of two programs that start at once on one reader the one works, and the other says who has it")
@emptied
def two_starts(folder):
    for kind in ("acr122", "pn533"):
        with Plugged(kind, tags=("classic1k",)):
            for _ in range(3):
                runs = [machine.start(program, "info", "--timeout", "5") for _ in range(2)]
                ends = sorted(machine.wait(run, 100) for run in runs)
                expect_equal([end[0] for end in ends], [0, 69], f"{kind}: exit statuses\n{ends}")
                expect("is busy" in ends[1][2] and "kill" in ends[1][2], f"{kind}: {ends[1][2]}")
                expect_equal(len(ends[1][2].splitlines()), 1, f"{kind}: lines on standard error\n{ends[1][2]}")


@check("USB: --watch tells which readers come and go, and ends with Ctrl-C")
def watching(folder):
    with Plugged("cdc"):
        watch = machine.start(program, "readers", "--watch", "--json")
        time.sleep(8)
        machine.plug(1, "acr122", "ntag213")
        time.sleep(4)
        machine.unplug(1)
        time.sleep(4)
        machine.signal(watch, signal.SIGINT)
        status, output, errors = machine.wait(watch)
        expect_equal(status, 0, f"exit status\n{output}{errors}")
        events = [json.loads(line) for line in output.splitlines()]
        seen = [(event["event"], event["usb"]) for event in events if "usb" in event]
        expect_equal(seen, [("there", "2e8a:000a"), ("came", "072f:2200"), ("went", "072f:2200")], "events")
