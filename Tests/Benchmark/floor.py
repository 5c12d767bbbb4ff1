"""The least that a job can take: the frames on the air and the EEPROM cycles that nothing can save, everything else free.

The figures are those of the time model (Docs/Performance.md), in milliseconds.
"""

BIT = 0.00944
DELAY = 0.087
ACKNOWLEDGE = 2 * DELAY + 6 * BIT


def air(count):
    """A frame of so many bytes, CRC included."""
    return BIT * (9 * count + 2)


AUTHENTICATE = 2.0
READ_BLOCK = air(4) + 2 * DELAY + air(18)
WRITE_BLOCK = air(4) + air(18) + 2 * ACKNOWLEDGE + 3.1
WRITE_PAGE = air(8) + ACKNOWLEDGE + 4.1


def activate(uid):
    """REQA to SAK for a UID of so many bytes."""
    return 2.5 + (uid - 4) / 3


def read_pages(count):
    """FAST_READ; a READ where that is shorter."""
    return min(air(5) + 2 * DELAY + air(4 * count + 2), air(4) + 2 * DELAY + air(18) if count <= 4 else 1e9)


def type2(writes=0, back=0):
    """A Type 2 tag that is activated once, gets `writes` pages and has `back` pages read back."""
    return activate(7) + writes * WRITE_PAGE + read_pages(back)


def known_type2(writes=0):
    """Commands to the board for a message on a Type 2 tag of a known reel (Docs/Performance.md, the floor): the look, the head,
    the rest of the message; what tells its twins, `writes` pages and reading them back."""
    return 3 + (1 + writes + 1 if writes else 0)


def felica_air(count):
    """A FeliCa frame at 212 kbit/s of so many bytes, its length among them: preamble, synchronisation and CRC besides."""
    return BIT * 8 * (count + 10) / 2


def felica(writes=0, back=0):
    """A FeliCa Lite that is polled once, gets `writes` blocks and has `back` blocks read back, four at a time."""
    answer, slot = 0.302, 1.208
    poll = felica_air(6) + slot + felica_air(20)
    write = felica_air(32) + answer + felica_air(12) + 4.1
    read = sum(
        felica_air(14 + 2 * count) + answer + felica_air(13 + 16 * count)
        for count in [4] * (back // 4) + ([back % 4] if back % 4 else []))
    return poll + writes * write + read


def classic(sectors=0, writes=0, reads=0, rekeyed=0, keys=2):
    """A MIFARE Classic that is activated once; `sectors` are opened, those `rekeyed` with each of their new `keys` too."""
    return activate(4) + (sectors + rekeyed * keys) * AUTHENTICATE + writes * WRITE_BLOCK + reads * READ_BLOCK


def apdu(out, back):
    """A command and an answer of so many bytes, status included, each a block of its own."""
    return air(out + 3) + 2 * DELAY + air(back + 3)


def type4(message, updates=()):
    """A Type 4 tag that is activated once (RATS and ATS, too), whose container is read and whose `message` bytes are read
    back with their length; `updates`: the bytes of each write, EEPROM in pieces of 32."""
    select = air(4) + 2 * DELAY + air(7) + apdu(13, 2) + 2 * apdu(7, 2) + apdu(5, 17)
    writes = sum(apdu(5 + count, 2) + 3.1 * ((count + 31) // 32) for count in updates)
    return activate(7) + select + writes + apdu(5, 2 + message + 2)
