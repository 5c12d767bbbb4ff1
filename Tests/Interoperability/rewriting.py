"""Tags from the field: their links are changed under kills, and put back byte for byte."""

import json
import os
import random
import signal
import subprocess

from collecting import documents, reel, written
from hubs import Hub
from series import link
from support import LIMIT, Difference, binary, check, expect, expect_equal, memory, nfcprog, program

# NFCPROG_MOVED=1000,50 is the whole proof: tags, and kills on each way.
TAGS, KILLS = map(int, os.environ.get("NFCPROG_MOVED", "24,4").split(","))

FORTH = ["--from", "https://example.com/t/{code}", "--to", "https://example.org/{code}?from={uid}"]


def message(data):
    """The message in an NTAG's memory, read here."""
    place = 16
    while data[place] not in (0x03, 0xFE):
        place += 1 if data[place] == 0 else 2 + data[place + 1]
    return data[place + 2 : place + 2 + data[place + 1]] if data[place] == 0x03 else None


def holds(tag):
    return message(memory(tag))


class Board:
    """A board in a process of its own, on which tags of files are laid down one after the other."""

    def __init__(self, folder, tags):
        self.link = folder / "board"
        self.link.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [binary(), "simulate", *(f"ntag213,file={tag}" for tag in tags), "--link", str(self.link)],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        if not self.process.stdout.readline():
            raise Difference("a board did not start")

    def __enter__(self):
        return ["--reader", f"pn532_uart:{self.link}"]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(LIMIT)


def run_and_kill(folder, tags, words, after):
    """Begins with these tags, and kills the run after so many seconds."""
    with Board(folder, tags) as reader:
        process = subprocess.Popen(
            [binary(), "rewrite", *map(str, words), "--timeout", "1", *reader], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait(LIMIT)


def to_the_end(folder, tags, words, is_done):
    """Kills run after run, each of which goes on with the tags that are left; then lets one come to its end."""
    for kill in range(KILLS):
        left = [tag for tag in tags if not is_done(tag)]
        if not left:
            break
        part = left[: max(4, 3 * len(tags) // KILLS)]
        run_and_kill(folder, part, words, random.uniform(0.15, 0.3 + 0.05 * len(part)))
    # A run that was killed may have left tags that are done, and of which its journal does not know it: the next one names them.
    waited = {tags[0].stem}
    for _ in range(len(tags)):
        left = [tag for tag in tags if tag.stem in waited or not is_done(tag)]
        if not left:
            break
        with Board(folder, left[:100]) as reader:
            outcome = program(
                binary(), "rewrite", *words, "--json", "--timeout", "1", *reader, limit=LIMIT + len(left))
            # 75: of the tags that are put back others are still to come.
            expect(outcome.status in (0, 74, 75), str(outcome))
        waited = set(documents(outcome)[-1].get("waitedFor", []))


@check("rewrite killed at any moment, and undone under kills: each tag once, and byte for byte as before", alone=True)
def killed(folder):
    random.seed(20261127)
    tags, held = written(folder, TAGS)
    before = {tag: holds(tag) for tag in tags}
    head = {tag: memory(tag)[:16] for tag in tags}
    journal = folder / "moved"
    wanted = {
        tag: held[tag.stem].replace("example.com/t/", "example.org/") + f"?from={tag.stem.upper()}" for tag in tags}
    to_the_end(folder, tags, [*FORTH, "--journal", journal], lambda tag: link(tag) == wanted[tag])
    expect_equal({tag: link(tag) for tag in tags}, wanted, "new links")
    nfcprog("journal", "verify", journal)
    # Once more is nothing.
    outcome = nfcprog("rewrite", *FORTH, "--journal", journal, "--json", "--timeout", "1", *reel(tags[:5]))
    expect_equal([one.get("cause") for one in documents(outcome)[:-1]], ["written"] * 5, str(outcome))
    to_the_end(folder, tags, ["--undo", "--journal", journal], lambda tag: holds(tag) == before[tag])
    expect_equal({tag: holds(tag) for tag in tags}, before, "messages")
    expect_equal({tag: memory(tag)[:16] for tag in tags}, head, "the pages before")
    nfcprog("journal", "verify", journal)
    outcome = nfcprog("audit", "--journal", journal, *reel(tags[:1]))
    expect("put back: it holds what it held before its change" in outcome.output, str(outcome))
    outcome = nfcprog("collect", "--csv", folder / "box.csv", "--expect", journal, *reel(tags))
    expect("put back" in outcome.output, str(outcome))
    outcome = nfcprog("report", "--journal", journal)
    expect(f"{TAGS:,} tags were put back" in outcome.output, outcome.output)
    with Hub(journal) as hub:
        expect_equal([(one["written"], one["complete"]) for one in hub.get("/v1/batches")["batches"]], [(TAGS, False)], "the hub")


@check("rewrite: what is locked, hidden, foreign or of no rule is named and not touched; a dry run writes nothing")
def named(folder):
    kinds = {
        "good": [], "locked": ["--lock"], "protected": ["--set-password", "11223344"],
        "hidden": ["--set-password", "11223344", "--read-too"]}
    tags = {}
    for number, (kind, words) in enumerate(kinds.items()):
        tags[kind] = folder / f"{kind}.tag"
        nfcprog("write-url", "https://example.com/t/1", *words, "--yes",
                "--reader", f"sim:ntag213,uid=04AABBCCDDEE{number:02X},file={tags[kind]}")
    tags["other"] = folder / "other.tag"
    nfcprog("write-url", "https://example.net/1", "--reader", f"sim:ntag213,uid=04AABBCCDDEE70,file={tags['other']}")
    tags["blank"] = folder / "blank.tag"
    nfcprog("info", "--reader", f"sim:ntag213,uid=04AABBCCDDEE71,file={tags['blank']}")
    before = {kind: memory(tag) for kind, tag in tags.items()}
    journal = folder / "moved"
    words = ["rewrite", *FORTH, "--journal", journal]
    outcome = nfcprog(*words, "--dry-run", "--json", *reel([tags["good"]]))
    seen = json.loads(outcome.output)
    expect_equal(seen["result"], "planned", outcome.output)
    expect_equal(
        seen["change"], "https://example.com/t/1 → https://example.org/1?from=04AABBCCDDEE00", outcome.output)
    nfcprog(*words, "--dry-run", *reel([tags["other"]]), status=65)
    expect(not journal.exists(), "a dry run made a journal")
    outcome = nfcprog(*words, "--json", "--timeout", "1", *reel([tags[kind] for kind in tags]), status=77)
    seen = documents(outcome)
    expect_equal(
        [(one["verdict"], one.get("cause")) for one in seen[:-1]],
        [("passed", None), ("failed", "refused"), ("failed", "refused"), ("failed", "refused"), ("left", "no-match"),
         ("left", "no-match")], str(outcome))
    expect_equal((seen[-1]["passed"], seen[-1]["command"]), (1, "rewrite"), str(outcome))
    for kind, tag in tags.items():
        if kind != "good":
            expect_equal(memory(tag), before[kind], kind)
    # Who knows the password changes what it hides.
    outcome = nfcprog(*words, "--password", "11223344", "--timeout", "1", *reel([tags["protected"], tags["hidden"]]))
    nfcprog("rewrite", "--undo", "--journal", journal, "--password", "11223344", "--timeout", "1",
            *reel([tags[kind] for kind in ("good", "protected", "hidden")]))
    for kind in ("good", "protected", "hidden"):
        expect_equal(holds(tags[kind]), message(before[kind]), kind)


@check("rewrite: a list of changes, what phones are held to, and what is refused before the first tag")
def lists(folder):
    tags, held = written(folder, 3)
    journal = folder / "moved"
    changes = folder / "changes.csv"
    changes.write_text(
        "from,to\nhttps://example.com/t/0001,https://example.org/one\n"
        "https://example.com/t/{code},https://example.org/{code}\n")
    nfcprog("rewrite", changes, "--journal", journal, "--timeout", "1", *reel(tags))
    expect_equal(
        sorted(link(tag) for tag in tags),
        ["https://example.org/0002", "https://example.org/0003", "https://example.org/one"], "links")
    nfcprog("rewrite", *FORTH, "--journal", journal, *reel(tags[:1]), status=65)
    both = folder / "both.csv"
    both.write_text("from,to\nhttps://example.com/{a},https://a.example/\nhttps://example.com/{b},https://b.example/\n")
    outcome = nfcprog("rewrite", both, "--journal", folder / "none", *reel(tags[:1]), status=65)
    expect("takes the same links as line 2" in outcome.errors, str(outcome))
    for words, status in [
            (["--from", "https://example.com/{a}{b}", "--to", "https://example.org/"], 65),
            (["--from", "https://example.com/{a}", "--to", "https://example.org/{b}"], 65),
            (["--from", "https://example.com/{a}"], 64), ([], 64), ([changes, "--undo"], 64),
            ([folder / "missing.csv"], 66), (["--undo"], 66)]:
        nfcprog("rewrite", *words, "--journal", folder / "none", *reel(tags[:1]), status=status)
    nfcprog("rewrite", "--undo", "--journal", folder / "journal", *reel(tags[:1]), status=65)
    nfcprog("rewrite", changes, "--journal", "postgresql:///none", *reel(tags[:1]), status=64)
    association = folder / "aasa"
    association.write_text(json.dumps({"applinks": {"details": [
        {"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [{"/": "/app/*"}]}]}}))
    nfcprog("rewrite", "--undo", "--journal", journal, "--timeout", "1", *reel(tags))
    for template, status in [("https://example.org/app/{code}", 0), ("https://example.org/web/{code}", 65)]:
        nfcprog("rewrite", "--from", "https://example.com/t/{code}", "--to", template, "--aasa", association,
                "--domain", "example.org", "--app-id", "Q7K2M9P4ZX.com.example.app",
                "--journal", folder / f"held{status}", "--timeout", "1", *reel(tags[status // 65 :][:1]), status=status)
