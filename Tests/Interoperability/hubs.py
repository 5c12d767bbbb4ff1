"""A running hub, what is asked of it, and the line that it shows."""

import http.client
import json
import os
import socket
import subprocess
from pathlib import Path
from urllib.parse import quote

from postgres import PASSWORD
from servers import Server
from support import LIMIT, binary, expect, expect_equal, nfcprog

TOKEN = "a-token-of-24-characters"
# Where libpq looks for the password of whoever comes over TCP.
SECRET = {"PGPASSWORD": PASSWORD}


def hub_binary():
    return str(Path(binary()).with_name("nfcprog-hub"))


class Hub(Server):
    """A running hub."""

    def __init__(self, journal, *words, port=0, environment=None):
        values = dict(os.environ, SWIFT_BACKTRACE="enable=no", **(environment or {}))
        self.process = subprocess.Popen(
            [hub_binary(), str(journal), "--listen", f"127.0.0.1:{port}", *map(str, words)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=values)
        self.line = self.process.stderr.readline()
        expect(" shows " in self.line, f"the hub says {self.line!r}")
        self.port = int(self.line.split("//")[1].split("/")[0].rsplit(":", 1)[1])

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)

    def ask(self, path, method="GET", body=None, **headers):
        """The status, the headers and the body."""
        connection = self.connect()
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        status, _, body = self.ask(path, **headers)
        expect(status == 200, f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def post(self, path, value, **headers):
        status, answer, body = self.ask(path, "POST", json.dumps(value), Content_Type="application/json", **headers)
        return status, answer, json.loads(body)

    def send(self, data, wait=True):
        """Bytes as they stand; gives what comes back until the hub closes, or says something."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT) as line:
            line.sendall(data)
            return line.recv(65536) if wait else b""


class Stream:
    """The events of a batch."""

    def __init__(self, hub, batch, after, **headers):
        self.connection = hub.connect()
        self.connection.request(
            "GET", f"/v1/batches/{quote(batch, safe='')}/events/stream", headers={"Last-Event-ID": str(after), **headers})
        self.answer = self.connection.getresponse()
        expect(self.answer.status == 200, f"the stream's status is {self.answer.status}")

    def messages(self):
        """(event, id, data), until the line ends; not that there is no news."""
        fields = {}
        while True:
            try:
                line = self.answer.readline()
            except (OSError, http.client.HTTPException):
                return
            if not line:
                return
            line = line.decode().rstrip("\n")
            if not line:
                if "data" in fields and fields.get("event") != "beat":
                    yield fields.get("event"), fields.get("id"), json.loads(fields["data"])
                fields = {}
            elif not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value

    def close(self):
        self.connection.close()


def provision(folder, journal, count, *words, environment=None):
    """Starts to write the numbers from 1 to `count`."""
    values = dict(os.environ, SWIFT_BACKTRACE="enable=no", XDG_CONFIG_HOME="/nonexistent", **(environment or {}))
    return subprocess.Popen(
        [binary(), "provision", "--range", f"1..{count}", "--template", "https://example.com/t/{code}", "--journal", str(journal),
         "--timeout", "60", *map(str, words)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=values, cwd=folder)


def pool_address(database, *words):
    """The address of a new pool for its hub, a role of its own; `words`: further options of `journal init`."""
    database.sql(f"CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'", "postgres")
    nfcprog("journal", "init", database.owner, "--bench", "bench", "--hub", "hub", *words)
    return database.address("X", user="hub").split("?")[0]


def start_bench(state, address, reader, errors=subprocess.PIPE):
    """Starts a bench without a list on a batch of a pool; `state`: its own disk."""
    values = dict(os.environ, XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME=str(state), **SECRET)
    return subprocess.Popen(
        [binary(), "provision", "--journal", address, "--reader", reader, "--timeout", "20"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, text=True, env=values)


def expect_end(bench):
    _, errors = bench.communicate(timeout=LIMIT)
    expect_equal(bench.returncode, 0, errors)


def token_file(folder, name="token", text=TOKEN + "\n", mode=0o600):
    path = folder / name
    path.write_text(text)
    path.chmod(mode)
    return path
