// What the address asks for: `?batch=A17`, with `view=jobs|history`, `job=17`, `tag=04…`; `?view=batches|new`; `?q=…`;
// `?wall` for a screen that nobody stands at.

import { get, batchPath, hasSession } from '/assets/api.js';
import { showBoard } from '/assets/board.js';
import { showForm } from '/assets/creating.js';
import { element, harmless, link } from '/assets/dom.js';
import * as lists from '/assets/lists.js';
import { duration, minute, moment, now } from '/assets/times.js';

const query = new URLSearchParams(location.search);
const main = document.getElementById('main');
const connection = document.getElementById('connection');
const isWall = query.has('wall');
document.documentElement.classList.toggle('wall', isWall);

// Batches that a page chooses from: the newest.
const LISTED = 100;

// The batch that a page without one shows: one that benches work on, else one that is open; of these, the one with the
// newest event, and where nothing has happened yet the newest.
function current(batches) {
  const rank = ({ benches, complete, closed, lastEvent }) => [benches > 0, !complete && !closed, lastEvent ?? 0].map(Number);
  const isBefore = (one, other) => {
    const place = one.findIndex((part, index) => part !== other[index]);
    return place >= 0 && one[place] > other[place];
  };
  return batches.reduce((best, batch) => best && !isBefore(rank(batch), rank(best)) ? best : batch, undefined)?.id;
}

function showNavigation(batches, named, takesBatches, page) {
  const batch = batches.some(({ id }) => id === named) ? named : undefined;
  // A search stays with the batch that one comes from.
  const sought = document.getElementById('search-batch');
  sought.disabled = !batch;
  sought.value = batch ?? '';
  const select = document.getElementById('batch');
  select.replaceChildren(...(batch ? [] : [element('option', { value: '', selected: true }, 'Choose a batch')]),
    ...batches.map(({ id }) => element('option', { value: id, selected: id === batch }, harmless(id, 60))));
  select.required = true;
  document.querySelector('.choice').hidden = batches.length === 0;
  const item = (text, values, name) => element('li', {}, link(text, values, { 'aria-current': name === page ? 'page' : null }));
  const taken = (text, ...parts) => element('li', {}, element('a', { href: batchPath(batch, ...parts), download: text !== 'Report' }, text));
  document.getElementById('nav').replaceChildren(element('ul', {},
    ...(batch ? [item('Live', { batch }, 'live'), item('Jobs', { batch, view: 'jobs' }, 'jobs'), item('History', { batch, view: 'history' }, 'history'),
      taken('Report', 'report.html'), taken('CSV', 'jobs.csv'), taken('JSON', 'jobs.json')] : []),
    item('Batches', { view: 'batches' }, 'batches'), ...(takesBatches ? [item('New batch', { view: 'new' }, 'new')] : []),
    ...(batch ? [element('li', {}, element('a', { href: `/?${new URLSearchParams({ batch })}&wall` }, 'Wall'))] : []),
    ...(hasSession() ? [element('li', {}, element('a', { href: '/logout' }, 'Sign out'))] : [])));
}

// Whether what is shown is what is. Old figures never look as if they were live.
// `finish`: what to say of a batch that is over; empty for one that goes on.
function showState(state, news, trouble, finish) {
  const isLost = state === 'lost';
  document.documentElement.classList.toggle('stale', isLost);
  document.documentElement.classList.toggle('over', Boolean(finish) && !isLost);
  connection.hidden = false;
  connection.className = `connection ${state}`;
  const said = isLost ? trouble ?? 'lost' : finish || 'Live';
  if (!isLost) {
    if (connection.dataset.state !== said) connection.replaceChildren(element('b', {}, said));
  } else {
    if (connection.dataset.state !== said) {
      connection.replaceChildren(element('b', {}, trouble ? harmless(trouble) : 'Connection lost, trying again.'), ' ',
        element('span', {}, `The figures are from ${moment(news)}`, element('span', { 'aria-hidden': 'true', class: 'since' })));
    }
    connection.querySelector('.since').textContent = `, ${duration((now() - news) / 1000)} ago.`;
  }
  connection.dataset.state = said;
}

// On a wall: which batch it is, and the time, that everybody sees whether the screen stands.
function showClock(batch) {
  const top = document.querySelector('.top');
  // It is there already where the first try has failed.
  if (top.querySelector('time')) return;
  const time = element('time');
  top.append(element('p', { class: 'wall-batch' }, `Batch ${harmless(batch, 40)}`), time);
  const tick = () => { time.textContent = minute(now()); };
  tick();
  setInterval(tick, 1000);
}

async function show() {
  const named = query.get('batch');
  const view = query.get('view');
  const page = query.has('q') || query.has('tag') || query.has('job') ? '' : view ?? 'live';
  const isList = view === 'batches' && page !== '';
  // A page that names its batch does not wait for all others.
  const listing = get('/v1/batches', isList ? {} : { limit: LISTED });
  const takesBatches = listing.then((list) => list.takesBatches, () => false);
  const list = named === null || isList || view === 'new' ? await listing : null;
  const batch = named ?? current(list.batches);
  const navigate = (list, isThere) => {
    const known = isThere && !list.batches.some(({ id }) => id === batch) ? [{ id: batch }, ...list.batches] : list.batches;
    showNavigation(known, batch, list.takesBatches, page);
  };
  if (list) navigate(list, false);
  let isShown = false;
  if (!list) listing.then((list) => navigate(list, isShown), () => { /* The page says by itself that there is no hub. */ });
  await showPage(batch, view, list, takesBatches);
  // Also one that is not among the newest.
  isShown = true;
  if (named !== null && !isList) listing.then((list) => navigate(list, page !== ''), () => {});
  const title = main.querySelector('h1')?.textContent;
  document.title = title ? `${title} – nfcprog hub` : 'nfcprog hub';
}

async function showPage(batch, view, list, takesBatches) {
  if (query.has('q')) {
    document.getElementById('q').value = query.get('q');
    await lists.showSearch(main, batch, query.get('q').trim());
  } else if (query.has('tag')) await lists.showTag(main, batch, query.get('tag'));
  else if (view === 'new' && list.takesBatches) showForm(main);
  else if (view === 'batches' || batch === undefined) lists.showBatches(main, list.batches, list.takesBatches);
  else if (query.has('job')) await lists.showJob(main, batch, query.get('job'));
  else if (view === 'jobs') await lists.showJobs(main, batch, query);
  else if (view === 'history') await lists.showHistory(main, batch, query);
  else {
    if (isWall) showClock(batch);
    await showBoard(main, batch, { isWall, takesBatches, state: showState });
    // Without a batch in the address the page goes on to the next one.
    if (!query.has('batch')) {
      setInterval(async () => {
        try {
          if (current((await get('/v1/batches', { limit: LISTED })).batches) !== batch) location.reload();
        } catch { /* The stream says whether the hub is there. */ }
      }, 30000);
    }
  }
}

// Nothing can be shown: why, and again by itself.
function fail(problem) {
  const isGone = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
  main.replaceChildren(element('h1', {}, 'Nothing to show'), element('p', { role: 'alert', class: 'error' }, harmless(problem.message, 2000)),
    isGone ? element('p', {}, link('All batches', { view: 'batches' })) : element('p', {}, 'Trying again.'));
  document.title = 'Nothing to show – nfcprog hub';
  if (!isGone) setTimeout(() => show().catch(fail), 3000);
}

show().catch(fail);
