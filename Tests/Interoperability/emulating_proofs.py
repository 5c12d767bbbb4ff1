"""`emulate --sdm`: an NTAG 424 DNA that does not exist proves itself, and its counter rises for ever."""

import os
import signal
import stat
import subprocess
import time

from emulating import LINK, Emulation, link_of, taps
from proofs import fixed, lrp_proof, proof
from support import LIMIT, Simulation, binary, check, expect, expect_equal, json_object, nfcprog
from target_chip import SELECT, TargetChip

UID = "04a1b2c3d4e5f6"
KEYS = "scheme = an10922\nmaster = 000102030405060708090a0b0c0d0e0f\nname = shop\n"
SHORT = "https://example.com/t?e={picc}&c={mac}"
LONG = "https://example.com/t?e={picc}&d={enc:lot-7}&c={mac}"
TEMPLATES = [SHORT, LONG, "https://example.com/t?u={uid}&n={counter}&c={mac:uid}", "https://example.com/t?e={picc}&o={tt}&c={mac:picc}",
             "https://example.com/t?e={picc}&d={enc:a{tt}b}&c={mac}", "https://example.com/{picc}x{mac:picc}"]


def key_file(folder):
    keys = folder / "shop.keys"
    keys.write_text(KEYS)
    keys.chmod(0o600)
    return keys


def kept(keys):
    """UIDs and numbers of the file beside the keys."""
    lines = keys.with_name(keys.name + ".live-counters").read_text().splitlines()
    expect_equal(lines.pop(), "end", "the last line")
    return {line.split()[0]: int(line.split()[1]) for line in lines}


@check("emulate --sdm: verify-sun takes each reading once, with AES and LRP, of every template and telephone")
def proves(folder):
    keys, server, last = key_file(folder), folder / "server.txt", 0
    for template in TEMPLATES:
        for words in ([], ["--lrp"]):
            outcome = nfcprog("emulate", "--url", template, "--sdm", "--keys", keys, "--uid", UID, *words, "--json",
                              "--export-keys", server, "--force", "--reader", "sim:phone=iphone+android+odd", "--count", "3")
            expect("04:A1:B2:C3:D4:E5:F6" in outcome.errors and "08 and three random bytes" in outcome.errors, str(outcome))
            expect_equal(stat.S_IMODE(server.stat().st_mode), 0o600, "mode of the keys for a server")
            for tap in taps(outcome):
                last += 1
                expect_equal((tap["counters"], tap["counter"], tap["complete"]), ([last], last, True), str(tap))
                words_of = ("--template", template, "--json")
                seen = json_object(nfcprog("verify-sun", link_of(tap), "--keys", keys, "--counters", folder / "seen", *words_of))
                expect_equal((seen["uid"], seen["counter"]), (UID, last), template)
                if "{tt}" in template:
                    expect_equal(seen["tamper"], {"ever": "closed", "now": "closed"}, template)
                expect_equal(json_object(nfcprog("verify-sun", link_of(tap), "--keys", server, *words_of)), seen, "a server's keys")
                nfcprog("verify-sun", link_of(tap), "--keys", keys, "--counters", folder / "seen", *words_of, status=77)
    expect_equal(kept(keys), {UID: last}, "the file")


@check("emulate --sdm: an implementation of its own takes each reading, with AES and LRP")
def witnessed(folder):
    keys, path = fixed(folder)
    for words, judge in (((), proof), (("--lrp",), lrp_proof)):
        outcome = nfcprog("emulate", "--url", LONG, "--sdm", "--keys", path, "--uid", UID, *words, "--json",
                          "--reader", "sim:phone=iphone+android", "--count", "2")
        for tap in taps(outcome):
            shown = bytes(5) + link_of(tap).removeprefix("https://").encode()
            uid, number, data = judge(shown, [bytes.fromhex(key) for key in keys])
            expect_equal((uid, number, data), (UID, tap["counter"], b"lot-7~~~~~~~~~~~"), "proof")


@check("emulate --sdm: the counter rises for ever over taps and kills on two boards at once, and what was shown is proven", long=True)
def kills(folder):
    rise(folder, rounds=4, taps_each=8)


def rise(folder, rounds, taps_each):
    """Two boards play one tag; after so many taps each both are killed, at another moment each time."""
    keys = key_file(folder)
    words = ("--url", SHORT, "--sdm", "--keys", keys)
    seen, last = [], 0
    for number in range(rounds):
        with Simulation("--phone", "iphone*500") as one, Simulation("--phone", "android*500") as other:
            both = [Emulation(board, *words) for board in (one, other)]
            this = [[emulation.tap() for _ in range(taps_each)] for emulation in both]
            time.sleep(0.0037 * (number % 23))
            for emulation in both:
                _, _, said = emulation.end(signal.SIGKILL)
                this.append([tap for tap in map(whole_object, said.splitlines()) if tap])
        for tapped in this:
            numbers = [tap["counter"] for tap in tapped]
            expect(numbers == sorted(set(numbers)) and (not numbers or numbers[0] > last), f"{numbers} behind {last}")
        last = max(tap["counter"] for tapped in this for tap in tapped)
        (uid, held), = kept(keys).items()
        expect(held >= last, f"{held} is kept, {last} was shown")
        last = held
        seen += [tap for tapped in this for tap in tapped]
    numbers = [number for tap in seen for number in tap["counters"]]
    expect_equal(len(set(numbers)), len(numbers), f"{sorted(numbers)}")
    for tap in seen[:: max(1, len(seen) // 40)]:
        nfcprog("verify-sun", link_of(tap), "--keys", keys)
    # At most the draft of the one that was killed lies there.
    left = {path.name for path in folder.iterdir()} - {"shop.keys", "shop.keys.live-counters", "shop.keys.live-counters.draft"}
    expect(not left, f"{left}")
    return seen


def whole_object(line):
    import json
    try:
        return json.loads(line)
    except ValueError:
        return None


@check("emulate --sdm: a number is kept before the board has the first byte of the message, and one is enough for a selection")
def before(folder):
    keys = key_file(folder)
    reads = ["00b0000002", "00b0000040", "00b0000002"]
    with TargetChip([(SELECT + reads, 0x29), (SELECT, 0x29), (SELECT + ["00b07f0002"], 0x29), (SELECT + reads, 0x29)],
                    come=0.4, field=True) as chip:
        at_answer = []
        usual = chip.do

        def do(command):
            if command[0] == 0x8E:
                at_answer.append((len(command), kept(keys)[UID]))
            usual(command)

        chip.do = do
        emulation = Emulation(chip, "--url", SHORT, "--sdm", "--keys", keys, "--uid", UID)
        first = emulation.tap()
        time.sleep(2.5)
        _, _, said = emulation.end()
    selects, first_length, rest = at_answer[:2], at_answer[2], at_answer[3:5]
    expect_equal([number for _, number in selects], [0, 0], "before the first reading")
    expect_equal([number for _, number in [first_length, *rest]], [1, 1, 1], "in the first reading")
    # A look without a reading takes none; a reading behind the file's end is one, as on a tag.
    expect_equal(sorted({number for _, number in at_answer}), [0, 1, 2, 3], f"{at_answer}")
    expect(first["counters"][0] == 1, f"{first}\n{said}")


@check("emulate --sdm: what is wrong with keys, UID, template or the counters' file is said before a board is opened")
def wrong(folder):
    keys, open_keys, short = key_file(folder), folder / "open.keys", folder / "short.keys"
    open_keys.write_text(KEYS)
    open_keys.chmod(0o644)
    short.write_text(KEYS.replace("0e0f", "0e"))
    short.chmod(0o600)
    pipe, named = folder / "pipe.keys", folder / "named.keys"
    os.mkfifo(pipe)
    named.write_text(KEYS)
    named.chmod(0o600)
    os.link(named, folder / "again.keys")
    sdm = ("--sdm", "--keys", keys)
    cases = [
        (("--url", SHORT), 65, "--sdm"), (("--url", SHORT, "--sdm"), 64, "--keys"),
        (("--url", SHORT, "--sdm", "--keys", open_keys), 65, "chmod 600"),
        (("--url", SHORT, "--sdm", "--keys", short), 65, "32"), (("--url", SHORT, "--sdm", "--keys", folder / "none"), 66, "none"),
        (("--url", SHORT, "--sdm", "--keys", folder), 65, "regular"), (("--url", SHORT, "--sdm", "--keys", "-"), 64, "file"),
        (("--url", SHORT, "--sdm", "--keys", "column:k"), 64, "list"),
        (("--url", SHORT, *sdm, "--uid", "04a1b2c3"), 64, "7 bytes"), (("--url", SHORT, *sdm, "--uid", "x" * 14), 64, "7 bytes"),
        (("--url", SHORT, *sdm, "--uid", UID + "00"), 64, "7 bytes"), (("--url", SHORT, *sdm, "--uid", ""), 64, "7 bytes"),
        (("--url", LINK, "--keys", keys), 64, "--sdm"), (("--url", LINK, "--uid", UID), 64, "--sdm"),
        (("--url", LINK, "--lrp"), 64, "--sdm"), (("--url", LINK, "--export-keys", folder / "x"), 64, "--sdm"),
        (("--url", LINK, *sdm), 65, "{mac}"), (("--text", "x", *sdm), 64, "--url"), (("--follow", keys, *sdm), 64, "--url"),
        (("--url", SHORT, *sdm, "--writable", folder / "w"), 64, "--writable"),
        (("--url", "https://example.com/?m={mirror:uid}&c={mac}", *sdm), 65, "NTAG 21x"),
        (("--url", "https://example.com/?m={mirror:uid}"), 65, "NTAG 21x"),
        (("--url", SHORT + "&x=" + "x" * 200, *sdm), 65, ""), (("--url", SHORT, "--text", "x" * 200, *sdm), 65, "254"),
        (("--url", SHORT, "--sdm", "--keys", pipe), 65, "regular"), (("--url", SHORT, "--sdm", "--keys", named), 65, "several names"),
        (("--url", SHORT, *sdm, "--export-keys", keys), 64, "keys or counters"),
        (("--url", SHORT, *sdm, "--force", "--export-keys", f"{keys}.live-counters"), 64, "keys or counters"),
        (("--url", SHORT, *sdm, "--force", "--export-keys", f"{folder}/./shop.keys.live-counters.draft"), 64, "keys or counters"),
        (("--url", SHORT, *sdm, "--force", "--trace", keys), 64, "keys or counters"),
        (("--url", SHORT, *sdm, "--force", "--trace", f"{keys}.live-counters"), 64, "keys or counters"),
        (("--url", SHORT, *sdm, "--export-keys", open_keys), 73, "exists"),
    ]
    for words, status, said in cases:
        outcome = nfcprog("emulate", *words, "--reader", "/nonexistent/board", status=status)
        expect(said in outcome.errors, str(outcome))
    link = folder / "link.txt"
    link.write_text(SHORT)
    nfcprog("emulate", "--follow", link, "--reader", "/nonexistent/board", status=65)
    expect_equal(keys.read_text(), KEYS, "the keys")
    counters = keys.with_name("shop.keys.live-counters")
    states = [
        (lambda: counters.write_text(""), 65, "damaged"), (lambda: counters.write_text(f"{UID} 7\n"), 65, "damaged"),
        (lambda: counters.write_bytes(os.urandom(300)), 65, "damaged"), (counters.mkdir, 73, "regular"),
        (lambda: os.mkfifo(counters), 73, "regular"), (lambda: counters.symlink_to(link), 73, "link"),
        (lambda: os.link(link, counters), 73, "names"), (lambda: (counters.write_text(f"{UID} 7\nend\n"), counters.chmod(0o444)), 73, "protected"),
        (lambda: counters.write_text(f"{UID} 16777215\nend\n"), 77, "no further number"),
    ]
    for make, status, said in states:
        remove(counters)
        make()
        outcome = nfcprog("emulate", "--url", SHORT, *sdm, "--uid", UID, "--reader", "/nonexistent/board", status=status)
        expect(said in outcome.errors, str(outcome))
    remove(counters)
    nfcprog("emulate", "--url", SHORT, *sdm, "--uid", UID, "--reader", "/nonexistent/board", status=69)


def remove(path):
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def limited(*words):
    """Words for a program that a full disk refuses with an error, as `prlimit` plays it, and does not kill."""
    return ["bash", "-c", 'trap "" XFSZ; exec "$@"', "bash", *map(str, words)]


@check("emulate --sdm: on a full disk nothing is given out, and the run ends with 73; what was kept before stands")
def full(folder):
    keys = key_file(folder)
    line = limited(binary(), "emulate", "--url", SHORT, "--sdm", "--keys", keys, "--uid", UID, "--json", "--reader")
    before_all = subprocess.run(["prlimit", "--fsize=0", *line, "/nonexistent/board"], capture_output=True, text=True, timeout=LIMIT)
    expect(before_all.returncode == 73 and "cannot be kept" in before_all.stderr, str(before_all))
    expect(not list(folder.glob("shop.keys.*")), "what is left")
    reads = SELECT + ["00b0000002", "00b0000041"]
    with TargetChip([(reads, 0x29), (reads, 0x29)], come=0.7) as chip:
        process = subprocess.Popen([*line, chip.port], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        subprocess.run(["prlimit", f"--pid={process.pid}", "--fsize=0"], check=True)
        answers = len(chip.heard("8e"))
        output, errors = process.communicate(timeout=LIMIT)
        expect(process.returncode == 73 and "cannot be kept" in errors, errors)
        # The two selections of the second telephone are answered, and no reading.
        expect_equal(len(chip.heard("8e")) - answers, 2, str(chip.commands))
        expect("1214" in chip.commands[-6:], "the board is a reader again")
    expect_equal(kept(keys), {UID: 1}, "the file")


@check("emulate --sdm: a counters' file that is removed or put back in a run ends it, and no number is shown again")
def put_back(folder):
    keys = key_file(folder)
    counters = keys.with_name("shop.keys.live-counters")
    for change in (counters.unlink, lambda: counters.write_text(f"{UID} 1\nend\n")):
        counters.unlink(missing_ok=True)
        reads = SELECT + ["00b0000002", "00b0000041"]
        with TargetChip([(reads, 0x29)] * 3, come=0.5) as chip:
            emulation = Emulation(chip, "--url", SHORT, "--sdm", "--keys", keys, "--uid", UID)
            expect_equal([emulation.tap()["counter"], emulation.tap()["counter"]], [1, 2], "numbers")
            change()
            status, said = emulation.wait()
            expect(status == 73 and "would be a replay" in said, said)


@check("emulate --sdm: wherever a telephone is taken away, no number is shown twice, and what nobody was shown is not told")
def leaving(folder):
    keys, last = key_file(folder), 0
    for kind in ("iphone", "android"):
        phones = "+".join(f"{kind}@{frame}" for frame in range(1, 25))
        with Simulation(f"phone={phones}+iphone-app,pause=230") as board:
            emulation = Emulation(board, "--url", SHORT, "--sdm", "--keys", keys)
            seen = [emulation.tap()]
            while seen[-1]["reader"] != "iphone-app":
                seen.append(emulation.tap())
            expect_equal(emulation.end()[0], 0, "exit status")
        expect(seen[-1]["complete"] and len(seen) > 10, f"{len(seen)} taps")
        for tap in seen:
            expect("goeshere" not in str(tap), str(tap))
            # A proof that nobody has seen whole is not told: it is still good.
            expect_equal(bool(tap["records"]), tap["complete"], str(tap))
            expect("counter" not in tap or tap["readLength"] > 0, str(tap))
            if "counters" in tap:
                expect(last < tap["counters"][0] and tap["counters"] == sorted(set(tap["counters"])), f"{tap} behind {last}")
                last = tap["counters"][-1]
            if tap["complete"]:
                nfcprog("verify-sun", link_of(tap), "--keys", keys, "--counters", folder / "seen")
    expect_equal(list(kept(keys).values()), [last], "the file")
