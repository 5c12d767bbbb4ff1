"""FeliCa Lite and Lite-S: nfcpy and nfcprog read, write, format and lock the same tags, byte for byte.

Run as a program it is nfcpy's side of that: felica.py TTY read | write HEX | format | protect | rights BLOCK. Prints what nfcpy
sees in the end: the message in hexadecimal; with `rights` whether nfcpy takes the tag for one that can be written (writable,
read-only, no-ndef), and whether the tag takes BLOCK with its own content (taken, refused).
"""

import json
import sys
from pathlib import Path

from support import Simulation, check, expect, expect_equal, json_object, memory, nfcprog, program, raw_message, write_message
from tags import uri_message

LITE = [("felica-lite", "012e4ce102030405"), ("felica-lite-s", "012e4ce102030406")]
CAPACITY = 208
URL = "https://example.com/t/1"


def nfcpy(board, *words):
    """Runs nfcpy on the board and returns the words that it prints."""
    outcome = program(sys.executable, Path(__file__), board.port, *words)
    expect(outcome.status == 0, str(outcome))
    return outcome.output.split()


def read_by_nfcpy(tag):
    with Simulation(tag) as board:
        return bytes.fromhex("".join(nfcpy(board, "read")))


for name, idm in LITE:
    for size in (20, 100, CAPACITY):

        @check(f"nfcpy reads {size} bytes that nfcprog wrote to a blank {name}")
        def read(folder, name=name, idm=idm, size=size):
            message = folder / "message.ndef"
            message.write_bytes(uri_message(size))
            tag = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
            seen = write_message(f"sim:{tag}", message)
            expect_equal((seen["result"], seen["capacity"], seen["verified"]), ("written", CAPACITY, True), "report")
            expect_equal(read_by_nfcpy(tag), message.read_bytes(), "message")

    @check(f"nfcprog reads what nfcpy wrote to a {name}, and writes over it")
    def write(folder, name=name, idm=idm):
        tag = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        nfcprog("format-felica", "--reader", f"sim:{tag}")
        for size in (40, CAPACITY, 5):
            message = uri_message(size)
            with Simulation(tag) as board:
                expect_equal(nfcpy(board, "write", message.hex()), [message.hex()], "message read by nfcpy")
                expect_equal(raw_message(board.port, folder), message, "message on the running board")
            expect_equal(raw_message(f"sim:{tag}", folder), message, "message")
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        expect_equal(read_by_nfcpy(tag)[5:], b"example.com/t/1", "URL")

    @check(f"nfcpy and nfcprog format a {name} to the same bytes, and neither changes the other's")
    def format_both(folder, name=name, idm=idm):
        ours, other = folder / "ours.txt", folder / "other.txt"
        head = f"{name},content=blank,uid={idm},file="
        nfcprog("format-felica", "--reader", f"sim:{head}{ours}")
        with Simulation(f"{head}{other}") as board:
            nfcpy(board, "format")
        expect_equal(memory(ours), memory(other), "memory")
        seen = json_object(nfcprog("format-felica", "--json", "--reader", f"sim:{head}{other}"))
        expect_equal((seen["result"], seen["ndefStatus"], seen["capacity"]), ("unchanged", "readWrite", CAPACITY), "report")
        with Simulation(f"{head}{ours}") as board:
            expect_equal(nfcpy(board, "rights", "0")[0], "writable", "nfcpy's word on the tag")

    @check(f"the same message written by nfcpy and by nfcprog leaves a {name} with the same bytes")
    def same_bytes(folder, name=name, idm=idm):
        images = []
        for writer in ("nfcprog", "nfcpy"):
            tag = f"{name},content=blank,uid={idm},file={folder / writer}"
            nfcprog("format-felica", "--reader", f"sim:{tag}")
            for size in (CAPACITY, 33):
                (folder / "message.ndef").write_bytes(uri_message(size))
                if writer == "nfcprog":
                    write_message(f"sim:{tag}", folder / "message.ndef")
                else:
                    with Simulation(tag) as board:
                        nfcpy(board, "write", uri_message(size).hex())
            images.append(memory(folder / writer))
        expect_equal(images[0], images[1], "memory")

    @check(f"a {name} that nfcprog locked is read by nfcpy, which takes it for read-only and can write no block")
    def lock(folder, name=name, idm=idm):
        tag = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        seen = json_object(nfcprog("write-url", URL, "--lock", "--json", "--reader", f"sim:{tag}"))
        expect_equal((seen["ndefStatus"], seen["locked"]), ("readOnly", True), "report")
        locked = memory(folder / "tag.txt")
        for block in (0, 1, 13, 0x88):
            with Simulation(tag) as board:
                expect_equal(nfcpy(board, "rights", block), ["read-only", "refused"], f"rights to block {block}")
        expect_equal(memory(folder / "tag.txt"), locked, "memory")
        expect_equal(read_by_nfcpy(tag)[5:], b"example.com/t/1", "URL")
        expect_equal(json_object(nfcprog("lock", "--json", "--reader", f"sim:{tag}"))["result"], "unchanged", "lock again")
        nfcprog("write-url", URL + "0", "--reader", f"sim:{tag}", status=77)

    @check(f"a {name} that nfcpy left half written is named by nfcprog, and finished by a write")
    def half_written(folder, name=name, idm=idm):
        tag = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        nfcprog("format-felica", "--url", URL, "--reader", f"sim:{tag}")
        with Simulation(tag) as board:
            nfcpy(board, "begin")
        with Simulation(tag) as board:
            expect_equal(nfcpy(board, "rights", "1")[0], "no-ndef", "nfcpy's word on the tag")
        seen = json_object(nfcprog("info", "--json", "--reader", f"sim:{tag}"))
        expect("half-written" in [finding["code"] for finding in seen["findings"]], f"findings {seen['findings']}")
        expect(not seen.get("records"), "a half-written message was shown")
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        expect_equal(read_by_nfcpy(tag)[5:], b"example.com/t/1", "URL")

    @check(f"passwords, other families' commands and messages that are too long are refused on a {name}, which stays as it is")
    def refusals(folder, name=name, idm=idm):
        tag = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        before = memory(folder / "tag.txt")
        (folder / "long.ndef").write_bytes(uri_message(CAPACITY + 1))
        for words in (
            ("protect", "--set-password", "01020304"), ("unprotect", "--password", "01020304"), ("format-classic",),
            ("write", "--ndef", folder / "long.ndef"), ("write-url", URL, "--set-password", "01020304"),
            ("write-pages", "--page", "5", "01020304"),
        ):
            nfcprog(*words, "--reader", f"sim:{tag}", status=65)
        expect_equal(memory(folder / "tag.txt"), before, "memory")

    @check(f"a dump of a {name} goes onto another one, in each format that has a form for it")
    def dumps(folder, name=name, idm=idm):
        source = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        nfcprog("write-url", URL, "--reader", f"sim:{source}")
        for suffix in ("nfc", "bin"):
            nfcprog("dump", folder / f"dump.{suffix}", "--reader", f"sim:{source}")
            copy = f"{name},content=blank,uid=012e4ce1aabbccdd,file={folder / suffix}"
            nfcprog("restore", folder / f"dump.{suffix}", "--reader", f"sim:{copy}")
            expect_equal(read_by_nfcpy(copy), read_by_nfcpy(source), f"message from the .{suffix}")
            expect_equal(memory(folder / suffix)[:14 * 16], memory(folder / "tag.txt")[:14 * 16], "user memory")
        for suffix in ("json", "mct"):
            nfcprog("dump", folder / f"dump.{suffix}", "--reader", f"sim:{source}", status=65)

    @check(f"an iPhone reads the link on a {name}, and clone copies it onto others")
    def clone(folder, name=name, idm=idm):
        source = f"{name},content=blank,uid={idm},file={folder / 'tag.txt'}"
        nfcprog("write-url", URL, "--reader", f"sim:{source}")
        seen = json_object(nfcprog("info", "--json", "--reader", f"sim:{source}"))
        expect_equal((seen["iphone"]["uri"], seen["iphone"]["opens"]), (URL, "app or browser"), "iPhone")
        expect("findings" not in seen, f"findings {seen.get('findings')}")
        copy = f"{name},content=blank,uid=012e4ce1aabbccdd,file={folder / 'copy.txt'}"
        outcome = nfcprog("clone", "--from", folder / "tag.txt", "--count", "1", "--json", "--reader", f"sim:{copy}")
        target = [json.loads(line) for line in outcome.output.splitlines() if "target" in line][-1]
        expect_equal((target["result"], target["verified"]), ("written", True), "copy")
        expect_equal(read_by_nfcpy(copy), read_by_nfcpy(source), "message")


# nfcpy's side.

def main():
    import nfc.clf
    import nfc.tag
    from nfcpy_tag import open_board, take_speed

    path, action = sys.argv[1:3]
    take_speed()
    frontend, _ = open_board(path)
    try:
        target = frontend.sense(nfc.clf.RemoteTarget("212F"), iterations=3, interval=0.1)
        if target is None:
            sys.exit("no tag")
        tag = nfc.tag.activate(frontend, target)
        if action == "rights":
            return print(*rights(tag, int(sys.argv[3])))
        if action == "format":
            return sys.exit(0 if tag.format() else "nfcpy did not format it")
        if action == "begin":
            return begin(tag)
        if tag.ndef is None:
            sys.exit(f"no NDEF tag: {tag}")
        if action == "write":
            tag.ndef.octets = bytes.fromhex(sys.argv[3])
        print(tag.ndef.octets.hex())
    finally:
        frontend.close()


def rights(tag, block):
    import nfc.tag

    ndef = "no-ndef" if tag.ndef is None or not tag.ndef.is_readable else "writable" if tag.ndef.is_writeable else "read-only"
    content = tag.read_without_mac(block)
    try:
        tag.write_without_mac(content, block)
    except nfc.tag.TagCommandError:
        return ndef, "refused"
    return ndef, "taken"


def begin(tag):
    """Starts to write a message, and leaves off."""
    attributes = tag.ndef._read_attribute_data()
    attributes["writef"] = 0x0F
    tag.ndef._write_attribute_data(attributes)
    tag.write_without_mac(b"?" * 16, 1)


if __name__ == "__main__":
    main()
