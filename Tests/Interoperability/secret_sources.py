"""Where options take secrets from: a prompt that shows nothing, files, variables; files that others may read."""

import os
import pty
import select
import time

from support import LIMIT, Difference, binary, check, expect, expect_equal, json_object, memory, nfcprog, program

PASSWORD, KEY_B, APPLICATION = "a1b2c3d4", "c0ffee123456", "00112233445566778899aabbccddeeff"


def typed(words, answers, prompt=": "):
    """Runs nfcprog at a terminal of its own, types an answer at each prompt; exit status and all that was shown."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(binary(), [binary(), *map(str, words)])
    shown, left, end = "", list(answers), time.monotonic() + LIMIT
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                shown += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # It has ended.
                return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown
        if left and shown.endswith(prompt):
            os.write(terminal, left.pop(0).encode() + b"\n")
            shown += "\n"
    raise Difference(f"{words} did not end: {shown}")


@check("a secret is typed at a prompt that does not show it, twice where it is set, and other entries are refused")
def prompted(folder):
    tag = folder / "tag.txt"
    at = ("--reader", f"sim:ntag213,file={tag}")
    status, shown = typed(["protect", "--set-password", "ask", *at], [PASSWORD, PASSWORD])
    expect_equal(status, 0, shown)
    expect(PASSWORD not in shown and "--set-password" in shown, shown)
    expect_equal(memory(tag)[43 * 4 : 44 * 4].hex(), PASSWORD, "the password on the tag")
    before = tag.read_bytes()
    for answers, wanted in (([PASSWORD, "00000000"], 64), (["12", "12"], 64), (["\x03"], 130)):
        status, shown = typed(["protect", "--set-password", "ask", *at], answers)
        expect_equal(status, wanted, shown)
        expect_equal(tag.read_bytes(), before, "tag file")
    status, shown = typed(["unprotect", "--password", "ask", *at], [PASSWORD])
    expect_equal(status, 0, shown)
    expect(PASSWORD not in shown, shown)
    # Without a terminal nobody can be asked.
    outcome = program("setsid", "--wait", binary(), "protect", "--set-password", "ask", *at)
    expect(outcome.status == 64 and "terminal" in outcome.errors, str(outcome))


@check("every secret comes from a file or a variable, too, and stands in no output and no trace")
def sources(folder):
    trace, said = folder / "trace.jsonl", ""

    def run(*words, **more):
        nonlocal said
        outcome = nfcprog(*words, "--trace", trace, "--verbose", **more)
        said += outcome.output + outcome.errors + trace.read_text()
        trace.unlink()

    def file(name, secret):
        path = folder / name
        path.write_text(secret + "\n")
        path.chmod(0o600)
        return f"file:{path}"

    tag = f"sim:ntag213,file={folder / 'tag.txt'}"
    run("protect", "--set-password", file("password", PASSWORD), "--pack", "env:PACK", "--reader", tag,
        environment={"PACK": "b5c6"})
    run("write-url", "https://example.com/1", "--password", "env:SECRET", "--reader", tag, environment={"SECRET": PASSWORD})
    expect_equal(memory(folder / "tag.txt")[44 * 4 : 44 * 4 + 2].hex(), "b5c6", "PACK")
    card = f"sim:classic1k,file={folder / 'card.txt'}"
    run("format-classic", "--key-b", file("key-b", KEY_B), "--reader", card)
    run("reset-classic", "--key", "env:KEY", "--reader", card, environment={"KEY": KEY_B})
    blank = f"sim:desfire-ev1,file={folder / 'desfire.txt'}"
    run("format-type4", "--new-key", "env:KEY", "--reader", blank, environment={"KEY": APPLICATION})
    plain = said.lower().replace(" ", "").replace(":", "")
    for secret in (PASSWORD, KEY_B, APPLICATION):
        expect(secret not in plain, f"{secret} was said")
    nfcprog("info", "--password", "env:NONE", "--reader", tag, status=78)
    nfcprog("info", "--password", "file:/none", "--reader", tag, status=66)


@check("a file of secrets that others may read is reported, and that of a series' keys refused")
def exposed(folder):
    files = {}
    for name, text in (("password", PASSWORD), ("keys", KEY_B), ("new", APPLICATION), ("master", APPLICATION)):
        files[name] = folder / name
        files[name].write_text(text + "\n")
    options = [
        ("sim:ntag213", ["protect", "--set-password", f"file:{files['password']}"]),
        ("sim:ntag213", ["info", "--password", f"file:{files['password']}"]),
        ("sim:classic1k", ["info", "--key-file", files["keys"]]),
        ("sim:desfire-ev1", ["format-type4", "--new-key", files["new"]]),
    ]
    for mode in (0o644, 0o640, 0o600):
        for path in files.values():
            path.chmod(mode)
        for reader, words in options:
            outcome = nfcprog(*words, "--reader", reader)
            expect_equal("chmod 600" in outcome.errors, mode != 0o600, f"{mode:o} {outcome}")
        nfcprog("protect", "--set-password", f"derived:{files['master']}", "--reader", "sim:ntag213",
                status=0 if mode == 0o600 else 65)


@check("a name that is missing behind derived:, file: and env:, and an empty URL, are usage errors: 64")
def nameless(folder):
    keys = folder / "keys"
    keys.write_text(f"scheme = an10922\nmaster = {APPLICATION}\n")
    keys.chmod(0o600)
    for text in ("derived:", "file:", "env:"):
        seen = json_object(nfcprog("protect", "--set-password", text, "--json", "--reader", "/dev/ttyUSB99", status=64))
        expect("follow the colon" in seen["error"]["message"], str(seen))
    expect("URL is empty" in nfcprog("verify-sun", "", "--keys", keys, status=64).errors, "verify-sun")
    expect(nfcprog("check-link", "", status=65).output.startswith("The empty link"), "check-link")
