"""--dry-run --json against what a run then puts on the wire, as the trace has it."""

import json

from support import check, expect, expect_equal, json_object, memory, nfcprog

URL = "https://example.com/t/1"
LONG = "https://example.com/" + "t" * 120
KEY_B = "c0ffee123456"
PASSWORD = "a1b2c3d4"


def planned(words, reader):
    """The writes that a dry run lists: place, bytes."""
    seen = json_object(nfcprog(*words, "--dry-run", "--json", "--reader", reader))
    expect(seen["result"] in ("planned", "unchanged"), str(seen))
    steps = seen["plan"]["steps"]
    for step in steps:
        expect({"action", "bytes", "purpose", "irreversible", "text"} <= step.keys(), str(step))
    writes = [step for step in steps if step["action"] == "write"]
    expect_equal(seen["plan"]["writes"], len(writes), "count of writes")
    return [(step.get("page", step.get("block")), step["bytes"]) for step in writes]


def written(words, reader, trace):
    """The writes that the tag took in a run."""
    nfcprog(*words, "--trace", trace, "--reader", reader)
    writes = []
    for line in map(json.loads, trace.read_text().splitlines()):
        command = line["command"]
        if command[:6] in ("4001a0", "4001a2") and line.get("answer") == "00":
            writes.append((int(command[6:8], 16), command[8:]))
    return writes


def edit(image, changes):
    """Gives pages or blocks of a tag file other bytes."""
    lines = image.read_text().splitlines()
    kinds = {line.split(":")[0]: number for number, line in enumerate(lines)}
    for place, content in changes.items():
        lines[kinds[place]] = f"{place}: {content}"
    image.write_text("\n".join(lines) + "\n")


TRANSPORT = "FF FF FF FF FF FF FF 07 80 69 FF FF FF FF FF FF"

# What the tag went through, its file's changes, and the job.
CASES = [
    ("classic1k", [], {}, ["format-classic", "--key-b", KEY_B, "--url", URL]),
    ("classic1k", [["format-classic"]], {"Block 11": TRANSPORT}, ["write-url", URL, "--lock"]),
    ("classic1k", [["format-classic"]], {"Block 11": TRANSPORT}, ["write-url", LONG]),
    ("classic1k", [["write-url", URL]], {"Block 4": "03 FF F0 00" + " 00" * 12}, ["format-classic", "--url", LONG]),
    ("classic1k", [["write-url", URL]], {}, ["reset-classic"]),
    ("classic4k", [["format-classic", "--mad", "1"]], {}, ["format-classic", "--url", URL]),
    ("classic4k", [["format-classic"]], {}, ["format-classic", "--mad", "1", "--url", URL]),
    ("mini", [["format-classic"]], {f"Block {block}": TRANSPORT for block in (7, 11, 15, 19)}, ["write-url", URL]),
    ("mini", [["format-classic"]], {"Block 3": TRANSPORT, "Block 1": "00" + " 00" * 15},
     ["format-classic", "--overwrite", "--url", URL]),
    ("ultralight", [], {}, ["write-url", URL, "--lock"]),
    ("ntag213", [], {}, ["write-url", URL, "--set-password", PASSWORD]),
    ("ntag213", [["write-url", LONG]], {}, ["write-url", URL]),
    ("ntag216", [["write-url", URL]], {}, ["write-url", LONG, "--lock"]),
    ("ntag215", [["write-url", URL, "--set-password", PASSWORD]], {}, ["unprotect", "--password", PASSWORD]),
]

for number, (name, before, changes, words) in enumerate(CASES, 1):

    @check(f"plan {number}: {' '.join(words[:1] + [w for w in words[1:] if w.startswith('-')])} on a {name} writes "
           "what its dry run lists, no more and in that order")
    def same(folder, name=name, before=before, changes=changes, words=words):
        image = folder / "tag.txt"
        reader = f"sim:{name},file={image}"
        nfcprog("info", "--reader", reader)
        for other in before:
            nfcprog(*other, "--reader", reader)
        edit(image, changes)
        held = memory(image)
        plan = planned(words, reader)
        expect(plan, "nothing is planned")
        expect_equal(memory(image), held, "memory after the dry run")
        expect_equal(written(words, reader, folder / "trace.jsonl"), plan, "writes")
        if "--password" not in words and "reset-classic" not in words:
            more = ["--password", PASSWORD] if "--set-password" in words else []
            expect_equal(planned([*words, *more], reader), [], "plan afterwards")


@check("a dry run on a protected NTAG is refused like the run, 77, and lists nothing")
def protected(folder):
    image = folder / "tag.txt"
    reader = f"sim:ntag213,file={image}"
    nfcprog("write-url", URL, "--set-password", PASSWORD, "--reader", reader)
    held = memory(image)
    for extra in (["--dry-run"], []):
        seen = json_object(nfcprog("write-url", LONG, *extra, "--json", "--reader", reader, status=77))
        expect(seen["result"] == "failed" and "plan" not in seen, str(seen))
    expect_equal(memory(image), held, "memory")


# A tag, and what provision wants of it that it cannot do.
UNSUITED = [
    ("ntag203", "--set-password", "https://example.com/t/{code}", ["--set-password", PASSWORD]),
    ("ultralight-c", "a password where it has a key", "https://example.com/t/{code}", ["--set-password", PASSWORD]),
    ("ntag216", "a key where it has a password", "https://example.com/t/{code}", ["--set-password", 4 * PASSWORD]),
    ("ntag213", "a message that is too long", LONG + "t" * 20 + "/{code}", []),
    ("ntag203", "a counter to mirror", "https://example.com/t/{code}?n={mirror:counter}", []),
]

for tag, wish, template, extra in UNSUITED:

    @check(f"provision with {wish} on a {tag}: 65 in the dry run and in the run, the tag untouched")
    def unsuited(folder, tag=tag, template=template, extra=extra):
        image = folder / "tag.txt"
        reader = f"sim:{tag},file={image}"
        nfcprog("info", "--reader", reader)
        held = memory(image)
        words = ["--range", "1..1", "--template", template, *extra, "--timeout", "1", "--reader", reader]
        for end in (["--dry-run"], ["--journal", folder / "journal.sqlite"]):
            outcome = nfcprog("provision", *words, *end, status=65)
            expect("Row 1 needs" in outcome.errors, str(outcome))
            expect_equal(memory(image), held, "memory")
        # Nothing is wrong with the tag: nothing has failed.
        expect("0 passed, 0 failed, 1 not written" in outcome.output + outcome.errors, str(outcome))
        report = json.loads(nfcprog("report", "--journal", folder / "journal.sqlite", "--json").output.splitlines()[0])
        expect_equal((report["attempts"], report["leftAlone"], report["reasons"][0]["cause"]), (0, 1, "unsuited"), "report")


@check("a row's password: its dry run plans what the run writes")
def own_password(folder):
    table, image = folder / "list.csv", folder / "tag.txt"
    for kind, secret in ("ntag213", PASSWORD), ("ultralight-ev1-11", PASSWORD), ("ultralight-c", 4 * PASSWORD), ("ultralight-aes", 4 * PASSWORD):
        image.unlink(missing_ok=True)
        table.write_text(f"code,password\nA1,{secret}\n")
        words, reader = ["provision", table, "--template", "https://example.com/{code}"], f"sim:{kind},file={image}"
        plan = planned(words, reader)
        expect_equal(written([*words, "--journal", folder / kind], reader, folder / f"{kind}.jsonl"), plan, f"writes to a {kind}")
        outcome = nfcprog("write-url", "https://example.com/x", "--reader", reader, status=77)
        expect("password" in outcome.errors or "key" in outcome.errors, str(outcome))


# A tag, and what was done to it before; then what provision wants, and how its dry run and its run end.
HELD = [(tag, [["write-url", URL]], extra, status)
        for tag in ("ntag213", "ultralight-c", "classic1k", "felica-lite-s", "type4", "ntag424", "ntag213tt")
        for extra, status in (([], 77), (["--set-password", PASSWORD], 77), (["--lock"], 77), (["--overwrite"], 0))]


@check("provision onto tags that hold another message: the dry run and the run end alike, and only --overwrite replaces it")
def held_messages(folder):
    for number, (tag, before, extra, status) in enumerate(HELD):
        image = folder / f"{number}.txt"
        reader = f"sim:{tag},file={image}"
        for other in before:
            nfcprog(*other, "--reader", reader)
        held = memory(image)
        words = ["provision", "--range", "1..1", "--template", "https://example.com/{code}", *extra, "--timeout", "1", "--reader", reader]
        outcome = nfcprog(*words, "--dry-run", status=status)
        expect(status == 0 or "holds another message already" in outcome.errors, str(outcome))
        expect_equal(memory(image), held, f"memory of {tag} after the dry run")
        nfcprog(*words, "--journal", folder / f"{number}.sqlite", status=status)
        expect((memory(image) == held) == (status != 0), f"{tag} {extra}: {memory(image)}")


@check("a dry run of provision knows the tags of the journal that it is given")
def known_tags(folder):
    image, journal = folder / "tag.txt", folder / "journal.sqlite"
    words = ["provision", "--range", "1..2", "--template", "https://example.com/{code}", "--journal", journal, "--timeout", "1"]
    nfcprog(*words, "--count", "1", "--reader", f"sim:ntag213,file={image}")
    held = memory(image)
    words += ["--reader", f"sim:ntag213,file={image}", "--dry-run"]
    for extra in [], ["--overwrite"]:
        outcome = nfcprog(*words, *extra, status=77)
        expect("The journal has job 1, 1, on a tag with this UID" in outcome.errors, str(outcome))
    for extra in ["--rewrite"], ["--rewrite", "--overwrite"]:
        nfcprog(*words, *extra)
    expect_equal(memory(image), held, "memory")
    # The next job, since the first is on a tag.
    outcome = nfcprog(*words[:-3], "--reader", "sim:ntag213,uid=04AABBCCDDEF80", "--dry-run")
    expect("32 FE 00 00" in outcome.output, str(outcome))
    # A second tag with the message of the first one.
    copy = ("--reader", f"sim:ntag213,uid=04AABBCCDDEE80,file={folder / 'copy.txt'}")
    nfcprog("write-url", "https://example.com/1", *copy)
    for extra in [], ["--overwrite"]:
        outcome = nfcprog(*words[:-3], *copy, "--dry-run", *extra, status=77)
        expect("it is a copy" in outcome.errors, str(outcome))


@check("provision of a list with rows that the tag there cannot take: 65 in the dry run and in the run, and each is named")
def some_unsuited(folder):
    image, table = folder / "tag.txt", folder / "list.csv"
    table.write_text(f"code\n{'L' * 150}\nA2\n{'M' * 150}\nA4\n")
    words = ["provision", table, "--template", "https://example.com/{code}", "--reader", f"sim:ntag213,file={image}"]
    outcome = nfcprog(*words, "--dry-run", status=65)
    for sentence in "cannot take 2 rows", "Row 1 needs a larger tag", "Row 3 needs a larger tag":
        expect(sentence in outcome.errors, str(outcome))
    seen = json_object(nfcprog(*words, "--dry-run", "--json", status=65))
    expect(seen["plan"]["writes"] > 0 and "Row 3 needs" in seen["error"]["message"], str(seen))
    outcome = nfcprog(*words[:-1], "sim:ntag213*3", "--journal", folder / "journal", "--timeout", "1", status=65)
    expect("job 2 A2" in outcome.output and "Row 3 needs a larger tag" in outcome.errors, str(outcome))
    table.write_text("code\nA5\nA6\n")
    nfcprog(*words[:-1], "sim:ntag213", "--dry-run")
