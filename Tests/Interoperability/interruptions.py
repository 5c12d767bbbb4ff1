"""Signals and readers in use: how commands end, and what they leave."""

import json
import signal
import subprocess
import time

from support import LIMIT, Difference, Simulation, binary, check, expect, expect_equal, memory, nfcprog


URL = "https://example.com/t/1"


def start(*words, settle=1.0):
    """Starts nfcprog and lets it come as far as it does in `settle` seconds."""
    process = subprocess.Popen(
        [binary(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    time.sleep(settle)
    return process


def end(process, number):
    """Sends a signal and returns standard output; another status than 130 raises."""
    if process.poll() is not None:
        raise Difference(f"it ended by itself with {process.returncode}: {process.communicate()}")
    process.send_signal(number)
    try:
        output, errors = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    expect_equal(process.returncode, 130, f"exit status ({output}{errors})")
    return output


@check("a reader that another nfcprog holds: 69, with its process named", alone=True)
def busy(folder):
    with Simulation() as board:
        first = start("info", "--reader", board.port)
        outcome = nfcprog("info", "--reader", board.port, status=69)
        expect(str(first.pid) in outcome.errors, str(outcome))
        end(first, signal.SIGTERM)


for number in (signal.SIGINT, signal.SIGTERM):

    @check(f"{number.name} while waiting for a tag: 130, and one JSON object", alone=True)
    def interrupted_wait(folder, number=number):
        with Simulation() as board:
            waiting = start("info", "--json", "--reader", board.port)
            output = end(waiting, number)
        expect_equal(json.loads(output)["error"]["code"], 130, "JSON")


@check("a signal ends a board that has just started, whenever it comes")
def quick_kills(folder):
    for number in range(60):
        board = subprocess.Popen(
            [binary(), "simulate", f"ntag213,file={folder / 'tag.txt'}"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(number % 30 * 0.001)
        board.send_signal((signal.SIGTERM, signal.SIGINT)[number % 2])
        try:
            board.communicate(timeout=LIMIT / 4)
        except subprocess.TimeoutExpired:
            board.kill()
            raise Difference(f"the signal {number % 30} ms after the start was lost")
        expect(board.returncode in (0, -signal.SIGTERM, -signal.SIGINT), str(board.returncode))


@check("a format cut short by SIGINT exits with 130, and the same command finishes it", alone=True)
def interrupted_format(folder):
    whole, cut = folder / "whole.txt", folder / "cut.txt"
    words = ["format-classic", "--url", URL, "--reader"]
    nfcprog(*words, f"sim:classic4k,uid=a1b2c3d4,file={whole}")
    blank = folder / "blank.txt"
    nfcprog("info", "--reader", f"sim:classic4k,uid=a1b2c3d4,file={blank}")
    with Simulation(f"classic4k,uid=a1b2c3d4,file={cut}", "--realtime") as board:
        trace = folder / "trace.jsonl"
        formatting = start(*words, board.port, "--trace", trace, settle=0)
        deadline = time.monotonic() + LIMIT
        while not trace.exists() or trace.read_text().count('"4001a0') < 20:
            expect(time.monotonic() < deadline, "20 blocks were not written in time")
            time.sleep(0.01)
        end(formatting, signal.SIGINT)
    expect(memory(blank) != memory(cut) != memory(whole), "it was not cut in its midst")
    nfcprog(*words, f"sim:classic4k,file={cut}")
    expect_equal(memory(cut), memory(whole), "memory")
