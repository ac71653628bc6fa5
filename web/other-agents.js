// The conversations of other agents, one group for each agent, named by what was asked there.

import { bdi, button, h } from './dom.js';
import { conversationItem, waitingDot } from './conversation-list.js';
import { formatTime, t } from './i18n.js';
import { nameOf } from './pending.js';

/** @import { Store } from './store.js' */
/** @import { Conversation, Inquiry } from './wire.d.ts' */

/** Conversations, and inquiries for their names, that are read at once. */
const PAGE = 100;
const NAMES = 200;

/**
 * @param {Store} store
 * @param {string | null} cursor
 */
async function readPage(store, cursor) {
  const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const [page, inquiries] = await Promise.all([
    store.client.get(`/conversations?driver=external&limit=${PAGE}${from}`),
    store.client.get(`/inquiries?limit=${NAMES}`),
  ]);
  return { page, inquiries: /** @type {Inquiry[]} */ (inquiries.items) };
}

/** @param {Conversation[]} conversations newest first */
function byAgent(conversations) {
  /** @type {Map<string, Conversation[]>} */
  const groups = new Map();
  for (const each of conversations) {
    const name = each.title ?? '';
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return groups;
}

/**
 * Reads the newest conversations of other agents into a node.
 * @param {Store} store
 * @param {HTMLElement} node
 */
export async function otherAgents(store, node) {
  /** @type {Conversation[]} */
  const conversations = [];
  /** What was asked in a conversation, by its id. @type {Map<string, string>} */
  const names = new Map();

  /** @param {string | null} cursor */
  async function addPage(cursor) {
    const { page, inquiries } = await readPage(store, cursor);
    conversations.push(...page.items);
    // Newest first: of a session, what was asked last.
    for (const inquiry of inquiries)
      if (!names.has(inquiry.conversation_id)) names.set(inquiry.conversation_id, nameOf(inquiry));
    draw(page.next);
  }

  /** @param {string | null} next */
  function draw(next) {
    const open = new Set(
      [...node.querySelectorAll('details[open]')].map(
        (each) => /** @type {HTMLElement} */ (each).dataset.agent,
      ),
    );
    const groups = [...byAgent(conversations)].map(([agent, each]) =>
      h('li', {}, group(agent, each, open.has(agent))),
    );
    node.replaceChildren(
      groups.length > 0
        ? h('ul', {}, groups)
        : h('p', { class: 'hint' }, t('web-no-other-agents', { command: 'askback install' })),
      ...(next ? [button(t('web-more-conversations'), () => addPage(next).catch(() => {}))] : []),
    );
  }

  /** @param {string} agent @param {Conversation[]} each @param {boolean} open */
  function group(agent, each, open) {
    const waiting = each.find(({ state }) => state.type === 'awaiting_user_response');
    return h(
      'details',
      { open, 'data-agent': agent },
      h(
        'summary',
        {},
        bdi(agent || t('someone'), 'name'),
        waiting && waitingDot(waiting),
        h('span', { class: 'hint' }, each.length),
      ),
      h(
        'ul',
        {},
        each.map((one) => conversationItem(one, names.get(one.id) ?? formatTime(one.created_at))),
      ),
    );
  }

  await addPage(null);
}
