// What a screen reader says of the line: each problem, and how many tags have passed; not every tag.

import { element } from '/assets/dom.js';
import { causeText, counted, isStopped, kindOf, stationText } from '/assets/words.js';

// Milliseconds between two announcements.
const PAUSE = 8000;

export class Announcer {
  constructor() {
    this.place = element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
    [this.passed, this.problems, this.more] = [0, [], 0];
    this.stopped = new Map();
    setInterval(() => this.say(), PAUSE);
  }

  take(event) {
    if (event.kind === 'written') this.passed++;
    else this.add(event, kindOf(event).word, event.cause ? causeText(event.cause) : '');
  }

  // Stations that are stopped are problems, too: each once.
  see(stations) {
    const stopped = stations.filter(isStopped);
    for (const station of stopped) {
      if (this.stopped.get(station.id) !== station.word) this.add(station, station.word, station.text);
    }
    this.stopped = new Map(stopped.map(({ id, word }) => [id, word]));
  }

  add({ bench, station }, word, text) {
    if (this.problems.length < 3) {
      this.problems.push(`${stationText(bench, station)}: ${word}${text ? `, ${text}` : ''}.`);
    } else this.more++;
  }

  say() {
    const texts = [...this.problems];
    if (this.more) texts.push(`${counted(this.more, 'more problem')}.`);
    if (this.passed) texts.push(`${counted(this.passed, 'tag')} passed.`);
    [this.passed, this.problems, this.more] = [0, [], 0];
    if (texts.length) this.place.replaceChildren(element('span', {}, texts.join(' ')));
  }
}
