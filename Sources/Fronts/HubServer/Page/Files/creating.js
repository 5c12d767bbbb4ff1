// A form for a new batch.

import { post } from '/assets/api.js';
import { address, element } from '/assets/dom.js';
import { field, key, showMistakes, textOf } from '/assets/forms.js';

const TYPES = ['ntag203', 'ntag210', 'ntag212', 'ntag213', 'ntag215', 'ntag216', 'ntag424', 'ultralight', 'ultralight-ev1-11',
  'ultralight-ev1-21', 'ultralight-c', 'ultralight-aes', 'mini', 'classic1k', 'classic4k', 'type4', 'desfire-ev1', 'felica-lite', 'felica-lite-s'];

export function showForm(main) {
  const id = element('input', { id: 'new-id', required: true, maxlength: 100, autocomplete: 'off', spellcheck: 'false' });
  const file = element('input', { id: 'new-file', type: 'file', required: true, accept: '.csv,text/csv,text/plain' });
  const template = element('input', { id: 'new-template', autocomplete: 'off', spellcheck: 'false', placeholder: 'https://example.com/t/{code}' });
  const tag = element('select', { id: 'new-tag' }, element('option', { value: '' }, 'Any'), TYPES.map((type) => element('option', {}, type)));
  const lock = element('input', { id: 'new-lock', type: 'checkbox' });
  const error = element('div', { role: 'alert', class: 'error' });
  const button = element('button', {}, 'Make the batch');
  const form = element('form', { class: 'new' },
    field('Name of the batch', id), field('List (CSV file)', file, 'The first line names the columns.'),
    field('URL of each tag', template, 'With {column} where a column’s text goes. Empty: the list has a column “url”.'),
    field('Type of tag', tag, 'For rows without a type of their own.'),
    element('p', { class: 'field check' }, lock, element('label', { for: 'new-lock' }, 'Lock each tag permanently')),
    error, element('p', {}, button));
  // The same form sent twice makes one batch; another content is another request.
  let token = key();
  form.addEventListener('input', () => { token = key(); });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // Not `disabled`, which would take the focus away.
    if (button.getAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    error.replaceChildren();
    try {
      const batch = await post('/v1/batches', {
        id: id.value, csv: await textOf(file.files[0]), template: template.value || undefined,
        tag: tag.value || undefined, lock: lock.checked || undefined,
      }, { 'Idempotency-Key': token });
      location.assign(address({ batch: batch.id }));
    } catch (problem) {
      showMistakes(error, problem);
    }
    button.removeAttribute('aria-disabled');
  });
  main.replaceChildren(element('h1', {}, 'New batch'), form);
}
