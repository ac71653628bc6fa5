// The list of conversations, for the side bar and the start page. Other agents have a conversation for
// each question or session: they are in a list of their own, which is read when it is opened.

import { bdi, button, h, span, withStyles } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { formatTime, t } from '../lib/i18n.js';

/** @import { Store } from './store.js' */
/** @import { Conversation } from '../lib/wire.d.ts' */

/** A mark at what waits for an answer. @param {Conversation} conversation */
export function waitingDot({ state }) {
  if (state.type !== 'awaiting_user_response') return null;
  const text = t('chat-waiting', { agent: state.source ?? 'askback' });
  return span('dot', span('visually-hidden', text));
}

/** @param {Conversation} conversation @param {string} name @param {HTMLElement} [details] */
export const conversationItem = (conversation, name, details) =>
  h(
    'li',
    {},
    h(
      'a',
      {
        href: `/c/${conversation.id}`,
        'aria-current': location.pathname === `/c/${conversation.id}` ? 'page' : undefined,
      },
      bdi(name, 'name'),
      waitingDot(conversation),
      details,
    ),
  );

/** @param {Store} store */
function otherAgentsSection(store) {
  const content = h('div', {});
  const fill = async () => {
    const { otherAgents } = await withStyles(import('./other-agents.js'), 'other-agents');
    otherAgents(store, content);
  };
  return h(
    'details',
    {
      class: 'other-agents',
      ontoggle: (/** @type {Event} */ event) => {
        const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
        if (open) fill().catch(() => {});
      },
    },
    h('summary', {}, icon('chevron'), h('span', {})),
    content,
  );
}

/** @param {Store} store @param {string} className */
export function conversationList(store, className) {
  // The heading is never replaced: a screen reader may be on it.
  const heading = h('h2', {});
  const own = h('div', {});
  const node = h('div', { class: className }, own);
  /** Drawn once the texts are there. @type {HTMLElement | null} */
  let others = null;
  const more = button('', () => {
    import('./more-conversations.js')
      .then(({ fetchMoreConversations }) => fetchMoreConversations(store))
      .catch(() => {});
  });
  return {
    node,
    draw() {
      heading.textContent = t('web-conversations');
      more.textContent = t('web-more-conversations');
      const newestFirst = [...store.conversations.values()]
        .filter(({ driver }) => driver !== 'external')
        .sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at));
      const items = newestFirst.map((each) =>
        conversationItem(each, each.title ?? formatTime(each.created_at)),
      );
      own.replaceChildren(
        ...(items.length
          ? [heading, h('ul', {}, items), ...(store.moreConversations ? [more] : [])]
          : []),
      );
      if (!store.isLoaded) return;
      if (!others) {
        others = otherAgentsSection(store);
        node.append(others);
      }
      const label = /** @type {HTMLElement} */ (others.querySelector('summary > span'));
      label.textContent = t('web-other-agents');
    },
  };
}
