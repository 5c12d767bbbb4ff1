"""The socket at which an agent waits for commands, and a program that sends anything but commands."""

import os
import random
import signal
import socket
import struct
import time

from agents import Agent
from support import LIMIT, Simulation, check, expect, expect_equal, json_object, nfcprog

LINK = "https://example.com/t/1"
SECRET = b"A1B2C3D4E5F6"


def message(kind, *fields):
    """AgentMessage, with its length before it."""
    body = bytes([kind]) + b"".join(struct.pack("<H", len(field)) + field for field in fields)
    return struct.pack("<I", len(body)) + body


def exchange(data):
    return message(5, struct.pack("<Q", 100_000), data)


def connected(path):
    one = socket.socket(socket.AF_UNIX)
    one.connect(str(path))
    one.settimeout(LIMIT)
    return one


def ended(one):
    """Whether the agent ends the connection, whatever it says before."""
    try:
        while one.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


@check("whatever a program sends to an agent's socket, the agent lives, its reader is free, and its log says nothing of it", long=True)
def hostile(folder):
    random.seed(20261127)
    with Simulation(f"ntag213,file={folder}/a.tag") as board, Agent(folder / "state", readers=(board.port,)) as agent:
        (path,) = (folder / "state/nfcprog/agent/commands").iterdir()
        environment = {"XDG_STATE_HOME": str(folder / "state")}
        ask = message(1, b"\1", os.path.realpath(board.port).encode())

        def is_well(what):
            said = nfcprog("write-url", LINK, "--verbose", "--reader", board.port, environment=environment)
            expect("Through the agent" in said.errors, f"after {what}: {said}")
            expect_equal(agent.ask(f"{agent.reader()}/read", {})[0], 200, f"after {what}: a job of the agent's own")

        # Instead of a question for a reader: no message, one of another kind, half of one, one without an end.
        starts = [
            b"", SECRET, b"\xff" * 4, struct.pack("<I", 1 << 16) + SECRET, struct.pack("<I", (1 << 16) + 1), b"\0" * 4, ask[:-1], ask[:3],
            message(1), message(1, b"\2", ask[11:]), message(1, b"\1", b"/dev/null"), message(1, b"\1", b"\xff\xfe"), message(3, b"\0", b"\0"),
            message(77, SECRET), struct.pack("<IBH", 3, 1, 500), exchange(SECRET),
        ] + [random.randbytes(random.randrange(200)) for _ in range(40)]
        for start in starts:
            one = connected(path)
            one.sendall(start)
            one.shutdown(socket.SHUT_WR)
            expect(ended(one), f"{start}")
        is_well("other beginnings")
        # A guest with the reader that sends what no chip is to get.
        requests = [
            ask, b"\xff" * 8, exchange(b""), exchange(b"\x42" * 265), message(5, b"\1" * 8, b"\2"), message(5, struct.pack("<Q", 1 << 63), b"\2"),
            message(5, SECRET), message(6)[:-1], message(7), message(9, b"\0"), message(200), exchange(b"\x02") + b"\xff" * 9,
        ] + [exchange(random.randbytes(random.randrange(1, 40))) + random.randbytes(20) for _ in range(10)]
        for request in requests:
            one = connected(path)
            one.sendall(ask)
            expect_equal(one.recv(4096)[4], 3, f"{request}: its turn")
            one.sendall(request)
            one.shutdown(socket.SHUT_WR)
            expect(ended(one), f"{request}")
        is_well("other requests")
        # Many who say nothing, many who ask and go, and one who sends and never listens.
        silent = [connected(path) for _ in range(60)]
        for _ in range(200):
            one = connected(path)
            one.sendall(ask)
            one.close()
        is_well("a flood")
        for one in silent:
            one.close()
        flood = connected(path)
        flood.settimeout(0.5)
        flood.sendall(ask)
        begun = time.monotonic()
        try:
            while time.monotonic() < begun + LIMIT:
                flood.sendall(exchange(b"\x02") * 1000)
        except OSError:
            pass
        is_well("one who never listens")
        # One who sends a message byte by byte is no reason to stay.
        slow = connected(path)
        slow.sendall(ask)
        slow.recv(4096)
        slow.sendall(b"\xff\0")
        begun = time.monotonic()
        expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM with half a message")
        expect(time.monotonic() < begun + LIMIT, "the agent waits for the other half")
        log = "".join(agent.lines) + agent.process.stderr.read()
        for text in (SECRET.decode(), SECRET.hex(), agent.token, "Fatal", "rror"):
            expect(text not in log, f"the agent's log: {log}")
    left = json_object(nfcprog("read", "--json", "--reader", f"sim:ntag213,file={folder}/a.tag"))
    expect_equal([record["uri"] for record in left["records"]], [LINK], "the tag")
