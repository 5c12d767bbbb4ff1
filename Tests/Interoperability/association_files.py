"""lint-aasa, make-aasa, and which hosts a site association counts for."""

import json

from link_commands import APP, FILE, WAKES, association
from support import check, expect, expect_equal, json_object, nfcprog


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
    nfcprog("check-link", WAKES, "--aasa", file, "--domain", "example.com", "--app-id", APP)
    nfcprog("check-link", "https://example.com/t/private/1", "--aasa", file, "--domain", "example.com", "--app-id", APP, status=65)


@check("make-aasa refuses an app ID without prefix and a path that an exclusion hides: 65; without an app: 64")
def make_wrong(folder):
    for words in (["--app-id", "com.example.app"], ["--app-id", APP, "--path", "/a", "--exclude", "/*"]):
        outcome = nfcprog("make-aasa", *words, status=65)
        expect(outcome.output == "" and outcome.errors.startswith("nfcprog: "), str(outcome))
    nfcprog("make-aasa", status=64)
    nfcprog("make-aasa", "--app-clip", APP, "--path", "/t/*", status=64)


@check("a file that was handed over vouches for no host: 65 and what would be, 0 where somebody answers for the host")
def handed_over(folder):
    file = association(folder, FILE.replace("/t/*", "*"))
    words = ["check-link", "https://bit.ly/x", "--aasa", file]
    outcome = nfcprog(*words, status=65)
    expect("would wake" in outcome.output and "short-link" in outcome.output, str(outcome))
    words = ["check-link", WAKES, "--aasa", file, "--app-id", APP]
    seen = json_object(nfcprog(*words, "--json", status=65))
    expect_equal((seen["opens"], seen["wakesApp"], seen["wouldWake"]), ("unknown", False, [APP]), str(seen))
    for more in (["--domain", "example.com"], ["--domain", "EXAMPLE.com"], ["--assume-served"],
                 ["--entitlement", "applinks:example.com"]):
        expect_equal(json_object(nfcprog(*words, *more, "--json"))["wakesApp"], True, str(more))
    for more in (["--domain", "example.org"], ["--entitlement", "applinks:example.org"]):
        nfcprog(*words, *more, status=65)
    nfcprog(*words, "--domain", "no domain", status=65)
    nfcprog("check-link", WAKES, "--domain", "example.com", status=64)
    tag = folder / "my.tag"
    outcome = nfcprog("write-url", WAKES, "--aasa", file, "--reader", f"sim:ntag213,file={tag}", status=65)
    expect("Nothing was written" in outcome.errors and not tag.exists(), str(outcome))


@check("for a wildcard in the entitlement the parent's file serves its sub-domains, and not the parent itself")
def wildcard(folder):
    words = ["check-link", "--aasa", association(folder), "--domain", "example.com", "--entitlement", "applinks:*.example.com"]
    nfcprog(*words, "https://www.example.com/t/1")
    nfcprog(*words, "https://a.b.example.com/t/1")
    seen = json_object(nfcprog(*words, WAKES, "--json", status=65))
    expect("host-not-in-entitlement" in [finding["code"] for finding in seen["findings"]], str(seen))
    words[words.index("example.com")] = "www.example.com"
    seen = json_object(nfcprog(*words, "https://www.example.com/t/1", "--json", status=65))
    expect("aasa-of-other-host" in [finding["code"] for finding in seen["findings"]], str(seen))


@check("an entitlement for developer mode is said to work on such phones only")
def developer_mode(folder):
    words = ["check-link", WAKES, "--aasa", association(folder), "--entitlement", "applinks:example.com?mode=developer"]
    seen = json_object(nfcprog(*words, "--json", status=65))
    expect_equal((seen["opens"], [finding["code"] for finding in seen["findings"]]), ("unknown", ["entitlement-mode"]), str(seen))
    nfcprog(*words, "--entitlement", "applinks:example.com")


for placeholder in ("DevelopmentTeamID.BundleID", "TEAMID.com.acme.app", "ABCDE12345.com.example.app", "Q7K2M9P4ZX.BundleID"):

    @check(f"the placeholder {placeholder}, in the file or asked for: 65, named, nothing written")
    def named_placeholder(folder, placeholder=placeholder):
        file = association(folder, FILE.replace(APP, placeholder))
        tag = folder / "my.tag"
        for more in ([], ["--app-id", placeholder]):
            seen = json_object(nfcprog("check-link", WAKES, "--aasa", file, "--domain", "example.com", *more, "--json", status=65))
            found = [finding for finding in seen["findings"] if finding["code"] == "app-id-placeholder"]
            expect(found and placeholder in found[0]["message"], str(seen))
            outcome = nfcprog("write-url", WAKES, "--aasa", file, "--domain", "example.com", *more, "--reader",
                              f"sim:ntag213,file={tag}", status=65)
            expect(placeholder in outcome.errors and not tag.exists(), str(outcome))
        expect("app-id-placeholder" in nfcprog("lint-aasa", file, status=65).output, "lint-aasa")
        nfcprog("make-aasa", "--app-id", placeholder, status=65)


@check("lint-aasa: a rule that says nothing new and apps that are not empty are notes, two forms in one entry a warning")
def notes(folder):
    file = association(folder, json.dumps({"applinks": {"apps": ["x"], "details": [{"appID": APP, "paths": ["*", "/"]}]}}))
    seen = json_object(nfcprog("lint-aasa", file, "--json"))
    found = {finding["code"]: finding["severity"] for finding in seen["findings"]}
    expect_equal((found.get("redundant-component"), found.get("apps-not-empty")), ("note", "note"), str(seen))
    mixed = association(folder, json.dumps({"applinks": {"details": [{"appID": APP, "components": [{"/": "/t/*"}]}]}}))
    seen = json_object(nfcprog("lint-aasa", mixed, "--json"))
    expect_equal([(finding["code"], finding["severity"]) for finding in seen["findings"]], [("mixed-forms", "warning")], "mixed")


@check("lint-aasa takes a file for passkeys or App Clips alone; check-link does not say that it wakes an app")
def other_services(folder):
    file = association(folder, json.dumps({"webcredentials": {"apps": [APP]}, "appclips": {"apps": [APP + ".Clip"]}}))
    nfcprog("lint-aasa", file)
    words = ["check-link", WAKES, "--aasa", file, "--domain", "example.com"]
    for more in ([], ["--app-id", APP]):
        seen = json_object(nfcprog(*words, *more, "--json", status=65))
        expect("app-clip-only" in [finding["code"] for finding in seen["findings"]], str(seen))
