// The stations: the word of each, large enough to be read at three metres.

import { address, element, harmless, link, setText, shape } from '/assets/dom.js';
import { age, isTime, now } from '/assets/times.js';
import { counted, isAtWork, isStopped, jobText, lookOf, number, rate, uidText } from '/assets/words.js';

// Seconds after which a word is no news: its tile loses its colour. A station that is stopped keeps it.
const QUIET = 120;
// The least width of a tile with its gap, in root letters; on a wall, which has to show all of them.
const NARROWEST = 22;
const NARROWEST_ON_WALL = 12;
// Between tiles.
const GAP = 0.8;
// The size from which on a tile on a wall has room for all it has to say.
const WHOLE = { width: 21, height: 11 };

const canvas = document.createElement('canvas').getContext('2d');
let font = '';

// The width of a text in large letters, in their size.
function width(text) {
  font ||= `800 100px ${getComputedStyle(document.body).fontFamily}`;
  canvas.font = font;
  return canvas.measureText(text).width / 100;
}

// A word in one line, or in the two that are most alike. `room`: the tile's size in root letters, which a wall knows: a
// wide tile shows one line larger than two.
function lines(word, room) {
  const parts = word.split(' ');
  if (parts.length < 2) return [word];
  const ways = parts.slice(1).map((_, index) =>
    [parts.slice(0, index + 1).join(' '), parts.slice(index + 1).join(' ')]);
  const widest = (way) => Math.max(...way.map((line) => line.length));
  const found = ways.reduce((best, way) => widest(way) < widest(best) ? way : best);
  // As in board.css.
  const size = (way) => Math.min((room.width - 3) / (Math.max(...way.map(width)) + 1.3), 0.4 * room.height / way.length);
  return room && size([word]) > size(found) ? [word] : found;
}

class Tile {
  constructor() {
    const part = (name, kind) => element(name, { class: kind });
    // Names may be of either direction of writing, and each is cut at its own end.
    [this.own, this.bench] = [part('bdi', 'own'), part('bdi', 'bench')];
    this.name = element('h3', { class: 'station-name' }, this.own, ' ', this.bench);
    this.who = element('p', { class: 'who', dir: 'auto' });
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

  // `isOneOfMany`: whether there are several benches, so that it takes the bench's name to tell stations apart.
  show(station, batch, isOneOfMany) {
    this.station = station;
    const kind = lookOf(station);
    setText(this.own, station.station || station.bench, 60);
    setText(this.bench, isOneOfMany && station.station ? `· ${station.bench}` : '', 60);
    setText(this.who, station.operator ?? '', 40);
    this.write(kind);
    setText(this.next, station.next ?? '', 60);
    setText(this.why, station.word === 'PASS' ? '' : station.text ?? '', 160);
    this.put(this.job, station.job && harmless(jobText(station.job), 60), { batch, job: station.job?.number });
    this.put(this.tag, station.uid && uidText(station.uid), { batch, tag: station.uid });
    setText(this.rate, station.tagsPerHour === undefined ? '' : `${rate(station.tagsPerHour)} an hour`);
    setText(this.counts, [counted(station.written ?? 0, 'written', 'written'),
      station.failed ? `${number(station.failed)} failed` : null].filter(Boolean).join(', '));
    this.tick();
  }

  // The word, as large as it can be.
  write(kind) {
    const text = harmless(this.station.word ?? '', 40);
    const rows = lines(text, this.room);
    if (this.text === rows.join('\n') && this.place.dataset.look === kind) return;
    this.text = rows.join('\n');
    this.place.dataset.look = kind;
    // A space behind each line, for whoever hears it.
    this.letters.replaceChildren(...rows.map((line, index) =>
      element('span', {}, index < rows.length - 1 ? `${line} ` : line)));
    this.word.replaceChildren(shape(kind), this.letters);
    this.place.style.setProperty('--width', Math.max(...rows.map(width)).toFixed(3));
    this.place.style.setProperty('--rows', rows.length);
  }

  fit(room) {
    this.room = room;
    this.write(lookOf(this.station));
  }

  // The same link leads to the next tag, so that the focus stays on it; without one it goes to the tile.
  put(place, text, values) {
    const known = place.firstElementChild;
    if (!text) {
      if (known && known === document.activeElement) {
        this.place.tabIndex = -1;
        this.place.focus({ preventScroll: true });
      }
      known?.remove();
    } else if (known) {
      setText(known, text);
      known.setAttribute('href', address(values));
    } else place.append(link(text, values));
  }

  tick() {
    if (!isTime(this.station.since)) return;
    const isOld = now() - Date.parse(this.station.since) > QUIET * 1000;
    const isNews = !isAtWork(this.station) || isStopped(this.station);
    this.place.classList.toggle('quiet', isOld && !isNews);
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
    const isOneOfMany = new Set(stations.map((station) => station.bench)).size > 1;
    const known = new Set(stations.map((station) => station.id));
    for (const [id, tile] of this.tiles) {
      if (known.has(id)) continue;
      tile.place.remove();
      this.tiles.delete(id);
    }
    const focused = document.activeElement;
    stations.forEach((station, index) => {
      if (!this.tiles.has(station.id)) this.tiles.set(station.id, new Tile());
      const tile = this.tiles.get(station.id);
      if (this.list.children[index] !== tile.place) this.list.insertBefore(tile.place, this.list.children[index] ?? null);
      tile.show(station, batch, isOneOfMany);
    });
    // A tile that changes its place loses the focus.
    if (focused !== document.activeElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    this.arrange();
  }

  // As few rows as there is room for, all alike; on a wall as many columns as make the tiles largest.
  arrange() {
    const count = this.tiles.size;
    const { clientWidth: across, clientHeight: down } = this.list;
    if (!count || !across || !down) return;
    const root = document.documentElement;
    const letter = parseFloat(getComputedStyle(root).fontSize);
    if (!root.classList.contains('wall')) {
      const room = Math.max(1, Math.floor(across / (NARROWEST * letter)));
      this.list.style.setProperty('--columns', Math.ceil(count / Math.ceil(count / room)));
      return;
    }
    // Where the tiles would have no room for all they have to say, the chart and the causes give way to them.
    const screen = [count, innerWidth, innerHeight, letter].join();
    if (screen !== this.screen) {
      this.screen = screen;
      root.classList.remove('packed');
      const { width, height } = this.grid(count, letter);
      root.classList.toggle('packed', count > 1 && (width < WHOLE.width || height < WHOLE.height));
    }
    const { columns, lines, width, height } = this.grid(count, letter);
    this.list.style.setProperty('--columns', columns);
    this.list.style.setProperty('--lines', lines);
    this.tiles.forEach((tile) => tile.fit({ width, height }));
  }

  // A tile is best when it is near twice as wide as high. Sizes in root letters.
  grid(count, letter) {
    const [across, down] = [this.list.clientWidth / letter, this.list.clientHeight / letter];
    const most = Math.max(1, Math.min(count, Math.floor(across / NARROWEST_ON_WALL)));
    const ways = Array.from({ length: most }, (_, index) => {
      const [columns, lines] = [index + 1, Math.ceil(count / (index + 1))];
      return { columns, lines, width: across / columns - GAP, height: down / lines - GAP };
    });
    const size = ({ width, height }) => Math.min(width / 1.9, height);
    return ways.reduce((best, way) => size(way) > size(best) ? way : best);
  }
}
