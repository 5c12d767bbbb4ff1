"""Readers as USB devices, each in front of a board of `nfcprog simulate`: serial adapters, PN533, ACR122."""

import itertools
import os
import struct
import subprocess
import termios
import threading
import time
import tty

from usbip import Device

SPEEDS = {
    9600: termios.B9600, 19200: termios.B19200, 38400: termios.B38400, 57600: termios.B57600,
    115200: termios.B115200, 230400: termios.B230400, 460800: termios.B460800, 921600: termios.B921600}
ACK = bytes.fromhex("0000ff00ff00")
WAKE = b"\x55\x55" + bytes(14)
BULK, INTERRUPT = 2, 3


class Board:
    """A simulated board with tags; keeps the far end of its line."""

    def __init__(self, nfcprog, tags):
        self.process = subprocess.Popen(
            [nfcprog, "simulate", *tags], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.path = self.process.stdout.readline().strip()
        self.line = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.line)
        self.speed = 0
        self.set_speed(115200)
        self.heard = lambda data: None
        threading.Thread(target=self._listen, daemon=True).start()

    def set_speed(self, speed):
        """The nearest of the speeds that terminals have."""
        nearest = min(SPEEDS, key=lambda known: abs(known - speed))
        if nearest != self.speed and abs(nearest - speed) < nearest / 20:
            self.speed = nearest
            settings = termios.tcgetattr(self.line)
            settings[4] = settings[5] = SPEEDS[nearest]
            termios.tcsetattr(self.line, termios.TCSANOW, settings)

    def write(self, data):
        os.write(self.line, data)

    def stop(self):
        """Takes its power; the tags' files are saved."""
        self.process.terminate()
        self.process.wait()

    def _listen(self):
        try:
            while True:
                data = os.read(self.line, 512)
                if not data:
                    return
                self.heard(data)
        except OSError:
            pass


class Adapter(Device):
    """A serial adapter: bytes through, and the speed that its driver sets."""

    out = 0x02
    incoming = 0x82

    def __init__(self, board):
        self.board = board
        board.heard = self.hears

    def hears(self, data):
        for start in range(0, len(data), 62):
            self.send(self.incoming, self.packet(data[start : start + 62]))

    def packet(self, data):
        return data

    def received(self, endpoint, data):
        if endpoint == self.out & 15 and self.lives():
            self.board.write(data)


class FTDI(Adapter):
    vendor, product, version = 0x0403, 0x6001, 0x0600
    strings = ("FTDI", "FT232R USB UART", "A50285BI")
    interfaces = ((0xFF, 0xFF, 0xFF, b"", ((0x81, BULK, 64, 0), (0x02, BULK, 64, 0))),)
    incoming = 0x81
    latency = 16
    status = b"\x01\x60"  # of modem and line: all is sent; leads every packet

    def packet(self, data):
        return self.status + data

    def control(self, kind, request, value, index, data, length):
        if kind == 0x40 and request == 3:
            eighths = (value >> 14 | (index & 1) << 2) & 7
            divisor = (value & 0x3FFF) + (0, 0.5, 0.25, 0.125, 0.375, 0.625, 0.75, 0.875)[eighths]
            self.board.set_speed(3_000_000 / {0: 1, 1: 1.5}.get(divisor, divisor))
        elif kind == 0x40 and request == 9:
            self.latency = value
        elif kind == 0xC0 and request == 10:
            return bytes([self.latency])
        elif kind == 0xC0 and request == 5:
            return self.status
        return bytes(length) if kind & 0x80 else b""


class CP210x(Adapter):
    vendor, product = 0x10C4, 0xEA60
    strings = ("Silicon Labs", "CP2102 USB to UART Bridge Controller", "0001")
    interfaces = ((0xFF, 0, 0, b"", ((0x82, BULK, 64, 0), (0x02, BULK, 64, 0))),)

    def control(self, kind, request, value, index, data, length):
        if request == 0x1E:
            self.board.set_speed(struct.unpack("<I", data)[0])
        if kind == 0xC0 and request == 0xFF:
            return b"\x02"  # part number: CP2102
        return bytes(length) if kind & 0x80 else b""


class CH341(Adapter):
    vendor, product, version = 0x1A86, 0x7523, 0x0264
    strings = ("", "USB Serial", "")
    interfaces = (
        (0xFF, 1, 2, b"", ((0x82, BULK, 32, 0), (0x02, BULK, 32, 0), (0x81, INTERRUPT, 8, 1))),)

    def control(self, kind, request, value, index, data, length):
        if kind == 0x40 and request == 0x9A and value == 0x1312:
            prescaler, factor, divisor = index & 3, index >> 2 & 1, 0x100 - (index >> 8)
            self.board.set_speed(48_000_000 / ((1 << (12 - 3 * prescaler - factor)) * divisor))
        if kind == 0xC0 and request == 0x5F:
            return b"\x31\x00"
        return bytes(length) if kind & 0x80 else b""

    def hears(self, data):
        for start in range(0, len(data), 32):
            self.send(self.incoming, data[start : start + 32])


class LineCoded(Adapter):
    """An adapter whose driver sets the line's coding, as a CDC device has it."""

    def control(self, kind, request, value, index, data, length):
        if kind == 0x21 and request == 0x20:
            self.coding = data
            self.board.set_speed(struct.unpack_from("<I", data)[0])
        if kind == 0xA1 and request == 0x21:
            return self.coding
        return bytes(length) if kind & 0x80 else b""


class PL2303(LineCoded):
    vendor, product, version = 0x067B, 0x2303, 0x0300
    strings = ("Prolific Technology Inc.", "USB-Serial Controller", "")
    interfaces = (
        (0xFF, 0, 0, b"", ((0x81, INTERRUPT, 10, 1), (0x02, BULK, 64, 0), (0x83, BULK, 64, 0))),)
    incoming = 0x83
    coding = struct.pack("<IBBB", 9600, 0, 0, 8)


class CDC(LineCoded):
    vendor, product, device_class = 0x2E8A, 0x000A, 2
    strings = ("Bench", "PN532 with a microcontroller", "E6605481DB318A34")
    interfaces = (
        (2, 2, 1, bytes.fromhex("0524001001 04240202 0524060001 0524010001".replace(" ", "")),
         ((0x81, INTERRUPT, 8, 16),)),
        (10, 0, 0, b"", ((0x82, BULK, 64, 0), (0x02, BULK, 64, 0))))
    coding = struct.pack("<IBBB", 115200, 0, 0, 8)


class Frames:
    """Cuts a stream into PN53x frames (PN532 user manual UM0701-02, 6.2.1)."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        self.rest += data
        while True:
            start = self.rest.find(b"\x00\xff")
            if start < 0 or len(self.rest) < start + 4:
                return
            head = self.rest[start + 2 :]
            if head[:2] in (b"\x00\xff", b"\xff\x00"):
                size = 3
            elif head[:2] == b"\xff\xff":
                if len(head) < 5:
                    return
                size = 5 + (head[2] << 8 | head[3]) + 2
            else:
                size = 2 + head[0] + 2
            if len(head) < size:
                return
            frame, self.rest = self.rest[start : start + 2 + size], head[size:]
            yield b"\x00" + frame

    @staticmethod
    def content(frame):
        """TFI and data; empty for ACK and NACK."""
        if frame[3:5] in (b"\x00\xff", b"\xff\x00"):
            return b""
        return frame[8:-2] if frame[3:5] == b"\xff\xff" else frame[5:-2]

    @staticmethod
    def made(content):
        if len(content) > 255:
            length = len(content).to_bytes(2, "big")
            head = b"\xff\xff" + length + bytes([-sum(length) & 0xFF])
        else:
            head = bytes([len(content), -len(content) & 0xFF])
        return b"\x00\x00\xff" + head + content + bytes([-sum(content) & 0xFF, 0])


def switch_on(board):
    """Makes a PN532 ready for the field, as other chips are by themselves."""
    answered, frames = threading.Event(), Frames()

    def heard(data):
        if any(Frames.content(frame) for frame in frames.feed(data)):
            answered.set()

    board.heard = heard
    board.write(WAKE + Frames.made(b"\xd4\x14\x01"))
    answered.wait(5)


class PN533(Device):
    """The frames of the PN532 on bulk endpoints; another IC number, and a status byte before registers."""

    vendor, product = 0x04CC, 0x2533
    strings = ("NXP", "PN533", "")
    interfaces = ((0xFF, 0, 0, b"", ((0x04, BULK, 64, 4), (0x84, BULK, 64, 4))),)

    def __init__(self, board):
        self.board = board
        self.commands, self.answers = Frames(), Frames()
        switch_on(board)
        board.heard = self.hears

    def received(self, endpoint, data):
        for frame in self.commands.feed(data):
            if not self.lives():
                return
            if frame == ACK:
                self.flush(0x84)  # the host gives up waiting
            self.board.write((b"" if frame == ACK else WAKE) + frame)

    def hears(self, data):
        for frame in self.answers.feed(data):
            self.send(0x84, self.changed(frame, Frames.content(frame)))

    def changed(self, frame, content):
        """The PN532's answer as a PN533 gives it."""
        if content[:3] == b"\xd5\x03\x32":
            return Frames.made(b"\xd5\x03\x33\x02\x07\x07")
        return Frames.made(content[:2] + b"\x00" + content[2:]) if content[:2] == b"\xd5\x07" else frame


class ACR122(Device):
    """CCID around pseudo-APDUs FF 00 00 00 Lc D4 … (ACS, ACR122U API, 2.04)."""

    vendor, product, version = 0x072F, 0x2200, 0x0214
    strings = ("ACS", "ACR122U PICC Interface", "")
    interfaces = (
        (0x0B, 0, 0, struct.pack(
            "<BBHBBIIIBIIBIIIIIBBHBB", 54, 0x21, 0x0100, 0, 7, 3, 4000, 4000, 0, 10752, 344100, 0, 254, 0, 0,
            0x20040, 271, 0, 0, 0, 0, 1),
         ((0x02, BULK, 64, 0), (0x82, BULK, 64, 0), (0x81, INTERRUPT, 8, 16))),)

    def __init__(self, board):
        self.board = board
        self.answers, self.message = Frames(), b""
        self.answer, self.arrived = b"", threading.Event()
        switch_on(board)
        board.heard = self.hears

    def received(self, endpoint, data):
        self.message += data
        while len(self.message) >= 10:
            size = 10 + struct.unpack_from("<I", self.message, 1)[0]
            if len(self.message) < size:
                return
            message, self.message = self.message[:size], self.message[size:]
            kind, slot, number, body = message[0], message[5], message[6], message[10:]
            if kind == 0x62:
                reply = (0x80, bytes.fromhex("3b00"))
            elif kind in (0x6F, 0x6B):
                reply = (0x80 if kind == 0x6F else 0x83, self.apdu(body))
            else:
                reply = (0x81, b"")
            packet = bytes([reply[0]]) + struct.pack("<I", len(reply[1])) + bytes([slot, number, 0, 0, 0])
            packet += reply[1]
            for start in range(0, len(packet), 64):
                self.send(0x82, packet[start : start + 64])

    def apdu(self, body):
        if body[:4] == b"\xff\x00\x00\x00" and len(body) > 5:
            self.arrived.clear()
            self.board.write(WAKE + Frames.made(body[5 : 5 + body[4]]))
            if not self.arrived.wait(5) or self.answer[:1] == b"\x7f":
                return b"\x63\x00"
            return self.answer + b"\x90\x00"
        if body[:3] == b"\xff\x00\x48":
            return b"ACR122U214"
        return b"\x90\x00"

    def hears(self, data):
        for frame in self.answers.feed(data):
            content = Frames.content(frame)
            if content:
                self.answer = content
                self.arrived.set()


class LatePN533(PN533):
    """Answers around the end of libnfc's 200 ms for one read, on either side of it."""

    delays = itertools.cycle([0.0, 0.195, 0.0, 0.2, 0.0, 0.198, 0.0, 0.203, 0.0, 0.19])

    def hears(self, data):
        for frame in self.answers.feed(data):
            content = Frames.content(frame)
            if content:
                time.sleep(next(self.delays))
            self.send(0x84, self.changed(frame, content))


class PN531(PN533):
    """The older chip, whose firmware version has two bytes."""

    vendor, product = 0x054C, 0x0193
    strings = ("Sony", "PN531", "")


class UnknownPN531(PN533):
    """Such a chip behind the numbers of a PN533."""

    def changed(self, frame, content):
        return Frames.made(b"\xd5\x03\x04\x02") if content[:2] == b"\xd5\x03" else super().changed(frame, content)


class OnlyAcknowledges(PN533):
    """A chip without the power to do what it is told."""

    def hears(self, data):
        for frame in self.answers.feed(data):
            if not Frames.content(frame):
                self.send(0x84, frame)


class DeafACR122(ACR122):
    """An ACR122 whose chip does not answer."""

    def apdu(self, body):
        return b"\x63\x00" if body[:4] == b"\xff\x00\x00\x00" else super().apdu(body)


class Silent(FTDI):
    """An adapter with nothing behind it."""

    strings = ("FTDI", "FT232R USB UART", "SILENT")

    def __init__(self, board):
        super().__init__(board)
        board.heard = lambda data: None


KINDS = {
    "ftdi": FTDI, "cp210x": CP210x, "ch341": CH341, "pl2303": PL2303, "cdc": CDC, "pn533": PN533,
    "acr122": ACR122, "silent": Silent, "late pn533": LatePN533, "pn531": PN531, "unknown pn531": UnknownPN531,
    "acknowledging pn533": OnlyAcknowledges, "deaf acr122": DeafACR122}
