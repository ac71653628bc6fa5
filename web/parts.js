// Parts of the block that few questions show. Their modules come when they are needed.

import { h } from './dom.js';
import { outcomeView } from './outcome.js';
import { t } from './words.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

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
