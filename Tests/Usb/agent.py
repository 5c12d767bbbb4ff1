"""Runs inside the virtual machine: takes orders as lines of JSON, runs programs, plugs devices in and out.

usage: agent.py PORT NFCPROG
"""

import grp
import json
import os
import pwd
import signal
import subprocess
import sys
import threading

import readers
from usbip import Socket


class Agent:
    def __init__(self, port, nfcprog):
        self.port, self.nfcprog = port, nfcprog
        self.sockets, self.boards, self.running = {}, {}, {}
        self.lock = threading.Lock()

    def say(self, order, **answer):
        with self.lock:
            rest = json.dumps({"id": order["id"], **answer}).encode() + b"\n"
            while rest:  # the port takes what fits
                rest = rest[self.port.write(rest[:4096]) :]

    def serve(self):
        for line in self.port:
            order = json.loads(line)
            threading.Thread(target=self._obey, args=(order,), daemon=True).start()

    def _obey(self, order):
        try:
            self.say(order, **(getattr(self, "do_" + order["do"])(**order["with"]) or {}))
        except Exception as error:  # noqa: BLE001: the other side reports it
            self.say(order, error=f"{type(error).__name__}: {error}")

    # Programs.

    def do_start(self, name, words, user=None, groups=(), environment=None):
        def become():
            if user:
                entry = pwd.getpwnam(user)
                os.setgroups([grp.getgrnam(group).gr_gid for group in groups])
                os.setgid(entry.pw_gid)
                os.setuid(entry.pw_uid)

        self.running[name] = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})}, preexec_fn=become, cwd="/tmp")

    def do_wait(self, name, limit):
        process = self.running.pop(name)
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return {"status": None, "output": output.decode(), "errors": errors.decode()}
        return {"status": process.returncode, "output": output.decode(), "errors": errors.decode()}

    def do_signal(self, name, number):
        self.running[name].send_signal(number)

    # Devices.

    def do_plug(self, socket, kind, tags=(), patience=None):
        """A board is switched on with its device and off with it; the tags' files remember."""
        board = readers.Board(self.nfcprog, list(tags))
        device = readers.KINDS[kind](board)
        device.patience = patience
        device.pull = lambda: self.do_unplug(socket)
        self.boards[socket] = board
        self.sockets[socket] = Socket(device, socket)

    def do_unplug(self, socket):
        if socket in self.sockets:
            self.sockets.pop(socket).unplug()
            self.boards.pop(socket).stop()


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    port = open(sys.argv[1], "r+b", buffering=0)
    agent = Agent(port, sys.argv[2])
    agent.say({"id": 0}, ready=True)
    agent.serve()
