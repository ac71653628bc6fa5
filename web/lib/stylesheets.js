// The stylesheets of the element, fetched once and shared by all elements of a page.

const NAMES = ['base.css', 'element-fields.css', 'element.css'];

/** @type {Map<string, Promise<CSSStyleSheet[]>>} */
const sheets = new Map();

/** @param {string} address */
async function fetchStylesheet(address) {
  const stylesheet = new CSSStyleSheet();
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(address);
  stylesheet.replaceSync(await reply.text());
  return stylesheet;
}

/** Styles of what few questions have, shared by all elements and empty until they are needed. */
const extraStyles = new CSSStyleSheet();
/** @type {Promise<void> | null} */
let extras = null;

/** Loads them, once. Without them the element still works. */
export function loadExtraStyles() {
  extras ??= fetch(new URL('../css/element-extras.css', import.meta.url))
    .then((reply) => reply.text())
    .then(
      (text) => extraStyles.replaceSync(text),
      () => {
        extras = null;
      },
    );
  return extras;
}

/** @param {string} base the address of the server */
export function elementStylesheets(base) {
  const known =
    sheets.get(base) ??
    Promise.all(NAMES.map((name) => fetchStylesheet(`${base}/web/css/${name}`)))
      // The last one has what depends on the screen, and comes after all others.
      .then((all) => all.toSpliced(-1, 0, extraStyles))
      // Without its styles the element still works.
      .catch(() => {
        sheets.delete(base);
        return [];
      });
  sheets.set(base, known);
  return known;
}
