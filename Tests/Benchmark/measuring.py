"""One program doing one job on one simulated board: what the board was asked, and what the process took."""

import json
import os
import pty
import select
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from support import LIMIT, Difference, Simulation, binary, expect


class Row:
    """What became of one contender."""

    def __init__(self, contender):
        self.contender, self.failure = contender, None
        self.board, self.wall, self.cpu, self.memory = None, [], [], []

    def median(self, values):
        return statistics.median(values)


class Usage:
    """How a process ended and what it took: seconds, seconds, bytes."""

    def __init__(self, words, environment, folder, text):
        with open(folder / "output", "w+b") as output:
            started = time.monotonic()
            process = subprocess.Popen(
                [str(word) for word in words], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT,
                env=dict(os.environ, **environment), cwd=folder)
            # The answers to what some programs ask; a few bytes always fit.
            process.stdin.write(text.encode())
            process.stdin.close()
            watch = signal.signal(signal.SIGALRM, lambda *_: process.kill())
            signal.alarm(LIMIT)
            _, status, used = os.wait4(process.pid, 0)
            signal.alarm(0)
            signal.signal(signal.SIGALRM, watch)
            self.wall = time.monotonic() - started
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            self.output = output.read().decode(errors="replace")
        self.status = process.returncode
        self.cpu = used.ru_utime + used.ru_stime
        self.memory = used.ru_maxrss * 1024


def measure(job, contender, speed, repeat):
    row = Row(contender)
    for _ in range(repeat):
        try:
            with tempfile.TemporaryDirectory(prefix="nfcprog-") as name:
                once(job, contender, speed, Path(name), row)
        except Difference as error:
            row.failure = f"{job.name}, {contender.name}: {error}"
            break
    return row


def known_adapter(port, folder):
    """A name of `port` under which it has carried long frames, as any adapter has after the first command."""
    name, state = folder / "bench-1", folder / "state/nfcprog"
    name.symlink_to(port)
    state.mkdir(parents=True)
    (state / "proven-lines").write_text(f"921600 port {name}\n")
    return str(name)


def once(job, contender, speed, folder, row):
    tag = f"{job.tag},file={folder / 'tag.txt'}"
    prepare = contender.prepare or job.prepare
    prepare(tag, folder)
    stats = folder / "stats.json"
    with Simulation(tag, "--stats", stats, "--force") as board:
        environment = dict(board.environment)
        if contender.is_ours:
            board.port = known_adapter(board.port, folder)
            environment["XDG_STATE_HOME"] = str(folder / "state")
        usage = Usage(contender.words(board, folder, speed), environment, folder, contender.text)
        expect(usage.status == 0, f"status {usage.status}\n{usage.output}")
    contender.check(tag, folder)
    row.board = json.loads(stats.read_text())
    if job.least and contender.is_ours:
        taken = row.board["work"]["commands"]
        expect(taken <= 1.05 * job.least, f"{taken} commands where {job.least} keep every rule")
    row.wall.append(usage.wall)
    row.cpu.append(usage.cpu)
    row.memory.append(usage.memory)


def start_times(nfcpy, repeat):
    """Seconds from starting a program to its first byte on the wire, by program; `nfcpy`: how it is started."""
    commands = {
        "nfcprog read": ([binary(), "read", "--reader", "{port}"], {}),
        "nfc-list": (["nfc-list"], {"LIBNFC_DEFAULT_DEVICE": "pn532_uart:{port}", "LIBNFC_AUTO_SCAN": "false"}),
        "nfcpy": ([*nfcpy, "{port}", "read"], {}),
    }
    return {name: statistics.median(first_byte(*command) for _ in range(max(repeat, 5)))
            for name, command in commands.items()}


def first_byte(words, environment):
    board, line = pty.openpty()
    port = os.ttyname(line)
    words = [str(word).replace("{port}", port) for word in words]
    environment = {name: value.replace("{port}", port) for name, value in environment.items()}
    started = time.monotonic()
    process = subprocess.Popen(
        words, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    ready, _, _ = select.select([board], [], [], LIMIT)
    passed = time.monotonic() - started
    process.kill()
    process.wait()
    os.close(board)
    os.close(line)
    expect(ready, f"{words[0]} sent nothing")
    return passed
