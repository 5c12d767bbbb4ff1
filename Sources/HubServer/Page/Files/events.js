// Events as a table.

import { element, link, row, shape, table } from '/assets/dom.js';
import { moment } from '/assets/times.js';
import { causeText, jobText, kindOf, stationText, uidText } from '/assets/words.js';

const COLUMNS = [['Time', 'w'], ['Result', 'w'], ['Job'], ['Tag', 'w'], ['Station'], ['Why', 'why']];

// `batch`: where its job is; null: as the event says.
export function eventRow(event, batch, withBatch = false) {
  const { word, look } = kindOf(event);
  const home = event.batch ?? batch;
  return row([
    [moment(event.time), 'w'],
    [element('span', { class: 'result', 'data-look': look }, shape(look), word), 'w'],
    [event.job ? link(jobText(event.job), { batch: home, job: event.job.number }) : ''],
    [event.uid ? link(uidText(event.uid), { batch, tag: event.uid }, { class: 'uid' }) : '', 'w'],
    [stationText(event.bench, event.station)],
    [event.cause ? [causeText(event.cause), event.text ? element('small', {}, event.text) : null] : event.text ?? '', 'why'],
    ...(withBatch ? [[link(home, { batch: home })]] : []),
  ], { 'data-event': event.id });
}

// The table, and the body that takes rows.
export function eventTable(caption, rows, withBatch = false) {
  const place = table(caption, [...COLUMNS, ...(withBatch ? [['Batch']] : [])], rows);
  place.classList.add('events');
  return [place, place.querySelector('tbody')];
}
