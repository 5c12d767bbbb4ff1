"""An agent's pages in Chromium: Web NFC where the browser has none, and the page to try a tag."""

import http.client
import http.server
import json
import os
import pty
import re
import select
import signal
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from agents import Agent
from chromium import Chromium
from hub_pages import DESKTOP, PHONE, SCRIPT, look
from support import LIMIT, Difference, Simulation, binary, check, expect, expect_equal

SCRIPTS = (Path(__file__).parent / "agent_pages.js").read_text()
LINK = "https://example.com/t/1"


class Shop:
    """A page of another origin, which loads the library as its own script element says."""

    def __init__(self, agent, port=0):
        body = f'<!doctype html><html lang="fr"><title>Shop</title><script src="{agent.place}nfc.js"></script>'.encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path == "/" else 204)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                if self.path == "/":
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def complaints(page):
    """Without the browser's own lines about answers that are no 200."""
    return [said for said in page.complaints() if not said.startswith("network: Failed to load resource")]


def opened(browser, shop):
    page = browser.page()
    page.open(shop.origin + "/")
    page.ask(SCRIPTS)
    return page


@check("a page writes, reads and locks tags with Web NFC where the browser has none")
def web_nfc(folder):
    port = free_port()
    with ExitStack() as stack:
        # More readers than a browser opens connections to an agent; no tag lies on the others.
        readers = ["sim:ntag216"] + [stack.enter_context(Simulation()).port for _ in range(7)]
        agent = stack.enter_context(Agent(folder, "--origin", f"http://localhost:{port}", readers=readers))
        shop, browser = stack.enter_context(Shop(agent, port)), stack.enter_context(Chromium())
        page = opened(browser, shop)
        failed = page.ask("trials.interfaces()")
        expect(not failed, f"interfaces: {failed}")
        seen = page.ask("trials.roundTrip()")
        expect_equal(seen["read"], seen["written"], "what a scan shows of a message that write has written")
        expect_equal(seen["serialNumber"].replace(":", ""), agent.ask(f"{agent.reader()}/tag")[2]["uid"], "the serial number")
        records = agent.ask(f"{agent.reader()}/read", {})[2]["records"]
        expect_equal([(record["tnf"], record["type"]) for record in records],
                     [(1, "T"), (1, "T"), (1, "U"), (1, "Sp"), (2, "text/plain"), (3, "https://example.com/absolute"), (4, "example.com:a"),
                      (4, "example.com:b"), (4, "xn--hndvrker-9zan.dk:abc"), (5, ""), (0, "")], "records on the tag")
        expect_equal((records[0]["text"], records[0]["language"], records[1]["language"]), ("Bonjour", "fr", "de"), "texts")
        expect_equal((records[2]["uri"], records[2]["id"]), (LINK, b"/id".hex()), "the link")
        expect_equal((records[3]["uri"], records[3]["titles"]), (LINK, [{"text": "Title", "language": "en"}]), "the smart poster")
        for name in ("refusals", "aborts", "overwriting", "replacing"):
            failed = page.ask(f"trials.{name}()")
            expect(not failed, f"{name}: {failed}")
        # A lock is asked for, and a no is one.
        said = page.ask("trials.lock(false)")
        expect(said["result"] == "NotAllowedError" and said["texts"], f"a no to a lock: {said}")
        expect(agent.ask(f"{agent.reader()}/tag")[2]["uid"].upper() in said["texts"][0].replace(":", ""), f"a lock without its tag: {said}")
        expect_equal(agent.ask(f"{agent.reader()}/read", {})[2]["ndefStatus"], "readWrite", "a tag after a no")
        expect_equal(page.ask("trials.lock(true)")["result"], "done", "a lock")
        expect_equal(agent.ask(f"{agent.reader()}/read", {})[2]["ndefStatus"], "readOnly", "a tag after a yes")
        expect_equal(page.ask("trials.name(new NDEFReader().write('x'))"), "NetworkError", "a write to a locked tag")
        expect_equal(complaints(page), [], "what the page complains of")
        with Shop(agent) as other:
            stranger = opened(browser, other)
            expect_equal(stranger.ask("trials.name(new NDEFReader().scan())"), "NotAllowedError", "a page that nobody paired")
            expect_equal(stranger.ask("document.querySelectorAll('dialog').length"), 0, "dialogs left")
        agent.end(9)
        expect_equal(page.ask("trials.name(new NDEFReader().scan())"), "NotSupportedError", "no agent")


@check("a person tries a tag at the agent's own page, by keyboard, in both themes and on a narrow screen")
def trying(folder):
    port = free_port()
    own = f"http://127.0.0.1:{port}"
    with Agent(folder, "--origin", own, listen=f"127.0.0.1:{port}",
               readers=("sim:ntag213", "sim:ntag213+ntag215", "sim:ntag213*2")) as agent, Chromium() as browser:
        page = browser.page()
        page.size(*DESKTOP)
        page.open(f"{own}/try", until="document.getElementById('verdict')?.textContent.includes('does nothing')")
        names = [reader["id"] for reader in agent.ask("/v1/readers")[2]["readers"]]
        found = []
        for size, theme, name in ((DESKTOP, "light", "try"), (DESKTOP, "dark", "try-dark"), (PHONE, "light", "try-phone")):
            page.size(*size, theme=theme)
            found += look(page, name, size)
        expect(not found, "\n".join(found))
        expect("does nothing" in page.ask("document.getElementById('verdict').textContent"), "an empty tag's verdict")
        # By keyboard: the stops, then a URL.
        page.ask(SCRIPT)
        page.ask("document.activeElement?.blur()")
        stops = []
        for _ in range(8):
            page.tab()
            stops.append(page.ask("looked.focus()"))
        expect(all(stop["shows"] and stop["inside"] for stop in stops if stop["tag"] != "BODY"), f"the focus does not show: {stops}")
        for wanted in ("reader", "url", "send", "site"):
            expect(any(stop["id"] == wanted for stop in stops), f"{wanted} cannot be reached: {stops}")
        page.ask("document.getElementById('url').focus()")
        page.call("Input.insertText", text=LINK)
        page.enter()
        page.wait("/written and read back/.test(document.getElementById('outcome').textContent)")
        page.wait("/in the browser/.test(document.getElementById('verdict').textContent)")
        expect(LINK in page.ask("document.getElementById('facts').textContent"), "the record on the page")
        expect_equal(agent.ask(f"/v1/readers/{names[0]}/read", {})[2]["records"][0]["uri"], LINK, "the tag")
        choose = "(id) => { const list = document.getElementById('reader'); list.value = id; list.dispatchEvent(new Event('change')); }"
        # The first tag of the third reader goes once it was read, and soon there is another one.
        page.ask("""const [state, send] = ['state', 'send'].map((id) => document.getElementById(id)); window.states = [];
            new MutationObserver(() => states.push([state.textContent, send.disabled])).observe(state, { childList: true }); 0""")
        for reader, words in ((names[1], "Several tags"), (names[2], "No tag lies")):
            page.ask(f"({choose})({json.dumps(reader)})")
            page.wait(f"states.some(([text, cannotWrite]) => text.startsWith({json.dumps(words)}) && cannotWrite)")
        expect_equal(complaints(page), [], "what the page complains of")
        agent.end(9)
        page.wait("/does not answer/.test(document.getElementById('state').textContent)")
        expect(not page.ask("document.getElementById('again').hidden"), "no way to ask again")
    with Agent(folder / "alone") as agent, Chromium() as browser:
        page = browser.page()
        page.open(f"{agent.place}try", until="document.getElementById('again')?.hidden === false")
        said = page.ask("document.getElementById('state').textContent")
        expect(re.search("said yes", said), f"a page that nobody paired: {said}")


class Terminal:
    """An agent at a terminal of its own, where a person reads and types."""

    def __init__(self, folder, *words):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execve(binary(), [binary(), "serve", *words], {**os.environ, "XDG_STATE_HOME": str(folder)})
        self.text = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.end)

    def wait(self, pattern):
        deadline = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.text)):
            if time.monotonic() > deadline:
                raise Difference(f"the terminal never showed {pattern}: {self.text}")
            if select.select([self.end], [], [], 0.2)[0]:
                self.text += os.read(self.end, 65536).decode(errors="replace")
        return found

    def type(self, text):
        self.text = ""
        os.write(self.end, text.encode())


@check("a page is paired once, by a person who finds its code at the terminal")
def pairing(folder):
    port = free_port()
    asked = "document.querySelector('dialog[open]')"
    with Terminal(folder, "--listen", f"127.0.0.1:{port}", "--reader", "sim:ntag213") as terminal, Chromium() as browser:
        terminal.wait("serves at")
        page = browser.page()
        page.open(f"http://127.0.0.1:{port}/try", until=asked)
        code = re.search(r"\d{6}", page.ask(f"{asked}.textContent")).group()
        terminal.wait(f"127.0.0.1:{port} ask .* the code {code}\\..*y/N")
        terminal.type("y\n")
        page.wait("document.querySelector('#facts div')")
        expect(not page.ask(f"!!{asked}"), "the question stays")
        page.open(f"http://127.0.0.1:{port}/try?again", until=f"document.querySelector('#facts div') || {asked}")
        expect(not page.ask(f"!!{asked}"), "a page that is paired was asked for again")
        # A no, to a page of another origin.
        page.open(f"http://localhost:{port}/try", until=asked)
        terminal.wait("localhost.*y/N")
        terminal.type("n\n")
        page.wait("/said yes/.test(document.getElementById('state').textContent)")
        expect(not page.ask(f"!!{asked}") and page.ask("document.getElementById('send').disabled"), "a page after a no")
        # The question of a page that has gone is taken back, and another page may ask.
        gone = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        gone.request("POST", "/v1/pairing?code=000111", headers={"Origin": "https://gone.example"})
        terminal.wait("gone.example ask.*the code 000111\\..*y/N")
        gone.close()
        began = time.monotonic()
        deadline = time.monotonic() + LIMIT
        terminal.text = ""
        answers = []

        def ask():
            while not answers or answers[-1] == 429 and time.monotonic() < deadline:
                time.sleep(0.2)
                next_one = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
                next_one.request("POST", "/v1/pairing?code=222222", headers={"Origin": "https://next.example"})
                answers.append(next_one.getresponse().status)
                next_one.close()

        asking = threading.Thread(target=ask)
        asking.start()
        terminal.wait("next.example ask.*222222\\..*y/N")
        expect(time.monotonic() < began + 40, "a question is not taken back before its minute is over")
        terminal.type("y\n")
        asking.join()
        expect_equal(answers[-1], 200, "the next page")
        paired = (folder / "nfcprog/agent/token.origins").read_text()
        expect("next.example" in paired and "gone.example" not in paired, paired)
