// Adding rows to a batch: a form that stands in the way of nobody.

import { post, batchPath } from '/assets/api.js';
import { element, setText } from '/assets/dom.js';
import { field, key, showMistakes, textOf } from '/assets/forms.js';
import { counted } from '/assets/words.js';

export class Adding {
  constructor({ id }) {
    const file = element('input', { id: 'rows-file', type: 'file', required: true, accept: '.csv,text/csv,text/plain' });
    const error = element('div', { role: 'alert', class: 'error' });
    const [add, no] = [element('button', {}, 'Add the rows'), element('button', { type: 'button' }, 'Cancel')];
    const form = element('form', { class: 'more' },
      field('More rows (CSV file)', file, 'The first line names the columns, as in the list of the batch. All rows are added, or none.'),
      error, element('p', { class: 'buttons' }, no, add));
    this.dialog = element('dialog', { 'aria-labelledby': 'adding' }, element('h2', { id: 'adding' }, `Add rows to batch ${id}`), form);
    const open = element('button', { type: 'button' }, 'Add rows…');
    const done = element('p', { role: 'status' });
    // The same file sent twice is added once.
    let token = key();
    file.addEventListener('change', () => { token = key(); });
    open.addEventListener('click', () => {
      form.reset();
      error.replaceChildren();
      token = key();
      this.dialog.showModal();
    });
    no.addEventListener('click', () => this.dialog.close());
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      // Not `disabled`, which would take the focus away.
      if (add.getAttribute('aria-disabled')) return;
      add.setAttribute('aria-disabled', 'true');
      error.replaceChildren();
      try {
        const batch = await post(batchPath(id, 'rows'), { csv: await textOf(file.files[0]) }, { 'Idempotency-Key': token });
        this.dialog.close();
        setText(done, `The rows are added: the batch has ${counted(batch.jobs, 'job')} now.`);
      } catch (problem) {
        showMistakes(error, problem);
      }
      add.removeAttribute('aria-disabled');
    });
    this.place = element('div', { class: 'adding' }, element('p', {}, open), done, this.dialog);
  }

  // A closed batch takes no more rows.
  show({ closed }) {
    if (closed && !this.place.hidden) {
      const hasFocus = this.place.contains(document.activeElement);
      this.dialog.close();
      if (hasFocus) document.getElementById('main').focus();
    }
    this.place.hidden = closed;
  }
}
