// What forms share.

import { element, setText } from '/assets/dom.js';

// 16 random bytes: crypto.randomUUID is there with TLS only.
export function key() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// The list's text. The API takes UTF-8 only; a browser would put U+FFFD in place of what is not, without a word.
export async function textOf(file) {
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new Error('The list cannot be read. Choose the file again.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The list is not UTF-8. Save the table as “CSV UTF-8”.');
  }
}

export function field(text, input, hint) {
  const note = hint ? element('small', { id: `${input.id}-hint` }, hint) : null;
  if (note) input.setAttribute('aria-describedby', note.id);
  return element('p', { class: 'field' }, element('label', { for: input.id }, text), input, note);
}

// Why the hub takes it not, and each mistake.
export function showMistakes(place, problem) {
  const text = element('p');
  setText(text, problem.message, 2000);
  const mistakes = problem.mistakes ?? [];
  place.replaceChildren(text, ...(mistakes.length ? [element('ul', {}, mistakes.map((mistake) => element('li', {}, mistake)))] : []));
}
