"""FeliCa Lite and Lite-S: nfcpy and libnfc at the simulated ones, and at those that nfcprog wrote."""

import sys
from pathlib import Path

from nfcpy_peers import nfcpy, nfcpy_both_ways
from support import Simulation, check, expect, expect_equal, nfcprog, program, raw_message, write_message
from tags import uri_message

HELPER = Path(__file__).with_name("nfcpy_felica.py")
NAMES = ("felica-lite", "felica-lite-s")


def nfcpy_felica(board, *words):
    outcome = program(sys.executable, HELPER, board.port, *words)
    expect(outcome.status == 0, str(outcome))
    return outcome.output.split()


for name in NAMES:
    nfcpy_both_ways(name, 208)

    @check(f"nfcpy formats a blank {name}, and nfcprog writes it")
    def nfcpy_formats(folder, name=name):
        image = f"{name},content=blank,file={folder / 'tag.txt'}"
        with Simulation(image) as board:
            expect_equal(nfcpy_felica(board, "format"), ["True"], "formatted")
        message = folder / "message.ndef"
        message.write_bytes(uri_message(100))
        write_message(f"sim:{image}", message)
        expect_equal(raw_message(f"sim:{image}", folder), message.read_bytes(), "message")

    @check(f"nfcprog formats a blank {name}, and nfcpy writes it")
    def nfcprog_formats(folder, name=name):
        image = f"{name},content=blank,file={folder / 'tag.txt'}"
        nfcprog("format-felica", "--reader", f"sim:{image}")
        message = uri_message(100)
        with Simulation(image) as board:
            expect_equal(nfcpy(board, "write", message.hex()), message, "message read by nfcpy")
        expect_equal(raw_message(f"sim:{image}", folder), message, "message read by nfcprog")

    @check(f"nfcpy sets a key on {name}, proves it, and fails with another one")
    def nfcpy_protects(folder, name=name):
        with Simulation(name) as board:
            expect_equal(nfcpy_felica(board, "authenticate", "0123456789abcdef"), ["False"], "factory key")
            expect_equal(nfcpy_felica(board, "key", "0123456789abcdef"), ["True"], "key set")
            expect_equal(nfcpy_felica(board, "authenticate", "0123456789abcdef"), ["True"], "the key")
            expect_equal(nfcpy_felica(board, "authenticate", "fedcba9876543210"), ["False"], "another key")

    @check(f"nfc-list finds {name} at both speeds, and nfc-read-forum-tag3 reads what nfcpy wrote")
    def libnfc(folder, name=name):
        message, copy = uri_message(60), folder / "copy.ndef"
        with Simulation(name) as board:
            nfcpy(board, "write", message.hex())
            seen = program("nfc-list", environment=board.environment).output
            expect("1 Felica (212 kbps)" in seen and "1 Felica (424 kbps)" in seen, seen)
            outcome = program("nfc-read-forum-tag3", "-o", copy, environment=board.environment)
            expect(copy.exists(), str(outcome))
            expect_equal(copy.read_bytes(), message, "message read by libnfc")


if __name__ == "__main__":
    print(__doc__)
