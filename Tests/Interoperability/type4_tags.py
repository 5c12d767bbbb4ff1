"""Type 4 tags and their kin: nfcpy, libnfc and libfreefare at the simulated ones, and at those that nfcprog wrote."""

import sys
from pathlib import Path

from nfcpy_peers import nfcpy, nfcpy_both_ways
from support import Simulation, check, expect, expect_equal, program, raw_message, write_message
from tags import uri_message

# What sim: is told of the tag, and the longest message that fits.
TYPE4 = [
    ("type4", 2046), ("type4,mapping=1", 2046), ("type4,mapping=3,size=3000,mle=255,mlc=255", 2996),
    ("type4,fsc=16,wtx=2,longread=6cxx", 2046), ("type4,fsc=256,mle=64,mlc=32,size=500,longread=6700", 498),
    ("st25ta02k", 254), ("st25ta16k", 2046), ("ntag424", 254), ("ntag424tt", 254),
]
# What a card is sold as, and what it says is free when it is blank.
DESFIRE = [("desfire-ev1", 2048), ("desfire-ev2", 4096), ("desfire-ev3", 8192)]
FREE = {2048: 2304, 4096: 4864, 8192: 7936}


def freefare(board, name, *words):
    outcome = program(name, "-y", *words, environment=board.environment)
    expect(outcome.status == 0, str(outcome))
    return outcome.output


for tag, capacity in TYPE4:
    nfcpy_both_ways(tag, capacity)


for name, size in DESFIRE:

    @check(f"libfreefare makes an NDEF tag of a blank {name}, and nfcprog and nfcpy use it")
    def freefare_formats(folder, name=name, size=size):
        image = f"{name},size={size},file={folder / 'tag.txt'}"
        message, copy = folder / "message.ndef", folder / "copy.ndef"
        message.write_bytes(uri_message(300))
        with Simulation(image) as board:
            freefare(board, "mifare-desfire-create-ndef")
            freefare(board, "mifare-desfire-write-ndef", "-i", message)
            expect_equal(nfcpy(board, "read"), message.read_bytes(), "message read by nfcpy")
        expect_equal(raw_message(f"sim:{image}", folder), message.read_bytes(), "message read by nfcprog")
        message.write_bytes(uri_message(40))
        write_message(f"sim:{image}", message)
        with Simulation(image) as board:
            freefare(board, "mifare-desfire-read-ndef", "-o", copy)
        expect_equal(copy.read_bytes(), message.read_bytes(), "message read by libfreefare")

    @check(f"libfreefare tells what a {name} is, and empties it")
    def freefare_info(folder, name=name, size=size):
        with Simulation(f"{name},size={size}") as board:
            text = freefare_text(board, "mifare-desfire-info")
            expect(f"(={size} bytes)" in text and f"Free memory: {FREE[size]} bytes" in text, text)
            freefare(board, "mifare-desfire-create-ndef")
            freefare(board, "mifare-desfire-format")
            freefare(board, "mifare-desfire-create-ndef")


    @check(f"libfreefare changes keys of every kind on a {name}, and files are encrypted in every way")
    def freefare_keys(folder, name=name, size=size):
        # Its four applications of three files each are too much for a 2K card.
        with Simulation(f"{name},size={max(size, 4096)}") as board:
            helper = Path(__file__).with_name("freefare_keys.py")
            outcome = program(sys.executable, helper, f"pn532_uart:{board.port}")
            expect_equal([line.split()[0] for line in outcome.output.splitlines()],
                         ["des", "3des", "3k3des", "aes"], str(outcome))


def freefare_text(board, name):
    outcome = program(name, environment=board.environment)
    expect(outcome.status == 0, str(outcome))
    return outcome.output


@check("nfc-list tells a Type 4 tag by its ATS, and a type B card and a Topaz by what they answer")
def listing(folder):
    for tag, words in (
        ("type4", ("ATS: 75  77  81  02  80",)), ("ntag424", ("ATS: 77  77  71  02  80",)),
        ("typeb,uid=01020304", ("PUPI: 01  02  03  04", "Application Data: 00  00  00  00")),
        ("topaz96,uid=11223344556625", ("4-LSB JEWELID: 11  22  33  44",)),
        ("phone", ("SAK (SEL_RES): 60",)),
    ):
        with Simulation(tag) as board:
            outcome = program("nfc-list", environment=board.environment)
            expect(all(word in outcome.output for word in words), str(outcome))


@check("nfcpy writes a Topaz and reads it back")
def topaz(folder):
    with Simulation("topaz96") as board:
        message = uri_message(40)
        expect_equal(nfcpy(board, "write", message.hex()), message, "message read by nfcpy")


if __name__ == "__main__":
    print(__doc__)
