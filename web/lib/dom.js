// Builds elements from nodes, never from markup, so that text cannot become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

let count = 0;

export const uniqueId = () => `ab-${++count}`;

/**
 * Creates an element. `on…` adds a listener, `.name` sets a property, all else an attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  // Before the attributes: with dir="auto" every append would scan the whole text again.
  append(element, children);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name.startsWith('.')) /** @type {any} */ (element)[name.slice(1)] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  return element;
}

/**
 * @param {ParentNode} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

// The elements that most of a page is made of, with a class.

/** @param {string} className @param {...(Child | Child[])} children */
export const div = (className, ...children) => h('div', { class: className }, ...children);

/** @param {string} className @param {...(Child | Child[])} children */
export const p = (className, ...children) => h('p', { class: className }, ...children);

/** @param {string} className @param {...(Child | Child[])} children */
export const span = (className, ...children) => h('span', { class: className }, ...children);

/**
 * Text of an agent or a user, isolated from the direction of the text around it.
 * @param {string} text
 * @param {string} [className]
 */
export const bdi = (text, className) => h('bdi', { class: className }, text);

/**
 * A button that does not submit a form.
 * @param {Child | Child[]} content
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [props]
 */
export const button = (content, action, props = {}) =>
  h('button', { type: 'button', onclick: action, ...props }, content);

/**
 * Details whose content is drawn when they are opened first. If that fails, the next time tries again.
 * @param {Record<string, any>} props
 * @param {Child | Child[]} summary
 * @param {(content: HTMLElement) => unknown} draw
 */
export function lazyDetails(props, summary, draw) {
  const content = h('div');
  const ontoggle = async () => content.firstChild || draw(content);
  const opened = () => ontoggle().catch(() => {});
  return h('details', { ...props, ontoggle: opened }, h('summary', {}, summary), content);
}

/** What did not load or was not read now is tried again when it is needed next. */
export const ignore = () => {};

/** When the last composition of an input method ended (event time). */
let compositionEnd = Number.NEGATIVE_INFINITY;
addEventListener(
  'compositionend',
  (event) => {
    compositionEnd = event.timeStamp;
  },
  true,
);

/** The Enter that ends a composition may arrive this long after it. */
const COMPOSITION_ENTER_MS = 100;

/**
 * Whether a key belongs to an input method.
 * @param {KeyboardEvent} event
 */
export const isComposing = (event) =>
  event.isComposing ||
  event.keyCode === 229 ||
  event.timeStamp - compositionEnd <= COMPOSITION_ENTER_MS;

/**
 * Whether a key sends from any control: Ctrl+Enter or Cmd+Enter.
 * @param {KeyboardEvent} event
 */
export const isSendKey = (event) =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && !isComposing(event);

/**
 * @param {EventTarget | null | undefined} target
 */
export function isTextField(target) {
  if (target instanceof HTMLTextAreaElement) return true;
  return (
    target instanceof HTMLInputElement &&
    !['radio', 'checkbox', 'button', 'submit'].includes(target.type)
  );
}

/**
 * The active element, also inside shadow roots.
 * @returns {Element | null}
 */
export function deepActiveElement() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Announces a text to screen readers, in the live region of the app. @param {string} text */
export const announce = (text) =>
  document.dispatchEvent(
    new CustomEvent('askback-announce', { detail: { text, isUrgent: false }, cancelable: true }),
  );

/** Whether the device has a keyboard that is not part of the screen. */
export const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches;

/** Adds a stylesheet to the page, once, and waits for it. One that fails can be added again. @param {string} name */
export function addStylesheet(name) {
  const href = `/web/css/${name}.css`;
  /** @type {HTMLLinkElement} */
  const link =
    document.querySelector(`link[href="${href}"]`) ?? h('link', { rel: 'stylesheet', href });
  if (link.sheet) return null;
  if (!link.isConnected) document.head.append(link);
  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(href));
    });
  });
}

/**
 * A module of the page with its stylesheets.
 * @template T
 * @param {Promise<T>} module
 * @param {...string} names
 */
export const withStyles = async (module, ...names) =>
  (await Promise.all([module, ...names.map(addStylesheet)]))[0];

/** Loads the confirmation, or nothing without a connection. */
export const loadConfirm = () => import('./confirm.js').catch(() => null);

/**
 * Asks in place of a node before something that cannot be undone. Without a connection the confirmation may not have
 * been loaded: the browser's own dialog needs none.
 * @param {HTMLElement} node
 * @param {{ question: string, keep: string, confirm: string, onConfirm: () => void, onKeep: () => void }} options
 * @returns {Promise<() => void>} closes the confirmation
 */
export async function askFirst(node, options) {
  const loaded = await loadConfirm();
  // It may have been pressed twice, or there may be nothing to confirm any more.
  if (node.isConnected && !node.hidden) {
    if (loaded) return loaded.confirmInPlace(node, options);
    if (confirm(options.question)) options.onConfirm();
    else options.onKeep();
  }
  return () => {};
}

// The stylesheets of the element, fetched once and shared by all elements of a page.

const NAMES = ['base.css', 'element-fields.css', 'element.css'];

/** @type {Map<string, Promise<CSSStyleSheet[]>>} */
const sheets = new Map();

/** @param {string} address */
async function fetchStylesheet(address) {
  const stylesheet = new CSSStyleSheet();
  const response = await fetch(address);
  if (!response.ok) throw new Error(address);
  stylesheet.replaceSync(await response.text());
  return stylesheet;
}

/** Styles of what few questions have, shared by all elements and empty until they are needed. */
const extraStyles = new CSSStyleSheet();
/** @type {Promise<void> | null} */
let extras = null;

/** Loads them, once. Without them the element still works. */
export function loadExtraStyles() {
  extras ??= fetch(new URL('../css/element-extras.css', import.meta.url))
    .then((response) => response.text())
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
