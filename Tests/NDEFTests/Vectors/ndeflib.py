#!/usr/bin/env python3
"""Writes ndeflib.txt: messages made by ndeflib, with what they were made from.

    python3 -m venv /tmp/ndeflib && /tmp/ndeflib/bin/pip install ndeflib==0.3.3
    /tmp/ndeflib/bin/python Tests/NDEFTests/Vectors/ndeflib.py > Tests/NDEFTests/Vectors/ndeflib.txt

A line is `name | bytes | record; record`, a record is words: its kind, then its fields, bytes and
texts in hexadecimal (UTF-8), `-` for an absent field; `id=…` ends a record that has an ID.
"""
import random
import ndef
from ndef.wifi import WifiSimpleConfigRecord, Credential

rng = random.Random(9798)
PREFIXES = [p for p in ndef.UriRecord._prefix_strings]


def hexed(value):
    data = value.encode() if isinstance(value, str) else bytes(value)
    return data.hex() or '""'


def word(limit=12):
    return ''.join(rng.choice('abcdefghijklmnopqrstuvwxyz0123456789-') for _ in range(rng.randint(1, limit)))


def phrase(limit=40):
    return ''.join(rng.choice('abc XYZ.,!?äß中文🙂\n') for _ in range(rng.randint(0, limit)))


def data(limit=300):
    return rng.randbytes(rng.randint(0, limit))


def uri():
    text = rng.choice(PREFIXES) + word() + rng.choice(['', '.com/' + word(), '/ü?q=' + word()])
    return ndef.UriRecord(text), f'uri {hexed(text)}'


def text():
    content, language = phrase(), rng.choice(['en', 'de-CH', 'zh-Hans', 'x' * 63])
    encoding = rng.choice(['UTF-8', 'UTF-8', 'UTF-16'])
    return ndef.TextRecord(content, language, encoding), f'text {language} {encoding} {hexed(content)}'


def media():
    kind, payload = rng.choice(['text/plain', 'application/json', 'image/png', 'a/b;c=d']), data()
    return ndef.Record(kind, None, payload), f'mime {hexed(kind)} {hexed(payload)}'


def external():
    name, payload = f'{word()}.{word()}:{word()}', data(30)
    return ndef.Record('urn:nfc:ext:' + name, None, payload), f'external {name} {hexed(payload)}'


def application():
    name = 'com.example.a' + word().replace('-', '_')
    return ndef.Record('urn:nfc:ext:android.com:pkg', None, name.encode()), f'android {name}'


def absolute():
    name, payload = 'https://' + word() + '/', data(5)
    return ndef.Record(name, None, payload), f'absolute {hexed(name)} {hexed(payload)}'


def unknown():
    payload = data()
    return ndef.Record('unknown', None, payload), f'unknown {hexed(payload)}'


def empty():
    return ndef.Record(), 'empty'


def poster():
    link, titles = 'https://' + word() + '.com', {l: phrase() for l in rng.sample(['en', 'de', 'fr'], rng.randint(0, 3))}
    action, size = rng.choice([None, 'exec', 'save', 'edit']), rng.choice([None, rng.getrandbits(32)])
    kind, icon = rng.choice([None, 'text/html']), rng.choice([None, {'image/png': data(20)}])
    record = ndef.SmartposterRecord(link, titles, action, icon, size, kind)
    fields = [hexed(link), ','.join(f'{l}:{hexed(t)}' for l, t in titles.items()) or '-',
              action or '-', str(size) if size is not None else '-', kind or '-',
              ','.join(f'{t}:{hexed(d)}' for t, d in icon.items()) if icon else '-']
    return record, 'poster ' + ' '.join(fields)


def wifi():
    ssid, key = word(32), word(20) + word(20) + 'abcdefgh'
    credential = Credential()
    credential.set_attribute('network-index', 1)
    credential.set_attribute('ssid', ssid.encode())
    credential.set_attribute('authentication-type', 'WPA2-Personal')
    credential.set_attribute('encryption-type', 'AES')
    credential.set_attribute('network-key', key.encode())
    credential.set_attribute('mac-address', b'\xff' * 6)
    record = WifiSimpleConfigRecord()
    record.add_attribute('credential', credential)
    return record, f'wifi {hexed(ssid)} {hexed(key)}'


KINDS = [uri, text, media, external, application, absolute, unknown, empty, poster, wifi]


def line(name, makers):
    records, specs = [], []
    for make in makers:
        record, spec = make()
        if make is not empty and rng.random() < 0.25:
            record.name = word(8)
            spec += f' id={hexed(record.name)}'
        records.append(record)
        specs.append(spec)
    message = b''.join(ndef.message_encoder(records))
    decoded = list(ndef.message_decoder(message, 'strict'))
    assert decoded == records, (name, decoded, records)
    print(f'{name} | {message.hex()} | {"; ".join(specs)}')


print(f'# Produced with ndeflib {ndef.__version__} by ndeflib.py: name | bytes | what it was made from')
for kind in KINDS:
    for number in range(1, 6):
        line(f'{kind.__name__} {number}', [kind])
for number in range(1, 31):
    line(f'message {number}', [rng.choice(KINDS) for _ in range(rng.randint(2, 6))])
