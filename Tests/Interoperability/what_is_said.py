"""What a command says, on which channel: results, refusals, JSON, nothing; and no secret."""

import json

from hubs import hub_binary
from support import binary, check, expect, expect_equal, json_object, nfcprog, program

URL = "https://example.com/t/1"


@check("--quiet prints nothing where all is well, what a command is for, and every error")
def quiet(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    for words in (["write-url", URL], ["write-url", URL], ["write", "--text", "a", "--overwrite"], ["erase"], ["dump", folder / "a.bin"],
                  ["protect", "--set-password", "01020304"], ["unprotect", "--password", "01020304"], ["restore", folder / "a.bin"]):
        outcome = nfcprog(*words, "-q", "--reader", reader)
        expect_equal(outcome.output + outcome.errors, "", words[0])
    for words in (["info"], ["read"], ["write-url", URL, "--dry-run"]):
        expect("ntag213" in nfcprog(*words, "-q", "--reader", reader).output, words[0])
    expect(nfcprog("write-url", URL + "x" * 200, "-q", "--reader", reader, status=65).errors.startswith("nfcprog: "), "an error")
    outcome = nfcprog("write-url", URL, "--count", "3", "-q", "--timeout", "0.3", "--reader", "sim:ntag213*2", status=75)
    expect(outcome.output == "" and "No further tag" in outcome.errors, str(outcome))
    expect("2. write page" in nfcprog("write-url", URL, "--count", "2", "--dry-run", "-q", "--reader", "sim:ntag213*2").output, "a plan")
    nfcprog("write-url", URL, "-q", "--reader", reader)
    nfcprog("read", "--raw", folder / "one.ndef", "-q", "--reader", reader)
    outcome = nfcprog("clone", "-q", "--from", folder / "one.ndef", "--any-content", "--timeout", "0.3", "--reader", "sim:phone=iphone", status=75)
    expect("No further tag" in outcome.errors, str(outcome))
    outcome = nfcprog("write-url", URL, "--count", "2", "-q", "--json", "--timeout", "0.3", "--reader", "sim:ntag213*1", status=75)
    seen = [json.loads(line) for line in outcome.output.splitlines()]
    expect_equal([(one["result"], one.get("error", {}).get("code")) for one in seen], [("written", None), ("failed", 75)], "objects")
    outcome = nfcprog("provision", "--range", "1..2", "--template", URL + "{code}", "-q", "--reader", "sim:ntag213*3,bad=30%")
    expect("PASS" not in outcome.output and "FAIL" in outcome.output, str(outcome))


@check("attempts are told with --verbose alone, and a removed password in words")
def attempts(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("write-url", URL, "--set-password", "01020304", "--reader", reader)
    outcome = nfcprog("write-url", URL[:-1] + "2", "--reader", reader, status=77)
    expect(outcome.errors.startswith("nfcprog: The tag is protected"), str(outcome))
    expect("Attempt 1" in nfcprog("write-url", URL[:-1] + "2", "-v", "--reader", reader, status=77).errors, "attempts")
    outcome = nfcprog("unprotect", "--password", "01020304", "--reader", reader)
    expect("password removed: everyone can write it" in outcome.output, str(outcome))


@check("a card that may be somebody's is called that, and not said to be formatted")
def somebodys(folder):
    for tag in ("phone", "typeb"):
        outcome = nfcprog("info", "--reader", f"sim:{tag}")
        expect("somebody's card" in outcome.output and "Format it first" not in outcome.output, str(outcome))
    expect("Format it first" in nfcprog("info", "--reader", "sim:classic1k").output, "a blank card")


@check("an unknown option is a usage error, 64, explained on standard error")
def unknown_option(folder):
    outcome = nfcprog("--frobnicate", status=64)
    expect("--frobnicate" in outcome.errors and outcome.output == "", str(outcome))


# Orders to a terminal: a cleared screen, a title, the C1 form of the same, a line from right to left, a return to its beginning.
ORDERS = "x\x1b[2J\x1b[H\x1b]0;t\x07\x9b31m\u202e\u2028\rPASS"


def expect_plain(outcome):
    """No character but line ends and tabs acts on a terminal."""
    found = [hex(ord(sign)) for sign in outcome.output + outcome.errors
             if sign not in "\n\t" and (ord(sign) < 32 or 127 <= ord(sign) < 160 or sign in "\u202e\u2028")]
    expect(not found, f"{found} in {outcome!s:.600}")


@check("no argument of any command gives a terminal orders, whoever says that it is wrong")
def repeated_arguments(folder):
    described = json.loads(nfcprog("--experimental-dump-help").output)["command"]
    commands = [(command["commandName"], command) for command in described["subcommands"] if command["commandName"] != "help"]
    commands += [(f"{name} {inner['commandName']}", inner) for name, outer in commands for inner in outer.get("subcommands", [])]
    expect_plain(program(binary(), ORDERS))
    expect_plain(program(binary(), "help", ORDERS))
    for name, command in commands:
        words = name.split()
        expect_plain(program(binary(), *words, f"--{ORDERS}"))
        expect_plain(program(binary(), *words, ORDERS, ORDERS, ORDERS))
        taken = [option["names"][0]["name"] for option in command.get("arguments", []) if option["kind"] == "option"]
        # What would write a file or run until it is ended does not get so far.
        end = ["--nonsense"] if name in ("simulate", "report-problem") else []
        for option in taken[:: max(1, len(taken) // 2)]:
            expect_plain(program(binary(), *words, f"--{option}={folder}/{ORDERS}", *end))
    for words in ([ORDERS], [f"--{ORDERS}"], ["--listen", ORDERS, "j"], ["j", "--host", ORDERS], ["j", "--token-file", ORDERS], ["j", ORDERS]):
        expect_plain(program(hub_binary(), *words))


@check("write-url --json prints the promised fields and nothing else")
def json_fields(folder):
    tag = f"sim:ntag213,uid=04a1b2c3d4e5f6,file={folder / 'tag.txt'}"
    seen = json_object(nfcprog("write-url", URL, "--json", "--reader", tag))
    expect(seen.pop("durationMs") >= 0, "durationMs")
    expect(seen.pop("modelled")["totalMs"] > 0, "modelled time")
    counts = seen.pop("operations")
    expect_equal(sorted(counts), ["authentications", "frames", "reads", "skipped", "writes"], "operations")
    expect(counts["writes"] > 0 and counts["frames"] > counts["writes"], f"operations: {counts}")
    expect_equal(seen, {
        "command": "write-url", "uid": "04a1b2c3d4e5f6", "tag": "ntag213", "atqa": "0044", "sak": "00",
        "result": "written", "ndefStatus": "readWrite", "content": "message", "capacity": 137, "length": 20, "verified": True,
        "records": [{
            "tnf": 1, "type": "U", "id": "", "payload": "046578616d706c652e636f6d2f742f31", "uri": URL}],
    }, "object")
    again = json_object(nfcprog("write-url", URL, "--json", "--reader", tag))
    expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "second run")


@check("without --json the result is on standard output, standard error stays empty, and nothing is coloured")
def plain_text(folder):
    outcome = nfcprog("write-url", URL, "--reader", "sim:ntag213,uid=04a1b2c3d4e5f6")
    expect("04:A1:B2:C3:D4:E5:F6" in outcome.output and URL in outcome.output, str(outcome))
    expect(outcome.errors == "" and "\x1b" not in outcome.output, str(outcome))


@check("a secret key appears neither in the trace nor in what is said")
def secrets(folder):
    trace = folder / "trace.jsonl"
    key = "c0ffee123456"
    reader = f"sim:classic1k,file={folder / 'tag.txt'}"
    said = ""
    for words in (["format-classic", "--key-b", key, "--dry-run"], ["format-classic", "--key-b", key],
                  ["info", "--key", key], ["write-url", URL, "--key", key]):
        for extra in ([], ["--json"], ["--verbose"]):
            outcome = nfcprog(*words, *extra, "--trace", trace, "--reader", reader)
            traced = trace.read_text()
            said += outcome.output + outcome.errors + traced
            trace.unlink()
    lines = [json.loads(line) for line in traced.splitlines()]
    expect(all({"time", "durationMs", "command"} <= line.keys() for line in lines), "fields of the trace")
    expect(any(line["command"].startswith("400160") and "**" in line["command"] for line in lines),
           "no authentication in the trace")
    plain = said.lower().replace(" ", "").replace(":", "")
    expect(key not in plain, "the key was said")
