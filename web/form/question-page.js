// Replaces the plain form at /q/{id} by the element. If the element does not load, the form stays.

import '../element.js';
import { newQuestion } from '../shell/preferences.js';

const main = document.querySelector('main');
const section = main?.querySelector('section');
const element = newQuestion('chat');
element.setAttribute('inquiry', decodeURIComponent(location.pathname.split('/')[2] ?? ''));
element.hidden = true;
element.addEventListener('askback-state', () => {
  if (['loading', 'missing', 'unreachable', 'error'].includes(element.state)) return;
  element.hidden = false;
  main?.querySelector('.summary')?.remove();
  // The page keeps its heading; the element shows the rest.
  const heading = section?.querySelector('h1');
  heading?.classList.add('visually-hidden');
  section?.replaceWith(...(heading ? [heading] : []));
});
section?.after(element);
