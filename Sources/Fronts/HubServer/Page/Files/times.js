// Times as people read them, in the time zone of whoever looks.

const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const days = new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit' });

// The hub's clock less this one's, in milliseconds.
let offset = 0;

export function setClock(now) {
  const time = Date.parse(now);
  if (!Number.isNaN(time)) offset = time - Date.now();
}

// Now, by the hub's clock.
export function now() {
  return Date.now() + offset;
}

export const isTime = (text) => !Number.isNaN(Date.parse(text));

// `14:03`.
export const minute = (time) => minutes.format(new Date(time));

// `20 Nov`.
export const date = (time) => dates.format(new Date(time));

// `2026-11-20`.
export const day = (time) => days.format(new Date(time));

// `14:03:22`, with the day where it is not today.
export function moment(time) {
  if (Number.isNaN(new Date(time).getTime())) return '';
  return (day(time) === day(now()) ? '' : `${day(time)} `) + seconds.format(new Date(time));
}

// `6 h 40 min`, `12 min`, `8 s`; `2 d 3 h` beyond a day.
export function duration(length) {
  const units = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const whole = Math.max(0, Math.round(length));
  const first = units.findIndex(([size]) => whole >= size);
  if (first < 0) return '0 s';
  if (first >= 2) return `${Math.floor(whole / units[first][0])} ${units[first][1]}`;
  const [[size, name], [small, part]] = [units[first], units[first + 1]];
  const rest = Math.floor(whole % size / small);
  return `${Math.floor(whole / size)} ${name}${rest ? ` ${rest} ${part}` : ''}`;
}

// `12 s ago`, by the hub's clock.
export function age(time) {
  const length = (now() - Date.parse(time)) / 1000;
  return length < 1.5 ? 'just now' : `${duration(length)} ago`;
}
