"""Files that a person names for a command to write: not overwritten unless asked for, and told."""

import os
import subprocess
import threading

from support import Simulation, binary, check, expect, expect_equal, memory, nfcprog, program

URL = "https://example.com/t/1"
KEPT = "keep me\n"
MASTER = "00112233445566778899AABBCCDDEEFF"


def tag(folder, kind="ntag213"):
    return f"sim:{kind},file={folder / 'tag.txt'}"


def journal(folder):
    path = folder / "run.journal"
    if not path.exists():
        nfcprog("provision", "--range", "1..1", "--template", "https://example.com/{code}", "--journal", path, "--reader", "sim:ntag213")
    return path


def exporting(folder, out):
    keys = folder / "series.keys"
    keys.write_text(f"scheme = an10922\nmaster = {MASTER}\n")
    keys.chmod(0o600)
    return ["provision", "--range", "1..1", "--template", "https://example.com/{code}?e={picc}&c={mac}", "--sdm", "--keys", keys,
            "--journal", folder / "proofs.journal", "--export-keys", out, "--timeout", "1", "--reader", tag(folder, "ntag424")]


# What writes the file, the file's name, the command, and whether its --force is for files alone.
WRITERS = [
    *[("dump", f"out.{suffix}", lambda f, out: ["dump", out, "--reader", tag(f)], True) for suffix in ("bin", "mfd", "json", "nfc")],
    ("dump", "out.mct", lambda f, out: ["dump", out, "--reader", tag(f, "classic1k")], True),
    ("read --raw", "out", lambda f, out: ["read", "--raw", out, "--reader", tag(f)], True),
    ("report --html", "out", lambda f, out: ["report", "--journal", journal(f), "--html", out], True),
    ("report --csv", "out", lambda f, out: ["report", "--journal", journal(f), "--csv", out], True),
    ("report-problem", "out", lambda f, out: ["report-problem", "--output", out], True),
    ("bring-up --report", "out", lambda f, out: ["bring-up", "--point", "self-test", "--report", out, "--reader", "sim:ntag213"], True),
    ("provision --export-keys", "out", exporting, True),
    ("info --trace", "out", lambda f, out: ["info", "--trace", out, "--reader", tag(f)], True),
    ("write-url --trace", "out", lambda f, out: ["write-url", URL + "23", "--trace", out, "--reader", tag(f)], False),
    ("write-pages --trace", "out", lambda f, out: ["write-pages", "--page", "9", "01020304", "--trace", out, "--reader", tag(f)], False),
    ("lock --trace", "out", lambda f, out: ["lock", "--trace", out, "--reader", tag(f)], False),
    ("format-classic --trace", "out", lambda f, out: ["format-classic", "--trace", out, "--reader", tag(f, "classic1k")], True),
    ("clone --trace", "out", lambda f, out: ["clone", "--any-content", "--count", "1", "--trace", out, "--reader", tag(f) + ",then=ntag213"], True),
    ("transceive --trace", "out", lambda f, out: ["transceive", "3004", "--trace", out, "--reader", tag(f)], True),
    ("phone --session --trace", "out", lambda f, out: ["phone", "--session", "ndef", "--timeout", "1", "--trace", out, "--reader", tag(f)], True),
    ("provision --trace", "out", lambda f, out: [
        "provision", "--range", "1..1", "--template", URL + "{code}", "--overwrite", "--trace", out, "--reader", tag(f)], True),
]

for writer, name, make, is_for_files in WRITERS:

    @check(f"{writer} ({name}) overwrites no file without --force, 73, before the tag is touched, and says what it has written")
    def writes(folder, name=name, make=make, is_for_files=is_for_files):
        environment = {"XDG_STATE_HOME": str(folder / "state")}
        kind = {"ntag424": "ntag424", "classic1k": "classic1k"}
        out, image = folder / name, folder / "tag.txt"
        words = make(folder, out)
        used = next((kind[k] for k in kind if any(f"sim:{k}," in str(word) for word in words)), "ntag213")
        if used == "ntag213":
            nfcprog("write-url", URL, "--reader", tag(folder))
        else:
            nfcprog("info", "--reader", tag(folder, used))
        held = memory(image)
        out.write_text(KEPT)
        refused = program(binary(), *words, environment=environment)
        expect(refused.status == 73 and f"{out} exists already" in refused.errors, str(refused))
        expect(("--force" in refused.errors) == is_for_files, str(refused))
        expect_equal((out.read_text(), memory(image)), (KEPT, held), "file and tag")
        # A link to a file of somebody, and one that leads nowhere.
        for target in (out, folder / "nowhere"):
            link = folder / f"link-{name}"
            link.symlink_to(target)
            expect_equal(program(binary(), *make(folder, link), environment=environment).status, 73, f"a link to {target.name}")
            expect(link.is_symlink() and not (folder / "nowhere").exists(), "the link")
            link.unlink()
        expect_equal((out.read_text(), memory(image)), (KEPT, held), "file and tag behind a link")
        if is_for_files:
            done = program(binary(), *words, "--force", environment=environment)
        else:
            out.unlink()
            done = program(binary(), *words, environment=environment)
        expect(done.status in (0, 65), str(done))
        size = out.stat().st_size
        expect(size > 0 and f"Saved {size} byte" in done.output + done.errors and f" to {out}." in done.output + done.errors, str(done))
        expect(not [path for path in folder.iterdir() if path.name.startswith(".nfcprog")], "a draft is left")


@check("an empty file, a pipe and a device are no files that could be lost")
def nothing_lost(folder):
    empty = folder / "empty.bin"
    empty.touch()
    nfcprog("dump", empty, "--reader", tag(folder))
    expect_equal(len(empty.read_bytes()), 180, "file")
    nfcprog("info", "--trace", "/dev/null", "--reader", tag(folder))
    pipe, seen = folder / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: seen.append(pipe.read_text()))
    reader.start()
    nfcprog("report", "--journal", journal(folder), "--csv", pipe)
    reader.join(10)
    expect(seen and "written" in seen[0] and pipe.is_fifo(), str(seen))
    taken = folder / "taken.csv"
    with open(taken, "w") as file:
        file.write("before\n")
        file.flush()
        subprocess.run([binary(), "report", "--journal", folder / "run.journal", "--csv", "/dev/stdout"], stdout=file, check=True)
    expect(taken.read_text().startswith("before\n") and "written" in taken.read_text(), taken.read_text())


@check("a trace that settings name for every run replaces the trace before it, and no other file")
def lasting_trace(folder):
    trace, settings = folder / "last.trace", folder / "nfcprog.toml"
    settings.write_text(f'[defaults]\ntrace = "{trace}"\n')
    environment = {"NFCPROG_CONFIG": str(settings), "XDG_STATE_HOME": str(folder / "state")}
    for _ in range(2):
        nfcprog("info", "--reader", tag(folder), environment=environment)
    expect(trace.read_text().startswith("{"), "trace")
    nfcprog("info", "--trace", trace, "--reader", tag(folder), environment=environment, status=73)
    trace.write_text(KEPT)
    nfcprog("info", "--reader", tag(folder), environment=environment, status=73)
    expect_equal(trace.read_text(), KEPT, "another file")


@check("--force replaces nothing that the command itself needs: 64")
def needed(folder):
    held = journal(folder).read_bytes()
    for option in ("--html", "--csv"):
        nfcprog("report", "--journal", journal(folder), option, folder / "." / "run.journal", "--force", status=64)
    expect_equal(journal(folder).read_bytes(), held, "journal")
    keys = folder / "series.keys"
    nfcprog(*exporting(folder, keys), "--force", status=64)
    expect(MASTER in keys.read_text(), "the keys are gone")


@check("simulate --stats overwrites no file without --force, and --link no file of anybody")
def simulated(folder):
    stats = folder / "stats.json"
    stats.write_text(KEPT)
    nfcprog("simulate", "ntag213", "--stats", stats, status=73)
    expect_equal(stats.read_text(), KEPT, "file")
    with Simulation("ntag213", "--stats", stats, "--force"):
        pass
    expect(stats.read_text().startswith("{"), "statistics")
    for link in (folder / "mine", folder / "mine-too"):
        (folder / "mine").write_text(KEPT)
        if link.name == "mine-too":
            link.symlink_to(folder / "mine")
        nfcprog("simulate", "ntag213", "--link", link, status=73)
        expect_equal((folder / "mine").read_text(), KEPT, "file")
