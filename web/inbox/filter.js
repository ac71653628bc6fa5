// Which pending questions the inbox lists, and in which order.

import { askerName } from '../question/outcome.js';
import { MINE, aliasOf, byAge, byUrgency, isMine } from '../shell/pending.js';
import { preference, setPreference } from '../shell/preferences.js';
import { nameOf, projectOf } from '../shell/inquiry-names.js';

/** @import { Order } from '../shell/pending.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** @type {Record<string, Order>} */
const ORDERS = {
  deadline: byUrgency,
  oldest: byAge,
  newest: (one, other) => byAge(other, one),
};

/** The project of the agent, unless the agent is named after it. @param {Inquiry} inquiry @param {string} agent */
export function otherProjectOf(inquiry, agent) {
  const project = projectOf(inquiry);
  return agent.toLowerCase().includes(project.toLowerCase()) ? '' : project;
}

/** Whether some questions are for this person in particular. */
export const hasMine = MINE.length > 0;

/** For whom a question is, unless it is for this person alone. @param {Inquiry} inquiry */
export const otherRecipientOf = (inquiry) =>
  aliasOf(inquiry) === MINE[0] ? '' : (inquiry.recipient_name ?? aliasOf(inquiry));

export class InboxFilter {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.text = '';
    /** The source of the questions; empty for all. */
    this.agent = '';
    /** Whether only questions for this person are listed. */
    this.isForMe = false;
    /** Whether the snoozed questions are listed instead of the others. */
    this.showsSnoozed = false;
    /** Lower-case texts to search in. @type {WeakMap<Inquiry, string>} */
    this.haystacks = new WeakMap();
  }

  get sort() {
    const chosen = preference('inbox-sort');
    return ORDERS[chosen] ? chosen : 'deadline';
  }

  set sort(name) {
    setPreference('inbox-sort', name);
  }

  /** What is for this person comes first. */
  get order() {
    const order = ORDERS[this.sort];
    if (!hasMine) return order;
    return (/** @type {Inquiry} */ one, /** @type {Inquiry} */ other) =>
      Number(isMine(other)) - Number(isMine(one)) || order(one, other);
  }

  /** Whether questions may be left out. */
  get isActive() {
    return this.text.trim() !== '' || this.agent !== '' || this.isForMe;
  }

  clear() {
    this.text = this.agent = '';
    this.isForMe = false;
  }

  /** The questions that are listed, in order. */
  list() {
    const { snoozes, pending } = this.store;
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    const listed = pending.filter(
      (inquiry) =>
        snoozes.has(inquiry.id) === this.showsSnoozed &&
        (!this.isForMe || isMine(inquiry)) &&
        (!this.agent || askerName(inquiry) === this.agent) &&
        words.every((word) => this.haystack(inquiry).includes(word)),
    );
    return this.sort === 'deadline' && !hasMine ? listed : listed.sort(this.order);
  }

  /** @param {Inquiry} inquiry */
  haystack(inquiry) {
    const known = this.haystacks.get(inquiry);
    if (known) return known;
    const { conversation_id, questions } = inquiry;
    const text = [
      nameOf(inquiry),
      askerName(inquiry),
      inquiry.asker?.project,
      inquiry.recipient_name ?? inquiry.recipient,
      this.store.conversations.get(conversation_id)?.title,
      ...questions.flatMap((question) => [
        question.header,
        question.text,
        question.context,
        ...(question.choices ?? []).map(({ label }) => label),
      ]),
    ]
      .filter(Boolean)
      .join('\n')
      .toLowerCase();
    this.haystacks.set(inquiry, text);
    return text;
  }

  /** Everybody who asks, in alphabetical order. */
  agents() {
    return [...new Set(this.store.pending.map(askerName))].sort((one, other) =>
      one.localeCompare(other),
    );
  }
}
