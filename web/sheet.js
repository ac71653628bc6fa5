// The style of the element, fetched once for a page and shared by all elements on it.

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map();

/** @param {string} base where the server is */
export function elementSheet(base) {
  let sheet = sheets.get(base);
  if (!sheet) {
    sheet = fetch(`${base}/web/element.css`).then(async (reply) => {
      const made = new CSSStyleSheet();
      made.replaceSync(await reply.text());
      return made;
    });
    // A style that does not come leaves the element plain, not missing.
    sheet = sheet.catch(() => { sheets.delete(base); return new CSSStyleSheet(); });
    sheets.set(base, sheet);
  }
  return sheet;
}
