"""nfcprog-hub held to its own description (openapi.json) by schemathesis: requests of every operation, good ones and others."""

import os
import subprocess
import sys
from pathlib import Path

from hubs import SECRET, Hub, provision
from postgres import Database
from support import LIMIT, Difference, check, expect, expect_equal, nfcprog

# A night takes longer.
SECONDS = int(os.environ.get("NFCPROG_SCHEMA_SECONDS", "25"))
# That answers are what the description says, and none is a failure of the hub. What a description cannot say, such as that
# a list has to be a good one, is no matter of it.
JUDGED = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"


def program():
    """Where schemathesis is; a check that needs it fails loudly without."""
    path = Path(sys.executable).with_name("schemathesis")
    if not path.exists():
        raise Difference("schemathesis is not installed (Tests/prepare --peers installs it): the hub is NOT held to its description")
    return path


def expect_description(hub, folder):
    # The hub takes 50 requests a second of one client.
    done = subprocess.run(
        [program(), "run", f"http://127.0.0.1:{hub.port}/openapi.json", "--url", f"http://127.0.0.1:{hub.port}", "--checks", JUDGED,
         "--rate-limit", "40/s", "--max-time", str(SECONDS), "--seed", "1", "--no-color"],
        cwd=folder, capture_output=True, text=True, timeout=SECONDS * 6 + LIMIT)
    expect(done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}")
    expect("24 selected / 24 total" in done.stdout, f"operations that were not asked for\n{done.stdout[:1500]}")
    expect(hub.process.poll() is None, "the hub has ended")


@check("nfcprog-hub on a journal answers whatever is asked as its description says, and never with a failure of its own", long=True)
def journal(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    with Hub(path) as hub:
        expect_description(hub, folder)


@check("nfcprog-hub on a pool, where batches are made and changed, answers as its description says, and never with a failure of its own", long=True)
def pool(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--hub", "viewer")
        address = database.address("x", user="viewer").replace("?batch=x", "")
        with Hub(address, environment=SECRET) as hub:
            made = hub.post("/v1/batches", {"id": "line", "csv": "code\nA\nB\n", "template": "https://example.com/{code}"})
            expect_equal(made[0], 201, "a batch")
            expect_description(hub, folder)
