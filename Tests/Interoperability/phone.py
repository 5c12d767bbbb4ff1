"""phone: a tag as an iPhone in the pocket reads it, and as an app's session gets it."""

import json
import os
from pathlib import Path

from support import Simulation, check, expect, expect_equal, json_object, nfcprog

APP = "Q7K2M9P4ZX.com.example.app"
FILE = f"""{{"applinks": {{"details": [{{"appIDs": ["{APP}"],
  "components": [{{"/": "/t/private/*", "exclude": true}}, {{"/": "/t/*"}}]}}]}}}}
"""
PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>NFCReaderUsageDescription</key><string>Reads tags &amp; cards.</string>
  <key>com.apple.developer.nfc.readersession.formats</key><array><string>TAG</string></array>
  <key>com.apple.developer.nfc.readersession.iso7816.select-identifiers</key>
  <array><string>D2760000850101</string></array>
  <key>com.apple.developer.nfc.readersession.felica.systemcodes</key>
  <array>SYSTEMS</array>
</dict></plist>
"""


def written(folder, url):
    tag = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("write-url", url, "--reader", tag)
    return tag


def in_pocket(folder, url, status):
    association = folder / "apple-app-site-association"
    association.write_text(FILE)
    return json_object(nfcprog(
        "phone", "--reader", written(folder, url), "--aasa", association, "--assume-served", "--app-id", APP,
        "--json", "--quiet", status=status))


def session(folder, *arguments, status=0):
    outcome = nfcprog("phone", *arguments, "--json", "--quiet", status=status)
    return [json.loads(line) for line in outcome.output.splitlines()]


def info_plist(folder, systems="<string>12FC</string>"):
    path = folder / "Info.plist"
    path.write_text(PLIST.replace("SYSTEMS", systems))
    return path


@check("phone says that a tag wakes the app, and why another one does not")
def pocket(folder):
    seen = in_pocket(folder, "https://example.com/t/1", 0)
    expect_equal((seen["outcome"], seen["appIDs"]), ("wakes", [APP]), "claimed")
    seen = in_pocket(folder, "https://example.com/t/private/1", 65)
    expect_equal((seen["outcome"], "appIDs" in seen), ("browser", False), "excluded")
    tag = written(folder, "https://example.com/t/1")
    seen = json_object(nfcprog("phone", "--reader", tag, "--json", "--quiet", status=65))
    expect_equal(seen["outcome"], "unknown", "without an association")
    seen = in_pocket(folder, "tel:+4912345", 65)
    expect_equal(seen["outcome"], "system", "telephone")


@check("phone --session prints the callbacks of an app's session as they come")
def callbacks(folder):
    lines = session(folder, "--session", "ndef", "--reader", written(folder, "https://example.com/t/1"))
    expect_equal(
        [line["callback"] for line in lines],
        ["didBecomeActive", "didDetect", "connect", "queryNDEFStatus", "readNDEF", "didInvalidateWithError"], "callbacks")
    expect_equal(lines[3]["ndefStatus"], "readWrite", "status")
    expect_equal(lines[4]["records"][0]["uri"], "https://example.com/t/1", "record")
    expect_equal(lines[5]["error"]["code"], 200, "end")


@check("phone --session --timeout 0 looks once, and reads the tag that lies there")
def one_look(folder):
    tag = written(folder, "https://example.com/t/1")
    for kind in ["ndef", "tag"]:
        lines = session(folder, "--session", kind, "--timeout", "0", "--reader", tag)
        expect_equal(lines[-2]["records"][0]["uri"], "https://example.com/t/1", f"{kind}: record")
    with Simulation() as board:
        lines = session(folder, "--session", "ndef", "--timeout", "0", "--reader", board.port, status=75)
    expect_equal(lines[-1]["error"]["code"], 201, "nothing there")


@check("phone --session tag delivers what Info.plist declares, and nothing else")
def declared(folder):
    plist = ("--session", "tag", "--poll", "iso14443,iso18092", "--info-plist", info_plist(folder))
    lines = session(folder, *plist, "--reader", "sim:type4")
    expect_equal(lines[1]["tags"][0]["detail"], "D2760000850101", "card")
    lines = session(folder, *plist, "--reader", "sim:felica-lite-s")
    expect_equal((lines[1]["tags"][0]["kind"], lines[1]["tags"][0]["detail"]), ("feliCa", "12FC"), "FeliCa")
    lines = session(folder, *plist, "--reader", "sim:classic1k", "--timeout", "1", status=75)
    expect_equal([line["callback"] for line in lines], ["didBecomeActive", "didInvalidateWithError"], "Classic")
    lines = session(folder, "--session", "tag", "--unlimited", "--reader", "sim:classic1k")
    expect_equal(lines[1]["tags"][0]["detail"], "unknown", "Classic on a bench")
    info_plist(folder, systems="")
    lines = session(folder, *plist, "--reader", "sim:felica-lite-s", status=77)
    expect_equal(lines[0]["error"]["code"], 2, "no system code")


@check("a session is given every tag of two that each alone is given, whatever families they are of")
def two_families(folder):
    families = {
        "ntag213": "miFare", "ultralight-c": "miFare", "type4": "iso7816", "ntag424": "iso7816",
        "desfire-ev1": "miFare", "felica-lite-s": "feliCa",
    }
    names = list(families)
    for number, one in enumerate(names):
        for other in names[number:]:
            lines = session(
                folder, "--session", "tag", "--poll", "iso14443,iso18092", "--reader", f"sim:{one}+{other}", "--timeout", "20")
            kinds = sorted(tag["kind"] for tag in lines[1]["tags"])
            # Two FeliCa tags answer at once; the chip names both.
            wanted = sorted([families[one], families[other]])
            if one == other == "felica-lite-s":
                continue
            expect_equal(kinds, wanted, f"{one}+{other}")
            expect_equal(lines[2]["callback"], "connect", "callback")
            expect("error" not in lines[2], f"{one}+{other}: {lines[2]}")


@check("phone --invalidate-after-first-read hands messages over and ends with 204")
def first_read(folder):
    words = ("--session", "ndef", "--invalidate-after-first-read")
    lines = session(folder, *words, "--reader", written(folder, "https://example.com/t/1"))
    expect_equal(
        [line["callback"] for line in lines], ["didBecomeActive", "didDetectNDEFs", "didInvalidateWithError"], "callbacks")
    expect_equal(lines[1]["records"][0]["uri"], "https://example.com/t/1", "record")
    expect_equal(lines[2]["error"]["code"], 204, "end")
    lines = session(folder, *words, "--reader", "sim:ntag213,content=blank", "--timeout", "1", status=75)
    expect_equal([line["callback"] for line in lines], ["didBecomeActive", "didInvalidateWithError"], "empty tag")
    nfcprog("phone", "--session", "tag", "--invalidate-after-first-read", "--reader", "sim:ntag213", status=64)


@check("phone --restart-polling looks for other tags, for as long as it says, and for what the session began with")
def restarts(folder):
    def told(*words, status=0):
        lines = session(folder, "--session", "tag", *words, status=status)
        found = []
        for line in lines:
            if line["callback"] == "didDetect":
                found.append("+".join(sorted(f"{tag['kind']} {tag['detail']}" for tag in line["tags"])))
            elif line["callback"] in ("restartPolling", "didInvalidateWithError"):
                found.append(line["error"]["code"] if "error" in line else "restart")
        return found

    both = ("--reader", "sim:type4+felica-lite-s")
    card, feli_ca, again = "iso7816 D2760000850101", "feliCa 88B4", "restart"
    # The configuration is not kept: `same` is what the session began with.
    expect_equal(
        told("--poll", "iso14443", "--restart-polling", "iso18092", "--restart-polling", "iso14443,iso18092", "--restart-polling",
             "same", *both),
        [card, again, feli_ca, again, f"{feli_ca}+{card}", again, card, 200], "restarts")
    expect_equal(told(*both), [card, 200], "without a restart")
    # Of what the app declares, and no more.
    plist = ("--info-plist", info_plist(folder))
    expect_equal(
        told(*plist, "--restart-polling", "iso14443,D2760000850101", "--restart-polling", "iso18092,12fc", *both),
        [card, again, card, again, "feliCa 12FC", 200], "named")
    # What it does not declare is left out of the list, and then nothing is left to look for: as what the app may not do, that
    # ends the session; a PN532 cannot look for ISO 15693 tags.
    expect_equal(told(*plist, "--restart-polling", "iso18092,88B4", *both, status=77), [card, again, 2], "not declared")
    expect_equal(
        told("--info-plist", info_plist(folder, ""), "--restart-polling", "iso18092", *both, status=77), [card, again, 2], "refused")
    expect_equal(told("--restart-polling", "iso15693", *both, status=69), [card, again, 1], "ISO 15693")
    # After a tag that holds no message, too; --poll narrows in the same way.
    expect_equal(
        told("--poll", "iso18092,88B4", "--restart-polling", "iso14443", "--reader", "sim:ntag213+felica-lite-s"),
        ["feliCa 88B4", again, "miFare ultralight", 200], "narrowed")
    for wrong in ("", "nfc-v", "iso14443,", "12FC", "iso14443,12FC", "iso18092,D2760000850101", "iso18092,FFFF", "same,iso14443"):
        nfcprog("phone", "--session", "tag", "--restart-polling", wrong, *both, status=64)
    nfcprog("phone", "--session", "ndef", "--restart-polling", "same", *both, status=64)
    nfcprog("phone", "--restart-polling", "same", *both, status=64)


@check("phone --entitlements names the format that App Store Connect refuses")
def refused_format(folder):
    path = folder / "App.entitlements"
    for formats, is_named in (("NDEF", True), ("TAG", False), ("TAG</string><string>NDEF", True)):
        path.write_text(PLIST.replace("SYSTEMS", "").replace("<string>TAG</string>", f"<string>{formats}</string>"))
        outcome = nfcprog(
            "phone", "--session", "ndef", "--entitlements", path, "--reader", written(folder, "https://example.com/t/1"))
        expect_equal("ITMS-90778" in outcome.errors, is_named, str(outcome))
        expect("readNDEF" in outcome.output, str(outcome))


@check("the link of an App Clip that Apple makes is explained, and is no yes")
def default_clip(folder):
    url = "https://appclip.apple.com/id?p=com.example.app.Clip"
    outcome = nfcprog("check-link", url, status=65)
    for word in ("App Clip com.example.app.Clip", "vendor", "app-clip-default-link"):
        expect(word in outcome.output, str(outcome))
    outcome = nfcprog("phone", "--reader", written(folder, url), status=65)
    expect("It is not known whether an iPhone offers the App Clip com.example.app.Clip" in outcome.output, str(outcome))


@check("write-url --aasa repeats what was checked, and clone says it once")
def proved(folder):
    association = folder / "apple-app-site-association"
    association.write_text(FILE)
    link = ("--aasa", association, "--domain", "example.com", "--app-id", APP)
    tag = f"sim:ntag213,file={folder / 'tag.txt'}"
    outcome = nfcprog("write-url", "https://example.com/t/1", *link, "--reader", tag)
    expect(f"Checked: wakes {APP}, line 2" in outcome.output, str(outcome))
    expect("or in the browser" not in outcome.output, str(outcome))
    outcome = nfcprog("clone", "--from", folder / "tag.txt", *link, "--count", "1", "--reader", "sim:ntag213")
    expect("or in the browser" not in outcome.output, str(outcome))
    expect_equal(outcome.output.count(f"wakes {APP}"), 1, str(outcome))
    outcome = nfcprog("clone", "--from", folder / "tag.txt", "--count", "1", "--reader", "sim:ntag213")
    expect_equal(outcome.output.count("An iPhone "), 1, str(outcome))


@check("info and phone name the iPhones that read by themselves, and those that do from Control Center")
def models(folder):
    tag = written(folder, "https://example.com/t/1")
    for words, status in ((["info"], 0), (["phone"], 65)):
        outcome = nfcprog(*words, "--reader", tag, status=status)
        expect("iPhone 7, 8 and X with NFC Tag Reader in Control Center" in outcome.output, str(outcome))


@check("phone refuses options that do not go together, and files that are no property list")
def refusals(folder):
    nfcprog("phone", "--poll", "iso14443", "--reader", "sim:ntag213", status=64)
    nfcprog("phone", "--session", "tag", "--poll", "nfc-v", "--reader", "sim:ntag213", status=64)
    bad = folder / "bad.plist"
    bad.write_text("<plist><dict><key>")
    outcome = nfcprog("phone", "--session", "tag", "--info-plist", bad, "--reader", "sim:ntag213", status=65)
    expect("not XML" in outcome.errors, outcome.errors)


@check("phone --help is what it was")
def help_text(folder):
    golden = Path(__file__).with_name("phone-help.txt")
    text = nfcprog("phone", "--help").output
    if os.environ.get("RECORD_SNAPSHOTS"):
        golden.write_text(text)
    expect_equal(text, golden.read_text(), "help")


@check("phone and check-link report what is no app ID, whatever is on the tag")
def no_app_id(folder):
    tag = f"sim:ntag213,file={folder / 'empty.txt'}"
    outcome = nfcprog("phone", "--app-id", "nonsense", "--reader", tag, status=65)
    expect("app-id-without-prefix" in outcome.output, str(outcome))
    outcome = nfcprog("check-link", "https://example.com/t/1", "--app-id", "nonsense", status=65)
    expect("app-id-without-prefix" in outcome.output, str(outcome))
