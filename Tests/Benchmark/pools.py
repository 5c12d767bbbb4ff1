"""Stations that share a list: at one bench and at four, in a journal's file and in a pool of PostgreSQL."""

import json
import os
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

from postgres import PASSWORD, Database
from support import LIMIT, Difference, binary, expect, expect_equal, nfcprog
from tables import line, number

TEMPLATE = "https://example.com/t/{code}"
# Benches, and stations at each.
LINES = [(1, 1), (1, 8), (1, 32), (4, 1), (4, 2), (4, 8)]
# Tags for each station.
TAGS = 40
COLUMNS = ["benches", "stations", "kept in", "tags/s", "of linear", "reserve ms", "claim ms", "processor ms a tag"]


class Run:
    """One list worked off: what the benches say of it, by their own clocks."""

    def __init__(self, folder, address, benches, stations):
        count = benches * stations * TAGS
        words = [binary(), "provision", "--range", f"1..{count}", "--template", TEMPLATE, "--journal", address, "--json", "--timeout", "20"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        processes, outputs = [], []
        for bench in range(benches):
            # More than its share, since faster benches take more.
            readers = ["--reader", f"sim:ntag213*{4 * TAGS},pace=real,seed={1 + bench}"] * stations
            values = dict(os.environ, XDG_STATE_HOME=str(folder / f"state{bench}"), PGPASSWORD=PASSWORD)
            # Into files: a bench whose pipe is full waits until somebody reads it.
            output, errors = (open(folder / f"{name}{bench}", "w+") for name in ("output", "errors"))
            outputs.append((output, errors))
            processes.append(subprocess.Popen(
                [str(word) for word in words + readers], stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=values))
        for process in processes:
            process.wait(LIMIT + count)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        events = []
        for process, (output, errors) in zip(processes, outputs):
            with output, errors:
                output.seek(0)
                errors.seek(0)
                expect(process.returncode == 0, f"status {process.returncode}\n{errors.read()[-2000:]}")
                events += [json.loads(text) for text in output]
        summaries = [event for event in events if event["event"] == "summary"]
        expect_equal(sum(summary["passed"] for summary in summaries), count, "tags that passed")
        self.rate = sum(summary["passed"] / summary["durationMs"] for summary in summaries) * 1000
        self.reserve = statistics.median(event["steps"]["reserve"] for event in events if event.get("verdict") == "passed")
        self.cpu = (used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime) / count


def claim_time(database):
    """Milliseconds that the database takes for one claim, of all that it was asked for since the last time."""
    text = database.sql(
        "SELECT sum(calls), sum(total_exec_time) FROM pg_stat_statements WHERE query ILIKE '%SKIP LOCKED%'; SELECT pg_stat_statements_reset()")
    calls, total = text.splitlines()[0].split("|")
    return float(total) / int(calls) if calls else None


def measure():
    """Rows of the table, as they are measured."""
    single = {}
    with Database(libraries=["pg_stat_statements"]) as database:
        database.sql("CREATE EXTENSION pg_stat_statements")
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        for benches, stations in LINES:
            for kind in ("journal", "pool"):
                with tempfile.TemporaryDirectory(prefix="nfcprog-") as name:
                    folder = Path(name)
                    address = folder / "journal" if kind == "journal" else database.address(f"B{benches}x{stations}")
                    try:
                        run = Run(folder, address, benches, stations)
                    except Difference as failure:
                        yield line([str(benches), str(benches * stations), kind, "failed", "", "", "", ""]), str(failure)
                        continue
                single.setdefault(kind, run.rate)
                linear = run.rate / (single[kind] * benches * stations)
                claim = claim_time(database) if kind == "pool" else None
                yield line([
                    str(benches), str(benches * stations), kind, number(run.rate, 1), f"{number(100 * linear)} %", number(run.reserve, 1),
                    number(claim, 2) if claim is not None else "", number(1000 * run.cpu, 1)]), None
