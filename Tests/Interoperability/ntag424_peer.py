"""Talks to the NTAG 424 DNA on a PN532 with nfcpy, and with secure messaging written after NXP's documents on pycryptodome alone.

usage: ntag424_peer.py TTY KEYS UID [lrp]

KEYS are the five keys, hexadecimal, joined by commas. Authenticates with each, as first and within a session, and asks in
it for settings and counter; then reads the message as anybody does and prints it in hexadecimal. With lrp all of it with
LRP, and AES must be refused.
"""

import os
import sys

import nfc.clf
import nfc.tag
from Crypto.Cipher import AES
from Crypto.Hash import CMAC
from nfcpy_tag import open_board

ZEROS = bytes(16)
LRP_MODE = len(sys.argv) > 4 and sys.argv[4] == "lrp"


def cmac(key, message):
    return CMAC.new(key, message, ciphermod=AES).digest()


def short(mac):
    return mac[1::2]


def cbc(key, iv=ZEROS):
    return AES.new(key, AES.MODE_CBC, iv)


def xor(one, other):
    return bytes(a ^ b for a, b in zip(one, other))


class LRP:
    """AN12304: a key as 16 plaintexts and an updated key."""

    def __init__(self, key, number=0):
        self.plain = self.chain(self.block(key, b"\x55" * 16), 16)
        self.updated = self.chain(self.block(key, b"\xAA" * 16), number + 1)[number]

    @staticmethod
    def block(key, data):
        return AES.new(key, AES.MODE_ECB).encrypt(data)

    def chain(self, key, count):
        values = []
        for _ in range(count):
            values.append(self.block(key, b"\xAA" * 16))
            key = self.block(key, b"\x55" * 16)
        return values

    def value(self, place):
        key = self.updated
        for digit in place.hex():
            key = self.block(key, self.plain[int(digit, 16)])
        return self.block(key, ZEROS)

    def crypt(self, data, place, decrypt=False):
        count, result = int.from_bytes(place, "big"), b""
        for start in range(0, len(data), 16):
            cipher = AES.new(self.value(count.to_bytes(len(place), "big")), AES.MODE_ECB)
            result += (cipher.decrypt if decrypt else cipher.encrypt)(data[start:start + 16])
            count = (count + 1) % (1 << 8 * len(place))
        return result

    def cmac(self, message):
        def doubled(block):
            number = int.from_bytes(block, "big") << 1
            return ((number & ((1 << 128) - 1)) ^ (0x87 if number >> 128 else 0)).to_bytes(16, "big")

        subkey, is_whole = doubled(self.value(ZEROS)), message and len(message) % 16 == 0
        if not is_whole:
            message, subkey = message + b"\x80" + bytes(-(len(message) + 1) % 16), doubled(subkey)
        state = ZEROS
        for start in range(0, len(message), 16):
            block = xor(message[start:start + 16], state)
            state = self.value(xor(block, subkey) if start + 16 == len(message) else block)
        return state


class Messages:
    """Commands with a code each, and answers with one; a session says how it makes codes and deciphers."""

    def ask(self, tag, code, header, enciphered):
        answer = native(tag, code, header + self.code(code, header))
        self.counter += 1
        data, mac = answer[:-8], answer[-8:]
        assert self.code(0, data) == mac, "the tag's code is wrong"
        if not enciphered:
            return data
        plain = self.decrypted(data).rstrip(b"\0")
        assert plain[-1] == 0x80, "the padding is wrong"
        return plain[:-1]


class LRPSession(Messages):
    """NT4H2421Tx, 9.2.7 to 9.2.10."""

    def __init__(self, key, host, card, counter):
        vector = bytes.fromhex("00010080") + host[:2] + xor(host[2:8], card[:6]) + card[6:] + host[8:] + b"\x96\x69"
        master = LRP(key).cmac(vector)
        self.authentication, self.encryption = LRP(master), LRP(master, 1)
        self.identifier, self.counter, self.blocks = ZEROS[:4], counter, 0

    def decrypted(self, data):
        plain = self.encryption.crypt(data, self.blocks.to_bytes(4, "big"), True)
        self.blocks += len(data) // 16
        return plain

    def code(self, first, rest):
        return short(self.authentication.cmac(bytes([first]) + self.counter.to_bytes(2, "little") + self.identifier + rest))


class Session(Messages):
    """NT4H2421Gx, 9.1.7 to 9.1.10."""

    def __init__(self, key, host, card, identifier, counter):
        middle = host[:2] + xor(host[2:8], card[:6]) + card[6:] + host[8:]
        self.encryption = cmac(key, bytes.fromhex("A55A00010080") + middle)
        self.authentication = cmac(key, bytes.fromhex("5AA500010080") + middle)
        self.identifier, self.counter = identifier, counter

    def state(self):
        return self.counter.to_bytes(2, "little") + self.identifier

    def code(self, first, rest):
        return short(cmac(self.authentication, bytes([first]) + self.state() + rest))

    def vector(self, label):
        block = label + self.identifier + self.counter.to_bytes(2, "little") + bytes(8)
        return AES.new(self.encryption, AES.MODE_ECB).encrypt(block)

    def decrypted(self, data):
        return cbc(self.encryption, self.vector(b"\x5A\xA5")).decrypt(data)


def native(tag, code, data=b"", wanted=0x9100):
    apdu = bytes([0x90, code, 0, 0]) + (bytes([len(data)]) + data if data else b"") + b"\0"
    answer = bytes(tag.transceive(apdu))
    assert int.from_bytes(answer[-2:], "big") == wanted, f"{code:02X}: {answer[-2:].hex()}"
    return answer[:-2]


def authenticate_lrp(tag, number, key, running=None):
    wanted = bytes.fromhex("020000000000")
    begin = (0x71, bytes([number, 6]) + wanted) if running is None else (0x77, bytes([number]))
    answer = native(tag, *begin, wanted=0x91AF)
    assert len(answer) == 17 and answer[0] == 1, "the tag does not answer with LRP"
    host, card = os.urandom(16), answer[1:]
    session = LRPSession(key, host, card, 0 if running is None else running.counter)
    answer = native(tag, 0xAF, host + session.authentication.cmac(host + card))
    data, mac = answer[:-16], answer[-16:]
    assert session.authentication.cmac(card + host + data) == mac, "the tag does not know the key"
    if running is None:
        plain = session.decrypted(data)
        assert plain[4] & 2 and plain[10:] == wanted, "other capabilities"
        session.identifier = plain[:4]
    else:
        session.identifier = running.identifier
    return session


def authenticate(tag, number, key, running=None):
    if LRP_MODE:
        return authenticate_lrp(tag, number, key, running)
    begin = (0x71, bytes([number, 0])) if running is None else (0x77, bytes([number]))
    card = cbc(key).decrypt(native(tag, *begin, wanted=0x91AF))
    host = os.urandom(16)
    answer = native(tag, 0xAF, cbc(key).encrypt(host + card[1:] + card[:1]))
    plain = cbc(key).decrypt(answer)
    if running is None:
        identifier, plain, counter = plain[:4], plain[4:20], 0
    else:
        identifier, counter = running.identifier, running.counter
    assert plain == host[1:] + host[:1], "the tag does not know the key"
    return Session(key, host, card, identifier, counter)


def main():
    path, keys, uid = sys.argv[1], [bytes.fromhex(key) for key in sys.argv[2].split(",")], bytes.fromhex(sys.argv[3])
    frontend, _ = open_board(path)
    try:
        target = frontend.sense(nfc.clf.RemoteTarget("106A"), iterations=3, interval=0.1)
        tag = nfc.tag.activate(frontend, target)
        select = bytes.fromhex("00A4040C07D2760000850101 00".replace(" ", ""))
        assert bytes(tag.transceive(select)) == b"\x90\x00"
        if LRP_MODE:
            native(tag, 0x71, bytes([0, 0]), wanted=0x919D)
        for number, key in enumerate(keys):
            session = authenticate(tag, number, key)
            assert session.ask(tag, 0x51, b"", True) == uid, "another UID"
            assert session.ask(tag, 0xF5, b"\x02", False)[0] == 0
            session = authenticate(tag, number, key, session)
            assert session.ask(tag, 0x64, bytes([number]), False) != b"\0", "a key's version is 0"
        session = authenticate(tag, 0, keys[0])
        counter = int.from_bytes(session.ask(tag, 0xF6, b"\x02", True)[:3], "little")
        assert bytes(tag.transceive(select)) == b"\x90\x00"
        assert bytes(tag.transceive(bytes.fromhex("00A4000C02E104"))) == b"\x90\x00"
        message = bytes(tag.transceive(bytes.fromhex("00B0000000")))
        assert message[-2:] == b"\x90\x00"
        print(counter)
        print(message[2:2 + int.from_bytes(message[:2], "big")].hex())
    finally:
        frontend.close()


if __name__ == "__main__":
    main()
