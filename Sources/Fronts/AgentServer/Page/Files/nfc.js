// Web NFC (W3C Community Group Report) for browsers that have none of their own, over the agent that `nfcprog serve` starts.
//
//   <script src="http://127.0.0.1:8411/nfc.js"></script>
//
// A page may also serve this file itself; `data-agent` of its script element then says where the agent is.

(() => {
  'use strict';
  // The interfaces are for secure contexts alone, and a browser's own ones are better.
  if (!window.isSecureContext || 'NDEFReader' in window) return;

  const agent = (() => {
    const script = document.currentScript;
    if (script?.dataset.agent) return script.dataset.agent.replace(/\/$/, '');
    const own = script?.src ? new URL(script.src) : null;
    return own && ['127.0.0.1', '[::1]', 'localhost'].includes(own.hostname) ? own.origin : 'http://127.0.0.1:8411';
  })();

  const failure = (name, text) => new DOMException(text, name);
  const encode = (text) => new TextEncoder().encode(text);
  const decode = (bytes) => new TextDecoder().decode(bytes);
  const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

  // MARK: Values of scripts, as Web IDL converts them

  function dictionary(value, name) {
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' && typeof value !== 'function') throw new TypeError(`The ${name} is no object.`);
    return value;
  }

  // Each code unit that is half of a pair alone becomes U+FFFD.
  const scalars = (value) => `${value}`.replace(/\p{Surrogate}/gu, '\ufffd');
  const optional = (value) => value === undefined ? undefined : scalars(value);

  const isBuffer = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);
  const copy = (value) => value instanceof ArrayBuffer ? new Uint8Array(value.slice(0))
    : new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  const isMessage = (value) => typeof value === 'object' && value !== null && !isBuffer(value);

  function signalOf(options, mayBeNull) {
    const { signal } = options;
    if (signal === undefined || mayBeNull && signal === null) return null;
    if (!(signal instanceof AbortSignal)) throw new TypeError('The signal is no AbortSignal.');
    return signal;
  }

  // MARK: Messages and records

  // Messages within messages.
  const DEEPEST = 32;
  const EXTERNAL = /^[a-z0-9$'()*+,\-.;=@_]+$/i;

  // The domain of an external type in ASCII, and its name; null where it is none.
  function external(type) {
    const colon = type.indexOf(':');
    const name = type.slice(colon + 1);
    let domain = type.slice(0, colon);
    if (colon < 1 || !EXTERNAL.test(name)) return null;
    if (!/^[\x00-\x7f]*$/.test(domain)) {
      try {
        domain = new URL(`https://${domain}`).hostname;
      } catch {
        return null;
      }
    }
    const wire = `${domain}:${name}`;
    return /^[a-z0-9.-]+$/i.test(domain) && wire.length <= 255 ? wire : null;
  }

  // An external type as scripts see it, its domain in Unicode; null where it is none.
  function shown(wire) {
    if (!external(wire)) return null;
    const colon = wire.indexOf(':');
    try {
      const labels = wire.slice(0, colon).split('.').map((label) => /^xn--/i.test(label) ? punycode(label.slice(4).toLowerCase()) : label);
      return labels.join('.') + wire.slice(colon);
    } catch {
      return null;
    }
  }

  // The characters of a label (RFC 3492, 6.2).
  function punycode(text) {
    const basic = Math.max(text.lastIndexOf('-'), 0);
    const found = [...text.slice(0, basic)];
    for (let [place, code, index, bias] = [basic && basic + 1, 128, 0, 72]; place < text.length;) {
      const before = index;
      for (let [weight, step] = [1, 36]; ; step += 36) {
        const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text[place++] ?? '-');
        if (digit < 0) throw new RangeError('This is no label of a domain.');
        index += digit * weight;
        const threshold = Math.min(Math.max(step - bias, 1), 26);
        if (digit < threshold) break;
        weight *= 36 - threshold;
      }
      let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
      delta += Math.floor(delta / (found.length + 1));
      for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
      bias += Math.floor(36 * delta / (delta + 38));
      code += Math.floor(index / (found.length + 1));
      index %= found.length + 1;
      found.splice(index++, 0, String.fromCodePoint(code));
    }
    return found.join('');
  }

  const isLocal = (name) => /^[a-z0-9][\x21-\x7e]*$/.test(name) && name.length <= 255;

  // The records of what a message was made from, in the order in which they are written.
  function records(source, context, depth, language) {
    const { records: given } = dictionary(source, 'message');
    if (given === undefined) throw new TypeError('The message has no records.');
    const all = Array.from(iterable(given), (init) => parts(init, context, depth + 1, language));
    if (all.length === 0) throw new TypeError('A message has one record at least.');
    if (depth + 1 > DEEPEST) throw new TypeError(`Messages are nested more than ${DEEPEST} deep.`);
    return context === 'smart-poster' ? poster(all) : all;
  }

  function iterable(value) {
    if (typeof value?.[Symbol.iterator] !== 'function' || typeof value === 'string') throw new TypeError('The records are no sequence.');
    return value;
  }

  // A Smart Poster's records: one URI, which comes first, and each of the three others once at most.
  function poster(all) {
    const count = (type) => all.filter((record) => record.recordType === type).length;
    if (count('url') !== 1 || [':t', ':s', ':act'].some((type) => count(type) > 1)) {
      throw new TypeError('A smart poster has one URL, and a type, a size and an action once at most.');
    }
    return [...all.filter((record) => record.recordType === 'url'), ...all.filter((record) => record.recordType !== 'url')];
  }

  // What one record holds, from a NDEFRecordInit.
  function parts(init, context, depth, language) {
    const given = dictionary(init, 'record');
    if (given.recordType === undefined) throw new TypeError('The record has no recordType.');
    const record = {
      recordType: scalars(given.recordType), mediaType: null, id: optional(given.id) ?? null, data: null, encoding: null, lang: null,
    };
    const sent = { mediaType: optional(given.mediaType), encoding: optional(given.encoding), lang: optional(given.lang), data: given.data };
    if (record.recordType !== 'mime' && sent.mediaType !== undefined) throw new TypeError(`A record “${record.recordType}” has no mediaType.`);
    fill(record, sent, context, depth, language);
    if (encode(record.id ?? '').length > 255 || typeBytes(record).length > 255) throw new TypeError('A type and an ID have 255 bytes at most.');
    return record;
  }

  function fill(record, sent, context, depth, language) {
    const type = record.recordType;
    switch (type) {
      case 'empty':
        if (record.id !== null) throw new TypeError('An empty record has no id.');
        return;
      case 'text': return fillText(record, sent, language);
      case 'url': case 'absolute-url':
        if (type === 'absolute-url' && context === 'smart-poster') throw new TypeError('A smart poster has no absolute URL.');
        record.data = encode(href(sent.data));
        return;
      case 'mime':
        record.data = bytes(sent.data);
        record.mediaType = media(sent.mediaType);
        return;
      case 'unknown':
        record.data = bytes(sent.data);
        return;
      case 'smart-poster':
        if (!isMessage(sent.data)) throw new TypeError('The data of a smart poster are a message.');
        record.data = serialize(records(sent.data, type, depth, language));
        return;
      default: return fillNamed(record, sent, context, depth, language);
    }
  }

  // Local types, which stand in other records alone, and external ones.
  function fillNamed(record, sent, context, depth, language) {
    const type = record.recordType;
    const isOurs = type.startsWith(':');
    if (isOurs && (context === '' || !isLocal(type.slice(1))) || !isOurs && !external(type)) {
      throw new TypeError(`“${type}” is no type of a record here.`);
    }
    const exact = context === 'smart-poster' ? { ':s': 4, ':act': 1 }[type] : undefined;
    if (exact !== undefined && !(isBuffer(sent.data) && sent.data.byteLength === exact)) {
      throw new TypeError(`The data of “${type}” are ${exact} bytes.`);
    }
    if (isBuffer(sent.data)) record.data = copy(sent.data);
    else if (isMessage(sent.data)) record.data = serialize(records(sent.data, isOurs ? 'local' : 'external', depth, language));
    else throw new TypeError(`The data of “${type}” are bytes or a message.`);
  }

  function fillText(record, sent, language) {
    const isText = typeof sent.data === 'string';
    const encoding = sent.encoding ?? 'utf-8';
    if (!isText && !isBuffer(sent.data)) throw new TypeError('The data of a text are a string or bytes.');
    if (!(isText ? ['utf-8'] : ['utf-8', 'utf-16', 'utf-16le', 'utf-16be']).includes(encoding)) {
      throw new TypeError(`A text is not encoded as ${encoding}.`);
    }
    const lang = sent.lang ?? language;
    if (encode(lang ?? '').length > 63) throw failure('SyntaxError', 'A language has 63 bytes at most.');
    Object.assign(record, { encoding, lang, data: isText ? encode(sent.data) : copy(sent.data) });
  }

  function bytes(data) {
    if (!isBuffer(data)) throw new TypeError('The data of the record are bytes: an ArrayBuffer or a view.');
    return copy(data);
  }

  function href(data) {
    if (typeof data !== 'string') throw new TypeError('The data of a URL are a string.');
    try {
      return new URL(data).href;
    } catch {
      throw failure('SyntaxError', 'The data are no URL.');
    }
  }

  // As the MIME Sniffing Standard reads and writes it; Blob does both.
  function media(type) {
    const read = type === undefined ? '' : new Blob([], { type }).type;
    return /^[!#$%&'*+\-.^_`|~0-9a-z]+\/[!#$%&'*+\-.^_`|~0-9a-z]+(;|$)/.test(read) ? read : 'application/octet-stream';
  }

  // The language of texts that say none.
  const pageLanguage = () => document.documentElement?.lang || 'en';

  // MARK: Bytes on the tag (NFC Forum NDEF 1.0)

  // URI Record Type Definition, table 3.
  const PREFIXES = [
    '', 'http://www.', 'https://www.', 'http://', 'https://', 'tel:', 'mailto:', 'ftp://anonymous:anonymous@', 'ftp://ftp.', 'ftps://',
    'sftp://', 'smb://', 'nfs://', 'ftp://', 'dav://', 'news:', 'telnet://', 'imap:', 'rtsp://', 'urn:', 'pop:', 'sip:', 'sips:', 'tftp:',
    'btspp://', 'btl2cap://', 'btgoep://', 'tcpobex://', 'irdaobex://', 'file://', 'urn:epc:id:', 'urn:epc:tag:', 'urn:epc:pat:',
    'urn:epc:raw:', 'urn:epc:', 'urn:nfc:',
  ];
  const WELL_KNOWN = { text: 'T', url: 'U', 'smart-poster': 'Sp' };
  const FORMATS = { empty: 0, text: 1, url: 1, 'smart-poster': 1, mime: 2, 'absolute-url': 3, unknown: 5 };

  function typeBytes(record) {
    const type = record.recordType;
    switch (type) {
      case 'empty': case 'unknown': return new Uint8Array();
      case 'mime': return encode(record.mediaType);
      case 'absolute-url': return record.data;
      default: return encode(WELL_KNOWN[type] ?? (type.startsWith(':') ? type.slice(1) : external(type)));
    }
  }

  function payload(record) {
    switch (record.recordType) {
      case 'empty': case 'absolute-url': return [];
      case 'text': {
        const lang = encode(record.lang ?? 'en');
        return [(record.encoding === 'utf-8' ? 0 : 0x80) | lang.length, ...lang, ...record.data];
      }
      case 'url': {
        const address = decode(record.data);
        const code = PREFIXES.reduce((best, prefix, index) =>
          address.startsWith(prefix) && prefix.length > PREFIXES[best].length ? index : best, 0);
        return [code, ...encode(address.slice(PREFIXES[code].length))];
      }
      default: return record.data;
    }
  }

  function serialize(all) {
    const result = [];
    all.forEach((record, index) => {
      const [type, id, content] = [typeBytes(record), encode(record.id ?? ''), payload(record)];
      const isShort = content.length < 256;
      const format = FORMATS[record.recordType] ?? (record.recordType.startsWith(':') ? 1 : 4);
      result.push((index === 0 ? 0x80 : 0) | (index === all.length - 1 ? 0x40 : 0) | (isShort ? 0x10 : 0) | (id.length ? 8 : 0) | format);
      result.push(type.length, ...(isShort ? [content.length] : [24, 16, 8, 0].map((bit) => content.length >> bit & 0xff)));
      if (id.length) result.push(id.length);
      for (const part of [type, id, content]) for (const byte of part) result.push(byte);
    });
    return Uint8Array.from(result);
  }

  // The records in a payload; null where it is no message.
  function parse(all, context) {
    const found = [];
    for (let place = 0; place < all.length;) {
      const header = all[place];
      const isShort = header & 0x10, hasID = header & 8;
      const start = place + 2 + (isShort ? 1 : 4) + (hasID ? 1 : 0);
      if (start > all.length || place === 0 && !(header & 0x80)) return null;
      const view = new DataView(all.buffer, all.byteOffset);
      const size = isShort ? all[place + 2] : view.getUint32(place + 2);
      const [typeEnd, idLength] = [start + all[place + 1], hasID ? all[start - 1] : 0];
      const end = typeEnd + idLength + size;
      if (end > all.length) return null;
      const record = read({
        format: header & 7, type: all.slice(start, typeEnd), id: all.slice(typeEnd, typeEnd + idLength), payload: all.slice(end - size, end),
      }, context);
      if (record) found.push(record);
      place = end;
      if (header & 0x40) break;
    }
    if (found.length === 0) return null;
    return context === 'smart-poster' ? poster(found) : found;
  }

  // What a record on a tag holds; null where scripts are not shown it.
  function read({ format, type, id, payload: content }, context) {
    const record = { recordType: null, mediaType: null, id: id.length ? decode(id) : null, data: content, encoding: null, lang: null };
    const name = decode(type);
    switch (format) {
      case 0: return Object.assign(record, { recordType: 'empty', id: null, data: null });
      case 1: return readWellKnown(record, name, context);
      case 2: return Object.assign(record, { recordType: 'mime', mediaType: media(name) });
      case 3: return Object.assign(record, { recordType: 'absolute-url', data: type });
      case 4: return shown(name) && Object.assign(record, { recordType: shown(name) });
      case 5: return Object.assign(record, { recordType: 'unknown' });
      default: return null;
    }
  }

  function readWellKnown(record, name, context) {
    const content = record.data;
    switch (name) {
      case 'T': {
        if (content.length === 0) return Object.assign(record, { recordType: 'text', data: null });
        const behind = 1 + (content[0] & 0x3f);
        return Object.assign(record, {
          recordType: 'text', encoding: content[0] & 0x80 ? 'utf-16be' : 'utf-8', lang: decode(content.slice(1, behind)), data: content.slice(behind),
        });
      }
      case 'U': {
        if (content.length === 0) return Object.assign(record, { recordType: 'url', data: null });
        const prefix = PREFIXES[content[0]];
        return Object.assign(record, {
          recordType: 'url', data: prefix === undefined ? content : Uint8Array.of(...encode(prefix), ...content.slice(1)),
        });
      }
      case 'Sp': return Object.assign(record, { recordType: 'smart-poster' });
      default: {
        if (context === '' || !isLocal(name)) return null;
        const exact = context === 'smart-poster' ? { s: 4, act: 1 }[name] : undefined;
        if (exact !== undefined && content.length !== exact) throw new TypeError(`The data of “:${name}” are not ${exact} bytes.`);
        return Object.assign(record, { recordType: `:${name}` });
      }
    }
  }

  // MARK: Interfaces

  const made = Symbol('made');
  const slots = new WeakMap();

  function own(object) {
    const held = slots.get(object);
    if (!held) throw new TypeError('Illegal invocation');
    return held;
  }

  class NDEFRecord {
    constructor(recordInit) {
      if (arguments.length === 0) throw new TypeError('NDEFRecord needs a NDEFRecordInit.');
      const held = recordInit?.[made] ?? parts(recordInit, '', 0, pageLanguage());
      slots.set(this, { ...held, data: held.data && new DataView(held.data.slice().buffer) });
    }
    get recordType() { return own(this).recordType; }
    get mediaType() { return own(this).mediaType; }
    get id() { return own(this).id; }
    get data() { return own(this).data; }
    get encoding() { return own(this).encoding; }
    get lang() { return own(this).lang; }
    toRecords() {
      const { recordType, data } = own(this);
      const isLocalType = recordType.startsWith(':');
      if (recordType !== 'smart-poster' && !isLocalType && !external(recordType)) {
        throw failure('NotSupportedError', `A record “${recordType}” holds no others.`);
      }
      const context = recordType === 'smart-poster' ? recordType : isLocalType ? 'local' : 'external';
      return parse(new Uint8Array(data.buffer), context)?.map((held) => new NDEFRecord({ [made]: held })) ?? null;
    }
  }

  class NDEFMessage {
    constructor(messageInit) {
      if (arguments.length === 0) throw new TypeError('NDEFMessage needs a NDEFMessageInit.');
      const held = messageInit?.[made] ?? records(messageInit, '', 0, pageLanguage());
      slots.set(this, { records: Object.freeze(held.map((one) => new NDEFRecord({ [made]: one }))) });
    }
    get records() { return own(this).records; }
  }

  class NDEFReadingEvent extends Event {
    constructor(type, readingEventInitDict) {
      if (arguments.length < 2) throw new TypeError('NDEFReadingEvent needs a type and a NDEFReadingEventInit.');
      const init = dictionary(readingEventInitDict, 'NDEFReadingEventInit');
      if (init.message === undefined) throw new TypeError('The event has no message.');
      super(type, init);
      const message = init.message instanceof NDEFMessage ? init.message
        : new NDEFMessage({ [made]: records(init.message, '', 0, null) });
      slots.set(this, { serialNumber: `${init.serialNumber ?? ''}`, message });
    }
    get serialNumber() { return own(this).serialNumber; }
    get message() { return own(this).message; }
  }

  class NDEFReader extends EventTarget {
    constructor() {
      super();
      slots.set(this, { handlers: {} });
    }
    get onreading() { return handler(this, 'reading'); }
    set onreading(value) { setHandler(this, 'reading', value); }
    get onreadingerror() { return handler(this, 'readingerror'); }
    set onreadingerror(value) { setHandler(this, 'readingerror', value); }
    async scan(options = {}) {
      own(this);
      const signal = signalOf(dictionary(options, 'NDEFScanOptions'), false);
      checkPlace(signal);
      const claim = new Claim();
      try {
        await untilAborted(signal, start());
        if (activated.has(this)) throw failure('InvalidStateError', 'This NDEFReader scans already.');
      } catch (error) {
        claim.end();
        throw error;
      }
      activated.add(this);
      signal?.addEventListener('abort', () => {
        activated.delete(this);
        claim.end();
      }, { once: true });
      for (const field of fields.values()) look(field);
    }
    async write(message, options = {}) {
      own(this);
      if (arguments.length === 0) throw new TypeError('write needs a message.');
      const given = dictionary(options, 'NDEFWriteOptions');
      const overwrite = given.overwrite === undefined || Boolean(given.overwrite);
      const signal = signalOf(given, true);
      checkPlace(signal);
      const ndef = toHex(serialize(source(message)));
      return wait('write', signal, (field) => transfer(field, ndef, overwrite));
    }
    async makeReadOnly(options = {}) {
      own(this);
      const signal = signalOf(dictionary(options, 'NDEFMakeReadOnlyOptions'), true);
      checkPlace(signal);
      return wait('lock', signal, lock);
    }
  }

  function source(message) {
    if (isBuffer(message)) return records({ records: [{ recordType: 'mime', data: message, mediaType: 'application/octet-stream' }] }, '', 0, null);
    if (typeof message === 'object' || typeof message === 'function' || message === undefined) return records(message, '', 0, pageLanguage());
    return records({ records: [{ recordType: 'text', data: scalars(message) }] }, '', 0, pageLanguage());
  }

  // The page that a person sees alone uses readers, and none that it holds in a frame.
  function checkPlace(signal) {
    if (window.top !== window || !document.defaultView) throw failure('InvalidStateError', 'Web NFC is for the page itself, not for its frames.');
    if (signal?.aborted) throw signal.reason;
  }

  const handler = (reader, name) => own(reader).handlers[name]?.value ?? null;

  // As an event handler of the HTML Standard: it keeps its place among the listeners.
  function setHandler(reader, name, value) {
    const { handlers } = own(reader);
    const isHandler = typeof value === 'function' || typeof value === 'object' && value !== null;
    if (!isHandler) {
      if (handlers[name]) reader.removeEventListener(name, handlers[name].call);
      delete handlers[name];
    } else if (handlers[name]) {
      handlers[name].value = value;
    } else {
      const held = { value, call: (event) => { if (typeof held.value === 'function') held.value.call(reader, event); } };
      handlers[name] = held;
      reader.addEventListener(name, held.call);
    }
  }

  // MARK: Permission: the page is paired with the agent, once

  const place = `nfcprog ${agent}`;
  let token = null;
  try {
    token = localStorage.getItem(place);
  } catch {
    // A page without storage is asked for anew each time.
  }

  function keep(value) {
    token = value;
    try {
      if (value) localStorage.setItem(place, value);
      else localStorage.removeItem(place);
    } catch {
      // Likewise.
    }
  }

  async function ask(path, { body, signal } = {}) {
    const headers = { Authorization: `Bearer ${token}` };
    if (body) headers['Content-Type'] = 'application/json';
    return fetch(agent + path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body), signal, cache: 'no-store' });
  }

  // A stranger may not read any answer; what it may load says that the agent is there.
  const isThere = () => fetch(`${agent}/nfc.js`, { mode: 'no-cors', cache: 'no-store' }).then(() => true, () => false);
  const absent = () => failure('NotSupportedError', `There is no reader: no agent answers at ${agent}. nfcprog serve starts it.`);

  async function pair() {
    const post = (query) => fetch(`${agent}/v1/pairing${query}`, { method: 'POST' }).catch(() => null);
    let answer = await post('');
    if (!answer?.ok) {
      if (!await isThere()) throw absent();
      const code = 100000 + crypto.getRandomValues(new Uint32Array(1))[0] % 900000;
      const question = showCode(code);
      answer = await post(`?code=${code}`);
      question.remove();
    }
    if (!answer?.ok) throw failure('NotAllowedError', 'Nobody at the terminal of nfcprog serve said yes to this page.');
    keep((await answer.json()).token);
  }

  function showCode(code) {
    const dialog = document.createElement('dialog');
    dialog.append(`This page asks for the NFC reader. Compare the code ${code} with the one at the terminal of nfcprog serve, and say yes there.`);
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    document.documentElement.append(dialog);
    dialog.showModal();
    return dialog;
  }

  let connecting = null;

  // The readers of the agent. Throws where there is none, or the page may not use them.
  function connect() {
    connecting ??= (async () => {
      for (let attempt = 0; attempt < 2; attempt++) {
        if (!token) await pair();
        const answer = await ask('/v1/readers').catch(() => null);
        if (answer?.ok) return (await answer.json()).readers;
        if (!answer && !await isThere()) throw absent();
        if (answer && ![401, 403].includes(answer.status)) throw failure('NotReadableError', (await answer.json()).detail);
        keep(null);
      }
      throw failure('NotAllowedError', 'The agent does not take this page for one that is paired.');
    })().finally(() => { connecting = null; });
    return connecting;
  }

  // MARK: What lies on the readers

  const activated = new Set();
  // A write and a lock that wait for a tag.
  const pending = { write: null, lock: null };
  const fields = new Map();
  const isSuspended = () => document.visibilityState === 'hidden';

  // The stream of what happens at all readers: one, since a browser opens few connections to an agent.
  let stream = null;

  // Follows every reader, where that is not done already.
  async function start() {
    const readers = await connect();
    if (readers.length === 0) throw failure('NotSupportedError', 'The agent has no reader.');
    if (readers.every((reader) => reader.state === 'away')) throw failure('NotReadableError', 'The reader does not answer.');
    for (const { id } of readers) if (!fields.has(id)) fields.set(id, { id, uid: null, seen: null, shown: new WeakSet(), queue: Promise.resolve() });
    // A page that nobody sees uses no reader, and leaves the connection to others.
    if (isSuspended()) return;
    stream ??= follow();
    await stream.ready;
  }

  const claims = new Set();

  // Somebody wants to know what lies on the readers; they are let go where nobody does.
  class Claim {
    constructor() {
      claims.add(this);
    }
    end() {
      claims.delete(this);
      if (claims.size) return;
      letGo();
      fields.clear();
    }
  }

  function letGo() {
    stream?.control.abort();
    stream = null;
    for (const field of fields.values()) field.uid = null;
  }

  function follow() {
    const own = { control: new AbortController() };
    const { signal } = own.control;
    const open = async () => {
      const answer = await ask('/v1/events', { signal });
      if (!answer.ok) throw failure('NotReadableError', (await answer.json()).detail);
      return answer;
    };
    const first = open();
    own.ready = first.then(() => {}, (error) => {
      if (!signal.aborted) throw error;
    });
    own.ready.catch(() => {
      if (stream === own) stream = null;
    });
    (async () => {
      for (let answer = await first; !signal.aborted;) {
        await events(answer.body, (name, { reader, uids }) => change(fields.get(reader), name, uids)).catch(() => {});
        if (signal.aborted) return;
        for (const field of fields.values()) change(field, 'away', []);
        do {
          await new Promise((done) => setTimeout(done, 2000));
          answer = await open().catch(() => null);
        } while (!answer && !signal.aborted);
      }
    })().catch(() => {});
    return own;
  }

  // Server-sent events, whose header a browser's own EventSource does not send.
  async function events(body, tell) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const whole = (text + value).split('\n\n');
      text = whole.pop();
      for (const event of whole) {
        const name = event.match(/^event: (.*)$/m)?.[1], data = event.match(/^data: (.*)$/m)?.[1];
        if (name && name !== 'beat') tell(name, JSON.parse(data));
      }
    }
  }

  function change(field, name, uids) {
    if (!field) return;
    field.uid = name === 'tag' ? uids[0] : null;
    // A tag that has lain there while the page was hidden is not shown twice.
    if (field.uid !== field.seen) field.shown = new WeakSet();
    field.seen = field.uid;
    if (name === 'several' && !isSuspended()) for (const reader of [...activated]) reader.dispatchEvent(new Event('readingerror'));
    look(field);
  }

  // Does what is to be done with the tag that lies there, one after another.
  function look(field) {
    field.queue = field.queue.then(async () => {
      if (!field.uid || isSuspended()) return;
      if ([...activated].some((reader) => !field.shown.has(reader))) await show(field);
      for (const kind of ['write', 'lock']) if (field.uid && pending[kind] && !pending[kind].hasBegun) await pending[kind].run(field);
    });
  }

  document.addEventListener('visibilitychange', () => {
    if (isSuspended()) letGo();
    else if (claims.size) start().catch(() => {});
  });
  addEventListener('pagehide', () => {
    activated.clear();
    for (const kind of ['write', 'lock']) pending[kind]?.abort();
    for (const claim of [...claims]) claim.end();
  });

  async function job(field, command, body) {
    const answer = await ask(`/v1/readers/${field.id}/${command}`, { body });
    const report = await answer.json();
    return { isDone: answer.ok, status: answer.status, report, isGone: report.code === 75 };
  }

  async function show(field) {
    const readers = [...activated].filter((reader) => !field.shown.has(reader));
    for (const reader of readers) field.shown.add(reader);
    const { isDone, isGone, report } = await job(field, 'read', {}).catch(() => ({}));
    if (isGone) return;
    const isShown = isDone && ['message', 'empty', 'blank'].includes(report.content);
    for (const reader of readers.filter((reader) => activated.has(reader))) {
      reader.dispatchEvent(isShown ? reading(report) : new Event('readingerror'));
    }
  }

  function reading(report) {
    const found = (report.records ?? []).map((record) => read({
      format: record.tnf, type: encode(record.type), id: fromHex(record.id), payload: fromHex(record.payload),
    }, '')).filter((record) => record);
    return new NDEFReadingEvent('reading', {
      serialNumber: report.uid.match(/../g).join(':'), message: new NDEFMessage({ [made]: found }),
    });
  }

  // MARK: Jobs that wait for a tag

  const untilAborted = (signal, work) => !signal ? work : Promise.race([
    work, new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true })),
  ]);

  // Waits for a tag, and does `work` there, which gives false where the tag has gone. A later one of its kind replaces it.
  function wait(kind, signal, work) {
    return new Promise((done, fail) => {
      const own = { hasBegun: false };
      const claim = new Claim();
      const end = () => {
        if (pending[kind] === own) pending[kind] = null;
        claim.end();
      };
      own.abort = (reason = failure('AbortError', 'Another request has taken its place.')) => {
        if (own.hasBegun) return;
        own.isOver = true;
        fail(reason);
        end();
      };
      own.run = async (field) => {
        own.hasBegun = true;
        try {
          if (await work(field) === false) {
            // The tag has gone. Whoever had to wait for this has its turn now.
            own.hasBegun = false;
            if (signal?.aborted) own.abort(signal.reason);
            else if (pending[kind] !== own) own.abort();
            return;
          }
          done();
        } catch (error) {
          fail(error instanceof DOMException ? error : failure('NetworkError', error.message));
        }
        end();
      };
      signal?.addEventListener('abort', () => own.abort(signal.reason), { once: true });
      start().then(() => {
        if (own.isOver) return;
        const former = pending[kind];
        pending[kind] = own;
        former?.abort();
        for (const field of fields.values()) look(field);
      }, (error) => {
        fail(error);
        end();
      });
    });
  }

  function refused({ report }) {
    const { ndefStatus } = report.report ?? report;
    return failure(ndefStatus === 'notSupported' ? 'NotSupportedError' : 'NetworkError', report.detail);
  }

  async function transfer(field, ndef, overwrite) {
    const answer = await job(field, 'write', overwrite ? { records: [{ ndef }] } : { records: [{ ndef }], 'if-empty': true });
    if (answer.isGone) return false;
    if (!overwrite && answer.report.code === 77 && answer.report.report?.content === 'message') throw failure('NotAllowedError', answer.report.detail);
    if (!answer.isDone) throw refused(answer);
    return true;
  }

  // What cannot be undone is confirmed by the person for this tag: the agent takes the yes for its UID and its plan alone.
  async function lock(field) {
    const plan = await job(field, 'lock', { 'dry-run': true });
    if (plan.isGone) return false;
    if (!plan.isDone) throw refused(plan);
    const { uid, confirm } = plan.report;
    if (!confirm) return true;
    const name = uid.match(/../g).join(':').toUpperCase();
    if (!window.confirm(`Make the tag ${name} read-only? This cannot be undone.`)) {
      throw failure('NotAllowedError', 'The person did not say yes.');
    }
    const answer = await job(field, 'lock', { confirm });
    if (answer.isGone) return false;
    if (!answer.isDone) throw refused(answer);
    return true;
  }

  // MARK: What scripts see

  for (const type of [NDEFRecord, NDEFMessage, NDEFReadingEvent, NDEFReader]) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(type.prototype))) {
      if (name !== 'constructor') Object.defineProperty(type.prototype, name, { ...property, enumerable: true });
    }
    Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
    Object.defineProperty(type, 'prototype', { writable: false });
    Object.defineProperty(window, type.name, { value: type, writable: true, configurable: true });
  }
})();
