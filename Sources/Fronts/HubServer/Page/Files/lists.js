// What can be looked up: batches, jobs, history, one job, one tag, a search.

import { get, batchPath, eventsBefore } from '/assets/api.js';
import { element, facts, fill, harmless, link, row, table } from '/assets/dom.js';
import { eventRow, eventTable } from '/assets/events.js';
import { moment } from '/assets/times.js';
import { counted, jobNumberOf, jobText, number, percent, STATES, uidOf, uidText } from '/assets/words.js';

const PAGE = 100;

const title = (text) => element('h1', {}, text);
const none = (text) => element('p', { class: 'none' }, text);
const pages = (...links) => element('nav', { class: 'pages', 'aria-label': 'Further pages' }, links);

const JOB_COLUMNS = [['Number', 'n'], ['Name', 'any'], ['State', 'w'], ['Tag', 'w'], ['Link', 'any'], ['When', 'w']];

function jobRow(job, batch, withBatch = false) {
  const home = job.batch ?? batch;
  return row([
    [link(String(job.number), { batch: home, job: job.number }), 'n'], [job.name, 'any'],
    [element('span', { class: `job-state ${job.state}` }, STATES[job.state] ?? job.state), 'w'],
    [job.uid ? [link(uidText(job.uid), { batch, tag: job.uid }, { class: 'uid' }), job.tag ? ` ${job.tag}` : ''] : '', 'w'],
    [job.uri ?? '', 'any'], [job.event ? moment(job.event.time) : '', 'w'],
    ...(withBatch ? [[link(home, { batch: home })]] : []),
  ]);
}

export function showBatches(main, batches, takesBatches) {
  const rows = batches.map((batch) => row([
    [link(batch.id, { batch: batch.id }), 'any'], [batch.source, 'any'], [moment(batch.made), 'w'],
    [`${number(batch.written)} of ${number(batch.jobs)}`, 'n'], [batch.jobs ? percent(batch.written / batch.jobs) : '', 'n'],
    [batch.complete ? 'Complete' : batch.closed ? 'Closed' : 'Open', 'w'],
  ]));
  fill(main, title('Batches'),
    takesBatches ? element('p', {}, link('New batch', { view: 'new' }, { class: 'button' })) : '',
    rows.length ? table('Batches', [['Batch', 'any'], ['List', 'any'], ['Made', 'w'], ['Done', 'n'], ['', 'n'], ['State', 'w']], rows)
      : none('There is no batch yet.'));
}

export async function showJobs(main, batch, query) {
  const [state, name, after] = ['state', 'name', 'after'].map((key) => query.get(key) ?? '');
  const page = await get(batchPath(batch, 'jobs'), { state, name, after, limit: PAGE });
  const option = (value, text) => element('option', { value, selected: value === state }, text);
  const filter = element('form', { class: 'filter', action: '/', method: 'get' },
    element('input', { type: 'hidden', name: 'batch', value: batch }),
    element('input', { type: 'hidden', name: 'view', value: 'jobs' }),
    element('label', {}, 'State ', element('select', { name: 'state' }, option('', 'All'),
      Object.entries(STATES).map(([value, text]) => option(value, text)))),
    element('label', {}, 'Name begins with ', element('input', { name: 'name', value: name, maxlength: 200, autocomplete: 'off' })),
    element('button', {}, 'Show'));
  fill(main, title(`Jobs of batch ${harmless(batch, 80)}`), filter,
    page.jobs.length ? table('Jobs', JOB_COLUMNS, page.jobs.map((job) => jobRow(job, batch))) : none('No job is like that.'),
    pages(after ? link('First page', { batch, view: 'jobs', state, name }) : '',
      page.next === undefined ? '' : link(`Next ${PAGE}`, { batch, view: 'jobs', state, name, after: page.next }, { rel: 'next' })));
}

export async function showHistory(main, batch, query) {
  const { lastEvent } = await get(batchPath(batch, 'board'));
  const before = Number(query.get('before')) || lastEvent + 1;
  const events = (await eventsBefore(batch, before, PAGE)).toReversed();
  const oldest = events.at(-1)?.id;
  fill(main, title(`History of batch ${harmless(batch, 80)}`),
    events.length ? eventTable('Events, the newest first', events.map((event) => eventRow(event, batch)))[0]
      : none('Nothing has happened yet.'),
    pages(before <= lastEvent ? link('Newest', { batch, view: 'history' }) : '',
      events.length === PAGE && oldest > 1 ? link('Older', { batch, view: 'history', before: oldest }, { rel: 'next' }) : ''));
}

export async function showJob(main, batch, number) {
  const job = await get(batchPath(batch, 'jobs', number));
  const long = (text) => document.createTextNode(harmless(text, 20000));
  fill(main, title(harmless(jobText(job), 200)),
    facts([['Batch', link(batch, { batch })], ['State', STATES[job.state] ?? job.state],
      ['Tag', job.uid && link(uidText(job.uid), { batch, tag: job.uid }, { class: 'uid' })], ['Type of tag', job.tag],
      ['Link', job.uri && long(job.uri)],
      ...Object.entries(job.columns ?? {}).map(([name, value]) => [`Column ${name}`, long(value)])]),
    element('h2', {}, 'What happened to it'),
    job.events?.length ? eventTable('Events of this job', job.events.map((event) => eventRow(event, batch)))[0]
      : none('Nothing has happened to it yet.'));
}

async function tagEvents(uid, batch) {
  const { events } = await get(`/v1/tags/${encodeURIComponent(uid)}`);
  return events.length
    ? eventTable(`Events of tag ${uidText(uid)}`, events.map((event) => eventRow(event, batch, true)), true)[0] : null;
}

export async function showTag(main, batch, uid) {
  const events = await tagEvents(uid, batch);
  fill(main, title(`Tag ${uidText(harmless(uid, 80))}`), events ?? none('Nothing is known of this tag.'));
}

export async function showSearch(main, batch, text) {
  const uid = uidOf(text);
  const find = (q) => get('/v1/search', { q });
  const [named, events] = await Promise.all([find(text), uid && tagEvents(uid, batch)]);
  // As people write them: a UID with colons, `Job 17`, `1,234`. Zeros before a number make it a code.
  const other = [uid, jobNumberOf(text)].find((found) => found && found !== text);
  const { jobs, complete } = named.jobs.length || !other ? named : await find(other);
  const found = jobs.length ? `${counted(jobs.length, 'job')} found` : 'No job found';
  const count = complete === false ? `${found}; there may be more. Search for more of it.` : `${found}.`;
  fill(main, title(`Search: ${harmless(text, 80)}`),
    element('p', { role: 'status' }, events || jobs.length ? count : 'Nothing found. A search takes a tag’s UID, a job as #17, or what stands in any column of the list.'),
    jobs.length ? table('Jobs found', [...JOB_COLUMNS, ['Batch']], jobs.map((job) => jobRow(job, batch, true))) : '',
    ...(events ? [element('h2', {}, 'What happened to this tag'), events] : []));
}
