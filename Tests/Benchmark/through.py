#!/usr/bin/env python3
"""Runs nfcprog at a reader that an agent holds: through.py NFCPROG PORT WORD... The agent opens the reader before."""

import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Interoperability"))
import support  # noqa: E402
from agents import Agent  # noqa: E402

binary, port, *words = sys.argv[1:]
support.use_binary(binary)
with tempfile.TemporaryDirectory(prefix="nfcprog-") as folder:
    with Agent(folder, readers=(port,)) as agent:
        environment = {"XDG_STATE_HOME": folder}
        done = support.program(binary, *words, "--reader", port, environment=environment)
        print(done)
        agent.end(signal.SIGTERM)
sys.exit(done.status)
