"""Proofs of one tag, checked by a program of its own: seals, the tree of RFC 6962 and Ed25519."""

import hashlib
import json
import sqlite3

from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa

from series import jobs, key_pair
from support import Difference, check, expect, expect_equal, json_object, nfcprog

ORDER = ["id", "session", "kind", "job", "uid", "tag", "station", "reader", "cause", "text", "steps", "startedAt", "duration",
         "digest", "length", "link", "madeFor", "locked", "protected", "setsAside", "echo", "claim"]


def seal(event, before):
    data = bytes.fromhex(before)
    for name in ORDER:
        value = event.get(name)
        if value is None:
            data += b"\0"
            continue
        if name in ("uid", "digest"):
            value = bytes.fromhex(value)
        elif isinstance(value, str):
            value = value.encode()
        else:
            value = int(value).to_bytes(8, "big", signed=True)
        data += b"\1" + len(value).to_bytes(8, "big") + value
    return hashlib.sha256(data).digest()


def root(leaf, place, count, path):
    """RFC 9162, 2.1.3.2: the same tree, and another way to its root than the program's."""
    number, last, value = place, count - 1, leaf
    for other in path:
        if last == 0:
            raise Difference("the path is too long")
        if number % 2 or number == last:
            value = hashlib.sha256(b"\1" + other + value).digest()
            while number % 2 == 0 and number:
                number, last = number >> 1, last >> 1
        else:
            value = hashlib.sha256(b"\1" + value + other).digest()
        number, last = number >> 1, last >> 1
    expect_equal(last, 0, "the path is too short")
    return value


def judge(proof, public):
    head = proof["head"]
    signed = "".join(
        line + "\n" for line in [
            "nfcprog series head 1", f"series {head['series']}", f"events {head['events']}", f"last {head['last']}",
            f"seal {head['seal']}", f"root {head['root']}"])
    eddsa.new(ECC.import_key(public.read_text()), "rfc8032").verify(signed.encode(), bytes.fromhex(proof["signature"]))
    for link in proof["links"]:
        leaf = hashlib.sha256(b"\0" + seal(link["event"], link["before"])).digest()
        found = root(leaf, link["place"], head["events"], [bytes.fromhex(text) for text in link["path"]])
        expect_equal(found.hex(), head["root"], f"event {link['event']['id']}")
    return hashlib.sha256(signed.encode()).hexdigest()


def series(folder, count):
    """A journal of `count` jobs, and a key pair; the UIDs of its tags."""
    nfcprog("provision", *jobs(count), "--journal", folder / "journal", "--reader", f"sim:ntag213*{count}")
    private, public = folder / "series.pem", folder / "series.pub"
    key_pair(private, public)
    with sqlite3.connect(folder / "journal") as journal:
        return private, public, [row[0] for row in journal.execute("SELECT hex(uid) FROM job ORDER BY number")]


def prove(folder, uid, private):
    outcome = nfcprog("journal", "prove", uid, "--journal", folder / "journal", "--key", private)
    path = folder / f"{uid}.json"
    path.write_text(outcome.output)
    return path, json.loads(outcome.output)


@check("a proof of each tag of a series is one to a program of its own, whatever the number of events")
def proofs(folder):
    for count in 1, 2, 3, 7:
        place = folder / str(count)
        place.mkdir()
        private, public, tags = series(place, count)
        for uid in tags:
            path, proof = prove(place, uid, private)
            digest = judge(proof, public)
            seen = json_object(nfcprog("verify-proof", path, "--key", public, "--journal", place / "journal", "--json"))
            expect_equal((seen["proved"], seen["head"]), (True, digest), str(seen))
            expect_equal([event["kind"] for event in seen["events"]], ["reserved", "written"], str(seen))
            page = place / "report.html"
            report = nfcprog("report", "--journal", place / "journal", "--json", "--html", page, "--force").output
            expect_equal(json.loads(report.splitlines()[0])["head"], {"events": 2 * count, "sha256": digest}, "report")
            expect(f'events {2 * count} head {digest}"' in page.read_text(), "the QR code's text")


@check("a proof of which anything was changed is none, and each change is named")
def changed_proofs(folder):
    private, public, tags = series(folder, 5)
    path, proof = prove(folder, tags[2], private)

    def refused(change, word):
        other = json.loads(json.dumps(proof))
        change(other)
        path.write_text(json.dumps(other))
        outcome = nfcprog("verify-proof", path, "--key", public, status=77)
        expect(word in outcome.errors, f"{word}: {outcome}")

    def set_event(name, value):
        def change(other):
            other["links"][1]["event"][name] = value
        return change

    event = proof["links"][1]["event"]
    for name in ORDER:
        value = event.get(name)
        if name == "uid":
            refused(set_event(name, "04" * 7), "another tag")
        elif name == "digest":
            refused(set_event(name, "00" * 32), f"Event {event['id']} was changed")
        elif isinstance(value, bool) or name in ("locked", "protected", "setsAside", "echo"):
            refused(set_event(name, not value), "was changed")
        elif isinstance(value, int) or name in ("job", "length", "claim"):
            refused(set_event(name, (value or 0) + 1), "was changed")
        else:
            refused(set_event(name, (value or "") + "x"), "was changed")
    refused(lambda other: other["head"].update(events=other["head"]["events"] + 1), "signature")
    refused(lambda other: other["head"].update(root="00" * 32), "signature")
    refused(lambda other: other.update(signature="00" * 64), "signature")
    refused(lambda other: other["links"].reverse(), "out of order")
    refused(lambda other: other.update(links=[]), "no event")
    refused(lambda other: other["links"][0].update(place=10**18), "was changed")
    refused(lambda other: other["links"][0].update(place=-1), "was changed")
    refused(lambda other: other["links"][0]["path"].pop(), "was changed")
    refused(lambda other: other["links"][0]["path"].append("00" * 32), "was changed")
    refused(lambda other: other["links"][0].update(before=other["links"][0]["before"] + "00"), "no seal before")
    part = dict(proof, links=proof["links"][:1])
    path.write_text(json.dumps(part))
    nfcprog("verify-proof", path, "--key", public)
    outcome = nfcprog("verify-proof", path, "--key", public, "--journal", folder / "journal", status=77)
    expect("left out" in outcome.errors, str(outcome))
    path.write_text(json.dumps(proof))
    other = folder / "other"
    other.mkdir()
    _, stranger, _ = series(other, 1)
    expect("another key" in nfcprog("verify-proof", path, "--key", stranger, status=77).errors, "another key")
    nfcprog("verify-proof", path, "--key", public, "--journal", other / "journal", status=77)
    for text in "", "{}", "[1]", json.dumps(proof)[:-9], json.dumps(dict(proof, uid="zz")):
        path.write_text(text)
        nfcprog("verify-proof", path, "--key", public, status=65)
    nfcprog("verify-proof", path, "--key", path, status=65)
    nfcprog("journal", "prove", tags[0], "--journal", folder / "journal", "--key", public, status=65)
    nfcprog("journal", "prove", "04AABB", "--journal", folder / "journal", "--key", private, status=64)
    nfcprog("journal", "prove", "04AABBCCDDEEFF", "--journal", folder / "journal", "--key", private, status=77)
    private.chmod(0o644)
    nfcprog("journal", "prove", tags[0], "--journal", folder / "journal", "--key", private, status=65)


@check("a journal that was edited, sealed anew, cut, rolled back or forked after a proof is named by it; one that went on is not")
def journals_after_proofs(folder):
    private, public, tags = series(folder, 6)
    journal = folder / "journal"
    early = folder / "early"
    with sqlite3.connect(journal) as source, sqlite3.connect(early) as copy:
        source.backup(copy)
    words = ["provision", *jobs(6), "--journal", journal, "--rewrite", "--count", "3", "--reader", "sim:ntag213*3"]
    nfcprog(*words)
    path, proof = prove(folder, tags[0], private)

    def after(sql, word, source=journal):
        changed = folder / "changed"
        changed.unlink(missing_ok=True)
        with sqlite3.connect(source) as before, sqlite3.connect(changed) as copy:
            before.backup(copy)
        with sqlite3.connect(changed) as database:
            for trigger, in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            database.executescript("PRAGMA foreign_keys = OFF;" + sql)
        outcome = nfcprog("verify-proof", path, "--key", public, "--journal", changed, status=77)
        expect(word in outcome.errors, f"{word}: {outcome}")

    first, last = proof["links"][0]["event"]["id"], proof["head"]["last"]
    after(f"UPDATE event SET station = 'x' WHERE id = {first}", f"Event {first} ")
    after(f"UPDATE event SET station = 'x' WHERE id = {last}", f"Event {last} ")
    after(f"UPDATE event SET id = 999 WHERE id = {first + 1}", f"Event {first + 2} ")
    after(f"DELETE FROM event WHERE id = {last}", "rolled back")
    after("", "rolled back", source=early)
    # Another machine goes on with the old copy.
    nfcprog("provision", *jobs(6), "--journal", early, "--rewrite", "--count", "4", "--reader", "sim:ntag213*4",
        environment={"XDG_STATE_HOME": str(folder / "elsewhere")})
    after("", "not those that were signed", source=early)
    nfcprog(*words)
    nfcprog("verify-proof", path, "--key", public, "--journal", journal)
    expect(judge(prove(folder, tags[0], private)[1], public) != judge(proof, public), "the head is the same")
