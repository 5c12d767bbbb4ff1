"""Jobs through an agent whose clients and itself are killed; and clients that wait."""

import http.client
import json
import os
import random
import re
import signal
import threading
import time

from agents import Agent
from support import LIMIT, Difference, Simulation, check, expect, expect_equal, memory, nfcprog

# How many jobs, and how many agents do them of which all but the last are killed.
# NFCPROG_AGENT=10000,50 is the whole proof.
JOBS, LIVES = map(int, os.environ.get("NFCPROG_AGENT", "96,4").split(","))
READERS, CLIENTS = 4, 6
WAITING = 200


class Job:
    """A URL for one reader, and what is known of it: between `began` and `ended` it was done, if it was."""

    def __init__(self, number):
        self.number, self.reader = number, number % READERS
        self.key, self.url = f"job-{number}", f"https://example.com/{number}"
        self.began = self.ended = self.answer = None
        self.is_unknown = False

    def path(self, agent):
        return f"{agent.readers[self.reader]}/write-url"


def leave(agent, job):
    """A client that does not stay for its answer."""
    connection = agent.connect()
    try:
        connection.request("POST", job.path(agent), json.dumps({"url": job.url}), {
            "Authorization": f"Bearer {agent.token}", "Content-Type": "application/json", "Idempotency-Key": job.key})
        time.sleep(random.uniform(0, 0.03))
    finally:
        connection.close()


def do(agent, job, is_left):
    """Asks until there is an answer. Throws where the agent has gone."""
    job.began = job.began or time.monotonic()
    if is_left:
        leave(agent, job)
    while True:
        status, _, answer = agent.ask(job.path(agent), {"url": job.url}, Idempotency_Key=job.key)
        kind = re.split("[:/#]", answer.get("type", ""))[-1]
        if status == 409 and kind in ("in-progress", "reader-busy") or status == 503 and kind == "busy":
            time.sleep(0.02)
            continue
        job.ended = time.monotonic()
        if kind == "not-known":
            job.is_unknown = True
        else:
            expect_equal((status, answer.get("result")), (200, "written"), f"{job.key}: {answer}")
            job.answer = answer
        return


def live(folder, readers, jobs, is_killed):
    """An agent does jobs until it is killed, or has done all; those that are left."""
    left, lock = list(reversed(jobs)), threading.Lock()
    enough = random.randint(1, max(1, len(jobs) // 2)) if is_killed else None
    differences = []
    with Agent(folder, readers=readers) as agent:
        agent.readers = [agent.reader(number) for number in range(READERS)]

        def client():
            while True:
                with lock:
                    job = left.pop() if left else None
                if job is None:
                    return
                try:
                    do(agent, job, is_left=random.random() < 0.3)
                except (OSError, http.client.HTTPException):  # The agent was killed.
                    with lock:
                        left.append(job)
                    return
                except Difference as difference:
                    with lock:
                        differences.append(difference)
                    return

        clients = [threading.Thread(target=client) for _ in range(CLIENTS * READERS)]
        for one in clients:
            one.start()
        if is_killed:
            while sum(job.ended is not None for job in jobs) < enough and any(one.is_alive() for one in clients):
                time.sleep(0.002)
            agent.end(signal.SIGKILL)
        for one in clients:
            one.join()
        if not is_killed:
            expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM")
    if differences:
        raise differences[0]
    return sorted(left, key=lambda job: job.number)


def judge(readers, jobs):
    """Each tag holds what the last job at its reader has put there, as far as the answers say which one that was."""
    for reader in range(READERS):
        here = [job for job in jobs if job.reader == reader and job.began is not None]
        if not here:
            continue
        records = json.loads(nfcprog("read", "--json", "--reader", readers[reader]).output)["records"]
        if not records:
            # A message's length is written last: the tag is empty where its last job was cut.
            cut = [job for job in here if job.ended is None or job.is_unknown]
            known = max((job.began for job in here if job.answer), default=0)
            expect(any(job.ended is None or job.ended > known for job in cut), f"reader {reader} holds nothing after {len(here)} jobs")
            continue
        held = records[0]["uri"]
        last = next((job for job in here if job.url == held), None)
        expect(last is not None, f"reader {reader} holds {held}, which nobody asked for")
        after = [job.key for job in here if job.answer and last.ended is not None and job.began > last.ended]
        expect(not after, f"reader {reader} holds {held}, but {after[:5]} were written later")


@check("jobs at four readers of an agent, whose clients and itself are killed: no job twice, each tag as the answers say", long=True)
def kills(folder):
    random.seed(20261127)
    readers = [f"sim:ntag213,uid=04a1b2c3d4e5f{n},file={folder}/{n}.tag" for n in range(READERS)]
    jobs = [Job(number) for number in range(JOBS)]
    todo = []
    for turn in range(LIVES):
        todo += jobs[turn * JOBS // LIVES:(turn + 1) * JOBS // LIVES]
        todo = live(folder / "state", readers, todo, is_killed=turn < LIVES - 1)
        judge(readers, jobs)
    expect_equal(todo, [], "jobs that are left")
    before = [memory(folder / f"{reader}.tag") for reader in range(READERS)]
    with Agent(folder / "state", readers=readers) as agent:
        agent.readers = [agent.reader(number) for number in range(READERS)]
        for job in jobs:
            status, headers, answer = agent.ask(job.path(agent), {"url": job.url}, Idempotency_Key=job.key)
            if job.is_unknown:
                expect(answer["type"].endswith("not-known"), f"{job.key} again: {answer}")
            else:
                expect_equal((status, answer, headers["Idempotent-Replayed"]), (200, job.answer, "true"), f"{job.key} again")
        expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM")
    expect_equal([memory(folder / f"{reader}.tag") for reader in range(READERS)], before, "the tags after all was asked for again")
    known = sum(job.answer is not None for job in jobs)
    expect(known >= JOBS - LIVES * READERS, f"{JOBS - known} of {JOBS} jobs are not known")


@check("two hundred clients that wait for a reader, and go, cost it no exchange", long=True)
def waiting(folder):
    def counted(name, clients):
        """What the board has done for its jobs, with so many clients that wait for it meanwhile and go."""
        path = folder / f"{name}.json"
        with Simulation("ntag213,uid=04a1b2c3d4e5f0", "--stats", path) as board:
            with Agent(folder / name, readers=(board.port,)) as agent:
                reader = agent.reader()
                # Jobs that wait in a line before them.
                jobs = [threading.Thread(target=agent.ask, args=(f"{reader}/transceive?wait=600", {"hex": ["3004"] * 100})) for _ in range(50)]
                for job in jobs:
                    job.start()
                lines = [agent.connect() for _ in range(clients)]
                for line in lines:
                    line.request("POST", f"{reader}/read?wait=600", "{}", {
                        "Authorization": f"Bearer {agent.token}", "Content-Type": "application/json"})
                most, deadline = 0, time.monotonic() + LIMIT
                while most < clients and time.monotonic() < deadline:
                    most = max(most, agent.ask("/v1/readers")[2]["readers"][0]["waiting"])
                expect(most >= clients, f"{most} of {clients} have waited")
                for line in lines:
                    line.close()
                for job in jobs:
                    job.join(LIMIT)
                expect_equal(agent.ask(f"{reader}/read", {})[0], 200, "a read")
                agent.end(signal.SIGTERM)
        return json.loads(path.read_text())

    alone, among = counted("alone", 0), counted("among", WAITING)
    # How often a busy machine looks for the tag once more is no matter of theirs.
    expect_equal(
        among["commands"]["InDataExchange"], alone["commands"]["InDataExchange"], f"the tag's commands with {WAITING} who wait")
