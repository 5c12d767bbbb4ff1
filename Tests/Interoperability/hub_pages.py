"""The hub's page in Chromium: how a check opens it, looks at it and takes its picture."""

import os
import time
from pathlib import Path

from support import LIMIT, Difference

SCRIPT = (Path(__file__).parent / "hub_pages.js").read_text()
PHONE, DESKTOP, WALL = (390, 844), (1280, 800), (1920, 1080)
TEMPLATE = "https://example.com/t/{code}"
# What is there once the page shows its batch and hears of news.
TILES = "document.querySelector('.tile') && document.querySelector('.connection.live')"
# What is there once it shows tags of the batch, too.
NEWEST = "document.querySelector('.tile') && document.querySelector('.newest tbody tr')"


def wait_for(condition, what, limit=LIMIT):
    """Waits until `condition` gives something, and returns it."""
    deadline = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise Difference(f"did not happen within {limit} s: {what}")
        time.sleep(0.05)


def address(hub, query=""):
    return f"http://127.0.0.1:{hub.port}/{query}"


def shot(page, name):
    """Keeps a picture of the page in the folder NFCPROG_PICTURES, for whoever wants to look at it."""
    if "NFCPROG_PICTURES" in os.environ:
        page.picture(Path(os.environ["NFCPROG_PICTURES"]) / f"{name}.png")


def look(page, name, size):
    """The page as it stands: no complaints, nothing too wide, nothing faint, no scroll bar without a name."""
    page.ask(SCRIPT)
    shot(page, name)
    found = [f"{name}: {what}" for what in page.complaints()]
    found += [f"{name}: too wide: {what}" for what in page.ask("looked.wide()")]
    found += [f"{name}: cut off: {what}" for what in page.ask("looked.cut()")]
    found += [f"{name}: scrolls without a name: {what}" for what in page.ask("looked.scrolls()")]
    found += [f"{name}: little contrast: {what}" for what in page.ask("looked.faint(4.5)")]
    if page.ask("window.hit !== undefined || document.querySelector('main img, main script') !== null"):
        found.append(f"{name}: a text of the list became a part of the page")
    return found
