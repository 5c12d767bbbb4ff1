"""Uses the DESFire on a PN532 with libfreefare itself: keys of every kind, and files of every way of messaging.

usage: freefare_keys.py CONNSTRING

For each kind of key: makes an application, changes both its keys, and writes, reads and re-protects a file in plain, with MAC and
enciphered. Prints a line for each kind; what libfreefare refuses ends it.
"""

import sys
from ctypes import CDLL, byref, c_char_p, c_uint8, c_uint16, c_uint32, c_void_p, create_string_buffer


def load():
    nfc, freefare = CDLL("libnfc.so.6"), CDLL("libfreefare.so.0")
    nfc.nfc_open.restype = c_void_p
    freefare.freefare_get_tags.restype = c_void_p
    for kind in ("des", "3des", "3k3des", "aes"):
        getattr(freefare, f"mifare_desfire_{kind}_key_new").restype = c_void_p
    freefare.mifare_desfire_aes_key_new_with_version.restype = c_void_p
    freefare.mifare_desfire_aid_new.restype = c_void_p
    return nfc, freefare


class Card:
    def __init__(self, connection):
        self.nfc, self.lib = load()
        context = c_void_p()
        self.nfc.nfc_init(byref(context))
        self.device = self.nfc.nfc_open(context, connection.encode())
        if not self.device:
            sys.exit("no board")
        tags = self.lib.freefare_get_tags(c_void_p(self.device))
        self.tag = c_void_p.from_address(tags)
        if not self.tag:
            sys.exit("no tag")
        self.call("connect")

    def call(self, name, *arguments, least=0):
        result = getattr(self.lib, f"mifare_desfire_{name}")(self.tag, *arguments)
        if result < least:
            self.lib.mifare_desfire_last_picc_error.restype = c_uint8
            error = self.lib.mifare_desfire_last_picc_error(self.tag)
            sys.exit(f"{name}: {result}, error of the card {error:02X}")
        return result

    def key(self, kind, value):
        return c_void_p(getattr(self.lib, f"mifare_desfire_{kind}_key_new")(value))

    def application(self, number):
        return c_void_p(self.lib.mifare_desfire_aid_new(c_uint32(number)))


KINDS = {
    # The command's way to authenticate, the way to create an application, bytes of a key.
    "des": ("authenticate", "create_application", 8),
    "3des": ("authenticate_iso", "create_application", 16),
    "3k3des": ("authenticate_iso", "create_application_3k3des", 24),
    "aes": ("authenticate_aes", "create_application_aes", 16),
}


def use(card, kind, number):
    authenticate, create, size = KINDS[kind]
    zero = card.key("des" if kind == "3des" else kind, bytes(8 if kind == "3des" else size))
    keys = [card.key(kind, bytes((7 * n + 10 * index + 1) & 0xFE for n in range(size))) for index in (0, 1)]
    card.call("select_application", None)
    card.call(create, card.application(number), c_uint8(0x0F), c_uint8(2))
    card.call("select_application", card.application(number))
    # Key 1 by key 0, then key 0 by itself, which ends the session.
    card.call(authenticate, c_uint8(0), zero)
    card.call("change_key", c_uint8(1), keys[1], zero)
    card.call("change_key", c_uint8(0), keys[0], None)
    card.call(authenticate, c_uint8(1), keys[1])
    card.call(authenticate, c_uint8(0), keys[0])
    data = bytes(range(100, 200))
    for file, mode in enumerate((0, 1, 3)):
        card.call("create_std_data_file", c_uint8(file), c_uint8(mode), c_uint16(0x0000), c_uint32(100))
        card.call("write_data", c_uint8(file), c_uint32(0), c_uint32(100), data, least=100)
        buffer = create_string_buffer(160)
        card.call("read_data", c_uint8(file), c_uint32(10), c_uint32(50), buffer, least=50)
        if buffer.raw[:50] != data[10:60]:
            sys.exit(f"{kind}, mode {mode}: {buffer.raw[:50].hex()}")
        card.call("change_file_settings", c_uint8(file), c_uint8(mode), c_uint16(0x1000))
    card.call("change_key_settings", c_uint8(0x0B))
    if kind != "des":
        uid = c_char_p()
        card.call("get_card_uid", byref(uid))
        print(kind, uid.value.decode())
    else:
        print(kind)


def main():
    card = Card(sys.argv[1])
    for number, kind in enumerate(KINDS, start=1):
        use(card, kind, number)


if __name__ == "__main__":
    main()
