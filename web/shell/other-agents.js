// The conversations of other agents, one group for each agent: what was asked there last, how it ended, and when.

import { bdi, button, h, p, span } from '../lib/dom.js';
import { conversationItem, waitingDot } from './conversation-list.js';
import { formatTime, t } from '../lib/i18n.js';
import { answered, askedText, verdict } from '../question/outcome.js';
import { stateOf } from '../question/state.js';
import { projectOf } from './inquiry-names.js';

/** @import { Store } from './store.js' */
/** @import { Conversation, Inquiry } from '../lib/wire.d.ts' */

/** Conversations, and inquiries that were asked in them, that are read at once. */
const PAGE = 100;
const INQUIRIES = 200;

/** How it ended, in a line; empty while it waits. @param {Inquiry} inquiry */
const endingOf = (inquiry) =>
  stateOf(inquiry.status) === 'asked' ? '' : answered(inquiry) || verdict(inquiry);

/**
 * @param {Store} store
 * @param {string | null} cursor
 */
async function readPage(store, cursor) {
  const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
  const [page, inquiries] = await Promise.all([
    store.client.get(`/conversations?driver=external&limit=${PAGE}${from}`),
    store.client.get(`/inquiries?limit=${INQUIRIES}`),
  ]);
  return { page, inquiries: /** @type {Inquiry[]} */ (inquiries.items) };
}

/** How and when it ended, in which project. @param {Inquiry} inquiry */
function details(inquiry) {
  const { asker, asked_at, resolved_at } = inquiry;
  const project = projectOf(inquiry);
  const ending = endingOf(inquiry) || (asker?.detached && t('agent-not-waiting'));
  const at = resolved_at ?? asked_at;
  return span(
    'hint',
    ending && [bdi(ending), ' · '],
    h('time', { datetime: at }, formatTime(at)),
    project && [' · ', bdi(project)],
  );
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
  /** What was asked last in a conversation, by its id. @type {Map<string, Inquiry>} */
  const asked = new Map();

  /** @param {string | null} cursor */
  async function addPage(cursor) {
    const { page, inquiries } = await readPage(store, cursor);
    conversations.push(...page.items);
    // Newest first.
    for (const inquiry of inquiries)
      if (!asked.has(inquiry.conversation_id)) asked.set(inquiry.conversation_id, inquiry);
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
        : p('hint', t('web-no-other-agents', { command: 'askback install' })),
      ...(next ? [button(t('web-more-conversations'), () => addPage(next).catch(() => {}))] : []),
    );
  }

  /** @param {Conversation} conversation */
  function item(conversation) {
    const inquiry = asked.get(conversation.id);
    return inquiry
      ? conversationItem(conversation, askedText(inquiry), details(inquiry))
      : conversationItem(conversation, formatTime(conversation.created_at));
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
        span('hint', each.length),
      ),
      h('ul', {}, each.map(item)),
    );
  }

  await addPage(null);
}
