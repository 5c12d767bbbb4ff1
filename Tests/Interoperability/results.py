"""--on-result: a command for every tag."""

import json
import os
import signal
import subprocess
import time

from series import TEMPLATE, jobs, start
from support import LIMIT, binary, check, expect, expect_equal, nfcprog


@check("--on-result is run for every tag with what became of it, and not for ever")
def results(folder):
    table = folder / "jobs.csv"
    table.write_text('code,serial no\nA,"1 ""2"""\nB,3\n')
    log = folder / "log"
    command = f'printf "%s|%s|%s|%s\\n" "$NFCPROG_RESULT" "$NFCPROG_NAME" "$NFCPROG_URL" "$NFCPROG_COLUMN_SERIAL_NO" >> {log}'
    nfcprog(
        "provision", table, "--template", TEMPLATE, "--reader", "sim:ntag213*3,bad=34%", "--on-result", command)
    lines = sorted(log.read_text().splitlines())
    expect_equal(
        [line for line in lines if line.startswith("passed")],
        ['passed|A|https://example.com/t/A|1 "2"', "passed|B|https://example.com/t/B|3"], "log")
    expect(any(line.startswith("failed") for line in lines), str(lines))
    # Within the time that any program has here.
    outcome = nfcprog(
        "provision", *jobs(2), "--reader", "sim:ntag213*2", "--on-result", "sleep 100",
        "--on-result-timeout", "0.5")
    expect("took too long" in outcome.errors, str(outcome))


@check("--on-result takes what became of every good tag at least once, whatever became of the command")
def results_again(folder):
    log, gate = folder / "log", folder / "gate"
    command = f'test -e {gate} || exit 3; echo "$NFCPROG_JOB $NFCPROG_REPEATED" >> {log}'
    words = [*jobs(3), "--journal", folder / "journal", "--reader", f"sim:ntag213*3,save={folder / 'tags'}"]
    outcome = nfcprog("provision", *words, "--on-result", command, "--json")
    expect("did not take 3 results" in outcome.errors and "status 3" in outcome.errors, str(outcome))
    expect_equal(json.loads(outcome.output.splitlines()[-1])["resultsNotTaken"], 3, "results in the summary")
    gate.touch()
    nfcprog("provision", *words, "--on-result", command)
    expect_equal(sorted(log.read_text().split("\n")), ["", "1 yes", "2 yes", "3 yes"], "log")
    nfcprog("provision", *words, "--on-result", command)
    expect_equal(len(log.read_text().splitlines()), 3, "lines")


@check("--on-result counts a failure as one also where the parent ignores SIGCHLD, and its command gets no secret")
def results_of_a_strange_parent(folder):
    log = folder / "log"
    secrets = {"PGPASSWORD": "s3cret-of-the-pool", "NFCPROG_KEYS": "A0A1A2A3A4A5", "TAG_PASSWORD": "1122AABB",
               "ORDERS": "postgresql://line:s3cret-of-the-pool@db.example/orders"}
    command = f"env > {log}; exit 3"
    words = [*jobs(2), "--journal", folder / "journal", "--set-password", "env:TAG_PASSWORD",
             "--reader", f"sim:ntag213*2,save={folder / 'tags'}", "--json"]
    process = subprocess.run(
        [binary(), "provision", *map(str, words), "--on-result", command], capture_output=True, text=True, timeout=LIMIT,
        env=dict(os.environ, XDG_CONFIG_HOME="/nonexistent", **secrets), preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    expect_equal(json.loads(process.stdout.splitlines()[-1])["resultsNotTaken"], 2, process.stderr)
    seen = log.read_text()
    expect("NFCPROG_RESULT=passed" in seen, seen)
    for name, value in secrets.items():
        expect(value not in seen and name + "=" not in seen, f"{name} is in the command's environment: {seen}")


@check("a command of --on-result that hangs holds no Ctrl-C up, inherits no files and goes with its group", alone=True)
def hanging_result(folder):
    log = folder / "log"
    command = f"ls -l /proc/self/fd > {log}; sleep 317 & sleep 317"
    process = start(
        *jobs(5), "--journal", folder / "journal", "--reader", "sim:ntag213*5", "--on-result", command,
        "--on-result-timeout", "60")
    process.stdout.readline()
    limit = time.monotonic() + LIMIT
    while not log.exists() or not log.read_text():
        expect(time.monotonic() < limit, "the command did not start")
        time.sleep(0.05)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=LIMIT)[0]
    expect(time.monotonic() - began < 8, "Ctrl-C was held up")
    expect_equal(process.returncode, 130, rest)
    names = log.read_text()
    expect("journal" not in names and "ptmx" not in names and "pts" not in names, names)
    left = subprocess.run(["pgrep", "-f", "sleep 317"], capture_output=True, text=True).stdout
    expect_equal(left, "", "processes that were left")


@check("what a good command of --on-result leaves in the background goes on, and a column of another program is none of it")
def background_result(folder):
    log = folder / "log"
    table = folder / "jobs.csv"
    table.write_text("code,serial no,serial-no\nA,1,2\n")
    command = f'(sleep 0.5; env | grep -E "COLUMN|STATION" | sort > {log}.new; mv {log}.new {log}) & exit 0'
    os.environ["NFCPROG_COLUMN_STALE"] = "x"
    try:
        nfcprog("provision", table, "--template", TEMPLATE, "--reader", "sim:ntag213", "--names", "left", "--on-result", command)
    finally:
        del os.environ["NFCPROG_COLUMN_STALE"]
    limit = time.monotonic() + LIMIT
    while not log.exists():
        expect(time.monotonic() < limit, "the command in the background did not end")
        time.sleep(0.05)
    expect_equal(log.read_text().split(), ["NFCPROG_COLUMN_CODE=A", "NFCPROG_COLUMN_SERIAL_NO=1",
                                           "NFCPROG_COLUMN_SERIAL_NO_2=2", "NFCPROG_STATION=left"], "variables")
