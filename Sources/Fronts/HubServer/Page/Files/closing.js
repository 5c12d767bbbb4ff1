// Closing a batch, with a question before.

import { post, batchPath } from '/assets/api.js';
import { element, setText } from '/assets/dom.js';
import { counted, number } from '/assets/words.js';

export class Closing {
  constructor({ id }) {
    const error = element('p', { role: 'alert', class: 'error' });
    const [yes, no] = [element('button', { type: 'button', class: 'danger' }, 'Close the batch'),
      element('button', { type: 'button' }, 'Keep it open')];
    this.text = element('p');
    this.question = element('dialog', { 'aria-labelledby': 'closing' },
      element('h2', { id: 'closing' }, `Close batch ${id}?`), this.text, error, element('p', { class: 'buttons' }, no, yes));
    const open = element('button', { type: 'button' }, 'Close this batch…');
    open.addEventListener('click', () => {
      error.textContent = '';
      this.question.showModal();
    });
    no.addEventListener('click', () => this.question.close());
    yes.addEventListener('click', async () => {
      // Not `disabled`, which would take the focus away.
      if (yes.getAttribute('aria-disabled')) return;
      yes.setAttribute('aria-disabled', 'true');
      error.textContent = '';
      try {
        await post(batchPath(id, 'close'), {});
        location.reload();
      } catch (problem) {
        setText(error, problem.message, 2000);
      }
      yes.removeAttribute('aria-disabled');
    });
    this.place = element('p', { class: 'closing' }, open, this.question);
  }

  // The figures as they are now; nothing once it is closed, by whomever.
  show({ jobs, written, closed }) {
    const left = jobs - written;
    const rest = left === 0 ? 'each of them has a finished tag' : `${number(left)} of ${counted(jobs, 'job')} ${left === 1 ? 'has' : 'have'} no finished tag`;
    setText(this.text, `Benches claim no more of its jobs; ${rest}. Benches finish the tags that they have begun. `
      + 'A closed batch cannot be opened again.');
    if (closed && !this.place.hidden) {
      const hasFocus = this.place.contains(document.activeElement);
      this.question.close();
      if (hasFocus) document.getElementById('main').focus();
    }
    this.place.hidden = closed;
  }
}
