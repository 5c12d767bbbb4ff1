"""USB devices that exist in software only, plugged into this kernel through vhci_hcd (USB/IP).

Runs as root where vhci_hcd is loaded. See Documentation/usb/usbip_protocol.rst of the kernel for the messages.
"""

import collections
import os
import socket
import struct
import threading

HUB = "/sys/devices/platform/vhci_hcd.0"
SUBMIT, UNLINK, RET_SUBMIT, RET_UNLINK = 1, 2, 3, 4
STALL, RESET = -32, -104
FULL_SPEED = 2


class Device:
    """What the host sees of a device; subclasses fill this in."""

    vendor = product = 0
    version = 0x0100
    device_class = 0
    strings = ("", "", "")  # manufacturer, product, serial number
    # Each interface: class, subclass, protocol, functional descriptors, endpoints (address, type, size, interval).
    interfaces = ()

    # After so many transfers to it somebody pulls the plug; None: nobody does.
    patience = None

    def lives(self):
        """Counts a transfer; false once the plug is pulled."""
        if self.patience is not None:
            self.patience -= 1
            if self.patience == 0:
                threading.Thread(target=self.pull, daemon=True).start()
        return self.patience is None or self.patience > 0

    def control(self, kind, request, value, index, data, length):
        """Answers a class or vendor request: bytes, or None to refuse."""
        return b""

    def received(self, endpoint, data):
        """The host has sent `data`."""

    def closed(self):
        """The plug was pulled."""

    # Standard requests, USB 2.0, 9.4.

    def standard(self, kind, request, value, length):
        if request == 6:
            return self.descriptor(value >> 8, value & 0xFF)
        if request == 0:
            return b"\0\0"
        if request == 8:
            return b"\1"
        return b"" if not kind & 0x80 else b"\0"

    def descriptor(self, kind, number):
        numbers = [place + 1 if text else 0 for place, text in enumerate(self.strings)]
        if kind == 1:
            return struct.pack(
                "<BBHBBBBHHHBBBB", 18, 1, 0x0200, self.device_class, 0, 0, 64, self.vendor, self.product,
                self.version, *numbers, 1)
        if kind == 2:
            body = b""
            for place, (kind, sub, protocol, extra, endpoints) in enumerate(self.interfaces):
                body += struct.pack("<9B", 9, 4, place, 0, len(endpoints), kind, sub, protocol, 0) + extra
                for address, attributes, size, interval in endpoints:
                    body += struct.pack("<BBBBHB", 7, 5, address, attributes, size, interval)
            return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(self.interfaces), 1, 0, 0x80, 50) + body
        if kind == 3:
            if number == 0:
                return b"\4\3\x09\4"
            if number <= 3 and self.strings[number - 1]:
                text = self.strings[number - 1].encode("utf-16-le")
                return bytes([2 + len(text), 3]) + text
        return None


class Socket:
    """A port of the virtual hub with a device in it."""

    def __init__(self, device, port):
        self.device, self.port = device, port
        self._waiting = collections.defaultdict(collections.deque)  # endpoint: (sequence number, length)
        self._ready = collections.defaultdict(collections.deque)  # endpoint: packets
        self._lock = threading.RLock()
        self._ours, theirs = socket.socketpair()
        device.send = self._send
        device.flush = self._flush
        with open(f"{HUB}/attach", "w") as file:
            file.write(f"{port} {theirs.fileno()} {0x10001 + port} {FULL_SPEED}")
        theirs.close()
        threading.Thread(target=self._serve, daemon=True).start()

    def unplug(self):
        with open(f"{HUB}/detach", "w") as file:
            file.write(str(self.port))
        self.device.closed()

    # What the device does.

    def _send(self, endpoint, packet):
        with self._lock:
            self._ready[endpoint & 15].append(packet)
            self._match(endpoint & 15)

    def _flush(self, endpoint):
        with self._lock:
            self._ready[endpoint & 15].clear()

    def _match(self, endpoint):
        waiting, ready = self._waiting[endpoint], self._ready[endpoint]
        while waiting and ready:
            number, length = waiting.popleft()
            packet = ready.popleft()
            if len(packet) > length:
                ready.appendleft(packet[length:])
            self._answer(number, 0, packet[:length])

    # What the kernel asks for.

    def _serve(self):
        try:
            while True:
                command, number, _, is_in, endpoint = struct.unpack(">5I", self._take(20))
                rest = self._take(28)
                if command == UNLINK:
                    self._unlink(number, struct.unpack_from(">I", rest)[0])
                elif command == SUBMIT:
                    length = struct.unpack_from(">i", rest, 4)[0]
                    data = b"" if is_in else self._take(length)
                    self._submit(number, endpoint, is_in, length, data, rest[20:])
        except (EOFError, OSError):
            pass
        self._ours.close()

    def _submit(self, number, endpoint, is_in, length, data, setup):
        if endpoint == 0:
            kind, request, value, index, wanted = struct.unpack("<BBHHH", setup)
            if kind & 0x60:
                answer = self.device.control(kind, request, value, index, data, wanted)
            else:
                answer = self.device.standard(kind, request, value, wanted)
            if answer is None:
                self._answer(number, STALL, b"")
            elif is_in:
                self._answer(number, 0, answer[:wanted])
            else:
                self._answer(number, 0, b"", length)
        elif is_in:
            with self._lock:
                self._waiting[endpoint].append((number, length))
                self._match(endpoint)
        else:
            self._answer(number, 0, b"", length)
            self.device.received(endpoint, data)

    def _unlink(self, number, victim):
        status = 0
        with self._lock:
            for waiting in self._waiting.values():
                for entry in list(waiting):
                    if entry[0] == victim:
                        waiting.remove(entry)
                        status = RESET
            self._put(struct.pack(">5Ii24x", RET_UNLINK, number, 0, 0, 0, status))

    def _answer(self, number, status, data, length=None):
        head = struct.pack(
            ">5Iiiiii8x", RET_SUBMIT, number, 0, 0, 0, status, len(data) if length is None else length, 0, 0, 0)
        self._put(head + data)

    def _put(self, data):
        with self._lock:
            try:
                self._ours.sendall(data)
            except OSError:
                pass

    def _take(self, count):
        data = b""
        while len(data) < count:
            some = self._ours.recv(count - len(data))
            if not some:
                raise EOFError
            data += some
        return data
