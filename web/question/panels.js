// What is below the form of a question: a link for another device, and whom to hand the question on to.

import { loadExtraStyles } from '../lib/dom.js';
import { showPeople } from './hand-on.js';
import { problemNotice, showLink } from './share-link.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/**
 * Fills a panel that was opened. A link is made then.
 * @param {HTMLElement} panel
 * @param {string} name 'web-link' or 'hand-on'
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export async function fillPanel(panel, name, element, inquiry) {
  try {
    await loadExtraStyles();
    const show = name === 'web-link' ? showLink : showPeople;
    panel.replaceChildren(await show(element, inquiry));
  } catch (error) {
    panel.replaceChildren(problemNotice(error));
  }
}
