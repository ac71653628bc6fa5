// Parts of the block that few questions show. Their modules come when they are needed.

import { h } from './dom.js';
import { outcomeView } from './outcome.js';
import { t } from './words.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

/** The longest time that the server takes, in seconds. */
const HOLD_SECONDS_MAX = 60;

/** For how long an answer can be taken back: what a page asks for, within what the server takes. @param {AskbackQuestion} element */
export const holdSeconds = (element) => Math.min(Math.max(Math.round(Number(element.getAttribute('undo'))), 0), HOLD_SECONDS_MAX) || undefined;

/** An answer that can be taken back. @param {AskbackQuestion} element @param {Inquiry} inquiry @param {Held} held */
export function heldPart(element, inquiry, held) {
  const place = h('div');
  import('./held.js').then(({ heldView }) => place.replaceWith(heldView(element, inquiry, held)), () => {});
  return place;
}

/** What became of a question, with the way to a late answer. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export function endedPart(element, inquiry) {
  const view = outcomeView(inquiry);
  if (inquiry.status === 'expired' && !element.wasLate) import('./late.js').then(({ offerLate }) => offerLate(element, inquiry, view), () => {});
  return view;
}

/** The way to answer elsewhere. The link is made when it is asked for. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export function sharePart(element, inquiry) {
  const place = h('div');
  const open = () => { if (!place.firstChild) import('./link.js').then(({ showLink }) => showLink(element, inquiry, place), () => {}); };
  return h('details', { class: 'share', ontoggle: open }, h('summary', {}, t('web-link')), place);
}
