#!/usr/bin/env python3
"""NTAG 424 DNA: keys and messages that prove a tag, held to an implementation on pycryptodome; verify-sun; secrets kept.

usage: proofs.py --binary NFCPROG [WORD...]   (or with all others, by `run`)
"""

import sys
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


def diversified(master, message):
    """AN10922, 2.2: the code of 01 and the message, over two blocks whatever its length."""
    from Crypto.Cipher import AES
    from Crypto.Hash import CMAC

    data = b"\x01" + message
    if len(data) > 16:
        return CMAC.new(master, data, ciphermod=AES).digest()
    block = AES.new(master, AES.MODE_ECB).encrypt

    def doubled(key):
        number = int.from_bytes(key, "big") << 1
        return ((number ^ 0x87 if number >> 128 else number) & (1 << 128) - 1).to_bytes(16, "big")

    padded = (data + b"\x80").ljust(32, b"\0")
    last = bytes(a ^ b for a, b in zip(padded[16:], doubled(doubled(block(bytes(16))))))
    return block(bytes(a ^ b for a, b in zip(block(padded[:16]), last)))


def sdm_places(settings):
    """Where the chip mirrors, by NT4H2421Gx, 10.7.1: name to offset in the file."""
    options, rights = settings[3], int.from_bytes(settings[4:6], "little")
    meta, file_read = rights >> 12, rights >> 8 & 15
    wanted = [
        ("uid", meta == 14 and options & 0x80), ("counter", meta == 14 and options & 0x40), ("picc", meta < 5),
        ("input", file_read != 15), ("enc", file_read != 15 and options & 0x10),
        ("length", file_read != 15 and options & 0x10), ("mac", file_read != 15),
    ]
    places, rest = {}, settings[6:]
    for name, is_there in wanted:
        if is_there:
            places[name], rest = int.from_bytes(rest[:3], "little"), rest[3:]
    return places, meta, file_read


def witness(file, settings, key):
    """UID, counter and data that a file proves as it was read, by AN12196, 3 and 5, and NT4H2421Gx, 9.3."""
    from Crypto.Cipher import AES
    from Crypto.Hash import CMAC

    places, meta, file_read = sdm_places(settings)
    part = lambda name, count: file[places[name]:places[name] + count].decode()
    if "picc" in places:
        plain = AES.new(key(meta, None), AES.MODE_CBC, bytes(16)).decrypt(bytes.fromhex(part("picc", 32)))
        expect_equal(plain[0], 0xC7, "tag byte")
        uid, counter = plain[1:8], plain[8:11]
    else:
        uid = bytes.fromhex(part("uid", 14)) if "uid" in places else b""
        counter = bytes.fromhex(part("counter", 6))[::-1] if "counter" in places else b""
    own = key(file_read, uid)

    def session(label):
        vector = bytes.fromhex(label + "00010080") + uid + counter
        return CMAC.new(own, vector.ljust(-len(vector) // 16 * -16, b"\0"), ciphermod=AES).digest()

    code = CMAC.new(session("3CC3"), file[places["input"]:places["mac"]], ciphermod=AES).digest()
    expect_equal(part("mac", 16).lower(), short(code).hex(), "code")
    data = None
    if "enc" in places:
        start = AES.new(session("C33C"), AES.MODE_ECB).encrypt(counter + bytes(13))
        data = AES.new(session("C33C"), AES.MODE_CBC, start).decrypt(bytes.fromhex(part("enc", places["length"])))
    return uid.hex(), int.from_bytes(counter, "little") if counter else None, data


@check("what read shows of a new tag proves it by AN12196 and AN10922 alone, whatever the template and the keys' name")
def read_witness(folder):
    master = bytes.fromhex(MASTER)
    templates = [
        "https://example.com/t?e={picc}&c={mac}", "https://www.shop.example/p/{picc}/{mac:p}",
        "https://example.com/t?e={picc}&d={enc:lot-7}&c={mac:e=}", "https://example.com/{uid}?n={counter}&c={mac:uid}",
        "https://example.com/t?u={uid}&n={counter}&d={enc:0123456789abcdefg}&c={mac:enc}",
        "http://www.example.com/{picc}x{mac:picc}", "https://example.com/t?u={uid}&c={mac:/}",
    ]
    for number, template in enumerate(templates):
        name = ["", "shop", "company", "app.example", "app.example.de", "app.example.com", "x" * 20][number]
        path = key_file(folder, f"scheme = an10922\nmaster = {MASTER}\n" + (f"name = {name}\n" if name else ""))

        def key(slot, uid):
            # Key 1 is that of all tags of a series.
            return diversified(master, (b"" if slot == 1 else uid) + bytes([slot]) + name.encode())

        tag = folder / f"tag{number}"
        reader = f"sim:ntag424,uid={UID},file={tag}"
        nfcprog("write-url", template, "--sdm", "--keys", path, "--reader", reader)
        readings = []
        for _ in range(2):
            raw = folder / "raw"
            seen = json_object(nfcprog("read", "--raw", raw, "--json", "--reader", reader))
            raw_bytes = raw.read_bytes()
            raw.unlink()
            blocks = b"".join(
                bytes.fromhex(line.split(": ")[1]) for line in tag.read_text().splitlines() if line.startswith("Block "))
            settings = blocks[449:449 + blocks[448]]
            uid, counter, data = witness(len(raw_bytes).to_bytes(2, "big") + raw_bytes, settings, key)
            expect_equal(uid, UID, f"{template}: UID")
            if "{enc:" in template:
                text = template.split("{enc:")[1].split("}")[0].encode()
                expect_equal(data, text.ljust(-len(text) // 16 * -16, b"~"), f"{template}: data")
            uri = seen["records"][0]["uri"]
            expect(uri.encode().endswith(raw_bytes[5:]), f"{template}: read shows {uri}")
            # Without the template values are looked for behind the question mark, each of them alone.
            guesses = [] if "{uid}?" in template or "}x{" in template else [[]]
            for more in (*guesses, ["--template", template]):
                known = nfcprog("verify-sun", uri, "--keys", path, "--json", *more)
                expect_equal(json_object(known).get("counter"), counter, f"{template}: verify-sun")
            readings.append(counter)
        if readings[0] is not None:
            expect_equal(readings[1], readings[0] + 1, f"{template}: each reading counts")


@check("verify-sun takes the published readings: AN12196, Bolt Card, and sdm-backend's by AES and by LRP")
def published(folder):
    zeros = key_file(folder, "scheme = fixed\n" + "".join(f"key{n} = {'00' * 16}\n" for n in range(5)), "zeros.txt")
    bolt = key_file(
        folder, "scheme = fixed\nkey0 = 00000000000000000000000000000001\nkey1 = 0c3b25d92b38ae443229dd59ad34b85d\n"
        "key2 = b45775776cb224c75bcde7ca3704e933\nkey3 = 00000000000000000000000000000001\n"
        "key4 = 00000000000000000000000000000001\n", "bolt.txt")
    lrp = "https://any.domain/?m=65628ED36888CF9C84797E43ECACF114C6ED9A5E101EB592" \
        "x4ADE304B5AB9474CB40AFFCAB0607A85x87E287E8135BFC06"
    for url, keys, template, expected in (
        ("https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086", zeros, None,
         ("04de5f1eacc040", 61, None, None)),
        ("https://www.my424dna.com/?picc_data=FDE4AFA99B5C820A2C1BB0F1C792D0EB&enc=94592FDE69FA06E8E3B6CA686A22842B"
         "&cmac=C48B89C17A233B2C", zeros, None, ("04958caa5c5e80", 1, "x" * 16, None)),
        ("https://www.my424dna.com/?picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962"
         "&cmac=ECC1E7F6C6C73BF6", zeros, "https://www.my424dna.com/?picc_data={picc}&enc={enc:xxxxxxxxxxxxxxxx}&cmac={mac:enc}",
         ("04958caa5c5e80", 8, "x" * 16, None)),
        ("https://example.com/?uid=041E3C8A2D6B80&ctr=000006&cmac=4B00064004B0B3D3", zeros, None,
         ("041e3c8a2d6b80", 6, None, None)),
        ("https://example.com/?p=4E2E289D945A66BB13377A728884E867&c=E19CCB1FED8892CE", bolt, None,
         ("04996c6a926980", 3, None, None)),
        ("https://a.example/AAE1508939ECF6FF26BCE407959AB1A5EC022819A35CD293x5E3DB82C19E3865F", zeros,
         "https://a.example/{picc}x{mac:picc}", ("042e1d222a6380", 0x6A, None, True)),
        (lrp, zeros, "https://any.domain/?m={picc}x{enc:0102030400000000}x{mac:any.domain}",
         ("042e1d222a6380", 0x7B, "0102030400000000", True)),
        ("https://a.example/?e=1FCBE61B3E4CAD980CBFDD333E7A4AC4A579569BAFD22C5F&c=4231608BA7B02BA9", zeros, None,
         ("04940e2a2f7080", 3, None, True)),
    ):
        words = ["verify-sun", url, "--keys", keys, *(["--template", template] if template else [])]
        seen = json_object(nfcprog(*words, "--json"))
        expect_equal((seen["uid"], seen["counter"], seen.get("data"), seen.get("lrp") or None), expected, url)
        last = "1" if url[-1] == "0" else "0"
        nfcprog("verify-sun", url[:-1] + last, *words[2:], status=77)


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
        trace.unlink()
    # The tag's file holds its keys: none of them stands anywhere else.
    rows = [line.split(":", 1)[1].replace(" ", "").lower() for line in (folder / "tag.txt").read_text().splitlines()
            if line.startswith("Block ")]
    memory = bytes.fromhex("".join(rows))
    keys = [memory[512 + 17 * n:528 + 17 * n] for n in range(5)]
    expect(all(any(key) for key in keys), "a key is zeros")
    for key in [*keys, bytes.fromhex(MASTER)]:
        for text in texts:
            expect(key.hex() not in text.lower().replace(" ", ""), "a key is told")
