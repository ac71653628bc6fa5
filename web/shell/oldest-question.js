// To the oldest pending question, and from there back to where the focus was. Loaded with the first press.

import { byAge } from './pending.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Store } from './store.js' */

/** What had the focus before the jump. @type {Element | null} */
let focusBefore = null;

/**
 * @param {Store} store
 * @param {HTMLElement} main
 * @param {(id: string) => unknown} openQuestion
 */
export async function jumpToOldest(store, main, openQuestion) {
  const [oldest] = store.pending.filter(({ id }) => !store.snoozes.has(id)).sort(byAge);
  const { activeElement } = document;
  const selector = `askback-question[inquiry="${oldest?.id}"]`;
  const isThere = !oldest || activeElement?.matches(selector);
  if (isThere && focusBefore?.isConnected && activeElement?.matches('askback-question')) {
    /** @type {HTMLElement} */ (focusBefore).focus();
    focusBefore = null;
    return;
  }
  if (!oldest) return;
  focusBefore = activeElement;
  const shown = () => /** @type {AskbackQuestion | null} */ (main.querySelector(selector));
  if (!shown()) await openQuestion(oldest.id);
  shown()?.focusFirst();
}
