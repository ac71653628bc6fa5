// Restores the focus after the control that had it was drawn again.

/** Focusable elements of a question. */
const CONTROLS = 'input, textarea, button, summary, a, pre, .unsent';

/**
 * Call the result after drawing. It focuses the heading again, or the control at the same position, and
 * restores its selection.
 * @param {ShadowRoot} root
 * @param {HTMLElement} heading
 * @returns {() => void}
 */
export function rememberFocus(root, heading) {
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
