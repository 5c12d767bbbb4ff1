"""Runs the interoperability checks, several at a time."""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from support import Difference, checks, use_binary


def run_checks(words, workers=1, quick=False):
    """Runs the checks (those that contain one of `words`, when there are any; the quick ones), `workers` at a time.

    They are printed in the order of their declaration, those that heed the time last: they run two at a time, when
    nothing else does. With 0 workers they run here, one after another: what they share cannot go to another process.
    Returns the counts of passed and failed ones.
    """
    chosen = [number for number, (sentence, _, _, is_quick, _) in enumerate(checks)
              if (is_quick or not quick) and (not words or any(word in sentence for word in words))]
    together = [number for number in chosen if not checks[number][2]]
    apart = [number for number in chosen if checks[number][2]]
    counts = {True: 0, False: 0}

    def show(result):
        passed, text = result
        counts[passed] += 1
        print(text, flush=True)

    if workers == 0:
        for number in together + apart:
            show(_run(number))
        return counts[True], counts[False]
    # A process for each worker: what a check changes in its own (signals, variables, random numbers) reaches no other.
    for numbers, width in (together, workers), (apart, min(workers, 2)):
        with ProcessPoolExecutor(width, multiprocessing.get_context("fork")) as pool:
            longest_first = sorted(numbers, key=lambda number: not checks[number][4])
            futures = {number: pool.submit(_run, number) for number in longest_first}
            for number in numbers:
                try:
                    show(futures[number].result())
                except Exception:  # Its process has ended.
                    show((False, f"FAILED  {checks[number][0]}\n        {traceback.format_exc(0).strip()}"))
    return counts[True], counts[False]


def run_alone(description):
    """Runs the checks of the one file that was started: `FILE --binary NFCPROG [WORD...]`."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    use_binary(arguments.binary)
    sys.exit(0 if run_checks(arguments.words)[1] == 0 else 1)


def _run(number):
    """Runs one check; whether it passed, and its lines of the output."""
    sentence, function, *_ = checks[number]
    started, worked = time.monotonic(), _processor_time()
    try:
        with tempfile.TemporaryDirectory(prefix="nfcprog-") as folder, \
                tempfile.TemporaryDirectory(prefix="nfcprog-state-") as state:
            # What nfcprog remembers between runs, of lists and of boards, is not another check's.
            os.environ["XDG_STATE_HOME"] = state
            left_out = function(Path(folder))
    except Exception as error:
        text = str(error) if isinstance(error, Difference) else traceback.format_exc()
        return False, f"FAILED  {sentence}\n        " + text.strip().replace("\n", "\n        ")
    return True, (f"ok      {sentence} ({time.monotonic() - started:.1f} s, "
                  f"{_processor_time() - worked:.1f} s of processor time)"
                  f"{f'; left out: {left_out}' if left_out else ''}")


def _processor_time():
    """Seconds that this process and those that it has waited for have computed."""
    return sum(used.ru_utime + used.ru_stime
               for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
