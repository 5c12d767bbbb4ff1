"""The jobs, who does them, and how it is seen that they were done."""

import sys
from pathlib import Path

import floor
from support import Simulation, binary, expect, expect_equal, json_object, memory, nfcprog, program
from tags import uri_message

OLD, NEW = "https://example.com/t/0001", "https://example.com/t/0002"
TESTS = Path(__file__).resolve().parent.parent
# Where Tests/prepare puts nfcpy.
PYTHON = TESTS.parent / ".build-peers/bin/python"
NFCPY = [PYTHON if PYTHON.exists() else sys.executable, TESTS / "Interoperability/nfcpy_tag.py"]

NFCPY_FELICA = [NFCPY[0], TESTS / "Interoperability/felica.py"]


class Contender:
    """`words(board, folder, speed)`: the command; `does_less`: it leaves a part of the job undone."""

    def __init__(self, name, words, check, prepare=None, text="", does_less=False):
        self.name, self.words, self.check, self.prepare = name, words, check, prepare
        self.text, self.does_less = text, does_less
        self.is_ours = name.startswith("nfcprog")


class Job:
    """`least`: how many commands keep every rule; nfcprog may take a twentieth more."""

    def __init__(self, name, tag, floor, prepare, *contenders, least=None):
        self.name, self.tag, self.floor, self.prepare, self.contenders = name, tag, floor, prepare, contenders
        self.least = least


def ours(*words, check):
    return Contender(
        "nfcprog", lambda board, folder, speed: [binary(), *words, "--baud", speed, "--reader", board.port], check)


def through_agent(*words, check):
    """The reader is open before; the agent has opened it at its own speed, the highest."""
    return Contender(
        "nfcprog through an agent", lambda board, folder, speed: [
            sys.executable, TESTS / "Benchmark/through.py", binary(), board.port, *words], check)


def nfcpy(*words, check):
    return Contender(
        "nfcpy", lambda board, folder, speed: [*NFCPY, board.port, *words, *(
            ["--baud", speed] if speed != "auto" else [])], check)


def nfcpy_felica(*words, check, **options):
    return Contender(
        "nfcpy", lambda board, folder, speed: [*NFCPY_FELICA, board.port, *words, *(
            ["--baud", speed] if speed != "auto" else [])], check, **options)


def tool(name, *words, **options):
    """A program of libnfc or libfreefare, which knows one speed only; FOLDER stands for the folder."""
    return Contender(
        name, lambda board, folder, speed: [name, *(str(word).replace("FOLDER", str(folder)) for word in words)],
        **options)


# What a tag holds before, and what is looked at afterwards.

def factory(tag, folder):
    nfcprog("info", "--reader", f"sim:{tag}")


def holding(url):
    return lambda tag, folder: nfcprog("write-url", url, "--reader", f"sim:{tag}")


def felica_formatted(tag, folder):
    nfcprog("format-felica", "--reader", f"sim:{tag}")


def formatted(tag, folder):
    nfcprog("format-classic", "--overwrite", "--reader", f"sim:{tag}")


def nothing(tag, folder):
    pass


def holds(url):
    def check(tag, folder):
        seen = json_object(nfcprog("read", "--json", "--reader", f"sim:{tag}"))
        expect_equal([record.get("uri") for record in seen["records"]], [url], "URLs")
    return check


def is_formatted(capacity):
    def check(tag, folder):
        seen = json_object(nfcprog("info", "--json", "--reader", f"sim:{tag}"))
        expect_equal((seen["ndefStatus"], seen["capacity"]), ("readWrite", capacity), "state")
        expect("findings" not in seen, f"findings {seen.get('findings')}")
    return check


def is_as_delivered(tag, folder):
    seen = memory(folder / "tag.txt")
    nfcprog("info", "--reader", f"sim:{tag.split(',')[0]},file={folder / 'new.txt'}")
    # The UID aside.
    expect_equal(seen[16:], memory(folder / "new.txt")[16:], "memory")


def read_a_message(name):
    def check(tag, folder):
        expect((folder / name).stat().st_size > 0, "nothing was read")
    return check


def image_of(url, before):
    """Prepares the tag as `before` does, and image.mfd: the same tag with `url` on it."""
    def prepare(tag, folder):
        before(tag, folder)
        kept = (folder / "tag.txt").read_text()
        nfcprog("write-url", url, "--reader", f"sim:{tag}")
        (folder / "image.mfd").write_bytes(memory(folder / "tag.txt"))
        (folder / "tag.txt").write_text(kept)
    return prepare


def message_file(bytes, before):
    def prepare(tag, folder):
        before(tag, folder)
        (folder / "message.ndef").write_bytes(bytes)
    return prepare


def written_by_freefare(url):
    """A tag that mifare-classic-write-ndef formatted: it cannot write the ones of others with the delivered key B."""
    def prepare(tag, folder):
        message_file(uri_message(20), factory)(tag, folder)
        with Simulation(tag) as board:
            words = "mifare-classic-write-ndef", "-y", "-i", folder / "message.ndef"
            expect(program(*words, environment=board.environment).status == 0, "not prepared")
        (folder / "message.ndef").write_bytes(uri(url))
    return prepare


def uri(url):
    text = b"\x04" + url.removeprefix("https://").encode()
    return bytes([0xD1, 1, len(text)]) + b"U" + text


def ultralight_writer(url, before):
    # It asks about lock bytes, OTP bytes and UID; none is to be written.
    return tool("nfc-mfultralight", "w", "FOLDER/image.mfd", prepare=image_of(url, before), check=holds(url),
                text="n\n" * 6)


def freefare_writer(bytes, before, check, **options):
    return tool("mifare-classic-write-ndef", "-y", "-i", "FOLDER/message.ndef",
                prepare=message_file(bytes, before), check=check, **options)


LONG = uri_message(700)


def holds_long(tag, folder):
    nfcprog("read", "--raw", folder / "seen.ndef", "--force", "--reader", f"sim:{tag}")
    expect_equal((folder / "seen.ndef").read_bytes(), LONG, "message")


JOBS = [
    Job("URL on a factory NTAG213", "ntag213", floor.type2(writes=7, back=8), factory,
        ours("write-url", NEW, check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW)),
        ultralight_writer(NEW, factory)),
    Job("URL replaced on an NTAG213", "ntag213", floor.type2(writes=1, back=8), holding(OLD),
        ours("write-url", NEW, check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW)),
        ultralight_writer(NEW, holding(OLD))),
    Job("URL read from an NTAG213", "ntag213", floor.type2(back=8), holding(OLD),
        ours("read", check=holds(OLD)),
        nfcpy("read", check=holds(OLD)),
        tool("nfc-mfultralight", "r", "FOLDER/read.mfd", check=read_a_message("read.mfd")),
        tool("nfc-list", check=nothing, does_less=True)),
    Job("URL on an empty, known Type 4 tag", "type4", floor.type4(len(uri(NEW)), updates=(len(uri(NEW)), 2)), factory,
        ours("write-url", NEW, "--tag", "type4", check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW))),
    Job("URL replaced on a known Type 4 tag", "type4", floor.type4(len(uri(NEW)), updates=(2, 1, 2)), holding(OLD),
        ours("write-url", NEW, "--tag", "type4", check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW))),
    Job("URL read from a known Type 4 tag", "type4", floor.type4(len(uri(OLD))), holding(OLD),
        ours("read", "--tag", "type4", check=holds(OLD)),
        nfcpy("read", check=holds(OLD))),
    Job("URL on a known NTAG 424 DNA", "ntag424", floor.type4(len(uri(NEW)), updates=(len(uri(NEW)) + 2,)), factory,
        ours("write-url", NEW, "--tag", "ntag424", check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW))),
    Job("URL on a factory 1K, fewest sectors, unseen", "classic1k",
        floor.classic(sectors=2, writes=5, reads=5, rekeyed=2), factory,
        ours("write-url", NEW, "--sectors", "fewest", "--overwrite", check=holds(NEW)),
        freefare_writer(uri(NEW), factory, holds(NEW))),
    Job("URL on a factory 1K, fewest sectors, those looked at", "classic1k",
        floor.classic(sectors=2, writes=5, reads=5 + 5, rekeyed=2), factory,
        ours("write-url", NEW, "--sectors", "fewest", check=holds(NEW))),
    Job("URL on a factory 1K, all sectors looked at", "classic1k",
        floor.classic(sectors=16, writes=20, reads=47 + 20, rekeyed=16), factory,
        ours("write-url", NEW, check=holds(NEW))),
    Job("URL on a formatted FeliCa Lite-S", "felica-lite-s", floor.felica(writes=4, back=3), felica_formatted,
        ours("write-url", NEW, check=holds(NEW)),
        nfcpy_felica("write", uri(NEW).hex(), check=holds(NEW))),
    Job("URL replaced on a FeliCa Lite-S", "felica-lite-s", floor.felica(writes=3, back=3), holding(OLD),
        ours("write-url", NEW, check=holds(NEW)),
        nfcpy_felica("write", uri(NEW).hex(), check=holds(NEW))),
    Job("URL read from a FeliCa Lite-S", "felica-lite-s", floor.felica(back=4), holding(OLD),
        ours("read", check=holds(OLD)),
        nfcpy_felica("read", check=holds(OLD))),
    Job("format a FeliCa Lite-S", "felica-lite-s,content=blank", floor.felica(writes=2, back=2), nothing,
        ours("format-felica", "--overwrite", check=is_formatted(208)),
        nfcpy_felica("format", check=is_formatted(208), does_less=True)),
    Job("URL replaced on a known NTAG213", "ntag213", floor.type2(writes=1, back=8), holding(OLD),
        ours("write-url", NEW, "--tag", "ntag213", check=holds(NEW)),
        through_agent("write-url", NEW, "--tag", "ntag213", check=holds(NEW)),
        nfcpy("write", uri(NEW).hex(), check=holds(NEW)), least=floor.known_type2(writes=1)),
    Job("URL read from a known NTAG213", "ntag213", floor.type2(back=8), holding(OLD),
        ours("read", "--tag", "ntag213", check=holds(OLD)),
        nfcpy("read", check=holds(OLD)), least=floor.known_type2()),
    Job("URL on a formatted 1K", "classic1k", floor.classic(sectors=1, writes=2, reads=2), formatted,
        ours("write-url", NEW, check=holds(NEW)),
        tool("mifare-classic-write-ndef", "-y", "-i", "FOLDER/message.ndef", prepare=written_by_freefare(NEW),
             check=holds(NEW))),
    Job("URL read from a 1K", "classic1k", floor.classic(sectors=1, reads=2), holding(OLD),
        ours("read", check=holds(OLD)),
        tool("mifare-classic-read-ndef", "-y", "-o", "FOLDER/read.ndef", check=read_a_message("read.ndef")),
        tool("nfc-mfclassic", "r", "A", "u", "FOLDER/read.mfd", check=read_a_message("read.mfd"))),
    Job("700 bytes on a factory 1K, unseen", "classic1k", floor.classic(sectors=16, writes=62, reads=62, rekeyed=16),
        message_file(LONG, factory),
        Contender("nfcprog", lambda board, folder, speed: [
            binary(), "write", "--overwrite", "--ndef", folder / "message.ndef", "--baud", speed, "--reader", board.port], holds_long),
        freefare_writer(LONG, factory, holds_long)),
    Job("format a 1K, all sectors, unseen", "classic1k", floor.classic(sectors=16, writes=19, reads=19, rekeyed=16),
        factory,
        ours("format-classic", "--overwrite", check=is_formatted(716)),
        freefare_writer(b"", factory, nothing, does_less=True)),
    Job("format a 1K, all blocks looked at", "classic1k",
        floor.classic(sectors=16, writes=19, reads=47 + 19, rekeyed=16), factory,
        ours("format-classic", check=is_formatted(716))),
    Job("format a 4K with MAD2, unseen", "classic4k", floor.classic(sectors=40, writes=46, reads=46, rekeyed=40),
        factory,
        ours("format-classic", "--overwrite", check=is_formatted(3356))),
    Job("format a 4K with MAD2, all blocks looked at", "classic4k",
        floor.classic(sectors=40, writes=46, reads=215 + 46, rekeyed=40), factory,
        ours("format-classic", check=is_formatted(3356))),
    Job("format a 1K with a URL, unseen", "classic1k", floor.classic(sectors=16, writes=20, reads=20, rekeyed=16),
        factory,
        ours("format-classic", "--overwrite", "--url", NEW, check=holds(NEW)),
        freefare_writer(uri(NEW), factory, holds(NEW), does_less=True)),
    Job("reset a 1K to its delivered state", "classic1k",
        floor.classic(sectors=16, writes=20, reads=20, rekeyed=16, keys=1), holding(OLD),
        ours("reset-classic", check=is_as_delivered),
        tool("mifare-classic-format", "-y", check=is_as_delivered)),
]
