"""A label printer that is none: ZPL over TCP, and everything that can go wrong with it."""

import re
import socket
import threading
import time

READY = "030,0,0,0812,000,0,0,0,000,0,0,0", "000,0,0,0,0,2,4,0,00000000,1,000", "1234,0"


class Printer:
    """Takes labels on a port of its own and answers `~HS`; a thread serves one connection at a time.

    `labels`: what was printed, from ^XA to ^XZ, whole labels only. `trouble`: what it says of itself, `paper`,
    `pause`, `head`, `ribbon`, `full` or `partial`; it prints nothing then, and labels that come lie in `memory`.
    `paper`: after so many labels there is none left. `last`: the label that finds no paper left, and lies in the memory.
    `mute`: it answers nothing. `resets`: so many labels are cut off by a reset, after their first half. `deaf`: labels are
    taken, and the question behind is not answered. `delay`: seconds before each answer. `late`: the question behind this
    label is answered 3.6 seconds late, to whoever is connected then. `isSingle`: it ends each connection at once while it
    serves another.
    """

    def __init__(self, trouble=None, port=0):
        self.labels, self.times, self.asked, self.cancelled = [], [], 0, 0
        self.trouble, self.mute, self.resets, self.deaf, self.paper = trouble, False, 0, 0, None
        self.delay, self.memory, self.last, self.isCut = 0, [], None, False
        self.late, self.answered, self.isSingle, self.serving = None, None, False, []
        self.stream = b""
        self.lock = threading.Lock()
        self.open(port)

    def open(self, port):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", port))
        self.socket.listen(8)
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def refill(self):
        """Puts labels in: it prints what lies in its memory."""
        with self.lock:
            self.trouble, self.paper = None, None
            self.labels += self.memory
            self.memory = []

    def switch(self, seconds):
        """Switches it off and on: its memory is lost."""
        self.close()
        self.memory, self.trouble = [], None
        time.sleep(seconds)
        self.open(self.port)

    @property
    def address(self):
        return f"zpl:tcp://127.0.0.1:{self.port}"

    def close(self):
        # Without it the thread would still take one.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()

    def work(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            connection.settimeout(10)
            if not self.isSingle:
                self.attend(connection)
            elif self.serving:
                reset(connection)
            else:
                self.serving.append(connection)
                threading.Thread(target=self.attend, args=(connection,), daemon=True).start()

    def attend(self, connection):
        self.serving.append(connection)
        with connection:
            try:
                self.serve(connection)
            except OSError:
                pass
        self.serving = [other for other in self.serving if other is not connection]

    def serve(self, connection):
        data = b""
        while True:
            more = connection.recv(4096)
            if not more:
                return
            data += more
            self.stream += more
            if b"^XA" in data and self.resets > 0:
                self.resets -= 1
                self.isCut = True
                reset(connection)
                return
            while match := re.search(rb"~HS|~JX|\^XA.*?\^XZ", data, re.S):
                data = data[match.end():]
                found = match[0]
                if found == b"~HS":
                    self.asked += 1
                    if self.deaf and self.deaf == len(self.labels):
                        self.deaf = 0
                        return
                    time.sleep(self.delay)
                    if self.late and self.late == len(self.labels):
                        self.late = None
                        threading.Timer(3.6, self.answer).start()
                    elif not self.mute:
                        connection.sendall(self.status())
                elif found == b"~JX":
                    self.cancelled += 1
                    self.isCut = False
                else:
                    self.take(found.decode())

    def answer(self):
        self.answered = time.monotonic()
        for connection in self.serving:
            connection.sendall(self.status())

    def take(self, label):
        with self.lock:
            if self.last == len(self.labels) + 1:
                self.trouble, self.last = "paper", None
            if self.trouble:
                self.memory.append(label)
                return
            self.labels.append(label)
            self.times.append(time.monotonic())
            if self.paper is not None:
                self.paper -= 1
                if self.paper == 0:
                    self.trouble = "paper"

    def status(self):
        first, second, third = READY
        one, two = first.split(","), second.split(",")
        places = {"paper": (one, 1), "pause": (one, 2), "full": (one, 5), "partial": (one, 7), "head": (two, 2), "ribbon": (two, 3)}
        one[4] = f"{len(self.memory):03}"
        for trouble in [self.trouble, "partial" if self.isCut else None]:
            if trouble:
                fields, place = places[trouble]
                fields[place] = "1"
                two[4] = "1"
        return b"".join(b"\x02" + text.encode() + b"\x03\r\n" for text in (",".join(one), ",".join(two), third))

    def values(self, label=None):
        """The texts of the fields of each label, as a printer reads them: hexadecimal where ^FH stands before."""
        return [texts(label) for label in self.labels]


def reset(connection):
    """Ends it with a reset: linger 0."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def texts(label):
    found, indicator = [], None
    for command in re.findall(r"[\^~][^\^~]*", label):
        name, rest = command[:3].upper(), command[3:]
        if name == "^FH":
            indicator = rest[:1] or "_"
        elif name == "^FS":
            indicator = None
        elif name in ("^FD", "^FV"):
            data = rest.encode()
            if indicator:
                sign = re.escape(indicator.encode())
                data = re.sub(sign + rb"([0-9A-Fa-f]{2})", lambda match: bytes.fromhex(match[1].decode()), data)
            found.append(data.decode())
    return found
