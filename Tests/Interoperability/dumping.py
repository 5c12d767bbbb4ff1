"""dump and restore: files of libnfc's programs, Proxmark3, Flipper Zero and MIFARE Classic Tool."""

import json
from pathlib import Path

from libnfc_peers import PASSWORD, REFUSES_VERSION, as_dumped
from support import (
    Simulation, binary, check, expect, expect_equal, expect_refusal, json_object, memory, nfcprog, program)
from tags import CLASSIC, TYPE2

URL = "https://example.com/t/1"
EXAMPLES = Path(__file__).parent.parent / "TagDumpsTests" / "Dumps"
LENGTH = 20
SECRET = "a1b2c3d4"

for name, uid, size, _ in CLASSIC:

    @check(f"nfc-mfclassic and nfcprog save the same bytes of {name}, and nfcprog writes either file")
    def classic(folder, name=name, uid=uid, size=size):
        image, own, other = folder / "tag.txt", folder / "own.mfd", folder / "other.mfd"
        tag = f"{name},uid={uid},file={image}"
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        written = memory(image)
        nfcprog("dump", own, "--reader", f"sim:{tag}")
        expect_equal(own.read_bytes(), written, "nfcprog's file")
        with Simulation(tag) as board:
            program("nfc-mfclassic", "r", "A", "u", other, environment=board.environment)
        expect_equal(as_dumped(own.read_bytes()), other.read_bytes(), "nfc-mfclassic's file")
        # Its file has no key B: the sectors' keys stay, the content comes back.
        nfcprog("write-url", "https://example.com/another", "--reader", f"sim:{tag}")
        nfcprog("restore", other, "--reader", f"sim:{tag}")
        expect_equal(memory(image), written, "memory after restore")
        nfcprog("reset-classic", "--reader", f"sim:{tag}")
        nfcprog("restore", own, "--reader", f"sim:{tag}")
        expect_equal(memory(image), written, "memory after restore to a blank tag")


for name, uid, size, _ in TYPE2:

    @check(f"nfc-mfultralight, where it knows a {name}, and nfcprog save the same bytes, and nfcprog writes either file")
    def ultralight(folder, name=name, uid=uid, size=size):
        image, own, other = folder / "tag.txt", folder / "own.bin", folder / "other.mfd"
        tag = f"{name},uid={uid},file={image}"
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        written = memory(image)
        nfcprog("dump", own, "--reader", f"sim:{tag}")
        expect_equal(len(own.read_bytes()), size, "size of nfcprog's file")
        files = [own]
        if name in REFUSES_VERSION:
            # The key of an Ultralight C does not show.
            shown = size - 16 if name == "ultralight-c" else size
            expect_equal(own.read_bytes()[:shown], written[:shown], "nfcprog's file")
        else:
            with Simulation(tag) as board:
                program("nfc-mfultralight", "r", other, environment=board.environment)
            shown = len(other.read_bytes())
            expect_equal(own.read_bytes()[:shown], other.read_bytes(), "files")
            files.append(other)
        for path in files:
            nfcprog("write-url", "https://example.com/u/2", "--reader", f"sim:{tag}")
            nfcprog("restore", path, "--reader", f"sim:{tag}")
            expect_equal(memory(image), written, f"memory after restore {path.name}")
        expect(name not in PASSWORD or own.read_bytes()[-8:] == bytes(8), "a password that is not known")


for path in sorted(EXAMPLES.iterdir()):

    @check(f"{path.name} is restored, read and cloned")
    def example(folder, path=path):
        product = "classic1k" if "classic" in path.name else "ntag213"
        reader = f"sim:{product},file={folder / 'tag.txt'}"
        seen = json_object(nfcprog("restore", path, "--json", "--reader", reader))
        expect_equal((seen["result"], seen["length"], seen["verified"]), ("written", LENGTH, True), "object")
        expect(any("UID" in finding["text"] for finding in seen["findings"]), f"findings: {seen['findings']}")
        again = json_object(nfcprog("restore", path, "--json", "--reader", reader))
        expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "second run")
        nfcprog("clone", "--from", path, "--count", "1", "--reader", f"sim:ntag215,file={folder / 'copy.txt'}")
        copy = json_object(nfcprog("read", "--json", "--reader", f"sim:ntag215,file={folder / 'copy.txt'}"))
        expect_equal(copy["records"][0]["uri"], URL, "copy")


@check("a dump in every format comes back; its JSON and its lines are what the other programs write")
def formats(folder):
    image = folder / "tag.txt"
    reader = f"sim:classic1k,file={image}"
    nfcprog("write-url", URL, "--reader", reader)
    written = memory(image)
    for suffix in ("mfd", "bin", "json", "nfc", "mct"):
        path = folder / f"dump.{suffix}"
        seen = json_object(nfcprog("dump", path, "--json", "--reader", reader))
        expect_equal((seen["result"], seen["command"]), ("read", "dump"), "object")
        nfcprog("reset-classic", "--reader", reader)
        nfcprog("restore", path, "--reader", reader)
        expect_equal(memory(image), written, f"memory after .{suffix}")
    proxmark = json.loads((folder / "dump.json").read_text())
    expect_equal((proxmark["FileType"], len(proxmark["blocks"])), ("mfc v2", 64), "Proxmark3's fields")
    expect_equal(proxmark["SectorKeys"]["1"]["KeyA"], "D3F7D3F7D3F7", "key A")
    expect("Block 7: D3 F7 D3 F7 D3 F7 7F 07 88 40 FF FF FF FF FF FF" in (folder / "dump.nfc").read_text(), ".nfc")
    expect((folder / "dump.mct").read_text().startswith("+Sector: 0\n"), ".mct")


@check("keys that are not known are marked in the dump, said, and keep their sectors on restore")
def unknown_keys(folder):
    image, dump = folder / "tag.txt", folder / "dump.nfc"
    reader = f"sim:classic1k,file={image}"
    nfcprog("format-classic", "--key-b", "c0ffee123456", "--url", URL, "--reader", reader)
    written = memory(image)
    outcome = nfcprog("dump", dump, "--reader", reader)
    expect("not every key is known" in outcome.errors, str(outcome))
    expect("7F 07 88 40 ?? ?? ?? ?? ?? ??" in dump.read_text(), "unknown key B")
    nfcprog("write-url", "https://example.com/another", "--reader", reader)
    nfcprog("restore", dump, "--reader", reader)
    expect_equal(memory(image), written, "memory")
    whole = folder / "whole.nfc"
    nfcprog("dump", whole, "--key", "c0ffee123456", "--reader", reader)
    expect("??" not in whole.read_text() and "C0 FF EE 12 34 56" in whole.read_text(), "known key B")


@check("a dump that cannot be written leaves the old file whole: 73")
def atomic(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("dump", folder / "missing" / "dump.nfc", "--reader", reader, status=73)
    kept = folder / "dump.nfc"
    kept.write_text("old")
    nfcprog("dump", kept, "--force", "--dry-run", "--reader", reader)
    expect_equal(kept.read_text(), "old", "file after a dry run")
    nfcprog("dump", kept, "--force", "--reader", reader)
    expect(kept.read_text().startswith("Filetype: Flipper NFC device\nVersion: 4\n"), kept.read_text()[:80])
    expect_equal(sorted(p.name for p in folder.iterdir()), ["dump.nfc", "tag.txt"], "files")


def spoilt(folder, old, new, name="flipper-classic1k.nfc"):
    path = folder / name
    path.write_bytes((EXAMPLES / name).read_bytes().replace(old, new, 1))
    return path


# What is wrong, exit status, a word of the explanation, arguments.
WRONG = [
    ("a name that stands for no format", 64, ".mct", lambda f: ["dump", f / "dump.txt"]),
    ("a dump that is not there", 66, "none", lambda f: ["restore", f / "none.nfc"]),
    ("a digit that is none", 65, "line 11", lambda f: ["restore", spoilt(f, b"Block 1: 14", b"Block 1: 1G")]),
    ("a block that is missing", 65, "Block 62", lambda f: ["restore", spoilt(f, b"Block 62:", b"Black 62:")]),
    ("access bits that destroy", 65, "Block 7", lambda f: ["restore", spoilt(
        f, b"Block 7: D3 F7 D3 F7 D3 F7 7F 07 88", b"Block 7: D3 F7 D3 F7 D3 F7 FF 07 69")]),
    ("a dump of another type", 65, "type", lambda f: ["restore", EXAMPLES / "flipper-ntag213.nfc"]),
    ("JSON that is no dump", 65, "blocks", lambda f: ["restore", spoilt(
        f, b'"blocks"', b'"pages"', "proxmark-classic1k.json")]),
    ("an Ultralight's file of another kind", 65, "known", lambda f: ["restore", spoilt(
        f, b"mfc v2", b"iclass", "proxmark-classic1k.json")]),
]

for what, status, word, arguments in WRONG:

    @check(f"restore or dump with {what}: {status}, explained, the tag untouched")
    def wrong(folder, status=status, word=word, arguments=arguments):
        expect_refusal(folder, "classic1k", arguments(folder), status, word)


@check("a dump of a tag that hides pages marks them, or is refused with 77; --force saves zeros")
def hidden_pages(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    nfcprog("write-url", URL, "--set-password", SECRET, "--read-too", "--reader", reader)
    written = memory(folder / "tag.txt")
    for suffix in ("bin", "json"):
        path = folder / f"dump.{suffix}"
        outcome = nfcprog("dump", path, "--reader", reader, status=77)
        expect("could not be read" in outcome.errors and not path.exists(), str(outcome))
        nfcprog("dump", path, "--force", "--reader", reader)
        expect(path.exists(), "no file with --force")
        path.unlink()
        nfcprog("dump", path, "--password", SECRET, "--reader", reader)
    flipper = folder / "dump.nfc"
    nfcprog("dump", flipper, "--reader", reader)
    expect("Pages total: 45\nPages read: " in flipper.read_text() and "Pages read: 45" not in flipper.read_text(), "mark")
    nfcprog("restore", flipper, "--password", SECRET, "--reader", reader)
    expect_equal(memory(folder / "tag.txt"), written, "memory after restore")


@check("a dump of a MIFARE Classic with a closed sector marks its blocks, or is refused with 77")
def closed_sector(folder):
    reader = f"sim:classic1k,file={folder / 'card.txt'}"
    nfcprog("write-url", URL, "--reader", reader)
    nfcprog("write-blocks", "--block", "63", "c0ffee0000017f078840c0ffee123456", "--force", "--reader", reader)
    for suffix, status in (("mfd", 77), ("json", 77), ("nfc", 0), ("mct", 0)):
        nfcprog("dump", folder / f"dump.{suffix}", "--reader", reader, status=status)
    expect("--------" in (folder / "dump.mct").read_text(), "mark of .mct")
    expect("?? ?? ?? ??" in (folder / "dump.nfc").read_text(), "mark of .nfc")


def type2_message(image):
    """The NDEF message of a raw Type 2 image, by the TLVs alone (NFC Forum Type 2 Tag 1.1, 2.3)."""
    place = 16
    while image[place] != 0x03:
        place += 1 if image[place] == 0 else 2 + image[place + 1]
    return image[place + 2:place + 2 + image[place + 1]]


def described(path, *words):
    return json_object(nfcprog("info", path, "--json", *words))


@check("info of a dump in every format says what this program reads in it, and what info of the tag says")
def info_of_files(folder):
    for product in ("ntag213", "ntag215", "ultralight-ev1-21", "classic1k", "felica-lite-s", "type4", "ntag424"):
        reader = f"sim:{product},file={folder / product}.tag"
        nfcprog("write-url", URL, "--reader", reader)
        tag = json_object(nfcprog("info", "--json", "--reader", reader))
        count = 0
        for suffix in ("bin", "json", "nfc", "mct"):
            path = folder / f"{product}.{suffix}"
            if program(binary(), "dump", path, "--reader", reader, "--force").status != 0:
                continue
            count += 1
            seen = described(path, "--tag", product)
            for key in ("content", "ndefStatus", "capacity", "length", "locked", "passwordProtected", "records", "tag", "uid", "iphone"):
                expect_equal(seen.get(key), tag.get(key), f"{path.name}: {key}")
            expect("operations" not in seen and "verified" not in seen, f"{path.name}: no tag was asked")
            if suffix == "bin" and product.startswith(("ntag", "ultralight")):
                payload = type2_message(path.read_bytes())[4:].hex()
                expect_equal(seen["records"][0]["payload"], payload, f"{path.name}: payload")
        expect(count > 0, f"{product}: no format")


@check("diff names the pages and blocks in which two raw images differ, as this program finds them")
def differences(folder):
    for product, size, unit in (("ntag213", 4, "page"), ("classic1k", 16, "block")):
        images = []
        for number in (1, 2):
            reader = f"sim:{product},file={folder / product}.tag"
            nfcprog("write-url", f"https://example.com/t/{number}", "--reader", reader)
            if number == 2 and product == "ntag213":
                nfcprog("lock", "--reader", reader)
            images.append(folder / f"{product}-{number}.bin")
            nfcprog("dump", images[-1], "--reader", reader)
        first, second = (path.read_bytes() for path in images)
        own = [place // size for place in range(0, len(first), size) if first[place:place + size] != second[place:place + size]]
        seen = json_object(nfcprog("diff", *images, "--json", status=76))
        expect_equal([difference["place"][unit] for difference in seen["differences"]], own, f"{product}: {unit}s")
        expect_equal([difference["first"] for difference in seen["differences"]], [first[n * size:(n + 1) * size].hex() for n in own], "bytes")
        words = {word for difference in seen["differences"] for word in difference["meaning"]}
        expect("message" in words and (product != "ntag213" or "lock bits" in words), f"{words}")
        expect_equal(json_object(nfcprog("diff", images[1], "--json", "--reader", f"sim:{product},file={folder / product}.tag"))["result"], "equal", "the tag")
        expect_equal(json_object(nfcprog("diff", images[0], images[0], "--json"))["result"], "equal", "itself")


@check("diff compares no page that a tag hides, says which those are, and calls nothing equal that it has not seen")
def hidden_pages(folder):
    reader = f"sim:ntag213,file={folder / 'tag'}"
    nfcprog("write-url", "https://example.com/t/1", "--set-password", "A1B2C3D4", "--read-too", "--reader", reader)
    open_, hidden, other = (folder / name for name in ("open.nfc", "hidden.nfc", "other.nfc"))
    nfcprog("dump", open_, "--password", "A1B2C3D4", "--reader", reader)
    nfcprog("dump", hidden, "--reader", reader)
    nfcprog("write-url", "https://example.com/t/2", "--password", "A1B2C3D4", "--reader", reader)
    nfcprog("dump", other, "--password", "A1B2C3D4", "--reader", reader)
    for pair in ((open_, hidden), (hidden, open_), (hidden, other)):
        seen = json_object(nfcprog("diff", *pair, "--json"))
        # Everything from page 2 on needs the password.
        expect_equal([place["page"] for place in seen["notCompared"]], list(range(2, 45)), "pages")
        outcome = nfcprog("diff", *pair)
        expect("as far as both are known" in outcome.output and "Not compared" in outcome.output + outcome.errors, str(outcome))
    seen = json_object(nfcprog("diff", open_, other, "--json", status=76))
    expect_equal([difference["place"]["page"] for difference in seen["differences"]], [10], "what differs")
    # The tag itself, without its password and with it.
    seen = json_object(nfcprog("diff", other, "--json", "--reader", reader))
    expect(len(seen["notCompared"]) == 43, str(seen))
    nfcprog("diff", open_, "--password", "A1B2C3D4", "--reader", reader, status=76)


@check("a board whose virtual tag begins with a dump shows libnfc's programs that memory, and the dump stays as it is")
def dump_as_tag(folder):
    for product, words in (("ntag213", ("nfc-mfultralight", "r")), ("classic1k", ("nfc-mfclassic", "r", "A", "u"))):
        for path in sorted(EXAMPLES.iterdir()):
            if ("classic" in path.name) != (product == "classic1k") or "felica" in path.name or "type4" in path.name:
                continue
            before, other = path.read_bytes(), folder / f"{path.name}.other"
            with Simulation(f"{product},file={path}") as board:
                program(*words, other, environment=board.environment)
            expect_equal(path.read_bytes(), before, f"{path.name} afterwards")
            raw = (EXAMPLES / f"libnfc-{product}.mfd").read_bytes()
            # Keys do not show, and two of the formats lack blocks.
            if product == "ntag213":
                expect_equal(other.read_bytes()[:160], raw[:160], f"{path.name}: pages")
            elif path.suffix in (".mfd", ".json"):
                expect_equal(other.read_bytes()[:48], raw[:48], f"{path.name}: blocks")
    refused = nfcprog("info", "--reader", f"sim:ntag215,file={EXAMPLES / 'libnfc-ntag213.mfd'}", status=65)
    expect("45 pages" in refused.errors, refused.errors)
