"""Chromium without a window, driven over the Chrome DevTools Protocol through two pipes."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from support import LIMIT, Difference

PLACES = ["chromium", "chromium-browser", "google-chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]


def program():
    """Where Chromium is; a check that needs it fails loudly without."""
    for name in PLACES:
        found = shutil.which(name)
        if found:
            return found
    raise Difference("Chromium is not installed (Debian: chromium; Tests/prepare --peers installs it): the hub's page is NOT tested")


class Chromium:
    """A browser with a profile of its own. Messages are JSON with a zero byte behind each."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="nfcprog-chromium-", dir="/tmp")
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        words = [program(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
                 "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
                 "--disable-extensions", "--disable-sync", "--hide-scrollbars", "--mute-audio", "--lang=en-GB", "about:blank"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            words.insert(1, "--no-sandbox")

        def put():
            # Chromium reads 3 and writes 4.
            reading, writing = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=put,
            close_fds=False, start_new_session=True, env={**os.environ, "TZ": "UTC", "HOME": self.profile})
        os.close(theirs_in)
        os.close(theirs_out)
        self.reading, self.writing = ours_in, ours_out
        self.rest, self.number = b"", 0
        self.answers, self.events = {}, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", limit=5)
            self.process.wait(5)
        except (Difference, OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.writing, rest):]
        return self.number

    def call(self, method, session=None, limit=LIMIT, **parameters):
        number = self.send(method, session, **parameters)
        deadline = time.monotonic() + limit
        while number not in self.answers:
            self.hear(deadline - time.monotonic(), method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Difference(f"{method}: {answer['error']}")
        return answer["result"]

    def hear(self, seconds, what=None):
        """Takes what has arrived, waiting at most so long; raises where nothing does and `what` is waited for."""
        ready, _, _ = select.select([self.reading], [], [], max(0, seconds))
        if not ready:
            if what:
                raise Difference(f"Chromium did not answer {what}")
            return
        read = os.read(self.reading, 1 << 20)
        if not read:
            raise Difference("Chromium has ended")
        *whole, self.rest = (self.rest + read).split(b"\0")
        for text in whole:
            message = json.loads(text)
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)

    def page(self):
        return Page(self)


class Page:
    """A tab, and what its console and its network have complained of."""

    def __init__(self, browser):
        self.browser = browser
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")
        # A page that is not in front would show nothing new.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def complaints(self):
        """Console errors and warnings, exceptions, violations of the security policy, since the last question."""
        self.browser.hear(0)
        own = [event for event in self.browser.events if event.get("sessionId") == self.session]
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]
        found = []
        for event in own:
            said = event["params"]
            if event["method"] == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                found.append(f"{said['entry']['source']}: {said['entry']['text']} {said['entry'].get('url', '')}")
            elif event["method"] == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
                found.append(f"console: {[part.get('value', part.get('description')) for part in said['args']]}")
            elif event["method"] == "Runtime.exceptionThrown":
                details = said["exceptionDetails"]
                found.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
            elif event["method"] == "Page.javascriptDialogOpening":
                found.append(f"dialog: {said['message']}")
        return found

    def size(self, width, height, theme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, address, until="document.readyState === 'complete'"):
        self.call("Page.navigate", url=address)
        self.wait(f"location.href !== 'about:blank' && {until}")

    def ask(self, script):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Difference(f"{script[:200]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, script, limit=LIMIT):
        """Waits until an expression is true in the page."""
        deadline = time.monotonic() + limit
        while True:
            try:
                if self.ask(f"!!({script})"):
                    return
            except Difference as difference:
                # The page that was asked has gone.
                if "context" not in str(difference):
                    raise
            if time.monotonic() > deadline:
                raise Difference(f"did not happen within {limit} s: {script}\n{self.ask('document.body.innerText')[:2000]}\n{self.complaints()}")
            time.sleep(0.05)

    def key(self, name, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def tab(self):
        self.key("Tab", 9)

    def enter(self):
        self.key("Enter", 13, "\r")

    def choose(self, selector, path):
        """Gives a file to a field."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def names(self):
        """Role and name of everything that a screen reader finds."""
        found = []
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            if not node.get("ignored"):
                found.append((node["role"]["value"], node.get("name", {}).get("value", "")))
        return found

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
