// Older conversations. Few people have more than the first page of them, so this is loaded when they are wanted.

/** @import { Store } from './store.js' */

/** Reads the next page of conversations. @param {Store} store */
export async function fetchMoreConversations(store) {
  const cursor = store.moreConversations;
  if (!cursor) return;
  const page = await store.client.get(
    `/conversations?driver=built_in&limit=100&cursor=${encodeURIComponent(cursor)}`,
  );
  if (cursor !== store.moreConversations) return;
  store.moreConversations = page.next;
  for (const each of page.items)
    if (!store.conversations.has(each.id)) store.conversations.set(each.id, each);
  store.emit('conversations');
}
