"""nfcprog as a command: exit codes, what stands on which channel, and tags that wrong input leaves alone."""

import json
import sys

from support import (
    Simulation, binary, check, expect, expect_equal, expect_refusal, json_object, memory, nfcprog,
    program)
from tags import uri_message


URL = "https://example.com/t/1"


@check("--help explains itself on standard output")
def help_text(folder):
    outcome = nfcprog("--help")
    expect("USAGE: nfcprog" in outcome.output, str(outcome))


@check("a command's help is short, and says how to see the rest: provision 40 lines, others 64")
def short_help(folder):
    described = json.loads(nfcprog("--experimental-dump-help").output)["command"]
    for command in described["subcommands"]:
        name = command["commandName"]
        if name == "help":
            continue
        text = nfcprog(name, "--help").output
        lines = text.rstrip("\n").split("\n")
        limit = 40 if name == "provision" else 64
        # What these two are for takes all their options.
        expect(len(lines) <= limit or name in ("check-link", "phone"), f"{name}: {len(lines)} lines")
        hidden = {option["names"][0]["name"] for option in command.get("arguments", [])
                  if option["kind"] != "positional" and not option["shouldDisplay"]} - {"help", "help-hidden"}
        whole = nfcprog(name, "--help-hidden").output
        for option in hidden:
            expect(f"\n  --{option} " not in text, f"{name} shows --{option}")
        expect(("--help-hidden shows" in text) == (whole.count("\n  -") > text.count("\n  -")), f"{name}: the rest")


@check("options of earlier versions are refused with the new ones: 64 and 78, the tag untouched")
def retired(folder):
    image = folder / "tag.txt"
    reader = f"sim:ntag213,file={image}"
    nfcprog("info", "--reader", reader)
    before = image.read_bytes()
    for words, instead in (
            (["write-url", URL, "--password-file", "f"], "--password file:PATH"),
            (["write-url", URL, "--set-password-file=f"], "--set-password file:PATH"),
            (["write-url", URL, "--protect"], "--set-password env:NFCPROG_SET_PASSWORD"),
            (["provision", "--range", "1..5", "--width", "4", "--template", URL + "{code}"], "--range 0001..0400"),
            (["provision", "--range", "1..5", "--realtime", "--template", URL + "{code}"], "pace=real")):
        for given in ([], ["--json"]):
            outcome = nfcprog(*words, *given, "--reader", reader, status=64)
            expect(instead in outcome.errors, str(outcome))
    settings = folder / "nfcprog.toml"
    for text in ("[defaults]\npassword-file = 'f'\n", "[commands.write-url]\nprotect = true\n", "[commands.provision]\nwidth = 4\n"):
        settings.write_text(text)
        outcome = nfcprog("write-url", URL, "--reader", reader, environment={"NFCPROG_CONFIG": str(settings)}, status=78)
        expect("line 2" in outcome.errors and "Use " in outcome.errors, str(outcome))
    for name in ("NFCPROG_PASSWORD_FILE", "NFCPROG_SET_PASSWORD_FILE", "NFCPROG_WIDTH"):
        outcome = nfcprog("write-url", URL, "--reader", reader, environment={name: "f"}, status=78)
        expect(name in outcome.errors and "Use " in outcome.errors, str(outcome))
    series = ["provision", "--range", "1..2", "--template", URL + "{code}", "--reader", "sim:ntag213*2"]
    outcome = nfcprog(*series, environment={"NFCPROG_REALTIME": "true"}, status=78)
    expect("pace=real" in outcome.errors, str(outcome))
    nfcprog(*series, "--realtime", "--help")
    expect_equal(image.read_bytes(), before, "tag file")
    # A count for all commands is for series.
    outcome = nfcprog("write-url", URL, "--reader", reader, environment={"NFCPROG_COUNT": "2"})
    expect("written and verified" in outcome.output, str(outcome))


@check("write-url --count writes so many tags, each once, and ends with 75 where they do not come")
def counted_tags(folder):
    tags = folder / "tags"
    tags.mkdir()
    outcome = nfcprog("write-url", URL, "--count", "3", "--json", "--reader", f"sim:ntag213*5,save={tags}")
    seen = [json.loads(line) for line in outcome.output.splitlines()]
    expect_equal([(one["command"], one["result"], one["records"][0]["uri"]) for one in seen], [("write-url", "written", URL)] * 3, "tags")
    expect_equal(len({one["uid"] for one in seen}), 3, "UIDs")
    expect_equal(len(list(tags.iterdir())), 3, "saved tags")
    outcome = nfcprog("write-url", URL, "--count", "3", "--timeout", "0.3", "--reader", "sim:ntag213*2", status=75)
    expect("2 tags written" in outcome.output, str(outcome))
    # The same tag again is none of them.
    image = folder / "one.txt"
    outcome = nfcprog(
        "write-url", URL, "--count", "2", "--timeout", "0.3", "--reader", f"sim:ntag213,file={image},then=ntag213,file={image}", status=75)
    expect("1 tag written" in outcome.output, str(outcome))
    nfcprog("write-url", URL, "--count", "0", "--reader", "sim:ntag213", status=64)
    plan = nfcprog("write-url", URL, "--count", "2", "--dry-run", "--reader", f"sim:ntag213*2,save={folder}")
    expect("2 planned" in plan.output, str(plan))


@check("the journal of a list lies beside it where none is named, and a rehearsal leaves none")
def journal_beside(folder):
    (folder / "jobs.csv").write_text("url\nhttps://example.com/1\nhttps://example.com/2\n")
    nfcprog("provision", folder / "jobs.csv", "--reader", "sim:ntag213*2")
    expect_equal([path.name for path in folder.iterdir()], ["jobs.csv"], "after a rehearsal")
    with Simulation("ntag213", "ntag213") as board:
        outcome = nfcprog("provision", folder / "jobs.csv", "--reader", f"pn532_uart:{board.port}")
    journal = folder / "jobs.sqlite"
    expect(f"The journal is {journal}." in outcome.errors and journal.exists(), str(outcome))
    expect("2" in nfcprog("report", "--journal", journal).output, "report")
    # By a link the same list has the same journal, and no job goes on a second tag.
    (folder / "link.csv").symlink_to(folder / "jobs.csv")
    with Simulation("ntag213,seed=2", "ntag213,seed=2") as board:
        again = nfcprog("provision", folder / "link.csv", "--reader", f"pn532_uart:{board.port}")
    expect(f"The journal is {journal}." in again.errors and "0 passed" in again.output, str(again))
    with Simulation("ntag213") as board:
        for words in (["/dev/stdin"], ["-"]):
            nfcprog("provision", *words, "--reader", f"pn532_uart:{board.port}", input="url\nhttps://example.com/9\n", status=64)
        other = folder / "other.sqlite"
        named = nfcprog("provision", folder / "link.csv", "--journal", other, "--reader", f"pn532_uart:{board.port}", status=65)
        expect("used with another" in named.errors, str(named))
    kept = nfcprog("provision", folder / "jobs.csv", "--count", "1", "--timeout", "0.3", "--reader", "sim:ntag213*1,bad=100%", status=77)
    expect("a run without a journal begins anew" in kept.errors, str(kept))
    nfcprog("provision", "--range", "1..2", "--template", URL + "{code}", "--reader", "pn532_uart:/dev/none", status=64)
    nfcprog("provision", folder / "jobs.csv", "--label", folder / "l.csv", "--reader", "sim:ntag213*2", status=64)


@check("--dry-run prints the plan and its cost and writes nothing")
def dry_run(folder):
    image = folder / "tag.txt"
    reader = f"sim:classic1k,file={image}"
    nfcprog("info", "--reader", reader)
    before = image.read_bytes()
    outcome = nfcprog("format-classic", "--url", URL, "--dry-run", "--reader", reader)
    expect("write block 4" in outcome.output and "Cost:" in outcome.output, str(outcome))
    plan = json_object(nfcprog("format-classic", "--url", URL, "--dry-run", "--json", "--reader", reader))
    expect_equal(plan["result"], "planned", "result")
    expect(plan["plan"]["writes"] > 16, f"plan: {plan['plan']}")
    expect_equal(image.read_bytes(), before, "tag file")


@check("messages and payloads come through pipes, too")
def pipes(folder):
    reader = f"sim:ntag213,file={folder / 'tag.txt'}"
    for words in (["--mime", "text/plain=@-"], ["--mime", "text/plain=@/dev/stdin"]):
        nfcprog("write", *words, "--reader", reader, input="through a pipe")
        seen = json_object(nfcprog("read", "--json", "--reader", reader))
        expect_equal(seen["records"][0]["payload"], b"through a pipe".hex(), "payload")


@check("a file without an end is refused, 65, wherever one is read")
def endless(folder):
    zero = "/dev/zero"
    for words in (["restore", zero], ["write", "--ndef", zero], ["write", "--mime", f"a/b=@{zero}"], ["lint-aasa", zero],
                  ["info", "--key-file", zero], ["write-pages", "--start", "8", "--file", zero]):
        reader = [] if words[0] == "lint-aasa" else ["--reader", "sim:ntag213"]
        outcome = nfcprog(*words, *reader, status=65)
        expect("/dev/zero has more than 16 MB" in outcome.errors, str(outcome))


@check("a 1K with a secret key B is reset with that key only")
def secret_key(folder):
    image, key = folder / "tag.txt", "c0ffee123456"
    reader = f"sim:classic1k,file={image}"
    nfcprog("info", "--reader", reader)
    delivered = memory(image)
    nfcprog("format-classic", "--key-b", key, "--url", URL, "--reader", reader)
    formatted = memory(image)
    nfcprog("reset-classic", "--reader", reader, status=77)
    expect_equal(memory(image), formatted, "memory after a reset without the key")
    keys = folder / "keys"
    keys.write_text(f"# the bench's\n{key}\n")
    nfcprog("reset-classic", "--key-file", keys, "--reader", reader)
    expect_equal(memory(image), delivered, "memory after the reset")


@check("formatting a formatted 1K says unchanged and writes nothing")
def format_twice(folder):
    reader = f"sim:classic1k,file={folder / 'tag.txt'}"
    first = json_object(nfcprog("format-classic", "--json", "--reader", reader))
    second = json_object(nfcprog("format-classic", "--json", "--reader", reader))
    expect_equal((first["result"], first["capacity"]), ("written", 716), "first")
    expect_equal((second["result"], second["operations"]["writes"]), ("unchanged", 0), "second")


@check("write-pages writes raw pages, from the command line and from a file")
def raw_pages(folder):
    image, data = folder / "tag.txt", folder / "data"
    reader = f"sim:ntag213,file={image}"
    nfcprog("write-pages", "--page", "8", "01020304", "05:06:07:08", "--reader", reader)
    expect_equal(memory(image)[32:40], bytes(range(1, 9)), "pages 8 and 9")
    data.write_bytes(b"ABCDEFGH")
    nfcprog("write-pages", "--start", "10", "--file", data, "--reader", reader)
    expect_equal(memory(image)[40:48], b"ABCDEFGH", "pages 10 and 11")


def long_message(folder):
    path = folder / "long.ndef"
    path.write_bytes(uri_message(138))
    return path


def garbage(folder):
    path = folder / "garbage.ndef"
    path.write_bytes(b"\xff\x00garbage")
    return path


# What is wrong, exit status, a word of the explanation, arguments behind the command's name.
WRONG = [
    ("a key that is not hexadecimal", 64, "key", lambda f: ["write-url", URL, "--key", "XYZ"]),
    ("a password of the wrong length", 64, "password", lambda f: ["write-url", URL, "--password", "0102"]),
    ("pages that are not hexadecimal", 64, "hexadecimal", lambda f: ["write-pages", "--page", "4", "0102030G"]),
    ("a write without records", 64, "record", lambda f: ["write"]),
    ("a speed that the chip does not have", 64, "baud", lambda f: ["write-url", URL, "--baud", "1234"]),
    ("less and more at once", 64, "--quiet or --verbose", lambda f: ["write-url", URL, "--quiet", "--verbose"]),
    ("a network whose password has another name", 65, "--wifi", lambda f: ["write", "--wifi", "guests,passwort=x"]),
    ("a URL without a scheme", 65, "URL", lambda f: ["write-url", "example.com/t/1"]),
    ("a URL with a space in its host", 65, "URL", lambda f: ["write-url", "https://exa mple.com/"]),
    ("a message that does not fit", 65, "138", lambda f: ["write", "--ndef", long_message(f)]),
    ("a file that is no message", 65, "--ndef", lambda f: ["write", "--ndef", garbage(f)]),
    ("half a page in a file", 65, "page", lambda f: ["write-pages", "--start", "4", "--file", garbage(f)]),
    ("formatting a tag that is no MIFARE Classic", 65, "Classic", lambda f: ["format-classic"]),
    ("a message file that is not there", 66, "none.ndef", lambda f: ["write", "--ndef", f / "none.ndef"]),
    ("a payload file that is not there", 66, "none", lambda f: ["write", "--mime", f"text/plain=@{f}/none"]),
    ("a key file that is not there", 66, "none", lambda f: ["write-url", URL, "--key-file", f / "none"]),
    ("a trace that cannot be written", 73, "trace", lambda f: ["write-url", URL, "--trace", f / "no" / "trace"]),
    ("page 3 without --force", 65, "--force", lambda f: ["write-pages", "--page", "3", "E1101200"]),
]

for what, status, word, arguments in WRONG:

    @check(f"{what}: {status}, explained, the tag untouched")
    def wrong(folder, status=status, word=word, arguments=arguments):
        expect_refusal(folder, "ntag213", arguments(folder), status, word)


@check("an unknown virtual tag is a usage error, 64, that names the known ones")
def unknown_tag(folder):
    outcome = nfcprog("info", "--reader", "sim:ntag999", status=64)
    expect("ntag999" in outcome.errors and "ntag213" in outcome.errors, str(outcome))


@check("a reader that is not there: 69")
def no_reader(folder):
    outcome = nfcprog("info", "--reader", "/dev/ttyUSB99", status=69)
    expect("/dev/ttyUSB99" in outcome.errors, str(outcome))


@check("more open files than libnfc can wait beside: 69, with what to do")
def crowded(folder):
    crowd = (
        "import os, resource, sys; most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))\n"
        "for _ in range(1024): os.set_inheritable(os.dup(0), True)\n"
        "os.execv(sys.argv[1], sys.argv[1:])")
    outcome = program(sys.executable, "-c", crowd, binary(), "info", "--reader", "sim:ntag213")
    expect(outcome.status == 69 and "too many files and connections open" in outcome.errors, str(outcome))


@check("NFCPROG_READER names the reader; one that is no reader is a configuration error, 78")
def environment(folder):
    reader = {"NFCPROG_READER": "sim:ntag215"}
    seen = json_object(nfcprog("info", "--json", environment=reader))
    expect_equal(seen["tag"], "ntag215", "tag")
    nfcprog("info", environment={"NFCPROG_READER": "sim:ntag999"}, status=78)


@check("two tags in the field: 74, both named, nothing written")
def two_tags(folder):
    reader = "sim:ntag213+ntag213,uid=04010203040506+04060504030201"
    outcome = nfcprog("write-url", URL, "--reader", reader, status=74)
    for uid in ("04:01:02:03:04:05:06", "04:06:05:04:03:02:01"):
        expect(uid in outcome.errors, str(outcome))


@check("no tag in time: 75")
def no_tag(folder):
    with Simulation() as board:
        outcome = nfcprog("info", "--reader", board.port, "--timeout", "0", status=75)
        expect("ISO 15693" in outcome.errors, str(outcome))
        expect("ISO 15693" not in nfcprog("read", "--reader", board.port, "--timeout", "0", status=75).errors, "read says it, too")
        seen = json_object(nfcprog("info", "--json", "--reader", board.port, "--timeout", "0.5", status=75))
        expect("uid" not in seen and seen["error"]["code"] == 75, str(seen))


@check("data that are neither blank nor NDEF are refused, 77, unless --overwrite gives them up")
def foreign_data(folder):
    image = folder / "tag.txt"
    reader = f"sim:classic1k,file={image}"
    nfcprog("info", "--reader", reader)
    image.write_text(image.read_text().replace("Block 20: 00", "Block 20: 42"))
    before = image.read_bytes()
    outcome = nfcprog("format-classic", "--reader", reader, status=77)
    expect("--overwrite" in outcome.errors, str(outcome))
    expect_equal(image.read_bytes(), before, "tag file")
    nfcprog("format-classic", "--overwrite", "--url", URL, "--reader", reader)
    expect_equal(json_object(nfcprog("read", "--json", "--reader", reader))["length"], 20, "length")


@check("a damaged tag file is refused, 65, and left as it is")
def damaged_file(folder):
    image = folder / "tag.txt"
    image.write_text("this is no tag\n")
    nfcprog("info", "--reader", f"sim:ntag213,file={image}", status=65)
    expect_equal(image.read_text(), "this is no tag\n", "tag file")


@check("--trace onto a full disk: 73, in one JSON object, and what became of the tag is said")
def full_disk(folder):
    words = ["--trace", "/dev/full", "--reader"]
    tag = f"sim:ntag213,file={folder / 'tag'}"
    outcome = nfcprog("write-url", "https://example.com/t/1", *words, tag, "--json", status=73)
    seen = json_object(outcome)
    expect_equal((seen["result"], seen["error"]["code"], seen["verified"]), ("failed", 73, True), str(seen))
    expect("/dev/full" in seen["error"]["message"] and "trace" in outcome.errors, str(outcome))
    expect("trace" in nfcprog("info", *words, tag, status=73).errors, "info")
    expect("trace" in nfcprog("check-link", "--tag", *words, tag, status=73).errors, "check-link")
    nfcprog("clone", "--from", json_file(folder), "--count", "1", *words, "sim:ntag213", status=73)
    lines = nfcprog("provision", "--range", "1..1", "--template", "https://example.com/{code}", "--json", *words,
                    "sim:ntag213", status=73).output.splitlines()
    expect_equal(json.loads(lines[-1])["error"]["code"], 73, "provision")


def json_file(folder):
    path = folder / "source.ndef"
    path.write_bytes(bytes.fromhex("D1011055046578616D706C652E636F6D2F742F31"))
    return path


# What is wrong, words, a part of the sentence.
USAGE = [
    ("a simulated reader that there is not", ["info", "--reader", "sim:nope"], "nope"),
    ("a range that runs backwards", ["provision", "--range", "5..1", "--template", "https://example.com/{code}"], "1..5"),
    ("a journal that is missing", ["provision", "--range", "1..2", "--template", "https://example.com/{code}",
                                   "--reader", "/dev/ttyUSB9"], "--journal"),
    ("an option that there is not", ["info", "--no-such-option"], "--no-such-option"),
    ("a value out of range", ["info", "--timeout", "-1"], "--timeout"),
    ("two readers for one job", ["info", "--reader", "sim:ntag213", "--reader", "sim:ntag215"], "one reader"),
    ("two readers for a copy", ["clone", "--reader", "sim:ntag213", "--reader", "sim:ntag215"], "one reader"),
    ("two readers to write a URL", ["write-url", "https://example.com/", "--reader", "sim:ntag213", "--reader",
                                    "sim:ntag215"], "one reader"),
    ("two readers to check a tag", ["check-link", "--tag", "--reader", "sim:ntag213", "--reader", "sim:ntag215"],
     "one reader"),
]

for what, words, part in USAGE:

    @check(f"{what}: 64, one JSON object with the whole sentence")
    def usage(folder, words=words, part=part):
        seen = json_object(nfcprog(*words, "--json", status=64))
        message = seen["error"]["message"]
        expect_equal((seen["result"], seen["error"]["code"], seen["command"]), ("failed", 64, words[0]), str(seen))
        expect(part in message and message.endswith(".") and len(message) > 15, message)
