"""Links that a tag fills in, and those that may be read in two ways: what is said, and what is written."""

import json

from link_commands import APP, FILE, WAKES, association
from support import check, expect, expect_equal, json_object, nfcprog

MIRRORED = "https://example.com/t/{mirror:uid}"


def rules(folder, *components):
    """A site association of the app with these rules, and how to name it."""
    file = association(folder, json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": components}]}}))
    return ["--aasa", file, "--domain", "example.com"]


@check("write-url of a mirrored link is checked with the tag's own UID: refused on one tag, written on another")
def own_uid(folder):
    words = rules(folder, {"/": "/t/04AA*", "exclude": True}, {"/": "/t/*"})
    for uid, status in (("04aa3344556677", 65), ("04ab3344556677", 0)):
        tag = f"sim:ntag213,uid={uid},file={folder / uid}"
        outcome = nfcprog("write-url", MIRRORED, *words, "--json", "--reader", tag, status=status)
        seen = json_object(outcome)
        link = f"https://example.com/t/{uid.upper()}"
        if status:
            expect(link in seen["error"]["message"], str(seen))
            expect(not json_object(nfcprog("read", "--json", "--reader", tag)).get("records"), "the tag was written")
        else:
            expect_equal((seen["link"]["url"], seen["link"]["iphone"]["wakesApp"]), (link, True), str(seen))
            nfcprog("check-link", "--tag", *words, "--reader", tag)


@check("write-url of a link that no tag's UID makes wake the app: 65 before a reader is opened")
def none(folder):
    words = rules(folder, {"/": "/t/04*", "exclude": True}, {"/": "/t/*"})
    outcome = nfcprog("write-url", MIRRORED, *words, "--reader", "/nonexistent/board", status=65)
    expect("Nothing was written" in outcome.errors, str(outcome))
    for rule, status in (("/t/" + "?" * 14, 0), ("/t/04" + "$(xdigit)" * 12, 0), ("/t/uid*", 65)):
        words = rules(folder, {"/": rule})
        nfcprog("write-url", MIRRORED, *words, "--reader", f"sim:ntag213,file={folder / 'a'}{len(rule)}", status=status)


@check("a counter may be any: a link that hangs on it is not certain and not written, one that does not is")
def counter(folder):
    for rule, status in (("/t/??????", 0), ("/t/0*", 65), ("/t/cntMIR", 65)):
        words = rules(folder, {"/": rule})
        tag = f"sim:ntag213,file={folder / 'tag'}{status}"
        outcome = nfcprog("write-url", "https://example.com/t/{mirror:counter}", *words, "--reader", tag, status=status)
        expect(rule != "/t/0*" or "The tag fills in a part of the link" in outcome.errors, str(outcome))


@check("clone of a mirrored tag checks the link of each copy before it is written")
def copies(folder):
    source = f"ntag213,uid=04a1b2c3d4e5f6,file={folder / 'source'}"
    nfcprog("write-url", MIRRORED, "--reader", f"sim:{source}")
    words = rules(folder, {"/": "/t/04A1*"}, {"/": "/t/04B1*"})
    bad = f"ntag213,uid=04c1b2c3d4e5f6,file={folder / 'bad'}"
    good = f"ntag213,uid=04b1b2c3d4e5f6,file={folder / 'good'}"
    outcome = nfcprog("clone", "--count", "1", *words, "--json", "--reader", f"sim:{source},then={bad},then={good}")
    seen = [json.loads(line) for line in outcome.output.splitlines()]
    expect_equal([item["result"] for item in seen], ["read", "failed", "written"], "results")
    expect(seen[1]["error"]["code"] == 65 and "04C1B2C3D4E5F6" in seen[1]["error"]["message"], str(seen[1]))
    expect(not json_object(nfcprog("read", "--json", "--reader", f"sim:{bad}")).get("records"), "the bad tag was written")


@check("provision checks a mirrored link for every UID before the first tag, and for its own on each")
def series(folder):
    table = folder / "jobs.csv"
    table.write_text("code\na\nb\n")
    words = ["provision", table, "--template", "https://example.com/{code}/{mirror:uid}"]
    for rule, uid, status in (("/?/04*", "04", 0), ("/?/0411*", "04", 65), ("/?/04*", "07", 65)):
        journal = folder / f"{rule[3:].strip('*')}{uid}.journal"
        nfcprog(*words, *rules(folder, {"/": rule}), "--journal", journal, "--timeout", "0", "--count", "1",
                "--reader", f"sim:ntag213,uid={uid}112233445566", status=status)


@check("emulate --sdm with a link whose code decides is refused; one that any code fits is not")
def proofs(folder):
    keys = folder / "shop.keys"
    keys.write_text("scheme = an10922\nmaster = 00112233445566778899aabbccddeeff\nname = shop\n")
    keys.chmod(0o600)
    words = ["emulate", "--url", "https://example.com/t/{picc}x{mac}", "--sdm", "--keys", keys]
    outcome = nfcprog(*words, *rules(folder, {"/": "/t/picc*"}), "--reader", "/nonexistent/board", status=65)
    expect("No tag is played" in outcome.errors, str(outcome))
    nfcprog(*words, *rules(folder, {"/": "/t/*x????????????????"}), "--reader", "/nonexistent/board", status=69)


@check("what Apple does not document is not known where its readings differ")
def readings(folder):
    words = ["--aasa", association(folder), "--domain", "example.com", "--json"]
    for path, status, opens in (
            ("/t//private/1", 65, "unknown"), ("/t/x/../private/1", 65, "unknown"), ("/t/../other", 65, "unknown"),
            ("//t/1", 65, "unknown"), ("/t//1", 0, "app"), ("/t/./1", 0, "app")):
        seen = json_object(nfcprog("check-link", "https://example.com" + path, *words, status=status))
        expect_equal(seen["opens"], opens, path)
    for change in ('"exclude": 1', '"exclude": "true"'):
        file = association(folder, FILE.replace('{"/": "/t/*"}', '{"/": "/t/*", %s}' % change))
        seen = json_object(nfcprog("check-link", WAKES, "--aasa", file, "--domain", "example.com", "--json", status=65))
        expect_equal(seen["opens"], "unknown", change)


@check("an association that could not be fetched is not known: 75 where no server answered, 65 where none would")
def unfetched(folder):
    for address, status in (("https://localhost:9/x", 75), ("http://www.example.org/x", 65)):
        seen = json_object(nfcprog("check-link", WAKES, "--aasa", address, "--json", status=status))
        expect_equal(seen["opens"], "unknown", address)
    seen = json_object(nfcprog("check-link", "https://example.com/u", "--aasa", association(folder), "--json", status=65))
    expect_equal(seen["opens"], "unknown", "a file of nobody")


@check("phone, check-link and info say the same of App Clips: not known, 65")
def clips(folder):
    file = association(folder, json.dumps({"appclips": {"apps": [APP + ".Clip"]}}))
    tag = f"sim:ntag213,file={folder / 'tag'}"
    for link in (WAKES, f"https://appclip.apple.com/id?p={APP}.Clip"):
        nfcprog("write-url", link, "--reader", tag)
        words = ["--aasa", file, "--assume-served", "--json", "--reader", tag]
        seen = json_object(nfcprog("check-link", "--tag", *words, status=65))
        expect_equal(seen["opens"], "appClip", link)
        expect(not any("opens in the browser" in finding["message"] for finding in seen["findings"]), str(seen))
        seen = json_object(nfcprog("phone", *words, status=65))
        expect_equal((seen["outcome"], seen["appIDs"]), ("unknown", [APP + ".Clip"]), link)
        seen = json_object(nfcprog("info", "--json", "--reader", tag))
        expect_equal(seen["iphone"]["opens"], "app or browser" if link == WAKES else "App Clip or browser", link)
