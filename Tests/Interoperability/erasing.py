"""erase: an empty message on any tag; and what is asked before something is lost for good."""

from pathlib import Path

from nfcpy_peers import nfcpy
from secret_sources import typed
from support import Simulation, check, expect, expect_equal, json_object, memory, nfcprog

URL = "https://example.com/t/1"
QUESTION = "[y/N] "
TAGS = ("ultralight", "ultralight-c", "ultralight-aes", "ntag203", "ntag213", "ntag216", "ntag-i2c-plus-1k", "mini", "classic1k", "classic4k",
        "felica-lite-s", "type4", "ntag424")
# What nfcpy reads: Type 2 tags, FeliCa and Type 4.
NFCPY = ("ultralight", "ultralight-c", "ntag203", "ntag213", "ntag216", "felica-lite-s", "type4")


for name in TAGS:

    @check(f"erase leaves an empty message on a {name}, and the tag is written again")
    def erased(folder, name=name):
        image = folder / "tag.txt"
        at = ("--reader", f"sim:{name},file={image}")
        nfcprog("write-url", URL, *at)
        before = image.read_bytes()
        planned = json_object(nfcprog("erase", "--dry-run", "--json", *at))
        expect_equal((planned["result"], image.read_bytes()), ("planned", before), "dry run")
        seen = json_object(nfcprog("erase", "--json", *at))
        expect_equal((seen["result"], seen["verified"], seen["length"]), ("written", True, 0), "erase")
        found = json_object(nfcprog("info", "--json", *at))
        expect_equal((found["content"], found["ndefStatus"], found["length"]), ("empty", "readWrite", 0), "info")
        if name in NFCPY:
            with Simulation(f"{name},file={image}") as board:
                expect_equal(nfcpy(board, "read"), b"", "what nfcpy reads")
        again = json_object(nfcprog("erase", "--json", *at))
        expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "erase again")
        nfcprog("write-url", URL, *at)
        expect_equal(json_object(nfcprog("read", "--json", *at))["records"][0]["uri"], URL, "read")


@check("a reset and a forced restore save what the tag holds first, and the file brings it back")
def saved(folder):
    state = {"XDG_STATE_HOME": str(folder / "state")}
    for name, words in (("classic1k", ["reset-classic"]), ("classic4k", ["reset-classic"]), ("ntag213", ["restore", folder / "blank", "--force"]),
                        ("felica-lite-s", ["restore", folder / "blank", "--force"]), ("type4", ["restore", folder / "blank", "--force"])):
        image = folder / f"{name}.txt"
        at = ("--reader", f"sim:{name},file={image}")
        if "restore" in words:
            words[1] = folder / f"{name}.{'json' if name == 'type4' else 'nfc'}"
            nfcprog("erase", *at)
            nfcprog("dump", words[1], *at)
        nfcprog("write-url", URL, *at)
        before = memory(image)
        nfcprog(*words, "--dry-run", *at, environment=state)
        expect(not (folder / "state").exists() or not list(folder.glob(f"state/nfcprog/backups/*{name}*")), "a dry run saves nothing")
        done = nfcprog(*words, "--json", *at, environment=state)
        path = Path(json_object(done)["backup"])
        expect(memory(image) != before, f"{name}: the command changed nothing")
        expect_equal(path.stat().st_mode & 0o777, 0o600, "who may read it")
        expect(path.parent == folder / "state/nfcprog/backups" and str(path) in done.errors, f"{name}: {path}")
        # What is unchanged needs no backup.
        expect("backup" not in json_object(nfcprog(*words, "--json", *at, environment=state)), f"{name}: unchanged")
        nfcprog("restore", path, "--force", *at, environment=state)
        expect_equal(memory(image), before, f"{name}: restored")
    # Each with a format that can hold it, and one that reads it back.
    for name in ("classic2k", "ultralight-aes", "ntag223", "ntag-i2c-plus-2k"):
        at = ("--reader", f"sim:{name},file={folder / f'{name}.txt'}")
        nfcprog("write-url", URL, *at)
        before = memory(folder / f"{name}.txt")
        saved = json_object(nfcprog("erase", "--backup", folder / name, "--json", *at))["backup"]
        nfcprog("restore", saved, *at)
        expect_equal(memory(folder / f"{name}.txt"), before, f"{name}: restored")
    # A tag that the dump's own password opens is saved with it, and sectors with the dump's keys.
    at = ("--reader", f"sim:ntag216,file={folder / 'hidden.txt'}")
    nfcprog("protect", "--set-password", "A1B2C3D4", "--read-too", *at)
    nfcprog("dump", folder / "hidden.nfc", "--password", "A1B2C3D4", *at)
    nfcprog("write", "--text", "second", "--password", "A1B2C3D4", *at)
    before = memory(folder / "hidden.txt")
    saved = json_object(nfcprog("restore", folder / "hidden.nfc", "--force", "--json", *at, environment=state))["backup"]
    expect("Pages read: 231" in Path(saved).read_text(), "pages of the backup")
    nfcprog("restore", saved, "--force", *at, environment=state)
    expect_equal(memory(folder / "hidden.txt"), before, "the hidden tag")
    at = ("--reader", f"sim:classic1k,file={folder / 'keyed.txt'}")
    nfcprog("dump", folder / "blank.mct", *at)
    nfcprog("write-blocks", "--block", "20", "00112233445566778899AABBCCDDEEFF", *at)
    nfcprog("write-blocks", "--block", "23", "A1A2A3A4A5A6FF078069B1B2B3B4B5B6", "--force", *at)
    keyed = folder / "keyed.mct"
    nfcprog("dump", keyed, "--key", "A1A2A3A4A5A6", "--key", "B1B2B3B4B5B6", *at)
    nfcprog("write-blocks", "--block", "20", "FF" * 16, "--key", "A1A2A3A4A5A6", *at)
    before = memory(folder / "keyed.txt")
    saved = json_object(nfcprog("restore", keyed, "--force", "--json", *at, environment=state))["backup"]
    expect("Block 20: " + "FF " * 15 + "FF" in Path(saved).read_text(), "block 20 of the backup")
    nfcprog("restore", saved, "--force", *at, environment=state)
    expect_equal(memory(folder / "keyed.txt"), before, "the card with keys")
    at = ("--reader", f"sim:classic1k,file={folder / 'classic1k.txt'}")
    before = (folder / "classic1k.txt").read_bytes()
    (folder / "file").write_text("no folder")
    for place in ("/proc/nothing", folder / "file", "/dev/full"):
        refused = nfcprog("reset-classic", "--backup", place, *at, status=73)
        expect("nothing was written to the tag" in refused.errors, refused.errors)
    nfcprog("reset-classic", "--backup", "", *at, status=64)
    expect_equal((folder / "classic1k.txt").read_bytes(), before, "a tag without its backup")
    # Others save where they are asked to; none saves nothing.
    nfcprog("erase", "--backup", folder / "erased", *at)
    expect_equal(len(list((folder / "erased").iterdir())), 1, "files")
    nfcprog("format-classic", "--overwrite", "--backup", folder / "formatted", *at)
    seen = json_object(nfcprog("reset-classic", "--backup", "none", "--json", *at))
    expect("backup" not in seen, str(seen))


@check("erase formats a blank tag, and leaves foreign, locked and protected ones alone unless it may write them")
def guarded(folder):
    def at(name, file):
        return ("--reader", f"sim:{name},file={folder / file}")

    blank = at("classic1k", "blank.txt")
    expect_equal(json_object(nfcprog("erase", "--json", *blank))["result"], "written", "blank")
    foreign = at("classic1k", "foreign.txt")
    nfcprog("write-blocks", "--block", "5", "00112233445566778899AABBCCDDEEFF", *foreign)
    before = (folder / "foreign.txt").read_bytes()
    nfcprog("erase", *foreign, status=77)
    expect_equal((folder / "foreign.txt").read_bytes(), before, "foreign data")
    nfcprog("erase", "--overwrite", *foreign)
    locked = at("ntag213", "locked.txt")
    nfcprog("write-url", URL, "--lock", *locked)
    nfcprog("erase", *locked, status=77)
    secret = at("ntag213", "secret.txt")
    nfcprog("write-url", URL, "--set-password", "A1B2C3D4", *secret)
    nfcprog("erase", *secret, status=77)
    nfcprog("erase", "--password", "A1B2C3D4", *secret)
    expect_equal(memory(folder / "secret.txt")[16:20].hex(), "0103a00c", "the TLV before the message")
    # What the program refuses.
    nfcprog("erase", "--tag", "ntag999", *blank, status=64)
    nfcprog("erase", "everything", *blank, status=64)


@check("a person at a terminal is asked before a tag loses something for good, and only then")
def asked(folder):
    def command(*words):
        return [*words, "--reader", f"sim:{tag},file={image}"]

    image = folder / "tag.txt"
    tag = "ntag213"
    nfcprog(*command("write-url", URL))
    nfcprog(*command("dump", folder / "tag.bin"))
    before = image.read_bytes()
    for words in (["lock"], ["write-url", URL, "--lock"], ["write", "--text", "Hello", "--lock"]):
        for answer in ("n", "", "yesterday", "\x04"):
            status, shown = typed(command(*words), [answer], QUESTION)
            expect_equal((status, image.read_bytes()), (130, before), f"{words} {answer!r}: {shown}")
            expect("Nobody can ever write it again." in shown and "nothing was written" in shown and "04:" in shown, shown)
    status, shown = typed(command("clone", "--from", folder / "tag.bin", "--any-content", "--lock"), ["n"], QUESTION)
    expect_equal((status, image.read_bytes()), (130, before), shown)
    for words in (["lock", "--dry-run"], ["write-url", URL + "2"]):
        status, shown = typed(command(*words), [], QUESTION)
        expect(status == 0 and QUESTION not in shown, shown)
    status, shown = typed(command("lock"), ["y"], QUESTION)
    expect(status == 0 and "permanently locked" in shown, shown)
    status, shown = typed(command("lock"), [], QUESTION)
    expect(status == 0 and "unchanged" in shown, shown)
    tag, image = "classic1k", folder / "card.txt"
    nfcprog(*command("format-classic"))
    before = image.read_bytes()
    status, shown = typed(command("reset-classic"), ["\x03"], QUESTION)
    expect_equal((status, image.read_bytes()), (130, before), shown)
    status, shown = typed(command("reset-classic", "--yes"), [], QUESTION)
    expect(status == 0 and QUESTION not in shown and image.read_bytes() != before, shown)
    # A script has nobody to ask.
    tag, image = "ntag213", folder / "script.txt"
    nfcprog(*command("write-url", URL, "--lock"))
