// Draws <askback-question>: the frame, and for each state what is inside. Modules that few questions
// need are loaded when they are drawn.

import { button, h } from './dom.js';
import { fetchFields, hasFields } from './fields.js';
import { icon } from './icons.js';
import { formatList, languageTag, t, textDirection } from './i18n.js';
import { RELOAD_MS } from './inquiry-connection.js';
import { answerLine, foldedLine, headline, isEntered, outcomeView } from './outcome.js';
import { QuestionForm } from './question-form.js';
import { rememberFocus } from './restore-focus.js';
import { loadExtraStyles } from './stylesheets.js';

/** @import { Draft } from './draft.js' */
/** @import { AskbackQuestion } from './element.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

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
      : [h('p', { class: 'hint' }, t(STATUS_TEXTS[state] ?? 'chat-connecting'))];
  if (inquiry && state === 'loading') renderWhenFieldsLoad(element, inquiry);
  drawHeading(element);
  const section = h(
    'section',
    {
      ...sectionName(element),
      'data-state': state,
      class: element.isFolded ? 'folded' : undefined,
      dir: textDirection(),
      lang: languageTag(),
      // Esc only moves the focus; it never ends a question.
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        if (root.activeElement === heading) return;
        event.stopPropagation();
        heading.focus();
      },
    },
    h('header', {}, heading, inquiry && foldButton(element)),
    h(
      'div',
      { class: 'body', hidden: element.isFolded },
      element.notice && h('p', { class: 'notice' }, element.notice),
      content,
    ),
  );
  root.replaceChildren(
    section,
    h('p', { class: 'status visually-hidden', role: 'status' }),
    h('p', { class: 'alert visually-hidden', role: 'alert' }),
  );
  restoreFocus();
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
    : [t('question-count', { count: 1 })];
  heading.replaceChildren(...name);
  // The inbox says above the question who asks.
  if (dataset.view === 'inbox' && state === 'asked')
    heading.querySelector('.who')?.classList.add('visually-hidden');
}

/** @param {AskbackQuestion} element */
const foldButton = (element) =>
  h(
    'button',
    {
      type: 'button',
      class: 'fold',
      'aria-expanded': String(!element.isFolded),
      'aria-label': t('web-details'),
      onclick: () => toggleFolded(element),
    },
    icon('chevron'),
  );

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
  const { state, draftSync } = element;
  if (state === 'sending' || state === 'offline') return sendingView(inquiry, state);
  if (element.isOpen) return formView(element, inquiry);
  const unsent = !element.isSentHere && draftSync.draft;
  return [
    inquiry.held && state === 'held'
      ? heldSection(element, inquiry, inquiry.held)
      : outcomeSection(element, inquiry),
    unsent && isEntered(inquiry.questions, unsent) && unsentSection(inquiry, unsent),
  ];
}

/** @param {Inquiry} inquiry @param {string} state */
function sendingView({ questions }, state) {
  const pairs = questions.map((question) =>
    h('div', { class: 'pair' }, h('dt', { dir: 'auto' }, question.text)),
  );
  return [h('p', { class: 'progress' }, t(STATUS_TEXTS[state])), h('dl', {}, pairs)];
}

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
function formView(element, inquiry) {
  const { isLate, errors, sender, fieldStates } = element;
  element.form = new QuestionForm({
    inquiry,
    isLate,
    errors,
    draft: () => element.draft,
    digits: element.getAttribute('digits') !== 'off',
    fieldState: (question) => {
      const known = fieldStates.get(question) ?? {};
      fieldStates.set(question, known);
      return known;
    },
    parseDate: async (text) => (await import('./typed-date.js')).fetchDate(element.client, text),
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
  return [
    inquiry.expires_at && deadlineSection(element, inquiry),
    element.draftSync.otherDraft && otherDraftSection(element, inquiry),
    element.form.node,
    ...element.share,
  ];
}

/** Once it is loaded. @type {typeof import('./deadline.js').deadlineView | null} */
let deadlineView = null;

/** Few questions have a deadline. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function deadlineSection(element, inquiry) {
  // At once, if it can be: the focus is put back by the order of the controls.
  if (deadlineView) return deadlineView(element, inquiry);
  const placeholder = h('div');
  Promise.all([import('./deadline.js'), loadExtraStyles()]).then(
    ([module]) => {
      ({ deadlineView } = module);
      placeholder.replaceWith(deadlineView(element, inquiry));
    },
    () => {},
  );
  return placeholder;
}

/** An answer that can still be undone. @param {AskbackQuestion} element @param {Inquiry} inquiry @param {Held} held */
function heldSection(element, inquiry, held) {
  const placeholder = h('div');
  import('./undo.js').then(
    ({ heldView }) => placeholder.replaceWith(heldView(element, inquiry, held)),
    () => {},
  );
  return placeholder;
}

/** The outcome; after a deadline with a way to answer late. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function outcomeSection(element, inquiry) {
  const view = outcomeView(inquiry);
  if (inquiry.status === 'expired' && !element.wasLate)
    import('./late-answer.js').then(
      ({ offerLateAnswer }) => offerLateAnswer(element, inquiry, view),
      () => {},
    );
  return view;
}

/**
 * "Answer on another device", whose link is made when it is opened; and "Hand on…", if the server says that there is
 * somebody.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
function panels(element, inquiry) {
  /** @param {string} title @param {() => Promise<HTMLElement>} load */
  const section = (title, load) => {
    const panel = h('div');
    const open = async () => {
      if (panel.firstChild) return;
      try {
        await loadExtraStyles();
        panel.replaceChildren(await load());
      } catch (error) {
        import('./share-link.js').then(
          ({ problemNotice }) => panel.replaceChildren(problemNotice(error)),
          () => {},
        );
      }
    };
    return h('details', { class: 'share', ontoggle: open }, h('summary', {}, title), panel);
  };
  const link = section(t('web-link'), async () =>
    (await import('./share-link.js')).showLink(element, inquiry),
  );
  if (document.documentElement.dataset.handOn === undefined) return [link];
  const handOn = section(t('hand-on'), async () =>
    (await import('./hand-on.js')).showPeople(element, inquiry),
  );
  return [link, handOn];
}

/** What was entered here when somebody else answered first. @param {Inquiry} inquiry @param {Draft} draft */
function unsentSection({ questions }, { entries }) {
  const pairs = questions.map((question, at) =>
    h(
      'div',
      { class: 'pair' },
      // A single question is shown above already.
      h(
        'dt',
        { dir: 'auto', class: questions.length > 1 ? undefined : 'visually-hidden' },
        question.text,
      ),
      h('dd', { class: 'note-text', dir: 'auto' }, answerLine(question, entries[at])),
    ),
  );
  return h(
    'div',
    { class: 'unsent' },
    h('p', { class: 'small' }, t('web-not-sent')),
    h('dl', {}, pairs),
  );
}

/** Another device saved a different draft meanwhile. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function otherDraftSection(element, inquiry) {
  return h(
    'div',
    { class: 'notice' },
    h('p', {}, t('web-other-draft')),
    button(t('web-use-other-draft'), () => {
      element.draftSync.useOtherDraft(inquiry);
      element.render();
      element.focusFirst();
    }),
  );
}
