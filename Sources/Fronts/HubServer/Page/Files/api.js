// Asking the hub.

// What the hub says where it cannot answer.
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ?? body?.title ?? `The hub answered with status ${status}.`);
    this.status = status;
    this.mistakes = Array.isArray(body?.mistakes) ? body.mistakes : [];
  }
}

// Whether this browser has signed in. No script can read its session, so the page remembers that it came from the form.
export function hasSession() {
  try {
    const { origin, pathname } = new URL(document.referrer || location.href);
    if (origin === location.origin && pathname === '/login') localStorage.setItem('session', 'begun');
    return localStorage.getItem('session') !== null;
  } catch {
    return false;
  }
}

function forgetSession() {
  try { localStorage.removeItem('session'); } catch { /* Nothing is kept then. */ }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: 'application/json', ...options.headers } });
  } catch (failure) {
    throw new Error('The hub does not answer.', { cause: failure });
  }
  if (response.status === 401) {
    forgetSession();
    location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
    throw new Problem(401, { detail: 'Sign in first.' });
  }
  let body = null;
  try { body = await response.json(); } catch { /* A proxy's page, for example. */ }
  if (!response.ok) throw new Problem(response.status, body);
  if (body === null) throw new Error('The hub’s answer cannot be read.');
  return body;
}

// `milliseconds`: how long an answer may take.
export function get(path, query = {}, milliseconds = 30000) {
  const values = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(values).toString();
  return answer(text ? `${path}?${text}` : path, { signal: AbortSignal.timeout(milliseconds) });
}

export function post(path, body, headers = {}) {
  return answer(path, {
    method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers },
  });
}

// An API path below a batch.
export function batchPath(id, ...parts) {
  return ['/v1/batches', ...[id, ...parts].map((part) => encodeURIComponent(part))].join('/');
}

// Up to `count` events before the event `before`, in order. Their numbers may have gaps: the window grows until
// there are enough, or the first one is in it.
export async function eventsBefore(batch, before, count) {
  for (let window = count; ; window *= 4) {
    const start = Math.max(0, before - 1 - window);
    const found = [];
    let after = start;
    for (;;) {
      const page = await get(batchPath(batch, 'events'), { after, limit: 500 });
      found.push(...page.events.filter((event) => event.id < before));
      if (page.next === undefined || page.next >= before - 1) break;
      after = page.next;
    }
    if (found.length >= count || start === 0) return found.slice(-count);
  }
}
