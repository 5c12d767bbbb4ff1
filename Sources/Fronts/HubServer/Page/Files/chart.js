// Finished and failed tags over time: bars, and the same as words and as a table.

import { element, row, table } from '/assets/dom.js';
import { date, day, duration, minute, moment } from '/assets/times.js';
import { number } from '/assets/words.js';

// Places for bars, so that few periods do not make wide ones.
const PLACES = 24;
const DAY = 86400;
// Seconds from which on a chart says on which day a time is.
const LONG = 12 * 3600;

// The least of 2, 4, 6, 8, 10, 20, 40, … that is not below `value`: its half is whole.
function ceiling(value) {
  for (let unit = 1; ; unit *= 10) {
    const found = [2, 4, 6, 8, 10].find((factor) => unit * factor >= value);
    if (found) return unit * found;
  }
}

// How a chart says its times, with the day where they need one, and its marks in short. `seconds`: of a period; the
// chart goes from `first` to `last`.
function words(seconds, [first, last]) {
  // A period of days begins at the hub's midnight, which summer time may move by an hour here.
  const middle = (time) => new Date(time).getTime() + DAY / 2 * 1000;
  if (seconds >= DAY) return { at: (time) => day(middle(time)), mark: (time) => date(middle(time)) };
  if (last - first > LONG * 1000 || day(first) !== day(last - 1)) {
    return { at: (time) => `${day(time)} ${minute(time)}`, mark: (time) => `${date(time)} ${minute(time)}` };
  }
  const at = seconds < 60 ? moment : minute;
  return { at, mark: at };
}

export class Chart {
  constructor() {
    this.title = element('h2', { id: 'throughput' }, 'Tags over time');
    this.most = element('span');
    this.half = element('span');
    this.bars = element('div', { class: 'bars' });
    this.times = element('div', { class: 'times' });
    this.picture = element('div', { class: 'chart', role: 'img' },
      element('div', { class: 'scale' }, this.most, this.half, element('span', {}, '0')), this.bars, this.times);
    this.figures = element('div');
    this.place = element('section', { class: 'panel throughput', 'aria-labelledby': 'throughput' }, this.title,
      this.picture,
      element('p', { class: 'key' }, element('i', { class: 'mark good' }), 'finished ',
        element('i', { class: 'mark bad' }), 'failed'),
      element('details', {}, element('summary', {}, 'As a table'), this.figures));
  }

  show(periods, seconds) {
    const text = JSON.stringify([periods, seconds]);
    if (text === this.text) return;
    this.text = text;
    const shown = periods.slice(-PLACES);
    const length = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' }[seconds] ?? duration(seconds);
    this.title.textContent = `Tags in each ${length}`;
    const top = ceiling(Math.max(1, ...shown.map((period) => period.written + period.failed)));
    this.most.textContent = number(top);
    this.half.textContent = number(top / 2);
    const end = (period) => Date.parse(period.start) + seconds * 1000;
    const { at, mark: short } = words(seconds, shown.length ? [Date.parse(shown[0].start), end(shown.at(-1))] : [0, 0]);
    const span = (period) => seconds === DAY ? at(period.start) : `${at(period.start)} to ${at(end(period))}`;
    this.bars.replaceChildren(...shown.map((period) => {
      const bar = (kind, count) => {
        const part = element('span', { class: kind });
        part.style.height = `${count / top * 100}%`;
        return part;
      };
      return element('div', { class: 'bar', title: `${span(period)}: ${number(period.written)} finished, ${number(period.failed)} failed` },
        period.failed ? bar('bad', period.failed) : null, bar('good', period.written));
    }), ...Array.from({ length: PLACES - shown.length }, () => element('div', { class: 'bar' })));
    this.times.replaceChildren(...shown.map((period, index) => index % 6 ? null
      : [period, index]).filter(Boolean).map(([period, index]) => {
      const mark = element('span', {}, short(period.start));
      mark.style.insetInlineStart = `${index / PLACES * 100}%`;
      return mark;
    }));
    const sum = (name) => shown.reduce((total, period) => total + period[name], 0);
    const last = shown.at(-1);
    this.picture.setAttribute('aria-label', last
      ? `Tags in each ${length}, from ${at(shown[0].start)} to ${at(seconds < DAY ? end(last) : last.start)}: ${number(sum('written'))} finished, `
        + `${number(sum('failed'))} failed; in the last ${length} ${number(last.written)} finished.`
      : 'No tag was worked on.');
    this.figures.replaceChildren(table('Tags over time', [['Time'], ['Finished', 'n'], ['Failed', 'n']],
      shown.toReversed().map((period) =>
        row([[span(period)], [number(period.written), 'n'], [number(period.failed), 'n']]))));
  }
}
