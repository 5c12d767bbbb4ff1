"""provision with whole memories: a list's column image, judged by the tags' own memories."""

import json
import os
import random
import subprocess

from kills import kill_before_inspection, run_and_kill
from pool_benches import variables
from postgres import Database
from series import Boards, finish
from support import LIMIT, Simulation, binary, check, expect, expect_equal, json_object, memory, nfcprog, program

# What begins a UID of so many bytes as the type has.
UIDS = {"ntag213": "04{}a2a3a4a5a6", "classic1k": "{}a2a3a4"}
KILLS = int(os.environ.get("NFCPROG_KILLS", "4"))
TYPES = "ntag213", "classic1k"


def uid_bytes(number):
    """The first two pages and the byte behind them of a Type 2 tag."""
    uid = [4, number % 251, 0x22, 0x33, 0x44, 0x55, number // 251]
    return bytes(uid[:3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]] + uid[3:] + [uid[3] ^ uid[4] ^ uid[5] ^ uid[6]])


def image(kind, number):
    """A dump of such a tag with raw data of its own, and no message."""
    data = random.Random(number)
    if kind == "ntag213":
        tail = bytes.fromhex("000000bd 040000ff 00050000 00000000 00000000")
        return uid_bytes(number) + bytes.fromhex("480000 e1101200") + data.randbytes(144) + tail
    blocks = [bytes([1, 2, 3, number % 256, 1 ^ 2 ^ 3 ^ number % 256]) + bytes.fromhex("0804006263646566676869")]
    for block in range(1, 64):
        blocks.append(bytes.fromhex("ffffffffffff ff078069 ffffffffffff") if block % 4 == 3 else data.randbytes(16))
    return b"".join(blocks)


def data(kind, whole):
    """What of a memory is written to a tag."""
    if kind == "ntag213":
        return whole[16:160]
    return b"".join(whole[block * 16 : block * 16 + 16] for block in range(1, 64) if block % 4 != 3)


def make_list(folder, kind, count, name="jobs.csv"):
    """A list with an image a row, and what each is to write."""
    rows, wanted = [], {}
    for number in range(1, count + 1):
        path = folder / f"{kind}-{number}.bin"
        path.write_bytes(image(kind, number))
        rows.append(f"{number:04},{path}\n")
        wanted[data(kind, path.read_bytes())] = number
    (folder / name).write_text("code,image\n" + "".join(rows))
    return folder / name, wanted


def holding(folder, kind, wanted):
    """The numbers of the images that tags hold whole, and how many tags have each."""
    found = {}
    for path in folder.glob("*.tag"):
        number = wanted.get(data(kind, memory(path)))
        if number:
            found.setdefault(number, []).append(path.stem)
    return found


def expect_each_once(folder, kind, wanted, journal):
    found = holding(folder / "tags", kind, wanted)
    expect_equal(sorted(found), sorted(wanted.values()), "images on tags")
    expect(all(len(tags) == 1 for tags in found.values()), f"on more than one tag: {found}")
    nfcprog("journal", "verify", journal)
    rows = [json.loads(line) for line in nfcprog("report", "--journal", journal, "--json").output.splitlines()]
    written = {int(row["name"]): row["uid"].lower() for row in rows if row.get("event") == "job" or row.get("outcome") == "written" and "name" in row}
    for number, (uid,) in found.items():
        if number in written:
            expect_equal(written[number], uid, f"tag of job {number}")


def read_by_libnfc(kind, tag, folder):
    """The memory as a program of libnfc reads it."""
    dump = folder / "libnfc.mfd"
    dump.unlink(missing_ok=True)
    words = ["nfc-mfultralight", "r", dump] if kind == "ntag213" else ["nfc-mfclassic", "r", "A", "u", dump]
    with Simulation(f"{kind},file={tag}") as board:
        outcome = program(*words, environment=board.environment)
    expect(dump.exists(), str(outcome))
    return dump.read_bytes()


def change_one(kind, tag):
    words = ["write-pages", "--page", "30", "01020304"] if kind == "ntag213" else ["write-blocks", "--block", "30", "00" * 16]
    nfcprog(*words, "--reader", tag)


def documents(outcome):
    return [json.loads(line) for line in outcome.output.splitlines()]


for kind in TYPES:

    @check(f"provision puts an image of each row on one {kind}, as libnfc reads it; audit, collect and an inspection find one changed place")
    def whole(folder, kind=kind):
        table, wanted = make_list(folder, kind, 3)
        words = [table, "--journal", folder / "journal", "--timeout", "2"]
        reel = f"sim:{kind}*4,save={folder / 'tags'}"
        nfcprog("provision", *words, "--reader", reel + ",seed=1")
        nfcprog("provision", *words, "--reader", reel + ",seed=2")
        expect_each_once(folder, kind, wanted, folder / "journal")
        tags = [folder / "tags" / f"{uids[0]}.tag" for uids in holding(folder / "tags", kind, wanted).values()]
        expect(data(kind, read_by_libnfc(kind, tags[0], folder)) in wanted, "what libnfc reads")
        first = f"sim:{kind},file={tags[0]}"
        audit = lambda status: json_object(
            nfcprog("audit", "--journal", folder / "journal", "--json", "--reader", first, status=status))
        expect_equal(audit(0)["state"], "agrees", "audit")
        text = nfcprog("audit", "--journal", folder / "journal", "--reader", first).output
        expect("another link" not in text, text)
        said = nfcprog("collect", "--expect", folder / "journal", "--timeout", "1", "--json", "--reader", first, status=75)
        expect_equal((documents(said)[0]["verdict"], len(documents(said)[-1]["missing"])), ("passed", 2), str(said))
        change_one(kind, first)
        expect_equal(audit(76)["differences"], ["content"], "audit of a changed tag")
        said = nfcprog("collect", "--expect", folder / "journal", "--timeout", "1", "--json", "--reader", first, status=76)
        expect_equal(documents(said)[0]["cause"], "changed", str(said))
        # Written again, it is as it was.
        nfcprog("provision", *words, "--rewrite", "--count", "1", "--reader", first)
        expect_equal(audit(0)["state"], "agrees", "audit of a tag that was written again")

    @check(f"provision with images of {kind} takes blank tags alone: no raw data, no copy, no other type; a dry run says the same")
    def guarded(folder, kind=kind):
        table, wanted = make_list(folder, kind, 3)
        words = ["provision", table, "--journal", folder / "journal", "--timeout", "1", "--json"]

        def said(tag, *more, status):
            return nfcprog(*words, *more, "--count", "1", "--reader", tag, status=status)

        def tag(name, first):
            return f"sim:{kind},uid={UIDS[kind].format(first)},file={folder / name}"

        raw = tag("raw", "c1")
        change = ["write-pages", "--page", "20", "01020304"] if kind == "ntag213" else ["write-blocks", "--block", "20", "01" * 16]
        nfcprog(*change, "--reader", raw)
        before = memory(folder / "raw")
        plan = ["provision", table, "--journal", folder / "journal", "--dry-run", "--timeout", "1", "--reader"]
        expect("holds data already" in nfcprog(*plan, raw, status=77).errors, "dry run")
        seen = documents(program(binary(), *words, "--count", "1", "--reader", raw))
        expect_equal([one["cause"] for one in seen if one["event"] == "tag"], ["foreign"], str(seen))
        expect_equal(memory(folder / "raw"), before, "a tag with raw data")
        other = f"sim:ntag215,file={folder / 'other'}"
        nfcprog(*plan, other, status=65)
        seen = documents(program(binary(), *words, "--count", "1", "--reader", other))
        expect_equal([one["cause"] for one in seen if one["event"] == "tag"], ["wrong-type"], str(seen))
        blank = tag("blank", "d1")
        nfcprog(*plan, blank)
        said(blank, status=0)
        expect_equal(wanted.get(data(kind, memory(folder / "blank"))), 1, "the first image")
        # A copy with another UID.
        copy = tag("copy", "e1")
        nfcprog("restore", folder / f"{kind}-1.bin", "--reader", copy)
        seen = documents(program(binary(), *words, "--count", "1", "--overwrite", "--reader", copy))
        expect_equal([one["cause"] for one in seen if one["event"] == "tag"], ["copy"], str(seen))
        nfcprog(*plan, raw, "--overwrite")
        said(raw, "--overwrite", status=0)
        expect_equal(wanted.get(data(kind, memory(folder / "raw"))), 2, "the second image")
        # An image of a later row, under a journal that knows of none.
        nfcprog("restore", folder / f"{kind}-3.bin", "--reader", tag("third", "f1"))
        outcome = said(tag("third", "f1"), status=65)
        expect("another journal" in str(outcome), str(outcome))

    @check(f"provision with images of {kind} killed at any moment, with bad tags: each image is whole on one tag", alone=True)
    def killed(folder, kind=kind):
        random.seed(20261127)
        count = max(16, 6 * KILLS)
        table, wanted = make_list(folder, kind, count)
        words = [table, "--journal", folder / "journal", "--timeout", "20"]
        with Boards(folder, 2, f"{kind}*{count},bad=5%,pace=real") as boards:
            for _ in range(KILLS):
                run_and_kill([*words, *boards.options()], random.uniform(0.5, 2.5))
            finish(folder, words, boards.options(), LIMIT + 4 * count)
        expect_each_once(folder, kind, wanted, folder / "journal")

    @check(f"an inspection reads the whole memory of a {kind} again, and stops at one place that changed")
    def inspected(folder, kind=kind):
        table, _ = make_list(folder, kind, 1)
        for is_changed in (False, True):
            tag = f"sim:{kind},file={folder / f'tag-{is_changed}'}"
            words = [table, "--journal", folder / f"journal-{is_changed}", "--inspect", "1", "--timeout", "5"]
            kill_before_inspection([*words, "--reader", tag])
            if is_changed:
                change_one(kind, tag)
            nfcprog("provision", *words, "--reader", tag, status=76 if is_changed else 0)

    @check(f"an image that a {kind} was pulled away from is finished on it, and on no other")
    def pulled(folder, kind=kind):
        table, wanted = make_list(folder, kind, 4)
        outcome = nfcprog("provision", table, "--journal", folder / "journal", "--silent",
                          "--reader", f"sim:{kind}*4,pull=3,stay=3s,save={folder / 'tags'}")
        expect("4 passed" in outcome.output, str(outcome))
        expect_each_once(folder, kind, wanted, folder / "journal")


@check("provision refuses a list of images before the first tag, by row and column: files, types, gaps, the same memory, columns beside it")
def refused(folder):
    table, _ = make_list(folder, "ntag213", 2)
    good = folder / "ntag213-1.bin"
    (folder / "none.bin").write_bytes(b"\1\2\3")
    twin = bytearray(good.read_bytes())
    twin[:9] = uid_bytes(99)
    (folder / "twin.bin").write_bytes(twin)
    broken = bytearray(image("classic1k", 1))
    broken[3 * 16 + 6] = 0
    (folder / "broken.mfd").write_bytes(broken)

    def said(rows, word, status=65, *words):
        table.write_text(rows)
        outcome = nfcprog("provision", table, "--journal", folder / "journal", "--reader", "sim:ntag213", *words, status=status)
        expect(word in outcome.errors, str(outcome))

    said(f"image\n{good}\n{folder / 'absent'}\n", "line 3, column image", 66)
    said(f"image\n{folder / 'none.bin'}\n", "is no dump")
    said(f"image\n{good}\n{good}\n", "line 3: It has the same memory as line 2")
    said(f"image\n{good}\n{folder / 'twin.bin'}\n", "the same memory")
    said(f"image\n{good}\n", "135", 65, "--tag", "ntag215")
    said(f"image,tag\n{good},classic1k\n", "line 2, column image")
    said(f"image\n{folder / 'broken.mfd'}\n", "access bits in block 3")
    # One pair differs in access conditions alone, which no digest of data has.
    for name, bits in ("usual", "ff0780"), ("other", "787788"):
        bytes_ = bytearray(image("classic1k", 1))
        bytes_[7 * 16 + 6 : 7 * 16 + 9] = bytes.fromhex(bits)
        (folder / f"{name}.mfd").write_bytes(bytes_)
    said(f"image\n{folder / 'usual.mfd'}\n{folder / 'other.mfd'}\n", "line 3: It has the same data as line 2, with other access conditions")
    os.mkfifo(folder / "pipe")
    said(f"image\n{folder / 'pipe'}\n", "no regular file")
    said("image\n/dev/zero\n", "no regular file")
    # A message that its tag's mirror fills in goes on no other tag.
    mirrored = f"sim:ntag213,file={folder / 'mirrored'}"
    nfcprog("write-url", "https://example.com/{mirror:uid}", "--reader", mirrored)
    nfcprog("dump", folder / "mirrored.bin", "--reader", mirrored)
    said(f"image\n{folder / 'mirrored.bin'}\n{good}\n", "line 2, column image")
    said(f"image\n{folder / 'mirrored.bin'}\n{good}\n", "ASCII mirror", 65, "--dry-run")
    for column in ("url", "lock", "password"):
        said(f"image,{column}\n{good},\n", f"\u201c{column}\u201d")
    said(f"image\n{good}\n", "no tag is locked", 65, "--lock", "--yes")
    said(f"image\n{good}\n", "no password", 65, "--set-password", "01020304")
    # A template that names the column makes it a text like any other.
    table.write_text("image\na\n")
    nfcprog("provision", table, "--template", "https://example.com/{image}", "--dry-run")
    # A file that changes in the middle of a series.
    table, _ = make_list(folder, "ntag213", 2)
    nfcprog("provision", table, "--journal", folder / "j", "--count", "1", "--reader", f"sim:ntag213,save={folder / 'tags'}")
    (folder / "ntag213-2.bin").write_bytes(image("ntag213", 7))
    nfcprog("provision", table, "--journal", folder / "j", "--reader", "sim:ntag213,seed=5", status=65)


@check("an image with a message is found by a telephone on a blank Ultralight, or its tag is left alone before the first write")
def found_by_a_telephone(folder):
    source = f"sim:ultralight,file={folder / 'source'}"
    nfcprog("write-url", "https://example.com/1", "--reader", source)
    nfcprog("dump", folder / "tag.json", "--reader", source)
    (folder / "jobs.csv").write_text(f"code,image\nA,{folder / 'tag.json'}\n")
    words = ["provision", folder / "jobs.csv", "--journal", folder / "journal", "--timeout", "1", "--reader"]
    # Bit 4 of byte 3 cannot be cleared.
    spoilt = folder / "spoilt"
    nfcprog("write-pages", "--page", "3", "00000010", "--force", "--yes", "--reader", f"sim:ultralight,uid=04{'11' * 6},file={spoilt}")
    before = memory(spoilt)
    outcome = program(binary(), *words, f"sim:ultralight,file={spoilt}")
    expect("A telephone finds no message" in outcome.output and memory(spoilt) == before, str(outcome))
    tag = f"sim:ultralight,file={folder / 'tag'}"
    nfcprog(*words, tag)
    expect("https://example.com/1" in nfcprog("read", "--reader", tag).output, "the message")
    nfcprog("audit", "--journal", folder / "journal", "--reader", tag)


@check("audit and collect take the keys of images; without them what is not read is not known")
def keys(folder):
    bytes_ = bytearray(image("classic1k", 1))
    bytes_[7 * 16 : 7 * 16 + 16] = bytes.fromhex("a1b2c3d4e5f6 ff078069 c1c2c3c4c5c6")
    (folder / "secret.mfd").write_bytes(bytes_)
    (folder / "jobs.csv").write_text(f"code,image\nA,{folder / 'secret.mfd'}\n")
    tag = f"sim:classic1k,file={folder / 'tag'}"
    nfcprog("provision", folder / "jobs.csv", "--journal", folder / "journal", "--reader", tag)
    collect = ["collect", "--expect", folder / "journal", "--timeout", "1", "--count", "1", "--reader", tag]
    for words in ["audit", "--journal", folder / "journal", "--reader", tag], collect:
        outcome = program(binary(), *words)
        expect_equal(outcome.status, 77, str(outcome))
        nfcprog(*words, "--key", "A1B2C3D4E5F6")
        nfcprog(*words, environment={"NFCPROG_KEYS": "A1B2C3D4E5F6"})


@check("what dump saved of a tag that shows little, info reads")
def shows_little(folder):
    tag = f"sim:ntag213,file={folder / 'tag'}"
    nfcprog("protect", "--set-password", "01020304", "--read-too", "--reader", tag)
    nfcprog("dump", folder / "tag.bin", "--force", "--reader", tag)
    nfcprog("info", folder / "tag.bin")


@check("provision with images on a pool: two benches put each on one tag, and the pool says which")
def pool(folder):
    table, wanted = make_list(folder, "ntag213", 8)
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--viewer", "viewer")
        address = database.address("I1")
        benches = []
        for bench in range(2):
            values = dict(os.environ, **variables(folder, bench), XDG_CONFIG_HOME="/nonexistent")
            benches.append(subprocess.Popen(
                [binary(), "provision", str(table), "--journal", address, "--timeout", "5", "--reader",
                 f"sim:ntag213*8,bad=5%,seed={bench},save={folder / 'tags'},pace=real"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=values))
        said = [bench.communicate(timeout=LIMIT)[0] for bench in benches]
        expect_equal(database.sql("SELECT state, count(*) FROM nfcprog.job GROUP BY state"), "written|8", str(said))
        found = holding(folder / "tags", "ntag213", wanted)
        expect_equal(sorted(found), list(range(1, 9)), "images on tags")
        expect(all(len(tags) == 1 for tags in found.values()), str(found))
        rows = database.sql("SELECT name || ' ' || encode(uid, 'hex') FROM nfcprog.job").splitlines()
        expect_equal({int(row.split()[0]): row.split()[1] for row in rows}, {number: tags[0] for number, tags in found.items()}, "the pool")
        tag = next(iter(found.values()))[0]
        nfcprog("audit", "--journal", database.address("I1", user="viewer"), "--reader",
                f"sim:ntag213,file={folder / 'tags' / f'{tag}.tag'}", environment=variables(folder, 2))
