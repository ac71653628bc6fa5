// The page of the inbox: the question that is answered now, and the way to the next one.

import { bdi, button, h, isTextField } from './dom.js';
import { guard } from './input-guard.js';
import { nameOf, takingBack, whenSettled } from './inbox-list.js';
import { hasDigits, newQuestion } from './preferences.js';
import { byUrgency } from './store.js';
import { t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

/**
 * The page of the inbox: one question at a time. It gives way to another one only when the reader does
 * something for that; what somebody else did to it is shown in its place.
 * @param {Store} store
 * @param {{ selected: () => string | null, go: (id: string) => void }} options
 */
export function inboxView(store, { selected, go }) {
  const heading = h('h1', { tabindex: -1 }, t('inbox-title'));
  const lead = h('p', { class: 'lead' });
  const place = h('div', { class: 'stage' });
  const more = h('p', { class: 'more' });
  const sent = h('div', { class: 'sent', hidden: true });
  const onward = h(
    'p',
    { class: 'onward', hidden: true },
    button(
      t('web-next-question'),
      () => {
        if (element?.data) moveOn(element.data);
      },
      { class: 'primary' },
    ),
  );
  const shown = guard(onward);
  const sentShown = guard(sent);
  const node = h(
    'div',
    { class: 'chat', onkeydown: keys },
    heading,
    lead,
    sent,
    place,
    onward,
    more,
  );
  /** @type {AskbackQuestion | null} */
  let element = null;

  /** @param {boolean} [isAsked] whether the reader wants to see what comes first */
  function draw(isAsked) {
    lead.textContent = t('inbox-count', { count: store.waiting.size });
    const chosen = selected();
    const isDone =
      !element ||
      !['loading', 'asked', 'sending', 'offline', 'held', 'late'].includes(element.state);
    const id = chosen ?? (!element || (isAsked && isDone) ? store.pending[0]?.id : null);
    if (id && element?.getAttribute('inquiry') !== id) show(id);
    offerNext();
  }

  /** A question that has ended stays until the reader goes on. */
  function offerNext() {
    const isEnded =
      Boolean(element?.data) &&
      !element?.isOpen &&
      !['loading', 'sending', 'offline'].includes(element?.state ?? '');
    const isOffered = isEnded && store.pending.some(({ id }) => id !== element?.data?.id);
    if (isOffered && onward.hidden) shown();
    onward.hidden = !isOffered;
  }

  /** @param {string} id */
  function show(id) {
    element = newQuestion('inbox');
    const inquiry = store.waiting.get(id);
    if (inquiry) element.inquiry = inquiry;
    else element.setAttribute('inquiry', id);
    place.replaceChildren(element);
    const conversation = inquiry && store.conversations.get(inquiry.conversation_id);
    more.replaceChildren(
      ...(inquiry
        ? [
            h(
              'a',
              { href: `/c/${inquiry.conversation_id}` },
              bdi(conversation?.title ?? t('web-conversations')),
            ),
          ]
        : []),
    );
    element.addEventListener('askback-resolved', next);
    element.addEventListener('askback-held', next);
    element.addEventListener('askback-state', offerNext);
  }

  /** To the question that follows this one in the list. @param {Inquiry} inquiry */
  function moveOn(inquiry) {
    const { pending } = store;
    const following = pending.find((each) => byUrgency(inquiry, each) < 0) ?? pending[0];
    if (!following) return false;
    go(following.id);
    element?.focusFirst();
    return true;
  }

  /** @param {Event} event */
  function next(event) {
    const { inquiry, hadFocus, byUser } =
      /** @type {CustomEvent<{ inquiry: Inquiry, hadFocus: boolean, byUser: boolean }>} */ (event)
        .detail;
    if (inquiry.held) {
      store.held(inquiry);
      if (byUser) store.tell('sent', inquiry);
    } else store.resolved(inquiry);
    lead.textContent = t('inbox-count', { count: store.waiting.size });
    offerNext();
    if (!byUser || !(hadFocus || document.activeElement === document.body) || !moveOn(inquiry))
      return;
    event.preventDefault();
    if (inquiry.held) offerUndo(inquiry, inquiry.held);
  }

  /** Where nothing is typed, u takes back what was sent last. @param {KeyboardEvent} event */
  function keys(event) {
    const [target] = event.composedPath();
    if (
      event.key !== 'u' ||
      event.repeat ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTextField(target) ||
      !hasDigits()
    )
      return;
    const undo = sent.hidden ? element?.root.querySelector('.undo') : sent.querySelector('.undo');
    if (undo instanceof HTMLElement) undo.click();
  }

  /** The question is out of view by now, so the way back stands above the next one. @param {Inquiry} inquiry @param {Held} held */
  async function offerUndo(inquiry, held) {
    const hide = () => {
      sent.hidden = true;
    };
    const { takeBack, undoButton } = await takingBack();
    sent.dataset.id = inquiry.id;
    sent.replaceChildren(
      h('span', {}, t('web-held'), ' · ', bdi(nameOf(inquiry))),
      undoButton(
        held,
        async () => {
          const { inquiry: now, words, isLost } = await takeBack(store.client, inquiry.id);
          document.dispatchEvent(new CustomEvent('askback-say', { detail: words }));
          if (isLost) return;
          hide();
          if (!now) return;
          store.hear({ type: 'inquiry_reopened', data: now });
          go(now.id);
          element?.focusFirst();
        },
        hide,
      ),
    );
    sentShown();
    sent.hidden = false;
  }

  const redraw = () => draw();
  const byReader = () => draw(true);
  store.addEventListener('pending', redraw);
  const settled = whenSettled(store, (id) => {
    if (sent.dataset.id === id) sent.hidden = true;
  });
  draw();
  return {
    node,
    heading,
    draw: byReader,
    element: () => element,
    leave() {
      store.removeEventListener('pending', redraw);
      settled();
    },
  };
}
