"""The examples on top of each command's help are command lines that run."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from series import key_pair
from support import LIMIT, binary, check, expect, json_object, nfcprog

DOCS = Path(__file__).resolve().parents[2] / "Docs"
LINK = "https://example.com/t/1"
PROOF = "https://example.com/t?e={picc}&c={mac}"
KEYS = "scheme = an10922\nmaster = 000102030405060708090a0b0c0d0e0f\nname = shop\n"
# A reading of AN12196, 4.4.2, under keys of zeros.
READING = "https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
ZEROS = "scheme = fixed\n" + "".join(f"key{n} = {'00' * 16}\n" for n in range(5))

# What lies on the reader; elsewhere a delivered NTAG213.
READERS = {
    "apdu": "sim:type4,file=written.type4", "audit": "sim:ntag213,file=job.tag", "bring-up": "sim:ntag213,then=classic1k",
    "check-link": "sim:ntag213,file=written.tag", "collect --csv": "sim:ntag213*3", "collect --expect": "sim:ntag213,uid=04E10CDA993C80",
    "clone": "sim:ntag213,file=written.tag,then=ntag213*50",
    "dump card.mct": "sim:classic1k", "diff tag.bin": "sim:ntag213,file=written.tag", "format-classic": "sim:classic1k", "format-felica": "sim:felica-lite-s",
    "format-type4": "sim:desfire-ev2", "lock": "sim:ntag213,file=written.tag", "phone": "sim:ntag213,file=written.tag",
    "provision jobs.csv": "sim:ntag213*3", "provision --range": "sim:ntag213*100",
    "rewrite --undo": "sim:ntag213,file=moved.tag", "rewrite": "sim:ntag213,file=old.tag",
    "read": "sim:ntag213,file=written.tag", "reset-classic": "sim:classic1k,file=card.tag", "reset-sdm": "sim:ntag424,file=proof.tag",
    "restore": "sim:ntag213,file=written.tag", "unprotect": "sim:ntag213,file=protected.tag", "write-blocks": "sim:classic1k",
}
# Those that end when a person ends them.
ENDLESS = ("nfcprog simulate", "nfcprog emulate", "nfcprog serve")


def prepare(folder):
    """The files that examples name, and the tags that they find."""
    (folder / "jobs.csv").write_text("url\n" + "".join(f"https://example.com/t/{n}\n" for n in (1, 2, 3)))
    (folder / "delivery.csv").write_text("uid\n04E10CDA993C80\n")
    (folder / "link.txt").write_text(LINK)
    (folder / "card.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane\nFN:Jane Doe\nEND:VCARD\n")
    keys = folder / "shop.keys"
    keys.write_text(KEYS)
    keys.chmod(0o600)
    secret = folder / "shop.hmac"
    secret.write_text(bytes(range(32)).hex())
    secret.chmod(0o600)
    tag = lambda name: ("--reader", f"sim:ntag213,file={folder / name}")
    nfcprog("write-url", LINK, *tag("written.tag"))
    for name in ("session.trace", "other.trace"):
        nfcprog("write-url", LINK, "--trace", folder / name, "--reader", "sim:ntag213")
    nfcprog("dump", folder / "tag.bin", *tag("written.tag"))
    for name in ("before.nfc", "after.nfc"):
        nfcprog("dump", folder / name, *tag("written.tag"))
    nfcprog("read", "--raw", folder / "message.ndef", *tag("written.tag"))
    nfcprog("write-url", LINK, "--set-password", "A1B2C3D4", *tag("protected.tag"))
    nfcprog("write-url", LINK, "--reader", f"sim:type4,file={folder / 'written.type4'}")
    nfcprog("format-classic", "--reader", f"sim:classic1k,file={folder / 'card.tag'}")
    nfcprog("write-url", PROOF, "--sdm", "--keys", keys, "--reader", f"sim:ntag424,file={folder / 'proof.tag'}")
    site = nfcprog("make-aasa", "--app-id", "Q7K2M9P4ZX.com.example.app", "--path", "/t/*").output
    (folder / "aasa").write_text(site)
    nfcprog("provision", folder / "jobs.csv", "--journal", folder / "jobs.sqlite", "--count", "1", "--reader", f"sim:ntag213,file={folder / 'job.tag'}")
    for name in ("old.tag", "moved.tag,uid=04E10CDA993C81"):
        nfcprog("write-url", "https://old.example/t/1", *tag(name))
    nfcprog("rewrite", "--from", "old.example", "--to", "https://new.org{rest}", "--journal", folder / "j1",
             "--count", "1", *tag("moved.tag"))
    (folder / "changes.csv").write_text("from,to\nhttps://old.example/t/{id},https://new.example/{id}\n")
    key_pair(folder / "series.pem", folder / "series.pub")
    uid = json_object(nfcprog("info", "--json", *tag("job.tag")))["uid"]
    proof = nfcprog("journal", "prove", uid, "--journal", folder / "jobs.sqlite", "--key", folder / "series.pem")
    (folder / "proof.json").write_text(proof.output)


def commands(help_text):
    """The command lines of an overview."""
    return re.findall(r"^  (nfcprog .*?)(?:  +#.*)?$", help_text.split("\nUSAGE:")[0], re.M)


def names():
    """All commands, and nfcprog itself."""
    return re.findall(r"^  ([a-z][a-z-]+)  ", nfcprog("--help").output.split("\nOPTIONS:")[1], re.M)


# Without a reader at this machine.
READERLESS = {"nfcprog readers --check": 69}
# Those that save something, as their last word.
SAVING = ("nfcprog dump", "nfcprog read --raw")


def follow(line, prepared, folder, number):
    """Runs a line on files and tags of its own; what differs, if anything."""
    own = folder / str(number)
    shutil.copytree(prepared, own)
    if line.startswith("nfcprog verify-sun"):
        (own / "shop.keys").write_text(ZEROS)
    if line.startswith(SAVING):
        (own / line.split()[-1]).unlink(missing_ok=True)
    reader = next((reader for words, reader in READERS.items() if line.startswith(f"nfcprog {words}")), "sim:ntag213")
    environment = dict(
        os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], NFCPROG_READER=reader, URL=READING, SHA256=":".join(["5A"] * 32),
        XDG_STATE_HOME=str(own / "state"))
    if line.startswith(ENDLESS):
        line = f"timeout -s INT 2 {line} || [ $? = 124 ] || [ $? = 130 ]"
    ended = subprocess.run(["bash", "-c", line], cwd=own, env=environment, capture_output=True, timeout=LIMIT)
    if ended.returncode != READERLESS.get(line, 0):
        return f"$ {line}\n{ended.returncode}: {ended.stdout.decode()}{ended.stderr.decode()}"


@check("every command's help begins with examples, and each of them runs", long=True)
def run(folder):
    known = names()
    expect(len(known) > 30, f"{known}")
    shown = {name: commands(nfcprog(name, "--help").output) for name in known}
    none = [name for name, lines in shown.items() if not lines]
    expect(not none, f"without an example: {none}")
    prepared = folder / "prepared"
    prepared.mkdir()
    prepare(prepared)
    (folder / "bin").mkdir()
    (folder / "bin" / "nfcprog").symlink_to(binary())
    lines = [line for lines in [commands(nfcprog("--help").output), *shown.values()] for line in lines]

    # Some wait half a minute for a person.
    with ThreadPoolExecutor(4) as pool:
        failures = [text for text in pool.map(lambda number: follow(lines[number], prepared, folder, number), range(len(lines))) if text]
    expect(not failures, "\n".join(failures))


@check("Docs/Commands.md is what the program's help says")
def page(folder):
    made = subprocess.run([DOCS / "commands", binary()], capture_output=True, text=True, timeout=LIMIT)
    expect(made.stdout == (DOCS / "Commands.md").read_text(), f"Docs/commands makes another page: {made.stderr}")
