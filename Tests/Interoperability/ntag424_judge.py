"""Listens to the line between nfcprog and a board, and judges what is said to an NTAG 424 DNA: with the implementation of
ntag424_peer on pycryptodome, which shares nothing with nfcprog. Needs nfcpy, as that does."""

import os
import pty
import select
import termios
import threading
import tty
import zlib

from ntag424_peer import LRPSession, Session, cbc, xor


class Relay:
    """A terminal of its own in front of a simulated board's; `exchanges` has each command to the tag and its answer."""

    def __init__(self, port):
        self._board = os.open(port, os.O_RDWR | os.O_NOCTTY)
        self._host, self._terminal = pty.openpty()
        for file in (self._board, self._terminal):
            tty.setraw(file)
            settings = termios.tcgetattr(file)
            settings[4:6] = [termios.B115200] * 2
            termios.tcsetattr(file, termios.TCSANOW, settings)
        self.path = os.ttyname(self._terminal)
        self._said = {self._host: b"", self._board: b""}
        self.exchanges, self._command, self._ends = [], None, False
        self._thread = threading.Thread(target=self._pass_on, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends = True
        self._thread.join()
        for file in (self._board, self._host, self._terminal):
            os.close(file)

    def _pass_on(self):
        while not self._ends:
            for file in select.select([self._host, self._board], [], [], 0.1)[0]:
                data = os.read(file, 4096)
                os.write(self._board if file == self._host else self._host, data)
                self._said[file] += data
                self._take(file)

    def _take(self, file):
        """PN532 frames, UM0701-02, 6.2.1: 00 00 FF, length, data from D4 or D5 on."""
        while (start := self._said[file].find(b"\x00\xFF")) >= 0:
            rest = self._said[file][start + 2:]
            if rest[:2] in (b"\x00\xFF", b"\xFF\x00"):
                self._said[file] = rest[2:]
                continue
            is_long = rest[:2] == b"\xFF\xFF"
            if len(rest) < (5 if is_long else 2):
                return
            count, head = (int.from_bytes(rest[2:4], "big"), 5) if is_long else (rest[0], 2)
            if len(rest) < head + count + 1:
                return
            self._said[file] = rest[head + count + 1:]
            data = rest[head:head + count]
            if data[:3] == b"\xD4\x40\x01":
                self._command = data[3:]
            elif data[:2] == b"\xD5\x41" and self._command is not None:
                self.exchanges.append((self._command, data[3:] if data[2] == 0 else None))
                self._command = None


class Judge:
    """A tag's keys, and what was proven with them, after each exchange."""

    def __init__(self, wanted, keys):
        self.wanted, self.keys = wanted, list(keys)
        self.session, self.number, self.pending = None, None, None
        self.authentications, self.changed, self.commands = 0, [], []

    def hear(self, command, answer):
        if command[0] != 0x90:
            if command[1] == 0xA4:
                self.session = None
            return
        code, data = command[1], command[5:-1] if len(command) > 5 else b""
        body, status = answer[:-2], answer[-2:].hex()
        if code == 0x71:
            self.session, self.number = None, data[0]
            self.pending = body if status == "91af" else None
        elif code == 0xAF and self.pending is not None:
            (self.answer_lrp if len(self.pending) == 17 else self.answer_aes)(data, body, status)
        elif self.session is not None:
            self.secured(code, data, body, status)

    def answer_aes(self, data, body, status):
        key, card = self.keys[self.number], None
        card = cbc(key).decrypt(self.pending)
        plain = cbc(key).decrypt(data)
        host = plain[:16]
        assert plain[16:] == card[1:] + card[:1], "the host does not know the key"
        assert status == "9100", status
        last = cbc(key).decrypt(body)
        assert last[4:20] == host[1:] + host[:1], "the tag does not know the key"
        self.session = Session(key, host, card, last[:4], 0)
        self.authentications += 1

    def answer_lrp(self, data, body, status):
        host, card, key = data[:16], self.pending[1:], self.keys[self.number]
        session = LRPSession(key, host, card, 0)
        assert data[16:] == session.authentication.cmac(host + card), "the host does not know the key"
        assert status == "9100", status
        session.identifier = session.decrypted(body[:16])[:4]
        self.session = session
        self.authentications += 1

    def deciphered(self, data):
        if isinstance(self.session, LRPSession):
            plain = self.session.decrypted(data)
        else:
            plain = cbc(self.session.encryption, self.session.vector(b"\xA5\x5A")).decrypt(data)
        plain = plain.rstrip(b"\0")
        assert plain[-1] == 0x80, "the padding is wrong"
        return plain[:-1]

    def secured(self, code, data, body, status):
        session, inner, mac = self.session, data[:-8], data[-8:]
        assert session.code(code, inner) == mac, f"{code:02X}: the host's code is wrong"
        assert status == "9100", f"{code:02X}: {status}"
        plain = self.deciphered(inner[1:]) if code in (0xC4, 0x5F, 0x5C) else b""
        self.commands.append(code)
        if code == 0xC4:
            self.change(inner[0], plain)
        session.counter += 1
        if body:
            assert session.code(0, body[:-8]) == body[-8:], f"{code:02X}: the tag's code is wrong"
        if code == 0x5C or (code == 0xC4 and inner[0] == self.number):
            self.session = None

    def change(self, number, plain):
        new = plain[:16] if number == 0 else xor(plain[:16], self.keys[number])
        assert new == self.wanted[number], f"key {number} becomes another one"
        assert (plain[16] == 0) == (new == bytes(16)), "a version that does not tell this key from the delivered one"
        if number != 0:
            assert plain[17:] == (zlib.crc32(new) ^ 0xFFFFFFFF).to_bytes(4, "little"), "checksum"
        self.keys[number] = new
        self.changed.append(number)
