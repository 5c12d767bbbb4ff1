"""check-link, and write-url held to a site association: verdicts, exit codes, untouched tags."""

import json

from support import binary, check, expect, expect_equal, json_object, nfcprog, program

APP = "Q7K2M9P4ZX.com.example.app"
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
    outcome = nfcprog("check-link", WAKES, "--aasa", association(folder), "--domain", "example.com", "--app-id", APP, "--json", "--quiet")
    seen = json_object(outcome)
    rule = seen.pop("decidedBy")
    expect_equal(seen, {"url": WAKES, "wakesApp": True, "opens": "app", "appIDs": [APP], "findings": []}, "object")
    expect_equal((rule["appID"], rule["path"], rule["line"], rule["exclude"]),
                 (APP, "$.applinks.details[0].components[1]", 5, False), "decidedBy")
    expect(len(rule["tried"]) == 1 and "/t/private/*" in rule["tried"][0], str(rule))
    expect_equal(outcome.errors, "", "standard error")


@check("check-link says for people which rule decides and why the one before does not")
def plain_words(folder):
    outcome = nfcprog("check-link", WAKES, "--aasa", association(folder), "--domain", "example.com", "--app-id", APP)
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
    ("an http link", 65, "unknown", "http-link", "http://example.com/t/1", []),
    ("an http link that may count", 0, "app", "http-link", "http://example.com/t/1", ["--allow-http"]),
]

for what, status, opens, code, url, more in VERDICTS:

    @check(f"check-link of {what}: {status}, {opens}, {code}")
    def verdict(folder, status=status, opens=opens, code=code, url=url, more=more):
        words = ["check-link", url, "--aasa", association(folder), "--domain", "example.com", *more]
        seen = json_object(nfcprog(*words, "--json", status=status))
        expect_equal((seen["wakesApp"], seen["opens"]), (status == 0, opens), str(seen))
        found = [finding for finding in seen["findings"] if finding["code"] == code]
        expect(found and {"severity", "code", "message", "where"} == found[0].keys(), str(seen))
        expect(code in nfcprog(*words, status=status).output, "the code for people")


@check("a pattern in front of which a wildcard stands leaves it open: 65 where the first slash decides, 0 elsewhere")
def undocumented(folder):
    file = association(folder, json.dumps({"applinks": {"apps": [], "details": [{
        "appID": "9RZPVFH532.org.example.app", "components": [{"/": "*/terms/*", "exclude": True}, {"/": "*"}]}]}}))
    words = ["--aasa", file, "--domain", "www.example.net"]
    seen = json_object(nfcprog("check-link", "https://www.example.net/terms/x", *words, "--json", status=65))
    expect_equal((seen["opens"], seen["wakesApp"]), ("unknown", False), str(seen))
    expect("aasa-not-documented" in [finding["code"] for finding in seen["findings"]], str(seen))
    nfcprog("check-link", "https://www.example.net/other", *words)


@check("the app ID of the help is one that the program takes")
def help_app_id(folder):
    text = nfcprog("help", "check-link").output
    expect(APP in text and "ABCDE12345" not in text, text)
    file = association(folder, json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/*"}]}]}}))
    nfcprog("check-link", "https://www.example.net/x", "--app-id", APP, "--aasa", file, "--domain", "www.example.net")


@check("check-link without a site association fetches nothing and shows nothing: 65")
def offline(folder):
    seen = json_object(nfcprog("check-link", WAKES, "--json", status=65))
    expect_equal([finding["code"] for finding in seen["findings"]], ["aasa-not-checked"], "findings")
    expect_equal((seen["wakesApp"], seen["opens"]), (False, "unknown"), "not known is not no")
    expect("not known" in nfcprog("check-link", WAKES, status=65).output, "text")


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
        expect("not the name of a public domain" in outcome.errors and outcome.output == "", str(outcome))
    outcome = nfcprog("write-url", WAKES, "--aasa", "http://example.com/x", "--reader", "/dev/ttyUSB99", status=65)
    expect("not an https address" in outcome.errors, str(outcome))


@check("check-link takes a URL or --tag: neither and both are usage errors")
def neither_nor_both(folder):
    nfcprog("check-link", status=64)
    nfcprog("check-link", WAKES, "--tag", status=64)


@check("check-link --tag judges what the tag holds, and what the tag is")
def of_a_tag(folder):
    file = association(folder)
    words = ["check-link", "--tag", "--aasa", file, "--domain", "example.com", "--app-id", APP, "--json"]
    ntag, classic, blank = (f"sim:{tag},file={folder / tag}" for tag in ("ntag213", "classic1k", "ntag215"))
    for reader in (ntag, classic):
        nfcprog("write-url", WAKES, "--aasa", file, "--domain", "example.com", "--app-id", APP, "--reader", reader)
    seen = json_object(nfcprog(*words, "--reader", ntag))
    expect_equal((seen["tag"], seen["url"], seen["wakesApp"], seen["findings"]), ("ntag213", WAKES, True, []), "NTAG")
    expect(len(seen["uid"]) == 14, str(seen))
    seen = json_object(nfcprog(*words, "--reader", classic))
    expect_equal((seen["wakesApp"], [finding["code"] for finding in seen["findings"]]),
                 (True, ["classic-carrier"]), "Classic")
    seen = json_object(nfcprog(*words, "--reader", blank, status=65))
    expect_equal((seen["opens"], seen.get("url")), ("nothing", None), "blank")


@check("check-link --tag sees that the tag lays its UID over the link")
def mirror(folder):
    reader = f"sim:ntag213,file={folder / 'tag'}"
    nfcprog("write-url", "https://example.com/t/00000000000000", "--reader", reader)
    # MIRROR_CONF 01 (the UID) at page 10, byte 2: behind "example.com/t/" (NTAG213, 8.5.7 and 8.7).
    nfcprog("write-pages", "--page", "41", "64000AFF", "--force", "--reader", reader)
    words = ["check-link", "--tag", "--aasa", association(folder), "--domain", "example.com", "--json", "--reader", reader]
    seen = json_object(nfcprog(*words))
    expect_equal([finding["code"] for finding in seen["findings"]], ["mirror-in-uri"], str(seen))
    nfcprog("write-pages", "--page", "41", "640010FF", "--force", "--reader", reader)
    expect_equal(json_object(nfcprog(*words))["findings"], [], "a mirror behind the message")


@check("a Type 4 tag is judged as any other")
def type4(folder):
    words = ["--aasa", association(folder), "--domain", "example.com", "--json", "--reader"]
    seen = []
    for kind in ["type4", "ntag213"]:
        reader = f"sim:{kind},file={folder / kind}"
        nfcprog("write-url", WAKES, "--reader", reader)
        judged = json_object(nfcprog("check-link", "--tag", *words, reader))
        seen.append({key: judged.get(key) for key in ("wakesApp", "opens", "findings")})
    expect_equal(seen[0], seen[1], "verdicts")


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
        full = ["write-url", *words, "--aasa", association(folder), "--domain", "example.com", "--reader", reader]
        outcome = nfcprog(*full, status=65)
        expect(word in outcome.errors and "Nothing was written." in outcome.errors, str(outcome))
        seen = json_object(nfcprog(*full, "--json", status=65))
        expect_equal((seen["result"], seen["error"]["code"]), ("failed", 65), "JSON")
        expect_equal(image.read_bytes(), before, "tag file")


@check("write-url --app-id without a site association refuses before a reader is opened: 65")
def nothing_shown(folder):
    outcome = nfcprog("write-url", WAKES, "--app-id", APP, "--reader", "/dev/ttyUSB99", status=65)
    expect("No site association was checked" in outcome.errors, str(outcome))


@check("write-url --aasa on a MIFARE Classic writes, and warns that an iPhone may not read it")
def classic(folder):
    words = ["write-url", WAKES, "--aasa", association(folder), "--domain", "example.com", "--reader", "sim:classic1k"]
    expect("MIFARE Classic" in nfcprog(*words).output, "no warning")
    seen = json_object(nfcprog(*words, "--json"))
    expect_equal([finding["code"] for finding in seen["iphone"]["findings"]], ["classic-carrier"], "iphone")


@check("write-url --aasa --dry-run does not say what an iPhone does with the tag as it still is")
def planned(folder):
    words = ["write-url", WAKES, "--aasa", association(folder), "--domain", "example.com", "--dry-run", "--reader", "sim:ntag213"]
    outcome = nfcprog(*words)
    expect("planned" in outcome.output and "iPhone" not in outcome.output, str(outcome))
    expect("iphone" not in json_object(nfcprog(*words, "--json")), "JSON")


ODD = FILE.replace('"exclude": true', '"exclude": true, "colour": 1')


@check("write-url, clone and provision show what was found in the file before the first tag, in text and in JSON")
def findings_shown(folder):
    claim = ["--aasa", association(folder, ODD), "--domain", "example.com", "--app-id", APP]
    tag = folder / "my.tag"
    outcome = nfcprog("write-url", WAKES, *claim, "--json", "--reader", f"sim:ntag213,file={tag}")
    seen = json_object(outcome)
    expect_equal(seen["link"]["iphone"]["wakesApp"], True, str(seen))
    expect_equal([finding["code"] for finding in seen["link"]["iphone"]["findings"]], ["unknown-key"], str(seen))
    expect("unknown-key" in outcome.errors, str(outcome))
    outcome = nfcprog("write-url", WAKES, *claim, "--dry-run", "--reader", "sim:ntag213")
    expect("unknown-key" in outcome.errors, str(outcome))
    source = folder / "source.ndef"
    nfcprog("read", "--raw", source, "--reader", f"sim:ntag213,file={tag}")
    outcome = nfcprog("clone", "--from", source, *claim, "--count", "1", "--json", "--reader", "sim:ntag213")
    seen = json.loads(outcome.output.splitlines()[0])
    expect_equal((seen["role"], seen["link"]["iphone"]["findings"][0]["code"]), ("source", "unknown-key"), str(seen))
    expect("unknown-key" in outcome.errors, str(outcome))
    words = ["provision", "--range", "1..3", "--template", "https://example.com/t/{code}", *claim]
    outcome = nfcprog(*words, "--json", "--reader", "sim:ntag213*3")
    seen = json.loads(outcome.output.splitlines()[0])
    expect_equal((seen["event"], [finding["code"] for finding in seen["findings"]]), ("list", ["unknown-key"]), str(seen))
    expect_equal(outcome.errors.count("unknown-key"), 1, str(outcome))


@check("empty, not formatted, damaged and foreign tags have each a code of their own")
def states(folder):
    def tag(name, kind, *pages, start=4):
        reader = f"sim:{kind},file={folder / name}"
        nfcprog("info", "--reader", reader)
        for number, page in enumerate(pages):
            nfcprog("write-pages", "--page", str(start + number), page, "--force", "--reader", reader)
        return reader

    readers = {
        "tag-empty": tag("empty", "ntag213"),
        "tag-not-ndef": tag("raw", "ultralight"),
        # A URI record, then a record of the reserved format; a record that ends beyond its message.
        "message-malformed": tag("odd", "ntag213", "031A9101", "0D550465", "78616D70", "6C652E63", "6F6D2F57", "00007878",
                                 "78787878", "FE000000"),
        "tag-foreign": tag("foreign", "ultralight", "DEADBEEF", "01020304"),
        # A length that runs beyond the tag.
        "message-malformed ": tag("beyond", "ntag213", "03FFFF00", "D1010D55"),
    }
    # A MIFARE Classic: somebody's data in one block, and none.
    for code, block in [("tag-foreign  ", "DE AD BE EF" + " 00" * 12), ("tag-not-ndef ", "00 " * 15 + "00")]:
        image = folder / code.strip()
        readers[code] = f"sim:classic1k,file={image}"
        nfcprog("info", "--reader", readers[code])
        image.write_text(image.read_text().replace("Block 20: " + "00 " * 15 + "00", "Block 20: " + block))
    for code, reader in readers.items():
        hasLink, code = code == "message-malformed", code.strip()
        seen = json_object(nfcprog("info", "--json", "--reader", reader))
        expect(code in [finding["code"] for finding in seen["iphone"]["findings"]], f"info {code}: {seen}")
        seen = json_object(nfcprog("check-link", "--tag", "--json", "--reader", reader, status=65))
        expect(code in [finding["code"] for finding in seen["findings"]], f"check-link {code}: {seen}")
        if hasLink:
            expect_equal(seen["url"], "https://example.com/", "the link that is still there")
        seen = json_object(nfcprog("read", "--json", "--reader", reader))
        expect(code in [finding["code"] for finding in seen["iphone"]["findings"]], f"read {code}: {seen}")


# Links of which many things are wrong, or may be.
ODD_LINKS = [
    WAKES, "https://192.168.0.1/t/1", "https://localhost/t/1", "https://example.com:8443/t/1", "https://user@example.com/t/1",
    "https://example.com./t/1", "https://example.com/t/%zz", "https://EXAMPLE.com/t/1", "http://example.com/t/1",
    "ftp://example.com/t/1", "tel:+123", "myapp://open/1", "https://bit.ly/x", "https://example.com/t/1#f", "https://bücher.example/t/1",
    "https://https://example.com/t/1", "https://example.com:/t/1", "https://appclip.apple.com/id?p=com.example.app.Clip", "example",
]
# Files of which many things are wrong.
ODD_FILES = {
    "good": FILE,
    "other": FILE.replace(APP, "Q7K2M9P4ZX.com.example.other"),
    "linted": """{"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app", "TEAMID.com.example.b", "com.example"],
      "components": [{"/": "/t/*"}, {"/": "/t/1", "exclude": true}, {"/": 5}, {"/": "https://a/b"}, {"/": "$(foo)"}, {"#": "#x"}]}]}}""",
    "excluded": '{"applinks": {"details": [{"appIDs": ["%s"], "components": [{"/": "*/1", "exclude": true}, {"/": "*"}]}]}}' % APP,
    "broken": "{",
    "empty": "{}",
    "old": '{"applinks": {"details": [{"appID": "%s", "paths": ["NOT/u", "/t/*"]}]}}' % APP,
}
PRINT = ":".join(["5A"] * 32)
MANIFEST = """<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.app">
<uses-sdk android:targetSdkVersion="36"/><application><activity android:name=".Tag" android:exported="true"><intent-filter>
<action android:name="android.nfc.action.NDEF_DISCOVERED"/><category android:name="android.intent.category.DEFAULT"/>
<data android:scheme="https"/></intent-filter></activity></application></manifest>"""


@check("no command prints an error about a link and ends with 0")
def no_green_beside_red(folder):
    paths = {name: folder / f"{name}.json" for name in ODD_FILES}
    for name, text in ODD_FILES.items():
        paths[name].write_text(text)
    (folder / "manifest.xml").write_text(MANIFEST)
    links = folder / "assetlinks.json"
    links.write_text(json.dumps([{
        "relation": ["delegate_permission/common.handle_all_urls"],
        "target": {"namespace": "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": [PRINT]}}]))
    placeholder = folder / "placeholder.json"
    placeholder.write_text(links.read_text().replace(PRINT, "YOUR:SHA256:FINGERPRINT"))
    iphone = [[]] + [["--aasa", path, "--app-id", APP] for path in paths.values()] + [
        ["--aasa", paths["good"]], ["--aasa", paths["good"], "--app-id", "TEAMID.com.example.app"],
        ["--aasa", paths["good"], "--app-id", APP, "--entitlement", "applinks:other.example"]]
    android = [[], *(
        ["--wakes", f"com.example.app,{PRINT}", "--assetlinks", file, "--manifest", folder / "manifest.xml", *more]
        for file, more in ((links, []), (placeholder, []), (links, ["--android-versions", "16-17"])))]
    greens = reds = number = 0

    def look(*words):
        nonlocal greens, reds
        outcome = program(binary(), *words)
        said = outcome.output + outcome.errors
        has_error = any(line.strip().startswith("error:") for line in said.splitlines()) or '"severity":"error"' in said
        greens, reds = greens + (outcome.status == 0), reds + has_error
        expect(not (has_error and outcome.status == 0), f"{' '.join(map(str, words))}: {said}")

    for url in ODD_LINKS:
        for held in iphone:
            for app in android:
                if not held and not app:
                    continue
                number += 1
                if number % 4:
                    continue
                domain = [] if not held and "--assetlinks" not in app else ["--domain", "example.com"]
                record = ["--android-record", "com.example.app"] if app and number % 8 else []
                command = number % 7
                if command < 4 or record:
                    look("check-link", url, *held, *app, *domain, *record, *(["--json"] if command == 1 else []))
                elif command < 6:
                    look("write-url", url, *held, *app, *domain, "--reader", "sim:ntag213")
                else:
                    table = folder / f"list{number}.csv"
                    table.write_text(f"url\n{url}\n")
                    look("provision", table, "--template", "{url:raw}", *held, *app, *domain, "--dry-run")
    for content in ODD_LINKS[:16]:
        tag = folder / f"tag{number}"
        number += 1
        if program(binary(), "write", "--uri", content, "--reader", f"sim:ntag213,file={tag}").status != 0:
            continue
        for held in iphone[1:4]:
            look("check-link", *held, "--domain", "example.com", "--reader", f"sim:ntag213,file={tag}")
            look("phone", *held, "--domain", "example.com", "--reader", f"sim:ntag213,file={tag}")
            look("clone", "--from", tag, *held, "--domain", "example.com", "--count", "1", "--timeout", "0", "--reader", "sim:ntag215")
        for command in ("info", "read"):
            look(command, "--reader", f"sim:ntag213,file={tag}")
    for tag in ("ntag213", "classic1k", "desfire-ev1", "type4,rights=closed", "felica-lite-s"):
        for command in ("info", "read"):
            look(command, "--reader", f"sim:{tag}")
    expect(greens > 20 and reds > 60, f"{greens} good ends, {reds} with an error")
