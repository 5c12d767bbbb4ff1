"""Commands at a reader that an agent holds open: they go through the agent, and nobody can tell."""

import os
import random
import re
import signal
import subprocess
import sys
import time

from agents import Agent
from support import LIMIT, ONE_USER, Simulation, as_two_users, binary, check, expect, expect_equal, json_object, memory, nfcprog, program

UID = "04a1b2c3d4e5f0"
TAG = f"ntag213,uid={UID}"
# What is done one after another at one tag: words, and the exit status.
COMMANDS = [
    (("info",), 0),
    (("info", "--json", "--count"), 0),
    (("write-url", "https://example.com/t/1", "--verbose"), 0),
    (("write-url", "https://example.com/t/2", "--dry-run"), 0),
    (("write", "--lang", "de", "--text", "Hallo", "--json"), 0),
    (("read",), 0),
    (("read", "--json"), 0),
    (("dump", "{folder}/one.nfc"), 0),
    (("dump", "{folder}/one.nfc"), 73),
    (("protect", "--set-password", "file:{folder}/password"), 0),
    (("write-url", "https://example.com/t/3"), 77),
    (("write-url", "https://example.com/t/3", "--password", "file:{folder}/password"), 0),
    (("unprotect", "--password", "file:{folder}/password"), 0),
    (("erase", "--yes"), 0),
    (("restore", "{folder}/one.nfc"), 0),
    (("transceive", "3004", "--json"), 0),
    (("apdu", "--aid", "D2760000850101"), 65),
    (("format-type4",), 65),
    (("write-url", "no address"), 65),
    (("read", "--tag", "ultralight", "--timeout", "0"), 0),
    (("read", "--trace", "{folder}/trace.jsonl", "--quiet"), 0),
    (("lock", "--yes"), 0),
    (("erase", "--yes"), 77),
]


def without_times(text):
    """Names of folders, ports and processes, and measured times, are not the same twice."""
    text = re.sub(r"/dev/pts/\d+", "PORT", text)
    text = re.sub(r'"(measured\w*|duration\w*|start|seconds|milliseconds|\w*Milliseconds|\w*Seconds|time)":[0-9.e+-]+', r'"\1":0', text)
    return re.sub(r"\d+([.,]\d+)? ?(ms|s)\b", "TIME", text)


def do_all(folder, port, state, *more):
    """What each command has said, and the files that they have made."""
    folder.mkdir()
    (folder / "password").write_text("A1B2C3D4\n")
    said = []
    for words, status in COMMANDS:
        words = [word.format(folder=folder) for word in words]
        done = program(binary(), *words, "--reader", port, *more, environment={"XDG_STATE_HOME": str(state)})
        errors = [line for line in done.errors.splitlines() if not line.startswith("Through the agent")]
        text = without_times("\n".join([" ".join(words), str(done.status), done.output, *errors])).replace(str(folder), "FOLDER")
        said.append(text)
        expect_equal(done.status, status, f"{' '.join(words)}\n{done}\nexit status")
        expect_equal(len(errors) < len(done.errors.splitlines()), bool(state.exists()) and "--verbose" in words, f"{words}: told")
    return said, without_times((folder / "trace.jsonl").read_text()), (folder / "one.nfc").read_bytes()


@check("commands at a reader that an agent holds: the same words, status, files, trace and tag as without it")
def same(folder):
    with Simulation(f"{TAG},file={folder}/alone.tag") as board:
        alone = do_all(folder / "alone", board.port, folder / "no")
    with Simulation(f"{TAG},file={folder}/through.tag") as board:
        with Agent(folder / "state", readers=(board.port,)) as agent:
            # It has worked with the tag before.
            expect_equal(agent.ask(f"{agent.reader()}/tag")[0], 200, "a job of the agent's own")
            through = do_all(folder / "through", board.port, folder / "state")
            busy = program(binary(), "info", "--no-agent", "--reader", board.port, environment={"XDG_STATE_HOME": str(folder / "state")})
            expect_equal(busy.status, 69, f"--no-agent: {busy}")
            expect("busy" in busy.errors, f"--no-agent: {busy}")
            for speed in ("auto", "9600"):
                said = program(
                    binary(), "info", "--baud", speed, "--reader", board.port, environment={"XDG_STATE_HOME": str(folder / "state")})
                expect_equal(("as the agent has opened it, not 9600" in said.errors, said.status), (speed == "9600", 0), f"--baud {speed}: {said}")
            expect_equal(agent.ask(f"{agent.reader()}/read", {})[0], 200, "a job of the agent's own")
            expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM")
    for seen, wanted in zip(through[0], alone[0]):
        expect_equal(seen, wanted, "what is said")
    expect_equal(through[1], alone[1], "the trace")
    expect_equal(through[2], alone[2], "the dump")
    expect_equal(memory(folder / "through.tag"), memory(folder / "alone.tag"), "the tag")


def start(state, *words):
    return subprocess.Popen(
        [binary(), *map(str, words)], env=dict(os.environ, XDG_STATE_HOME=str(state), XDG_CONFIG_HOME="/nonexistent"),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@check("commands at an agent's reader wait for each other; killed, stopped by Ctrl-C, or without an agent any more, they say what is known")
def ends(folder):
    state = folder / "state"
    with Simulation(f"{TAG},file={folder}/a.tag") as board:
        with Agent(state, readers=(board.port,)) as agent:
            # Ten at once.
            many = [start(state, "write-url", f"https://example.com/{n}", "--overwrite", "--reader", board.port) for n in range(10)]
            for one in many:
                output, errors = one.communicate(timeout=LIMIT)
                expect_equal(one.returncode, 0, f"of ten at once: {output}{errors}")
            # One that waits for a tag that does not come has the reader: Ctrl-C ends it, and one that waits for it.
            waits = start(state, "read", "--tag", "felica-lite-s", "--reader", board.port, "--verbose", "--timeout", "60")
            expect("Through the agent" in waits.stderr.readline(), "told")
            second = start(state, "read", "--reader", board.port)
            time.sleep(0.5)
            second.send_signal(signal.SIGINT)
            errors = second.communicate(timeout=LIMIT)[1]
            expect_equal(second.returncode, 130, f"Ctrl-C while it waits: {errors}")
            waits.send_signal(signal.SIGINT)
            errors = waits.communicate(timeout=LIMIT)[1]
            expect_equal(waits.returncode, 130, f"Ctrl-C: {errors}")
            # A command that is killed leaves the reader to others.
            killed = start(state, "read", "--tag", "felica-lite-s", "--reader", board.port, "--verbose", "--timeout", "60")
            killed.stderr.readline()
            killed.kill()
            killed.communicate()
            next_one = nfcprog("read", "--reader", board.port, environment={"XDG_STATE_HOME": str(state)})
            expect("example.com" in next_one.output, f"{next_one}")
            # An agent that is killed takes the reader with it.
            last = start(state, "read", "--tag", "felica-lite-s", "--reader", board.port, "--verbose", "--timeout", "60")
            last.stderr.readline()
            agent.end(signal.SIGKILL)
            errors = last.communicate(timeout=LIMIT)[1]
            expect_equal(last.returncode, 69, f"the agent is killed: {errors}")
            expect("is not known" in errors, f"the agent is killed: {errors}")
        left = list((state / "nfcprog/agent/commands").iterdir())
        expect_equal(len(left), 1, "the socket that it has left")
        nfcprog("read", "--reader", board.port, environment={"XDG_STATE_HOME": str(state)})
        with Agent(state, readers=(board.port,)) as agent:
            last = start(state, "read", "--tag", "felica-lite-s", "--reader", board.port, "--verbose", "--timeout", "60")
            last.stderr.readline()
            expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM with a command at work")
            errors = last.communicate(timeout=LIMIT)[1]
            expect_equal(last.returncode, 130, f"the agent is asked to end: {errors}")
        expect_equal(list((state / "nfcprog/agent/commands").iterdir()), [], "sockets that are left")


IMPOSTOR = """
import os, socket, sys
os.setuid(65534)
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen(8)
print("ready", flush=True)
while True:
    one, _ = listener.accept()
    one.settimeout(3)
    try:
        print("heard", len(one.recv(4096)), flush=True)
    except OSError:
        print("heard nothing", flush=True)
    one.close()
"""
INTRUDER = """
import os, socket, struct, sys
os.setuid(65534)
one = socket.socket(socket.AF_UNIX)
one.connect(sys.argv[1])
path = sys.argv[2].encode()
body = bytes([1]) + struct.pack("<H", 1) + bytes([1]) + struct.pack("<H", len(path)) + path
try:
    one.sendall(struct.pack("<I", len(body)) + body)
    print(len(one.recv(100)))
except OSError:
    print(0)
"""


@check("commands through an agent that are cut in the middle of their writes: the same command finishes each tag")
def cut_writes(folder):
    random.seed(20261127)
    for kind in ("ntag216", "classic1k", "type4", "felica-lite-s"):
        state = folder / kind
        state.mkdir()
        environment = {"XDG_STATE_HOME": str(state)}
        with Simulation(f"{kind},file={state}/a.tag", "--realtime") as board, Agent(state, readers=(board.port,)):
            reader = ("--reader", board.port)
            links = [f"https://example.com/{number}/{'a' * 120}" for number in range(7)]
            nfcprog("write-url", links[0], *reader, environment=environment)
            for before, link in zip(links, links[1:]):
                process = start(state, "write-url", link, *reader, "--verbose")
                expect("Through the agent" in process.stderr.readline(), "the command opens the reader itself")
                time.sleep(random.uniform(0, 0.4))
                process.send_signal(random.choice([signal.SIGKILL, signal.SIGINT]))
                process.communicate(timeout=LIMIT)
                left = json_object(nfcprog("read", "--json", *reader, environment=environment))
                shown = [record.get("uri") for record in left.get("records", [])]
                expect(shown in ([], [before], [link]), f"{kind} shows {shown} after a write that was cut")
                nfcprog("write-url", link, *reader, environment=environment)
                left = json_object(nfcprog("read", "--json", *reader, environment=environment))
                expect_equal([record["uri"] for record in left["records"]], [link], f"{kind} after the same command")


@check("an agent's socket: another user's agent gets nothing of a command, and an agent nothing to do from another user")
def strangers(folder):
    root = as_two_users()
    if root is None:
        return ONE_USER
    state = folder / "state"
    sockets = state / "nfcprog/agent/commands"
    with Simulation(f"{TAG},file={folder}/a.tag") as board:
        sockets.mkdir(parents=True)
        for place in [folder, *folder.parents]:
            if place.stat().st_mode & 0o001 == 0:
                place.chmod(place.stat().st_mode | 0o011)
        sockets.chmod(0o777)
        impostor = subprocess.Popen([*root, sys.executable, "-c", IMPOSTOR, str(sockets / "1.socket")], stdout=subprocess.PIPE, text=True)
        try:
            expect_equal(impostor.stdout.readline(), "ready\n", "the impostor")
            said = nfcprog("read", "--verbose", "--reader", board.port, environment={"XDG_STATE_HOME": str(state)})
            expect("Through" not in said.errors, f"{said}")
            expect_equal(impostor.stdout.readline(), "heard 0\n", "what the impostor hears")
        finally:
            impostor.kill()
            impostor.communicate()
        with Agent(state, readers=(board.port,)) as agent:
            (own,) = sockets.glob(f"{agent.process.pid}.socket")
            expect_equal(own.stat().st_mode & 0o077, 0, "the mode of the agent's socket")
            own.chmod(0o777)
            answer = subprocess.run(
                [*root, sys.executable, "-c", INTRUDER, str(own), os.path.realpath(board.port)], capture_output=True, text=True, timeout=LIMIT)
            expect_equal(answer.stdout, "0\n", f"what another user gets: {answer.stderr}")
    return None
