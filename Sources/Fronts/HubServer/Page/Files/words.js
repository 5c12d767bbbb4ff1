// The words of the line. What a station says comes with its board, in the words of the terminal's live view.

import { CAUSES, VERDICTS } from '/assets/causes.js';
import { duration } from '/assets/times.js';

// Where a tag in the hand may go.
const BINS = ['good', 'again', 'bin', 'aside'];

// What a station shows where no tag has a verdict: the look, which is a shape and a colour. All others are at work.
const LOOKS = {
  'READER AWAY': 'stopped', PRINTER: 'stopped', 'WRONG CODE': 'stopped', 'CODE USED': 'stopped',
  'SCANNER AWAY': 'stopped', 'ONE TAG ONLY': 'few',
  'PLACE TAG': 'free', 'SCAN CODE': 'free', ENDED: 'ended', 'NOT HEARD OF': 'silent',
};

// How a station looks.
export function lookOf(station) {
  return LOOKS[station.word] ?? (BINS.includes(station.bin) ? station.bin : 'busy');
}

// Whether the station waits until somebody has put something right.
export function isStopped(station) {
  return ['stopped', 'few', 'silent'].includes(lookOf(station));
}

// True where the station's run is not known to have ended, and its bench is heard.
export function isAtWork(station) {
  return !['ended', 'silent'].includes(lookOf(station));
}

// An event's kind: the word, and the shape and colour it has. What it says of a tag depends on its cause, too.
const KINDS = {
  reserved: ['STARTED', 'busy'], resumed: ['CONTINUED', 'busy'], refused: ['NO MESSAGE', 'bin'],
  released: ['RELEASED', 'aside'], retried: ['TRIED AGAIN', 'busy'],
};
const WORDS = {
  passed: ['PASS', 'good'], failed: ['FAIL', 'bin'], held: ['LAY DOWN AGAIN', 'again'], left: ['NOT WRITTEN', 'aside'],
};

export function kindOf(event) {
  const verdicts = VERDICTS[event.kind + (event.job ? '+job' : '')];
  const [word, look] = WORDS[verdicts?.[event.cause] ?? verdicts?.['']] ?? KINDS[event.kind] ?? [String(event.kind).toUpperCase(), 'busy'];
  return { word, look };
}

// Whether an event is a verdict: the others only say that work on a tag has begun.
export function isVerdict(event) {
  return !['reserved', 'resumed', 'retried'].includes(event.kind);
}

// A cause in a clause; one that is not known here stays as it is.
export function causeText(cause) {
  return cause ? CAUSES[cause] ?? cause : 'Not named';
}

export const STATES = {
  pending: 'Pending', reserved: 'On a bench', written: 'Written', failed: 'No message',
};

// A UID as tools print it: 04:79:37:3A:9E:6C:80.
export function uidText(uid) {
  return /^([0-9a-f]{2})+$/i.test(uid ?? '') ? uid.toUpperCase().match(/../g).join(':') : uid ?? '';
}

// The UID that a person has typed, as the API has it; null where it is none.
export function uidOf(text) {
  const digits = text.replace(/[\s:.-]/g, '').toLowerCase();
  return /^([0-9a-f]{2}){4,10}$/.test(digits) ? digits : null;
}

// The number of a job that a person has typed as `Job 17`, `#17` or `1,234`; null where it is none.
export function jobNumberOf(text) {
  const digits = text.match(/^(?:job\s*)?#?\s*([1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)$/i)?.[1].replaceAll(',', '');
  return digits ?? null;
}

// The station first: where it is cut, its bench is the lesser loss.
export function stationText(bench, station) {
  return [station, bench].filter(Boolean).join(' · ');
}

export function jobText(job) {
  if (!job) return '';
  return String(job.number) === job.name || !job.name ? `Job ${job.number}` : `Job ${job.number} – ${job.name}`;
}

// `1 tag`, `12 tags`.
export function counted(count, one, several = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : several}`;
}

const numbers = new Intl.NumberFormat('en');
export function number(value) {
  return numbers.format(Math.round(value));
}

// Tags an hour: `1,234`, and `0.2` rather than `0`.
const few = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export function rate(value) {
  return value < 10 ? few.format(value) : number(value);
}

// Cut, not rounded: 99.96 % is not 100 %.
export function percent(part) {
  return `${(Math.floor(part * 1000 + 1e-6) / 10).toFixed(1)} %`;
}

// Whether nothing more is made of the batch. Of a closed one, benches finish what they have begun.
export const isFinished = (batch) => batch.complete || batch.closed && !batch.reserved && !batch.claimed;

// `Finished in 12 min, 5,000 tags an hour`; empty for a batch that goes on.
export function finishText({ batch, workSeconds }) {
  if (!isFinished(batch)) return '';
  return `Finished${workSeconds ? ` in ${duration(workSeconds)}, ${rate(batch.written * 3600 / workSeconds)} tags an hour` : ''}`;
}
