// Where the questions of a conversation wait: in the place of the message field, always in view. One is
// shown; the others are one step away.

import { button, div, h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { inputGuard } from '../lib/input-guard.js';

/** @import { AskbackQuestion } from '../element.js' */

/** States of a question that somebody still has to deal with. */
const OPEN = ['asked', 'loading', 'sending', 'offline', 'unreachable', 'missing', 'late'];

export class QuestionDock {
  /** @param {(element: AskbackQuestion) => void} dismiss puts away a question that ended elsewhere */
  constructor(dismiss) {
    /** In the order in which they were asked. @type {AskbackQuestion[]} */
    this.elements = [];
    /** @type {AskbackQuestion | null} */
    this.shown = null;
    this.more = h('span', {});
    this.bar = h(
      'div',
      { class: 'dock-bar', hidden: true },
      this.more,
      this.stepButton('web-previous-question', 'previous', -1),
      this.stepButton('web-next-question', 'next', 1),
    );
    this.stage = div('stage');
    this.ended = h(
      'p',
      { class: 'dock-ended', slot: 'end', hidden: true },
      button(t('web-close'), () => this.shown && dismiss(this.shown), { class: 'primary' }),
    );
    this.guardEnded = inputGuard(this.ended);
    this.node = h('div', { class: 'docked', hidden: true }, this.bar, this.stage);
  }

  /** @param {string} label @param {'previous' | 'next'} name @param {number} by */
  stepButton(label, name, by) {
    const step = () => {
      const at = this.shown ? this.elements.indexOf(this.shown) : 0;
      const { length } = this.elements;
      this.show(this.elements[(at + by + length) % length]);
    };
    return button(icon(name), step, { class: 'quiet', 'aria-label': t(label) });
  }

  /** Questions that can be answered now. */
  get open() {
    return this.elements.filter((each) => each.state === 'asked');
  }

  /** Whether the place is taken by a question that waits. */
  get isTaken() {
    return this.elements.some((each) => OPEN.includes(each.state));
  }

  /** @param {AskbackQuestion} element */
  add(element) {
    if (this.elements.includes(element)) return;
    element.toggleAttribute('docked', true);
    this.elements.push(element);
    this.stage.append(element);
    this.update();
  }

  /** @param {AskbackQuestion} element */
  remove(element) {
    this.elements = this.elements.filter((each) => each !== element);
    element.removeAttribute('docked');
    element.hidden = false;
    element.remove();
    if (this.shown === element) this.shown = null;
    this.update();
  }

  /** @param {AskbackQuestion} element */
  show(element) {
    if (this.shown !== element) {
      this.shown = element;
      // It was not in view until now.
      element.guardContent();
      this.stage.scrollTop = 0;
    }
    this.update();
  }

  update() {
    if (!this.shown && this.elements.length > 0)
      this.show(this.open[0] ?? /** @type {AskbackQuestion} */ (this.elements.at(0)));
    this.node.hidden = this.elements.length === 0;
    // An answer that can still be undone stays in view above the next question.
    for (const each of this.elements) each.hidden = each !== this.shown && each.state !== 'held';
    const others = this.elements.filter((each) => each !== this.shown && OPEN.includes(each.state));
    this.bar.hidden = others.length === 0;
    this.more.textContent = t('web-more-waiting', { count: others.length });
    const hasEnded = this.shown !== null && ![...OPEN, 'held'].includes(this.shown.state);
    if (hasEnded) this.shown?.append(this.ended);
    if (hasEnded && this.ended.hidden) this.guardEnded();
    this.ended.hidden = !hasEnded;
  }

  /** Opens the question, and puts the focus on its first control. */
  focus(element = this.shown) {
    if (!element) return;
    this.show(element);
    element.focusFirst();
  }
}
