// The rows of the inbox. Only those in view are in the page, so that thousands of questions cost no
// more than what is on the screen. All rows have one height.

import { bdi, h, span } from '../lib/dom.js';
import { formatTime, t, today } from '../lib/i18n.js';
import { formatAge, formatUntil } from '../lib/relative-time.js';
import { otherProjectOf, otherRecipientOf } from './filter.js';
import { outbox } from '../draft/outbox.js';
import { verdict, askerName } from '../question/outcome.js';
import { askedOf, nameOf } from '../shell/inquiry-names.js';

/** @import { Inquiry, Question } from '../lib/wire.d.ts' */

/** Rows drawn above and below those in view. */
const OVERSCAN = 4;
/** About what fits on one line. */
const LINE_CHARS = 30;
/** The height before a row was measured, in pixels. */
const ROW_PX = 84;
/** How often ages and remaining times are drawn again, in milliseconds. */
const REFRESH_MS = 20_000;
/** The colours of agents, in inbox-rows.css. */
const HUES = 5;
/** The last part of the time before a deadline is marked, in milliseconds. */
const NEAR_MS = 5 * 60_000;

/**
 * @typedef {object} RowOptions
 * @property {(id: string) => boolean} isMarked
 * @property {() => string | null} currentId the open question
 * @property {(id: string) => number | undefined} snoozedUntil
 * @property {(id: string) => string | null | undefined} conversationTitle
 * @property {(id: string) => void} onOpen
 * @property {(id: string) => void} onMark
 * @property {(id: string) => void} onFocusMoved the row that had the focus was removed, and this one has it
 * @property {() => void} onFocusLost the last row was removed, and it had the focus
 */

/** What answers a question without choices. @param {Question} question */
const kindText = ({ kind }) =>
  kind === 'number'
    ? t('number-any')
    : kind === 'text'
      ? t('web-own-answer')
      : t('date-any', { example: today() });

/**
 * The second line of a row: what explains the question, the choices, or the kind of answer. A long question has both lines.
 * @param {Question[]} questions
 */
function previewOf([question]) {
  if (!question) return '';
  if (question.text.length > LINE_CHARS) return '';
  const labels = (question.choices ?? []).map(({ label }) => label);
  return question.context || labels.join(' · ') || kindText(question);
}

export class InboxRows {
  /** @param {RowOptions} options @param {AbortSignal} signal aborted when the page is left */
  constructor(options, signal) {
    this.options = options;
    this.node = h('ul', { class: 'inbox' });
    /** @type {Inquiry[]} */
    this.items = [];
    /** @type {Map<string, { node: HTMLElement, link: HTMLAnchorElement, box: HTMLInputElement, badge: HTMLElement, key: string }>} */
    this.drawn = new Map();
    this.rowHeight = 0;
    /** The row that Tab goes to. @type {string | null} */
    this.tabStop = null;
    const draw = () => this.drawWindow();
    // Captured: the list may scroll in its column or with the page.
    addEventListener('scroll', draw, { capture: true, passive: true, signal });
    addEventListener('resize', draw, { signal });
    const timer = setInterval(draw, REFRESH_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** @param {Inquiry[]} items */
  draw(items) {
    const focused = this.focusedId;
    const at = this.indexOf(focused);
    this.items = items;
    this.drawWindow();
    if (at < 0 || this.indexOf(focused) >= 0) return;
    // The row that had the focus is gone.
    const id = this.focusAt(at);
    if (id) this.options.onFocusMoved(id);
    else this.options.onFocusLost();
  }

  /** @param {string | null | undefined} id */
  indexOf(id) {
    return id ? this.items.findIndex((each) => each.id === id) : -1;
  }

  /** The id of the row that has the focus. */
  get focusedId() {
    const row = document.activeElement?.closest('.inbox li');
    return row instanceof HTMLElement && this.node.contains(row) ? (row.dataset.id ?? null) : null;
  }

  /** First and last position in view. */
  range() {
    const { top } = this.node.getBoundingClientRect();
    const height = this.rowHeight || ROW_PX;
    const first = Math.floor(-top / height) - OVERSCAN;
    const last = Math.ceil((innerHeight - top) / height) + OVERSCAN;
    return [Math.max(first, 0), Math.min(last, this.items.length - 1)];
  }

  drawWindow() {
    if (!this.node.isConnected) return;
    const focusedId = this.focusedId;
    const current = this.options.currentId();
    this.tabStop =
      [focusedId, current, this.tabStop].find((id) => this.indexOf(id) >= 0) ??
      this.items[0]?.id ??
      null;
    const [first, last] = this.range();
    const wanted = new Set();
    for (let at = first; at <= last; at += 1) wanted.add(at);
    // A row that has the focus is kept, wherever the list is scrolled to.
    const focusedAt = this.indexOf(focusedId);
    if (focusedAt >= 0) wanted.add(focusedAt);
    const ids = new Set([...wanted].map((at) => this.items[at].id));
    for (const [id, { node }] of this.drawn)
      if (!ids.has(id)) {
        node.remove();
        this.drawn.delete(id);
      }
    let before = this.node.firstElementChild;
    for (const at of [...wanted].sort((one, other) => one - other)) {
      const row = this.drawRow(this.items[at], at);
      if (row === before) before = before.nextElementSibling;
      else this.node.insertBefore(row, before);
    }
    this.measure();
  }

  measure() {
    const height = this.node.firstElementChild?.getBoundingClientRect().height ?? 0;
    if (height > 0 && Math.abs(height - this.rowHeight) > 0.5) {
      this.rowHeight = height;
      this.drawWindow();
    }
    const total = `${this.items.length * (this.rowHeight || ROW_PX)}px`;
    if (this.node.style.blockSize !== total) this.node.style.blockSize = total;
  }

  /** @param {Inquiry} inquiry @param {number} at */
  drawRow(inquiry, at) {
    const { id } = inquiry;
    const key = this.keyOf(inquiry);
    let row = this.drawn.get(id);
    if (!row) {
      row = this.newRow(id);
      this.drawn.set(id, row);
    }
    if (row.key !== key) {
      row.key = key;
      row.node.classList.toggle('ended', inquiry.status !== 'pending' || Boolean(inquiry.held));
      row.link.replaceChildren(...this.content(inquiry));
      row.box.setAttribute('aria-label', t('inbox-mark', { name: nameOf(inquiry) }));
      const agent = askerName(inquiry);
      row.badge.dataset.letter = [...agent][0] ?? '';
      row.badge.dataset.hue = String(
        [...agent].reduce((sum, each) => sum + (each.codePointAt(0) ?? 0), 0) % HUES,
      );
    }
    const isMarked = this.options.isMarked(id);
    if (row.box.checked !== isMarked) row.box.checked = isMarked;
    row.link.classList.toggle('marked', isMarked);
    const { link, node, box } = row;
    setAttribute(link, 'aria-current', this.options.currentId() === id ? 'true' : null);
    setAttribute(link, 'tabindex', this.tabStop === id ? '0' : '-1');
    setAttribute(box, 'tabindex', this.tabStop === id ? '0' : '-1');
    setAttribute(node, 'aria-posinset', String(at + 1));
    setAttribute(node, 'aria-setsize', String(this.items.length));
    const top = `${at * (this.rowHeight || ROW_PX)}px`;
    if (node.style.insetBlockStart !== top) node.style.insetBlockStart = top;
    return node;
  }

  /** What the content of a row is made from. @param {Inquiry} inquiry */
  keyOf(inquiry) {
    const { id, revision, status, expires_at, conversation_id } = inquiry;
    return [
      id,
      revision,
      status,
      inquiry.held?.until,
      expires_at,
      this.timeText(inquiry),
      this.options.conversationTitle(conversation_id),
      askerName(inquiry),
      otherRecipientOf(inquiry),
      outbox.read(id)?.path,
    ].join('|');
  }

  /** @param {Inquiry} inquiry */
  timeText({ id, status, expires_at, asked_at }) {
    const snoozed = this.options.snoozedUntil(id);
    if (snoozed)
      return t('inbox-snoozed-until', { time: formatTime(new Date(snoozed).toISOString()) });
    return status === 'pending' && expires_at ? formatUntil(expires_at) : formatAge(asked_at);
  }

  /** @param {string} id */
  newRow(id) {
    const link = h('a', {
      href: `/inbox#${id}`,
      'data-id': id,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        this.options.onOpen(id);
      },
    });
    const box = h('input', { type: 'checkbox', onchange: () => this.options.onMark(id) });
    const badge = h('label', { class: 'tick' }, box);
    return { node: h('li', { 'data-id': id }, link, badge), link, box, badge, key: '' };
  }

  /** @param {Inquiry} inquiry */
  content(inquiry) {
    const { expires_at, questions, conversation_id, status, held } = inquiry;
    const isEnded = status !== 'pending' || held;
    const project = otherProjectOf(inquiry, askerName(inquiry));
    const title = this.options.conversationTitle(conversation_id);
    const recipient = otherRecipientOf(inquiry);
    const isNear = !isEnded && expires_at && Date.parse(expires_at) - Date.now() < NEAR_MS;
    const preview = isEnded
      ? held
        ? t('web-held')
        : verdict(inquiry)
      : outbox.read(inquiry.id)
        ? t('web-not-sent-yet')
        : previewOf(questions);
    return [
      span(
        'meta',
        bdi(askerName(inquiry)),
        (project || title) && span('where', bdi(project || title || '')),
        recipient && span('where', bdi(t('for-recipient', { recipient }))),
        h(
          'time',
          {
            class: isNear ? 'near' : undefined,
            datetime: expires_at ?? inquiry.asked_at,
            title: expires_at && t('web-deadline', { time: formatTime(expires_at) }),
          },
          this.timeText(inquiry),
        ),
      ),
      bdi(askedOf(inquiry), preview ? 'name' : 'name whole'),
      preview && h('span', { class: 'preview', dir: 'auto' }, preview),
    ];
  }

  /** Focuses the row at a position, scrolling to it if needed. @param {number} at */
  focusAt(at) {
    const inquiry = this.items[Math.min(Math.max(at, 0), this.items.length - 1)];
    if (!inquiry) return null;
    this.reveal(inquiry.id);
    this.drawn.get(inquiry.id)?.link.focus({ preventScroll: true });
    this.drawWindow();
    return inquiry.id;
  }

  /** Scrolls a row into view, and draws it. @param {string} id */
  reveal(id) {
    const at = this.indexOf(id);
    if (at < 0) return;
    if (!this.drawn.has(id)) {
      const row = this.drawRow(this.items[at], at);
      const following = [...this.node.children].find(
        (each) => each instanceof HTMLElement && this.indexOf(each.dataset.id) > at,
      );
      this.node.insertBefore(row, following ?? null);
    }
    this.drawn.get(id)?.node.scrollIntoView({ block: 'nearest' });
    this.drawWindow();
  }
}

/** Writes nothing if nothing changes. @param {Element} element @param {string} name @param {string | null} value */
function setAttribute(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
