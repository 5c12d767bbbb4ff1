"""Two boards in one field (`simulate --pair`): other programs read with the second what `emulate` plays on the first."""

import sys

from emulating import LINK, Emulation, link_of
from emulating_proofs import SHORT, key_file
from support import Simulation, check, expect, expect_equal, json_object, nfcprog, program
from nfcpy_peers import HELPER


class Pair(Simulation):
    """The board that plays, and `reader`, the terminal of the one that reads."""

    def __init__(self, *words):
        super().__init__("--pair", *words)

    def __enter__(self):
        super().__enter__()
        self.reader = self.next_line()
        self.reading = {"LIBNFC_DEFAULT_DEVICE": f"pn532_uart:{self.reader}", "LIBNFC_AUTO_SCAN": "false"}
        return self


@check("emulate: nfc-list, nfcpy and nfcprog on a second board read what the first one plays, one after another")
def peers(folder):
    with Pair() as pair:
        emulation = Emulation(pair, "--url", LINK)
        listed = program("nfc-list", environment=pair.reading).output
        expect("75  33  92  03" in listed and "UID (NFCID3): 08" in listed, listed)
        for _ in range(2):
            seen = json_object(nfcprog("read", "--json", "--reader", pair.reader))
            expect_equal(seen["records"][0]["uri"], LINK, "read")
            tap = emulation.tap()
            expect(tap["complete"] and link_of(tap) == LINK, str(tap))
        outcome = program(sys.executable, HELPER, pair.reader, "read")
        expect_equal(bytes.fromhex(outcome.output.split()[-1]).hex(), message_of(LINK), str(outcome))
        expect(emulation.tap()["complete"], "nfcpy's tap")
        listed = program("nfc-list", environment=pair.reading).output
        expect("UID (NFCID3): 08" in listed, listed)
        status, _, said = emulation.end()
        expect_equal(status, 0, said)


def message_of(link):
    rest = link.removeprefix("https://").encode()
    return (bytes([0xD1, 1, len(rest) + 1, 0x55, 4]) + rest).hex()


@check("emulate: one tag, three telephones: phone, sessions of Core NFC and check-link --tag read it with a second board")
def telephones(folder):
    rules = folder / "aasa.json"
    rules.write_text('{"applinks": {"details": [{"appIDs": ["Q7K2M9P4ZX.com.example.app"], "components": [{"/": "/live/*"}]}]}}')
    with Pair() as pair:
        emulation = Emulation(pair, "--url", LINK)
        seen = json_object(nfcprog("phone", "--aasa", rules, "--assume-served", "--json", "--reader", pair.reader))
        expect_equal((seen["uri"], seen["outcome"]), (LINK, "wakes"), "phone")
        expect(emulation.tap()["complete"], "phone's tap")
        for session in (["ndef", "--invalidate-after-first-read"], ["tag"]):
            outcome = nfcprog("phone", "--session", *session, "--json", "--reader", pair.reader)
            expect(LINK in outcome.output, str(outcome))
            expect(emulation.tap()["complete"], f"the tap of a session ({session})")
        outcome = nfcprog("check-link", "--tag", "--aasa", rules, "--assume-served", "--reader", pair.reader)
        expect(LINK in outcome.output, str(outcome))
        expect(emulation.tap()["complete"], "check-link's tap")
        status, _, said = emulation.end()
        expect_equal(status, 0, said)


@check("emulate --sdm: verify-sun takes what nfcpy and nfcprog read with a second board, each reading with its number")
def proofs(folder):
    keys = key_file(folder)
    with Pair() as pair:
        emulation = Emulation(pair, "--url", SHORT, "--sdm", "--keys", keys)
        for number in (1, 2, 3):
            if number == 2:
                shown = bytes.fromhex(program(sys.executable, HELPER, pair.reader, "read").output.split()[-1])
                link = "https://" + shown[5:].decode()
            else:
                link = json_object(nfcprog("read", "--json", "--reader", pair.reader))["records"][0]["uri"]
            tap = emulation.tap()
            seen = json_object(nfcprog("verify-sun", link, "--keys", keys, "--counters", folder / "seen", "--json"))
            expect(seen["counter"] in tap["counters"], f"{seen} {tap}")
        expect_equal(emulation.end()[0], 0, "exit status")


@check("simulate --pair: with nobody playing the second board finds no tag, also after a player was killed")
def nobody(folder):
    import signal
    with Pair() as pair:
        nfcprog("info", "--timeout", "0", "--reader", pair.reader, status=75)
        emulation = Emulation(pair, "--url", LINK)
        nfcprog("read", "--reader", pair.reader)
        emulation.end(signal.SIGKILL)
        # The chip still waits; whoever selects it hears nothing, and the next program makes it a reader.
        program("nfc-list", environment=pair.environment)
        nfcprog("info", "--timeout", "0", "--reader", pair.reader, status=75)
        emulation = Emulation(pair, "--url", LINK)
        nfcprog("read", "--reader", pair.reader)
        expect(emulation.tap()["complete"], "after a new start")
        emulation.end()
    nfcprog("simulate", "--pair", "--phone", "iphone", status=64)
