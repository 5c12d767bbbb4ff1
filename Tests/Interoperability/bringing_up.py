"""bring-up: the questions to a new board, through the real libnfc on a simulated one."""

import json
import stat

from support import Simulation, check, expect, expect_equal, json_object, memory, nfcprog

BENCH = "sim:ntag215,then=classic1k,then=type4,then=ntag213+ntag216,then=ntag213+classic1k,then=classic1k,sak=28"


def verdicts(seen):
    return {point["name"]: point["verdict"] for point in seen["points"]}


@check("bring-up passes every point on a genuine board, and its report has every frame")
def genuine(folder):
    report = folder / "report.txt"
    seen = json_object(nfcprog("bring-up", "--json", "--rounds", 3, "--report", report, "--reader", BENCH))
    left = {name: verdict for name, verdict in verdicts(seen).items() if verdict != "passed"}
    expect_equal(left, {"phone-beside": "skipped", "phones": "skipped", "unreachable-speed": "skipped"}, "points that did not pass")
    expect_equal((seen["result"], seen["failed"]), ("passed", 0), "result")
    expect("settings" not in seen, str(seen.get("settings")))
    expect_equal(stat.S_IMODE(report.stat().st_mode), 0o600, "mode")
    text = report.read_text()
    for point in seen["points"]:
        expect(point["verdict"] == "skipped" or point["frames"] or point["name"] in ("first-byte", "stray-speed"), str(point))
        for frame in point["frames"]:
            expect(bytes.fromhex(frame["command"]).hex(" ").upper() in text, f"{frame} is not in the report")
    names = [line.split(":")[0] for line in nfcprog("bring-up", "--list").output.splitlines() if not line.startswith(" ")]
    expect_equal(names, list(verdicts(seen)), "list")


@check("bring-up fails the right point on a copied chip, 76, names the place, and --apply keeps the safe choice")
def clone(folder):
    settings = folder / "nfcprog.toml"
    settings.write_text('# mine\n[readers]\nleft = "usb:1-2"\n\n[defaults]\ntimeout = 5\n')
    environment = {"NFCPROG_CONFIG": str(settings)}
    reader = "sim:ntag213,chip=clone"
    seen = json_object(nfcprog("bring-up", "--json", "--rounds", 3, "--apply", "--reader", reader, status=76, environment=environment))
    failed = {point["name"]: point for point in seen["points"] if point["verdict"] == "failed"}
    expect_equal(set(failed), {"in-select", "fast-read"}, "failed")
    expect_equal(failed["fast-read"]["place"], "Readers/Care.swift: Care", "place")
    expect_equal((seen["settings"], seen["applied"]), ({"fastRead": 4}, str(settings)), "settings")
    text = settings.read_text()
    expect(text.startswith('# mine\n[readers]\nleft = "usb:1-2"\n\n[defaults]\ntimeout = 5\n'), text)
    expect(f'[boards."{reader}"]\nfast-read = 4\n' in text, text)
    # From then on this reader is not asked for it; another one is.
    for name, count in [(reader, 0), ("sim:ntag213", 1)]:
        trace = folder / f"{count}.trace"
        nfcprog("dump", folder / f"{count}.bin", "--reader", name, "--trace", trace, environment=environment)
        commands = [json.loads(line)["command"] for line in trace.read_text().splitlines()]
        expect_equal(any(command.startswith("423a") for command in commands), count > 0, f"FAST_READ to {name}")


@check("bring-up writes to no tag that lay there before it asked for a blank one")
def lying_there(folder):
    image = folder / "tag.txt"
    nfcprog("info", "--reader", f"sim:ntag213,file={image}")
    before = memory(image)
    with Simulation(f"ntag213,file={image}") as board:
        seen = json_object(nfcprog("bring-up", "--json", "--rounds", 3, "--timeout", 1, "--reader", board.port))
    found = verdicts(seen)
    expect_equal((found["fast-read"], found["field-reset"], found["speeds"]), ("passed", "passed", "passed"), "read")
    for name in ["write-time", "memory-size", "cells", "refused-writes", "protected-read", "classic-write-time", "lifted-trailers"]:
        expect_equal(found[name], "skipped", name)
    expect_equal(memory(image), before, "memory")


@check("bring-up refuses a point that there is not, 64, and a reader that is not there, 69")
def refused(folder):
    outcome = nfcprog("bring-up", "--point", "nonsense", "--reader", "sim:ntag213", status=64)
    expect("self-test" in outcome.errors, str(outcome))
    nfcprog("bring-up", "--reader", "pn532_uart:/dev/ttyUSB77", status=69)
