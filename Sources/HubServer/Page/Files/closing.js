// Closing a batch, with a question before.

import { post, batchPath } from '/assets/api.js';
import { element, setText } from '/assets/dom.js';
import { counted } from '/assets/words.js';

export function closing(batch) {
  const error = element('p', { role: 'alert', class: 'error' });
  const [yes, no] = [element('button', { type: 'button', class: 'danger' }, 'Close the batch'),
    element('button', { type: 'button' }, 'Keep it open')];
  const question = element('dialog', { 'aria-labelledby': 'closing' },
    element('h2', { id: 'closing' }, `Close batch ${batch.id}?`),
    element('p', {}, `Benches claim no more of its jobs; ${counted(batch.jobs - batch.written, 'job')} of ${counted(batch.jobs, 'job')} `
      + `${batch.jobs - batch.written === 1 ? 'has' : 'have'} no finished tag. Benches finish the tags that they have begun. A closed batch cannot be opened again.`),
    error, element('p', { class: 'buttons' }, no, yes));
  const open = element('button', { type: 'button' }, 'Close this batch…');
  open.addEventListener('click', () => {
    error.textContent = '';
    question.showModal();
  });
  no.addEventListener('click', () => question.close());
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    try {
      await post(batchPath(batch.id, 'close'), {});
      location.reload();
    } catch (problem) {
      setText(error, problem.message, 2000);
    }
    yes.disabled = false;
  });
  return element('p', { class: 'closing' }, open, question);
}
