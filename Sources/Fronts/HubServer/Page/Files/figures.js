// The batch: how far it is, how fast, and what fails.

import { element, facts, setText } from '/assets/dom.js';
import { duration, minute, moment, now } from '/assets/times.js';
import { causeText, counted, isAtWork, isFinished, number, percent, rate } from '/assets/words.js';

export class Figures {
  constructor() {
    const part = (kind) => element('span', { class: kind });
    [this.done, this.all] = [part('done'), part('all')];
    this.fill = element('span', { class: 'fill' });
    this.bar = element('div', { class: 'progress', role: 'progressbar', 'aria-label': 'Jobs done', 'aria-valuemin': 0 }, this.fill);
    this.state = element('p', { class: 'state' });
    this.types = element('p', { class: 'state' });
    this.values = Object.fromEntries(['left', 'end', 'rate', 'yield', 'failed', 'held'].map((name) => [name, [part('value'), part('note')]]));
    this.end = element('dt', {}, 'Time left');
    const tile = (title, name) => element('div', { class: 'figure' },
      title instanceof Node ? title : element('dt', {}, title), element('dd', {}, ...this.values[name]));
    this.sum = element('p', { class: 'count' }, this.done, ' ', this.all);
    this.place = element('section', { class: 'figures', 'aria-labelledby': 'figures' },
      element('h2', { id: 'figures', class: 'unseen' }, 'Batch'),
      element('div', { class: 'sum' }, this.sum, this.bar, this.state, this.types),
      element('dl', { class: 'tiles' }, tile('Left', 'left'), tile(this.end, 'end'), tile('Tags an hour', 'rate'),
        tile('Yield', 'yield'), tile('Failed attempts', 'failed'), tile('On benches', 'held')));
  }

  set(name, value, note = '') {
    setText(this.values[name][0], value);
    // On a wall a word is smaller than a figure.
    this.values[name][0].classList.toggle('in-words', /^\D+$/.test(value));
    setText(this.values[name][1], note);
  }

  show(board) {
    const { batch } = board;
    const left = batch.jobs - batch.written;
    const part = batch.jobs ? batch.written / batch.jobs : 0;
    setText(this.done, number(batch.written));
    setText(this.all, `of ${number(batch.jobs)} done`);
    // On a wall both stand in one line of a fixed width.
    this.sum.classList.toggle('long', this.done.textContent.length + this.all.textContent.length > 20);
    this.fill.style.width = `${part * 100}%`;
    this.bar.setAttribute('aria-valuemax', batch.jobs);
    this.bar.setAttribute('aria-valuenow', batch.written);
    this.bar.setAttribute('aria-valuetext', `${number(batch.written)} of ${number(batch.jobs)} jobs, ${percent(part)}`);
    setText(this.state, batch.complete ? 'The batch is complete.' : batch.closed ? 'The batch is closed: benches claim no more of its jobs.'
      : percent(part));
    const unmade = batch.pending - (batch.claimed ?? 0);
    const lost = [batch.closed && unmade ? `${number(unmade)} will not be made` : '',
      batch.failed ? `${counted(batch.failed, 'job')} without a message` : ''].filter(Boolean);
    this.set('left', number(left), lost.join(', '));
    const isOver = isFinished(batch);
    const isIdle = !board.stations.some(isAtWork);
    const unknown = isOver ? ['none'] : isIdle ? ['none', 'nobody works on it'] : ['not known', 'too few tags yet'];
    const seconds = board.secondsLeft;
    const work = board.workSeconds;
    setText(this.end, isOver && work ? 'Time taken' : 'Time left');
    if (isOver && work) this.set('end', duration(work));
    else if (isOver || seconds === undefined) this.set('end', ...(isIdle && !isOver ? ['not known', unknown[1]] : unknown));
    else this.set('end', duration(seconds), `until ${(seconds < 43200 ? minute : moment)(now() + seconds * 1000)}`);
    if (isOver && work) this.set('rate', rate(batch.written * 3600 / work), 'over all runs');
    else if (isOver || board.tagsPerHour === undefined) this.set('rate', ...unknown);
    else this.set('rate', rate(board.tagsPerHour));
    const failed = board.failures.reduce((sum, failure) => sum + failure.count, 0);
    const { successes = batch.written, attempts = successes + failed, types: counts = [] } = board;
    this.set('yield', board.yield === undefined ? 'not known' : percent(board.yield),
      board.yield === undefined ? '' : `${number(successes)} of ${counted(attempts, 'attempt')}`);
    const types = counts.filter((type) => type.written);
    setText(this.types, types.map((type) => `${number(type.written)} ${type.tag ?? 'of a type that was not told'}`).join(', '));
    this.values.failed[0].classList.toggle('bad-figure', failed > 0);
    this.set('failed', number(failed), batch.scrap ? `${number(batch.scrap)} set aside as scrap` : '');
    this.set('held', number(batch.reserved), batch.reserved ? 'being written, or waited for' : '');
  }
}

// Causes that a desk shows; a wall shows as many as it has room for.
const CAUSES = 24;

export class Failures {
  constructor() {
    this.list = element('div');
    this.place = element('section', { class: 'panel failures', 'aria-labelledby': 'failures' },
      element('h2', { id: 'failures' }, 'Failures by cause'), this.list);
    new ResizeObserver(() => this.fit()).observe(this.place);
  }

  show(failures) {
    const text = JSON.stringify(failures);
    if (text === this.text) return;
    this.text = text;
    this.failures = failures;
    this.fit();
  }

  // A panel on a wall has a height of its own: what it has no room for is counted in its last row.
  fit() {
    const { failures } = this;
    if (!failures) return;
    if (!failures.length) {
      this.list.replaceChildren(element('p', { class: 'none' }, 'No attempt has failed.'));
      return;
    }
    let shown = Math.min(failures.length, CAUSES);
    this.put(shown);
    if (!document.documentElement.classList.contains('wall')) return;
    while (shown > 1 && this.place.scrollHeight > this.place.clientHeight) this.put(--shown);
  }

  put(shown) {
    const { failures } = this;
    const most = Math.max(...failures.map((failure) => failure.count));
    const rest = failures.slice(shown);
    this.list.replaceChildren(element('table', { class: 'causes' },
      element('caption', { class: 'unseen' }, 'Failures by cause'),
      element('thead', { class: 'unseen' }, element('tr', {},
        element('th', { scope: 'col' }, 'Cause'), element('th', { scope: 'col' }, 'Attempts'))),
      element('tbody', {}, failures.slice(0, shown).map((failure) => {
        const bar = element('span', { class: 'length' });
        bar.style.width = `${failure.count / most * 100}%`;
        return element('tr', {},
          element('th', { scope: 'row' }, causeText(failure.cause), bar,
            failure.example ? element('small', {}, failure.example) : null),
          element('td', { class: 'n' }, number(failure.count)));
      }), rest.length ? element('tr', { class: 'rest' }, element('th', { scope: 'row' }, counted(rest.length, 'more cause')),
        element('td', { class: 'n' }, number(rest.reduce((sum, failure) => sum + failure.count, 0)))) : null)));
  }
}

// The list's settings, and the links to what can be taken away.
export function settings(batch) {
  return element('details', { class: 'panel settings' }, element('summary', {}, 'About this batch'),
    facts([['List', batch.source], ['Made', moment(batch.made)], ...Object.entries(batch.settings ?? {})]));
}
