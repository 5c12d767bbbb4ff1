// Building the page. Every text goes in as text, never as markup.

// What names and tags say may hold anything: no character turns the direction of writing or breaks a line.
const HARMFUL = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

// The longest text of one place, in characters.
const LONGEST = 300;

export function harmless(text, longest = LONGEST) {
  const clean = String(text).replace(HARMFUL, ' ');
  if (clean.length <= longest) return clean;
  return [...clean.slice(0, longest * 2)].slice(0, longest - 1).join('') + '…';
}

// An element with attributes and children; a child that is no node becomes text, and none where it is null.
export function element(name, attributes = {}, ...children) {
  const result = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    result.setAttribute(key, value === true ? '' : value);
  }
  result.append(...children.flat().filter((child) => child !== null && child !== undefined)
    .map((child) => child instanceof Node ? child : harmless(child)));
  return result;
}

// Puts children in the place of what is there; none where one is null.
export function fill(place, ...children) {
  place.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
}

// Changes the text of an element only where it differs: what a screen reader stands on stays.
export function setText(place, text, longest) {
  const value = harmless(text ?? '', longest);
  if (place.textContent !== value) place.textContent = value;
}

// An address of this page. `values`: its query; those that are null are left out.
export function address(values) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') query.set(key, value);
  }
  return `/?${query}`;
}

export function link(text, values, attributes = {}) {
  return element('a', { href: address(values), ...attributes }, text);
}

// A table that scrolls by itself where it is too wide. `columns`: [title, class]; rows: elements of tr.
export function table(caption, columns, rows) {
  const head = element('tr', {},
    columns.map(([title, kind]) => element('th', { scope: 'col', class: kind }, title)));
  return element('div', { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    element('table', {}, element('caption', { class: 'unseen' }, caption),
      element('thead', {}, head), element('tbody', {}, rows)));
}

// A row; the first cell is its header.
export function row(cells, attributes = {}) {
  return element('tr', attributes, cells.map(([content, kind], index) =>
    index === 0 ? element('th', { scope: 'row', class: kind }, content)
      : element('td', { class: kind }, content)));
}

// Characters from which on a value scrolls in a frame of its own.
const LONG = 1000;

// Names and values, one under the other or side by side.
export function facts(pairs, kind = 'facts') {
  return element('dl', { class: kind }, pairs.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => {
      const place = element('dd', {}, value);
      if (place.textContent.length > LONG) {
        const frame = element('div', { class: 'lengthy', role: 'region', 'aria-label': name, tabindex: 0 });
        frame.append(...place.childNodes);
        place.append(frame);
      }
      return element('div', {}, element('dt', {}, name), place);
    }));
}

const SVG = 'http://www.w3.org/2000/svg';

// The shape beside a word, so that nothing depends on colour alone.
const SHAPES = {
  good: ['M4 13l5.5 5.500L20 6.5'],
  bin: ['M5.5 5.500l13 13', 'M18.5 5.500l-13 13'],
  again: ['M19.5 12a7.5 7.5 0 1 1-2.6-5.7', 'M19.8 2.500v5h-5'],
  aside: ['M3 12h15', 'M12.5 6l6 6-6 6'],
  busy: ['M12 3.500v5', 'M12 15.500v5', 'M3.5 12h5', 'M15.5 12h5'],
  stopped: ['M12 3v11', 'M12 19.500v.500'],
  few: ['M12 3v11', 'M12 19.500v.500'],
  free: ['M4.5 7h15l-7.500 11z'],
  ended: ['M6 6h12v12H6z'],
  silent: ['M8 8.5a4.200 4.200 0 1 1 6 4.200q-2 1.200-2 3', 'M12 20v.500'],
};

export function shape(name) {
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  drawing.classList.add('shape', `shape-${name}`);
  for (const line of SHAPES[name] ?? []) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', line);
    drawing.append(path);
  }
  return drawing;
}
