// The first page: the line as it is now.

import { get, batchPath, eventsBefore } from '/assets/api.js';
import { Adding } from '/assets/adding.js';
import { Announcer } from '/assets/announcer.js';
import { Chart } from '/assets/chart.js';
import { Closing } from '/assets/closing.js';
import { element, fill, link } from '/assets/dom.js';
import { eventRow, eventTable } from '/assets/events.js';
import { Failures, Figures, settings } from '/assets/figures.js';
import { Live } from '/assets/live.js';
import { Stations } from '/assets/stations.js';
import { setClock } from '/assets/times.js';
import { finishText, isVerdict } from '/assets/words.js';

// Rows of the newest verdicts.
const NEWEST = 12;

// `takesBatches`: a promise of whether the hub changes batches; `state`: see live.js.
export async function showBoard(main, batch, { isWall, takesBatches, state }) {
  const [stations, figures, chart, failures, announcer] =
    [new Stations(), new Figures(), new Chart(), new Failures(), new Announcer()];
  const first = await get(batchPath(batch, 'board'));
  const known = (await eventsBefore(batch, first.lastEvent + 1, 60)).filter(isVerdict).slice(-NEWEST);
  const [newest, rows] = eventTable('Newest results', known.toReversed().map((event) => eventRow(event, batch)));
  const latest = element('section', { class: 'panel newest', 'aria-labelledby': 'newest' },
    element('h2', { id: 'newest' }, 'Newest results'), newest,
    element('p', {}, link('All events of this batch', { batch, view: 'history' })));

  let [closing, adding] = [null, null];
  let newestBoard = first;

  const show = (board) => {
    setClock(board.now);
    newestBoard = board;
    closing?.show(board.batch);
    adding?.show(board.batch);
    stations.show(board.stations, batch);
    announcer.see(board.stations);
    figures.show(board);
    chart.show(board.periods, board.periodSeconds);
    failures.show(board.failures);
  };
  const hands = element('div', { class: 'hands' });
  fill(main,
    element('h1', { class: 'unseen' }, `Batch ${batch}`), stations.place, figures.place,
    element('div', { class: 'panels' }, chart.place, failures.place, isWall ? null : latest),
    isWall ? null : settings(first.batch),
    isWall ? null : hands, announcer.place);
  show(first);
  if (finishText(first)) state('live', first.now, undefined, finishText(first));
  takesBatches.then((takes) => {
    if (isWall || !takes) return;
    [adding, closing] = [new Adding(first.batch), new Closing(first.batch)];
    hands.append(adding.place, closing.place);
    for (const each of [adding, closing]) each.show(newestBoard.batch);
  });
  // The state of the connection, and whether the batch is over.
  let said = [];
  const say = (...words) => {
    said = words;
    state(...words, finishText(newestBoard));
  };
  new Live(batch, first, {
    board(board) {
      show(board);
      if (said.length) say(...said);
    },
    state: say,
    replaced: () => location.reload(),
    happened(event) {
      if (!isVerdict(event)) return;
      announcer.take(event);
      rows.prepend(eventRow(event, batch));
      // The row that somebody stands on stays.
      for (const row of [...rows.children].slice(NEWEST)) if (!row.contains(document.activeElement)) row.remove();
    },
  });
}
