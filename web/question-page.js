// Makes the plain form of one question the element, where scripts run. Should it not load, the form
// stays what it is.

import './element.js';

/** @import { AskbackQuestion } from './element.js' */

const main = document.querySelector('main');
const section = main?.querySelector('section');
const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
element.setAttribute('inquiry', decodeURIComponent(location.pathname.split('/')[2] ?? ''));
element.hidden = true;
element.addEventListener('askback-state', () => {
  if (['loading', 'missing', 'unreachable', 'error'].includes(element.state)) return;
  element.hidden = false;
  // The heading of the page stays; the form under it gives way.
  for (const each of section?.querySelectorAll('form, dl, .hint') ?? []) each.remove();
  main?.querySelector('.summary')?.remove();
});
section?.after(element);
