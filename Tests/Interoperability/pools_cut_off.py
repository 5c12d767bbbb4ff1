"""Benches of a pool without their database: cut off, and killed with it."""

import os
import random
import signal
import subprocess
import threading
import time

from pool_benches import expect_pool, start, variables
from postgres import Database, Network
from series import Boards, jobs, lay_down_again
from support import LIMIT, check, expect, expect_equal, nfcprog

# Jobs, kills of benches and of the database, cuts; NFCPROG_POOL_SIZE=5000,200,20,20 is the whole proof.
SIZE = [int(number) for number in os.environ.get("NFCPROG_POOL_SIZE", "40,4,1,2").split(",")]


@check("provision without its database continues with the jobs that it has claimed, says so in one line, and tells the pool later", long=True)
def away(folder):
    with Database() as database:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        failures = []

        def cut(silently):
            try:
                cut_off(folder / f"cut{silently}", database, f"A{silently}", silently)
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=cut, args=(silently,)) for silently in (False, True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


def cut_off(folder, database, batch, silently):
    """A bench whose network is closed, or says nothing more, after its first tags; and is there again later."""
    folder.mkdir()
    network = Network(database.port)
    state = f"SELECT count(*) FROM nfcprog.job JOIN nfcprog.batch ON batch.id = batch WHERE batch.name = '{batch}' AND state = 'written'"
    with Boards(folder, 1, "ntag213*3000,pace=real") as boards:
        words = [*jobs(12), "--start-over", "--journal", database.address(batch, network.port), "--timeout", "300",
                 *boards.options()]
        process = start(folder, 0, words)
        lines = []
        reading = threading.Thread(target=lambda: lines.extend(process.stdout))
        reading.start()
        while process.poll() is None and database.sql(state) == "0":
            time.sleep(0.02)
        network.cut(silently)

        def is_working():
            return "PASS" in "".join(lines).partition("this bench continues with the")[2]

        limit = time.monotonic() + LIMIT
        while process.poll() is None and not is_working() and time.monotonic() < limit:
            time.sleep(0.1)
        # Time for all that it has claimed.
        time.sleep(10 if silently else 3)
        expect_equal(process.poll(), None, "".join(lines))
        network.heal()
        expect_equal(process.wait(LIMIT), 0, "".join(lines))
        reading.join()
    text = "".join(lines)
    expect_equal(text.count("this bench continues with the"), 1, text)
    expect("claims no other" in text and "answers again" in text, text)
    meanwhile = text.split("this bench continues with the")[1].split("answers again")[0].splitlines()
    passed = [line for line in meanwhile if "PASS" in line]
    # The database may know of one whose line had not come yet.
    expect(0 < len(passed) <= 5, text)
    # Nothing is wrong with the tags for which no job is left: they are tried again.
    left = [line for line in text.splitlines() if "NOT WRITTEN" in line and "No job is left for this tag" not in line]
    expect(left and all("The database is away, and" in line for line in left), text)
    expect(f"Causes: {len(left)} without the database" in text and " 0 failed" in text, text)
    expect_equal(int(database.sql(state)), 12, "written")


@check("four benches on a pool, killed with their database and network: every code on exactly one tag by the tags' memories", alone=True)
def chaos(folder):
    count, kills, crashes, cuts = SIZE
    rng = random.Random(20261122)
    with Database() as database, Boards(folder, 4, f"ntag213*{20 * count + 2000},bad=3%,pace=real") as boards:
        nfcprog("journal", "init", database.owner, "--bench", "bench")
        networks = [Network(database.port) for _ in range(4)]
        options = boards.options()
        left, lock, outputs = [kills], threading.Lock(), {}

        def work(number):
            words = [*jobs(count), "--journal", database.address("A17", networks[number].port), "--timeout", "20",
                     *options[2 * number:2 * number + 2]]
            chance, given_up = random.Random(number), []
            while True:
                with lock:
                    is_killed = left[0] > 0
                    left[0] -= 1
                process = start(folder, number, [*words, *given_up])
                try:
                    text = process.communicate(timeout=chance.uniform(0.3, 2.5) if is_killed else 60 + 4 * count)[0]
                    outputs[number] = text
                    # A bench begins with its database only; one that waited in vain for others starts again.
                    if process.returncode == 0:
                        return
                    if "No tag that the line waits for" in text:
                        given_up = lay_down_again(folder, words[:-2], text, variables(folder, number))
                    time.sleep(0.2)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    if not is_killed:
                        return

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        events = ["crash"] * crashes + ["cut"] * cuts
        rng.shuffle(events)
        written = "SELECT count(*) FROM nfcprog.job WHERE state = 'written'"
        for number, event in enumerate(events, 1):
            # Evenly over the work.
            while any(thread.is_alive() for thread in threads):
                try:
                    if int(database.sql(written)) >= count * number / (len(events) + 1):
                        break
                except Exception:
                    pass
                time.sleep(0.1)
            if event == "crash":
                database.crash()
            else:
                network = rng.choice(networks)
                network.cut(silently=rng.random() < 0.3)
                time.sleep(rng.uniform(0.1, 1.5))
                network.heal()
        for thread in threads:
            thread.join()
        for text in outputs.values():
            expect("Set tag" not in text, f"a conflict that nobody has caused: {text}")
        expect_pool(database, folder, "A17", count)
        nfcprog("journal", "verify", database.address("A17"), environment=variables(folder, 0))
