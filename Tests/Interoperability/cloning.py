"""clone: from a tag or a file onto tags of every type, read back by nfcpy and libfreefare; what it leaves alone."""

import json
import signal
import subprocess
import time

from interruptions import end, start
from freefare_peers import freefare_reads
from nfcpy_peers import nfcpy
from support import (
    LIMIT, Simulation, binary, check, expect, expect_equal, json_object, memory, nfcprog, raw_message,
    write_message)

URL = "https://example.com/t/1"
APP = "Q7K2M9P4ZX.com.example.app"
PLAIN = bytes.fromhex("d1011055046578616d706c652e636f6d2f742f31")


def record(flags, kind, payload):
    return bytes([flags, len(kind), len(payload)]) + kind + payload


def four_records(kind):
    """A private type, two Android application records, and the link last."""
    return (
        record(0x94, kind, b"\x01\x02\x03")
        + record(0x14, b"android.com:pkg", b"com.xiaomi.smarthome")
        + record(0x14, b"android.com:pkg", b"com.xiaomi.mi_connect_service")
        + record(0x51, b"U", b"\x04g.home.mi.com"))


# 142 bytes: five more than a factory NTAG213 takes.
LONG = four_records(b"com.xiaomi.smarthome:externaltype")
SHORT = four_records(b"mi.com:touch")
MESSAGES = [("one URI", PLAIN), ("four records", SHORT), ("four long records", LONG)]

TARGETS = [
    ("ntag213", 137), ("ntag215", 492), ("ultralight-ev1-21", 126), ("ultralight-ev1-11", 46), ("classic1k", 716)]


def source(folder, message, product="ntag215"):
    """A tag that holds `message`, as a turn on a simulated reader."""
    path = folder / "source.ndef"
    path.write_bytes(message)
    tag = f"{product},uid=04a1b2c3d4e5f6,file={folder / 'source.tag'}"
    write_message(f"sim:{tag}", path)
    return tag


def turns(*tags):
    return "sim:" + ",then=".join(tags)


def objects(outcome):
    return [json.loads(line) for line in outcome.output.splitlines()]


for name, message in MESSAGES:

    @check(f"clone of {name} onto factory tags of every family: each holds it byte for byte, as nfcpy and libfreefare read it")
    def clone(folder, message=message):
        first = source(folder, message)
        before = (folder / "source.tag").read_bytes()
        files = [f"{product},file={folder / product}.tag" for product, _ in TARGETS]
        good = [(product, file) for (product, capacity), file in zip(TARGETS, files) if capacity >= len(message)]
        outcome = nfcprog("clone", "--count", len(good), "--json", "--reader", turns(first, *files))
        seen = objects(outcome)
        expect_equal(seen[0]["role"], "source", "role of the first object")
        expect_equal(seen[0]["iphone"]["opens"], "app or browser", "what an iPhone does")
        expect_equal({item["command"] for item in seen}, {"clone"}, "command")
        wanted = {
            product: "written" if capacity >= len(message) else "failed" for product, capacity in TARGETS}
        results = {item["tag"]: item["result"] for item in seen[1:]}
        expect_equal(results, {tag: wanted[tag] for tag in results}, "results")
        expect(set(results) >= {product for product, _ in good}, f"results: {results}")
        for item in seen[1:]:
            if item["result"] == "failed":
                expect_equal(item["error"]["code"], 65, "too small")
                expect(str(len(message)) in item["error"]["message"], str(item))
            else:
                expect(item["verified"] and item["length"] == len(message), str(item))
        expect_equal((folder / "source.tag").read_bytes(), before, "the source")
        for product, file in good:
            with Simulation(file) as board:
                peer = freefare_reads(board, folder) if product == "classic1k" else nfcpy(board, "read")
            expect_equal(peer, message, f"message on {product}")


@check("clone keeps IDs, chunks and long length fields byte for byte")
def odd_bytes(folder):
    # An ID, an ID of no bytes, a length of four bytes for a short payload, a record in two chunks.
    message = (
        bytes([0x99, 1, 12, 2]) + b"U" + b"u1" + b"\x04example.com"
        + bytes([0x1C, 3, 1, 0]) + b"a:b" + b"\x07"
        + bytes([0x04, 3]) + (2).to_bytes(4, "big") + b"c:d" + b"\x01\x02"
        + bytes([0x34, 3, 2]) + b"e:f" + b"\x01\x02" + bytes([0x56, 0, 1]) + b"\x03")
    path = folder / "message.ndef"
    path.write_bytes(message)
    for product in ("ntag213", "classic1k"):
        tag = f"sim:{product},file={folder / product}.tag"
        nfcprog("clone", "--from", path, "--any-content", "--count", "1", "--reader", tag)
        expect_equal(raw_message(tag, folder), message, f"message on {product}")
        again = json_object(nfcprog(
            "clone", "--from", path, "--any-content", "--count", "1", "--json", "--reader", tag))
        expect_equal(again["result"], "unchanged", "second run")


@check("clone writes neither the source nor a tag twice, and no tag of two; all are named, and the run goes on")
def left_alone(folder):
    first = source(folder, PLAIN)
    other = f"ntag213,uid=04010203040506,file={folder / 'other.tag'}"
    last = f"ntag213,uid=04010203040507,file={folder / 'last.tag'}"
    pair = "ntag213+ntag213,uid=04aaaaaaaaaaaa+04bbbbbbbbbbbb"
    before = (folder / "source.tag").read_bytes()
    outcome = nfcprog(
        "clone", "--count", "2", "--json", "--reader", turns(first, other, first, other, pair, last))
    seen = objects(outcome)
    expect_equal([item.get("uid") for item in seen],
                 ["04a1b2c3d4e5f6", "04010203040506", None, "04010203040507"], "UIDs")
    expect_equal(seen[2]["error"]["code"], 74, "two tags")
    for uid in ("04:AA:AA:AA:AA:AA:AA", "04:BB:BB:BB:BB:BB:BB"):
        expect(uid in seen[2]["error"]["message"] and uid in outcome.errors, str(outcome))
    expect("04:A1:B2:C3:D4:E5:F6 is the source" in outcome.errors, str(outcome))
    expect("04:01:02:03:04:05:06 was already done" in outcome.errors, str(outcome))
    expect("2 tags written" in outcome.errors and "1 time several at once" in outcome.errors, str(outcome))
    expect_equal((folder / "source.tag").read_bytes(), before, "the source")


@check("clone takes its source from a message, JSON, a virtual tag, and dumps of both families")
def sources(folder):
    ndef, printed = folder / "message", folder / "printed"
    ndef.write_bytes(SHORT)
    for product in ("ntag213", "classic1k"):
        image, dump = folder / f"{product}.tag", folder / f"{product}.dump"
        write_message(f"sim:{product},file={image}", ndef)
        dump.write_bytes(memory(image))
        printed.write_text(nfcprog("read", "--json", "--reader", f"sim:{product},file={image}").output)
        for number, file in enumerate((ndef, printed, image, dump)):
            tag = f"sim:ntag216,file={folder / f'{product}{number}.tag'}"
            nfcprog("clone", "--from", file, "--count", "1", "--reader", tag)
            expect_equal(raw_message(tag, folder), SHORT, f"message from {file.name}")


WRONG_SOURCES = [
    ("a text", b"this is no tag\n", "is not a source"),
    ("half a message", SHORT[:-1], "is not a source"),
    ("other JSON", b'{"applinks": {}}\n', "No tag in"),
    ("broken JSON", b'{"records": [\n', "looks like JSON"),
    ("a blank dump", bytes.fromhex("041122bf3344556644480000") + bytes(168), "no NDEF message"),
    ("nothing", b"", "is not a source"),
]

for what, content, words in WRONG_SOURCES:

    @check(f"clone --from {what}: 65, explained before a reader is opened")
    def wrong_source(folder, content=content, words=words):
        path = folder / "file"
        path.write_bytes(content)
        outcome = nfcprog("clone", "--from", path, "--reader", "/dev/ttyUSB99", status=65)
        expect(words in outcome.errors and outcome.output == "", str(outcome))


@check("clone of a tag that wakes no app: 65 with the reason and one object, nothing written; --any-content copies it")
def no_wake_app(folder):
    first = source(folder, record(0xD1, b"U", b"\x05+123"))
    target = f"ntag213,file={folder / 'target.tag'}"
    outcome = nfcprog("clone", "--json", "--count", "1", "--reader", turns(first, target), status=65)
    seen = json_object(outcome)
    expect_equal((seen["result"], seen["error"]["code"], seen["uid"]), ("failed", 65, "04a1b2c3d4e5f6"), "object")
    expect("Phone" in seen["error"]["message"], str(seen))
    nfcprog("clone", "--any-content", "--count", "1", "--reader", turns(first, target))
    expect_equal(raw_message(f"sim:{target}", folder), record(0xD1, b"U", b"\x05+123"), "message")


@check("clone of a tag that shows its UID in the message gives each copy its own, from the tag, its file and its JSON")
def mirror(folder):
    first = source(folder, record(0xD1, b"U", b"\x04example.com/?u=00000000000000"), "ntag213")
    # The mirror shows 14 digits from page 10, byte 3 on (NTAG213, 8.7), over a placeholder of another program's.
    nfcprog("write-pages", "--page", "41", "74000aff", "--force", "--reader", f"sim:{first}")
    printed = folder / "source.json"
    printed.write_text(nfcprog("read", "--json", "--reader", f"sim:{first}").output)
    stored = first.split("file=")[1]
    for number, origin in enumerate([[], ["--from", printed], ["--from", stored]]):
        copy = f"ntag215,file={folder / f'copy{number}'}"
        nfcprog("clone", "--any-content", "--count", "1", *origin, "--reader",
                f"sim:{copy}" if origin else turns(first, copy))
        seen = json_object(nfcprog("read", "--json", "--reader", f"sim:{copy}"))
        expect_equal(seen["records"][0]["uri"], f"https://example.com/?u={seen['uid'].upper()}", "link")
        expect_equal(seen["mirror"]["content"], "uid", "mirror")
    nfcprog("clone", "--any-content", "--count", "1", "--from", printed, "--timeout", "0", "--reader", "sim:ntag203", status=65)


@check("clone onto a tag that shows its UID in the message ends that; where that is frozen: 77, untouched, and the run goes on")
def mirrored_target(folder):
    first = source(folder, PLAIN)
    target = f"ntag213,file={folder / 'target.tag'}"
    # Over the record's type and the link, and frozen (NTAG213, 8.5.7 and 8.7).
    nfcprog("write-pages", "--page", "41", "640006ff40050000", "--force", "--reader", f"sim:{target}")
    before = (folder / "target.tag").read_bytes()
    outcome = nfcprog("clone", "--count", "1", "--json", "--reader", turns(first, target, "ntag213"))
    seen = objects(outcome)
    expect_equal([item["result"] for item in seen], ["read", "failed", "written"], "results")
    expect_equal(seen[1]["error"]["code"], 77, "code")
    expect("mirror" in seen[1]["error"]["message"], str(seen[1]))
    expect_equal((folder / "target.tag").read_bytes(), before, "the tag")
    outcome = nfcprog("write-url", URL, "--reader", f"sim:{target}", status=77)
    expect("mirror" in outcome.errors, str(outcome))
    other = f"ntag213,file={folder / 'other.tag'}"
    nfcprog("write-pages", "--page", "41", "640006ff", "--force", "--reader", f"sim:{other}")
    nfcprog("clone", "--count", "1", "--reader", turns(first, other))
    seen = json_object(nfcprog("read", "--json", "--reader", f"sim:{other}"))
    expect("mirror" not in seen and not seen.get("findings"), str(seen))


@check("clone with nobody to take its results ends with 73 after the tag in hand; a full disk is noticed everywhere")
def nobody_listens(folder):
    first = source(folder, PLAIN)
    program = binary()
    words = f"{program} clone --json --timeout 5 --reader {turns(first, 'ntag213*40')}"
    for shell in (f"{words} | head -n 1; exit ${{PIPESTATUS[0]}}", f"{words} >/dev/full", f"{words} >&-"):
        outcome = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=LIMIT)
        expect_equal(outcome.returncode, 73, f"exit status of {shell} ({outcome.stderr})")
        expect(outcome.stderr.count("written and verified") <= 5, outcome.stderr)
        expect("Standard output cannot be written" in outcome.stderr, outcome.stderr)
    words = f"{program} make-aasa --app-id {APP} >/dev/full"
    expect_equal(subprocess.run(words, shell=True, capture_output=True).returncode, 73, "make-aasa")


@check("clone --aasa --app-id: a link that the file gives to the app is copied, any other refused, 65")
def claims(folder):
    association = folder / "association"
    association.write_text(json.dumps(
        {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/t/*"}]}]}}))
    first = source(folder, PLAIN)
    target = f"ntag213,file={folder / 'target.tag'}"
    words = ["clone", "--count", "1", "--aasa", association, "--domain", "example.com", "--reader", turns(first, target), "--app-id"]
    outcome = nfcprog(*words, "Q7K2M9P4ZX.com.example.other", status=65)
    expect("Nothing was copied" in outcome.errors, str(outcome))
    outcome = nfcprog(*words, APP)
    expect(f"{URL} wakes {APP}." in outcome.output, str(outcome))
    expect_equal(raw_message(f"sim:{target}", folder), PLAIN, "message")


@check("clone ends with 0 when no further tag comes and one was written, with 75 when none or too few were")
def endings(folder):
    first = source(folder, PLAIN)
    target = f"ntag213,file={folder / 'target.tag'}"
    wait = ["--timeout", "0.5", "--reader"]
    outcome = nfcprog("clone", *wait, turns(first, target))
    expect("1 tag written" in outcome.output, str(outcome))
    nfcprog("clone", *wait, turns(first, "ultralight*1"))
    nfcprog("clone", "--count", "2", *wait, turns(first, target), status=75)
    nfcprog("clone", *wait, turns(first), status=75)
    # A blank DESFire has to be formatted first, and is no source either.
    outcome = nfcprog("clone", *wait, turns(first, "desfire-ev1"), status=77)
    expect_equal(outcome.errors.count("failed."), 1, "how often it is told of")
    nfcprog("clone", *wait, turns("desfire-ev1", target), status=65)


@check("clone --dry-run plans every tag and writes none")
def dry_run(folder):
    first = source(folder, PLAIN)
    target = f"ntag213,file={folder / 'target.tag'}"
    nfcprog("info", "--reader", f"sim:{target}")
    before = (folder / "target.tag").read_bytes()
    outcome = nfcprog("clone", "--dry-run", "--count", "1", "--json", "--reader", turns(first, target))
    plan = objects(outcome)[1]
    expect(plan["result"] == "planned" and plan["plan"]["writes"] == 6, str(plan))
    expect_equal((folder / "target.tag").read_bytes(), before, "the tag")


@check("clone over a reel with odd ones in it: all but those are written, and the sum says so")
def reel(folder):
    first = source(folder, SHORT)
    outcome = nfcprog(
        "clone", "--json", "--timeout", "1", "--reader", turns(first, "ntag213*40,bad=5%,wrong=5%"))
    seen = objects(outcome)[1:]
    expect_equal(len({item["uid"] for item in seen}), 40, "tags")
    results = [item["result"] for item in seen]
    expect(len({item["tag"] for item in seen}) == 3, "there should be three products")
    expect(results.count("written") == 38 and results.count("failed") == 2, f"{results}")
    expect("38 tags written, 2 failed" in outcome.errors and "tags an hour" in outcome.errors, outcome.errors)


@check(
    "Ctrl-C between tags ends clone with its sum: 0 when a tag was written, 130 when --count still wants more", alone=True)
def interrupted_between(folder):
    first = source(folder, PLAIN)
    for more, status in ([], 0), (["--count", "2"], 130):
        cloning = start("clone", *more, "--json", "--reader", turns(first, "ntag213"), settle=2.0)
        cloning.send_signal(signal.SIGINT)
        output, errors = cloning.communicate(timeout=LIMIT)
        expect_equal(cloning.returncode, status, f"exit status ({errors})")
        expect("1 tag written" in errors, errors)
        expect_equal(len(output.splitlines()), 2, "objects")


@check("Ctrl-C in the middle of a tag ends clone: 130, and the next run finishes that tag", alone=True)
def interrupted_within(folder):
    message, image = folder / "message.ndef", folder / "target.tag"
    message.write_bytes(SHORT)
    with Simulation(f"classic1k,file={image}", "--realtime") as board:
        trace = folder / "trace.jsonl"
        cloning = start("clone", "--from", message, "--reader", board.port, "--trace", trace, settle=0)
        deadline = time.monotonic() + LIMIT
        while not trace.exists() or trace.read_text().count('"4001a0') < 5:
            expect(time.monotonic() < deadline, "5 blocks were not written in time")
            time.sleep(0.01)
        end(cloning, signal.SIGINT)
    nfcprog("clone", "--from", message, "--count", "1", "--reader", f"sim:classic1k,file={image}")
    expect_equal(raw_message(f"sim:classic1k,file={image}", folder), SHORT, "message")
