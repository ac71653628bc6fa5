// Choices: buttons that send themselves, or radio buttons or checkboxes. The last one is own text, if it is allowed.

import { bdi, div, h, isTextField, span, uniqueId } from '../lib/dom.js';
import { ownField } from './text-area.js';
import { t } from '../lib/i18n.js';

/** @import { Entry } from '../draft/draft.js' */
/** @import { Child } from '../lib/dom.js' */
/** @import { Choice } from '../lib/wire.d.ts' */
/** @import { Field, FieldContext } from './fields.js' */

/** Choices that stand side by side at most. */
const CHIPS_MAX = 4;
/** Longer labels have a line of their own. */
const CHIP_CHARS_MAX = 24;

/** The text as it is; Markdown and diffs are drawn when it is opened. @param {Choice} choice */
function choicePreview({ preview, label }) {
  const name = t('web-preview');
  const content = h(
    'div',
    { class: 'markdown', tabindex: 0, role: 'region', 'aria-label': `${name} ${label}` },
    h('pre', { dir: 'ltr' }, preview),
  );
  const draw = async () => {
    const { previewContent } = await import('./choice-preview.js');
    content.replaceChildren(...previewContent(preview ?? ''));
  };
  return h(
    'details',
    { class: 'preview', ontoggle: () => draw().catch(() => {}) },
    h('summary', {}, name, span('visually-hidden', ' ', bdi(label))),
    content,
  );
}

/** Labels of a word or two, without anything below them, stand side by side. @param {Choice[]} choices */
const areShort = (choices) =>
  choices.length <= CHIPS_MAX &&
  choices.every(
    ({ label, description, preview }) =>
      !description && !preview && [...label].length <= CHIP_CHARS_MAX,
  );

/** @typedef {{ node: HTMLElement, sync: (entry: Entry) => void }} SelectionTools */

/**
 * @param {FieldContext} context
 * @param {(context: FieldContext, cards: { node: HTMLElement, text: string }[], hint: string) => SelectionTools} [selectionTools] what stands above checkboxes
 * @returns {Field}
 */
export function choiceField(context, selectionTools = undefined) {
  const { question, edit, digits } = context;
  const choices = question.choices ?? [];
  /** @type {CardOptions['type']} */
  const type = context.isOneStep ? 'button' : question.several ? 'checkbox' : 'radio';
  const options = { type, name: uniqueId(), mark, digits };
  const hint = question.several ? uniqueId() : '';
  const cards = choices.map((choice, row) => card({ ...options, choice, row }));
  const own = question.own
    ? ownCard(
        { ...context, described: `${hint} ${context.described}` },
        { ...options, row: choices.length },
      )
    : null;
  const all = [...cards, ...(own ? [own] : [])];
  const box = div(
    `cards${areShort(choices) ? ' chips' : ''}`,
    all.map(({ node }) => node),
  );

  /** @param {number} row */
  function mark(row) {
    const isOwn = row === choices.length;
    if (!isOwn) edit({ edit: 'close' });
    edit({ edit: 'mark', row });
    if (isOwn) own?.field.focus();
    else if (context.isOneStep) context.picked();
  }

  const tools = selectionTools?.(context, cards, hint);
  const node = h(
    'div',
    { onkeydown: handleKey, onchange: (/** @type {Event} */ event) => event.stopPropagation() },
    tools?.node,
    box,
  );

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (isTextField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = digits && /^[1-9]$/.test(event.key) ? all[Number(event.key) - 1] : null;
    if (target && !event.repeat && !target.node.hidden) {
      event.preventDefault();
      target.control.focus();
      target.control.click();
    } else if (context.isOneStep) moveFocus(event);
  }

  /** Arrow keys move as among radio buttons, and send nothing. @param {KeyboardEvent} event */
  function moveFocus(event) {
    const at = all.findIndex(({ control }) => control === event.target);
    const forward = getComputedStyle(box).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (at < 0 || !/^Arrow/.test(event.key)) return;
    event.preventDefault();
    const by = ['ArrowDown', forward].includes(event.key) ? 1 : -1;
    all[(at + by + all.length) % all.length].control.focus();
  }

  return {
    node,
    isGroup: true,
    hint,
    focus: () =>
      own?.isOpen
        ? own.field.focus()
        : (all.find(({ isPicked }) => isPicked()) ?? all[0]).control.focus(),
    target: (entry) => (own && entry.field === 'own' ? own.field.input : all[0].control),
    sync(entry) {
      const ownOpen = Boolean(own) && (entry.field === 'own' || Boolean(entry.own_ticked));
      cards.forEach(({ setPicked }, row) => {
        const isPicked = Boolean(entry.picked?.includes(choices[row].value));
        setPicked(isPicked && !(ownOpen && !question.several));
      });
      own?.sync(entry, ownOpen);
      tools?.sync(entry);
    },
  };
}

/** @typedef {{ row: number, type: 'button' | 'checkbox' | 'radio', name: string, mark: (row: number) => void, digits: boolean }} CardOptions */

/** The key that picks a choice. @param {number} row @param {boolean} digits */
const keyHint = (row, digits) =>
  digits && row < 9 && h('kbd', { 'aria-hidden': 'true' }, String(row + 1));

/**
 * What picks a choice: a button that sends it, or a radio button or checkbox with its label.
 * @param {CardOptions} options
 * @param {Record<string, unknown>} props
 * @param {Child[]} content
 */
function picker({ row, type, name, mark }, props, content) {
  if (type === 'button') {
    const control = h(
      'button',
      { ...props, type, class: 'pick', onclick: () => mark(row) },
      content,
    );
    const isPicked = () => control.hasAttribute('aria-pressed');
    const setPicked = (/** @type {boolean} */ now) => {
      if (now) control.setAttribute('aria-pressed', 'true');
      else control.removeAttribute('aria-pressed');
    };
    return { control, nodes: [control], isPicked, setPicked };
  }
  const id = uniqueId();
  const control = h('input', { ...props, type, id, name, value: row, onchange: () => mark(row) });
  return {
    control,
    nodes: [control, h('label', { for: id }, content)],
    isPicked: () => control.checked,
    setPicked: (/** @type {boolean} */ now) => {
      control.checked = now;
    },
  };
}

/**
 * @param {{ choice: Choice } & CardOptions} options
 */
function card({ choice, ...options }) {
  const described = choice.description ? uniqueId() : undefined;
  const { nodes, ...rest } = picker(options, { 'aria-describedby': described }, [
    bdi(choice.label, 'label'),
    choice.recommended && span('badge', t('recommended')),
  ]);
  const node = h(
    'div',
    { class: 'card', part: 'choice' },
    nodes,
    keyHint(options.row, options.digits),
    choice.description &&
      h('p', { id: described, class: 'description', dir: 'auto' }, choice.description),
    choice.preview && choicePreview(choice),
  );
  return { ...rest, node, text: `${choice.label} ${choice.description ?? ''}`.toLowerCase() };
}

/**
 * @param {FieldContext} context
 * @param {CardOptions} options
 */
function ownCard(context, options) {
  const { nodes, ...rest } = picker(options, {}, [span('label', t('other'))]);
  const field = ownField(context);
  const node = h(
    'div',
    { class: 'card own', part: 'choice' },
    nodes,
    keyHint(options.row, options.digits),
    field.node,
  );
  return {
    ...rest,
    node,
    field,
    isOpen: false,
    /** @param {Entry} entry @param {boolean} isOpen */
    sync(entry, isOpen) {
      this.isOpen = isOpen;
      rest.setPicked(isOpen);
      field.node.hidden = !isOpen;
      field.sync(entry);
    },
  };
}
