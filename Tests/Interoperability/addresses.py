"""One grammar of addresses: every command that takes one accepts, alters and refuses the same texts."""

import re
from pathlib import Path

from support import check, expect, expect_equal, json_object, memory, nfcprog

TABLE = Path(__file__).parent.parent / "WebAddressTests" / "Vectors" / "addresses.txt"


def vectors():
    """Name, text, what is written (None where it is refused) and the codes of the changes."""
    for line in TABLE.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, given, written, changes = line.split(" | ")
        given = re.sub(r"\\u\{([0-9A-F]+)\}", lambda found: chr(int(found[1], 16)), given)
        written = None if written == "refused" else given if written == "=" else written
        yield name, given, written, changes.split() if changes != "-" else []


def codes(seen):
    return [change["code"] for altered in seen.get("altered", []) for change in altered["changes"]]


# Words before and behind the address, of commands that write it onto a tag.
WRITERS = {
    "write-url": (["write-url"], "sim:ntag216"),
    "write --uri": (["write", "--uri"], "sim:ntag216"),
    "format-classic --url": (["format-classic", "--url"], "sim:classic1k"),
    "write --smart-poster": (["write", "--smart-poster"], "sim:ntag216"),
}

def shared_out(part, parts):
    """All addresses that are altered, and of the others every one that falls to this part of so many.

    All that take an address ask one function, which has the whole table in WebAddressTests.
    """
    for number, (name, given, wanted, changes) in enumerate(vectors()):
        if changes or number % parts == part:
            yield name, given, wanted, changes


for turn, (command, (words, reader)) in enumerate(WRITERS.items()):

    @check(f"{command} takes, alters and refuses what the table of addresses says")
    def written(folder, words=words, reader=reader, turn=turn):
        for name, given, wanted, changes in shared_out(turn, len(WRITERS)):
            full = [*words, given, "--dry-run", "--json", "--reader", reader]
            outcome = nfcprog(*full, status=65 if wanted is None else 0)
            seen = json_object(outcome)
            if wanted is None:
                expect_equal((seen["result"], seen["error"]["code"]), ("failed", 65), name)
                continue
            expect_equal((seen["result"], codes(seen)), ("planned", changes), name)
            if changes:
                expect_equal((seen["altered"][0]["given"], seen["altered"][0]["written"]), (given, wanted), name)
                expect(wanted in outcome.errors and "url-altered" in outcome.errors, f"{name}\n{outcome}")
            else:
                expect("altered" not in seen and "url-altered" not in outcome.errors, f"{name}\n{outcome}")


# What check-link calls a text that is no address, whatever is wrong with it.
NO_ADDRESS = {"url-malformed", "escape-invalid", "host-missing", "host-malformed"}


@check("check-link refuses what the table of addresses refuses, and no other text for being no address")
def checked(folder):
    for name, given, wanted, _ in vectors():
        seen = json_object(nfcprog("check-link", given, "--json", status=65))
        errors = {finding["code"] for finding in seen["findings"] if finding["severity"] == "error"}
        if wanted is None:
            expect(errors & (NO_ADDRESS | {"port"}), f"{name}: {seen}")
        else:
            # A name without a dot is an address that no association is for.
            expect(not errors & (NO_ADDRESS - {"host-malformed"}), f"{name}: {seen}")


def for_lists(addresses):
    """Those that a list's template and its column can have: braces are fields there, and a row has one line."""
    return [row for row in addresses if row[1] and not any(mark in row[1] for mark in "{}\n")]


@check("provision takes, alters and refuses what the table of addresses says, in the template")
def templates(folder):
    for name, given, wanted, changes in for_lists(shared_out(0, 3)):
        outcome = nfcprog("provision", "--range", "1..1", f"--template={given}", "--dry-run", "--json", status=65 if wanted is None else 0)
        if wanted is None:
            continue
        expect_equal("url-altered" in outcome.errors, bool(changes), f"{name}\n{outcome}")
        if changes:
            seen = json_object(outcome)
            expect_equal((seen["event"], codes(seen)), ("list", changes), name)
            expect_equal(seen["altered"][0]["written"], wanted, name)


# What a person sees on a command line, and nobody in a list of thousands: a list's values are refused for it.
UNSEEN = {"dots and slashes stay", "invisible space"}


@check("provision takes, alters and refuses what the table of addresses says, in a column")
def columns(folder):
    table = folder / "jobs.csv"

    def listed(addresses, status):
        cells = [given.replace('"', '""') for _, given, _, _ in addresses]
        table.write_text("url\n" + "".join(f'"{cell}"\n' for cell in cells))
        return nfcprog("provision", table, "--dry-run", "--json", status=status)

    rows = [(name, given, None if name in UNSEEN else wanted, changes) for name, given, wanted, changes in for_lists(vectors())]
    expect_equal({row[0] for row in rows} & UNSEEN, UNSEEN, "rows of the table")
    left = [row for row in rows if row[2] is not None]
    while left:
        # Addresses that are written alike are one message, which a list has once.
        taken = list({row[2]: row for row in left}.values())
        left = [row for row in left if row not in taken]
        seen = json_object(listed(taken, 0))
        wanted = {given: written for _, given, written, changes in taken if changes}
        expect_equal((seen["event"], seen["jobs"]), ("list", len(taken)), "the list")
        told = {altered["given"]: altered["written"] for altered in seen.get("altered", [])}
        expect(wanted.items() >= told.items() and bool(told) == bool(wanted), f"{told}")
    refused = [row for row in rows if row[2] is None]
    # So many mistakes are named one by one.
    for first in range(0, len(refused), 20):
        some = refused[first:first + 20]
        outcome = listed(some, 65)
        for line, (name, given, _, _) in enumerate(some, start=2):
            expect(re.search(f"^line {line}[:,]", outcome.errors, re.M), f"{name}\n{outcome}")


@check("a field outside of provision is refused with the command it belongs to, and a brace is doubled or encoded")
def fields(folder):
    tag = f"sim:ntag213,file={folder / 'my.tag'}"
    writers = [["write-url"], ["write", "--uri"], ["write", "--smart-poster"], ["check-link"]]
    for words in writers:
        reader = [] if words[0] == "check-link" else ["--reader", tag]
        for url in ("https://example.com/t/{code}", "https://{host}/t", "{url}", "https://example.com/{code"):
            outcome = nfcprog(*words, url, *reader, status=65)
            word = "provision" if "}" in url else "pair"
            expect(word in outcome.errors and "%7B" in outcome.errors or word == "pair", f"{words} {url}\n{outcome}")
    nfcprog("write", "--text", "Valve {code}", "--reader", tag, status=65)
    nfcprog("format-classic", "--url", "https://example.com/{code}", "--reader", "sim:classic1k", status=65)
    nfcprog("write-url", "https://example.com/t/{code}?e={picc}&m={mac}", "--sdm", "--keys", folder / "none", "--reader", "sim:ntag424",
            status=66)
    expect(not (folder / "my.tag").exists() or b"code" not in memory(folder / "my.tag"), "the tag")
    for given, text in (("https://example.com/{{code}}", "https://example.com/%7Bcode%7D"),
                        ("https://example.com/%7Bcode%7D", "https://example.com/%7Bcode%7D")):
        for words in writers[:3]:
            nfcprog(*words, given, "--reader", tag)
            seen = json_object(nfcprog("read", "--json", "--reader", tag))
            record = seen["records"][0]
            expect(text[12:] in bytes.fromhex(record["payload"]).decode(errors="replace"), f"{words}: {record}")
    for given, text in (("Valve {{code}}", "Valve {code}"), ('{"a":{"b":1}}', '{"a":{"b":1}}'), ("a { b }", "a { b }")):
        nfcprog("write", "--text", given, "--reader", tag)
        expect_equal(json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["text"], text, given)


@check("a file that is no message is named for what it is by write --ndef and clone --from")
def other_files(folder):
    link = b"\xd1\x01\x0dU\x04example.com/"
    cases = {
        "tlv": (bytes([3, len(link)]) + link + b"\xfe", "TLVs"), "nlen": (bytes([0, len(link)]) + link, "Type 4"),
        "hex": (link.hex().encode(), "hexadecimal"), "empty": (b"", "empty"),
        "utf16": ("Filetype: Flipper NFC device\n".encode("utf-16"), "UTF-16"),
    }
    for name, (content, word) in cases.items():
        path = folder / name
        path.write_bytes(content)
        for words in (["write", "--ndef", path], ["clone", "--from", path, "--count", "1"]):
            outcome = nfcprog(*words, "--reader", "sim:ntag213", status=65)
            expect(word in outcome.errors, f"{words}\n{outcome}")
    outcome = nfcprog("restore", folder / "utf16", "--reader", "sim:ntag213", status=65)
    expect("UTF-16" in outcome.errors, str(outcome))


@check("a host outside ASCII in a column becomes punycode, and no column divides a host")
def column(folder):
    for host, status in (("bücher.example", 0), ("evil.example/x", 65), ("a!b.example", 65), ("a b.example", 65)):
        table = folder / "hosts.csv"
        table.write_text(f"host\n{host}\n")
        nfcprog("provision", table, "--template", "https://{host}/t", "--dry-run", status=status)


@check("what is altered stands on the tag as it was said")
def on_the_tag(folder):
    tag = folder / "my.tag"
    seen = json_object(nfcprog(
        "write-url", "https://bücher.example/a b", "--json", "--reader", f"sim:ntag213,file={tag}"))
    expect_equal(seen["records"][0]["uri"], "https://xn--bcher-kva.example/a%20b", "record")
    expect(b"xn--bcher-kva.example/a%20b" in memory(tag), "the tag's bytes")


@check("bytes that are no UTF-8 are refused by every command: 65")
def not_utf8(folder):
    bad = "https://example.com/\udcff"
    for words in (["write-url", bad, "--reader", "sim:ntag213"], ["write", "--uri", bad, "--reader", "sim:ntag213"],
                  ["format-classic", "--url", bad, "--reader", "sim:classic1k"],
                  ["check-link", bad], ["provision", "--range", "1..2", "--template", bad + "/{code}", "--dry-run"]):
        outcome = nfcprog(*words, status=65)
        expect("UTF-8" in outcome.errors + outcome.output, str(outcome))
    table = folder / "jobs.csv"
    table.write_bytes(b"url\nhttps://example.com/\xff\n")
    nfcprog("provision", table, "--dry-run", status=65)


@check("clone refuses a source whose link is no address: 65")
def cloned(folder):
    message = folder / "bad.ndef"
    text = b"\x04a!b.example/t"
    message.write_bytes(bytes([0xD1, 1, len(text), 0x55]) + text)
    outcome = nfcprog("clone", "--from", message, "--reader", "sim:ntag213", "--count", "1", status=65)
    expect("host name cannot hold" in outcome.errors, str(outcome))
