"""Talks to the Ultralight AES on a PN532 with nfcpy, and proves its key with pycryptodome alone, as NXP's AN13452 shows it.

usage: ultralight_aes_peer.py TTY KEY | ultralight_aes_peer.py TTY KEY protect NEWKEY

KEY is 32 hexadecimal digits, or - for none. Prints whether the tag takes KEY (taken, wrong-key, none), whether it then takes
page 6 with its own content (taken, refused), and pages 0 to 39 in hexadecimal, or unreadable. `protect` gives the tag NEWKEY
first and has it asked for from page 4 on.
"""

import os
import sys

import nfc
import nfc.clf
import nfc.clf.pn532
import nfc.tag
from Crypto.Cipher import AES
from nfcpy_tag import open_board


def cbc(key):
    return AES.new(key, AES.MODE_CBC, bytes(16))


def rotated(block):
    return block[1:] + block[:1]


def proves(tag, key):
    challenge = os.urandom(16)
    try:
        first = bytes(tag.transceive(b"\x1A\x00"))
        assert len(first) == 17 and first[0] == 0xAF, "no challenge"
        theirs = cbc(key).decrypt(first[1:])
        last = bytes(tag.transceive(b"\xAF" + cbc(key).encrypt(challenge + rotated(theirs))))
    except nfc.tag.TagCommandError:
        return False
    return len(last) == 17 and last[0] == 0 and cbc(key).decrypt(last[1:]) == rotated(challenge)


def put(tag, page, content):
    try:
        return bytes(tag.transceive(bytes([0xA2, page]) + content))[:1] in (b"\x0A", b"")
    except nfc.tag.TagCommandError:
        return False


def get(tag, page):
    try:
        answer = bytes(tag.transceive(bytes([0x30, page])))
    except nfc.tag.TagCommandError:
        return None
    return answer if len(answer) == 16 else None


def main():
    path, key = sys.argv[1:3]
    frontend, _ = open_board(path)

    def selected():
        target = frontend.sense(nfc.clf.RemoteTarget("106A"), iterations=3, interval=0.1)
        return nfc.tag.activate(frontend, target)

    try:
        tag = selected()
        if sys.argv[3:4] == ["protect"]:
            new = bytes.fromhex(sys.argv[4])[::-1]
            for page in range(4):
                assert put(tag, 48 + page, new[4 * page:4 * page + 4]), "the key is refused"
            assert put(tag, 41, b"\0\0\0\4"), "AUTH0 is refused"
            tag = selected()
        taken = "none" if key == "-" else "taken" if proves(tag, bytes.fromhex(key)) else "wrong-key"
        if taken == "wrong-key":
            tag = selected()
        pages = [get(tag, page) for page in range(0, 40, 4)]
        own = get(tag, 6)
        written = own is not None and put(tag, 6, own[:4])
        print(taken, "taken" if written else "refused", "unreadable" if None in pages else b"".join(pages).hex())
    finally:
        frontend.close()


if __name__ == "__main__":
    main()
