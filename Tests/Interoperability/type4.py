#!/usr/bin/env python3
"""Type 4 tags: what nfcpy or nfcprog writes the other reads, byte for byte; DESFire formatted, locks, cards without NDEF.

usage: type4.py --binary NFCPROG [WORD...]   (or with all others, by `run`)
"""

import json
import sys
from pathlib import Path

from support import Simulation, check, expect, expect_equal, json_object, nfcprog, program, raw_message, write_message
from tags import uri_message

HELPER = Path(__file__).with_name("nfcpy_tag.py")
URL = "https://example.com/t/1"
NEW_KEY = "00112233445566778899aabbccddeeff"

# Name with what it is made with, longest message, sizes to try.
TAGS = [
    ("type4", 2046, [5, 20, 300, 2046]),
    ("type4,mapping=1", 2046, [20]),
    ("type4,mapping=3", 2044, [20, 300]),
    ("type4,mle=15,mlc=13", 2046, [40]),
    ("type4,mle=256,mlc=255,fsc=256", 2046, [600]),
    ("type4,fsc=16", 2046, [40]),
    ("type4,longread=6cxx", 2046, [20]),
    ("type4,longread=6700", 2046, [20]),
    ("ntag424", 254, [20, 254]),
    ("st25ta02k", 254, [20, 254]),
]


def kept(kind, folder):
    return f"{kind},file={folder / 'tag.txt'}"


def nfcpy(board, *words):
    """Runs nfcpy on the board and returns the message that it sees in the end."""
    outcome = program(sys.executable, HELPER, board.port, *words)
    expect(outcome.status == 0, str(outcome))
    lines = outcome.output.split()
    return bytes.fromhex(lines[1] if len(lines) == 2 else "")


for kind, capacity, sizes in TAGS:
    for size in sizes:

        @check(f"nfcpy reads {size} bytes that nfcprog wrote to {kind}")
        def read(folder, kind=kind, size=size):
            # nfcpy knows names of mapping version 2.0 on, and no length of four bytes.
            message = folder / "message.ndef"
            message.write_bytes(uri_message(size))
            tag = kept(kind, folder)
            seen = write_message(f"sim:{tag}", message)
            expect_equal((seen["result"], seen["verified"], seen["length"]), ("written", True, size), "JSON")
            expect_equal(raw_message(f"sim:{tag}", folder), message.read_bytes(), "message")
            if "mapping=3" in kind:
                return
            with Simulation(tag) as board:
                expect_equal(nfcpy(board, "read"), message.read_bytes(), "message")

    @check(f"nfcprog reads what nfcpy wrote to {kind}, and replaces it")
    def write(folder, kind=kind, capacity=capacity):
        if "mapping=3" in kind:
            return
        tag = kept(kind, folder)
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        message = uri_message(min(capacity, 60))
        with Simulation(tag) as board:
            expect_equal(nfcpy(board, "write", message.hex()), message, "message read by nfcpy")
        expect_equal(raw_message(f"sim:{tag}", folder), message, "message")
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        again = json_object(nfcprog("write-url", URL, "--json", "--reader", f"sim:{tag}"))
        expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "second run")

    @check(f"info tells capacity and status of {kind} in CoreNFC's words, and the capacity holds")
    def info(folder, kind=kind, capacity=capacity):
        tag = f"sim:{kept(kind, folder)}"
        seen = json_object(nfcprog("info", "--json", "--reader", tag))
        expect_equal((seen["tag"], seen["ndefStatus"], seen["capacity"]),
                     (kind.split(",")[0], "readWrite", capacity), "info")
        message = folder / "message.ndef"
        message.write_bytes(uri_message(capacity))
        write_message(tag, message)
        expect_equal(raw_message(tag, folder), message.read_bytes(), "message")
        message.write_bytes(uri_message(capacity + 1))
        nfcprog("write", "--ndef", message, "--reader", tag, status=65)


@check("a plan on a Type 4 tag lists file and offset, and a run writes just that")
def plan(folder):
    tag = f"sim:{kept('type4', folder)}"
    planned = json_object(nfcprog("write-url", URL, "--dry-run", "--json", "--reader", tag))
    writes = [step for step in planned["plan"]["steps"] if step["action"] == "write"]
    expect_equal([(step["file"], step["offset"]) for step in writes], [("e104", 2), ("e104", 0)], "writes")
    done = json_object(nfcprog("write-url", URL, "--json", "--reader", tag))
    expect_equal(done["operations"]["writes"], len(writes), "writes of the run")


@check("read-only and password-protected Type 4 tags are read and not written, 77")
def rights(folder):
    for kind, status in [("type4,rights=readonly", "readOnly"), ("type4,rights=password", "readOnly"),
                         ("type4,rights=closed", "notSupported")]:
        seen = json_object(nfcprog("info", "--json", "--reader", f"sim:{kind}"))
        expect_equal(seen["ndefStatus"], status, kind)
        nfcprog("write-url", URL, "--reader", f"sim:{kind}", status=77)


@check("an ST25TA is locked for good by its own command, an NTAG 424 DNA as delivered by its key; a plain tag is refused, 77")
def lock(folder):
    for kind in ["st25ta02k", "ntag424"]:
        tag = f"sim:{kind},file={folder / kind}"
        nfcprog("write-url", URL, "--reader", tag)
        planned = json_object(nfcprog("lock", "--dry-run", "--json", "--reader", tag))
        expect(any(step["irreversible"] for step in planned["plan"]["steps"]), str(planned))
        seen = json_object(nfcprog("lock", "--json", "--reader", tag))
        expect_equal((seen["result"], seen["ndefStatus"]), ("written", "readOnly"), f"lock {kind}")
        nfcprog("write-url", URL + "2", "--reader", tag, status=77)
        expect_equal(json_object(nfcprog("lock", "--json", "--reader", tag))["result"], "unchanged", f"second lock of {kind}")
    tag = f"sim:type4,file={folder / 'plain'}"
    nfcprog("write-url", URL, "--reader", tag)
    before = (folder / "plain").read_bytes()
    nfcprog("lock", "--reader", tag, status=77)
    expect_equal((folder / "plain").read_bytes(), before, "plain")


for kind in ["desfire-ev1", "desfire-ev2", "desfire-ev3"]:

    @check(f"a blank {kind} is refused without format-type4, then formatted with a URL, a key of its own, and locked")
    def desfire(folder, kind=kind):
        tag = f"sim:{kept(kind, folder)}"
        refused = nfcprog("write-url", URL, "--reader", tag, status=77)
        expect("no NDEF application" in refused.errors and "format-type4" in refused.errors, str(refused))
        key = folder / "key.txt"
        key.write_text(NEW_KEY + "\n")
        trace = folder / "trace.jsonl"
        seen = json_object(nfcprog(
            "format-type4", "--url", URL, "--new-key", key, "--json", "--trace", trace, "--reader", tag))
        expect_equal((seen["result"], seen["tag"], seen["ndefStatus"], seen["verified"]),
                     ("written", kind, "readWrite", True), "format")
        expect("findings" not in seen, str(seen))
        expect(NEW_KEY not in trace.read_text(), "the key stands in the trace")
        with Simulation(kept(kind, folder)) as board:
            expect_equal(nfcpy(board, "read"), raw_message(f"sim:{kind},file={folder / 'tag.txt'}", folder), "message")
        again = json_object(nfcprog(
            "format-type4", "--url", URL, "--new-key", key, "--json", "--reader", tag))
        expect_equal(again["result"], "unchanged", "second run")
        nfcprog("lock", "--reader", tag, status=77)
        locked = json_object(nfcprog("lock", "--key", NEW_KEY, "--json", "--reader", tag))
        expect_equal((locked["result"], locked["ndefStatus"]), ("written", "readOnly"), "lock")
        nfcprog("write-url", URL + "2", "--reader", tag, status=77)

    @check(f"format-type4 of {kind} without a key says that it stays the delivered one")
    def delivered_key(folder, kind=kind):
        tag = f"sim:{kept(kind, folder)}"
        seen = json_object(nfcprog("format-type4", "--json", "--reader", tag))
        expect_equal([finding["code"] for finding in seen["findings"]], ["application-key"], "findings")
        expect_equal(seen["ndefStatus"], "readWrite", "status")


@check("files of a Type 4 tag go through a JSON dump to another tag; other formats are refused")
def dump(folder):
    source, target = f"sim:{kept('type4', folder)}", f"sim:type4,file={folder / 'other.txt'}"
    nfcprog("write-url", URL, "--reader", source)
    nfcprog("dump", folder / "tag.json", "--reader", source)
    files = json.loads((folder / "tag.json").read_text())["files"]
    expect_equal(sorted(files), ["E103", "E104"], "files")
    nfcprog("restore", folder / "tag.json", "--reader", target)
    expect_equal(raw_message(target, folder), raw_message(source, folder), "message")
    expect_equal(json_object(nfcprog("restore", folder / "tag.json", "--json", "--reader", target))["result"],
                 "unchanged", "second run")
    for name in ["tag.bin", "tag.nfc", "tag.mct"]:
        outcome = nfcprog("dump", folder / name, "--reader", source, status=65)
        expect(not (folder / name).exists(), str(outcome))
        expect(name == "tag.mct" or ".json" in outcome.errors, str(outcome))


@check("clone, audit and check-link --tag work on Type 4 tags")
def others(folder):
    source = f"sim:{kept('type4', folder)}"
    nfcprog("write-url", URL, "--reader", source)
    nfcprog("dump", folder / "tag.json", "--reader", source)
    copied = nfcprog("clone", "--from", folder / "tag.json", "--count", "1", "--reader", f"sim:type4,file={folder / 'copy.txt'}")
    expect_equal(raw_message(f"sim:type4,file={folder / 'copy.txt'}", folder), raw_message(source, folder), str(copied))


if __name__ == "__main__":
    import workers

    workers.run_alone(__doc__)


@check("info names a telephone that emulates a card")
def telephone(folder):
    seen = json_object(nfcprog("info", "--json", "--reader", "sim:phone"))
    expect(any(each["code"] == "product" and "phone" in each["text"] for each in seen["findings"]), str(seen))
