// Saves the draft of an answer: at once in this browser, a moment later on the server. Which of two
// copies is newer is decided by which copy each was made from, never by a clock.

import { newDraft, reduce, restore } from './draft.js';
import { localDrafts, outbox } from './outbox.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Draft, Edit } from './draft.js' */
/** @import { OutboxItem } from './outbox.js' */
/** @import { Inquiry, Question } from '../lib/wire.d.ts' */

/** How long after the last edit the draft is saved on the server, in milliseconds. */
const SAVE_AFTER_MS = 300;

/**
 * Identifies the content of a draft, whatever the order of its JSON keys.
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

export class DraftSync {
  /** @param {AskbackQuestion} element */
  constructor(element) {
    this.element = element;
    this.timer = 0;
    /** @type {Draft | null} */
    this.draft = null;
    /** Whether the server may not have the draft. */
    this.isDirty = false;
    /** Counts edits, so that a response to an earlier request does not overwrite them. */
    this.edits = 0;
    /** Digests of the server's copies that the draft was made from, newest last. @type {string[]} */
    this.seen = [];
    /** A different draft that another device saved. While it is offered, it is not overwritten. @type {Draft | null} */
    this.otherDraft = null;
    /** The server's copy that the next save replaces. Empty for none, and until it was read: nothing unknown is replaced. */
    this.version = '';
  }

  reset() {
    clearTimeout(this.timer);
    Object.assign(this, {
      draft: null,
      isDirty: false,
      edits: this.edits + 1,
      seen: [],
      otherDraft: null,
      version: '',
    });
  }

  /** Begins with the copy of this browser. @param {Inquiry} inquiry @returns {Draft} */
  draftFor({ id, questions }) {
    if (!this.draft) {
      const local = localDrafts.read(id);
      this.seen = local?.seen ?? this.seen;
      this.draft = restore(questions, local?.draft ?? newDraft(questions));
    }
    return this.draft;
  }

  /**
   * Returns whether the edit changed anything.
   * @param {Inquiry} inquiry
   * @param {Edit} edit
   */
  edit(inquiry, edit) {
    const before = this.draftFor(inquiry);
    this.draft = reduce(inquiry.questions, before, edit);
    return JSON.stringify(before) !== JSON.stringify(this.draft);
  }

  /** @param {Inquiry} inquiry */
  scheduleSave(inquiry) {
    this.edits += 1;
    this.isDirty = true;
    localDrafts.write(inquiry.id, { draft: this.draftFor(inquiry), seen: this.seen });
    clearTimeout(this.timer);
    this.timer = setTimeout(this.save, SAVE_AFTER_MS);
  }

  save = () => {
    clearTimeout(this.timer);
    const { data: inquiry, client, state } = this.element;
    const { draft, version } = this;
    if (!this.isDirty || !inquiry || !draft || state !== 'asked') return;
    if (this.otherDraft) return localDrafts.write(inquiry.id, { draft, seen: this.seen });
    this.isDirty = false;
    // The request may succeed even if its response is lost.
    this.seen = [...this.seen.slice(-9), digest(inquiry.questions, draft)];
    localDrafts.write(inquiry.id, { draft, seen: this.seen });
    client.saveDraft(inquiry.id, { draft, revision: inquiry.revision, replaces: version }).then(
      (response) => {
        if (this.element.data?.id === inquiry.id) this.version = response?.version;
        if (this.draft === draft) localDrafts.remove(inquiry.id);
      },
      (error) => {
        if (this.element.data?.id !== inquiry.id) return;
        this.isDirty = true;
        if (error.code === 'draft_changed')
          import('./other.js').then(
            ({ compareDrafts }) => compareDrafts(this.element, inquiry),
            // The next save tries it again.
            () => {},
          );
      },
    );
  };

  /** Reads the copies of this browser and of the server. Returns whether the view changes. @param {Inquiry} inquiry */
  async restore(inquiry) {
    const { edits } = this;
    const local = localDrafts.read(inquiry.id);
    const stored = await this.element.client.draft(inquiry.id).catch(() => null);
    if (this.element.data?.id !== inquiry.id || this.edits !== edits || this.isDirty) return false;
    const { questions } = inquiry;
    const [mine, theirs] = [local?.draft, stored?.draft].map((draft) => digest(questions, draft));
    const isLocalNewer = !theirs || theirs === mine || Boolean(local?.seen?.includes(theirs));
    this.otherDraft =
      local && !isLocalNewer ? restore(questions, /** @type {Draft} */ (stored?.draft)) : null;
    this.version = stored?.version ?? this.version;
    // What is only offered was not used: it must not be replaced after a reload either.
    this.seen = [...(local?.seen ?? this.seen).slice(-9), ...(this.otherDraft ? [] : [theirs])];
    const draft = local?.draft ?? stored?.draft;
    if (local && isLocalNewer && theirs !== mine) {
      this.isDirty = true;
      this.timer = setTimeout(this.save, SAVE_AFTER_MS);
    }
    if (!draft) return Boolean(this.otherDraft);
    const before = digest(questions, this.draftFor(inquiry));
    this.draft = restore(questions, draft);
    return before !== digest(questions, this.draft) || this.otherDraft !== null;
  }

  /** What was sent and not taken yet is what was entered last. @param {Inquiry} inquiry @param {OutboxItem} item */
  restoreUnsent({ questions }, { draft }) {
    this.draft = restore(questions, draft);
  }

  /** The inquiry has ended. `draft` stays, so that what was not sent can be shown. @param {Inquiry} inquiry */
  discard({ id }) {
    clearTimeout(this.timer);
    this.isDirty = false;
    localDrafts.remove(id);
    outbox.remove(id);
  }
}
