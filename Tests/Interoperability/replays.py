"""Traces: shown, compared, masked, and replayed as boards, with what must come out."""

import json
import re
import shlex
import sys
from pathlib import Path

from support import Simulation, binary, check, expect, expect_equal, json_object, nfcprog, program

HELPER = Path(__file__).with_name("nfcpy_tag.py")
FOLDERS = Path(__file__).resolve().parent.parent / "Traces"
LINK, OTHER = "https://www.example.com/t/1", "https://www.example.com/t/2"

# The jobs of Docs/Performance.md, each with the tag that it is done on, and what is done before.
JOBS = {
    "a URL on a factory NTAG213": ("ntag213", [], ["write-url", LINK]),
    "a URL replaced on an NTAG213": ("ntag213", [["write-url", OTHER]], ["write-url", LINK]),
    "a URL read from an NTAG213": ("ntag213", [["write-url", LINK]], ["read"]),
    "a URL on a factory 1K, fewest sectors, unseen": ("classic1k", [], ["write-url", LINK, "--sectors", "fewest", "--overwrite"]),
    "a URL on a factory 1K, fewest sectors": ("classic1k", [], ["write-url", LINK, "--sectors", "fewest"]),
    "a URL on a factory 1K, all sectors": ("classic1k", [], ["write-url", LINK]),
    "a URL on a formatted 1K": ("classic1k", [["write-url", OTHER, "--sectors", "fewest"]], ["write-url", LINK]),
    "a URL read from a 1K": ("classic1k", [["write-url", LINK, "--sectors", "fewest"]], ["read"]),
    "a format of a 1K, unseen": ("classic1k", [], ["format-classic", "--overwrite"]),
    "a format of a 1K": ("classic1k", [], ["format-classic"]),
    "a format of a 4K with MAD2, unseen": ("classic4k", [], ["format-classic", "--overwrite"]),
    "a reset of a 1K": ("classic1k", [["format-classic", "--overwrite"]], ["reset-classic"]),
    "a URL on a FeliCa Lite-S": ("felica-lite-s", [["format-felica", "--url", OTHER]], ["write-url", LINK]),
    "a URL on a Type 4 tag": ("type4", [], ["write-url", LINK]),
    "a password on an NTAG213": ("ntag213", [["write-url", LINK]], ["protect", "--set-password", "CAFED00D"]),
    "a password taken off an NTAG213": (
        "ntag213", [["protect", "--set-password", "CAFED00D"]], ["unprotect", "--password", "CAFED00D"]),
    "a key on an Ultralight C": (
        "ultralight-c", [["write-url", LINK]], ["protect", "--set-password", "000102030405060708090A0B0C0D0E0F"]),
    "a key on an Ultralight AES": (
        "ultralight-aes", [["write-url", LINK]], ["protect", "--set-password", "000102030405060708090A0B0C0D0E0F"]),
    "what an NTAG216 says": ("ntag216", [], ["info"]),
}

# Each way in which a board or a tag may differ from its data sheet (Docs/Bench.md), on the tags that have it.
DEVIATIONS = {
    "ntag213": [
        "chip=clone", "polls=wupa", "answers=64", "longframes=damaged", "ack=3", "wakes=no", "leaves=awake", "seeks=idle",
        "pairs=none", "naks=hidden", "commands=64", "parts=yes", "halts=no", "fastread=no", "com=slow", "rows=60", "page0=open",
        "password=any", "edge=nak", "auth0=selection", "mirrors=apart", "misses=5", "stuck=65:0:1", "uid=random"],
    "classic1k": ["chip=clone", "auth14=yes", "polls=wupa", "sak=18", "sak=28", "halts=no", "com=slow", "seeks=idle", "wakes=no"],
    "type4": ["rats=silent", "chip=clone", "misses=5"],
}
WAITING = {"rats=silent"}


def recorded(folder, tag, before, words, options="", name="trace.jsonl"):
    """Does a job on a virtual tag and records it; returns the trace and what the command said, as it ended."""
    image = folder / f"{name}.tag"
    reader = f"sim:{tag},file={image}"
    for earlier in before:
        nfcprog(*earlier, "--reader", reader)
    trace = folder / name
    outcome = program(
        binary(), *words, "--json", "--timeout", "5", "--trace", trace, "--reader", reader + (f",{options}" if options else ""))
    return trace, outcome


def seen(outcome):
    """The one object that a command has printed, without what the clock and the line make of it."""
    lines = outcome.output.splitlines()
    expect(len(lines) == 1, str(outcome))
    found = json.loads(lines[0])
    for name in ("backup", "durationMs", "modelled", "operations"):
        found.pop(name, None)
    if "error" in found:
        # The reader has another name.
        found["error"]["message"] = re.sub(r"pn532_uart:\S+", "READER", found["error"]["message"])
    return found


def replayed(trace, words, **options):
    return program(binary(), *words, "--json", "--timeout", "5", "--reader", f"sim:trace={trace}", **options)


def agree(folder, tag, before, words, options, name):
    trace, first = recorded(folder, tag, before, words, options, f"{name}.jsonl")
    again = folder / f"{name}-again.jsonl"
    second = replayed(trace, [*words, "--trace", again])
    text = f"{tag} {options}: {' '.join(words)}\n{first}\n{second}"
    expect_equal(second.status, first.status, f"exit status of {text}")
    expect_equal(seen(second), seen(first), f"the verdict of {text}")
    # How often a tag that does not answer is looked for depends on the clock.
    if options not in WAITING:
        compared = program(binary(), "trace", trace, "--compare", again)
        expect(compared.status == 0, f"{text}\n{compared}")


@check("a recorded run of every job of Performance.md replays: the same verdict, the same bytes")
def jobs(folder):
    for number, (sentence, (tag, before, words)) in enumerate(JOBS.items()):
        agree(folder, tag, before, words, "", f"job{number}")


@check("a recorded run with each deviation of a board or a tag replays: the same verdict, the same bytes")
def deviations(folder):
    number = 0
    for tag, options in DEVIATIONS.items():
        for option in options:
            number += 1
            agree(folder, tag, [], ["write-url", LINK], option, f"deviation{number}")


@check("another plan than the recorded one ends with 78: the frame, the step and the place in the trace are named")
def other_plan(folder):
    trace, _ = recorded(folder, "ntag213", [], ["write-url", LINK])
    outcome = replayed(trace, ["write-url", OTHER])
    expect_equal(outcome.status, 78, str(outcome))
    message = seen(outcome)["error"]["message"]
    expect("the trace does not say" in message and "4001a2" in message and "line" in message, message)
    # One write fewer, and two in another order: the trace is changed, the program is the same.
    lines = trace.read_text().splitlines(keepends=True)
    writes = [index for index, line in enumerate(lines) if '"command":"4001a2' in line]
    expect(len(writes) >= 3, trace.read_text())
    fewer, swapped = folder / "fewer.jsonl", folder / "swapped.jsonl"
    fewer.write_text("".join(line for index, line in enumerate(lines) if index != writes[1]))
    first, second = writes[0], writes[1]
    order = list(lines)
    order[first], order[second] = lines[second], lines[first]
    swapped.write_text("".join(order))
    for changed in (fewer, swapped):
        outcome = replayed(changed, ["write-url", LINK])
        expect_equal(outcome.status, 78, str(outcome))
        expect("the trace does not say" in seen(outcome)["error"]["message"], str(outcome))
    # And the comparison says where.
    outcome = nfcprog("trace", trace, "--compare", fewer, status=76)
    expect("part after" in outcome.output and "WRITE page" in outcome.output, str(outcome))
    found = json_object(nfcprog("trace", trace, "--compare", swapped, "--json", status=76))
    expect_equal((found["result"], found["difference"], found["first"]["step"]), ("parted", "command", first + 1), str(found))


@check("trace shows a run in words, selects from it, and names what is no trace")
def shown(folder):
    trace = folder / "trace.jsonl"
    nfcprog("write-url", LINK, "--trace", trace, "--reader", f"sim:ntag213,file={folder / 'tag.txt'}")
    text = nfcprog("trace", trace).output
    for words in ("look for", "READ page", "WRITE page", "field"):
        expect(words in text, text)
    rows = [json.loads(line) for line in nfcprog("trace", trace, "--json").output.splitlines()]
    expect_equal(len(rows), len(trace.read_text().splitlines()), "rows")
    uid = next(row["tag"] for row in rows if "tag" in row)
    only = [json.loads(line) for line in nfcprog("trace", trace, "--json", "--tag", uid.upper()).output.splitlines()]
    expect(only and all(row["tag"] == uid for row in only), str(only))
    one = nfcprog("trace", trace, "--json", "--step", "3-4").output.splitlines()
    expect_equal([json.loads(line)["step"] for line in one], [3, 4], "--step")
    nfcprog("trace", trace, "--step", "4-3", status=64)
    foreign = folder / "foreign.txt"
    foreign.write_text("Dear Ada,\n")
    expect("line 1" in nfcprog("trace", foreign, status=65).errors, "a foreign file")
    damaged = folder / "damaged.jsonl"
    damaged.write_text(trace.read_text().replace('"command":"', '"command":"x', 2).replace("x", "", 1))
    expect("line 2" in nfcprog("trace", damaged, status=65).errors, "a damaged file")
    nfcprog("trace", folder / "none", status=66)


@check("a board that answers from a file that is no trace, or is not there, ends the command: 65, 66; options are checked: 64")
def bad_files(folder):
    foreign = folder / "foreign.txt"
    foreign.write_text("Dear Ada,\n")
    nfcprog("info", "--reader", f"sim:trace={foreign}", status=65)
    nfcprog("info", "--reader", f"sim:trace={folder / 'none'}", status=66)
    nfcprog("info", "--reader", "sim:trace=", status=64)
    nfcprog("info", "--reader", f"sim:trace={foreign},pace=slow", status=64)
    nfcprog("simulate", "--trace-file", foreign, status=65)
    nfcprog("simulate", "ntag213", "--trace-file", foreign, status=64)


@check("a debugging log of libnfc is a board for libnfc's own program: it lists the tag again")
def libnfc_log(folder):
    with Simulation("ntag213") as board:
        first = program("nfc-list", environment={**board.environment, "LIBNFC_LOG_LEVEL": "3"})
    log = folder / "libnfc.log"
    log.write_text(first.errors + first.output)
    uid = re.search(r"UID \(NFCID1\): ((?:[0-9a-f]{2}\s*)+)", first.output).group(1).split()
    rows = [json.loads(line) for line in nfcprog("trace", log, "--json").output.splitlines()]
    expect(any(row.get("tag") == "".join(uid) for row in rows), str(rows[:5]))
    with Simulation("--trace-file", f"{log},pace=none") as board:
        second = program("nfc-list", environment=board.environment)
    shown = re.sub(r"\S*/dev/pts/\S+|libnfc \S+", "", first.output)
    expect_equal(re.sub(r"\S*/dev/pts/\S+|libnfc \S+", "", second.output), shown, "what nfc-list said")


# nfcpy with its debugging log on standard error, as its tagtool writes it with --reltime.
LOGGING = """
import logging, nfc, runpy, sys
logging.basicConfig(level=logging.DEBUG - 1, format="%(relativeCreated)d ms [%(name)s] %(message)s")
logging.getLogger("nfc").setLevel(logging.DEBUG - 1)
sys.argv = sys.argv[1:]
sys.path.insert(0, str(__import__("pathlib").Path(sys.argv[0]).parent))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@check("a debugging log of nfcpy is a board for nfcpy: it reads the same message again")
def nfcpy_log(folder):
    tag = f"ntag213,file={folder / 'tag.txt'}"
    nfcprog("write-url", LINK, "--reader", f"sim:{tag}")
    with Simulation(tag) as board:
        first = program(sys.executable, "-c", LOGGING, HELPER, board.port, "read")
    expect_equal(first.status, 0, str(first))
    log = folder / "nfcpy.log"
    log.write_text(first.errors)
    rows = [json.loads(line) for line in nfcprog("trace", log, "--json").output.splitlines()]
    expect(any(row["meaning"] == "READ page 4" for row in rows), str(rows[:9]))
    expect(all("durationMs" in row for row in rows if "answer" in row), "times")
    with Simulation("--trace-file", f"{log},pace=none") as board:
        second = program(sys.executable, HELPER, board.port, "read")
    expect_equal(second.output, first.output, f"what nfcpy read\n{second}")


@check("report-problem --replayable makes a board of the last trace, without a key or a password, and says how to try it")
def replayable(folder):
    state = {"XDG_STATE_HOME": str(folder / "state")}
    nfcprog("report-problem", "--replayable", "--output", folder / "none", environment=state, status=66)
    trace = folder / "trace.jsonl"
    words = ["protect", "--set-password", "CAFED00D"]
    first = nfcprog(*words, "--json", "--trace", trace, "--reader", "sim:ntag213", environment=state)
    file = folder / "problem.trace"
    outcome = nfcprog("report-problem", "--replayable", "--output", file, environment=state)
    expect(f"sim:trace={file}" in outcome.output, str(outcome))
    expect("cafed00d" not in file.read_text().lower(), "the password is in the file")
    second = replayed(file, words)
    expect_equal(seen(second), seen(first), f"the verdict\n{second}")
    expect("keys and passwords" in second.errors, str(second))
    # A log of another program has its secrets in the clear.
    log = folder / "libnfc.log"
    log.write_text(
        "debug\tlibnfc.bus.uart\tTX: 00 00 ff 07 f9 d4 42 1b ca fe d0 0d 2a 00 \n"
        "debug\tlibnfc.bus.uart\tRX: 00 00 ff 00 ff 00 00 00 ff 05 fb d5 43 00 c7 72 af 00 \n")
    nfcprog("report-problem", "--replayable", "--trace", log, "--output", file, "--force", environment=state)
    text = file.read_text()
    expect("421b********" in text and "00****" in text and "cafed00d" not in text, text)


@check("a report of bring-up is a board for the same points: the same verdicts")
def bring_up(folder):
    report = folder / "report.txt"
    points = ["--point", "refusals", "--point", "sak", "--point", "two-tags"]
    reader = "sim:ntag213,then=classic1k,then=ntag213+ntag216"
    first = json_object(nfcprog("bring-up", *points, "--json", "--report", report, "--reader", reader))
    second = json_object(nfcprog("bring-up", *points, "--json", "--reader", f"sim:trace={report}"))

    def verdicts(found):
        return {point["name"]: (point["verdict"], point["seen"]) for point in found["points"]}

    expect_equal(verdicts(second), verdicts(first), "verdicts")


@check("each trace in Tests/Traces gives what its folder says")
def folders(folder):
    names = sorted(path.name for path in FOLDERS.iterdir() if path.is_dir())
    expect(names, "no traces")
    for name in names:
        wanted = (FOLDERS / name / "expected.txt").read_text().splitlines()
        words = [word.replace("{}", str(FOLDERS / name)) for word in shlex.split(wanted[0])]
        outcome = program(binary(), *words)
        expect_equal(f"exit status {outcome.status}", wanted[1], f"{name}\n{outcome}")
        said, place = outcome.output + outcome.errors, 0
        for line in wanted[2:]:
            found = said.find(line, place)
            expect(found >= 0, f"{name}: {line!r} is not said, or not in this order\n{outcome}")
            place = found + len(line)


if __name__ == "__main__":
    from workers import run_alone

    run_alone(__doc__)
