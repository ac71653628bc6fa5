// The app: its frame, its routes, and its announcements to screen readers. Views draw the pages.

import './element.js';
import { div, h, hasKeyboard, ignore, lazyDetails, span, withStyles } from './lib/dom.js';
import { loadFields } from './question/fields.js';
import { icon } from './lib/icons.js';
import { chooseLanguage, languageTag, loadLanguage, t, textDirection } from './lib/i18n.js';
import { outbox } from './draft/outbox.js';
import { applyTheme, preference } from './shell/preferences.js';
import { Store } from './shell/store.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './lib/wire.d.ts' */
/** `focus`: where one goes on; the heading by default. @typedef {{ node: HTMLElement, heading: HTMLElement, destroy: () => void, draw?: () => void, focus?: () => void, continueTyping?: (text: string) => void, element?: AskbackQuestion | null }} View */

/** Questions that arrive within this time are announced together, in milliseconds. */
const ARRIVAL_WINDOW_MS = 400;
/** How long until a view that did not load is loaded again, in milliseconds. */
const RELOAD_MS = 2000;

const store = new Store();
const page = /** @type {HTMLElement} */ (document.querySelector('#app'));
const status = h('p', { role: 'status', class: 'visually-hidden' });
const alert = h('p', { role: 'alert', class: 'visually-hidden' });
const main = h('main', { id: 'main' });
const nav = h('nav', {});
// What the drawer covers cannot be reached while it is open.
const side = h(
  'div',
  {
    id: 'side',
    onbeforetoggle: (/** @type {ToggleEvent} */ event) => {
      const isOpen = event.newState === 'open';
      main.inert = isOpen;
      side.role = isOpen ? 'dialog' : null;
      side.ariaModal = isOpen ? 'true' : null;
      side.ariaLabel = isOpen ? t('web-conversations') : null;
    },
  },
  nav,
);
const banner = h('p', { class: 'banner', hidden: true });
/** Answers that the server did not take. */
const unsent = h('div', {});
/** The list of conversations, once it is loaded: the question comes first. @type {{ node: HTMLElement, draw: () => void } | null} */
let conversations = null;
const conversationsPlace = div('conversations');
/** @type {View | null} */
let view = null;
let title = '';
let routeTimer = 0;
let hasError = false;

/** @param {string} text */
const announce = (text, isUrgent = false) => {
  (isUrgent ? alert : status).textContent = text;
};

// Routes

/** The id of the question in the address. */
const selectedId = () =>
  /^#(inq_\w+)$/.exec(location.hash)?.[1] ?? /^\/q\/(inq_\w+)/.exec(location.pathname)?.[1] ?? null;

/** Shows an address. Its page may have to be loaded first. @param {string} address @param {{ replace?: boolean }} [options] */
function navigate(address, { replace = false } = {}) {
  const isFromList = location.pathname === '/inbox' && selectedId() === null;
  if (address === location.pathname + location.hash) return route();
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState({ isFromList }, '', address);
  return route();
}

/** @param {string} address */
async function navigateAndFocus(address) {
  const isShown = await navigate(address);
  if (isShown && location.pathname + location.hash === address) focusView();
}

/** Opens a conversation that was just begun. Whoever began it may be typing on. @param {string} id @param {() => string} typed */
async function openConversation(id, typed) {
  const address = `/c/${id}`;
  // The message field is drawn with the view.
  await import('./chat/view.js').then(({ loadComposer }) => loadComposer()).catch(() => {});
  await navigate(address);
  if (location.pathname !== address) return;
  if (view?.continueTyping && hasKeyboard()) view.continueTyping(typed());
  else focusView();
}

function focusView() {
  if (view?.focus) view.focus();
  else view?.heading.focus();
}

/** From question to question the history does not grow: Back leads to the list. @param {string} id */
const openQuestion = (id) =>
  navigate(`/inbox#${id}`, { replace: location.pathname === '/inbox' && selectedId() !== null });

/** Back to the list of the inbox. */
const closeQuestion = () => {
  if (history.state?.isFromList) history.back();
  else navigate('/inbox', { replace: true });
};

/** The views, loaded when they are opened first. */
const VIEWS = {
  chat: async () => {
    const { ChatView } = await import('./chat/view.js');
    return (/** @type {string} */ id) => new ChatView(store, id, navigateAndFocus);
  },
  inbox: async () => {
    const { InboxView } = await withStyles(import('./inbox/view.js'), 'inbox', 'inbox-rows');
    return () => new InboxView(store, { selectedId, openQuestion, closeQuestion });
  },
  start: async () => {
    const { startView } = await withStyles(import('./shell/start-view.js'), 'start');
    return () => startView(store, openConversation);
  },
  answered: async () => {
    const { AnsweredView } = await withStyles(import('./shell/answered-view.js'), 'answered');
    return () => new AnsweredView(store);
  },
};

/** The view of the address, and for a conversation its id. */
function currentView() {
  const chat = /^\/c\/([\w-]+)/.exec(location.pathname)?.[1] ?? '';
  const isInbox = /^\/(inbox|q\/)/.test(location.pathname);
  const other = location.pathname === '/answered' ? 'answered' : 'start';
  /** @type {keyof typeof VIEWS} */
  const kind = chat ? 'chat' : isInbox ? 'inbox' : other;
  return { kind, chat };
}

/** Shows the view of the address. Returns false if it could not be loaded. */
async function route() {
  const { pathname } = location;
  const { kind, chat } = currentView();
  const name = chat || kind;
  const isShown = () => main.dataset.view === name && view !== null;
  clearTimeout(routeTimer);
  if (isShown()) view?.draw?.();
  else {
    const create = await VIEWS[kind]().catch(() => null);
    if (!create) {
      // The view that is shown stays, and this is tried again as long as it is wanted.
      banner.hidden = false;
      announce(t('chat-connection-lost'));
      if (location.pathname === pathname) routeTimer = setTimeout(route, RELOAD_MS);
      return false;
    }
    banner.hidden = store.isConnected;
    // Meanwhile the user may have left, or another call may have shown it.
    if (location.pathname !== pathname || isShown()) return true;
    show(name, () => create(chat));
  }
  conversations?.draw();
  const address =
    { inbox: '/inbox', answered: '/answered' }[/** @type {string} */ (kind)] ?? '/new';
  for (const link of page.querySelectorAll('.tabs a, nav > a')) {
    if (link.getAttribute('href') === address && !link.matches('.new'))
      link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  updateTitle();
  return true;
}

/** @param {string} name @param {() => View} create */
function show(name, create) {
  view?.destroy();
  main.dataset.view = name;
  hasError = false;
  title = { inbox: t('inbox-title'), answered: t('web-answered') }[name] ?? '';
  const isFirst = main.childElementCount === 0;
  view = create();
  main.replaceChildren(view.node);
  if (isFirst && document.activeElement === document.body) view.focus?.();
  if (side.matches(':popover-open')) side.hidePopover();
  scrollTo(0, 0);
}

// Drawing

function updateTitle() {
  document.title =
    (hasError ? `${t('web-error')}: ` : '') +
    (store.waitingCount ? `(${store.waitingText}) ` : '') +
    [title, 'askback'].filter(Boolean).join(' · ');
}

function updateCounts() {
  for (const label of page.querySelectorAll('.inbox-link, .tabs a[href="/inbox"]'))
    label.replaceChildren(
      ...(label.matches('.inbox-link') ? [icon('inbox')] : []),
      t('inbox-title'),
      ...(store.waitingCount ? [' ', span('number', store.waitingText)] : []),
    );
  updateTitle();
}

/** The address stays as it is: its fragment names a question. @param {Event} event */
function skipToQuestion(event) {
  event.preventDefault();
  const question =
    view?.element ??
    /** @type {AskbackQuestion | null} */ (
      main.querySelector('askback-question[data-state="asked"]')
    );
  if (question) question.focusFirst();
  else view?.heading.focus();
}

const brand = () => h('a', { href: '/inbox', class: 'brand' }, 'askback');

const topBar = () =>
  h(
    'header',
    { class: 'top' },
    h(
      'button',
      {
        type: 'button',
        popovertarget: 'side',
        class: 'menu quiet',
        'aria-label': t('web-conversations'),
      },
      icon('menu'),
    ),
    brand(),
    div(
      'tabs',
      h('a', { href: '/new' }, t('web-conversations')),
      h('a', { href: '/inbox' }, t('inbox-title')),
    ),
  );

/** @param {string} language */
async function changeLanguage(language) {
  await loadLanguage('', language);
  drawFrame();
  dispatchEvent(new Event('askback-language'));
}

async function drawConversations() {
  const loaded = conversations
    ? null
    : await import('./shell/conversation-list.js').catch(() => null);
  if (loaded && !conversations) {
    conversations = loaded.conversationList(store, 'conversations');
    conversationsPlace.replaceWith(conversations.node);
  }
  conversations?.draw();
}

/** Filled when it is opened first. */
const settingsSection = () =>
  lazyDetails({ class: 'settings' }, [icon('settings'), t('web-settings')], async (content) => {
    const { settings } = await withStyles(import('./shell/settings.js'), 'settings');
    content.replaceChildren(...settings({ changeLanguage }));
  });

/** Draws everything, at the start and after a change of language. */
function drawFrame() {
  Object.assign(document.documentElement, { lang: languageTag(), dir: textDirection() });
  nav.setAttribute('aria-label', t('web-conversations'));
  side.setAttribute('popover', '');
  banner.textContent = t('chat-connection-lost');
  nav.replaceChildren(
    brand(),
    h('a', { href: '/new', class: 'new' }, icon('plus'), t('web-new-conversation')),
    h('a', { href: '/inbox', class: 'inbox-link' }),
    h('a', { href: '/answered', class: 'answered-link' }, icon('check'), t('web-answered')),
    conversations?.node ?? conversationsPlace,
    settingsSection(),
  );
  page.replaceChildren(
    h('a', { href: '#main', class: 'skip', onclick: skipToQuestion }, t('web-skip-to-question')),
    topBar(),
    side,
    div('content', banner, unsent, main),
    status,
    alert,
  );
  view?.destroy();
  view = null;
  main.dataset.view = '';
  route();
  updateCounts();
}

/** Answers that were given offline are sent from every page. */
async function sendOutbox() {
  if (outbox.ids().length === 0) return;
  const sender = await import('./draft/outbox-sender.js').catch(() => null);
  await sender?.sendOutbox(store, unsent);
}

// Events

let arrivals = 0;
store.addEventListener('asked', () => {
  arrivals += 1;
  if (arrivals === 1)
    setTimeout(() => {
      announce(t('inbox-arrived', { count: arrivals }));
      arrivals = 0;
    }, ARRIVAL_WINDOW_MS);
});
store.addEventListener('pending', updateCounts);
// Rare fields are loaded before such a question is opened.
store.addEventListener('pending', (event) => {
  /** @type {Inquiry[]} */
  const changed = /** @type {CustomEvent} */ (event).detail;
  for (const { questions } of changed) loadFields(questions).catch(() => {});
});
store.addEventListener('conversations', () => {
  if (conversations) conversations.draw();
  else (globalThis.requestIdleCallback ?? setTimeout)(() => drawConversations());
});
store.addEventListener('connection', () => {
  banner.hidden = store.isConnected;
  sendOutbox();
});
// The session has ended: the server then shows how to sign in.
store.addEventListener('feed', (event) => {
  const { type, data } = /** @type {CustomEvent} */ (event).detail;
  if (type === 'refused' && data.status === 401) location.reload();
});
document.addEventListener('askback-announce', (event) => {
  const { text, isUrgent } = /** @type {CustomEvent} */ (event).detail;
  event.preventDefault();
  announce(text, isUrgent);
});
document.addEventListener('askback-title', (event) => {
  title = /** @type {CustomEvent} */ (event).detail;
  updateTitle();
});
for (const type of ['askback-error', 'askback-state', 'askback-edited'])
  document.addEventListener(type, () => {
    hasError = type === 'askback-error';
    updateTitle();
  });
document.addEventListener('click', (event) => {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || link.target) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isRoute =
    link.origin === location.origin && /^\/(new$|c\/|inbox|answered$)/.test(link.pathname);
  if (!isRoute || link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  navigateAndFocus(link.pathname + link.hash);
});
addEventListener('popstate', route);
addEventListener('online', sendOutbox);
document.addEventListener('askback-state', (event) => {
  if (/** @type {CustomEvent} */ (event).detail.state === 'offline') sendOutbox();
});
// A key that no browser has taken.
addEventListener('keydown', (event) => {
  if (event.key !== 'F8' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  import('./shell/oldest-question.js').then(
    ({ jumpToOldest }) => jumpToOldest(store, main, openQuestion),
    ignore,
  );
});

let isNotifying = false;

/** Few people want notifications. */
function notifyIfWanted() {
  if (isNotifying || !/on|push/.test(preference('notify'))) return;
  isNotifying = true;
  import('./shell/notifications.js').then(
    ({ notifyAboutQuestions }) => notifyAboutQuestions(store, openQuestion),
    () => {
      isNotifying = false;
    },
  );
}

applyTheme();
for (const type of ['keydown', 'pointerdown'])
  addEventListener(type, () => import('./shell/presence.js').catch(() => {}), { once: true });
for (const type of ['askback-held', 'askback-resolved'])
  document.addEventListener(type, (event) => {
    if (!preference('notify') && /** @type {CustomEvent} */ (event).detail.byUser)
      import('./shell/notify-offer.js').then(({ offerOnce }) => offerOnce()).catch(() => {});
  });
document.addEventListener('askback-notify', notifyIfWanted);
notifyIfWanted();
// The data and the view are requested while the texts are loading.
const loaded = store.load();
VIEWS[currentView().kind]().catch(() => {});
await loadLanguage('', chooseLanguage([document.documentElement.lang, ...navigator.languages]));
drawFrame();
await loaded.then(sendOutbox, () => {
  banner.hidden = false;
});
