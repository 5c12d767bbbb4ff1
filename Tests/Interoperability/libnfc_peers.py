"""libnfc's own programs against the simulated board: they see the tags that nfcprog sees."""

from support import Simulation, check, expect, expect_equal, memory, nfcprog, program
from tags import CLASSIC, TYPE2


def spaced(text):
    """`04a1` as nfc-list prints it: `04  a1`."""
    return "  ".join(text[i : i + 2] for i in range(0, len(text), 2))


for name, uid, _, _ in TYPE2 + CLASSIC:

    @check(f"nfc-list sees the UID of {name}")
    def list_tag(folder, name=name, uid=uid):
        with Simulation(f"{name},uid={uid}") as board:
            outcome = program("nfc-list", environment=board.environment)
        expect(outcome.status == 0 and f": {spaced(uid)}" in outcome.output, str(outcome))


@check("two boards at once keep to themselves")
def two_boards(folder):
    with Simulation("ntag213,uid=04010203040506") as one, Simulation("ntag215,uid=04060504030201") as two:
        for board, uid in ((one, "04010203040506"), (two, "04060504030201")):
            outcome = program("nfc-list", environment=board.environment)
            expect(spaced(uid) in outcome.output, str(outcome))


def as_dumped(image):
    """A MIFARE Classic's memory as nfc-mfclassic saves it: in every trailer the key A that it used, which the tag
    never shows, and zeros for key B, which it did not look for."""
    memory = bytearray(image)
    trailers = [*range(3, min(128, len(memory) // 16), 4), *range(143, len(memory) // 16, 16)]
    for trailer in trailers:
        memory[trailer * 16 + 10 : trailer * 16 + 16] = bytes(6)
    return bytes(memory)


for name, uid, size, _ in CLASSIC:

    @check(f"nfc-mfclassic r dumps the very memory of {name}, formatted and written")
    def dump_classic(folder, name=name, uid=uid, size=size):
        image, dump = folder / "tag.txt", folder / "dump.mfd"
        tag = f"{name},uid={uid},file={image}"
        nfcprog("write-url", "https://example.com/t/1", "--reader", f"sim:{tag}")
        expect_equal(len(memory(image)), size, "size of the memory")
        with Simulation(tag) as board:
            outcome = program("nfc-mfclassic", "r", "A", "u", dump, environment=board.environment)
            expect(dump.exists(), str(outcome))
        expect_equal(dump.read_bytes(), as_dumped(memory(image)), "dump")


@check("nfc-mfclassic r dumps the very memory of a 1K as it is delivered")
def dump_delivered(folder):
    image, dump = folder / "tag.txt", folder / "dump.mfd"
    with Simulation(f"classic1k,file={image}") as board:
        outcome = program("nfc-mfclassic", "r", "A", "u", dump, environment=board.environment)
        expect(dump.exists(), str(outcome))
    expect_equal(dump.read_bytes(), as_dumped(memory(image)), "dump")


# Passwords and PACKs read as zeros: the last two pages of these.
PASSWORD = {"ultralight-ev1-11", "ultralight-ev1-21", "ntag210", "ntag212", "ntag213", "ntag215", "ntag216"}

# These answer its GET_VERSION with a NAK, which nfc-mfultralight 1.8.0 takes for a version: it reads on from a tag that is
# deselected. It takes an Ultralight AES for an NTAG213. nfcpy is their witness.
REFUSES_VERSION = {"ultralight-c", "ultralight-aes", "ntag203"}

for name, uid, size, _ in [row for row in TYPE2 if row[0] not in REFUSES_VERSION]:

    @check(f"nfc-mfultralight r dumps the very memory of {name}, written")
    def dump_ultralight(folder, name=name, uid=uid, size=size):
        image, dump = folder / "tag.txt", folder / "dump.mfd"
        tag = f"{name},uid={uid},file={image}"
        nfcprog("write-url", "https://example.com/t/1", "--reader", f"sim:{tag}")
        wanted = memory(image)
        expect_equal(len(wanted), size, "size of the memory")
        if name in PASSWORD:
            wanted = wanted[:-8] + bytes(8)
        with Simulation(tag) as board:
            outcome = program("nfc-mfultralight", "r", dump, environment=board.environment)
            expect(dump.exists(), str(outcome))
        expect_equal(dump.read_bytes(), wanted, "dump")
