// Draws <askback-question>: the frame, and for each state what is inside. Modules that few questions
// need are loaded when they are drawn.

import { button, div, h, ignore, lazyDetails, loadExtraStyles, p, span } from '../lib/dom.js';
import { fetchFields, hasFields } from './fields.js';
import { icon } from '../lib/icons.js';
import { formatList, languageTag, t, textDirection } from '../lib/i18n.js';
import { RELOAD_MS } from './connection.js';
import { outbox } from '../draft/outbox.js';
import { answerStatus } from '../draft/draft.js';
import { answerLine, foldedLine, handedOn, headline, verdict } from './outcome.js';
import { QuestionForm } from './form.js';

/** @import { Draft } from '../draft/draft.js' */
/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry, Question } from '../lib/wire.d.ts' */

/** The text of states without a form. */
const STATUS_TEXTS = /** @type {Record<string, string>} */ ({
  sending: 'web-sending',
  offline: 'web-saved-offline',
  unreachable: 'chat-connection-lost',
  missing: 'web-not-found',
  refused: 'web-refused',
});

/** @param {AskbackQuestion} element */
export function renderElement(element) {
  const { data: inquiry, state, heading, root } = element;
  const restoreFocus = rememberFocus(root, heading);
  element.form = null;
  const content =
    inquiry && state !== 'loading'
      ? contentFor(element, inquiry)
      : [p('hint', t(STATUS_TEXTS[state] ?? 'chat-connecting'))];
  if (inquiry && state === 'loading') renderWhenFieldsLoad(element, inquiry);
  drawHeading(element);
  drawAboveForm(element);
  const section = h(
    'section',
    {
      ...sectionName(element),
      part: 'question',
      'data-state': state,
      class: element.isFolded ? 'folded' : undefined,
      dir: textDirection(),
      lang: languageTag(),
      // Esc only moves the focus; it never ends a question.
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        if (root.activeElement === heading) return;
        event.stopPropagation();
        if (element.emit('askback-leave', {})) heading.focus();
      },
    },
    h('header', {}, heading, inquiry && foldButton(element)),
    h(
      'div',
      { class: 'body', hidden: element.isFolded },
      element.above,
      content,
      // What the page adds to it.
      h('slot', { name: 'end' }),
    ),
  );
  root.replaceChildren(
    section,
    h('p', { class: 'status visually-hidden', role: 'status' }),
    h('p', { class: 'alert visually-hidden', role: 'alert' }),
  );
  restoreFocus();
}

/**
 * What stands above the form: a notice, the deadline, a draft of another device. It changes while somebody
 * writes in the form, which stays as it is.
 * @param {AskbackQuestion} element
 */
export function drawAboveForm(element) {
  const { above, data: inquiry, state, heading, root, draftSync } = element;
  const { notice } = element.shown;
  const focused = above.contains(root.activeElement) && root.activeElement;
  const isAsked = inquiry && state === 'asked';
  const parts = [
    notice && p('notice', notice),
    isAsked && handedOn(inquiry),
    isAsked && inquiry.asker?.detached && p('context', t('agent-not-waiting')),
    isAsked && inquiry.expires_at && deadlineSection(element, inquiry),
    isAsked && draftSync.otherDraft && otherDraftSection(element, inquiry),
  ];
  above.replaceChildren(...parts.filter((part) => part instanceof Node));
  if (!focused) return;
  // The same button, and no other: the key that pressed it may be pressed again.
  const buttons = [...above.querySelectorAll('button')];
  (buttons.find(({ textContent }) => textContent === focused.textContent) ?? heading).focus();
}

/** Questions without a header are told apart by their texts. @param {AskbackQuestion} element */
function sectionName({ data, heading }) {
  const questions = data?.questions ?? [];
  if (questions.length < 2 && (questions[0]?.header || questions.length === 0))
    return { 'aria-labelledby': heading.id };
  return { 'aria-label': formatList(questions.map(({ header, text }) => header ?? text)) };
}

/** What the question is called; folded, all that there is to say in a line. @param {AskbackQuestion} element */
function drawHeading({ data: inquiry, heading, isFolded, state, dataset }) {
  const name = inquiry
    ? (isFolded ? foldedLine : headline)(inquiry, state)
    : [span('visually-hidden', t('question-count', { count: 1 }))];
  heading.replaceChildren(...name);
  // The inbox says above the question who asks.
  if (dataset.view === 'inbox') heading.querySelector('.who')?.classList.add('visually-hidden');
}

/** @param {AskbackQuestion} element */
const foldButton = (element) =>
  button(icon('chevron'), () => toggleFolded(element), {
    class: 'fold',
    'aria-expanded': String(!element.isFolded),
    'aria-label': t('web-details'),
  });

/** @param {AskbackQuestion} element */
export function toggleFolded(element) {
  element.isFolded = !element.isFolded;
  drawHeading(element);
  element.root.querySelector('section')?.classList.toggle('folded', element.isFolded);
  const body = element.root.querySelector('.body');
  if (body instanceof HTMLElement) body.hidden = element.isFolded;
  element.root.querySelector('.fold')?.setAttribute('aria-expanded', String(!element.isFolded));
}

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
async function renderWhenFieldsLoad(element, inquiry) {
  await fetchFields(inquiry);
  if (element.data?.id !== inquiry.id) return;
  if (hasFields(inquiry.questions)) element.render();
  else element.connection.reloadTimer = setTimeout(element.redraw, RELOAD_MS);
}

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
function contentFor(element, inquiry) {
  const { state, isSentHere, draftSync } = element;
  if (element.isOpen) return formView(element, inquiry);
  const meanwhile =
    state === 'held' ? p('hint', isSentHere && t('web-held')) : p('verdict', verdict(inquiry));
  // Loaded while the answer is on its way.
  const outcome = whenLoaded(
    'outcome',
    () => import('./outcome-view.js'),
    ({ outcomeView }) => outcomeView(element, inquiry),
    meanwhile,
  );
  if (state === 'sending' || state === 'offline') return sendingView(element, inquiry);
  const unsent = !isSentHere && draftSync.draft;
  return [outcome, unsent && isEntered(inquiry.questions, unsent) && unsentView(inquiry, unsent)];
}

/** What is being sent; if that takes long, with a way to change it. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function sendingView({ sender, state }, { id }) {
  return [
    p('progress', t(STATUS_TEXTS[state])),
    answerList(outbox.read(id)?.shown ?? []),
    sender.failures > 0 && button(t('web-edit'), () => sender.takeBack()),
  ];
}

/** Whether anything was entered. @param {Question[]} questions @param {Draft} draft */
const isEntered = (questions, { entries }) =>
  questions.some(
    (question, at) =>
      answerStatus(question, entries[at]) !== 'unanswered' || Boolean(entries[at].note?.trim()),
  );

/** @param {[string, string][]} pairs questions and answers */
const answerList = (pairs) =>
  h(
    'dl',
    {},
    pairs.map(([question, answer]) =>
      div(
        'pair',
        h('dt', { dir: 'auto' }, question),
        h('dd', { class: 'note-text', dir: 'auto' }, answer),
      ),
    ),
  );

/** What was entered here when somebody else answered first. @param {Inquiry} inquiry @param {Draft} draft */
function unsentView({ questions }, { entries }) {
  const list = answerList(
    questions.map((question, at) => [question.text, answerLine(question, entries[at])]),
  );
  // A single question is shown above already.
  if (questions.length === 1) list.querySelector('dt')?.classList.add('visually-hidden');
  return h(
    'div',
    // It takes the focus of the field that is gone.
    { class: 'unsent', tabindex: -1, role: 'group', 'aria-label': t('web-not-sent') },
    p('small', t('web-not-sent')),
    list,
  );
}

/** Whether the page wants something not to be offered. @param {AskbackQuestion} element @param {string} name */
const hides = (element, name) => element.getAttribute('hide')?.split(/\s+/).includes(name) ?? false;

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
function formView(element, inquiry) {
  const { sender, fieldStates } = element;
  const isLate = element.state === 'late';
  element.form = new QuestionForm({
    inquiry,
    isLate,
    errors: element.shown.errors,
    draft: () => element.draft,
    digits: element.getAttribute('digits') !== 'off',
    twoSteps: element.hasAttribute('two-steps'),
    hides: (name) => hides(element, name),
    fieldState: (question) => {
      const known = fieldStates.get(question) ?? {};
      fieldStates.set(question, known);
      return known;
    },
    parseDate: (text) =>
      import('../draft/typed-date.js').then(
        ({ fetchDate }) => fetchDate(element.client, text),
        () => null,
      ),
    shownDays: element.shownDays,
    edit: element.edit,
    send: () => sender.sendAnswer(),
    declineOrReject: (action) => sender.declineOrReject(action),
    skip: element.skip,
    showErrors: element.showErrors,
    announce: (text) => element.announce(text),
  });
  if (isLate) return [element.form.node];
  element.share ??= panels(element, inquiry);
  return [element.form.node, ...element.share];
}

/** What was loaded, by name. @type {Map<string, any>} */
const modules = new Map();

/**
 * Draws with a module: at once if it is loaded, because the focus is put back by the order of the controls,
 * or else in a place that is filled later.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @param {(module: T) => HTMLElement} draw
 */
function whenLoaded(name, load, draw, placeholder = h('div')) {
  if (modules.has(name)) return draw(modules.get(name));
  load().then((module) => {
    modules.set(name, module);
    placeholder.replaceWith(draw(module));
  }, ignore);
  return placeholder;
}

/** Few questions have a deadline. @param {AskbackQuestion} element @param {Inquiry} inquiry */
const deadlineSection = (element, inquiry) =>
  whenLoaded(
    'deadline',
    () => Promise.all([import('./deadline.js'), loadExtraStyles()]),
    ([{ deadlineView }]) => deadlineView(element, inquiry),
  );

/** Another device saved a different draft meanwhile. @param {AskbackQuestion} element @param {Inquiry} inquiry */
const otherDraftSection = (element, inquiry) =>
  whenLoaded(
    'draft',
    () => import('../draft/other.js'),
    ({ otherDraftView }) => otherDraftView(element, inquiry),
  );

/**
 * "Answer on another device", and "Hand on…" if the server says that there is somebody. They are filled when they are opened.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
function panels(element, inquiry) {
  // The token of one question makes no links.
  if (/^askback_i/.test(element.getAttribute('token') ?? '')) return [];
  const hasPeople = document.documentElement.dataset.handOn !== undefined;
  const offered = [
    ...(hides(element, 'other-device') ? [] : ['web-link']),
    ...(hasPeople && !hides(element, 'hand-on') ? ['hand-on'] : []),
  ];
  return offered.map((name) =>
    lazyDetails({ class: 'share' }, t(name), async (panel) => {
      const { fillPanel } = await import('./panels.js');
      await fillPanel(panel, name, element, inquiry);
    }),
  );
}

/** Focusable elements of a question. */
const CONTROLS = 'input, textarea, button, summary, a, pre, .unsent';

/**
 * Call the result after drawing. It focuses the heading again, or the control at the same position, and
 * restores its selection.
 * @param {ShadowRoot} root
 * @param {HTMLElement} heading
 * @returns {() => void}
 */
function rememberFocus(root, heading) {
  const focused = root.activeElement;
  if (!focused) return () => {};
  if (focused === heading) return () => heading.focus();
  const at = [...root.querySelectorAll(CONTROLS)].indexOf(focused);
  const text =
    focused instanceof HTMLTextAreaElement ||
    (focused instanceof HTMLInputElement && focused.type === 'text')
      ? focused
      : null;
  const caret = text && { start: text.selectionStart, end: text.selectionEnd };
  return () => {
    const now = /** @type {HTMLElement | undefined} */ ([...root.querySelectorAll(CONTROLS)][at]);
    if (!now || now.localName !== focused.localName || now.className !== focused.className) return;
    now.focus();
    if (caret && (now instanceof HTMLTextAreaElement || now instanceof HTMLInputElement))
      now.setSelectionRange(caret.start, caret.end);
  };
}
