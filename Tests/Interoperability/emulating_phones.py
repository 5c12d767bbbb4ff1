"""`emulate --phone-test`: a telephone, one message after another, and the table of what it read."""

import json
import os
import pty
import signal
import subprocess
import time

from support import LIMIT, PACE, Simulation, binary, check, expect, expect_equal, json_object, nfcprog
from target_chip import SELECT, TargetChip

NAMES = ["link", "app-clip", "wifi", "text-first"]


@check("emulate --phone-test: each message is read by the telephones that are held to it, in a table, a report and JSON")
def table(folder):
    report = folder / "phone.txt"
    words = ("emulate", "--phone-test", "--report", report, "--reader", "sim:phone=iphone+android+iphone-app+odd")
    outcome = nfcprog(*words)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in outcome.output.splitlines() if line.startswith("| ")][2:]
    expect_equal([row[0] for row in rows], NAMES, "messages")
    expect(all(row[1].startswith("all ") for row in rows), outcome.output)
    expect_equal([row[2] for row in rows], ["iphone", "android", "iphone-app", "iphone"], "readers")
    expect(all(row[4].isdigit() for row in rows), outcome.output)
    expect_equal({row[5] for row in rows}, {"not known"}, "what nobody has said")
    text = report.read_text()
    expect_equal(report.stat().st_mode & 0o777, 0o600, "mode of the report")
    for said in ("Write here: the telephone", "select the NDEF application: 00a4040007d276000085010100", "is the tag still there?: (empty)",
                 "which DESFire or NTAG 424 is it?", "an application without a name: 00a40400", "read 15 bytes from offset 0: 00b000000f", "nfcprog ", "| wifi | all "):
        expect(said in text, f"{said} in\n{text}")
    # In the order in which it was asked.
    first = text.split("link, tap 1 of 1\n")[1].split("\n\n")[0].splitlines()
    expect_equal([line.split(":")[0].strip() for line in first],
                 ["select the NDEF application", "select the capability container", "read 15 bytes from offset 0", "select the message's file",
                  "read 2 bytes from offset 0", "select the message's file", "read 24 bytes from offset 0", "read 2 bytes from offset 24", "gone"], text)
    nfcprog(*words, status=73)
    seen = json_object(nfcprog("emulate", "--phone-test", "--json", "--reader", "sim:phone=samsung*4"))
    expect_equal((seen["result"], [message["name"] for message in seen["messages"]]), ("tested", NAMES), "JSON")
    expect_equal({(message["result"], len(message["taps"]), "shown" in message) for message in seen["messages"]}, {("read", 1, False)}, "JSON")
    links = [message["taps"][0]["records"][-1].get("uri", "") for message in seen["messages"]]
    expect("appclip.apple.com" in links[1] and links[0] == links[3] != "", f"{links}")
    expect_equal(seen["messages"][3]["taps"][0]["records"][0]["type"], "T", "the text is first")


@check("emulate --phone-test: whoever leaves early is waited for, and nobody at all is said, 75", alone=True)
def absent(folder):
    seen = json_object(nfcprog("emulate", "--phone-test", "--json", "--timeout", str(4 * PACE), "--reader", "sim:phone=iphone@9+iphone,pause=400"))
    first = seen["messages"][0]
    expect_equal(([tap["result"] for tap in first["taps"]], first["result"]), (["left", "read"], "read"), str(first))
    expect_equal([message["result"] for message in seen["messages"]], ["read", "none", "none", "none"], "nobody came again")
    report = folder / "none.txt"
    outcome = nfcprog("emulate", "--phone-test", "--timeout", "0", "--report", report, "--reader", "sim:type4", status=75)
    expect("No telephone" in outcome.errors and report.read_text().count("nobody came") == 4, str(outcome))


@check("emulate --phone-test: what goes with it and what does not, and a report that cannot be written, before a board is opened")
def usage(folder):
    for words, status in (
        (("--phone-test", "--url", "https://example.com"), 64), (("--phone-test", "--count", "2"), 64), (("--phone-test", "--once"), 64),
        (("--phone-test", "--writable", folder / "w"), 64), (("--phone-test", "--follow", folder / "w"), 64),
        (("--phone-test", "--sdm", "--keys", folder / "w"), 64), (("--phone-test", "--aasa", folder / "w", "--app-id", "Q7K2M9P4ZX.com.example.app"), 64),
        (("--url", "https://example.com", "--report", folder / "r"), 64), (("--url", "https://example.com", "--timeout", "3"), 64),
        (("--phone-test", "--timeout", "-1"), 64), (("--phone-test", "--report", folder / "no" / "r"), 73), (("--phone-test", "--report", folder), 73),
        (("--phone-test", "--report", "-"), 64), (("--phone-test",), 69),
    ):
        nfcprog("emulate", *words, "--reader", "/nonexistent/board", status=status)


@check("emulate --phone-test: Ctrl-C keeps what was found until then, 130, and the board is a reader again")
def interrupted(folder):
    report = folder / "phone.txt"
    reads = SELECT + ["00b0000002", "00b0000219"]
    with TargetChip([(reads, 0x29)]) as chip:
        process = subprocess.Popen([binary(), "emulate", "--phone-test", "--json", "--report", str(report), "--reader", chip.port],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while "2 of 4" not in process.stderr.readline():
            pass
        time.sleep(0.3 * PACE)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=LIMIT)
        expect_equal(process.returncode, 130, errors)
        expect("1214" in chip.commands[-5:], f"{chip.commands}")
    seen = json.loads(output)
    expect_equal((seen["result"], [message["result"] for message in seen["messages"]]), ("interrupted", ["read", "skipped"]), output)
    expect("The test was not finished." in report.read_text(), report.read_text())


@check("emulate --phone-test: a board that is lost is said, 69, with the table of what was found")
def lost(folder):
    reads = SELECT + ["00b0000002", "00b0000219"]
    chip = TargetChip([(reads, 0x29)])
    process = subprocess.Popen([binary(), "emulate", "--phone-test", "--reader", chip.port],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "2 of 4" not in process.stderr.readline():
        pass
    chip.unplug()
    output, errors = process.communicate(timeout=LIMIT)
    expect(process.returncode == 69 and "| link | all " in output, output + errors)


@check("emulate --phone-test: at a terminal a person says what the telephone showed, and skips a message with Enter")
def person(folder):
    report = folder / "phone.txt"
    with Simulation("--phone", "iphone*2") as board:
        terminal, far = pty.openpty()
        process = subprocess.Popen([binary(), "emulate", "--phone-test", "--report", str(report), "--reader", board.port],
                                   stdin=far, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(far)

        def answer(wanted, typed):
            deadline = time.monotonic() + LIMIT
            while wanted not in (line := process.stderr.readline()):
                expect(line and time.monotonic() < deadline, f"no {wanted}")
            time.sleep(0.2)
            os.write(terminal, typed)

        answer("Did the telephone", b"y\n")
        answer("Did the telephone", b"n\n")
        answer("3 of 4", b"\n")
        answer("4 of 4", b"\n")
        output, errors = process.communicate(timeout=LIMIT)
        os.close(terminal)
    expect_equal(process.returncode, 0, errors)
    rows = [line.split("|")[1:-1] for line in output.splitlines() if line.startswith("| ")][2:]
    expect_equal([(row[1].strip().split()[0], row[5].strip()) for row in rows],
                 [("all", "yes"), ("all", "no"), ("skipped", "not known"), ("skipped", "not known")], output)
