"""The words of stations: what a hub says of each while something stands in its way, on a journal and on a pool."""

import os
import subprocess
import time

from hubs import Hub, provision
from postgres import PASSWORD, Database
from printers import Printer
from series import Boards, jobs
from support import LIMIT, binary, check, expect, expect_equal, nfcprog

# Seconds within which a hub says what a station shows.
PROMPT = 20


def stations(hub, batch):
    return {one["station"]: one for one in hub.get(f"/v1/batches/{batch}/stations")["stations"]}


def await_words(hub, batch, wanted):
    """Waits until stations have these words; gives all of them."""
    until = time.monotonic() + PROMPT
    while True:
        seen = stations(hub, batch)
        words = {name: one["word"] for name, one in seen.items()}
        if {name: words.get(name) for name in wanted} == wanted:
            return seen
        expect(time.monotonic() < until, f"the hub says {seen}, and not {wanted}")
        time.sleep(0.1)


def start(folder, journal, printer, boards, environment):
    values = dict(os.environ, SWIFT_BACKTRACE="enable=no", XDG_CONFIG_HOME="/nonexistent", **environment)
    template = folder / "label.zpl"
    template.write_text("^XA^FO40,40^FD{code}^FS^XZ")
    return subprocess.Popen(
        [binary(), "provision", *jobs(40), "--journal", str(journal), "--timeout", "60", "--label", printer.address,
         "--label-template", str(template), *boards.options(), "--names", "left,right"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=values, cwd=folder)


def follow(folder, journal, source, batch, environment):
    """Unplugs a board, puts two tags on the other and takes the printer's paper away, one after the other."""
    printer = Printer("paper")
    with Boards(folder, 1, "ntag213*40,pace=real") as boards:
        # What lies on the other reader: two tags at once, for as long as it is looked at.
        boards.links.append(folder / "board1")
        boards.processes.append(boards.start(1, "ntag213+ntag213"))
        run = start(folder, journal, printer, boards, environment)
        try:
            until = time.monotonic() + PROMPT
            while "PRINTER" not in (line := run.stdout.readline()):
                expect(line and time.monotonic() < until, f"the terminal says {line!r}")
            with Hub(source, environment=environment) as hub:
                seen = await_words(hub, batch, {"left": "PRINTER", "right": "PRINTER"})
                expect_equal(seen["left"]["text"], "Put labels in. The label printer has no labels.", "text")
                expect("bin" not in seen["left"] and "uid" not in seen["left"], str(seen["left"]))
                expect_equal(hub.get(f"/v1/batches/{batch}/events")["events"], [], "no event is made of it")
                printer.trouble = None
                seen = await_words(hub, batch, {"right": "ONE TAG ONLY"})
                expect(seen["right"]["text"].startswith("several tags"), str(seen["right"]))
                while stations(hub, batch)["left"]["written"] == 0:
                    expect(run.poll() is None, "the run has ended")
                    time.sleep(0.1)
                boards.unplug(0)
                seen = await_words(hub, batch, {"left": "READER AWAY", "right": "ONE TAG ONLY"})
                expect("plug it in again" in seen["left"]["text"], str(seen["left"]))
                written = seen["left"]["written"]
                expect(written > 0, "what it has written in this run still counts")
                boards.processes[0] = boards.start(0, "ntag213*40,pace=real")
                while stations(hub, batch)["left"]["written"] <= written:
                    expect(run.poll() is None, "the run has ended")
                    time.sleep(0.1)
                kinds = {event["kind"] for event in hub.get(f"/v1/batches/{batch}/events?limit=1000")["events"]}
                expect(kinds <= {"reserved", "resumed", "written", "held", "returned", "passed"}, str(kinds))
                run.terminate()
                run.communicate(timeout=LIMIT)
                await_words(hub, batch, {"left": "ENDED", "right": "ENDED"})
        finally:
            run.kill()
            run.communicate()
            printer.close()


@check("a hub says of each station of a journal what stops it: the printer, two tags, a reader that is away", alone=True)
def journal(folder):
    path = folder / "A17.journal"
    follow(folder, path, path, "A17", {})


@check("a hub says of a run that was killed that it was cut off, that nobody works, and no more how long it takes")
def killed(folder):
    path = folder / "A17.journal"
    run = provision(folder, path, 500, "--reader", "sim:ntag213*500,pace=real")
    try:
        while not path.exists():
            time.sleep(0.1)
        with Hub(path) as hub:
            while hub.get("/v1/batches/A17")["written"] < 6:
                expect(run.poll() is None, "the run has ended")
                time.sleep(0.1)
            board = hub.get("/v1/batches/A17/board")
            expect("tagsPerHour" in board and "secondsLeft" in board, str(board))
            expect_equal([one["benches"] for one in hub.get("/v1/batches")["batches"]], [1], "benches at work")
            run.kill()
            run.wait()
            seen = await_words(hub, "A17", {"1": "ENDED"})
            expect_equal(seen["1"].get("next"), "the run was cut off", "below the word")
            board = hub.get("/v1/batches/A17/board")
            expect("tagsPerHour" not in board and "secondsLeft" not in board, str(board))
    finally:
        run.kill()
        run.wait()


@check("a hub says of each station of a pool what stops it: the printer, two tags, a reader that is away", alone=True)
def pool(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench", "--viewer", "viewer")
        environment = {"PGPASSWORD": PASSWORD, "XDG_STATE_HOME": str(folder / "state")}
        viewer = database.address("X", user="viewer").replace("?batch=X", "")
        follow(folder, database.address("A17"), viewer, "A17", environment)
