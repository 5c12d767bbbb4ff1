"""Reads or writes the NDEF message of the tag on a PN532 with nfcpy.

usage: nfcpy_tag.py TTY protect KEY | nfcpy_tag.py TTY read | nfcpy_tag.py TTY write HEX | nfcpy_tag.py TTY rights PAGE [PASSWORD+PACK]

Prints the line's speed, then the message in hexadecimal; with `rights` whether nfcpy takes the tag for one that can be
written (writable, read-only, no-ndef), and whether the tag takes PAGE with its own content, after the password where one
is given: taken, refused, unreadable, wrong-password. `protect` gives the tag a key and says whether it takes it. Closes the board. With `--baud 115200` behind all that the line stays
at the speed at which boards start; nfcpy raises it otherwise.
"""

import sys
import time

import nfc
import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport
import nfc.tag

from support import PACE


class PatientTTY(nfc.clf.transport.TTY):
    """A port that waits for a board which shares its processor with others, and lets what was sent arrive
    before it is closed.

    nfcpy gives a chip 100 ms; a simulated one always answers, sooner or later: it gets 3 s, and more where the
    machine is slow.

    nfcpy discards unsent bytes when it changes the speed; on a pseudo-terminal those that the board has
    not yet read, too, and with them the ACK that the change waits for.
    """

    def read(self, timeout=None):
        return super().read(None if timeout is None else max(timeout, 3000 * PACE))

    def close(self):
        if self.tty is not None:
            time.sleep(0.05)
        super().close()


def take_speed():
    """Takes `--baud 115200` off the end of the command line: the line then stays at this speed."""
    if sys.argv[-2:] == ["--baud", "115200"]:
        # nfcpy asks stty which speeds the port can do.
        nfc.clf.pn532.os.system = lambda command: 1
        del sys.argv[-2:]


def open_board(path):
    """nfcpy's frontend on the board at `path`, and the line to it."""
    frontend, line = nfc.ContactlessFrontend(), PatientTTY(path)
    frontend.device = nfc.clf.pn532.init(line)
    frontend.device._path = path
    frontend.device._vendor_name = frontend.device._device_name = ""
    return frontend, line


def rights(tag, page, password):
    if password and not tag.authenticate(password):
        return ("no-ndef", "wrong-password")
    ndef = "no-ndef" if tag.ndef is None else "writable" if tag.ndef.is_writeable else "read-only"
    # What a refusal leaves halted is woken by selecting the tag again.
    try:
        content = tag.read(page)[:4]
    except nfc.tag.TagCommandError:
        return (ndef, "unreadable")
    try:
        tag.write(page, content)
    except nfc.tag.TagCommandError:
        return (ndef, "refused")
    return (ndef, "taken")


def main():
    path, action = sys.argv[1:3]
    take_speed()
    frontend, line = open_board(path)
    print(line.baudrate)
    try:
        kinds = [nfc.clf.RemoteTarget(name) for name in ("106A", "106B", "212F")]
        target = frontend.sense(*kinds, iterations=3, interval=0.1)
        if target is None:
            sys.exit("no tag")
        tag = nfc.tag.activate(frontend, target)
        if action == "rights":
            return print(*rights(tag, int(sys.argv[3]), bytes.fromhex("".join(sys.argv[4:]))))
        if action == "protect":
            # nfcpy writes AUTH0 before AUTH1, which a tag under its new key refuses to whoever has not proven the old one.
            tag.authenticate(b"")
            return print(tag.protect(bytes.fromhex(sys.argv[3]), protect_from=3))
        if tag is None or tag.ndef is None:
            sys.exit(f"no NDEF tag: {tag}")
        if action == "write":
            tag.ndef.octets = bytes.fromhex(sys.argv[3])
        print(tag.ndef.octets.hex())
    finally:
        frontend.close()


if __name__ == "__main__":
    main()
