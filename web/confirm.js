// A question before something that cannot be undone.

import { button, h, uid } from './dom.js';
import { guard } from './input-guard.js';

/**
 * Asks once, in the place of what led to it, with the focus on staying.
 * @param {HTMLElement} box
 * @param {{ ask: string, keep: string, act: string, run: () => void, back: () => void }} options
 * @returns {() => void} puts back what led to it
 */
export function confirmIn(box, { ask, keep, act, run, back }) {
  const id = uid();
  const stay = button(
    keep,
    () => {
      panel.replaceWith(box);
      back();
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
          stay.click();
        }
      },
    },
    h('p', { id }, ask),
    h('div', { class: 'actions' }, stay, button(act, run, { class: 'danger' })),
  );
  box.replaceWith(panel);
  guard(panel)();
  stay.focus();
  return () => {
    if (panel.isConnected) panel.replaceWith(box);
  };
}
