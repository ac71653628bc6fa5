// Which questions were answered in this browser. Without a name nothing else says whose answer it is.

const KEY = 'askback-answered';
/** The newest ones are kept. */
const IDS_MAX = 300;

/** @returns {string[]} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string} id */
export const isAnsweredHere = (id) => read().includes(id);

/** @param {string} id */
export function rememberAnswer(id) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read(), id].slice(-IDS_MAX)));
  } catch {
    // Storage may be full or forbidden; then the answer is shown without "you".
  }
}
