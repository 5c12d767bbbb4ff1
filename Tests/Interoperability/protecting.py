"""lock, protect, unprotect: what other programs make of such tags, and what nfcprog says of wrong input."""

import json
import sys

from freefare_peers import freefare_reads
from nfcpy_peers import HELPER, nfcpy
from support import (
    Simulation, binary, check, expect, expect_equal, json_object, memory, nfcprog, program, write_message)
from tags import TYPE2, uri_message

URL = "https://example.com/t/1"
PLAIN = bytes.fromhex("d1011055046578616d706c652e636f6d2f742f31")
PASSWORD, PACK = "a1b2c3d4", "e5f6"

# First configuration page of the chips that have a password, and the last page of the user memory.
PASSWORD_CHIPS = [
    ("ultralight-ev1-11", 16, 15), ("ultralight-ev1-21", 37, 35), ("ntag210", 16, 15), ("ntag212", 37, 35),
    ("ntag213", 41, 39), ("ntag215", 131, 129), ("ntag216", 227, 225)]


def rights(tag, page, *password):
    """What nfcpy finds that it may do with a tag."""
    with Simulation(tag) as board:
        outcome = program(sys.executable, HELPER, board.port, "rights", page, *password)
    words = outcome.output.split()
    expect(outcome.status == 0 and len(words) == 3, str(outcome))
    return tuple(words[1:])


for name, _, size, _ in TYPE2:

    @check(f"nfcpy takes a locked {name} for read-only, reads it, and every page refuses it")
    def locked_type2(folder, name=name, size=size):
        image = folder / "tag.txt"
        tag = f"{name},file={image}"
        seen = json_object(nfcprog("write-url", URL, "--lock", "--json", "--reader", f"sim:{tag}"))
        expect_equal((seen["result"], seen["locked"], seen["ndefStatus"]), ("written", True, "readOnly"), "object")
        before = memory(image)
        last = dict((chip, last) for chip, _, last in PASSWORD_CHIPS).get(name, 15 if name == "ultralight" else 39)
        for page in (3, 4, 15, last):
            expect_equal(rights(tag, page), ("read-only", "refused"), f"page {page}")
        with Simulation(tag) as board:
            expect_equal(nfcpy(board, "read"), PLAIN, "message")
        expect_equal(memory(image), before, "memory")
        again = json_object(nfcprog("write-url", URL, "--lock", "--json", "--reader", f"sim:{tag}"))
        expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "second run")


for name, configuration, last in PASSWORD_CHIPS:

    @check(f"nfcpy writes a protected {name} with the password alone, and an unprotected one freely")
    def protected(folder, name=name, configuration=configuration, last=last):
        image = folder / "tag.txt"
        tag = f"{name},file={image}"
        nfcprog("write-url", URL, "--reader", f"sim:{tag}")
        before = memory(image)
        seen = json_object(nfcprog(
            "protect", "--set-password", PASSWORD, "--pack", PACK, "--json", "--reader", f"sim:{tag}"))
        expect_equal((seen["result"], seen["passwordProtected"]), ("written", True), "object")
        for page in (4, last, configuration):
            expect_equal(rights(tag, page)[1], "refused", f"page {page} without the password")
        expect_equal(rights(tag, last, PASSWORD + PACK), ("writable", "taken"), "with the password")
        expect_equal(rights(tag, last, "00000000" + PACK)[1], "wrong-password", "with another one")
        with Simulation(tag) as board:
            expect_equal(nfcpy(board, "read"), PLAIN, "message")
        nfcprog("unprotect", "--reader", f"sim:{tag}", status=77)
        nfcprog("unprotect", "--password", PASSWORD, "--reader", f"sim:{tag}")
        expect_equal(memory(image), before, "memory")
        expect_equal(rights(tag, last), ("writable", "taken"), "after unprotect")

    @check(f"nfc-mfultralight dumps a {name} whose reading is protected with the password alone")
    def read_too(folder, name=name):
        image, dump = folder / "tag.txt", folder / "dump.mfd"
        tag = f"{name},file={image}"
        nfcprog("write-url", URL, "--set-password", PASSWORD, "--read-too", "--reader", f"sim:{tag}")
        with Simulation(tag) as board:
            program("nfc-mfultralight", "r", dump, environment=board.environment)
            expect(not dump.exists() or PLAIN[4:] not in dump.read_bytes(), "the message shows without the password")
            outcome = program("nfc-mfultralight", "r", dump, "--pw", PASSWORD, environment=board.environment)
        expect(dump.exists(), str(outcome))
        expect_equal(dump.read_bytes()[:-8], memory(image)[:-8], "dump")
        nfcprog("read", "--reader", f"sim:{tag}", status=77)
        seen = json_object(nfcprog("read", "--password", PASSWORD, "--json", "--reader", f"sim:{tag}"))
        expect_equal(seen["length"], len(PLAIN), "length")


for name in ("mini", "classic1k", "classic1k7b", "classic4k"):

    @check(f"a locked {name} is read by libfreefare and refuses what it writes")
    def locked_classic(folder, name=name):
        image, other = folder / "tag.txt", folder / "other.ndef"
        tag = f"{name},file={image}"
        if name == "classic4k":
            nfcprog("format-classic", "--mad", "1", "--reader", f"sim:{tag}")
        seen = json_object(nfcprog("write-url", URL, "--lock", "--json", "--reader", f"sim:{tag}"))
        expect_equal((seen["locked"], seen["ndefStatus"]), (True, "readOnly"), "object")
        before = memory(image)
        other.write_bytes(uri_message(20))
        with Simulation(tag) as board:
            if name != "mini":
                expect_equal(freefare_reads(board, folder), PLAIN, "message")
            program("mifare-classic-write-ndef", "-y", "-i", other, environment=board.environment)
        after = memory(image)
        sectors = [after[start : start + 64] for start in range(64, min(len(after), 1024), 64)]
        expect_equal(sectors, [before[s : s + 64] for s in range(64, min(len(after), 1024), 64)], "NFC sectors")
        nfcprog("write-url", "https://example.com/other", "--reader", f"sim:{tag}", status=77)
        nfcprog("reset-classic", "--reader", f"sim:{tag}", status=77)
        nfcprog("write-url", URL, "--lock", "--reader", f"sim:{tag}")
        expect_equal(memory(image), after, "memory")


@check("secrets come from files, standard input and the environment, and are nowhere repeated")
def secret_places(folder):
    secret = folder / "secret"
    secret.write_text(PASSWORD + "\n")
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    trace = folder / "trace.jsonl"
    said = ""

    def run(*words, **more):
        nonlocal said
        for extra in (["--json"], ["--verbose"]):
            outcome = nfcprog(*words, *extra, "--trace", trace, "--reader", reader, **more)
            said += outcome.output + outcome.errors + trace.read_text()
            trace.unlink()

    run("protect", "--set-password", PASSWORD, "--dry-run")
    run("protect", "--set-password", f"file:{secret}")
    run("protect", "--set-password", "file:-", input=PASSWORD)
    run("protect", environment={"NFCPROG_SET_PASSWORD": PASSWORD})
    run("write-url", URL, environment={"NFCPROG_PASSWORD": PASSWORD})
    run("write-url", URL, "--set-password", "env:NFCPROG_SET_PASSWORD", environment={"NFCPROG_SET_PASSWORD": PASSWORD})
    run("write-url", "https://example.com/2", status=77)
    run("unprotect", "--password", f"file:{secret}")
    expect(PASSWORD not in said.lower().replace(" ", "").replace(":", ""), "the password was said")
    keys = {"NFCPROG_KEYS": "c0ffee123456, 010203040506"}
    card = f"sim:classic1k,file={folder / 'card.txt'}"
    nfcprog("format-classic", "--key-b", "c0ffee123456", "--reader", card)
    nfcprog("reset-classic", "--reader", card, status=77)
    nfcprog("reset-classic", "--reader", card, environment=keys)


@check("clone --lock --set-password locks and protects every copy and none of the source")
def clone(folder):
    message = folder / "message.ndef"
    message.write_bytes(PLAIN)
    source = f"ntag215,uid=04a1b2c3d4e5f6,file={folder / 'source.tag'}"
    write_message(f"sim:{source}", message)
    before = memory(folder / "source.tag")
    one, two = folder / "one.tag", folder / "two.tag"
    reader = f"sim:{source},then=ntag213,file={one},then=ntag216,file={two}"
    outcome = nfcprog(
        "clone", "--count", "2", "--lock", "--set-password", PASSWORD, "--json", "--quiet", "--reader", reader)
    targets = [json.loads(line) for line in outcome.output.splitlines()][1:]
    expect_equal([(t["locked"], t["passwordProtected"]) for t in targets], [(True, True)] * 2, "targets")
    expect_equal(memory(folder / "source.tag"), before, "source")
    expect_equal(rights(f"ntag213,file={one}", 39), ("read-only", "refused"), "copy")


# What is wrong, exit status, a word of the explanation, tag, arguments.
WRONG = [
    ("a password to set that is no hexadecimal number", 64, "password", "ntag213", ["protect", "--set-password", "xyz"]),
    ("a password to set that is too short", 64, "password", "ntag213", ["write-url", URL, "--set-password", "0102"]),
    ("protect without a password", 64, "--set-password", "ntag213", ["protect"]),
    ("a PACK that is too long", 64, "PACK", "ntag213", ["protect", "--set-password", PASSWORD, "--pack", "010203"]),
    ("--read-too without a password", 64, "--read-too", "ntag213", ["write-url", URL, "--read-too"]),
    ("a password in a variable that is not set", 78, "NFCPROG_SET_PASSWORD", "ntag213", ["write-url", URL, "--set-password", "env:NFCPROG_SET_PASSWORD"]),
    ("a password file that is not there", 66, "none", "ntag213", ["protect", "--set-password", "file:/none"]),
    ("a password for a chip that has none", 65, "no password", "ntag203", ["write-url", URL, "--set-password", PASSWORD]),
    ("a password for an Ultralight C", 65, "32", "ultralight-c", ["protect", "--set-password", PASSWORD]),
    ("a password for an Ultralight AES", 65, "AES key", "ultralight-aes", ["protect", "--set-password", PASSWORD]),
    ("a key for an NTAG", 65, "8 hexadecimal", "ntag213", ["protect", "--set-password", 4 * PASSWORD]),
    ("a password for a MIFARE Classic", 65, "keys", "classic1k", ["protect", "--set-password", PASSWORD]),
    ("locking a blank tag", 77, "message", "ultralight", ["lock"]),
    ("locking an empty tag", 77, "message", "ntag213", ["lock"]),
    ("locking a blank Classic", 77, "NDEF", "classic1k", ["lock"]),
]

for what, status, word, name, arguments in WRONG:

    @check(f"{what}: {status}, explained, the {name} untouched")
    def wrong(folder, status=status, word=word, name=name, arguments=arguments):
        image = folder / "tag.txt"
        reader = f"sim:{name},file={image}"
        nfcprog("info", "--reader", reader)
        before = image.read_bytes()
        outcome = nfcprog(*arguments, "--reader", reader, status=status)
        expect(word in outcome.errors and outcome.output == "", str(outcome))
        expect("xyz" not in outcome.errors and "0102" not in outcome.errors, "the secret is repeated")
        seen = json_object(nfcprog(*arguments, "--json", "--reader", reader, status=status))
        expect_equal((seen["result"], seen["error"]["code"]), ("failed", status), "JSON")
        expect_equal(image.read_bytes(), before, "tag file")


@check("a tag with garbage for a message is locked by --force alone, else refused with 77")
def garbage(folder):
    message = folder / "message.ndef"
    # The URL's middle is zeros.
    message.write_bytes(PLAIN[:8] + bytes(4) + PLAIN[12:])
    for name in ("ntag213", "classic1k"):
        image = folder / f"{name}.txt"
        reader = f"sim:{name},file={image}"
        write_message(reader, message)
        before = memory(image)
        outcome = nfcprog("lock", "--reader", reader, status=77)
        expect("Record 1" in outcome.errors and "--force" in outcome.errors, str(outcome))
        expect_equal(memory(image), before, "memory")
        nfcprog("lock", "--force", "--reader", reader)


@check("a tag that a lock was cut short on is finished by the same command, from every step on")
def cut_short(folder):
    whole = folder / "whole.txt"
    nfcprog("write-url", URL, "--lock", "--reader", f"sim:ntag213,uid=04a1b2c3d4e5f6,file={whole}")
    wanted = memory(whole)
    for pages in ({3: "E1 10 12 0F"}, {3: "E1 10 12 0F", 40: "FF 0F 3F BD"}, {40: "FF 00 00 BD"}, {2: "04 48 F0 FF"}):
        image = folder / "cut.txt"
        image.unlink(missing_ok=True)
        nfcprog("write-url", URL, "--reader", f"sim:ntag213,uid=04a1b2c3d4e5f6,file={image}")
        lines = image.read_text().splitlines()
        for number, content in pages.items():
            lines = [f"Page {number}: {content}" if line.startswith(f"Page {number}:") else line for line in lines]
        image.write_text("\n".join(lines) + "\n")
        nfcprog("write-url", URL, "--lock", "--reader", f"sim:ntag213,uid=04a1b2c3d4e5f6,file={image}")
        expect_equal(memory(image), wanted, f"memory after {pages}")


@check("info of a tag that hides its message asks for the password, and does not call it unformatted")
def hidden(folder):
    for more in ([], ["--set-password", PASSWORD, "--read-too"]):
        reader = f"sim:ntag213,file={folder / 'tag.txt'}"
        nfcprog("write-url", URL, *more, "--reader", reader)
        outcome = nfcprog("info", "--reader", reader)
        expect_equal("can be read only with the tag's password" in outcome.output, bool(more), outcome.output)
        expect("Format it" not in outcome.output, outcome.output)
    expect(URL in nfcprog("info", "--password", PASSWORD, "--reader", reader).output, "with the password")


@check("protect --auth0, --authlim, --counter and --freeze-config are the bytes of NXP's data sheet, and close the pages that they name")
def settings(folder):
    image = folder / "tag.txt"
    reader = f"sim:ntag213,file={image}"
    nfcprog("write-url", "https://example.com/t/1", "--reader", reader)
    words = ["protect", "--set-password", PASSWORD, "--auth0", "20", "--authlim", "3", "--counter", "on"]
    planned = json_object(nfcprog(*words, "--dry-run", "--json", "--reader", reader))
    expect(planned["plan"]["irreversible"] == [], "nothing of it is for good")
    nfcprog(*words, "--reader", reader)
    # AUTH0 in byte 3 of page 41; NFC_CNT_EN 10h and AUTHLIM 03h in byte 0 of page 42.
    expect_equal((memory(image)[41 * 4:42 * 4].hex(), memory(image)[42 * 4]), ("04000014", 0x13), "pages 41 and 42")
    nfcprog("write-pages", "--page", "19", "01020304", "--reader", reader)
    nfcprog("write-pages", "--page", "20", "01020304", "--reader", reader, status=77)
    # A wrong one counts, and the tag is not asked a second time.
    nfcprog("write-url", "https://example.com/t/2222222222222222222222222222222222222222222222222222", "--password", "00000000", "--reader", reader, status=77)
    expect("Failed authentications: 1" in image.read_text(), image.read_text()[:200])
    frozen = json_object(nfcprog(*words, "--freeze-config", "--password", PASSWORD, "--yes", "--json", "--reader", reader))
    expect_equal(frozen["result"], "written", "result")
    expect_equal(memory(image)[42 * 4], 0x53, "CFGLCK")
    seen = json_object(nfcprog("info", "--json", "--reader", reader))
    texts = " ".join(finding["text"] for finding in seen["findings"])
    expect("frozen" in texts and "3 wrong passwords in a row" in texts and "counts how often" in texts, texts)
    nfcprog("protect", "--set-password", PASSWORD, "--password", PASSWORD, "--authlim", "0", "--reader", reader, status=77)
    nfcprog("protect", "--set-password", PASSWORD, "--counter", "on", "--reader", "sim:ultralight-ev1-21", status=65)


@check("no order of protect, unprotect, lock and write-url costs a tag that counts a try that was not announced")
def counted_tries(folder):
    image = folder / "tag.txt"
    other = "01020304"
    tries = lambda: int(image.read_text().partition("Failed authentications: ")[2].split("\n")[0] or 0)
    for hides in ([], ["--read-too"]):
        image.unlink(missing_ok=True)
        reader = ["--reader", f"sim:ntag213,file={image}"]
        protect = ["protect", "--set-password", PASSWORD, "--authlim", "1", *hides, *reader]
        nfcprog("write-url", URL, *reader)
        nfcprog(*protect)
        before = memory(image)
        # The same command, with whatever password but its own; other jobs without one.
        for more in ([], ["--password", other], ["--password", "FFFFFFFF"]):
            outcome = nfcprog(*protect, *more, status=77)
            expect("unprotect" in outcome.errors, outcome.errors)
        for words in (["protect", "--set-password", other], ["protect", "--set-password", other, "--password", PASSWORD],
                      ["unprotect"], ["lock"], ["write-url", URL + "/longer"], ["write-url", URL + "/longer", "--set-password", other, "--password", PASSWORD]):
            nfcprog(*words, *reader, status=77)
        expect_equal((tries(), memory(image)), (0, before), "tries and memory")
        nfcprog(*protect, "--password", PASSWORD)
        nfcprog("unprotect", "--password", PASSWORD, *reader)
        expect_equal(memory(image)[42 * 4] & 7, 0, "AUTHLIM of a tag without a password")
        nfcprog("unprotect", *reader)
        nfcprog("protect", "--set-password", other, *reader)
        expect_equal(tries(), 0, "tries")
    # A wrong one is given for it: it is sent once, and said to be counted.
    image.unlink()
    nfcprog("protect", "--set-password", PASSWORD, "--authlim", "2", *reader)
    outcome = nfcprog("unprotect", "--password", other, *reader, status=77)
    expect("at most 1 try is left" in outcome.errors and tries() == 1, outcome.errors)
    # Where the pages from AUTH0 on are locked nothing proves itself, and nothing is for good.
    image.unlink()
    nfcprog("write-url", URL, "--lock", *reader)
    before = memory(image)
    for more in (["--authlim", "1"], ["--freeze-config", "--yes"]):
        nfcprog("protect", "--set-password", PASSWORD, *more, *reader, status=77)
    expect_equal(memory(image), before, "memory")
    for name in ("NFCPROG_AUTHLIM", "NFCPROG_FREEZE_CONFIG"):
        nfcprog("protect", "--set-password", PASSWORD, *reader, environment={name: "1"}, status=78)


@check("a wrong password that a run has for many tags is sent to each once, however often it comes")
def many_times(folder):
    image = folder / "s.tag"
    other = ["ntag213,uid=04112233445543", "ntag213,uid=04112233445544"]
    reader = ["--reader", "sim:" + ",then=".join([f"ntag213,file={image}", other[0], f"ntag213,file={image}", other[1], f"ntag213,file={image}"])]
    old, wrong = "https://old.example/t/x", ["--password", "99999999"]
    jobs = [["write-url", URL, "--count", "9", "--timeout", "3"],
            ["rewrite", "--from", "https://old.example/t/{id}", "--to", "https://new.example/{id}", "--timeout", "3", "--journal", folder / "j"],
            ["provision", "--range", "1..9", "--template", "https://example.com/{code}", "--overwrite", "--tag", "any", "--timeout", "3", "--journal", folder / "p"]]
    for job in jobs:
        for hides in ([], ["--read-too"]):
            image.unlink(missing_ok=True)
            nfcprog("write-url", old, "--reader", f"sim:ntag213,file={image}")
            nfcprog("protect", "--set-password", PASSWORD, "--authlim", "3", *hides, "--reader", f"sim:ntag213,file={image}")
            outcome = program(binary(), *job, *wrong, *reader)
            tries = int(image.read_text().split("Failed authentications: ")[1].split()[0])
            expect(tries <= 1, f"{job[0]} {hides}: {tries} tries\n{outcome}")
            nfcprog("unprotect", "--password", PASSWORD, "--reader", f"sim:ntag213,file={image}")
