"""The benchmark itself: it measures, and it notices what is not done."""

import sys
from pathlib import Path

from support import binary, check, expect, expect_equal, program

BENCHMARK = Path(__file__).resolve().parent.parent / "benchmark"


@check("the benchmark compares nfcprog with the others, and nfcprog takes the fewest commands")
def compares(folder):
    outcome = program(sys.executable, BENCHMARK, "--binary", binary(), "--repeat", "1", "replaced", limit=120)
    expect(outcome.status == 0, str(outcome))
    rows = [line.split("|") for line in outcome.output.splitlines() if line.startswith("| ")]
    commands = {}
    for row in rows:
        if row[3].strip().isdigit():
            commands.setdefault(row[2].strip(), []).append(int(row[3]))
    expect_equal(sorted(commands), ["nfc-mfultralight", "nfcprog", "nfcprog through an agent", "nfcpy"], "programs")
    expect(max(commands["nfcprog"]) < min(commands["nfcpy"] + commands["nfc-mfultralight"]), f"commands: {commands}")
