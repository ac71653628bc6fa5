// A link to this question for another device or person: as a QR code and as text.

import { copyField } from '../lib/copy.js';
import { button, div, h, p, uniqueId } from '../lib/dom.js';
import { failureText, formatTime, t } from '../lib/i18n.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry, Link } from '../lib/wire.d.ts' */

const SVG = 'http://www.w3.org/2000/svg';

/** A text with a command in it, which is neither broken nor turned around. @param {string} id @param {string} command */
export function textWithCommand(id, command) {
  const [before, after = ''] = t(id, { command }).split(`\u2068${command}\u2069`);
  return [before, h('code', { dir: 'ltr', class: 'command-line' }, command), after];
}

/** Starts a server that a phone can reach. */
export const PHONE_COMMAND = 'askback serve --phone';

/** Whether only this computer can open it. @param {string} url */
export const isLoopback = (url) =>
  /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);

/**
 * The QR code, black on white in every theme.
 * @param {string[]} rows
 * @param {string} label
 */
export function qrCode(rows, label) {
  /** @param {string} tag @param {Record<string, string>} attributes */
  const node = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const side = rows.length;
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1H${x}z`),
  );
  const picture = node('svg', {
    viewBox: `0 0 ${side} ${side}`,
    role: 'img',
    'aria-label': label,
    class: 'code',
    'shape-rendering': 'crispEdges',
  });
  picture.append(
    node('path', { fill: '#fff', d: `M0 0h${side}v${side}H0z` }),
    node('path', { fill: '#000', d: runs.join('') }),
  );
  return picture;
}

/**
 * @param {AskbackQuestion} element
 * @param {Link} link
 */
function panel(element, link) {
  const id = uniqueId();
  const address = h('input', {
    id,
    type: 'text',
    dir: 'ltr',
    readonly: true,
    value: link.url,
    onfocus: () => address.select(),
  });
  const copy = button(t('web-copy-link'), async () => {
    await copyField(address);
    copy.textContent = t('web-copied');
    element.announce(t('web-copied'));
  });
  return div(
    'link',
    isLoopback(link.url) && p('notice', textWithCommand('web-link-local', PHONE_COMMAND)),
    p('hint', t('web-link-hint'), ' ', t('web-link-until', { time: formatTime(link.expires_at) })),
    link.qr_rows && /** @type {any} */ (qrCode(link.qr_rows, t('web-link'))),
    h('label', { for: id, class: 'visually-hidden' }, t('web-link')),
    div('day-line', address, copy),
  );
}

/** Why a request failed. @param {unknown} error */
export const problemNotice = (error) =>
  h('p', { class: 'notice', role: 'alert' }, failureText(error));

/**
 * Creates a link and shows it. Every call creates a new one: the server does not store links.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export const showLink = async (element, inquiry) =>
  panel(element, await element.client.post(`/inquiries/${inquiry.id}/links`, {}));
