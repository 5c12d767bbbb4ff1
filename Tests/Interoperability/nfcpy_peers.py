"""nfcpy against the simulated board: what one side writes to a Type 2 tag, the other reads."""

import sys
from pathlib import Path

from support import Simulation, check, expect, expect_equal, memory, nfcprog, program, raw_message, write_message
from tags import TYPE2, uri_message

HELPER = Path(__file__).with_name("nfcpy_tag.py")


def nfcpy(board, *words):
    """Runs nfcpy on the board, at 921600 baud, and returns the message that it sees in the end."""
    outcome = program(sys.executable, HELPER, board.port, *words)
    lines = outcome.output.split()
    expect(outcome.status == 0 and len(lines) in (1, 2), str(outcome))
    expect_equal(lines[0], "921600", "speed of the line")
    return bytes.fromhex(lines[1] if len(lines) == 2 else "")


def nfcpy_both_ways(tag, capacity):
    """Checks that nfcpy and nfcprog write a short message and the longest one to `tag`, and each reads the other's."""
    for size in (20, capacity):

        @check(f"nfcpy writes {size} bytes to {tag}, and it and nfcprog read them back")
        def nfcpy_writes(folder, size=size):
            message, image = uri_message(size), f"{tag},file={folder / 'tag.txt'}"
            with Simulation(image) as board:
                expect_equal(nfcpy(board, "write", message.hex()), message, "message read by nfcpy")
            expect_equal(raw_message(f"sim:{image}", folder), message, "message read by nfcprog")

        @check(f"nfcpy reads {size} bytes that nfcprog wrote to {tag}")
        def nfcpy_reads(folder, size=size):
            message, image = folder / "message.ndef", f"{tag},file={folder / 'tag.txt'}"
            message.write_bytes(uri_message(size))
            write_message(f"sim:{image}", message)
            with Simulation(image) as board:
                expect_equal(nfcpy(board, "read"), message.read_bytes(), "message read by nfcpy")


for name, uid, _, capacity in TYPE2:
    for size in sorted({20, capacity, min(capacity, 300)}):

        @check(f"nfcpy reads {size} bytes that nfcprog wrote to {name}")
        def read(folder, name=name, size=size):
            message = folder / "message.ndef"
            message.write_bytes(uri_message(size))
            tag = f"{name},file={folder / 'tag.txt'}"
            write_message(f"sim:{tag}", message)
            with Simulation(tag) as board:
                expect_equal(nfcpy(board, "read"), message.read_bytes(), "message")

    @check(f"nfcprog reads what nfcpy wrote to {name}")
    def write(folder, name=name, capacity=capacity):
        tag = f"{name},file={folder / 'tag.txt'}"
        nfcprog("write-url", "https://example.com/t/1", "--reader", f"sim:{tag}")
        message = uri_message(min(capacity, 40))
        with Simulation(tag) as board:
            expect_equal(nfcpy(board, "write", message.hex()), message, "message read by nfcpy")
            # The same board, at 921600 baud until now, without a new start.
            expect_equal(raw_message(board.port, folder), message, "message on the running board")
        expect_equal(raw_message(f"sim:{tag}", folder), message, "message")


@check("nfcpy finds no link on a tag with a bad cell under it, which ends with 76")
def bad_cell(folder):
    tag = f"ntag213,stuck=30:3:1,file={folder / 'tag.txt'}"
    outcome = nfcprog("write-url", "https://example.com/t/12345", "--reader", f"sim:{tag}", status=76)
    expect("On the tag: an empty message;" in outcome.errors, str(outcome))
    with Simulation(tag) as board:
        expect_equal(nfcpy(board, "read"), b"", "message read by nfcpy")


@check("nfcpy reads the UID and the counter that nfcprog made an NTAG show in its link")
def mirrored(folder):
    uid = "04A1B2C3D4E5F6"
    for kind, place, shown in [("ntag212", "{mirror:uid}", uid), ("ntag215", "{mirror:counter}", "000002"),
                               ("ntag213", "{mirror:uid+counter}", uid + "x000002")]:
        tag = f"{kind},uid={uid.lower()},file={folder / kind}"
        nfcprog("write-url", f"https://example.com/t?u={place}&x", "--reader", f"sim:{tag}")
        with Simulation(tag) as board:
            seen = nfcpy(board, "read")
        expect_equal(seen[5:], f"example.com/t?u={shown}&x".encode(), f"link on {kind}")


@check("nfcpy opens an Ultralight C with the key that nfcprog gave it, and nfcprog one that nfcpy protected")
def keyed(folder):
    key, other = "00112233445566778899aabbccddeeff", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    tag = f"ultralight-c,file={folder / 'keyed'}"
    nfcprog("write-url", "https://example.com/t/1", "--set-password", key, "--reader", f"sim:{tag}")

    def nfcpy_says(*words):
        with Simulation(tag) as board:
            return program(sys.executable, HELPER, board.port, *words).output.split()[1:]

    expect_equal(nfcpy_says("rights", "6")[1], "refused", "without the key")
    expect_equal(nfcpy_says("rights", "6", key)[1], "taken", "with it")
    expect_equal(nfcpy_says("rights", "6", other)[1], "wrong-password", "with another")
    nfcprog("unprotect", "--password", key, "--reader", f"sim:{tag}")
    expect_equal(nfcpy_says("protect", other), ["True"], "protected by nfcpy")
    nfcprog("write-url", "https://example.com/t/2", "--reader", f"sim:{tag}", status=77)
    nfcprog("write-url", "https://example.com/t/2", "--password", other, "--reader", f"sim:{tag}")
    nfcprog("unprotect", "--password", other, "--reader", f"sim:{tag}")
    expect_equal(nfcpy_says("rights", "6")[1], "taken", "open again")


@check("a program on nfcpy and pycryptodome opens an Ultralight AES with nfcprog's key, and nfcprog one that it protected")
def keyed_aes(folder):
    key, other = "00112233445566778899aabbccddeeff", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    path = folder / "keyed"
    tag = f"ultralight-aes,file={path}"
    helper = HELPER.with_name("ultralight_aes_peer.py")

    def peer(*words):
        with Simulation(tag) as board:
            outcome = program(sys.executable, helper, board.port, *words)
        expect(outcome.status == 0, str(outcome))
        return outcome.output.split()

    nfcprog("write-url", "https://example.com/t/1", "--set-password", key, "--reader", f"sim:{tag}")
    pages = memory(path)[:160].hex()
    expect_equal(peer("-"), ["none", "refused", pages], "without the key")
    expect_equal(peer(key), ["taken", "taken", pages], "with it")
    expect_equal(peer(other)[:2], ["wrong-key", "refused"], "with another")
    nfcprog("protect", "--set-password", key, "--read-too", "--password", key, "--reader", f"sim:{tag}")
    expect_equal(peer("-"), ["none", "refused", "unreadable"], "reading without the key")
    expect_equal(peer(key), ["taken", "taken", pages], "reading with it")
    nfcprog("unprotect", "--password", key, "--reader", f"sim:{tag}")
    expect_equal(peer(other, "protect", other), ["taken", "taken", pages], "protected by the other program")
    nfcprog("write-url", "https://example.com/t/2", "--reader", f"sim:{tag}", status=77)
    nfcprog("write-url", "https://example.com/t/2", "--password", key, "--reader", f"sim:{tag}", status=77)
    nfcprog("write-url", "https://example.com/t/2", "--password", other, "--reader", f"sim:{tag}")
    nfcprog("unprotect", "--password", other, "--reader", f"sim:{tag}")
    expect_equal(peer("-")[:2], ["none", "taken"], "open again")
