// The list of conversations, for the side bar and the start page.

import { bdi, button, h } from './dom.js';
import { formatTime, t } from './i18n.js';

/** @import { Store } from './store.js' */
/** @import { Conversation } from './wire.d.ts' */

/** @param {Conversation} conversation */
function item({ id, title, created_at, state }) {
  const isAsking = state.type === 'awaiting_user_response';
  const dot = () =>
    h(
      'span',
      { class: 'dot' },
      h(
        'span',
        { class: 'visually-hidden' },
        t('chat-waiting', { agent: state.source ?? 'askback' }),
      ),
    );
  return h(
    'li',
    {},
    h(
      'a',
      {
        href: `/c/${id}`,
        'aria-current': location.pathname === `/c/${id}` ? 'page' : undefined,
      },
      bdi(title ?? formatTime(created_at), 'name'),
      isAsking && dot(),
    ),
  );
}

/** @param {Store} store @param {string} className */
export function conversationList(store, className) {
  // The heading is never replaced: a screen reader may be on it.
  const heading = h('h2', {});
  const node = h('div', { class: className });
  const more = button('', () => {
    store.fetchMoreConversations().catch(() => {});
  });
  return {
    node,
    draw() {
      heading.textContent = t('web-conversations');
      more.textContent = t('web-more-conversations');
      const newestFirst = [...store.conversations.values()].sort(
        (one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at),
      );
      const items = newestFirst.map(item);
      node.replaceChildren(
        ...(items.length
          ? [heading, h('ul', {}, items), ...(store.moreConversations ? [more] : [])]
          : []),
      );
    },
  };
}
