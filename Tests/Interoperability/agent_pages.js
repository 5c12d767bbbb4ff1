// What agent_pages.py asks of a page that uses Web NFC. Each trial gives what is wrong: nothing, where all is well.
window.trials = (() => {
  const bytes = (...values) => Uint8Array.from(values);
  const text = (data, more = {}) => ({ recordType: 'text', data, ...more });
  const url = (data, more = {}) => ({ recordType: 'url', data, ...more });
  const LINK = 'https://example.com/t/1';
  const deep = (depth) => ({ records: [{ recordType: 'example.com:a', data: Array.from({ length: depth - 2 }).reduce((inner) => ({ records: [{ recordType: ':a', data: inner }] }), { records: [text('a')] }) }] });
  const ALL = { records: [
    text('Bonjour'), text(bytes(0, 65), { encoding: 'utf-16be', lang: 'de' }), url(LINK, { id: '/id' }),
    { recordType: 'smart-poster', data: { records: [text('Title', { lang: 'en' }), url(LINK), { recordType: ':act', data: bytes(0) },
      { recordType: ':s', data: bytes(0, 0, 0, 9) }, { recordType: ':t', data: bytes(97) }] } },
    { recordType: 'mime', mediaType: 'text/plain', data: bytes(1, 2).buffer }, { recordType: 'absolute-url', data: 'https://example.com/absolute' },
    { recordType: 'example.com:a', data: new DataView(bytes(9, 8, 7).buffer, 1) },
    { recordType: 'example.com:b', data: { records: [{ recordType: ':local', data: bytes(5), id: 'x' }] } },
    { recordType: 'håndværker.dk:abc', data: bytes() }, { recordType: 'unknown', data: bytes(...Array(300).fill(7)) }, { recordType: 'empty' },
  ] };

  // A record as what can be compared.
  function plain(record) {
    let inner = null;
    try {
      inner = record.toRecords()?.map(plain) ?? null;
    } catch (error) {
      inner = error.name;
    }
    const { recordType, mediaType, id, encoding, lang, data } = record;
    return { recordType, mediaType, id, encoding, lang, data: data && [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)], inner };
  }

  const name = (promise) => promise.then(() => 'done', (error) => error.name);
  const thrown = (make) => {
    try {
      make();
      return 'done';
    } catch (error) {
      return error.name;
    }
  };

  function interfaces() {
    const wrong = [];
    const is = (what, seen, wanted) => { if (JSON.stringify(seen) !== JSON.stringify(wanted)) wrong.push(`${what}: ${JSON.stringify(seen)}`); };
    is('types', [NDEFReader, NDEFMessage, NDEFRecord, NDEFReadingEvent].map((type) => type.length), [0, 1, 1, 2]);
    is('tags', [String(new NDEFReader()), String(new NDEFMessage(ALL))], ['[object NDEFReader]', '[object NDEFMessage]']);
    is('keys', Object.keys(NDEFReader.prototype).sort(), ['makeReadOnly', 'onreading', 'onreadingerror', 'scan', 'write']);
    is('records', Object.isFrozen(new NDEFMessage(ALL).records), true);
    is('a foreign this', thrown(() => Object.getOwnPropertyDescriptor(NDEFRecord.prototype, 'id').get.call({})), 'TypeError');
    const reader = new NDEFReader();
    const heard = [];
    reader.onreading = 1;
    is('a handler that is none', reader.onreading, null);
    reader.onreading = () => heard.push('handler');
    reader.addEventListener('reading', () => heard.push('listener'));
    reader.onreading = () => heard.push('another');
    const event = new NDEFReadingEvent('reading', { message: { records: [text('a')] }, serialNumber: null });
    reader.dispatchEvent(event);
    is('handlers', heard, ['another', 'listener']);
    is('an event', [event.serialNumber, event.message === event.message, event.message.records[0].lang], ['', true, null]);
    is('data are a copy', (() => {
      const given = bytes(1);
      const record = new NDEFRecord({ recordType: 'unknown', data: given });
      given[0] = 2;
      return record.data.getUint8(0);
    })(), 1);
    is('a smart poster begins with its URL', new NDEFRecord(ALL.records[3]).toRecords().map((record) => record.recordType), ['url', 'text', ':act', ':s', ':t']);
    is('deep', [thrown(() => new NDEFMessage(deep(32))), thrown(() => new NDEFMessage(deep(33)))], ['done', 'TypeError']);
    is('a half character', new NDEFRecord(text('a', { id: '\ud800' })).id, '\ufffd');
    is('UTF-16', new NDEFRecord(text(bytes(65, 0), { encoding: 'utf-16le' })).encoding, 'utf-16le');
    is('types of media', ['TEXT/Plain', 'nothing', undefined].map((mediaType) => new NDEFRecord({ recordType: 'mime', mediaType, data: bytes(1) }).mediaType),
      ['text/plain', 'application/octet-stream', 'application/octet-stream']);
    return wrong;
  }

  // What write and the constructors refuse, and how.
  const REFUSED = [
    ['TypeError', undefined], ['TypeError', null], ['TypeError', {}], ['TypeError', { records: [] }], ['TypeError', { records: [{}] }],
    ['TypeError', { records: 'a' }], ['TypeError', Symbol('a')],
    ...[{ recordType: 'text' }, text(1), text(LINK, { encoding: 'utf-16' }), text(bytes(1), { encoding: 'latin1' }), text('a', { mediaType: 'a/b' }),
      url(bytes(1)), { recordType: 'url' }, { recordType: 'absolute-url', data: 1 }, { recordType: 'mime', data: 'a' }, { recordType: 'unknown', data: 'a' },
      { recordType: 'empty', id: 'a' }, { recordType: 'Text', data: 'a' }, { recordType: 'smart-poster', data: 'a' },
      { recordType: 'smart-poster', data: { records: [text('a')] } }, { recordType: 'smart-poster', data: { records: [url(LINK), url(LINK)] } },
      { recordType: 'smart-poster', data: { records: [url(LINK), { recordType: ':act', data: bytes(1, 2) }] } },
      { recordType: 'smart-poster', data: { records: [url(LINK), { recordType: 'absolute-url', data: LINK }] } },
      { recordType: ':a', data: bytes(1) }, { recordType: 'example.com:', data: bytes(1) }, { recordType: ':', data: bytes(1) },
      { recordType: 'example.com:a/b', data: bytes(1) }, { recordType: `${'a'.repeat(254)}:b`, data: bytes(1) }, { recordType: 'example.com:a', data: 'a' },
      { recordType: 'example.com:a', data: { records: [{ recordType: ':A', data: bytes(1) }] } },
      { recordType: 'absolute-url', data: `https://example.com/${'a'.repeat(250)}` },
    ].map((record) => ['TypeError', { records: [record] }]),
    ...[url('no address'), { recordType: 'absolute-url', data: '/relative' }, text('a', { lang: 'a'.repeat(64) })]
      .map((record) => ['SyntaxError', { records: [record] }]),
  ];

  async function refusals() {
    const wrong = [];
    for (const [index, [wanted, message]] of REFUSED.entries()) {
      const seen = await name(new NDEFReader().write(message));
      const made = message?.records ? thrown(() => new NDEFMessage(message)) : wanted;
      if (seen !== wanted || made !== wanted) wrong.push(`${index}: ${seen}, ${made}`);
    }
    for (const signal of ['a', {}, 1, null]) {
      const seen = await name(new NDEFReader().scan({ signal }));
      if (seen !== 'TypeError') wrong.push(`a signal ${signal}: ${seen}`);
    }
    return wrong;
  }

  // One scan, up to its first reading.
  const readOnce = () => new Promise((done, fail) => {
    const [reader, control] = [new NDEFReader(), new AbortController()];
    reader.onreading = (event) => {
      control.abort();
      done(event);
    };
    reader.onreadingerror = () => fail(new Error('readingerror'));
    reader.scan({ signal: control.signal }).catch(fail);
  });

  async function roundTrip() {
    await new NDEFReader().write(ALL);
    const { serialNumber, message } = await readOnce();
    return { serialNumber, read: message.records.map(plain), written: new NDEFMessage(ALL).records.map(plain) };
  }

  async function aborts() {
    const wrong = [];
    const is = (what, seen, wanted) => { if (seen !== wanted) wrong.push(`${what}: ${seen}`); };
    for (const call of [(signal) => new NDEFReader().scan({ signal }), (signal) => new NDEFReader().write('a', { signal }), (signal) => new NDEFReader().makeReadOnly({ signal })]) {
      is('aborted before', await name(call(AbortSignal.abort())), 'AbortError');
      const control = new AbortController();
      const waiting = name(call(control.signal));
      control.abort(new RangeError('mine'));
      is('aborted at once', await waiting, 'RangeError');
    }
    const [reader, control] = [new NDEFReader(), new AbortController()];
    await reader.scan({ signal: control.signal });
    is('a second scan', await name(reader.scan()), 'InvalidStateError');
    control.abort();
    const again = new AbortController();
    is('a scan after an aborted one', await name(reader.scan({ signal: again.signal })), 'done');
    again.abort();
    return wrong;
  }

  async function overwriting() {
    await new NDEFReader().write('kept');
    const seen = await name(new NDEFReader().write('lost', { overwrite: false }));
    const { message } = await readOnce();
    const held = new TextDecoder().decode(message.records[0].data);
    return seen === 'NotAllowedError' && held === 'kept' ? [] : [seen, held];
  }

  async function replacing() {
    const seen = await Promise.all([name(new NDEFReader().write('first')), name(new NDEFReader().write('second'))]);
    const { message } = await readOnce();
    const held = new TextDecoder().decode(message.records[0].data);
    return held === 'second' && seen[1] === 'done' && ['done', 'AbortError'].includes(seen[0]) ? [] : [seen, held];
  }

  async function lock(answer) {
    const texts = [];
    window.confirm = (words) => {
      texts.push(words);
      return answer;
    };
    return { result: await name(new NDEFReader().makeReadOnly()), texts };
  }

  return { interfaces, refusals, roundTrip, aborts, overwriting, replacing, lock, name };
})();
0;
