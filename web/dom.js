// Builds elements without markup, so that no text can ever become one.

/** @typedef {Node | string | number | null | undefined | false} Child */

let count = 0;

/** An id that no other element of the page has. */
export const uid = () => `ab-${++count}`;

/**
 * One element: attributes, `on…` listeners and, with a leading dot, properties.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  // Before the attributes: an element whose direction follows its text looks at all of it with each child.
  add(element, children);
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
function add(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Text of an agent or a person, kept from turning the text around it.
 * @param {string} text
 * @param {string} [className]
 */
export const bdi = (text, className) => h('bdi', { class: className }, text);

/**
 * A button that sends no form.
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [props]
 */
export const button = (label, action, props = {}) =>
  h('button', { type: 'button', onclick: action, ...props }, label);

/** When the last composition of an input method ended, on the clock of events. */
let composed = Number.NEGATIVE_INFINITY;
addEventListener(
  'compositionend',
  (event) => {
    composed = event.timeStamp;
  },
  true,
);

/** The Enter that ends a composition may come this long after it. */
const COMPOSED_MS = 100;

/**
 * Whether a key belongs to an input method and not to us.
 * @param {KeyboardEvent} event
 */
export const isComposing = (event) =>
  event.isComposing || event.keyCode === 229 || event.timeStamp - composed <= COMPOSED_MS;

/**
 * Whether a key press means "send" wherever the focus is.
 * @param {KeyboardEvent} event
 */
export const isSendKey = (event) =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && !isComposing(event);

/**
 * Whether an element takes text.
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
 * What has the focus, also inside shadow roots.
 * @returns {Element | null}
 */
export function deepFocus() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
