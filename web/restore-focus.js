// Keeps the focus where it is when what has it is drawn anew.

/** What can have the focus. */
const CONTROLS = 'input, textarea, button, summary, a, pre';

/**
 * Remembers what has the focus inside a root. Returns what to call after the drawing: it puts the focus
 * back on the heading, or on the control in the same place with the caret where it was.
 * @param {ShadowRoot} root
 * @param {HTMLElement} heading
 * @returns {() => void}
 */
export function focusIn(root, heading) {
  const focused = root.activeElement;
  if (!focused) return () => {};
  if (focused === heading) return () => heading.focus();
  const at = [...root.querySelectorAll(CONTROLS)].indexOf(focused);
  const text =
    focused instanceof HTMLTextAreaElement ||
    (focused instanceof HTMLInputElement && focused.type === 'text')
      ? focused
      : null;
  const caret = text && { start: text.selectionStart, end: text.selectionEnd };
  return () => {
    const now = /** @type {HTMLElement | undefined} */ ([...root.querySelectorAll(CONTROLS)][at]);
    if (!now || now.localName !== focused.localName || now.className !== focused.className) return;
    now.focus();
    if (caret && (now instanceof HTMLTextAreaElement || now instanceof HTMLInputElement))
      now.setSelectionRange(caret.start, caret.end);
  };
}
