#!/usr/bin/env python3
"""NTAG 424 DNA: keys and messages that prove a tag, held to an implementation on pycryptodome; verify-sun; secrets kept.

usage: proofs.py --binary NFCPROG [WORD...]   (or with all others, by `run`)
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import Simulation, binary, check, expect, expect_equal, json_object, nfcprog, program

HELPER = Path(__file__).with_name("ntag424_peer.py")
UID = "04de5f1eacc040"
MASTER = "000102030405060708090a0b0c0d0e0f"
TEMPLATE = "https://example.com/t?e={picc}&d={enc:lot-7}&c={mac}"


def key_file(folder, text, name="keys.txt"):
    path = folder / name
    path.write_text(text)
    path.chmod(0o600)
    return path


def fixed(folder):
    keys = [bytes([0x11 * (n + 1)] * 16).hex() for n in range(5)]
    return keys, key_file(folder, "scheme = fixed\n" + "".join(f"key{n} = {key}\n" for n, key in enumerate(keys)))


def short(mac):
    return mac[1::2]


def proof(message, keys):
    """UID, counter and file data of a reading, with pycryptodome; fails where it proves nothing."""
    from Crypto.Cipher import AES
    from Crypto.Hash import CMAC

    text = message[5:].decode()
    values = dict(pair.split("=") for pair in text.split("?")[1].split("&"))
    plain = AES.new(keys[1], AES.MODE_CBC, bytes(16)).decrypt(bytes.fromhex(values["e"]))
    expect_equal(plain[0], 0xC7, "tag byte")
    named = plain[1:11]

    def session(label):
        return CMAC.new(keys[2], bytes.fromhex(label) + bytes.fromhex("00010080") + named, ciphermod=AES).digest()

    start = AES.new(session("C33C"), AES.MODE_ECB).encrypt(plain[8:11] + bytes(13))
    data = AES.new(session("C33C"), AES.MODE_CBC, start).decrypt(bytes.fromhex(values["d"]))
    covered = text[text.index("d=") + 2:text.index("&c=") + 3].encode()
    code = short(CMAC.new(session("3CC3"), covered, ciphermod=AES).digest())
    expect_equal(values["c"].lower(), code.hex(), "code")
    return plain[1:8].hex(), int.from_bytes(plain[8:11], "little"), data


@check("keys and message of an NTAG 424 DNA hold against an implementation of its own, which our tag lets in, too")
def peer(folder):
    keys, path = fixed(folder)
    tag = f"ntag424,uid={UID},file={folder / 'tag.txt'}"
    seen = json_object(nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--json", "--reader", f"sim:{tag}"))
    expect_equal((seen["result"], seen["verified"]), ("written", True), "JSON")
    with Simulation(tag) as board:
        outcome = program(sys.executable, HELPER, board.port, ",".join(keys), UID)
        expect(outcome.status == 0, str(outcome))
    counter, message = outcome.output.split()
    uid, count, data = proof(bytes.fromhex(message), [bytes.fromhex(key) for key in keys])
    expect_equal((uid, count, data), (UID, int(counter) + 1, b"lot-7~~~~~~~~~~~"), "proof")
    again = json_object(nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--json", "--reader", f"sim:{tag}"))
    expect_equal((again["result"], again["operations"]["writes"]), ("unchanged", 0), "second run")


def lrp_proof(message, keys):
    """The same of a tag in LRP mode: UID, counter and file data, with the implementation of the helper."""
    from ntag424_peer import LRP

    text = message[5:].decode()
    values = dict(pair.split("=") for pair in text.split("?")[1].split("&"))
    picc = bytes.fromhex(values["e"])
    expect_equal(len(picc), 24, "bytes of UID and counter")
    plain = LRP(keys[1]).crypt(picc[8:], picc[:8], True)
    expect_equal(plain[0], 0xC7, "tag byte")
    master = LRP(keys[2]).cmac(bytes.fromhex("00010080") + plain[1:11] + bytes.fromhex("1EE1"))
    data = LRP(master, 1).crypt(bytes.fromhex(values["d"]), plain[8:11] + bytes(3), True)
    covered = text[text.index("d=") + 2:text.index("&c=") + 3].encode()
    expect_equal(values["c"].lower(), short(LRP(master).cmac(covered)).hex(), "code")
    return plain[1:8].hex(), int.from_bytes(plain[8:11], "little"), data


@check("LRP: keys, message and the loop of a TagTamper hold against an implementation of its own, which our tag lets in")
def leakage_resilient(folder):
    keys, path = fixed(folder)
    tag = f"ntag424tt,uid={UID},file={folder / 'tag.txt'}"
    template = TEMPLATE.replace("lot-7", "lot-{tt}")
    words = ["write-url", template, "--sdm", "--keys", path, "--json", "--reader", f"sim:{tag}"]
    nfcprog(*words, "--lrp", status=65)
    seen = json_object(nfcprog(*words, "--lrp", "--watch-loop"))
    expect_equal((seen["result"], seen["verified"]), ("written", True), "JSON")
    with Simulation(tag) as board:
        outcome = program(sys.executable, HELPER, board.port, ",".join(keys), UID, "lrp")
        expect(outcome.status == 0, str(outcome))
    counter, message = outcome.output.split()
    uid, count, data = lrp_proof(bytes.fromhex(message), [bytes.fromhex(key) for key in keys])
    expect_equal((uid, count, data), (UID, int(counter) + 1, b"lot-CC~~~~~~~~~~"), "proof")
    url = json_object(nfcprog("read", "--json", "--reader", f"sim:{tag},loop=open"))["records"][0]["uri"]
    seen = json_object(nfcprog("verify-sun", url, "--keys", path, "--template", template, "--json"))
    expect_equal((seen["uid"], seen["lrp"], seen["tamper"]), (UID, True, {"ever": "open", "now": "open"}), "verify-sun")
    refused = nfcprog(*words, status=77)
    expect("--lrp" in refused.errors, refused.errors)


@check("every frame that nfcprog sends to give a tag its keys, and takes them back, holds against that implementation, by AES and by LRP")
def frames(folder):
    from ntag424_judge import Judge, Relay

    keys, path = fixed(folder)
    own, delivered = [bytes.fromhex(key) for key in keys], [bytes(16)] * 5
    template = TEMPLATE.replace("lot-7", "lot-{tt}")
    for name, options in (("aes", ["--watch-loop"]), ("lrp", ["--watch-loop", "--lrp"])):
        tag = f"ntag424tt,uid={UID},file={folder / name}"
        words = ["write-url", template, "--sdm", "--keys", path, *options]
        for words, held, wanted in ((words, delivered, own), (["reset-sdm", "--keys", path], own, delivered)):
            with Simulation(tag) as board, Relay(board.port) as relay:
                nfcprog(*words, "--baud", "115200", "--reader", f"pn532_uart:{relay.path}")
            judge = Judge(wanted, held)
            for command, answer in relay.exchanges:
                expect(answer is not None, "an exchange failed")
                judge.hear(command, answer)
            expect_equal((judge.keys, judge.changed), (wanted, [4, 3, 2, 1, 0]), f"{name}: keys in this order")
            expect(judge.authentications >= 6 and 0x5F in judge.commands, f"{name}: {judge.commands}")


@check("verify-sun takes what a tag shows once, and no replay, no other tag's and no made-up URL")
def verify(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\nname = test\n")
    tag = f"sim:ntag424,uid={UID},file={folder / 'tag.txt'}"
    nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", tag)
    url = json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]
    counters = folder / "counters.txt"
    arguments = ["--keys", path, "--counters", counters, "--json"]
    for template in ([], ["--template", TEMPLATE]):
        seen = json_object(nfcprog("verify-sun", url, *arguments[:2], "--json", *template))
        expect_equal((seen["result"], seen["uid"], seen["data"]), ("genuine", UID, "lot-7"), "proof")
    for more in ([], ["--json"]):
        words = " ".join(f"'{word}'" for word in [binary(), "verify-sun", url, *arguments[:4], *more])
        expect_equal(program("bash", "-c", f"{words} >/dev/full").status, 73, "a verdict that nobody gets")
    first = json_object(nfcprog("verify-sun", url, *arguments))
    nfcprog("verify-sun", url, *arguments, status=77)
    later = json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]
    expect(json_object(nfcprog("verify-sun", later, *arguments))["counter"] > first["counter"], "counter")
    nfcprog("verify-sun", url, *arguments, status=77)
    nfcprog("verify-sun", later[:-1] + ("0" if later[-1] != "0" else "1"), *arguments[:2], status=77)
    nfcprog("verify-sun", "https://example.com/t", *arguments[:2], status=65)
    other = key_file(folder, f"scheme = an10922\nmaster = {'11' * 16}\n", "other.txt")
    nfcprog("verify-sun", later, "--keys", other, status=77)


@check("a tag is given back as delivered with its keys, and not without")
def reset(folder):
    path = key_file(folder, f"scheme = sdm-backend\nmaster = {MASTER}\n")
    wrong = key_file(folder, f"scheme = sdm-backend\nmaster = {'22' * 16}\n", "wrong.txt")
    tag = f"sim:ntag424,uid={UID},file={folder / 'tag.txt'}"
    nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", tag)
    nfcprog("reset-sdm", "--keys", wrong, "--reader", tag, status=77)
    expect_equal(json_object(nfcprog("reset-sdm", "--keys", path, "--json", "--reader", tag))["result"], "written", "reset")
    plain = nfcprog("write-url", "https://example.com/plain", "--json", "--reader", tag)
    expect_equal(json_object(plain)["result"], "written", "plain URL")


@check("a file with keys that others may read is refused, and no key stands in any output, trace or plan")
def secrets(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    tag = f"sim:ntag424,uid={UID},file={folder / 'tag.txt'}"
    path.chmod(0o644)
    refused = nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", tag, status=65)
    expect("chmod 600" in refused.errors, refused.errors)
    path.chmod(0o600)
    path.write_text(f"scheme = an10922\nmaster = {MASTER[:-2]}\n")
    refused = nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", tag, status=65)
    expect("line 2" in refused.errors and MASTER[:10] not in refused.errors, refused.errors)
    path.write_text(f"scheme = an10922\nmaster = {MASTER}\n")
    trace = folder / "trace.jsonl"
    texts = []
    for words in (["--dry-run"], ["--verbose"], ["--verbose"]):
        outcome = nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--json", "--trace", trace, *words, "--reader", tag)
        texts += [outcome.output, outcome.errors, trace.read_text()]
    # The tag's file holds its keys: none of them stands anywhere else.
    rows = [line.split(":", 1)[1].replace(" ", "").lower() for line in (folder / "tag.txt").read_text().splitlines()
            if line.startswith("Block ")]
    memory = bytes.fromhex("".join(rows))
    keys = [memory[512 + 17 * n:528 + 17 * n] for n in range(5)]
    expect(all(any(key) for key in keys), "a key is zeros")
    for key in [*keys, bytes.fromhex(MASTER)]:
        for text in texts:
            expect(key.hex() not in text.lower().replace(" ", ""), "a key is told")


@check("provision gives every tag its own proof, the journal and the label no key, and audit knows the tags again")
def series(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    journal, tags = folder / "run.journal", folder / "tags"
    template = "https://example.com/{code}?e={picc}&c={mac}"
    nfcprog("provision", "--range", "1..3", "--template", template, "--sdm", "--keys", path, "--journal", journal,
            "--reader", f"sim:ntag424*3,save={tags}", "--json")
    files = sorted(tags.iterdir())
    expect_equal(len(files), 3, "tags")
    seen = set()
    for file in files:
        tag = f"sim:ntag424,uid={file.stem.split('-')[-1]},file={file}"
        url = json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]
        answer = json_object(nfcprog("verify-sun", url, "--keys", path, "--template", template, "--json"))
        seen.add((answer["uid"], url.split("?")[0]))
        nfcprog("audit", "--journal", journal, "--reader", tag)
    expect_equal(len(seen), 3, "different tags and addresses")
    exported = folder / "server.txt"
    again = ["provision", "--range", "1..3", "--template", template, "--sdm", "--keys", path, "--journal", journal,
             "--reader", "sim:ntag424", "--timeout", "0", "--export-keys", exported]
    nfcprog(*again)
    text = exported.read_text()
    expect_equal(exported.stat().st_mode & 0o777, 0o600, "mode")
    expect(all(uid in text for uid, _ in seen) and MASTER not in text, text)
    nfcprog(*again, "--export-master-id")
    expect("master-id" in exported.read_text() and "key " not in exported.read_text(), exported.read_text())
    content = b"".join(p.read_bytes() for p in folder.iterdir() if p.name.startswith("run.journal"))
    expect(bytes.fromhex(MASTER) not in content and MASTER.encode() not in content, "the journal holds the master key")


def url_of(tag):
    return json_object(nfcprog("read", "--json", "--reader", tag))["records"][0]["uri"]


@check("keys from a list's columns: the exported file checks the tags, one reading is taken once, and a tag given back frees its job")
def listed_keys(folder):
    rows = [[bytes([0x10 * row + n + 1] * 16).hex() for n in range(5)] for row in range(3)]
    table, journal, tags = folder / "jobs.csv", folder / "run.journal", folder / "tags"
    table.write_text("code,k0,k1,k2,k3,k4\n" + "".join(f"c{n},{','.join(keys)}\n" for n, keys in enumerate(rows)))
    exported, template = folder / "server.txt", "https://example.com/{code}?e={picc}&c={mac}"
    words = ["provision", table, "--template", template, "--sdm", "--keys", "column:k", "--journal", journal]
    nfcprog(*words, "--export-keys", folder / "id.txt", "--export-master-id", "--reader", f"sim:ntag424*3,save={tags}", status=64)
    expect(not tags.exists() or not list(tags.iterdir()), "a tag was written")
    nfcprog(*words, "--export-keys", exported, "--reader", f"sim:ntag424*3,save={tags}")
    text = exported.read_text()
    expect(all(keys[2] in text and keys[1] in text for keys in rows), "keys 1 and 2 of all tags")
    expect(not any(keys[n] in text for keys in rows for n in (0, 3, 4)), "a key that no server needs")
    counters = folder / "seen.txt"
    for file in sorted(tags.iterdir()):
        reader = f"sim:ntag424,file={file}"
        url = url_of(reader)
        for more in ([], ["--template", template]):
            seen = json_object(nfcprog("verify-sun", url, "--keys", exported, "--json", *more))
            expect_equal((seen["result"], seen["uid"]), ("genuine", file.stem.split("-")[-1]), "proof")
        with ThreadPoolExecutor(6) as pool:
            taken = list(pool.map(lambda _: program(binary(), "verify-sun", url, "--keys", exported, "--counters", counters).status,
                                  range(6)))
        expect_equal(sorted(taken), [0] + [77] * 5, "takings of one reading")
    others = folder / "others.txt"
    others.write_text("\n".join(line for line in text.splitlines() if not line.startswith(seen["uid"])))
    others.chmod(0o600)
    nfcprog("verify-sun", url, "--keys", others, status=77)
    refused = nfcprog("write-url", "https://example.com/?e={picc}&c={mac}", "--sdm", "--keys", exported, "--reader", "sim:ntag424", status=65)
    expect("verify-sun" in refused.errors and rows[0][1] not in refused.errors, refused.errors)
    # Given back with the keys of its row, which stand in no journal.
    row = next(keys for keys in rows if keys[2] in text and f"{seen['uid']} = {keys[2]}" in text)
    own = key_file(folder, "scheme = fixed\n" + "".join(f"key{n} = {key}\n" for n, key in enumerate(row)), "row.txt")
    master = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    nfcprog("reset-sdm", "--keys", master, "--journal", journal, "--reader", reader, status=65)
    nfcprog("reset-sdm", "--keys", own, "--journal", journal, "--dry-run", "--reader", reader)
    expect_equal(json_object(nfcprog("journal", "verify", journal, "--json"))["written"], 3, "a dry run")
    for _ in range(2):
        nfcprog("reset-sdm", "--keys", own, "--journal", journal, "--reader", reader)
        seen = json_object(nfcprog("journal", "verify", journal, "--json"))
        expect_equal((seen["written"], seen["pending"], seen["scrap"], seen["consistent"]), (2, 1, 0, True), "after it was given back")
    nfcprog("audit", "--journal", journal, "--reader", reader, status=65)
    nfcprog(*words, "--reader", reader, "--timeout", "0")
    expect_equal(json_object(nfcprog("journal", "verify", journal, "--json"))["written"], 3, "put on it again")


@check("what was forgotten is said before the first tag is written, and a plain message is refused for the key")
def forgotten(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    template, tag = "https://example.com/t?e={picc}&c={mac}", f"sim:ntag424,file={folder / 'tag'}"
    refused = nfcprog("write-url", template, "--reader", tag, status=65)
    expect("--sdm --keys" in refused.errors, refused.errors)
    nfcprog("write-url", "https://example.com/t?e={pic}&c={mac}", "--sdm", "--keys", path, "--reader", tag, status=65)
    refused = nfcprog("write-url", "https://example.com/t?e={picc}", "--sdm", "--keys", path, "--reader", tag, status=65)
    expect("no {mac}" in refused.errors, refused.errors)
    refused = nfcprog("write-url", "https://example.com/t?u={mirror:uid}&c={mac}", "--sdm", "--keys", path,
                      "--reader", tag, status=65)
    expect("mirror" in refused.errors, refused.errors)
    tags = folder / "tags"
    nfcprog("provision", "--range", "1..3", "--template", template + "&n={code}", "--sdm", "--keys", path,
            "--journal", folder / "run.journal", "--export-keys", folder / "none" / "server.txt",
            "--reader", f"sim:ntag424*3,save={tags}", status=73)
    expect(not tags.exists() or not list(tags.iterdir()), "a tag was written")
    nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", tag)
    for options in [["--dry-run"], []]:
        refused = nfcprog("write-url", "https://example.com/other", *options, "--reader", tag, status=77)
        expect("key 0" in refused.errors and "reset-sdm" in refused.errors, refused.errors)


@check("a clone of a tag that proves itself proves itself, and never as the source")
def clone(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    source, copy = f"ntag424,uid={UID},file={folder / 'source'}", folder / "copy"
    template = "https://example.com/x?e={picc}&c={mac:example}"
    nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", f"sim:{source}")
    refused = nfcprog("clone", "--count", "1", "--reader", f"sim:{source},then=ntag424,file={copy}", status=65)
    expect("its own UID" in refused.errors, refused.errors)
    nfcprog("clone", "--any-content", "--sdm", "--keys", path, "--count", "1",
            "--reader", f"sim:{source},then=ntag424,file={copy}")
    url = json_object(nfcprog("read", "--json", "--reader", f"sim:ntag424,file={copy}"))["records"][0]["uri"]
    answer = json_object(nfcprog("verify-sun", url, "--template", template, "--keys", path, "--json"))
    expect(answer["result"] == "genuine" and answer["uid"] != UID, str(answer))


@check("a derived password opens its own tag, stands in no output, and a genuine tag is told from others")
def derived(folder):
    path = key_file(folder, MASTER + "\n", "master.txt")
    trace = folder / "trace.jsonl"
    for index in range(2):
        tag = f"sim:ntag213,uid=0411223344556{index},file={folder / f'tag{index}'}"
        done = nfcprog("protect", "--set-password", f"derived:{path}", "--json", "--trace", trace, "--reader", tag)
        expect_equal(json_object(done)["result"], "written", "protect")
        memory = (folder / f"tag{index}").read_text().splitlines()
        password = next(line for line in memory if line.startswith("Page 43")).split(":")[1].replace(" ", "").lower()
        for text in (done.output, done.errors, trace.read_text().replace(" ", "")):
            expect(password not in text.lower() and MASTER not in text, "a secret is told")
        nfcprog("unprotect", "--reader", tag, status=77)
        nfcprog("unprotect", "--password", f"derived:{path}", "--reader", tag)
    url = "https://example.com/t/1"
    nfcprog("write-url", url, "--genuine", "--reader", "sim:ntag213,uid=04E10CDA993C80")
    nfcprog("write-url", url, "--genuine", "--reader", "sim:ntag213", status=77)


@check("a code that begins nowhere is refused before a reader is opened, and rights are told as the tag has them")
def rights_and_places(folder):
    _, keys = fixed(folder)
    for start in ("zzz", "uid", "https"):
        nfcprog("write-url", f"https://example.com/t?e={{picc}}&c={{mac:{start}}}", "--sdm", "--keys", keys,
                "--reader", "/dev/ttyUSB99", status=65)
    reader = f"sim:ntag424,file={folder / 'tag.txt'}"
    words = ["write-url", TEMPLATE, "--sdm", "--keys", keys, "--json", "--reader", reader]
    written = json_object(nfcprog(*words))
    seen = json_object(nfcprog("info", "--json", "--reader", reader))
    expect_equal(seen["ndefStatus"], written["ndefStatus"], "NDEF status")
    file = [detail["text"] for detail in seen["details"] if detail["label"] == "file E104"]
    expect_equal(["write free" in text for text in file], [seen["ndefStatus"] == "readWrite"], str(file))
    plan = nfcprog(*words[:-3], "--lock", "--dry-run", "--reader", reader).output
    expect("without a key, which the tag must refuse" in plan and "without the password" not in plan, plan)


@check("rules of the data sheet are checked before a reader is opened or a tag touched")
def rules(folder):
    path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n")
    for template in ["https://example.com/?u={uid}&p={picc}", "https://example.com/?e={enc:a}&c={mac}",
                     "https://example.com/?c={mac}&c={mac}", "https://example.com/"]:
        tag = f"sim:ntag424,file={folder / 'tag.txt'}"
        nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", tag, status=65)
    nfcprog("write-url", TEMPLATE, "--sdm", "--keys", path, "--reader", "sim:ntag213", status=65)
    nfcprog("write-url", TEMPLATE, "--sdm", "--reader", "sim:ntag424", status=64)


if __name__ == "__main__":
    import workers

    workers.run_alone(__doc__)
