"""check-link, lint-aasa, make-aasa, and write-url held to a site association: verdicts, exit codes, untouched tags."""

import json

from support import check, expect, expect_equal, json_object, nfcprog

APP = "ABCDE12345.com.example.app"
WAKES = "https://example.com/t/1"
FILE = f"""{{"applinks": {{"details": [{{
  "appIDs": ["{APP}"],
  "components": [
    {{"/": "/t/private/*", "exclude": true}},
    {{"/": "/t/*"}}
]}}]}}}}
"""


def association(folder, text=FILE):
    path = folder / "apple-app-site-association"
    path.write_text(text)
    return path


@check("check-link prints the promised object and exits with 0 when the app is woken")
def wakes(folder):
    outcome = nfcprog("check-link", WAKES, "--aasa", association(folder), "--app-id", APP, "--json", "--quiet")
    seen = json_object(outcome)
    rule = seen.pop("decidedBy")
    expect_equal(seen, {"url": WAKES, "wakesApp": True, "opens": "app", "appIDs": [APP], "findings": []}, "object")
    expect_equal((rule["appID"], rule["path"], rule["line"], rule["exclude"]),
                 (APP, "$.applinks.details[0].components[1]", 5, False), "decidedBy")
    expect(len(rule["tried"]) == 1 and "/t/private/*" in rule["tried"][0], str(rule))
    expect_equal(outcome.errors, "", "standard error")


@check("check-link says for people which rule decides and why the one before does not")
def plain_words(folder):
    outcome = nfcprog("check-link", WAKES, "--aasa", association(folder), "--app-id", APP)
    lines = outcome.output.splitlines()
    expect_equal(lines[0], f"{WAKES} wakes {APP}.", "first line")
    expect("components[0] (line 4)" in lines[2] and "does not decide" in lines[2], str(outcome))
    expect("components[1] (line 5)" in lines[3] and "matches and decides" in lines[3], str(outcome))


# What is checked, exit status, opens, a finding's code, arguments behind the URL, URL.
VERDICTS = [
    ("an excluded link", 65, "browser", "link-excluded", "https://example.com/t/private/1", ["--app-id", APP]),
    ("a link that no rule matches", 65, "browser", "link-unmatched", "https://example.com/u", ["--app-id", APP]),
    ("a link for another app", 65, "browser", "app-not-listed", WAKES, ["--app-id", APP + "2"]),
    ("a link for either of two apps", 0, "app", "app-not-listed", WAKES, ["--app-id", APP + "2", "--app-id", APP]),
    ("a host that the entitlement lacks", 65, "browser", "host-not-in-entitlement", WAKES,
     ["--entitlement", "applinks:www.example.com"]),
    ("a custom scheme", 65, "nothing", "scheme-not-supported", "myapp://open", []),
    ("a telephone number", 65, "system", "not-a-web-link", "tel:+123", []),
    ("no URL at all", 65, "nothing", "url-malformed", "example", []),
    ("an http link", 0, "app", "http-link", "http://example.com/t/1", []),
]

for what, status, opens, code, url, more in VERDICTS:

    @check(f"check-link of {what}: {status}, {opens}, {code}")
    def verdict(folder, status=status, opens=opens, code=code, url=url, more=more):
        words = ["check-link", url, "--aasa", association(folder), *more]
        seen = json_object(nfcprog(*words, "--json", status=status))
        expect_equal((seen["wakesApp"], seen["opens"]), (status == 0, opens), str(seen))
        found = [finding for finding in seen["findings"] if finding["code"] == code]
        expect(found and {"severity", "code", "message", "where"} == found[0].keys(), str(seen))
        expect(code in nfcprog(*words, status=status).output, "the code for people")


@check("check-link without a site association fetches nothing and shows nothing: 65")
def offline(folder):
    seen = json_object(nfcprog("check-link", WAKES, "--json", status=65))
    expect_equal([finding["code"] for finding in seen["findings"]], ["aasa-not-checked"], "findings")


@check("a site association that cannot be read: 66, on the command line and in JSON")
def unreadable(folder):
    for words in (["check-link", WAKES, "--aasa"], ["lint-aasa"], ["write-url", WAKES, "--reader", "sim:ntag213", "--aasa"]):
        outcome = nfcprog(*words, folder / "none.json", status=66)
        expect("none.json" in outcome.errors and outcome.output == "", str(outcome))
        seen = json_object(nfcprog(*words, folder / "none.json", "--json", status=66))
        expect_equal((seen["result"], seen["error"]["code"]), ("failed", 66), "JSON")


@check("an address that is not https is not asked for, and shows nothing: 65; what is no domain is refused: 65")
def not_asked(folder):
    for words in (["check-link", WAKES, "--aasa"], ["lint-aasa"]):
        seen = json_object(nfcprog(*words, "http://example.com/x", "--json", status=65))
        expect_equal(seen["findings"][0]["code"], "fetch-not-https", "finding")
        outcome = nfcprog(*words, "no_name.example.com", status=65)
        expect("no name of a public domain" in outcome.errors and outcome.output == "", str(outcome))
    outcome = nfcprog("write-url", WAKES, "--aasa", "http://example.com/x", "--reader", "/dev/ttyUSB99", status=65)
    expect("not an https address" in outcome.errors, str(outcome))


@check("check-link takes a URL or --tag: neither and both are usage errors")
def neither_nor_both(folder):
    nfcprog("check-link", status=64)
    nfcprog("check-link", WAKES, "--tag", status=64)


@check("check-link --tag judges what the tag holds, and what the tag is")
def of_a_tag(folder):
    file = association(folder)
    words = ["check-link", "--tag", "--aasa", file, "--app-id", APP, "--json"]
    ntag, classic, blank = (f"sim:{tag},file={folder / tag}" for tag in ("ntag213", "classic1k", "ntag215"))
    for reader in (ntag, classic):
        nfcprog("write-url", WAKES, "--aasa", file, "--app-id", APP, "--reader", reader)
    seen = json_object(nfcprog(*words, "--reader", ntag))
    expect_equal((seen["tag"], seen["url"], seen["wakesApp"], seen["findings"]), ("ntag213", WAKES, True, []), "NTAG")
    expect(len(seen["uid"]) == 14, str(seen))
    seen = json_object(nfcprog(*words, "--reader", classic))
    expect_equal((seen["wakesApp"], [finding["code"] for finding in seen["findings"]]),
                 (True, ["classic-carrier"]), "Classic")
    seen = json_object(nfcprog(*words, "--reader", blank, status=65))
    expect_equal((seen["opens"], seen["url"]), ("nothing", None), "blank")


@check("check-link --tag sees that the tag lays its UID over the link")
def mirror(folder):
    reader = f"sim:ntag213,file={folder / 'tag'}"
    nfcprog("write-url", "https://example.com/t/00000000000000", "--reader", reader)
    # MIRROR_CONF 01 (the UID) at page 10, byte 2: behind "example.com/t/" (NTAG213, 8.5.7 and 8.7).
    nfcprog("write-pages", "--page", "41", "64000AFF", "--force", "--reader", reader)
    words = ["check-link", "--tag", "--aasa", association(folder), "--json", "--reader", reader]
    seen = json_object(nfcprog(*words))
    expect_equal([finding["code"] for finding in seen["findings"]], ["mirror-in-uri"], str(seen))
    nfcprog("write-pages", "--page", "41", "640010FF", "--force", "--reader", reader)
    expect_equal(json_object(nfcprog(*words))["findings"], [], "a mirror behind the message")


@check("a Type 4 tag, which is not read, is not judged: 77, no status claimed, no advice to format it")
def not_looked_at(folder):
    for words in (["info"], ["read"], ["check-link", "--tag", "--aasa", association(folder)]):
        outcome = nfcprog(*words, "--json", "--reader", "sim:type4", status=77)
        seen = json_object(outcome)
        expect_equal((seen["tag"], seen["result"], seen["error"]["code"]), ("type4", "failed", 77), str(seen))
        expect("Type 4 tags are not read yet" in seen["error"]["message"], str(seen))
        expect(not {"ndefStatus", "iphone", "wakesApp", "opens"} & seen.keys(), str(seen))
        expect("ormat" not in outcome.errors.replace("NFC Forum", ""), str(outcome))


# What is asked of write-url, a word of the explanation.
REFUSED = [
    ("a link that no rule matches", "none of the 2 rules", ["https://example.com/u", "--app-id", APP]),
    ("a link that is excluded", "excludes", ["https://example.com/t/private/1"]),
    ("a link for an app that the file does not name", "does not name", [WAKES, "--app-id", APP + "2"]),
]

for what, word, words in REFUSED:

    @check(f"write-url --aasa refuses {what}: 65, the tag untouched")
    def refused(folder, word=word, words=words):
        image = folder / "tag.txt"
        reader = f"sim:ntag213,file={image}"
        nfcprog("info", "--reader", reader)
        before = image.read_bytes()
        full = ["write-url", *words, "--aasa", association(folder), "--reader", reader]
        outcome = nfcprog(*full, status=65)
        expect(word in outcome.errors and "Nothing was written." in outcome.errors, str(outcome))
        seen = json_object(nfcprog(*full, "--json", status=65))
        expect_equal((seen["result"], seen["error"]["code"]), ("failed", 65), "JSON")
        expect_equal(image.read_bytes(), before, "tag file")


@check("write-url --app-id without a site association refuses before a reader is opened: 65")
def nothing_shown(folder):
    outcome = nfcprog("write-url", WAKES, "--app-id", APP, "--reader", "/dev/ttyUSB99", status=65)
    expect("No site association was looked at" in outcome.errors, str(outcome))


@check("write-url --aasa on a MIFARE Classic writes, and warns that an iPhone may not read it")
def classic(folder):
    words = ["write-url", WAKES, "--aasa", association(folder), "--reader", "sim:classic1k"]
    expect("MIFARE Classic" in nfcprog(*words).output, "no warning")
    seen = json_object(nfcprog(*words, "--json"))
    expect_equal([finding["code"] for finding in seen["iphone"]["findings"]], ["classic-carrier"], "iphone")


@check("write-url --aasa --dry-run does not say what an iPhone does with the tag as it still is")
def planned(folder):
    words = ["write-url", WAKES, "--aasa", association(folder), "--dry-run", "--reader", "sim:ntag213"]
    outcome = nfcprog(*words)
    expect("planned" in outcome.output and "iPhone" not in outcome.output, str(outcome))
    expect("iphone" not in json_object(nfcprog(*words, "--json")), "JSON")


@check("lint-aasa: 0 for a clean file, 65 with places and codes for a wrong one, 0 for mere warnings")
def lint(folder):
    seen = json_object(nfcprog("lint-aasa", association(folder), "--json"))
    expect_equal((seen["valid"], seen["appIDs"], seen["findings"]), (True, [APP], []), "clean")
    wrong = association(folder, FILE.replace('{"/": "/t/*"}', '{"/": "/t/private/1"}'))
    outcome = nfcprog("lint-aasa", wrong, status=65)
    expect("line 5" in outcome.output and "masked-component" in outcome.output, str(outcome))
    seen = json_object(nfcprog("lint-aasa", wrong, "--json", status=65))
    expect_equal(seen["valid"], False, "valid")
    broken = nfcprog("lint-aasa", association(folder, FILE[:-3]), status=65)
    expect("aasa-not-json" in broken.output, str(broken))
    odd = association(folder, FILE.replace('"exclude": true', '"exclude": true, "colour": 1'))
    expect("unknown-key" in nfcprog("lint-aasa", odd).output, "warning")


@check("make-aasa prints a file that lints clean and wakes the app it was made for")
def make(folder):
    outcome = nfcprog("make-aasa", "--app-id", APP, "--path", "/t/*", "--exclude", "/t/private/*",
                      "--app-clip", APP + ".Clip")
    made = json.loads(outcome.output)
    expect_equal(made["applinks"]["details"], [{
        "appIDs": [APP], "components": [{"/": "/t/private/*", "exclude": True}, {"/": "/t/*"}]}], "details")
    expect_equal(made["appclips"], {"apps": [APP + ".Clip"]}, "App Clips")
    file = association(folder, outcome.output)
    expect_equal(json_object(nfcprog("lint-aasa", file, "--json"))["findings"], [], "findings")
    nfcprog("check-link", WAKES, "--aasa", file, "--app-id", APP)
    nfcprog("check-link", "https://example.com/t/private/1", "--aasa", file, "--app-id", APP, status=65)


@check("make-aasa refuses an app ID without prefix and a path that an exclusion hides: 65; without an app: 64")
def make_wrong(folder):
    for words in (["--app-id", "com.example.app"], ["--app-id", APP, "--path", "/a", "--exclude", "/*"]):
        outcome = nfcprog("make-aasa", *words, status=65)
        expect(outcome.output == "" and outcome.errors.startswith("nfcprog: "), str(outcome))
    nfcprog("make-aasa", status=64)
    nfcprog("make-aasa", "--app-clip", APP, "--path", "/t/*", status=64)
