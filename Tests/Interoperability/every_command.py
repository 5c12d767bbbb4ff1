#!/usr/bin/env python3
"""Every command once, in twelve checks that take seconds: what `Tests/run --quick` runs of the interoperability checks.

usage: every_command.py --binary NFCPROG [WORD...]   (or with all others, by `run`)
"""

import json
import re

from agents import Agent
from series import key_pair
from support import Simulation, binary, check, expect, expect_equal, json_object, nfcprog, program, quick_check, quick_commands

APP = "9JA89QQLNQ.org.tagworks.demo"
LINK = "https://www.example.com/t/1"
SERVED = {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/t/*"}]}]}}


def tag(folder, kind, name="tag.txt"):
    return f"sim:{kind},file={folder / name}"


def message(folder, kind="ntag213", name="tag.txt"):
    """What `read` says of the first record."""
    return json_object(nfcprog("read", "--json", "--reader", tag(folder, kind, name)))["records"][0]


@quick_check("readers, info, read, write-url and write: a message goes on a tag and comes back", "readers info read write-url write")
def messages(folder):
    reader = tag(folder, "ntag213")
    nfcprog("readers", "--json")
    expect("ntag213" in nfcprog("info", "--reader", reader).output, "info")
    seen = json_object(nfcprog("write-url", LINK, "--json", "--reader", reader))
    expect_equal((seen["result"], seen["verified"]), ("written", True), "write-url")
    expect_equal(message(folder)["uri"], LINK, "read")
    raw = folder / "message.ndef"
    nfcprog("read", "--raw", raw, "--reader", reader)
    other = tag(folder, "classic1k", "other.txt")
    nfcprog("write", "--ndef", raw, "--reader", other)
    nfcprog("read", "--raw", folder / "again.ndef", "--reader", other)
    expect_equal((folder / "again.ndef").read_bytes(), raw.read_bytes(), "the message on another tag")


@quick_check("protect, unprotect, erase and lock: who may write, and for how long", "protect unprotect erase lock write-url info")
def rights(folder):
    reader = tag(folder, "ntag213")
    nfcprog("write-url", LINK, "--reader", reader)
    nfcprog("protect", "--set-password", "11223344", "--reader", reader)
    nfcprog("write-url", LINK + "2", "--reader", reader, status=77)
    nfcprog("unprotect", "--password", "11223344", "--reader", reader)
    nfcprog("write-url", LINK + "3", "--reader", reader)
    nfcprog("erase", "--reader", reader)
    expect(json_object(nfcprog("info", "--json", "--reader", reader))["content"] == "empty", "info after erase")
    nfcprog("lock", "--force", "--reader", reader)
    nfcprog("write-url", LINK + "4", "--reader", reader, status=77)
    expect("readOnly" in nfcprog("info", "--json", "--reader", reader).output, "info")


@quick_check("write-pages, dump, restore and clone: a memory goes to a file and to other tags", "write-pages write-url dump restore clone read info diff")
def memories(folder):
    first = tag(folder, "ntag213")
    nfcprog("write-url", LINK, "--reader", first)
    nfcprog("write-pages", "--page", "30", "CAFE0102", "--reader", first)
    nfcprog("dump", folder / "tag.bin", "--reader", first)
    expect_equal((folder / "tag.bin").read_bytes()[120:124].hex(), "cafe0102", "page 30")
    nfcprog("restore", folder / "tag.bin", "--reader", tag(folder, "ntag213", "second.txt"))
    expect_equal(json_object(nfcprog("info", folder / "tag.bin", "--json"))["records"][0]["uri"], LINK, "info FILE")
    nfcprog("diff", folder / "tag.bin", "--reader", first)
    nfcprog("diff", folder / "tag.bin", "--reader", "sim:ntag213", status=76)
    expect_equal(json_object(nfcprog("read", "--json", "--reader", tag(folder, "ntag213", "tag.bin")))["records"][0]["uri"], LINK, "a dump as a virtual tag")
    expect_equal(message(folder, name="second.txt")["uri"], LINK, "restore")
    nfcprog("clone", "--from", folder / "tag.bin", "--count", "1", "--reader", tag(folder, "ntag215", "third.txt"))
    expect_equal(message(folder, "ntag215", "third.txt")["uri"], LINK, "clone")


@quick_check("format-classic, write-blocks and reset-classic: a card becomes an NDEF tag and is one no more",
             "format-classic write-blocks reset-classic info")
def classic(folder):
    reader = tag(folder, "classic1k")
    nfcprog("write-blocks", "--block", "60", "00112233445566778899AABBCCDDEEFF", "--reader", reader)
    nfcprog("format-classic", "--reader", reader, status=77)
    nfcprog("write-blocks", "--block", "60", "00" * 16, "--reader", reader)
    nfcprog("format-classic", "--reader", reader)
    expect("readWrite" in nfcprog("info", "--json", "--reader", reader).output, "format-classic")
    nfcprog("reset-classic", "--reader", reader)
    expect("readWrite" not in nfcprog("info", "--json", "--reader", reader).output, "reset-classic")


@quick_check("format-felica, format-type4, and an NTAG 424 that proves itself and is reset: reset-sdm, verify-sun",
             "format-felica format-type4 write-url read verify-sun reset-sdm")
def others(folder):
    nfcprog("format-felica", "--url", LINK, "--reader", tag(folder, "felica-lite-s", "felica.txt"))
    expect_equal(message(folder, "felica-lite-s", "felica.txt")["uri"], LINK, "format-felica")
    nfcprog("format-type4", "--reader", tag(folder, "desfire-ev1", "desfire.txt"))
    keys = folder / "series.keys"
    keys.write_text("scheme = fixed\n" + "".join(f"key{n} = {n + 1:032x}\n" for n in range(5)))
    keys.chmod(0o600)
    template = "https://example.com/t?e={picc}&c={mac}"
    reader = tag(folder, "ntag424", "proof.txt")
    nfcprog("write-url", template, "--sdm", "--keys", keys, "--reader", reader)
    shown = message(folder, "ntag424", "proof.txt")["uri"]
    verdict = json_object(nfcprog("verify-sun", shown, "--keys", keys, "--template", template, "--json"))
    expect_equal(verdict["result"], "genuine", str(verdict))
    nfcprog("verify-sun", shown[:-1] + ("0" if shown[-1] != "0" else "1"), "--keys", keys, "--template", template, status=77)
    nfcprog("reset-sdm", "--keys", keys, "--reader", reader)


@quick_check("apdu and transceive: a card and a tag answer byte for byte", "apdu transceive")
def raw(folder):
    seen = json_object(nfcprog(
        "apdu", "--aid", "D2760000850101", "00A4000C02E103", "00B000000F", "--json", "--reader", "sim:type4"))
    expect_equal([answer["sw1"] + answer["sw2"] for answer in seen["answers"]], ["9000"] * 3, "apdu")
    seen = json_object(nfcprog("transceive", "60", "--json", "--reader", "sim:ntag213"))
    expect_equal(seen["answers"][0]["answer"], "0004040201000f03", "transceive")


@quick_check("make-aasa, lint-aasa, check-link, make-assetlinks and phone agree on what a link opens",
             "make-aasa lint-aasa check-link make-assetlinks write-url phone")
def links(folder):
    file = folder / "apple-app-site-association"
    file.write_text(nfcprog("make-aasa", "--app-id", APP, "--path", "/t/*").output)
    expect_equal(json.loads(file.read_text()), SERVED, "make-aasa")
    nfcprog("lint-aasa", file)
    words = ["--aasa", file, "--app-id", APP]
    seen = json_object(nfcprog("check-link", LINK, *words, "--domain", "www.example.com", "--json"))
    expect_equal((seen["wakesApp"], seen["opens"]), (True, "app"), "check-link")
    nfcprog("check-link", "https://www.example.com/u/1", *words, "--domain", "www.example.com", status=65)
    made = json.loads(nfcprog("make-assetlinks", "--android-app", "org.tagworks.demo," + ":".join(["AB"] * 32)).output)
    expect_equal(made[0]["target"]["package_name"], "org.tagworks.demo", "make-assetlinks")
    reader = tag(folder, "ntag213")
    nfcprog("write-url", LINK, "--reader", reader)
    shown = json_object(nfcprog("phone", *words, "--assume-served", "--json", "--quiet", "--reader", reader))
    expect_equal((shown["outcome"], shown["uri"]), ("wakes", LINK), "phone")


@quick_check("provision, report, journal, audit, collect and rewrite: three tags of a list, and what is known of them",
             "provision read info report journal audit collect rewrite verify-proof verify-hmac")
def series(folder):
    journal = folder / "journal"
    reader = ",then=".join(f"sim:ntag213,file={folder / f'{number}.txt'}"[0 if number == 1 else 4:] for number in (1, 2, 3))
    nfcprog("provision", "--range", "1..3", "--template", "https://example.com/t/{code}", "--journal", journal, "--reader", reader)
    expect_equal([message(folder, name=f"{n}.txt")["uri"][-1] for n in (1, 2, 3)], ["1", "2", "3"], "tags")
    lines = [json.loads(line) for line in nfcprog("report", "--journal", journal, "--json").output.splitlines()]
    expect_equal(len([line for line in lines if line.get("outcome") == "written" and "columns" in line]), 3, "report")
    nfcprog("journal", "verify", journal)
    nfcprog("audit", "--journal", journal, "--reader", tag(folder, "ntag213", "2.txt"))
    key_pair(folder / "key", folder / "public")
    uid = json_object(nfcprog("info", "--json", "--reader", tag(folder, "ntag213", "2.txt")))["uid"]
    (folder / "proof").write_text(nfcprog("journal", "prove", uid, "--journal", journal, "--key", folder / "key").output)
    nfcprog("verify-proof", folder / "proof", "--key", folder / "public", "--journal", journal)
    (folder / "hmac").write_text("07" * 32)
    (folder / "hmac").chmod(0o600)
    nfcprog("provision", "--range", "1..1", "--template", f"https://example.com/{{random:12}}?h={{hmac:{folder / 'hmac'}}}", "--reader", tag(folder, "ntag213", "coded.txt"))
    nfcprog("verify-hmac", message(folder, name="coded.txt")["uri"], "--key", folder / "hmac", "--uid",
            json_object(nfcprog("info", "--json", "--reader", tag(folder, "ntag213", "coded.txt")))["uid"])
    nfcprog("collect", "--expect", journal, "--count", "3", "--csv", folder / "tags.csv", "--reader", reader)
    expect_equal(len((folder / "tags.csv").read_text().splitlines()), 4, "collect")
    moved = ["rewrite", "--journal", folder / "moved", "--count", "3", "--reader", reader]
    nfcprog(*moved, "--from", "example.com", "--to", "https://example.org{rest}")
    expect_equal(message(folder, name="2.txt")["uri"], "https://example.org/t/2", "rewrite")
    nfcprog(*moved, "--undo")
    expect_equal(message(folder, name="2.txt")["uri"], "https://example.com/t/2", "rewrite --undo")


@quick_check("simulate, bring-up, trace and report-problem: a board that others open, is asked, and is told of",
             "simulate bring-up report-problem trace info")
def boards(folder):
    with Simulation("ntag213") as board:
        expect("ntag213" in nfcprog("info", "--reader", board.port).output, "simulate")
    state = {"XDG_STATE_HOME": str(folder / "state")}
    nfcprog("bring-up", "--point", "self-test", "--reader", "sim:ntag213", environment=state)
    nfcprog("info", "--trace", folder / "session.trace", "--reader", "sim:ntag213", environment=state)
    expect("READ page" in nfcprog("trace", folder / "session.trace").output, "trace")
    nfcprog("info", "--reader", f"sim:trace={folder / 'session.trace'}", environment=state)
    nfcprog("report-problem", "--output", folder / "report.txt", environment=state)
    expect("libnfc " in (folder / "report.txt").read_text(), "report-problem")


@quick_check("emulate: the board is a tag that telephones read", "emulate")
def live_tag(folder):
    seen = json_object(nfcprog("emulate", "--url", LINK, "--once", "--json", "--reader", "sim:phone=android"))
    expect_equal((seen["complete"], seen["records"][0]["uri"]), (True, LINK), "emulate")


@quick_check("serve: an agent holds a reader open for other programs, and listens to this machine alone", "serve")
def agent(folder):
    nfcprog("serve", "--listen", "0.0.0.0", status=64)
    with Agent(folder) as running:
        reader = running.reader()
        expect_equal(running.ask(f"{reader}/write-url", {"url": LINK})[2]["result"], "written", "write-url")
        expect_equal(running.ask(f"{reader}/read", {})[2]["records"][0]["uri"], LINK, "read")


@check("every command of nfcprog is in one of the quick checks", quick=True)
def complete(folder):
    listed = program(binary(), "--help").output
    names = set(re.findall(r"^  ([a-z][a-z0-9-]+)(?:  |$)", listed.split("\nOPTIONS:")[-1], re.M))
    expect(len(names) > 30, listed)
    expect_equal(sorted(names - quick_commands()), [], "commands without a quick check")


if __name__ == "__main__":
    from workers import run_alone

    run_alone(__doc__)
