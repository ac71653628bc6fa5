// A confirmation before something that cannot be undone.

import { button, div, h, uniqueId } from './dom.js';
import { inputGuard } from './input-guard.js';

/**
 * Replaces a node by a confirmation. The focus is on the button that changes nothing.
 * @param {HTMLElement} node
 * @param {{ question: string, keep: string, confirm: string, onConfirm: () => void, onKeep: () => void }} options
 * @returns {() => void} closes the confirmation
 */
export function confirmInPlace(node, { question, keep, confirm, onConfirm, onKeep }) {
  const id = uniqueId();
  const keepButton = button(
    keep,
    () => {
      panel.replaceWith(node);
      onKeep();
    },
    { class: 'primary' },
  );
  const panel = h(
    'div',
    {
      class: 'confirm',
      role: 'group',
      'aria-labelledby': id,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          keepButton.click();
        }
      },
    },
    h('p', { id }, question),
    div('actions', keepButton, button(confirm, onConfirm, { class: 'danger' })),
  );
  node.replaceWith(panel);
  inputGuard(panel)();
  keepButton.focus();
  return () => {
    if (panel.isConnected) panel.replaceWith(node);
  };
}
