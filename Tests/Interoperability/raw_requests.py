"""A hub and an agent that get requests of which chance has changed bytes: heads, lengths, chunks and bodies."""

import json
import os
import random
import re
import socket
import threading

from agents import Agent
from hubs import Hub, provision
from support import LIMIT, Difference, check, expect, expect_equal

# How many requests each server gets; a night sends more. Each goes with a seed of its own.
COUNT, SEED = map(int, os.environ.get("NFCPROG_RAW_REQUESTS", "600,20261127").split(","))
CLIENTS = 4
BITS = [b"\r\n", b"\n", b"\r\n\r\n", b"\0", b"\xff", b"%00", b"%zz", b"%2e%2e/", b"0", b"-1", b"99999999999999999999", b"Content-Length: 5\r\n",
        b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"Host: evil.example\r\n", b"Connection: upgrade\r\nUpgrade: h2c\r\n",
        b"Range: bytes=0-\r\n", b"Accept-Encoding: gzip\r\n", b"ffffffffffffffff\r\n", b"1;x=y\r\n", b" ", b"\t", b":", b"a" * 9000, b"[" * 600,
        b'{"a":' * 600, b"1e999", b"\\ud800", b"\xed\xa0\x80", b"HTTP/1.0", b"HTTP/2.0", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]


def request(method, path, body=None, *, chunked=False, **fields):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"] + [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    data = b"" if body is None else body.encode()
    if chunked:
        lines.append("Transfer-Encoding: chunked")
        data = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (data[:7], data[7:]) if part) + b"0\r\n\r\n"
    elif body is not None:
        lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def changed(data, seeds, chance):
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0: data[place:place + 1] = bytes([chance.randrange(256)])
            case 1: del data[place:place + chance.choice((1, 1, 4, 60))]
            case 2 | 3: data[place:place] = chance.choice(BITS)
            case 4: data[place:place] = chance.choice(seeds)[:chance.choice((20, 200))]
            case _: del data[place:]
    return bytes(data)


def exchange(port, data, number):
    """What the server says until it closes, where the client says that no more will come."""
    # A hub takes 50 requests a second of one address.
    own = f"127.1.{number // 250 % 250}.{number % 250 + 1}"
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT, source_address=(own, 0)) as line:
        answer = b""
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            while part := line.recv(65536):
                answer += part
        except (ConnectionResetError, BrokenPipeError):
            pass
        except TimeoutError:
            raise Difference(f"{data[:300]!r}: neither an answer nor an end, after {answer[:200]!r}")
        return answer


def attack(server, seeds, secrets, is_well):
    """Sends `COUNT` changed requests from several clients; after each hundred a good one is answered."""
    numbers, lock, differences = iter(range(COUNT)), threading.Lock(), []
    answered = 0

    def client():
        nonlocal answered
        while not differences:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            chance = random.Random(SEED + number)
            data = changed(chance.choice(seeds), seeds, chance)
            try:
                answer = exchange(server.port, data, number)
                for status in re.findall(rb"(?:^|\r\n)HTTP/1\.[01] (\d{3})", answer):
                    # 503 is said where too many ask.
                    expect(status[:1] in b"1234" or status in (b"501", b"503", b"505"), f"request {number}, {data[:400]!r}: {answer[:400]!r}")
                expect(not answer or answer.startswith(b"HTTP/1."), f"request {number}, {data[:400]!r}: {answer[:200]!r}")
                expect(not any(secret in answer for secret in secrets), f"request {number}, {data[:400]!r}, is told a secret")
                answered += bool(answer)
                if number % 100 == 0:
                    is_well()
            except Difference as difference:
                differences.append(difference)

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    if differences:
        raise differences[0]
    expect(server.process.poll() is None, "the server has ended")
    expect(answered > COUNT // 2, f"{answered} of {COUNT} were answered at all")
    is_well()


@check("an agent that gets requests with changed bytes answers none with a failure of its own, tells no secret and serves on", long=True)
def agent(folder):
    with Agent(folder) as server:
        reader, own = server.reader(), {"Authorization": f"Bearer {server.token}"}
        body = {"Content_Type": "application/json", **own}
        seeds = [
            request("GET", "/v1/readers", **own), request("GET", f"{reader}/tag", **own), request("GET", "/nfc.js"), request("GET", "/openapi.json"),
            request("OPTIONS", f"{reader}/read", Origin="https://shop.example", Access_Control_Request_Method="POST"),
            request("POST", f"{reader}/read", "{}", **body), request("POST", f"{reader}/write-url", '{"url":"https://example.com/1"}', chunked=True, **body),
            request("POST", f"{reader}/write-url", '{"url":"https://example.com/\\u00e9","dryRun":true}', Idempotency_Key="a", **body),
            request("POST", f"{reader}/transceive", '{"bytes":"3000"}', **body), request("POST", "/v1/pairing", "{}", Origin="https://shop.example")]

        def is_well():
            expect_equal(server.ask("/v1/readers")[0], 200, "a good request")

        attack(server, seeds, [server.token.encode()], is_well)


@check("a hub that gets requests with changed bytes answers none with a failure of its own and serves on", long=True)
def hub(folder):
    journal = folder / "line.journal"
    provision(folder, journal, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    with Hub(journal) as server:
        batch = server.get("/v1/batches")["batches"][0]["id"]
        path = f"/v1/batches/{batch}"
        sent = json.dumps({"id": "x", "csv": "code\nA\n", "template": "https://example.com/{code}"})
        seeds = [
            request("GET", path + "/board"), request("GET", path + "/jobs?state=written&limit=2&after=0"), request("GET", path + "/jobs.csv"),
            request("GET", "/v1/search?q=%230001"), request("GET", "/metrics", Accept="text/plain"), request("GET", "/", Cookie="nfcprog-hub=a.1.b"),
            request("POST", "/v1/batches", sent, Content_Type="application/json", Idempotency_Key="a"),
            request("POST", "/v1/batches", sent, chunked=True, Content_Type="application/json"),
            request("GET", path + "/report.html", If_None_Match='"a"'), request("HEAD", "/openapi.json")]

        def is_well():
            server.get(path + "/board")

        attack(server, seeds, [], is_well)
