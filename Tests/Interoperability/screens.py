"""What a person sees at a terminal of 80 × 24: the program played from its first screen to a series that goes on. The screens stand in
`screens/`; RECORD_SNAPSHOTS=1 records them."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path

import pyte

from support import LIMIT, binary, check, expect, expect_equal

SCREENS = Path(__file__).with_name("screens")
# What another run has otherwise: times, rates, and how old a verdict is.
VARYING = [(r"A good tag took:(.|\n)*", "A good tag took …\n"), (r"(?m)^running .*$", "running …"), (r"\b\d+ s\b", "N s"),
           (r"[\d,]+ tags an hour", "N tags an hour"), (r"In \d+:\d\d", "In N:NN"), (r"/tmp/[^ ]*/", "/")]


class Terminal:
    """The program at a terminal, which is read all the time."""

    def __init__(self, folder, *words):
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.execve(binary(), ["nfcprog", *map(str, words)], {
                "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "LOGNAME": "ann",
                "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")})
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def _read(self, seconds):
        if not select.select([self._terminal], [], [], seconds)[0]:
            return True
        try:
            part = os.read(self._terminal, 65536)
        except OSError:
            return False
        self._stream.feed(part)
        return bool(part)

    def wait(self, text):
        """Until the screen shows it."""
        deadline = time.monotonic() + LIMIT
        while text not in self.text():
            expect(time.monotonic() < deadline and self._read(0.05), f"no {text!r} on the screen:\n{self.text()}")

    def press(self, keys):
        os.write(self._terminal, keys)

    def signal(self, number):
        os.kill(self._process, number)

    def end(self):
        """Its exit status, once it has ended."""
        deadline = time.monotonic() + LIMIT
        while self._read(0.2):
            if time.monotonic() > deadline:
                os.kill(self._process, signal.SIGKILL)
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n") + "\n"


def expect_screen(name, text):
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    path = SCREENS / f"{name}.txt"
    if os.environ.get("RECORD_SNAPSHOTS"):
        SCREENS.mkdir(exist_ok=True)
        path.write_text(text)
    expect_equal(text, path.read_text() if path.exists() else "", name)


def played(folder, name, *words, status=0):
    terminal = Terminal(folder, *words)
    expect_equal(terminal.end(), status, f"{name}: exit status")
    expect_screen(name, terminal.text())


@check("a terminal of 80 × 24: the start, a command's help, a slip of the pen, the first write, a failure")
def first_steps(folder):
    played(folder, "start")
    played(folder, "help", "write-url", "--help")
    played(folder, "typo", "wrte-url", "https://example.com/t/1", status=64)
    tag = f"sim:ntag213,file={folder / 'my.tag'}"
    played(folder, "write", "write-url", "https://example.com/t/1", "--reader", tag)
    played(folder, "again", "write-url", "https://example.com/t/1", "--reader", tag)
    played(folder, "info", "info", "--reader", tag)
    played(folder, "too-long", "write-url", "https://example.com/" + "x" * 200, "--reader", tag, status=65)
    played(folder, "nobody", "write-url", "https://example.com/t/1", "--reader", "/dev/ttyUSB77", status=69)


@check("a terminal of 80 × 24: a series, its Ctrl-C, and the same command that continues it")
def series_screens(folder):
    words = ["provision", "--range", "01..04", "--template", "https://example.com/t/{code}", "--journal", "jobs.sqlite", "--silent"]
    terminal = Terminal(folder, *words, "--reader", "sim:ntag213*2,stay=1s", "--hold", "1")
    terminal.wait("REMOVE – PASS")
    expect_screen("pass", terminal.text())
    terminal.wait("PLACE TAG")
    terminal.wait("2 of 4")
    terminal.press(b"\x03")
    expect_equal(terminal.end(), 130, "Ctrl-C")
    expect_screen("ctrl-c", terminal.text())
    terminal = Terminal(folder, *words, "--reader", "sim:ntag213*3,seed=2,stay=1s", "--hold", "1")
    expect_equal(terminal.end(), 0, "the same command")
    expect_screen("complete", terminal.text())


# How a series ends: options, what the screen shows before a signal comes (without one: before the journal is taken away), the signal,
# the exit status, and what is said last.
ENDS = [
    ("idle", ["--reader", "sim:ntag213*2", "--timeout", "1"], None, None, 75, "No further tag was presented in time."),
    ("count", ["--reader", "sim:ntag213*4", "--count", "1"], None, None, 0, "The requested number of tags is done."),
    ("sigterm", ["--reader", "sim:ntag213*4,stay=2s"], "REMOVE", signal.SIGTERM, 130, "Interrupted. 3 jobs are left"),
    ("sighup", ["--reader", "sim:ntag213*4,stay=2s"], "REMOVE", signal.SIGHUP, 130, "Interrupted. 3 jobs are left"),
    ("failures", ["--reader", "sim:ntag213*9,bad=100%", "--stop-after-failures", "2"], None, None, 77, "Ended after 2 tags that failed."),
    ("gone", ["--reader", "sim:ntag213*4,stay=2s"], "REMOVE", None, 73, "3 jobs are left"),
]


@check("a terminal of 80 × 24 keeps a series' last words and its sum, however it ends")
def last_words(folder):
    for name, options, shown, number, status, said in ENDS:
        terminal = Terminal(folder, "provision", "--range", "01..04", "--template", "https://example.com/t/{code}",
                            "--journal", f"{name}.sqlite", "--silent", "--start-over", "--hold", "1", *options)
        if shown:
            terminal.wait(shown)
            terminal.signal(number) if number else (folder / f"{name}.sqlite").unlink()
        expect_equal(terminal.end(), status, f"{name}: exit status\n{terminal.text()}")
        words = " ".join(terminal.text().split())
        expect(said in words and re.search(r"\d passed, \d failed, \d not written", words), f"{name}:\n{terminal.text()}")
