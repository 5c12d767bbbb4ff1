"""A PN532 on a pseudo-terminal that does just what a check says: frames are lost, telephones come and go by script."""

import os
import pty
import select
import threading
import time
import tty

ACK = b"\x00\x00\xff\x00\xff\x00"
SELECT = ["00a4040007d276000085010100", "00a4000c02e104"]


def frame(payload):
    payload = b"\xd5" + bytes(payload)
    return bytes([0, 0, 255, len(payload), -len(payload) & 255]) + payload + bytes([-sum(payload) & 255, 0])


class TargetChip:
    """Answers every command, and TgInitAsTarget for each telephone of `phones` in turn.

    A telephone is a list of APDUs in hexadecimal, and how it ends: the status byte of TgGetData, `"stays"` (it says
    nothing more), or `"unanswered"`: it goes before it has the answer to the last. `lose` is asked of each command
    whether the line loses it.
    """

    def __init__(self, phones=(), lose=lambda command: False, field=False, come=0.1):
        self._end, self._far = pty.openpty()
        tty.setraw(self._end)
        tty.setraw(self._far)
        self.port = os.ttyname(self._far)
        self.commands = []
        self.phones, self.lose, self.field, self._come = list(phones), lose, field, come
        self.flags, self._contact, self._registers = 0x14, None, {}
        self._is_unplugged = False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()

    def unplug(self):
        if not self._is_unplugged:
            self._is_unplugged = True
            self._thread.join()
            os.close(self._end)
            os.close(self._far)

    def send(self, data):
        if not self._is_unplugged:
            os.write(self._end, data)

    def heard(self, start):
        """The commands, in hexadecimal, that begin so."""
        return [command for command in self.commands if command.startswith(start)]

    def _serve(self):
        data = b""
        while not self._is_unplugged:
            if select.select([self._end], [], [], 0.02)[0]:
                data += os.read(self._end, 4096)
                while (place := data.find(b"\x00\xff")) >= 0 and len(data) >= place + 4:
                    length = data[place + 2]
                    if data[place + 2 : place + 4] in (b"\x00\xff", b"\xff\x00"):
                        data = data[place + 4 :]
                        continue
                    if len(data) < place + 5 + length:
                        break
                    command, data = data[place + 5 : place + 4 + length], data[place + 5 + length :]
                    self.commands.append(command.hex())
                    if not self.lose(command):
                        self.send(ACK)
                        self.do(command)

    def do(self, command):
        code, rest = command[0], command[1:]
        if code == 0x8C:
            self._contact = None
            if self.phones:
                commands, ending = self.phones.pop(0)
                self._contact = [list(commands), ending]
                # Only a chip that was told to be a card answers RATS itself.
                mode = 0x08 if self.flags & 0x20 else 0x00
                threading.Timer(self._come, self.come_in, (self._contact, mode)).start()
        elif code == 0x86:
            self._get()
        elif code == 0x8E:
            gone = self._contact and not self._contact[0] and self._contact[1] == "unanswered"
            self.send(frame([0x8F, 0x29 if gone else 0x00]))
        elif code == 0x12:
            self.flags = rest[0]
            self.send(frame([0x13]))
        elif code == 0x08:
            for place in range(0, len(rest), 3):
                self._registers[rest[place : place + 2]] = rest[place + 2]
            self.send(frame([0x09]))
        elif code == 0x06:
            self.send(frame([7] + [self._registers.get(rest[place : place + 2], 0) for place in range(0, len(rest), 2)]))
        else:
            answers = {0x00: rest, 0x02: bytes.fromhex("32010607"), 0x04: bytes([0, self.field, 0, 0]),
                       0x4A: b"\x00", 0x52: b"\x00", 0x44: b"\x00", 0x54: b"\x00", 0x16: b"\x00"}
            self.send(frame(bytes([code + 1]) + answers.get(code, b"")))

    def come_in(self, contact, mode):
        # Whoever has begun to wait anew meanwhile has not heard of it.
        if contact is self._contact:
            self.send(frame([0x8D, mode, 0xE0, 0x80]))

    def _get(self):
        if self._contact is None or not self.flags & 0x20:
            self.send(frame([0x87, 0x25]))
        elif self._contact[0]:
            self.send(frame(b"\x87\x00" + bytes.fromhex(self._contact[0].pop(0))))
        elif self._contact[1] != "stays":
            status = 0x29 if self._contact[1] == "unanswered" else self._contact[1]
            self.send(frame([0x87, status]))


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
