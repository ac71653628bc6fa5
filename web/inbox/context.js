// Who asks the open question, in which conversation, and what the agent said last.

import { askerName } from '../question/outcome.js';
import { bdi, div, h, p } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { otherProjectOf } from './filter.js';
import { markdown } from '../lib/markdown.js';

/** @import { Store } from '../shell/store.js' */
/** @import { ConversationDetail, Inquiry } from '../lib/wire.d.ts' */

/** The last words of the agent are in one of this many messages, or not shown. */
const MESSAGES = 10;

/** @param {ConversationDetail} conversation */
function lastWords({ messages }) {
  const texts = messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ blocks }) => blocks)
    .filter(({ type }) => type === 'content')
    .map(({ text }) => text?.trim());
  return texts.findLast(Boolean) ?? '';
}

/** @param {Store} store @param {AbortSignal} left aborted when the page is left */
export function inboxContext(store, left) {
  const from = p('from');
  const said = h('div', { class: 'said', hidden: true });
  const node = div('context', from, said);
  let abort = new AbortController();

  /** @param {Inquiry} inquiry @param {string | null | undefined} title */
  function drawFrom(inquiry, title) {
    const { conversation_id, recipient, recipient_name } = inquiry;
    const agent = askerName(inquiry);
    const project = otherProjectOf(inquiry, agent);
    from.replaceChildren(
      bdi(agent, 'who'),
      ...(recipient
        ? [h('span', {}, t('for-recipient', { recipient: recipient_name ?? recipient }))]
        : []),
      ...(project ? [h('span', { title: inquiry.asker?.project ?? '' }, bdi(project))] : []),
      h('a', { href: `/c/${conversation_id}` }, bdi(title || t('inbox-open-conversation'))),
    );
  }

  /** @param {Inquiry | null} inquiry */
  async function show(inquiry) {
    abort.abort();
    abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, left]);
    said.hidden = true;
    node.hidden = !inquiry;
    if (!inquiry) return;
    const { conversation_id } = inquiry;
    const known = store.conversations.get(conversation_id);
    // The title of an external conversation is the name of its agent.
    drawFrom(inquiry, known?.driver === 'external' ? null : known?.title);
    // An external agent asks questions and says nothing.
    if (known?.driver === 'external' || !store.canChat) return;
    const path = `/conversations/${encodeURIComponent(conversation_id)}?limit=${MESSAGES}`;
    const conversation = await store.client.get(path, { signal }).catch(() => null);
    if (!conversation || signal.aborted) return;
    drawFrom(inquiry, conversation.driver === 'external' ? null : conversation.title);
    const text = lastWords(conversation);
    if (!text) return;
    const label = t('inbox-last-words', { agent: askerName(inquiry) });
    said.replaceChildren(
      p('hint', label),
      h(
        'div',
        { class: 'words markdown', tabindex: 0, role: 'group', 'aria-label': label },
        markdown(text),
      ),
    );
    said.hidden = false;
  }

  return { node, show };
}
