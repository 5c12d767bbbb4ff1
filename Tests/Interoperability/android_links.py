"""Tags that wake an Android app: asset links, manifests, application records."""

import json

from fetching import Network
from support import check, expect, expect_equal, json_object, memory, nfcprog

APP = "com.example.app"
PRINT = ":".join(f"{byte:02X}" for byte in range(32))
LINK = "https://example.com/t/1"


def asset_links(package=APP, fingerprint=PRINT):
    return json.dumps([{
        "relation": ["delegate_permission/common.handle_all_urls"],
        "target": {
            "namespace": "android_app", "package_name": package, "sha256_cert_fingerprints": [fingerprint]}}])


def manifest(data, verify="true"):
    return f"""<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{APP}"><application>
        <activity android:name=".A"><intent-filter android:autoVerify="{verify}">
        <action android:name="android.intent.action.VIEW"/>
        <category android:name="android.intent.category.DEFAULT"/>
        <category android:name="android.intent.category.BROWSABLE"/>{data}
        </intent-filter></activity></application></manifest>"""


def android(*words, status=0, **options):
    """The verdict of check-link, and the whole object."""
    seen = json_object(nfcprog("check-link", *words, "--json", status=status, **options))
    return seen["android"], seen


def codes(verdict):
    return [finding["code"] for finding in verdict["findings"]]


@check("make-assetlinks prints a file that check-link takes, in JSON for each platform")
def made(folder):
    text = nfcprog("make-assetlinks", "--android-app", f"{APP},{PRINT}").output
    expect_equal(json.loads(text), json.loads(asset_links()), "file")
    (folder / "assetlinks.json").write_text(text)
    verdict, seen = android(LINK, "--android-app", f"{APP},{PRINT}", "--assetlinks", folder / "assetlinks.json")
    expect_equal((verdict["wakesApp"], verdict["opens"], codes(verdict)), (True, "app", ["assetlinks-handed-over"]), "")
    expect_equal(seen["iphone"], {"wakesApp": False, "opens": "unknown"}, "iPhone")
    nfcprog("make-assetlinks", "--android-app", APP, status=65)
    nfcprog("make-assetlinks", "--android-app", "nonsense", status=65)


@check("a file that lists another app, another certificate or is broken: 65, what a record would cost, the tag untouched")
def refused(folder):
    tag, file = folder / "my.tag", folder / "assetlinks.json"
    nfcprog("info", "--reader", f"sim:ntag213,file={tag}")
    before = tag.read_bytes()
    for text, code in [
            (asset_links("com.example.two"), "android-app-not-listed"),
            (asset_links(fingerprint=":".join(["AA"] * 32)), "fingerprint-not-listed"), ("{", "assetlinks-not-json")]:
        file.write_text(text)
        words = ["--android-app", f"{APP},{PRINT}", "--assetlinks", file]
        verdict, _ = android(LINK, *words, status=65)
        expect(code in codes(verdict) and verdict["opens"] == "browser", str(verdict))
        expect_equal(verdict["recordCost"], 3 + 15 + len(APP), "cost of a record")
        nfcprog("write-url", LINK, *words, "--reader", f"sim:ntag213,file={tag}", status=65)
        expect_equal(tag.read_bytes(), before, "tag file")


@check("the manifest must ask for the link and for its host to be verified")
def manifests(folder):
    file, xml = folder / "assetlinks.json", folder / "AndroidManifest.xml"
    file.write_text(asset_links())
    for text, code in [
            (manifest('<data android:scheme="https" android:host="example.com" android:pathPrefix="/t/"/>'), None),
            (manifest('<data android:scheme="https" android:host="example.com" android:path="/u"/>'), "link-not-in-manifest"),
            (manifest('<data android:scheme="https" android:host="example.com"/>', "false"), "manifest-without-auto-verify")]:
        xml.write_text(text)
        verdict, _ = android(
            LINK, "--android-app", APP, "--assetlinks", file, "--manifest", xml, status=0 if code is None else 65)
        expect(code is None or code in codes(verdict), str(verdict))
    for wrong in ["", "<a/>", '<!DOCTYPE m [<!ENTITY a "b">]><manifest>&a;</manifest>']:
        xml.write_text(wrong)
        nfcprog("check-link", LINK, "--android-app", APP, "--assetlinks", file, "--manifest", xml, status=65)


@check("--assetlinks auto asks the link's host, and nobody else")
def fetched(folder):
    place = ("example.com", "/.well-known/assetlinks.json")
    words = [LINK, "--android-app", f"{APP},{PRINT}", "--assetlinks", "auto"]
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


@check("a tag with an application record starts its app without a site; one of another app does not")
def records(folder):
    reader = f"sim:ntag213,file={folder / 'my.tag'}"
    nfcprog("write", "--uri", LINK, "--android-app", APP, "--reader", reader)
    verdict, _ = android("--tag", "--android-app", APP, "--reader", reader)
    expect_equal((verdict["wakesApp"], verdict["byRecord"]), (True, True), "verdict")
    verdict, _ = android("--tag", "--android-app", "com.example.two", "--reader", reader, status=65)
    expect_equal(codes(verdict), ["other-android-app"], "findings")


@check("clone and provision hold every link to the asset links before the first tag")
def series(folder):
    file, source, jobs = folder / "assetlinks.json", folder / "source.tag", folder / "jobs.csv"
    nfcprog("write-url", LINK, "--reader", f"sim:ntag213,file={source}")
    jobs.write_text(f"url\n{LINK}\n")
    copies = f"sim:ntag213,file={source},then=ntag215,file={folder / 'copy.tag'}"
    for package, status in [("com.example.two", 65), (APP, 0)]:
        file.write_text(asset_links(package))
        words = ["--android-app", APP, "--assetlinks", file]
        nfcprog("clone", "--count", "1", *words, "--reader", copies, status=status)
        nfcprog("provision", jobs, *words, "--reader", f"sim:ntag213,file={folder / 'job.tag'}", status=status)
        expect_equal((folder / "job.tag").exists() and b"example.com/t/1" in memory(folder / "job.tag"), status == 0, "tag")
    expect(b"android.com:pkg" not in memory(folder / "job.tag"), "the app is asked for, no record of it is written")
    nfcprog("provision", jobs, "--assetlinks", file, "--reader", "sim:ntag213", status=64)


@check("wrong use of the Android options is a usage error")
def usage(folder):
    nfcprog("check-link", LINK, "--assetlinks", "auto", status=64)
    nfcprog("check-link", LINK, "--android-app", "com.yourcompany.app", status=65)
    nfcprog("check-link", LINK, "--android-app", APP, "--assetlinks", folder / "missing.json", status=66)
