"""Tags that wake an Android app: versions of Android, asset links, manifests, application records."""

import json

from fetching import Network
from support import check, expect, expect_equal, json_object, memory, nfcprog

APP = "com.example.app"
PRINT = "53:00:E4:21:90:7E:CD:61:B3:CB:2A:0D:D0:46:59:48:90:B6:62:F2:AD:D8:8E:70:E0:9B:A4:D8:FA:6B:09:D1"
EXAMPLE = "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
LINK = "https://example.com/t/1"
DATA = '<data android:scheme="https" android:host="example.com" android:pathPrefix="/t/"/>'
VERSIONS = ["12", "13", "14", "15", "16", "17"]


def asset_links(package=APP, fingerprints=(PRINT,)):
    return json.dumps([{
        "relation": ["delegate_permission/common.handle_all_urls"],
        "target": {
            "namespace": "android_app", "package_name": package, "sha256_cert_fingerprints": list(fingerprints)}}])


def view(data=DATA, verify="true"):
    return f"""<activity android:name=".A" android:exported="true"><intent-filter android:autoVerify="{verify}">
        <action android:name="android.intent.action.VIEW"/>
        <category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>{data}
        </intent-filter></activity>"""


def ndef(data=DATA, permission='android:permission="android.permission.DISPATCH_NFC_MESSAGE"'):
    return f"""<activity-alias android:name=".B" android:targetActivity=".A" android:exported="true" {permission}>
        <intent-filter><action android:name="android.nfc.action.NDEF_DISCOVERED"/>
        <category android:name="android.intent.category.DEFAULT"/>{data}</intent-filter></activity-alias>"""


LAUNCHER = """<activity android:name=".Main" android:exported="true"><intent-filter>
    <action android:name="android.intent.action.MAIN"/>
    <category android:name="android.intent.category.LAUNCHER"/></intent-filter></activity>"""


def manifest(*activities, target=37):
    return f"""<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{APP}">
        <uses-sdk android:minSdkVersion="26" android:targetSdkVersion="{target}"/>
        <application>{''.join(activities)}</application></manifest>"""


def written(path, text):
    path.write_text(text)
    return path


def android(*words, status=0, **options):
    """The verdict of check-link, and the whole object."""
    seen = json_object(nfcprog("check-link", *words, "--json", status=status, **options))
    return seen["android"], seen


def codes(verdict):
    return [finding["code"] for finding in verdict["findings"]]


def outcomes(verdict):
    return [verdict["versions"][version] for version in VERSIONS]


@check("make-assetlinks prints a file that check-link takes, and the two intent filters on standard error")
def made(folder):
    outcome = nfcprog("make-assetlinks", "--android-app", f"{APP},{PRINT}", "--domain", "example.com")
    expect_equal(json.loads(outcome.output), json.loads(asset_links()), "file")
    for word in ("android.intent.action.VIEW", "NDEF_DISCOVERED", "DISPATCH_NFC_MESSAGE", 'host="example.com"'):
        expect(word in outcome.errors, str(outcome))
    file = written(folder / "assetlinks.json", outcome.output)
    xml = written(folder / "AndroidManifest.xml", manifest(LAUNCHER, view(), ndef()))
    words = [LINK, "--wakes", f"{APP},{PRINT}", "--assetlinks", file, "--manifest", xml, "--android-versions", "16-17"]
    verdict, seen = android(*words, "--domain", "example.com")
    expect_equal((verdict["wakesApp"], verdict["opens"], codes(verdict)), (True, "app", []), "")
    expect_equal(verdict["versions"], {"16": "app", "17": "app"}, "versions")
    expect_equal(seen["iphone"], {"wakesApp": False, "opens": "unknown"}, "iPhone")
    nfcprog("make-assetlinks", "--android-app", APP, status=65)
    nfcprog("make-assetlinks", "--android-app", "nonsense", status=65)
    nfcprog("make-assetlinks", "--android-app", f"{APP},{EXAMPLE}", status=65)


# What the app's manifest has, whether a record stands behind the link, what the versions do.
ROWS = [
    ("both filters and a record", [LAUNCHER, view(), ndef()], True, ["app"] * 6, None),
    ("both filters, no record", [LAUNCHER, view(), ndef()], False, ["chooser"] * 4 + ["app"] * 2, "android-phone-asks"),
    ("VIEW alone and a record", [LAUNCHER, view()], True, ["launcher"] * 6, "android-record-takes-link"),
    ("VIEW alone", [LAUNCHER, view()], False, ["browser"] * 4 + ["app"] * 2, "android-browser-up-to-15"),
    ("no permission for 17", [LAUNCHER, ndef(permission="")], True, ["app"] * 5 + ["launcher"], "android-permission-missing"),
    ("no launcher and no filter", [view()], True, ["store"] * 6, "android-store-opens"),
]

for what, activities, recorded, expected, code in ROWS:

    @check(f"a link, {what}: each version of Android in JSON and in text")
    def row(folder, activities=activities, recorded=recorded, expected=expected, code=code):
        file = written(folder / "assetlinks.json", asset_links())
        xml = written(folder / "AndroidManifest.xml", manifest(*activities))
        words = [LINK, "--wakes", f"{APP},{PRINT}", "--assetlinks", file, "--domain", "example.com", "--manifest", xml]
        status = 0 if set(expected) == {"app"} else 65
        for record in ([["--android-record"], ["--android-record", APP]] if recorded else [[]]):
            verdict, _ = android(*words, *record, status=status)
            expect_equal(outcomes(verdict), expected, "versions")
            expect_equal(verdict["wakesApp"], status == 0, "wakesApp")
            expect(code is None or code in codes(verdict), str(verdict))
        outcome = nfcprog("check-link", *words, *record, status=status)
        for version, word in zip(VERSIONS, expected):
            expect(any(line.split()[:2] == [version, word] for line in outcome.output.splitlines()), str(outcome))
        expect("For all versions" in outcome.output, str(outcome))


# Certificates that no app has.
PLACEHOLDERS = ["REPLACE_WITH_PLAY_APP_SIGNING_SHA256", "YOUR:SHA256:FINGERPRINT", "", PRINT.lower(), PRINT.replace(":", ""),
                PRINT[:59], EXAMPLE]


@check("fingerprints that no certificate has: 65, an error and no yes, nothing written")
def placeholders(folder):
    tag, file = folder / "my.tag", folder / "a.json"
    xml = written(folder / "AndroidManifest.xml", manifest(LAUNCHER, view()))
    for prints in [[]] + [[text] for text in PLACEHOLDERS]:
        file.write_text(asset_links(fingerprints=prints))
        for app in (APP, f"{APP},{PRINT}"):
            # The spelling of old, too.
            for words in (["--android-app", app], ["--wakes", app]):
                verdict, _ = android(LINK, *words, "--assetlinks", file, status=65)
                expect("error" in [finding["severity"] for finding in verdict["findings"]], str(verdict))
                expect_equal(verdict["wakesApp"], False, "wakesApp")
            words = ["--wakes", app, "--assetlinks", file, "--domain", "example.com", "--manifest", xml, "--android-versions", "16"]
            nfcprog("write-url", LINK, *words, "--reader", f"sim:ntag213,file={tag}", status=65)
            expect(not tag.exists(), "the tag was touched")


@check("a file given by hand counts for its domain, and without the manifest nothing is certain: 65")
def other_host(folder):
    file = written(folder / "a.json", asset_links())
    xml = written(folder / "AndroidManifest.xml", manifest(LAUNCHER, view()))
    words = [LINK, "--android-app", f"{APP},{PRINT}", "--assetlinks", file]
    for more in ([], ["--domain", "example.com"], ["--domain", "www.google.com"]):
        android(*words, *more, status=65)
    words += ["--manifest", xml, "--android-versions", "16-17"]
    for more, code in ([], "assetlinks-handed-over"), (["--domain", "www.google.com"], "assetlinks-of-other-host"):
        verdict, _ = android(*words, *more, status=65)
        expect(code in codes(verdict), str(verdict))
        expect_equal(verdict["versions"], {"16": "unknown", "17": "unknown"}, "versions")
    android(*words, "--domain", "example.com")
    android(*words, "--assume-served")


@check("a file that lists another app, another certificate or is broken: 65, what a record would cost, the tag untouched")
def refused(folder):
    tag, file = folder / "my.tag", folder / "assetlinks.json"
    nfcprog("info", "--reader", f"sim:ntag213,file={tag}")
    before = tag.read_bytes()
    for text, code in [
            (asset_links("com.example.two"), "android-app-not-listed"),
            (asset_links(fingerprints=[":".join(["AA"] * 32)]), "fingerprint-not-listed"), ("{", "assetlinks-not-json"),
            (asset_links() + " " * (1 << 20), "assetlinks-too-large")]:
        file.write_text(text)
        words = ["--wakes", f"{APP},{PRINT}", "--assetlinks", file]
        verdict, _ = android(LINK, *words, status=65)
        expect(code in codes(verdict) and verdict["opens"] == "browser", str(verdict))
        expect_equal(verdict["recordCost"], 3 + 15 + len(APP), "cost of a record")
        nfcprog("write-url", LINK, *words, "--reader", f"sim:ntag213,file={tag}", status=65)
        expect_equal(tag.read_bytes(), before, "tag file")


@check("the manifest must ask for the link and for its host to be verified")
def manifests(folder):
    file, xml = folder / "assetlinks.json", folder / "AndroidManifest.xml"
    file.write_text(asset_links())
    words = [LINK, "--wakes", APP, "--assetlinks", file, "--domain", "example.com", "--manifest", xml, "--android-versions", "16"]
    for data, verify, code in [
            (DATA, "true", None),
            ('<data android:scheme="https" android:host="example.com" android:path="/u"/>', "true", "link-not-in-manifest"),
            ('<data android:scheme="https" android:host="example.com"/>', "false", "manifest-without-auto-verify")]:
        xml.write_text(manifest(view(data, verify)))
        verdict, _ = android(*words, status=0 if code is None else 65)
        expect(code is None or code in codes(verdict), str(verdict))
    for wrong in ["", "<a/>", '<!DOCTYPE m [<!ENTITY a "b">]><manifest>&a;</manifest>']:
        xml.write_text(wrong)
        nfcprog("check-link", *words, status=65)


@check("--assetlinks auto asks the link's host, and nobody else")
def fetched(folder):
    place = ("example.com", "/.well-known/assetlinks.json")
    xml = written(folder / "AndroidManifest.xml", manifest(view()))
    words = [LINK, "--wakes", f"{APP},{PRINT}", "--assetlinks", "auto", "--manifest", xml, "--android-versions", "16-17"]
    with Network(folder, {place: asset_links()}) as network:
        verdict, _ = android(*words, environment=network.environment)
        expect_equal((verdict["wakesApp"], codes(verdict)), (True, []), "verdict")
        expect_equal(network.asked, [place], "what was asked for")
        network.files[place] = (301, "", {"location": "https://www.example.com/"})
        verdict, _ = android(*words, status=65, environment=network.environment)
        expect("fetch-redirect" in codes(verdict) and "Android does not follow redirects" in str(verdict), str(verdict))
        network.files[place] = ("hang up", "", {})
        verdict, _ = android(*words, status=75, environment=network.environment)
        expect_equal(verdict["opens"], "unknown", "verdict")


@check("what stands on a tag is followed: the record of the app, of another one, Wi-Fi, data of one's own")
def records(folder):
    reader = f"sim:ntag216,file={folder / 'my.tag'}"
    own = ndef('<data android:scheme="vnd.android.nfc" android:host="ext" android:path="/example.com:thing"/>')
    xml = written(folder / "AndroidManifest.xml", manifest(LAUNCHER, ndef(), own))
    data = written(folder / "data", "x")
    for words, word in [
            (["--uri", LINK, "--android-app", APP], "app"), (["--android-app", APP, "--uri", LINK], "launcher"),
            (["--uri", LINK, "--android-app", "com.example.two"], "other"),
            (["--uri", LINK, "--android-app", APP, "--wifi", "Net,password=12345678"], "system"),
            (["--external", f"example.com:thing=@{data}"], "app"), (["--text", "Hello"], "nothing")]:
        nfcprog("write", *words, "--reader", reader)
        verdict, _ = android("--tag", "--wakes", APP, "--manifest", xml, "--reader", reader, status=0 if word == "app" else 65)
        expect_equal(outcomes(verdict), [word] * 6, str(words))
    nfcprog("write", "--uri", LINK, "--android-app", APP, "--reader", reader)
    verdict, _ = android("--tag", "--wakes", APP, "--reader", reader, status=65)
    expect_equal(outcomes(verdict), ["unknown"] * 6, "without a manifest")


@check("write-url, clone and provision write only what every version asked for takes; the check changes no byte")
def series(folder):
    jobs = written(folder / "jobs.csv", f"url\n{LINK}\n")
    good = written(folder / "good.xml", manifest(LAUNCHER, ndef()))
    bad = written(folder / "bad.xml", manifest(LAUNCHER, view()))
    for xml, status in [(bad, 65), (good, 0)]:
        words = ["--wakes", APP, "--manifest", xml]
        tag = folder / f"{status}.tag"
        nfcprog("write-url", LINK, "--android-app", APP, *words, "--reader", f"sim:ntag215,file={tag}", status=status)
        expect_equal(tag.exists() and b"android.com:pkg" in memory(tag), status == 0, "write-url")
        source = folder / f"source{status}"
        nfcprog("write", "--uri", LINK, "--android-app", APP, "--reader", f"sim:ntag215,file={source}")
        copies = f"sim:ntag215,file={source},then=ntag215,file={folder / f'copy{status}'}"
        nfcprog("clone", "--count", "1", *words, "--reader", copies, status=status)
        tag = folder / f"job{status}"
        nfcprog("provision", jobs, "--template", "{url:raw}", "--android-app", APP, *words, "--reader", f"sim:ntag215,file={tag}",
                status=status)
        expect_equal(tag.exists() and b"android.com:pkg" in memory(tag), status == 0, "provision")
    plain = folder / "plain"
    nfcprog("provision", jobs, "--template", "{url:raw}", "--android-app", APP, "--reader", f"sim:ntag215,file={plain}")
    expect_equal(memory(plain)[16:], memory(folder / "job0")[16:], "the bytes without the check")


@check("a command line whose meaning changed is refused with the new spelling: 64, nothing written")
def spelling(folder):
    file, tag = written(folder / "a.json", asset_links()), folder / "my.tag"
    jobs = written(folder / "jobs.csv", f"url\n{LINK}\n")
    reader = ["--reader", f"sim:ntag215,file={tag}"]
    for words in (
            ["provision", jobs, "--android-app", APP, "--assetlinks", file, *reader],
            ["write-url", LINK, "--android-app", APP, "--assetlinks", file, *reader],
            ["write-url", LINK, "--android-app", f"{APP},{PRINT}", *reader],
            ["clone", "--android-app", APP, "--assetlinks", file, *reader]):
        outcome = nfcprog(*words, status=64)
        expect(f"--wakes {APP}" in outcome.errors and not tag.exists(), str(outcome))


@check("wrong use of the Android options is a usage error")
def usage(folder):
    nfcprog("check-link", LINK, "--assetlinks", "auto", status=64)
    nfcprog("check-link", LINK, "--domain", "example.com", status=64)
    nfcprog("check-link", LINK, "--wakes", APP, "--android-versions", "11", status=64)
    nfcprog("check-link", LINK, "--wakes", "com.yourcompany.app", status=65)
    nfcprog("check-link", LINK, "--wakes", f"{APP},{EXAMPLE}", status=65)
    nfcprog("check-link", LINK, "--wakes", APP, "--android-record", "nonsense", status=65)
    nfcprog("check-link", LINK, "--wakes", APP, "--assetlinks", folder / "missing.json", status=66)
