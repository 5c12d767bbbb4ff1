"""What a page of another site can do to a hub from its reader's browser: nothing."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chromium import Chromium
from hub_pages import TILES, wait_for
from hubs import Hub, provision
from support import LIMIT, check, expect, expect_equal

# Each way in which a page asks for something of another site; each gives what came of it.
DEEDS = """
(async () => {
  const hub = 'http://127.0.0.1:%d';
  const seen = {};
  const tried = async (name, deed) => {
    try { seen[name] = String(await deed()); } catch (error) { seen[name] = `refused: ${error.name}`; }
  };
  const loaded = (kind, change) => new Promise((give) => {
    const element = document.createElement(kind);
    element.onload = () => give('loaded');
    element.onerror = () => give('refused: error');
    change(element);
    document.body.append(element);
    setTimeout(() => give('refused: nothing came'), 3000);
  });
  const post = (type, body) => fetch(`${hub}/v1/batches/line/close`, { method: 'POST', mode: 'no-cors', headers: { 'Content-Type': type }, body });
  await tried('fetch', async () => (await fetch(`${hub}/v1/batches`)).text());
  await tried('fetch with cookies', async () => (await fetch(`${hub}/v1/batches`, { credentials: 'include' })).text());
  await tried('fetch unread', async () => (await (await fetch(`${hub}/v1/batches`, { mode: 'no-cors' })).text()) || 'refused: unread');
  await tried('POST of text', async () => (await (await post('text/plain', '{}')).text()) || 'refused: unread');
  await tried('POST of JSON', async () => (await fetch(`${hub}/v1/batches/line/close`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).text());
  await tried('image', () => loaded('img', (element) => { element.src = `${hub}/v1/batches/line/report.html`; }));
  await tried('script', () => loaded('script', (element) => { element.src = `${hub}/assets/hub.js`; }));
  await tried('style', () => loaded('link', (element) => { element.rel = 'stylesheet'; element.href = `${hub}/assets/hub.css`; }));
  await tried('events', () => new Promise((give) => {
    const stream = new EventSource(`${hub}/v1/batches/line/events/stream`);
    stream.onopen = () => { stream.close(); give('opened'); };
    stream.onerror = () => { stream.close(); give('refused: error'); };
    setTimeout(() => give('refused: nothing came'), 3000);
  }));
  await tried('frame', () => new Promise((give) => {
    const frame = document.createElement('iframe');
    frame.src = hub + '/';
    frame.onload = () => {
      try { give(frame.contentDocument ? 'refused: an empty frame' : 'refused: another origin'); } catch (error) { give('refused: another origin'); }
    };
    document.body.append(frame);
    setTimeout(() => give('refused: nothing came'), 3000);
  }));
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `${hub}/v1/batches/line/close`;
  form.target = 'elsewhere';
  const sink = document.createElement('iframe');
  sink.name = 'elsewhere';
  document.body.append(sink, form);
  await tried('form', () => new Promise((give) => { form.submit(); setTimeout(() => give('refused: sent'), 1000); }));
  // More than anybody may ask: what the reader himself may ask is not used up.
  await Promise.allSettled(Array.from({ length: 400 }, () => fetch(`${hub}/v1/batches`, { mode: 'no-cors' })));
  return seen;
})()
"""


class Elsewhere(BaseHTTPRequestHandler):
    """A site of somebody else."""

    def do_GET(self):
        body = b"<!doctype html><title>elsewhere</title><body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@check("a page of another site reads, changes and uses up nothing of a hub in the browser of whoever watches it", alone=True)
def other_pages(folder):
    path = folder / "line.journal"
    provision(folder, path, 3, "--reader", "sim:ntag213*3").wait(LIMIT)
    site = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        with Hub(path) as hub, Chromium() as browser:
            own = browser.page()
            own.open(f"http://127.0.0.1:{hub.port}/")
            wait_for(lambda: own.ask(f"!!({TILES})"), "the hub's own page")
            # Another port of this machine, and another name of it: the same site to a browser, and another one.
            for name in ("127.0.0.1", "elsewhere.localhost"):
                other = browser.page()
                other.open(f"http://{name}:{site.server_address[1]}/")
                seen = other.ask(DEEDS % hub.port)
                expect_equal(sorted(deed for deed, end in seen.items() if not end.startswith("refused")), [], f"{name}: {seen}")
            time.sleep(0.5)
            expect_equal(hub.ask("/v1/batches")[0], 200, "who watches the line")
            expect(own.ask("!!document.querySelector('.connection.live')"), "the hub's own page does not live any more")
            expect_equal(hub.get("/v1/batches/line")["closed"], False, "the batch is closed")
    finally:
        site.shutdown()
