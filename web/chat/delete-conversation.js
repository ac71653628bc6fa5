// Deleting a conversation, after a confirmation. Loaded when somebody wants to.

import { announce, askFirst } from '../lib/dom.js';
import { failureText, t } from '../lib/i18n.js';

/** @import { Store } from '../shell/store.js' */

/**
 * @param {Store} store
 * @param {string} id
 * @param {{ deleteButton: HTMLElement, navigate: (address: string) => unknown }} page
 */
export function confirmDelete(store, id, { deleteButton, navigate }) {
  async function deleteConversation() {
    try {
      await store.client.request('DELETE', `/conversations/${id}`);
    } catch (error) {
      announce(failureText(error));
      return;
    }
    store.removeConversation(id);
    // What the page that is left says must not replace this.
    await navigate('/new');
    announce(t('web-deleted'));
  }

  return askFirst(deleteButton, {
    question: t('web-delete-ask'),
    keep: t('web-back'),
    confirm: t('web-delete'),
    onConfirm: deleteConversation,
    onKeep: () => deleteButton.focus(),
  });
}
