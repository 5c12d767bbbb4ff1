"""What README and Docs show at a prompt is what the program prints.

An example is an indented block whose lines start with `$ `; the lines below a command are its output. `…` stands
for anything, on a line of its own for any number of lines; times may differ. An example that needs a real
board, a network or a terminal is named in ELSEWHERE with the reason.
"""

import os
import re
import subprocess
from pathlib import Path

from support import LIMIT, Difference, binary, check, expect

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md"] + sorted(f"Docs/{path.name}" for path in (ROOT / "Docs").glob("*.md"))

ELSEWHERE = {
    "nfcprog readers --check": "readers of this machine",
    "bring-up --reader left": "a board, and a person who lays tags down",
    "LIBNFC_DEFAULT_DEVICE=": "a board that another example has started",
    "--reader /dev/": "boards",
    "--scan /dev/": "a scanner",
    "--aasa auto": "the network",
    "lint-aasa example.com": "the network",
    "$(for i in $(seq 32)": "minutes",
    "ntag213*500": "minutes",
    "--range 1..500": "minutes",
    "db.factory.example": "a database on another machine",
    "sudo ": "an administrator",
    "nfcprog serve": "an agent, which goes on until somebody ends it",
    "verify-sun 'https://example.com/t?e=…": "a reading of a tag of one's own",
    "pg_dump": "a database",
    "createdb orders2": "a database",
    "pg_restore": "a database",
    "http://127.0.0.1:8410": "a hub that another example has started",
    "hub.token": "a hub",
    "nfcprog-hub": "a service",
    "~/.pgpass": "a database",
    "journal verify batch-17.journal": "the journal of a run on boards",
    "--journal batch-17.journal": "the journal of a run on boards",
    "--expect batch-17.journal": "the journal of a run on boards",
    "provision keyed.csv": "a list of a supplier's tags",
    "provision reel.csv": "a list that tags on boards have made",
}

JOBS = "code,serial,batch\nA7F3,000123,2026-11\nB812,000124,2026-11\n"
SOURCE = "sim:ntag213,file=source.tag"
OTHER = "sim:ntag213,file=other.tag"
# What the examples find: a written tag, two dumps, and an association file; where standard output goes.
PREPARED = {
    f"write-url https://example.com/t/1 --reader {SOURCE}": None,
    f"dump before.nfc --reader {SOURCE}": None,
    f"write-url https://example.com/t/2 --reader {OTHER}": None,
    f"dump after.nfc --reader {OTHER}": None,
    "make-aasa --app-id Q7K2M9P4ZX.com.example.app --path /t/*": "apple-app-site-association",
}
# Commands that end with another status than 0, as the text beside them says.
FAILING = {"nfcprog bring-up --reader sim:ntag213,chip=clone --point fast-read", "nfcprog diff before.nfc after.nfc"}
# What lies on the reader where an example names none.
READERS = {"nfcprog clone": f"{SOURCE},then=ntag215", "nfcprog write-url 'https://example.com/t?e={picc}": "sim:ntag424"}
# A reel of one tag is enough.
SHORTER = ("--count 100 ", "--count 1 ")


def examples(text):
    """The commands that can be run here, with the lines that the document shows below each, in order."""
    found = []
    for block in re.findall(r"^    .*\n(?:    .*\n|\n(?=    ))*", text, re.M):
        lines = [line[4:] for line in block.splitlines()]
        for line in lines:
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and found[-1][0].endswith("\\"):
                found[-1] = (found[-1][0][:-1] + line.strip(), [])
            elif lines[0].startswith("$ "):
                found[-1][1].append(line)
    return [each for each in found if not any(word in each[0] for word in ELSEWHERE)]


def pattern(shown):
    """A regular expression for a line that a document shows."""
    text = re.escape(shown.strip()).replace("…", ".*")
    text = re.sub(r"\d+(\\\.\d+)?\\ (ms|s\b)", r"[0-9.]+\\ (ms|s)", text)
    return re.sub(r"20\d\d\\-\d\d\\-\d\dT\S+Z", r"\\S+", text)


def compare(command, shown, output):
    """Each shown line follows the one before it; the first one comes first."""
    seen = [line.strip() for line in output.splitlines()]
    place = 0
    for number, line in enumerate(shown):
        if not line.strip() or line.strip() == "…":
            continue
        wanted = re.compile(pattern(line))
        last = len(seen) if number else place + 1
        for index in range(place, min(last, len(seen))):
            if wanted.fullmatch(seen[index]):
                place = index + 1
                break
        else:
            raise Difference(f"$ {command}\nshown   {line}\nprinted {output}")


def prepare(folder, text):
    (folder / "jobs.csv").write_text(JOBS)
    manifest = re.search(r"```xml\n(<manifest.*?)```", text, re.S)
    if manifest:
        (folder / "AndroidManifest.xml").write_text(manifest[1])
    for command, output in PREPARED.items():
        made = subprocess.run(
            [binary(), *command.split()], cwd=folder, capture_output=True, timeout=LIMIT)
        expect(made.returncode == 0, made.stderr.decode())
        if output:
            (folder / output).write_bytes(made.stdout)
    (folder / "bin").mkdir()
    (folder / "bin" / "nfcprog").symlink_to(binary())


def declare(document):
    @check(f"what {document} shows at a prompt is what the program prints")
    def shows(folder):
        text = (ROOT / document).read_text()
        prepare(folder, text)
        environment = dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], LC_ALL="C.UTF-8")
        environment["XDG_STATE_HOME"] = str(folder / "state")
        differences = []
        for command, shown in examples(text):
            named = re.fullmatch(r"export (\w+)=(\S+)", command)
            if named:
                environment[named[1]] = named[2]
                continue
            reader = next((r for c, r in READERS.items() if command.startswith(c)), "sim:ntag213")
            run = subprocess.run(
                ["bash", "-c", command.replace(*SHORTER)], cwd=folder, env={"NFCPROG_READER": reader} | environment,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
            try:
                compare(command, shown, run.stdout.decode())
                # What fails is shown to fail.
                fails = any(line.startswith(("nfcprog:", "nfcprog-hub:")) for line in shown)
                expect(run.returncode == 0 or fails or command in FAILING, f"$ {command}\n{run.returncode}: {run.stdout.decode()}")
            except Difference as difference:
                differences.append(str(difference))
        if differences:
            raise Difference("\n".join(differences))


for document in DOCUMENTS:
    if examples((ROOT / document).read_text()):
        declare(document)
