// Keeps what is half typed: at once in this browser, a moment later on the server. Which of two copies is
// the newer one is told by what each was made from, never by a clock.

import { newDraft, reduce, restore } from './draft.js';
import { drafts, outbox } from './outbox.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Draft, Edit } from './draft.js' */
/** @import { Inquiry, Question } from './wire.d.ts' */

/** How long after the last key a draft is kept on the server, in milliseconds. */
const SAVE_AFTER_MS = 300;

/**
 * Names the content of a draft, however its JSON is written.
 * @param {Question[]} questions
 * @param {Draft | null | undefined} draft
 */
export function digest(questions, draft) {
  if (!draft) return '';
  const text = JSON.stringify(restore(questions, draft), (_, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  let hash = 0;
  for (let at = 0; at < text.length; at += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}:${hash}`;
}

export class Drafting {
  /** @param {AskbackQuestion} element */
  constructor(element) {
    this.element = element;
    this.timer = 0;
    /** @type {Draft | null} */
    this.now = null;
    /** Whether the server may not have it. */
    this.isDirty = false;
    /** Counts edits, so that what was asked for before one does not overwrite it. */
    this.edits = 0;
    /** The server's copies that what is here was made from, the newest last. @type {string[]} */
    this.seen = [];
    /** A different one that was kept elsewhere. @type {Draft | null} */
    this.other = null;
  }

  reset() {
    clearTimeout(this.timer);
    Object.assign(this, {
      now: null,
      isDirty: false,
      edits: this.edits + 1,
      seen: [],
      other: null,
    });
  }

  /** @param {Inquiry} inquiry @returns {Draft} */
  of(inquiry) {
    this.now ??= newDraft(inquiry.questions);
    return this.now;
  }

  /**
   * Takes an edit; says whether it changed anything.
   * @param {Inquiry} inquiry
   * @param {Edit} edit
   */
  edit(inquiry, edit) {
    const before = this.of(inquiry);
    this.now = reduce(inquiry.questions, before, edit);
    return JSON.stringify(before) !== JSON.stringify(this.now);
  }

  /** It was changed by hand. @param {Inquiry} inquiry */
  keep(inquiry) {
    this.edits += 1;
    this.isDirty = true;
    this.other = null;
    drafts.keep(inquiry.id, { draft: this.of(inquiry), seen: this.seen });
    clearTimeout(this.timer);
    this.timer = setTimeout(this.save, SAVE_AFTER_MS);
  }

  save = () => {
    clearTimeout(this.timer);
    const { data: inquiry, client, state } = this.element;
    const draft = this.now;
    if (!this.isDirty || !inquiry || !draft || state !== 'asked') return;
    this.isDirty = false;
    // It may arrive although the reply does not.
    this.seen = [...this.seen.slice(-1), digest(inquiry.questions, draft)];
    drafts.keep(inquiry.id, { draft, seen: this.seen });
    client.saveDraft(inquiry.id, { draft, revision: inquiry.revision }).then(
      () => {
        if (this.now === draft) drafts.drop(inquiry.id);
      },
      () => {
        if (this.now === draft) this.isDirty = true;
      },
    );
  };

  /** Reads what is kept, here and on the server. Says whether what is shown changes. @param {Inquiry} inquiry */
  async restore(inquiry) {
    const { edits } = this;
    const local = drafts.read(inquiry.id);
    const stored = await this.element.client.draft(inquiry.id).catch(() => null);
    if (this.element.data?.id !== inquiry.id || this.edits !== edits || this.isDirty) return false;
    const { questions } = inquiry;
    const [mine, theirs] = [local?.draft, stored?.draft].map((draft) => digest(questions, draft));
    const isMade = !theirs || theirs === mine || Boolean(local?.seen?.includes(theirs));
    this.other = local && !isMade ? restore(questions, /** @type {Draft} */ (stored?.draft)) : null;
    this.seen = [...(local?.seen ?? []).slice(-1), theirs];
    const draft = local?.draft ?? stored?.draft;
    if (local && isMade && theirs !== mine) {
      this.isDirty = true;
      this.timer = setTimeout(this.save, SAVE_AFTER_MS);
    }
    if (!draft) return Boolean(this.other);
    const before = digest(questions, this.of(inquiry));
    this.now = restore(questions, draft);
    return before !== digest(questions, this.now) || this.other !== null;
  }

  /** Takes the draft from elsewhere instead. @param {Inquiry} inquiry */
  useOther(inquiry) {
    if (!this.other) return;
    this.now = this.other;
    this.keep(inquiry);
  }

  /** The question has ended: nothing is kept of it. @param {Inquiry} inquiry */
  drop({ id }) {
    clearTimeout(this.timer);
    this.isDirty = false;
    drafts.drop(id);
    outbox.drop(id);
  }
}
