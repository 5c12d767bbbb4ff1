"""What a MIFARE Classic lets one do, through the command line and the simulated board."""

from support import check, expect, expect_equal, memory, nfcprog

FACTORY = "FFFFFFFFFFFF"
NFC = "D3F7D3F7D3F7"
SECRET = "112233445566"


def card(folder, product="classic1k"):
    """A card with a message; its file and its reader."""
    image = folder / "card.txt"
    reader = f"sim:{product},file={image}"
    return image, reader


def bits(*conditions):
    """The three access bytes, by C1 C2 C3 of each group."""
    c1, c2, c3 = (sum((condition >> place & 1) << group for group, condition in enumerate(conditions)) for place in (2, 1, 0))
    return bytes([(~c2 & 15) << 4 | ~c1 & 15, c1 << 4 | ~c3 & 15, c3 << 4 | c2]).hex().upper()


def write_blocks(reader, block, *rows, key=None):
    key = ["--key", key] if key else []
    nfcprog("write-blocks", "--block", block, *rows, "--force", *key, "--reader", reader)


@check("a Classic sector that only key B reads is refused or made readable by write-url")
def read_with_key_b(folder):
    image, reader = card(folder)
    nfcprog("write-url", "https://example.com/t/1", "--reader", reader)
    write_blocks(reader, 7, NFC + "0F00FF40" + FACTORY)
    nfcprog("write-url", "https://example.com/t/2", "--reader", reader)
    bits = memory(image)[7 * 16 + 6:7 * 16 + 9]
    expect_equal(bits, bytes.fromhex("7F0788"), "access bits of sector 1")


@check("reset-classic finishes a soft read-only Classic whose key B is given")
def soft_read_only(folder):
    image, reader = card(folder)
    nfcprog("info", "--reader", reader)
    delivered = memory(image)
    nfcprog("format-classic", "--key-b", SECRET, "--reader", reader)
    for sector in range(1, 16):
        write_blocks(reader, sector * 4 + 3, NFC + "0F078F43" + SECRET, key=SECRET)
    nfcprog("reset-classic", "--key", SECRET, "--reader", reader)
    expect_equal(memory(image), delivered, "memory")


@check("reset-classic erases data that are no message with --overwrite alone")
def foreign(folder):
    image, reader = card(folder)
    nfcprog("info", "--reader", reader)
    delivered = memory(image)
    write_blocks(reader, 20, "555345522D4441544100000000000000")
    before = memory(image)
    refused = nfcprog("reset-classic", "--reader", reader, status=77)
    expect("--overwrite" in refused.errors, refused.errors)
    expect_equal(memory(image), before, "memory after a refusal")
    nfcprog("reset-classic", "--overwrite", "--reader", reader)
    expect_equal(memory(image), delivered, "memory")


@check("reset-classic --dry-run ends as the run does where blocks cannot be read for the backup")
def backup_foreseen(folder):
    image, reader = card(folder)
    nfcprog("write-url", "https://example.com/t/1", "--reader", reader)
    # Nobody reads the data of sector 3; key A changes its keys and access bits.
    write_blocks(reader, 15, NFC + bits(7, 7, 7, 1) + "40" + FACTORY)
    before = memory(image)
    dry = nfcprog("reset-classic", "--overwrite", "--dry-run", "--reader", reader, status=77)
    run = nfcprog("reset-classic", "--overwrite", "--reader", reader, status=77)
    expect_equal(dry.errors, run.errors, "what the dry run says")
    expect_equal(memory(image), before, "memory")
    nfcprog("reset-classic", "--overwrite", "--backup", "none", "--dry-run", "--reader", reader)


@check("a locked Classic message cannot be led away from by another directory")
def locked(folder):
    image, reader = card(folder)
    nfcprog("write-url", "https://example.com/t/1", "--lock", "--sectors", "fewest", "--reader", reader)
    before = memory(image)[:64]
    nfcprog(
        "write-blocks", "--block", "1", "FD000000" + "03E1" + "00" * 10, "--force", "--reader", reader, status=77)
    expect_equal(memory(image)[:64], before, "sector 0")
