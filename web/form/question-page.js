// Replaces the plain form at /q/{id} by the element. If the element does not load, the form stays.

import '../element.js';

/** @import { AskbackQuestion } from '../element.js' */

const main = document.querySelector('main');
const section = main?.querySelector('section');
const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
element.setAttribute('inquiry', decodeURIComponent(location.pathname.split('/')[2] ?? ''));
element.hidden = true;
element.addEventListener('askback-state', () => {
  if (['loading', 'missing', 'unreachable', 'error'].includes(element.state)) return;
  element.hidden = false;
  for (const each of section?.querySelectorAll('form, dl, .hint') ?? []) each.remove();
  main?.querySelector('.summary')?.remove();
});
section?.after(element);
