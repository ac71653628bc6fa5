// Opens a page again as soon as the server can read its store.

const RETRY_MS = 2000;

document.querySelector('[data-retrying]')?.removeAttribute('hidden');

async function retry() {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store' });
    if (ok) return location.reload();
  } catch {
    // The server cannot be reached at all.
  }
  setTimeout(retry, RETRY_MS);
}
setTimeout(retry, RETRY_MS);
