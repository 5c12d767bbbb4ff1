"""What all interoperability checks share: declaring them, and running programs within a bound."""

import contextlib
import fcntl
import json
import math
import os
import select
import subprocess
import tempfile
from pathlib import Path

# How many times as long things take here as on a quiet machine; Tests/run measures it (Tests/pace).
PACE = max(1.0, float(os.environ.get("NFCPROG_TEST_PACE", "1")))
# Seconds that any one program may take; generous, for sanitizer builds.
LIMIT = math.ceil(60 * PACE)

_binary = None
# All that are declared: sentence, function, whether it runs alone, whether `Tests/run --quick` runs it, whether it takes long.
checks = []
# The commands that quick checks say they run, and those that the check at work has run.
_quick_commands = set()
_run_commands = set()


class Difference(Exception):
    """What a check expected is not what it saw."""


def use_binary(path):
    global _binary
    _binary = str(Path(path).resolve())


def check(sentence, alone=False, quick=False, long=False):
    """Declares a check. The function takes a fresh folder and raises when something differs.

    It returns a clause
    about what it cannot do here, if anything. A check that measures time, or that acts at an instant of a run, is `alone`: it runs after all others, with one
    beside it at most. One that takes `long`, half a minute, begins before all others.
    """

    def declare(function):
        checks.append((sentence, function, alone, quick, long))
        return function

    return declare


def quick_check(sentence, commands):
    """Declares a check that `Tests/run --quick` runs, too; it fails unless it runs just the commands that it names."""

    def declare(function):
        wanted = set(commands.split())
        _quick_commands.update(wanted)

        def run(folder):
            _run_commands.clear()
            function(folder)
            expect_equal(sorted(_run_commands), sorted(wanted), "the commands that were run")

        return check(sentence, quick=True)(run)

    return declare


def quick_commands():
    return _quick_commands


def expect(condition, text):
    if not condition:
        raise Difference(text)


def expect_equal(seen, wanted, what):
    """Raises with the first differing place when two byte strings, texts or values differ."""
    if seen == wanted:
        return
    if isinstance(seen, bytes) and isinstance(wanted, bytes):
        lines = [f"{what}: {len(seen)} bytes seen, {len(wanted)} wanted"]
        for row in range(0, max(len(seen), len(wanted)), 16):
            here, there = seen[row : row + 16], wanted[row : row + 16]
            if here != there:
                lines.append(f"at {row:4} seen   {here.hex(' ')}")
                lines.append(f"        wanted {there.hex(' ')}")
        raise Difference("\n".join(lines[:21]))
    raise Difference(f"{what}: seen {seen!r}, wanted {wanted!r}")


ONE_USER = "programs of another user, which root alone can start, and others with sub-UIDs (uidmap)"


def as_two_users():
    """What begins a command that may become another user; None where nobody here can."""
    if os.geteuid() == 0:
        return []
    words = ["unshare", "--map-auto", "--map-root-user"]
    try:
        tried = subprocess.run([*words, "setpriv", "--reuid", "65534", "--clear-groups", "true"], capture_output=True)
    except FileNotFoundError:
        return None
    return words if tried.returncode == 0 else None


class Outcome:
    """How a program ended."""

    def __init__(self, words, status, output, errors):
        self.words, self.status, self.output, self.errors = words, status, output, errors

    def __str__(self):
        return f"{' '.join(self.words)}\nstatus {self.status}\n{self.output}{self.errors}"


_state = tempfile.TemporaryDirectory(prefix="nfcprog-state-")
_shared = tempfile.TemporaryDirectory(prefix="nfcprog-shared-", dir="/tmp")
os.chmod(_shared.name, 0o755)


def shared_folder():
    """A folder that all checks of a run share, in whatever process, and that goes with it."""
    return Path(_shared.name)


@contextlib.contextmanager
def alone(name):
    """What no other check of the run does meanwhile."""
    with open(shared_folder() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def program(*words, environment=None, input=None, limit=LIMIT):
    """Runs a program within `limit` seconds; one that does not end raises."""
    words = [str(word) for word in words]
    variables = dict(os.environ, **(environment or {}))
    variables.pop("NFCPROG_READER", None)
    # Not this user's settings and state.
    variables["XDG_CONFIG_HOME"], variables["XDG_STATE_HOME"] = "/nonexistent", _state.name
    variables.update(environment or {})
    try:
        done = subprocess.run(
            words, env=variables, input=input, capture_output=True, text=True, errors="replace",
            timeout=limit, stdin=subprocess.DEVNULL if input is None else None)
    except subprocess.TimeoutExpired as late:
        raise Difference(
            f"{' '.join(words)} did not end within {limit} s\n"
            f"{(late.stdout or b'').decode(errors='replace')}{(late.stderr or b'').decode(errors='replace')}")
    return Outcome(words, done.returncode, done.stdout, done.stderr)


def nfcprog(*words, status=0, **options):
    """Runs nfcprog; another exit status than `status` raises with all that it said."""
    _run_commands.add(str(words[0]))
    outcome = program(_binary, *words, **options)
    expect(outcome.status == status, f"exit status {status} wanted\n{outcome}")
    return outcome


def binary():
    return _binary


def write_message(reader, path):
    """Writes the NDEF message in the file at `path` with nfcprog; returns the JSON object it prints."""
    return json_object(nfcprog("write", "--ndef", path, "--json", "--reader", reader))


def raw_message(reader, folder):
    """The NDEF message that nfcprog reads from the tag, byte for byte."""
    path = folder / "read.ndef"
    nfcprog("read", "--raw", path, "--force", "--reader", reader)
    return path.read_bytes()


def json_object(outcome):
    """The one JSON object that a command has printed, its schema taken out; anything else on standard output raises."""
    # Not splitlines(), which divides at characters that JSON may hold.
    lines = outcome.output.removesuffix("\n").split("\n")
    expect(len(lines) == 1, f"one line of JSON wanted on standard output\n{outcome}")
    seen = json.loads(lines[0])
    expect_equal(seen.pop("schema"), 1, "schema")
    return seen


def memory(path):
    """What a virtual tag's file says of its memory, row after row: `Page 4: 03 14 D1 01`."""
    rows = {}
    for line in path.read_text().splitlines():
        name, _, value = line.partition("#")[0].partition(":")
        words = name.split()
        if len(words) == 2 and words[0] in ("Page", "Block"):
            rows[int(words[1])] = bytes.fromhex(value)
    return b"".join(rows[number] for number in sorted(rows))


class Simulation:
    """A board with tags in `nfcprog simulate`: other programs open `port`."""

    def __init__(self, *tags):
        _run_commands.add("simulate")
        self._process = subprocess.Popen(
            [_binary, "simulate", *map(str, tags)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        ready, _, _ = select.select([self._process.stdout], [], [], LIMIT)
        line = self._process.stdout.readline().strip() if ready else ""
        if not line:
            self._process.kill()
            raise Difference(f"simulate printed no path: {self._process.communicate()[1]}")
        self.port = line
        # What libnfc's programs look at instead of searching for boards.
        self.environment = {
            "LIBNFC_DEFAULT_DEVICE": f"pn532_uart:{self.port}", "LIBNFC_AUTO_SCAN": "false"}
        return self

    def next_line(self):
        """What it prints next, once it does."""
        return self._process.stdout.readline().strip()

    def kill(self):
        """Ends it without a chance to do anything more."""
        self._process.kill()
        self._process.communicate()
        self._process = None

    def __exit__(self, kind, error, trace):
        if self._process is None:
            return
        self._process.terminate()
        try:
            _, errors = self._process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise Difference("simulate did not end when it was asked to")
        expect(error is not None or self._process.returncode == 0,
               f"simulate ended with status {self._process.returncode}: {errors}")


def expect_refusal(folder, kind, words, status, word):
    """`words` fail with `status`, say `word`, in JSON too, and leave a tag of this kind as it was."""
    image = folder / "tag.txt"
    reader = f"sim:{kind},file={image}"
    nfcprog("info", "--reader", reader)
    before = image.read_bytes()
    words = [*words, "--reader", reader]
    outcome = nfcprog(*words, status=status)
    expect(word in outcome.errors and outcome.output == "", str(outcome))
    seen = json_object(nfcprog(*words, "--json", status=status))
    expect_equal((seen["result"], seen["error"]["code"]), ("failed", status), "JSON")
    expect(word in seen["error"]["message"], str(seen))
    expect_equal(image.read_bytes(), before, "tag file")
