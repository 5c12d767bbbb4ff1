"""simulate: a board for other programs, at every speed, killed, asked too much."""

import json
import os
import termios
import time
import tty

from support import Simulation, check, expect, expect_equal, memory, nfcprog, program


URL = "https://example.com/t/1"


@check("after every speed of the line the board is back at 115200 baud")
def speeds(folder):
    with Simulation("ntag213,uid=04a1b2c3d4e5f6") as board:
        for speed in ("115200", "230400", "460800", "921600", "auto"):
            nfcprog("info", "--baud", speed, "--reader", board.port)
            listed = program("nfc-list", environment=board.environment)
            expect("04  a1  b2  c3  d4  e5  f6" in listed.output, f"after {speed}: {listed}")


@check("a board keeps what was written to its tags, also where it is killed")
def killed_board(folder):
    file = folder / "tag.txt"
    with Simulation(f"ntag213,file={file}") as board:
        nfcprog("write-url", URL, "--reader", board.port)
        kept = memory(file)
        board.kill()
    expect_equal(memory(file), kept, "memory")
    nfcprog("write-url", URL, "--reader", f"sim:ntag213,file={folder / 'same.txt'}")
    expect_equal(memory(file), memory(folder / "same.txt"), "memory")


@check("a board outlives a FAST_READ that no frame can answer")
def long_fast_read(folder):
    with Simulation("ntag216") as board:
        nfcprog("info", "--reader", board.port)
        port = os.open(board.port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(port)
        settings = termios.tcgetattr(port)
        settings[4] = settings[5] = termios.B115200
        termios.tcsetattr(port, termios.TCSANOW, settings)
        # Wake-up, SAMConfiguration, InListPassiveTarget, and 67 pages at once.
        for text in ("55550000000000000000", "0000ff03fdd414011700", "0000ff04fcd44a0100e100",
                     "0000ff05fbd4423a00426e00"):
            os.write(port, bytes.fromhex(text))
            time.sleep(0.2)
        answer = os.read(port, 1000).hex()
        os.close(port)
        expect("d54307" in answer, answer)
        nfcprog("info", "--reader", board.port)


@check("simulate --stats counts what it was asked, and --link leads to the board")
def statistics(folder):
    link, stats = folder / "board", folder / "stats.json"
    with Simulation("ntag213", "--link", link, "--stats", stats):
        nfcprog("write-url", URL, "--reader", link)
        expect(not stats.exists(), "the statistics were written before the end")
    seen = json.loads(stats.read_text())
    expect(seen["eepromWrites"] >= 6 and seen["commands"]["InDataExchange"] > 6, str(seen))
    expect(not link.exists(), "the link outlived the board")
