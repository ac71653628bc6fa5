// The stylesheets of the element, fetched once and shared by all elements of a page.

const NAMES = ['base.css', 'element-fields.css', 'element.css'];

/** @type {Map<string, Promise<CSSStyleSheet[]>>} */
const sheets = new Map();

/** @param {string} address */
async function fetchStylesheet(address) {
  const stylesheet = new CSSStyleSheet();
  stylesheet.replaceSync(await (await fetch(address)).text());
  return stylesheet;
}

/** @param {string} base the address of the server */
export function elementStylesheets(base) {
  const known =
    sheets.get(base) ??
    Promise.all(NAMES.map((name) => fetchStylesheet(`${base}/web/${name}`)))
      // Without its styles the element still works.
      .catch(() => {
        sheets.delete(base);
        return [];
      });
  sheets.set(base, known);
  return known;
}
