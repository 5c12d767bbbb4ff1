// The stream of one batch: what happens, and the state of the line. It resumes by the event's number, so that
// nothing is left out, and it notices a line that has gone quiet.

import { get, batchPath } from '/assets/api.js';
import { now } from '/assets/times.js';

// Seconds without a word, also that there is no news, after which the hub is asked, and for its answer. It says
// something every two.
const QUIET = 5;
const PATIENCE = 3;
// Seconds for which a page that nobody sees keeps its stream: a browser has few for each host.
const UNSEEN = 10;

export class Live {
  // `first`: the board that is known. `on`: functions `board`, `happened`, `replaced` (the batch is another one of this
  // name) and `state`, with `live` or `lost`, the time of the last news, and what the hub says of its trouble.
  constructor(batch, first, on) {
    Object.assign(this, { batch, after: first.lastEvent, made: first.batch.made, on, state: 'live', news: now(), heard: Date.now(), tries: 0, behind: false });
    this.open();
    setInterval(() => this.watch(), 1000);
    document.addEventListener('visibilitychange', () => this.look());
    addEventListener('offline', () => this.lose());
    addEventListener('online', () => this.open());
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(`${batchPath(this.batch, 'events', 'stream')}?after=${this.after}`);
    this.source = source;
    source.addEventListener('happened', (message) => {
      this.hear();
      const event = JSON.parse(message.data);
      if (event.id <= this.after) return;
      this.after = event.id;
      this.on.happened(event);
    });
    // There is no news, or the hub is there and still cannot tell.
    source.addEventListener('beat', () => {
      this.heard = Date.now();
      if (this.state === 'live') this.news = now();
    });
    source.addEventListener('board', (message) => this.take(JSON.parse(message.data), this.after));
    // The hub is there, and its journal or its database is not.
    source.addEventListener('trouble', (message) => this.lose(JSON.parse(message.data).detail));
    source.addEventListener('error', () => {
      this.lose();
      // The browser tries again by itself, unless the answer was an error.
      if (source.readyState === EventSource.CLOSED && source === this.source) this.reopen();
    });
  }

  // Again, later each time, and never all browsers at once.
  reopen() {
    const wait = Math.min(10, 2 ** this.tries++) * (750 + Math.random() * 500);
    this.source.close();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.ask();
      this.open();
    }, wait);
  }

  // A board; `after`: the last event that was known when it was asked for.
  take(board, after) {
    if (board.batch.made !== this.made) {
      this.on.replaced();
      return;
    }
    if (board.lastEvent < after) this.doubt();
    this.hear();
    this.on.board(board);
  }

  // Fewer events than are known: another journal, or a database that was restored. A board may be a moment older than
  // the events, so it is looked at again before all is loaded anew.
  doubt() {
    if (this.doubting) return;
    const { after } = this;
    this.doubting = setTimeout(async () => {
      try {
        const { batch, lastEvent } = await get(batchPath(this.batch, 'board'), {}, 5000);
        if (batch.made !== this.made || lastEvent < after) this.on.replaced();
      } catch { /* The next board is looked at, too. */ }
      this.doubting = undefined;
    }, 1000);
  }

  hear() {
    this.heard = Date.now();
    this.news = now();
    this.trouble = undefined;
    this.tries = 0;
    this.behind = false;
    this.say('live');
  }

  // `trouble`: a sentence of the hub; it stays until there is news.
  lose(trouble) {
    if (trouble) this.trouble = trouble;
    this.say('lost');
  }

  say(state) {
    this.state = state;
    this.on.state(state, this.news, this.trouble);
  }

  watch() {
    if (document.hidden) return;
    if (this.state === 'lost') this.say('lost');
    const isClosed = this.source.readyState === EventSource.CLOSED;
    if (Date.now() - Math.max(this.heard, this.asked ?? 0) > QUIET * 1000 && !isClosed) this.ask();
  }

  // Is the hub there, and has the stream said everything?
  async ask() {
    if (this.asking) return;
    this.asking = true;
    this.asked = Date.now();
    const { after } = this;
    try {
      const board = await get(batchPath(this.batch, 'board'), {}, PATIENCE * 1000);
      if (this.source.readyState === EventSource.OPEN) {
        // Twice behind: the stream is dead without having ended.
        if (board.lastEvent > this.after && this.behind) {
          this.open();
        } else {
          const behind = board.lastEvent > this.after;
          this.take(board, after);
          this.behind = behind;
        }
      }
    } catch (problem) {
      // An answer of the hub says that it is there: its stream tells when the trouble is over.
      this.lose(problem.status ? problem.message : undefined);
      if (!problem.status && this.source.readyState === EventSource.OPEN) this.reopen();
    }
    this.asking = false;
  }

  look() {
    clearTimeout(this.unseen);
    if (document.hidden) {
      this.unseen = setTimeout(() => {
        clearTimeout(this.timer);
        this.source.close();
        this.isPaused = true;
      }, UNSEEN * 1000);
    } else if (this.isPaused) {
      this.isPaused = false;
      this.lose();
      this.open();
    }
  }
}
