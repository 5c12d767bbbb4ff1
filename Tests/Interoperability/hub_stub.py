"""A hub for the page alone: the page's files as they stand, and boards that a check makes up."""

import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

FILES = Path(__file__).resolve().parents[2] / "Sources/Fronts/HubServer/Page/Files"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
# What stations say: the word, where the tag goes, in which words, and why.
WORDS = [("PASS", "good", "good", None), ("FAIL", "bin", "tag worn: bin it", "it does not accept writes"), ("WRITING", None, None, None),
         ("LAY DOWN AGAIN", "again", "try it again", "it was removed too early"),
         ("NOT WRITTEN", "aside", "foreign, a copy", "it holds another message"),
         ("NOT WRITTEN", "good", "good already", "it already holds its job"),
         ("NOT HEARD OF", None, "look at its bench", "it showed LAY DOWN AGAIN last")]


def moment(seconds=0.0):
    now = time.time() + seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03d}Z"


def batch(name, jobs, written=0, **values):
    return {"id": name, "source": f"{name}.csv", "settings": {}, "made": "2026-11-20T08:00:00.000Z", "jobs": jobs, "written": written,
            "pending": jobs - written, "reserved": 0, "failed": 0, "scrap": 0, "closed": False, "complete": jobs == written, **values}


def station(number, bench="vm-256dec85", **values):
    word, bin_, next_, text = WORDS[number % len(WORDS)]
    found = {"id": f"{bench}/st-{number + 1}", "bench": bench, "station": f"st-{number + 1}", "operator": "Ada", "word": word, "bin": bin_,
             "next": next_, "text": text, "job": {"number": 1234 + number, "name": f"BIG-0{1234 + number}"}, "uid": "0479373a9e6c80", "since": moment(-5),
             "tagsPerHour": 812.0, "written": 50, "failed": 3, **values}
    return {name: value for name, value in found.items() if value is not None}


def board(of, stations, causes=(), last=100, **values):
    minutes = int(time.time() // 60 - 11) * 60 - time.time()
    return {"schema": 1, "batch": of, "now": moment(), "lastEvent": last, "stations": stations, "periodSeconds": 60,
            "periods": [{"start": moment(minutes + 60 * number), "written": 90 + number, "failed": number % 5} for number in range(12)],
            "failures": [{"cause": cause, "count": count} for cause, count in causes], "secondsLeft": 754, "tagsPerHour": 89930.0, "yield": 0.92,
            **values}


class Stub:
    """Serves boards, and says in its streams what it is told to say."""

    def __init__(self, *boards, takes_batches=False):
        self.boards, self.takes_batches = list(boards), takes_batches
        # A sentence: the store does not answer, and this is why.
        self.trouble = None
        self.streams, self.asked = [], []

    def __enter__(self):
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                stub.answer(self)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for stream in self.streams:
            stream.put(None)
        self.server.shutdown()
        self.server.server_close()

    def say(self, event, value):
        """Tells all streams."""
        for stream in self.streams:
            stream.put((event, value))

    def show(self, *boards):
        """The boards from now on; the streams tell of the first."""
        self.boards, self.trouble = list(boards), None
        self.say("board", boards[0])

    def answer(self, request):
        address = urlsplit(request.path)
        self.asked.append(request.path)
        if address.path == "/" or address.path.startswith("/assets/"):
            file = FILES / (address.path.removeprefix("/assets/") if address.path != "/" else "index.html")
            return self.send(request, 200, TYPES[file.suffix], file.read_bytes())
        parts = [unquote(part) for part in address.path.split("/")[1:]]
        if self.trouble:
            return self.problem(request, 503, self.trouble)
        if parts == ["v1", "batches"]:
            batches = [{**one["batch"], "lastEvent": one["lastEvent"], "benches": len({each["bench"] for each in one["stations"]})} for one in self.boards]
            return self.json(request, {"schema": 1, "batches": batches[:int(parse_qs(address.query).get("limit", ["1000"])[0])],
                                       "takesBatches": self.takes_batches})
        if parts == ["v1", "search"]:
            jobs = [{"batch": one["batch"]["id"], "number": 17, "name": "BIG-0017", "state": "pending"} for one in self.boards]
            return self.json(request, {"schema": 1, "jobs": jobs if parse_qs(address.query)["q"] == ["17"] else []})
        found = next((one for one in self.boards if parts[:2] == ["v1", "batches"] and one["batch"]["id"] == parts[2]), None)
        if found is None:
            return self.problem(request, 404, "There is no such batch.")
        if parts[3:] == ["board"]:
            return self.json(request, {**found, "now": moment()})
        if parts[3:] == ["events"]:
            return self.json(request, {"schema": 1, "events": []})
        if parts[3:] == ["events", "stream"]:
            return self.stream(request, found)
        return self.problem(request, 404, "There is nothing here.")

    def stream(self, request, found):
        told = queue.Queue()
        told.put(("board", found))
        self.streams.append(told)
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        try:
            while True:
                try:
                    said = told.get(timeout=2)
                except queue.Empty:
                    request.wfile.write(b"event: beat\ndata: {}\n\n")
                    continue
                if said is None:
                    return
                request.wfile.write(f"event: {said[0]}\ndata: {json.dumps(said[1])}\n\n".encode())
        except OSError:
            pass
        finally:
            self.streams.remove(told)

    def json(self, request, value, status=200, kind="application/json"):
        self.send(request, status, kind, json.dumps(value).encode())

    def problem(self, request, status, detail):
        self.json(request, {"type": "stub", "title": "Problem", "status": status, "detail": detail}, status, "application/problem+json")

    @staticmethod
    def send(request, status, kind, body):
        request.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", len(body)), ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store")):
            request.send_header(name, str(value))
        request.end_headers()
        try:
            request.wfile.write(body)
        except OSError:
            pass
