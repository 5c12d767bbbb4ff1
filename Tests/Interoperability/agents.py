"""A running agent, and what is asked of it."""

import http.client
import json
import os
import socket
import subprocess
from pathlib import Path

from servers import Server
from support import LIMIT, binary, expect


class Agent(Server):
    """A running agent, started as a person starts it; its state is in `folder`."""

    def __init__(self, folder, *words, listen="127.0.0.1:0", readers=("sim:ntag213",)):
        self.folder, self.listen = Path(folder), listen
        names = [word for reader in readers for word in ("--reader", reader)]
        self.process = subprocess.Popen(
            [binary(), "serve", "--listen", listen, *names, *map(str, words)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, XDG_STATE_HOME=str(folder), SWIFT_BACKTRACE="enable=no"))
        self.lines = [self.process.stderr.readline(), self.process.stderr.readline()]
        expect(" serves at " in self.lines[0], f"the agent says {self.lines}")
        self.place = self.lines[0].split(" serves at ")[1].strip()
        self.token = (self.folder / "nfcprog/agent/token").read_text().strip()

    @property
    def port(self):
        return int(self.place.rstrip("/").rsplit(":", 1)[1])

    def connect(self):
        if not self.listen.startswith("unix:"):
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        connection = http.client.HTTPConnection("localhost", timeout=LIMIT)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.listen.removeprefix("unix:"))
        return connection

    def ask(self, path, body=None, method=None, **headers):
        """The status, the headers and the object."""
        connection = self.connect()
        try:
            values = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
            values |= {name.replace("_", "-"): value for name, value in headers.items()}
            values = {name: value for name, value in values.items() if value is not None}
            data = None if body is None else json.dumps(body)
            connection.request(method or ("GET" if body is None else "POST"), path, data, values)
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def reader(self, number=0):
        return "/v1/readers/" + self.ask("/v1/readers")[2]["readers"][number]["id"]
