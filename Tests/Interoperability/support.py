"""What all interoperability checks share: running programs within a bound, and counting results."""

import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

# Seconds that any one program may take; generous, for sanitizer builds on a busy machine.
LIMIT = 60

_binary = None
_checks = []


class Difference(Exception):
    """What a check expected is not what it saw."""


def use_binary(path):
    global _binary
    _binary = str(Path(path).resolve())


def check(sentence):
    """Declares a check. The function takes a fresh folder and raises when something differs."""

    def declare(function):
        _checks.append((sentence, function))
        return function

    return declare


def run_checks(words):
    """Runs the checks (those that contain one of `words`, when there are any); returns the counts."""
    passed = failed = 0
    for sentence, function in _checks:
        if words and not any(word in sentence for word in words):
            continue
        started = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(prefix="nfcprog-") as folder:
                function(Path(folder))
        except Exception as error:
            failed += 1
            print(f"FAILED  {sentence}")
            text = str(error) if isinstance(error, Difference) else traceback.format_exc()
            print("        " + text.strip().replace("\n", "\n        "))
        else:
            passed += 1
            print(f"ok      {sentence} ({time.monotonic() - started:.1f} s)")
        sys.stdout.flush()
    return passed, failed


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


class Outcome:
    """How a program ended."""

    def __init__(self, words, status, output, errors):
        self.words, self.status, self.output, self.errors = words, status, output, errors

    def __str__(self):
        return f"{' '.join(self.words)}\nstatus {self.status}\n{self.output}{self.errors}"


def program(*words, environment=None, input=None, limit=LIMIT):
    """Runs a program within `limit` seconds; one that does not end raises."""
    words = [str(word) for word in words]
    variables = dict(os.environ, **(environment or {}))
    variables.pop("NFCPROG_READER", None)
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
    outcome = program(_binary, *words, **options)
    expect(outcome.status == status, f"exit status {status} wanted\n{outcome}")
    return outcome


def binary():
    return _binary
