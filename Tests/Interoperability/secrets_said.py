"""Keys and passwords in everything that nfcprog says and writes: every command, every verbosity, its failures too."""

import base64
import re

from support import check, expect, program, binary

URL = "https://example.com/t/1"
OTHER = "https://example.com/another/1"
KEY, KEY_B = "c0ffee123456", "5ec2e7b0a9d1"
PASSWORD, NEW_PASSWORD, WRONG = "a5c3e1b7", "9d7b5f3c", "8e6a4c2b"
TAG_KEY, NEW_TAG_KEY = "c1a7f3e95b2d4860917e3c5a8db4f062", "7e19b4d2806fa3c55d31e8970b42c6fa"
SECRETS = (KEY, KEY_B, PASSWORD, NEW_PASSWORD, WRONG, TAG_KEY, NEW_TAG_KEY)
VERBOSITIES = ([], ["--verbose"], ["--json", "--verbose"])


def spoken(text):
    """The secrets that `text` contains: as hexadecimal digits however they are set apart, as numbers, as Base64."""
    digits = re.sub(r"[^0-9a-f]", "", re.sub(r"0x", "", text.lower()))
    words = text.lower()
    for secret in SECRETS:
        value = bytes.fromhex(secret)
        spellings = [", ".join(map(str, value)), ",".join(map(str, value)), base64.b64encode(value).decode().lower()]
        if secret in digits or any(spelling in words for spelling in spellings):
            yield secret


class Watch:
    """Runs commands in a folder and looks through all that they say and leave behind."""

    def __init__(self, folder):
        self.folder, self.runs, self.own = folder, 0, set()

    def file(self, name, content):
        path = self.folder / name
        path.write_text(content)
        self.own.add(path)
        return path

    def tag(self, kind, name):
        path = self.folder / f"{name}.tag"
        self.own.add(path)  # A virtual tag's own memory.
        return f"sim:{kind},file={path}"

    def run(self, *words, status, environment=None, verbosities=VERBOSITIES, traced=True):
        """Only the first run may change the tag; all end with `status`."""
        for number, verbosity in enumerate(verbosities):
            trace = ["--trace", self.folder / f"trace-{self.runs}.jsonl"] if traced else []
            outcome = program(binary(), *words, *verbosity, *trace, environment=environment)
            self.runs += 1
            expect(outcome.status in status if isinstance(status, tuple) else outcome.status == status, f"{status} wanted\n{outcome}")
            found = set(spoken(outcome.output)) | set(spoken(outcome.errors))
            expect(not found, f"{found} said by {outcome}")
            for path in self.folder.iterdir():
                if path not in self.own and path.is_file():
                    content = path.read_bytes()
                    found = set(spoken(content.decode(errors="replace")))
                    found |= {secret for secret in SECRETS if bytes.fromhex(secret) in content}
                    expect(not found, f"{found} in {path.name} after {outcome}")


@check("no MIFARE Classic key is said, traced or left in a file by any command, done or failed")
def classic_keys(folder):
    watch = Watch(folder)
    reader = watch.tag("classic1k", "classic")
    keys = watch.file("keys.txt", f"{KEY}\n{KEY_B}  # key B\n")
    bad = watch.file("bad.txt", f"{KEY}\n{KEY_B}0\n")
    at = ("--reader", reader)
    watch.run("format-classic", "--key-b", KEY_B, "--dry-run", *at, status=0)
    watch.run("format-classic", "--key-b", KEY_B, "--url", URL, *at, status=0)
    watch.run("info", "--key", KEY, "--key", KEY_B, *at, status=0)
    watch.run("read", "--key-file", keys, *at, status=0)
    watch.run("write-url", OTHER, *at, status=0, environment={"NFCPROG_KEYS": f"{KEY},{KEY_B}"})
    watch.run("write", "--text", "hello", "--key", KEY, *at, status=0)
    watch.run("clone", "--count", "1", "--any-content", "--from", watch.tag("classic1k", "classic")[len("sim:classic1k,file="):],
              "--key", KEY_B, "--timeout", "1", "--reader", watch.tag("classic1k", "copy"), status=(0, 65, 75))
    watch.run("reset-classic", "--key", KEY, *at, status=77)
    watch.run("lock", "--key", KEY, *at, status=77)
    watch.run("format-classic", "--key-b", KEY, "--key", KEY_B, "--dry-run", *at, status=0)
    for words in (["--key", KEY + "7"], ["--key", KEY[:-1] + "x"], ["--key-b", KEY_B + "77"]):
        watch.run("format-classic", *words, *at, status=64)
    watch.run("info", "--key-file", bad, *at, status=65)
    watch.run("info", *at, status=78, environment={"NFCPROG_KEYS": KEY + "1"})
    watch.run("write-pages", "--page", "4", "01020304", "--key", KEY, *at, status=65)
    watch.run("info", "--key", KEY, "--timeout", "0", "--reader", "/dev/null", status=69)
    watch.run("reset-classic", "--key", KEY_B, *at, status=0)


@check("no password is said, traced or left in a file by any command, done or failed")
def passwords(folder):
    watch = Watch(folder)
    secret = watch.file("password.txt", PASSWORD + "\n")
    bad = watch.file("bad.txt", PASSWORD + "0\n")
    once = VERBOSITIES[:1]
    for kind in ("ntag213", "ultralight-ev1-11"):
        reader = watch.tag(kind, kind)
        at = ("--reader", reader)
        watch.run("write-url", URL, "--set-password", PASSWORD, "--dry-run", *at, status=0)
        watch.run("write-url", URL, "--set-password", PASSWORD, *at, status=0, verbosities=[["--verbose", "--json"]])
        watch.run("info", "--password", PASSWORD, *at, status=0)
        watch.run("info", *at, status=0)
        watch.run("read", "--password", f"file:{secret}", *at, status=0)
        watch.run("write-url", OTHER, "--password", WRONG, *at, status=77)
        watch.run("write-url", OTHER, *at, status=77)
        watch.run("write-url", OTHER, *at, status=0, environment={"NFCPROG_PASSWORD": PASSWORD})
        watch.run("protect", "--set-password", NEW_PASSWORD, "--password", PASSWORD, "--dry-run", *at, status=0)
        watch.run("protect", "--set-password", NEW_PASSWORD, "--password", PASSWORD, *at, status=0, verbosities=[["--verbose"]])
        watch.run("protect", *at, "--password", NEW_PASSWORD, status=0, environment={"NFCPROG_SET_PASSWORD": NEW_PASSWORD})
        watch.run("unprotect", "--password", WRONG, *at, status=77)
        watch.run("unprotect", "--password", NEW_PASSWORD, *at, status=0, verbosities=once)
        for words in (["--password", PASSWORD + "1"], ["--password", PASSWORD[:-1] + "g"]):
            watch.run("info", *words, *at, status=64)
        watch.run("protect", "--set-password", NEW_PASSWORD + "22", *at, status=64)
        watch.run("info", "--password", f"file:{bad}", *at, status=65)
    # Written as raw pages, a password is one all the same.
    reader = watch.tag("ntag213", "raw")
    for mode in (["--dry-run"], []):
        watch.run("write-pages", "--page", "43", PASSWORD, "--force", *mode, "--reader", reader, status=0)


for kind in ("ultralight-c", "ultralight-aes"):

    @check(f"no key of an {kind} is said, traced or left in a file by any command, done or failed")
    def tag_keys(folder, kind=kind):
        watch = Watch(folder)
        secret = watch.file("key.txt", TAG_KEY + "\n")
        reader = watch.tag(kind, "keyed")
        at = ("--reader", reader)
        once = VERBOSITIES[:1]
        watch.run("write-url", URL, "--set-password", TAG_KEY, "--dry-run", *at, status=0)
        watch.run("write-url", URL, "--set-password", TAG_KEY, "--read-too", *at, status=0, verbosities=[["--verbose", "--json"]])
        watch.run("info", "--password", TAG_KEY, *at, status=0)
        watch.run("read", "--password", f"file:{secret}", *at, status=0)
        watch.run("write-url", OTHER, "--password", NEW_TAG_KEY, *at, status=77)
        watch.run("write-url", OTHER, *at, status=0, environment={"NFCPROG_PASSWORD": TAG_KEY})
        # An Ultralight AES hides whether it counts wrong keys: a job that sets another one sends it none.
        hides = kind == "ultralight-aes"
        for words in (["--dry-run"], []):
            watch.run("protect", "--set-password", NEW_TAG_KEY, "--password", TAG_KEY, *words, *at, status=77 if hides else 0,
                      verbosities=[["--verbose"]])
        if hides:
            watch.run("unprotect", "--password", TAG_KEY, *at, status=0, verbosities=once)
            watch.run("protect", "--set-password", NEW_TAG_KEY, "--read-too", *at, status=0, verbosities=once)
        watch.run("unprotect", "--password", TAG_KEY, *at, status=77)
        watch.run("dump", folder / "image.bin", "--password", NEW_TAG_KEY, *at, status=0, verbosities=once)
        watch.run("unprotect", "--password", NEW_TAG_KEY, *at, status=0, verbosities=once)
        watch.run("protect", "--set-password", TAG_KEY[:-1], *at, status=64)
        watch.run("protect", "--set-password", TAG_KEY + "22", *at, status=64)


@check("no password of a line's rows is said, traced or left in journal, labels or report, done or failed")
def provisioned_passwords(folder):
    watch = Watch(folder)
    rows = watch.file("rows.csv", f"url,password\n{URL},{PASSWORD}\n{OTHER},{NEW_PASSWORD}\n")
    wrong = watch.file("wrong.csv", f"url,password\n{URL}3,{WRONG}\n")
    bad = watch.file("bad.csv", f"url,password\n{URL},{PASSWORD}0\n{OTHER},{WRONG[:-1]}x\n")
    tags = folder / "tags"
    for number, verbosity in enumerate(VERBOSITIES):
        once = {"verbosities": [verbosity]}
        journal = ("--journal", folder / f"journal-{number}")
        reel = f"sim:ntag213*2,seed={number},save={tags}"
        # The list has had another journal in the round before.
        watch.run("provision", "--start-over", *journal, "--label", folder / f"labels-{number}.csv", rows, "--reader", reel, status=0, **once)
        written = min(tags.iterdir())
        # The same tag again, for a list that wants another password; tags that know none; a list that cannot be read.
        other = ("provision", "--start-over", "--journal", folder / f"other-{number}", "--timeout", "1")
        watch.run(*other, wrong, "--overwrite", "--reader", f"sim:ntag213,file={written}", status=(65, 75, 77), **once)
        watch.run(*other, wrong, "--reader", "sim:ntag203", status=(65, 75, 77), **once)
        watch.run(*other, bad, "--reader", "sim:ntag213", status=65, **once)
        watch.run("audit", *journal, "--reader", f"sim:ntag213,file={written}", status=0, **once)
        watch.run("report", *journal, "--html", folder / f"report-{number}.html", "--csv", folder / f"report-{number}.csv", "--force",
                  status=0, verbosities=[[], ["--json"]][: number + 1], traced=False)
        watch.run("journal", "verify", *journal[1:], status=0, verbosities=[[]], traced=False)
        for path in tags.iterdir():
            path.unlink()
