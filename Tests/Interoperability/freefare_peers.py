"""libfreefare's programs: what one side writes to a MIFARE Classic, the other reads."""

from support import (
    Simulation, check, expect, expect_equal, json_object, memory, nfcprog, program, raw_message, write_message)
from tags import uri_message


def freefare_reads(board, folder):
    path = folder / "freefare.ndef"
    outcome = program("mifare-classic-read-ndef", "-y", "-o", path, environment=board.environment)
    expect(outcome.status == 0 and path.exists(), str(outcome))
    return path.read_bytes()


def freefare_writes(board, path):
    outcome = program("mifare-classic-write-ndef", "-y", "-i", path, environment=board.environment)
    expect(outcome.status == 0, str(outcome))


# On a 4K: with a MAD2 and sector 15 an NFC sector, mifare-classic-read-ndef takes sector 16 for data and
# finds nothing; a MAD1 keeps to the first 16 sectors.
for name, format_options in (("classic1k", []), ("classic1k7b", []), ("classic4k", ["--mad", "1"])):
    for size in (20, 254, 255, 700):

        @check(f"mifare-classic-read-ndef reads {size} bytes that nfcprog wrote to {name}")
        def read_ndef(folder, name=name, options=format_options, size=size):
            message = folder / "message.ndef"
            message.write_bytes(uri_message(size))
            tag = f"{name},file={folder / 'tag.txt'}"
            nfcprog("format-classic", *options, "--reader", f"sim:{tag}")
            write_message(f"sim:{tag}", message)
            with Simulation(tag) as board:
                expect_equal(freefare_reads(board, folder), message.read_bytes(), "message")


# On a 4K, mifare-classic-write-ndef goes on in sector 32 after sectors 1 and 2, against AN1305, 6.1, which
# wants NFC sectors side by side: what needs no more than 96 bytes is common ground.
for name, sizes in (("classic1k", (20, 300)), ("classic1k7b", (20, 300)), ("classic4k", (20, 90))):
    for size in sizes:

        @check(f"nfcprog reads {size} bytes that mifare-classic-write-ndef wrote to {name}, then writes its own")
        def write_ndef(folder, name=name, size=size):
            message = folder / "message.ndef"
            message.write_bytes(uri_message(size))
            tag = f"{name},file={folder / 'tag.txt'}"
            with Simulation(tag) as board:
                freefare_writes(board, message)
            expect_equal(raw_message(f"sim:{tag}", folder), message.read_bytes(), "message")
            message.write_bytes(uri_message(30))
            write_message(f"sim:{tag}", message)
            expect_equal(raw_message(f"sim:{tag}", folder), message.read_bytes(), "new message")
            with Simulation(tag) as board:
                expect_equal(freefare_reads(board, folder), message.read_bytes(), "message read by libfreefare")


@check("a 1K that nfcprog formatted and reset is as it was delivered")
def reset(folder):
    image = folder / "tag.txt"
    nfcprog("info", "--reader", f"sim:classic1k,file={image}")
    delivered = memory(image)
    nfcprog("format-classic", "--url", "https://example.com/t/1", "--reader", f"sim:classic1k,file={image}")
    expect(memory(image) != delivered, "formatting changed nothing")
    nfcprog("reset-classic", "--reader", f"sim:classic1k,file={image}")
    expect_equal(memory(image), delivered, "memory")


@check("nfcprog names the gap that mifare-classic-write-ndef leaves on a 4K, and keeps off the tag")
def gap(folder):
    message, image = folder / "message.ndef", folder / "tag.txt"
    message.write_bytes(uri_message(300))
    with Simulation(f"classic4k,file={image}") as board:
        freefare_writes(board, message)
    before = memory(image)
    seen = json_object(nfcprog("info", "--json", "--reader", f"sim:classic4k,file={image}"))
    codes = [finding["code"] for finding in seen["findings"]]
    expect("mad-gap" in codes, f"findings: {codes}")
    expect_equal(memory(image), before, "memory after looking")


@check("format-classic finishes a 1K that mifare-classic-write-ndef formatted, and keeps its message")
def finish(folder):
    message, image = folder / "message.ndef", folder / "tag.txt"
    message.write_bytes(uri_message(60))
    with Simulation(f"classic1k,file={image}") as board:
        freefare_writes(board, message)
    reader = f"sim:classic1k,file={image}"
    seen = json_object(nfcprog("format-classic", "--json", "--reader", reader))
    expect_equal((seen["result"], seen["capacity"]), ("written", 716), "result")
    expect_equal(raw_message(reader, folder), message.read_bytes(), "message")
    expect("findings" not in json_object(nfcprog("info", "--json", "--reader", reader)), "findings")
    with Simulation(f"classic1k,file={image}") as board:
        expect_equal(freefare_reads(board, folder), message.read_bytes(), "message read by libfreefare")
