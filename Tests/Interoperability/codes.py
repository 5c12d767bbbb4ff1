"""{random:N} and {hmac:FILE:N}: what stands on tags, held to Python's own hmac; the server's recipe of Docs is run as it stands."""

import hashlib
import hmac
import json
import re
import sqlite3
from pathlib import Path

from postgres import Database
from pool_benches import start as start_bench
from pool_benches import variables
from series import link
from support import LIMIT, check, expect, expect_equal, json_object, nfcprog

DOCS = Path(__file__).resolve().parents[2] / "Docs"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def code(key, message, count):
    bits = "".join(f"{byte:08b}" for byte in hmac.new(key, message, hashlib.sha256).digest())
    return "".join(ALPHABET[int(bits[at : at + 5], 2)] for at in range(0, 5 * count, 5))


def key_file(folder, name="shop.hmac", byte=7):
    path = folder / name
    path.write_text(bytes([byte] * 32).hex() + "\n")
    path.chmod(0o600)
    return path, bytes([byte] * 32)


def on_tags(folder):
    return {path.stem: link(path) for path in (folder / "tags").glob("*.tag") if link(path)}


@check("{hmac…} on tags is what Python makes of the UID and of the code, verify-hmac agrees, and nothing else holds")
def authentic(folder):
    path, key = key_file(folder)
    table = folder / "jobs.csv"
    names = {"A7F3": "a b/c", "B812": "é"}
    table.write_text("code,serial\n" + "".join(f"{name},{serial}\n" for name, serial in names.items()))
    words = ["--reader", f"sim:ntag213*2,save={folder / 'tags'}", "--journal", folder / "journal"]
    template = f"https://example.com/{{code}}?u={{hmac:{path}:20}}&c={{hmac.serial:{path}:12}}"
    done = nfcprog("provision", table, "--template", template, *words)
    expect("copied UID" in done.errors, str(done))
    for uid, address in on_tags(folder).items():
        name, over_uid, over_serial = re.fullmatch(r"https://example\.com/(\w+)\?u=(\w+)&c=(\w+)", address).groups()
        expect_equal(over_uid, code(key, bytes.fromhex(uid), 20), "over the UID")
        expect_equal(over_serial, code(key, names[name].encode(), 12), "over the serial")
        found = json_object(nfcprog("verify-hmac", address, "--key", path, "--uid", uid, "--json"))
        expect_equal((found["result"], found["uid"], found["code"]), ("holds", uid, over_uid), str(found))
        nfcprog("verify-hmac", address, "--key", path, status=77)
        nfcprog("verify-hmac", address, "--key", path, "--uid", "04" * 7, status=77)
        nfcprog("verify-hmac", address, "--key", key_file(folder, "other.hmac", 8)[0], "--uid", uid, status=77)
    nfcprog("journal", "verify", folder / "journal")
    nfcprog("verify-hmac", "https://example.com/A7F3", "--key", path, status=65)
    stored = (folder / "journal").read_bytes()
    expect(key.hex().encode() not in stored and key not in stored, "the key in the journal")
    path.chmod(0o644)
    refused = nfcprog("provision", table, "--template", template, "--dry-run", status=65)
    expect("chmod 600" in refused.errors and key.hex() not in refused.errors, str(refused))


@check("the recipe of Docs for a server's {hmac…} holds what verify-hmac holds, as it stands there")
def recipe(folder):
    path, key = key_file(folder)
    text = (DOCS / "Provisioning.md").read_text()
    source = re.search(r"    import hashlib, hmac\n(?:    .*\n|\n)*", text)[0]
    names = {}
    exec("\n".join(line[4:] for line in source.splitlines()), names)
    for message in (b"A7F3", bytes.fromhex("04a1b2c3d4e580")):
        for count in (8, 26, 51):
            expect_equal(names["code"](key, message, count), code(key, message, count), f"{message}, {count}")
    made = code(key, b"A7F3", 16)
    expect(names["holds"](key, b"A7F3", made.lower()) and not names["holds"](key, b"A7F4", made), "holds")
    nfcprog("verify-hmac", f"https://example.com/A7F3/{made.lower()}", "--key", path)


@check("{random:N}: two benches of a pool write no code twice, each tag has the one that the database keeps, and --rewrite writes it again")
def drawn(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", environment=variables(folder, 0))
        words = ["--range", "0001..0040", "--template", "https://example.com/{code}/{random:10}", "--journal", database.address("A"), "--timeout", "10"]
        benches = [
            start_bench(folder, bench, [*words, "--reader", f"sim:ntag213*60,bad=5%,pull=7,stay=2s,seed={bench},pace=real,save={folder / 'tags'}"])
            for bench in range(2)]
        outputs = [bench.communicate(timeout=LIMIT)[0] for bench in benches]
        expect_equal([bench.returncode for bench in benches], [0, 0], "\n".join(outputs))
        held = on_tags(folder)
        codes = [address.rsplit("/", 1)[1] for address in held.values()]
        expect_equal((len(codes), len(set(codes))), (40, 40), "codes")
        expect(all(len(one) == 10 and set(one) <= set(ALPHABET) for one in codes), str(codes))
        rows = database.sql("SELECT encode(uid, 'hex') || ' ' || uri || ' ' || split_part(day, ' ', 2) FROM nfcprog.job WHERE state = 'written'")
        for uid, uri, kept in (row.split() for row in rows.splitlines()):
            expect_equal((held[uid], uri.rsplit("/", 1)[1]), (uri, kept), uid)
    # The same job once more, from what the journal keeps.
    words = ["--range", "1..2", "--template", "https://example.com/{code}/{random:16}", "--journal", folder / "journal"]
    tag = folder / "tag"
    reader = ["--reader", f"sim:ntag213,file={tag}"]
    planned = nfcprog("provision", *words, "--count", "1", *reader, "--dry-run")
    expect("write" in planned.output, str(planned))
    nfcprog("provision", *words, "--count", "1", *reader)
    first = link(tag)
    nfcprog("erase", *reader)
    nfcprog("provision", *words, "--count", "1", "--rewrite", "--timeout", "1", *reader)
    expect_equal(link(tag), first, "written again")
    nfcprog("journal", "verify", folder / "journal")
    with sqlite3.connect(folder / "journal") as journal:
        kept = json.dumps(journal.execute("SELECT day FROM job WHERE state = 'written'").fetchall())
    expect(first.rsplit("/", 1)[1] in kept, kept)
