// The messages of a conversation. A message that changes is updated in place: somebody may be typing
// in a question inside it.

import { div, h, ignore, p } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { formatTime, t } from '../lib/i18n.js';

/** @import { IconName } from '../lib/icons.js' */
/** @import { Block, Message, QuestionExtra } from '../lib/wire.d.ts' */
/** A block as it was drawn, with its JSON to compare. @typedef {{ node: HTMLElement, json: string }} DrawnBlock */

const TOOL_ICONS = /** @type {Record<string, IconName>} */ ({ success: 'check', error: 'close' });

/** A question that the agent sent in a form that cannot be shown. @param {Block} block */
function invalidQuestion({ tool_call: call }) {
  /** @param {string} label @param {string | null | undefined} text */
  const part = (label, text) =>
    text && h('details', {}, h('summary', {}, label), h('pre', { dir: 'auto', tabindex: 0 }, text));
  return div(
    'failure',
    h('p', {}, t('web-bad-question'), ' ', h('code', { dir: 'ltr' }, call?.name)),
    part(t('web-agent-sent'), call?.input),
    part(t('web-agent-told'), call?.result),
  );
}

/** @param {Block} block */
function toolCall({ tool_call: call, status, text }) {
  return h(
    'details',
    { class: `tool ${status ?? ''}` },
    h(
      'summary',
      {},
      icon(TOOL_ICONS[status ?? ''] ?? 'waiting'),
      h('code', { dir: 'ltr' }, call?.name),
    ),
    h('pre', { dir: 'ltr', tabindex: 0 }, call?.result ?? text),
  );
}

/** Text of the agent: plain until the module that draws Markdown is loaded. @param {string} text */
function agentText(text) {
  const node = div('markdown', h('p', { class: 'plain', dir: 'auto' }, text));
  import('../lib/markdown.js').then(
    ({ markdown }) => node.replaceChildren(...markdown(text)),
    ignore,
  );
  return node;
}

export class ChatMessages {
  /**
   * @param {{ agentName: () => string, questionSlot: (extra: QuestionExtra, block: Block) => HTMLElement }} options
   */
  constructor({ agentName, questionSlot }) {
    this.agentName = agentName;
    this.questionSlot = questionSlot;
    /** @type {Map<string, { node: HTMLElement, blocks: DrawnBlock[] }>} */
    this.drawn = new Map();
  }

  /** @param {Message} message */
  has(message) {
    return this.drawn.has(message.id);
  }

  /** Draws a message, or updates the one that is drawn. @param {Message} message */
  draw(message) {
    const known = this.drawn.get(message.id);
    if (known) {
      this.update(known, message);
      return known.node;
    }
    const author = message.role === 'user' ? t('chat-you') : this.agentName();
    const blocks = message.blocks.map((block) => ({
      node: this.drawBlock(message, block),
      json: JSON.stringify(block),
    }));
    const node = h(
      'article',
      { class: `message ${message.role}`, 'aria-label': author },
      p(
        'author',
        h('span', {}, author),
        h('time', { datetime: message.at }, formatTime(message.at)),
      ),
      blocks.map((block) => block.node),
    );
    this.drawn.set(message.id, { node, blocks });
    return node;
  }

  /** The name of the agent is known only when its app was read. */
  renameAgent() {
    const name = this.agentName();
    for (const { node } of this.drawn.values()) {
      if (!node.matches('.assistant') || node.getAttribute('aria-label') === name) continue;
      node.setAttribute('aria-label', name);
      node.querySelector('.author span')?.replaceChildren(name);
    }
  }

  /** @param {{ node: HTMLElement, blocks: DrawnBlock[] }} known @param {Message} message */
  update(known, message) {
    message.blocks.forEach((block, at) => {
      const before = known.blocks[at];
      const json = JSON.stringify(block);
      if (before?.json === json) return;
      const node = this.drawBlock(message, block);
      if (!before) known.node.append(node);
      else if (before.node !== node) before.node.replaceWith(node);
      known.blocks[at] = { node, json };
    });
    for (const { node } of known.blocks.splice(message.blocks.length)) node.remove();
  }

  /** @param {Message} message @param {Block} block */
  drawBlock(message, block) {
    if (block.type === 'action' && block.extra) return this.questionSlot(block.extra, block);
    if (block.type === 'tool_call' && block.tool_call) return toolCall(block);
    if (block.type === 'error' && block.tool_call) return invalidQuestion(block);
    if (block.type === 'error') return h('p', { class: 'failure', dir: 'auto' }, block.text);
    if (message.role === 'user') return h('p', { class: 'user-text', dir: 'auto' }, block.text);
    return agentText(block.text ?? '');
  }
}
