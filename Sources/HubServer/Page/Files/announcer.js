// What a screen reader says of the line: each problem, and how many tags have passed; not every tag.

import { element } from '/assets/dom.js';
import { causeText, counted, kindOf, stationText } from '/assets/words.js';

// Milliseconds between two announcements.
const PAUSE = 8000;

export class Announcer {
  constructor() {
    this.place = element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
    [this.passed, this.problems, this.more] = [0, [], 0];
    setInterval(() => this.say(), PAUSE);
  }

  take(event) {
    if (event.kind === 'written') this.passed++;
    else if (this.problems.length < 3) {
      const cause = event.cause ? `, ${causeText(event.cause)}` : '';
      this.problems.push(`${stationText(event.bench, event.station)}: ${kindOf(event).word}${cause}.`);
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
