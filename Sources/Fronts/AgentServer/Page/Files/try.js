// The page where a person tries a tag: what lies there, a URL on it, and what an iPhone does with it. Pairing is that of nfc.js;
// the rest is the API of the agent, whose write-url has more checks than a page needs.

const at = (id) => document.getElementById(id);
const HARMFUL = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

// What tags say may hold anything: no character turns the direction of writing.
const harmless = (text) => String(text).replace(HARMFUL, ' ').slice(0, 2000);

function say(id, text, look = '') {
  at(id).textContent = harmless(text);
  at(id).dataset.look = look;
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children.map((child) => child instanceof Node ? child : harmless(child)));
  return made;
}

const colons = (uid) => uid.match(/../g).join(':').toUpperCase();

let reader = null;
// The tag that alone lies on the reader; null: there is none.
let tag = null;
let following = null;

async function ask(path, body, signal) {
  const headers = { Authorization: `Bearer ${localStorage.getItem(`nfcprog ${location.origin}`)}` };
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body), signal });
  if (!answer.ok) throw Object.assign(new Error((await answer.json()).detail), { status: answer.status });
  return answer;
}

const job = async (command, body) => (await ask(`/v1/readers/${reader}/${command}`, body)).json();

// Finds the readers. The first time, the page is paired: nfc.js shows the code that a person compares.
async function begin() {
  at('again').hidden = true;
  try {
    if (!('NDEFReader' in window)) throw new Error('This page needs an address of this machine: http://127.0.0.1 or http://localhost.');
    const trial = new AbortController();
    await new NDEFReader().scan({ signal: trial.signal });
    trial.abort();
    const { readers } = await (await ask('/v1/readers')).json();
    at('reader').replaceChildren(...readers.map((each) => Object.assign(element('option', each.reader), { value: each.id })));
    at('choice').hidden = readers.length < 2;
    await follow(readers.find((each) => each.state !== 'away')?.id ?? readers[0].id);
  } catch (error) {
    stop(error.message);
  }
}

function stop(text) {
  show(null);
  say('state', text, 'bad');
  at('again').hidden = false;
}

// Hears of what comes to lie on a reader.
async function follow(id) {
  following?.abort();
  const own = new AbortController();
  [reader, following] = [id, own];
  at('reader').value = id;
  const answer = await ask(`/v1/readers/${id}/events`, undefined, own.signal);
  hear(answer.body.pipeThrough(new TextDecoderStream()).getReader()).catch(() => {}).then(() => {
    if (!own.signal.aborted) stop('The agent does not answer any longer. Start it again, then ask again.');
  });
}

async function hear(stream) {
  for (let text = ''; ;) {
    const { done, value } = await stream.read();
    if (done) return;
    const whole = (text + value).split('\n\n');
    text = whole.pop();
    for (const event of whole) {
      const name = event.match(/^event: (.*)$/m)?.[1], data = event.match(/^data: (.*)$/m)?.[1];
      if (name && name !== 'beat') change(name, JSON.parse(data).uids);
    }
  }
}

function change(name, uids) {
  show(name === 'tag' ? uids[0] : null);
  switch (name) {
    case 'tag': return look();
    case 'gone': return say('state', 'No tag lies on the reader. Put one there.');
    case 'several': return say('state', `Several tags lie on the reader${uids.length ? `: ${uids.map(colons).join(', ')}` : ''}. Take away all but one.`, 'bad');
    default: return say('state', 'The reader does not answer. Plug it in, or plug it out and in again.', 'bad');
  }
}

function show(uid) {
  tag = uid;
  at('send').disabled = !uid;
  if (uid) return;
  at('facts').replaceChildren();
  at('reasons').replaceChildren();
  say('verdict', 'No tag was looked at yet.');
}

async function look() {
  const uid = tag;
  say('state', `Reading ${colons(uid)} …`);
  try {
    const report = await job('read', {});
    if (tag !== uid) return;
    say('state', `${report.tag ?? 'A tag'} ${colons(report.uid)} lies on the reader.`, 'good');
    const facts = [['Message', describe(report)]];
    if (report.capacity !== undefined) facts.push(['Space', `${report.length ?? 0} of ${report.capacity} bytes`]);
    const writing = { readOnly: 'The tag is read-only.', readWrite: 'The tag can be written.' }[report.ndefStatus];
    if (writing) facts.push(['Writing', writing]);
    for (const [index, record] of (report.records ?? []).entries()) facts.push([`Record ${index + 1}`, record.uri ?? record.text ?? record.package ?? record.type]);
    at('facts').replaceChildren(...facts.map(([name, value]) => element('div', element('dt', name), element('dd', value))));
  } catch (error) {
    if (tag === uid) say('state', error.message, 'bad');
  }
  if (tag === uid) await judge();
}

function describe({ content, records }) {
  switch (content) {
    case 'message': return `${records.length} ${records.length === 1 ? 'record' : 'records'}`;
    case 'empty': return 'None: the tag is empty.';
    case 'blank': return 'None: the tag is as delivered.';
    default: return `None that can be shown (${content}).`;
  }
}

const OUTCOMES = {
  wakes: 'It opens the link in the app.', browser: 'It opens the link in the browser.', system: 'An app of the system opens it.',
  unknown: 'It opens the link in the app that its domain names, or in the browser.', nothing: 'It does nothing.',
};

async function judge() {
  const uid = tag;
  if (!uid) return;
  try {
    const report = await job('phone', at('site').checked ? { aasa: 'auto' } : {});
    if (tag !== uid) return;
    say('verdict', OUTCOMES[report.outcome] ?? report.outcome);
    at('reasons').replaceChildren(...report.reasons.map((reason) => element('li', reason)));
  } catch (error) {
    if (tag !== uid) return;
    say('verdict', error.message, 'bad');
    at('reasons').replaceChildren();
  }
}

async function write(event) {
  event.preventDefault();
  if (!tag) return;
  const url = at('url').value;
  at('send').disabled = true;
  say('outcome', 'Writing …');
  try {
    const { result } = await job('write-url', { url });
    say('outcome', result === 'unchanged' ? `The tag holds ${url} already.` : `${url} was written and read back.`, 'good');
  } catch (error) {
    say('outcome', error.message, 'bad');
  }
  at('send').disabled = !tag;
  if (tag) await look();
}

at('write').addEventListener('submit', write);
at('again').addEventListener('click', begin);
at('site').addEventListener('change', judge);
// A browser opens few connections to an agent: a page that nobody sees leaves its own to others.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') following?.abort();
  else if (following?.signal.aborted) follow(reader).catch((error) => stop(error.message));
});
at('reader').addEventListener('change', () => follow(at('reader').value).catch((error) => stop(error.message)));
begin();
