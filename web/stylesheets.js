// The styles of the element, fetched once for a page and shared by all elements on it.

const NAMES = ['base.css', 'element.css'];

/** @type {Map<string, Promise<CSSStyleSheet[]>>} */
const sheets = new Map();

/** @param {string} address */
async function sheetAt(address) {
  const made = new CSSStyleSheet();
  made.replaceSync(await (await fetch(address)).text());
  return made;
}

/** @param {string} base where the server is */
export function elementSheets(base) {
  const known =
    sheets.get(base) ??
    Promise.all(NAMES.map((name) => sheetAt(`${base}/web/${name}`)))
      // A style that does not come leaves the element plain, not missing.
      .catch(() => {
        sheets.delete(base);
        return [];
      });
  sheets.set(base, known);
  return known;
}
