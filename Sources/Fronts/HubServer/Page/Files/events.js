// Events as a table.

import { element, harmless, link, row, shape, table } from '/assets/dom.js';
import { moment } from '/assets/times.js';
import { causeText, jobText, kindOf, stationText, uidText } from '/assets/words.js';

const COLUMNS = [['Time', 'w'], ['Result', 'w'], ['Job', 'any'], ['Tag', 'w'], ['Station'], ['Why', 'why']];

// `batch`: where its job is; null: as the event says.
export function eventRow(event, batch, withBatch = false) {
  const { word, look } = kindOf(event);
  const home = event.batch ?? batch;
  return row([
    [moment(event.time), 'w'],
    [element('span', { class: 'result', 'data-look': look }, shape(look), word), 'w'],
    [event.job ? link(harmless(jobText(event.job), 60), { batch: home, job: event.job.number }) : '', 'any'],
    [event.uid ? link(uidText(event.uid), { batch, tag: event.uid }, { class: 'uid' }) : '', 'w'],
    [harmless(stationText(event.bench, event.station), 60)],
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
