"""The virtual tags that the peers meet, and messages of telling sizes."""

# Name, UID, bytes of memory as an image file holds them, longest NDEF message.
TYPE2 = [
    ("ultralight", "04112233445566", 64, 46),
    ("ultralight-ev1-11", "04112233445567", 80, 46),
    ("ultralight-ev1-21", "04112233445568", 164, 126),
    ("ultralight-c", "04112233445569", 192, 137),
    ("ultralight-aes", "04112233445576", 240, 142),
    ("ntag203", "0411223344556a", 168, 137),
    ("ntag210", "0411223344556b", 80, 46),
    ("ntag212", "0411223344556c", 164, 121),
    ("ntag213", "0411223344556d", 180, 137),
    ("ntag215", "0411223344556e", 540, 492),
    ("ntag216", "0411223344556f", 924, 868),
]
CLASSIC = [
    ("mini", "a1b2c3d4", 320, 190),
    ("classic1k", "a1b2c3d5", 1024, 716),
    ("classic1k7b", "04b2c3d5e6f708", 1024, 716),
    ("classic4k", "a1b2c3d6", 4096, 3356),
]


def uri_message(size):
    """One URI record of `size` bytes, 5 at least: a URL whose text shows where it is cut."""
    header = 4 if size - 4 <= 255 else 7
    text = "".join(f"example.com/{n}/" for n in range(size))
    payload = b"\x04" + text[: size - header - 1].encode()
    if header == 4:
        return bytes([0xD1, 1, len(payload)]) + b"U" + payload
    return bytes([0xC1, 1]) + len(payload).to_bytes(4, "big") + b"U" + payload
