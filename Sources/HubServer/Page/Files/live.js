// The stream of one batch: what happens, and the state of the line. It resumes by the event's number, so that
// nothing is left out, and it notices a line that has gone quiet.

import { get, batchPath } from '/assets/api.js';

// Seconds without news after which the hub is asked.
const QUIET = 20;
// Seconds for which a page that nobody sees keeps its stream: a browser has few for each host.
const UNSEEN = 10;

export class Live {
  // `after`: the number of the last event that is known. `on`: functions `board`, `happened` and `state`,
  // the last with `live` or `lost` and the time of the last news.
  constructor(batch, after, on) {
    Object.assign(this, { batch, after, on, state: 'live', news: Date.now(), tries: 0, behind: false });
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
    source.addEventListener('board', (message) => {
      this.hear();
      this.on.board(JSON.parse(message.data));
    });
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

  hear() {
    this.news = Date.now();
    this.tries = 0;
    this.behind = false;
    this.say('live');
  }

  lose() { this.say('lost'); }

  say(state) {
    this.state = state;
    this.on.state(state, this.news);
  }

  watch() {
    if (document.hidden) return;
    if (this.state === 'lost') this.say('lost');
    const isClosed = this.source.readyState === EventSource.CLOSED;
    if (Date.now() - Math.max(this.news, this.asked ?? 0) > QUIET * 1000 && !isClosed) this.ask();
  }

  // Is the hub there, and has the stream said everything?
  async ask() {
    if (this.asking) return;
    this.asking = true;
    this.asked = Date.now();
    try {
      const board = await get(batchPath(this.batch, 'board'), {}, 5000);
      if (this.source.readyState === EventSource.OPEN) {
        // Twice behind: the stream is dead without having ended.
        if (board.lastEvent > this.after && this.behind) {
          this.open();
        } else {
          const behind = board.lastEvent > this.after;
          this.hear();
          this.behind = behind;
          this.on.board(board);
        }
      }
    } catch {
      this.lose();
      if (this.source.readyState === EventSource.OPEN) this.reopen();
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
