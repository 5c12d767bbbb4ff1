"""An agent: its clients of Docs/Agent.md, who may not ask it, and what is left when it or its clients are killed."""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

from agents import Agent
from hub_schema import JUDGED, SECONDS
from hub_schema import program as schemathesis
from support import LIMIT, ONE_USER, as_two_users, binary, check, expect, expect_equal, nfcprog, program

ROOT = Path(__file__).resolve().parents[2]
LINK = "https://example.com/t/1"


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "Docs/Agent.md").read_text(), re.M | re.S)
    expect(len(found) == 1, f"Docs/Agent.md has {len(found)} clients in {language}")
    return found[0]


@check("the clients of Docs/Agent.md write a URL and read it")
def clients(folder):
    for name, command in (
        ("bash", ["bash", "-euo", "pipefail", "-c", blocks("bash")]), ("python", ["python3", "-c", blocks("python")]),
        ("javascript", ["node", "--input-type=module", "-e",
                        "const { AGENT, TOKEN } = process.env;\n" + blocks("javascript")]),
    ):
        with Agent(folder / name) as agent:
            environment = dict(os.environ, AGENT=agent.place.rstrip("/"), TOKEN=agent.token)
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
            expect(done.returncode == 0 and LINK in done.stdout, f"{name}: {done.returncode} {done.stdout} {done.stderr}")
            expect("written" in done.stdout, f"{name}: {done.stdout}")


@check("an agent shows its token to nobody but its owner, listens to this machine alone, and says nothing to strangers")
def strangers(folder):
    for place in ("0.0.0.0", "0.0.0.0:8411", "[::]:8411", "example.com", "10.0.0.1:80"):
        nfcprog("serve", "--listen", place, status=64)
    nfcprog("serve", "--origin", "shop.example", status=64)
    open_file = folder / "open.token"
    open_file.write_text("x" * 40)
    open_file.chmod(0o644)
    environment = {"XDG_STATE_HOME": str(folder / "other")}
    said = program(binary(), "serve", "--token-file", open_file, environment=environment)
    expect(said.status == 78, f"a token that others read: {said}")
    with Agent(folder, "--origin", "https://shop.example") as agent:
        token = folder / "nfcprog/agent/token"
        expect_equal((token.stat().st_mode & 0o777, token.parent.stat().st_mode & 0o777), (0o600, 0o700), "modes")
        expect(agent.token not in "".join(agent.lines), "a token in what is no terminal")
        reader = agent.reader()
        for headers, status in (
            ({"Authorization": None}, 401), ({"Authorization": "Bearer x"}, 401), ({"Host": "shop.example"}, 421),
            ({"Host": "127.0.0.1.shop.example"}, 421), ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403),
            ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Origin": "https://shop.example"}, 200), ({}, 200),
        ):
            seen, fields, _ = agent.ask(f"{reader}/read", {}, **headers)
            expect_equal(seen, status, f"{headers}")
            paired = headers.get("Origin") == "https://shop.example"
            expect_equal(fields.get("Access-Control-Allow-Origin"), "https://shop.example" if paired else None, f"CORS for {headers}")
        status, fields, page = agent.ask("/v1/pairing", {}, Origin="https://shop.example", Authorization=None)
        expect_equal(status, 200, "pairing")
        own = {"Authorization": f"Bearer {page['token']}"}
        expect_equal(agent.ask(f"{reader}/tag", Origin="https://shop.example", **own)[0], 200, "the page")
        expect_equal(agent.ask(f"{reader}/tag", **own)[0], 401, "the page's token without its origin")
        expect_equal(agent.ask("/v1/pairing?code=1", {}, Origin="https://evil.example")[0], 403, "nobody can be asked")
        start = f"GET /v1/readers HTTP/1.1\r\nHost: localhost\r\n".encode()
        for data in (b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n\r\n", start + b"X: " + b"a" * 40000 + b"\r\n\r\n",
                     start + b"Host: evil.example\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", agent.port), timeout=LIMIT) as line:
                line.sendall(data)
                answer = line.recv(65536)
            expect(not answer or b" 4" in answer[:13], f"{data[:60]}: {answer[:80]}")
        expect_equal(agent.ask(f"{reader}/write-url", {"url": "https://example.com/" + "a" * (1 << 20)})[0], 413, "a large body")
        expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM")
    root = as_two_users()
    if root is None:
        return ONE_USER
    with Agent(folder) as agent:
        script = f"import urllib.request as u; u.urlopen(u.Request('{agent.place}v1/readers', headers={{'Authorization': 'Bearer {agent.token}'}}))"
        words = [*root, "setpriv", "--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", script]
        other = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
        expect("403" in other.stderr, f"another user: {other}")
    return None


@check("an agent at a Unix socket serves its owner alone, and its socket goes with it")
def unix_socket(folder):
    path = folder / "agent.sock"
    with Agent(folder, listen=f"unix:{path}") as agent:
        expect_equal(path.stat().st_mode & 0o077, 0, "what others may do at the socket")
        expect_equal(agent.ask(f"{agent.reader()}/tag")[2]["command"], "info", "info")
        said = program(binary(), "serve", "--listen", f"unix:{path}", environment={"XDG_STATE_HOME": str(folder)})
        expect(said.status == 69, f"another agent at the same socket: {said}")
        agent.end(signal.SIGKILL)
    with Agent(folder, listen=f"unix:{path}") as agent:
        expect_equal(agent.end(signal.SIGTERM), 0, "SIGTERM")
        expect(not path.exists(), "the socket is left")


@check("an agent answers whatever is asked as its description says, and never with a failure of its own", long=True)
def description(folder):
    with Agent(folder, readers=("sim:ntag213", "sim:classic1k", "sim:felica-lite-s")) as agent:
        ended = subprocess.run(
            [schemathesis(), "run", f"{agent.place}v1/openapi.json", "--url", agent.place.rstrip("/"), "--checks", JUDGED,
             "--header", f"Authorization: Bearer {agent.token}", "--exclude-path-regex", "events|pairing",
             "--max-time", str(SECONDS), "--seed", "1", "--no-color"],
            cwd=folder, capture_output=True, text=True, timeout=SECONDS * 6 + LIMIT)
        expect(ended.returncode == 0, f"{ended.stdout[-6000:]}\n{ended.stderr[-2000:]}")
        expect(agent.process.poll() is None, "the agent has ended")
