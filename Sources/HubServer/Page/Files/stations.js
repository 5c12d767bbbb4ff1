// The stations: the word of each, large enough to be read at three metres.

import { element, harmless, link, setText, shape } from '/assets/dom.js';
import { age, isTime, now } from '/assets/times.js';
import { BINS, counted, jobText, number, stationText, uidText } from '/assets/words.js';

// Seconds after which a word is no news: its tile loses its colour.
const QUIET = 120;
// The least width of a tile with its gap, in root letters.
const NARROWEST = 22;

const canvas = document.createElement('canvas').getContext('2d');
let font = '';

// The width of a text in large letters, in their size.
function width(text) {
  font ||= `800 100px ${getComputedStyle(document.body).fontFamily}`;
  canvas.font = font;
  return canvas.measureText(text).width / 100;
}

// A word in one line, or in the two that are most alike.
function lines(word) {
  const parts = word.split(' ');
  if (parts.length < 2) return [word];
  const ways = parts.slice(1).map((_, index) =>
    [parts.slice(0, index + 1).join(' '), parts.slice(index + 1).join(' ')]);
  const widest = (way) => Math.max(...way.map((line) => line.length));
  return ways.reduce((best, way) => widest(way) < widest(best) ? way : best);
}

function look(station) {
  if (station.word === 'ENDED') return 'ended';
  return station.bin in BINS ? station.bin : 'busy';
}

class Tile {
  constructor() {
    const part = (name, kind) => element(name, { class: kind });
    this.name = part('h3', 'station-name');
    this.who = part('p', 'who');
    this.letters = part('span', 'letters');
    this.word = element('p', { class: 'word' }, this.letters);
    this.next = part('p', 'next');
    this.why = part('p', 'why');
    this.job = part('p', 'job');
    this.tag = part('p', 'tag');
    this.age = part('p', 'age');
    this.rate = part('p', 'rate');
    this.counts = part('p', 'counts');
    this.place = element('li', { class: 'tile' },
      element('div', { class: 'inside' },
        element('div', { class: 'heading' }, this.name, this.who),
        element('div', { class: 'verdict' }, this.word, this.next, this.why),
        element('div', { class: 'details' }, element('div', {}, this.job, this.tag),
          element('div', {}, this.age, this.rate, this.counts))));
  }

  show(station, batch) {
    this.station = station;
    const kind = look(station);
    setText(this.name, stationText(station.bench, station.station), 60);
    setText(this.who, station.operator ?? '', 40);
    const text = harmless(station.word ?? '', 40);
    if (this.text !== text || this.place.dataset.look !== kind) {
      this.text = text;
      this.place.dataset.look = kind;
      const rows = lines(text);
      // A space behind each line, for whoever hears it.
      this.letters.replaceChildren(...rows.map((line, index) =>
        element('span', {}, index < rows.length - 1 ? `${line} ` : line)));
      this.word.replaceChildren(shape(kind), this.letters);
      this.place.style.setProperty('--width', Math.max(...rows.map(width)).toFixed(3));
      this.place.style.setProperty('--rows', rows.length);
    }
    setText(this.next, kind === 'ended' ? 'the run has ended' : BINS[station.bin] ?? '');
    setText(this.why, kind === 'good' || kind === 'ended' ? '' : station.text ?? '', 160);
    this.put(this.job, station.job, () =>
      link(harmless(jobText(station.job), 60), { batch, job: station.job.number }));
    this.put(this.tag, station.uid, () => link(uidText(station.uid), { batch, tag: station.uid }));
    setText(this.rate, station.tagsPerHour === undefined ? '' : `${number(station.tagsPerHour)} an hour`);
    setText(this.counts, [counted(station.written ?? 0, 'written', 'written'),
      station.failed ? `${number(station.failed)} failed` : null].filter(Boolean).join(', '));
    this.tick();
  }

  // A link is made anew only where it differs, so that the focus stays on it.
  put(place, value, make) {
    const text = JSON.stringify(value);
    if (place.dataset.value === text) return;
    if (text === undefined) delete place.dataset.value;
    else place.dataset.value = text;
    place.replaceChildren(...(value ? [make()] : []));
  }

  tick() {
    if (!isTime(this.station.since)) return;
    const isOld = now() - Date.parse(this.station.since) > QUIET * 1000;
    this.place.classList.toggle('quiet', isOld && this.place.dataset.look !== 'ended');
    setText(this.age, age(this.station.since));
  }
}

export class Stations {
  constructor() {
    this.tiles = new Map();
    this.list = element('ul', { class: 'stations' });
    this.none = element('p', { class: 'none' }, 'No station has worked on this batch.');
    this.place = element('section', { class: 'line', 'aria-labelledby': 'stations' },
      element('h2', { id: 'stations', class: 'unseen' }, 'Stations'), this.list, this.none);
    setInterval(() => this.tiles.forEach((tile) => tile.tick()), 1000);
    new ResizeObserver(() => this.arrange()).observe(this.list);
  }

  show(stations, batch) {
    this.none.hidden = stations.length > 0;
    this.list.hidden = stations.length === 0;
    const known = new Set(stations.map((station) => station.id));
    for (const [id, tile] of this.tiles) {
      if (known.has(id)) continue;
      tile.place.remove();
      this.tiles.delete(id);
    }
    stations.forEach((station, index) => {
      if (!this.tiles.has(station.id)) this.tiles.set(station.id, new Tile());
      const tile = this.tiles.get(station.id);
      if (this.list.children[index] !== tile.place) this.list.insertBefore(tile.place, this.list.children[index] ?? null);
      tile.show(station, batch);
    });
    this.arrange();
  }

  // As few rows as there is room for, all alike; on a wall as many columns as make the tiles largest: a tile is best
  // when it is near twice as wide as high.
  arrange() {
    const count = this.tiles.size;
    const { clientWidth: across, clientHeight: down } = this.list;
    if (!count || !across || !down) return;
    if (!document.documentElement.classList.contains('wall')) {
      const room = Math.max(1, Math.floor(across / (NARROWEST * parseFloat(getComputedStyle(document.documentElement).fontSize))));
      this.list.style.setProperty('--columns', Math.ceil(count / Math.ceil(count / room)));
      return;
    }
    let best = [0, 1];
    for (let columns = 1; columns <= count; columns++) {
      const size = Math.min(across / columns / 1.9, down / Math.ceil(count / columns));
      if (size > best[0]) best = [size, columns];
    }
    this.list.style.setProperty('--columns', best[1]);
    this.list.style.setProperty('--lines', Math.ceil(count / best[1]));
  }
}
