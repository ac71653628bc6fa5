// The app: its frame, its addresses, and what it says aloud. Views draw the rest.

import './element.js';
import { composer } from './composer.js';
import { bdi, h } from './dom.js';
import { loadFields } from './fields.js';
import { inboxList } from './inbox-list.js';
import { inboxView } from './inbox-view.js';
import { applyTheme, notifyOf, settingsView } from './settings.js';
import { Store } from './store.js';
import { chooseLanguage, clock, dir, loadWords, t, tag } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { App, Inquiry } from './wire.d.ts' */
/** @typedef {{ node: HTMLElement, heading: HTMLElement, leave: () => void, draw?: () => void, element?: () => AskbackQuestion | null, showQuestion?: () => void }} View */

/** Arrivals within so many milliseconds are told in one sentence. */
const BURST_MS = 400;

const store = new Store();
const page = /** @type {HTMLElement} */ (document.querySelector('#app'));
const status = h('p', { role: 'status', class: 'unseen' });
const alert = h('p', { role: 'alert', class: 'unseen' });
/** @type {View | null} */
let view = null;
/** @type {{ node: HTMLElement, draw: () => void, leave: () => void } | null} */
let list = null;
let title = '';
let hasError = false;
/** @type {Element | null} */
let cameFrom = null;

const main = h('main', { id: 'main' });
const side = h('nav', { id: 'side' });
const banner = h('p', { class: 'banner', hidden: true });

/** @param {string} text */
const say = (text, isUrgent = false) => {
  (isUrgent ? alert : status).textContent = text;
};

const selected = () =>
  /^#(inq_\w+)$/.exec(location.hash)?.[1] ?? /^\/q\/(inq_\w+)/.exec(location.pathname)?.[1] ?? null;

/** @param {string} address */
function go(address) {
  if (address !== location.pathname + location.hash) history.pushState(null, '', address);
  route();
}

/** @param {string} id */
function openQuestion(id) {
  go(`/inbox#${id}`);
}

function showTitle() {
  const count = store.waiting.size;
  document.title =
    (hasError ? `${t('web-error')}: ` : '') +
    (count ? `(${count}) ` : '') +
    [title, 'askback'].filter(Boolean).join(' · ');
}

/** Loaded with the first conversation. @type {Promise<typeof import('./chat-view.js')> | null} */
let chatModule = null;

async function route() {
  const chat = /^\/c\/([\w-]+)/.exec(location.pathname)?.[1];
  const kind = chat ?? (/^\/(inbox|q\/)/.test(location.pathname) ? 'inbox' : 'start');
  if (main.dataset.view === kind && view) view.draw?.();
  else {
    chatModule ??= chat ? import('./chat-view.js') : null;
    const module = chat ? await chatModule : null;
    // Meanwhile the reader may have gone elsewhere, or another call may have drawn the same.
    if (
      module &&
      (!location.pathname.startsWith(`/c/${chat}`) || (main.dataset.view === kind && view))
    )
      return;
    view?.leave();
    main.dataset.view = kind;
    hasError = false;
    title = kind === 'inbox' ? t('inbox-title') : '';
    view =
      chat && module
        ? module.chatView(store, chat, (address) => {
            go(address);
            view?.heading.focus();
          })
        : kind === 'inbox'
          ? inboxView(store, { selected, go: openQuestion })
          : startView();
    main.replaceChildren(view.node);
    if (/** @type {HTMLElement} */ (side).matches(':popover-open')) side.hidePopover();
    scrollTo(0, 0);
  }
  list?.draw();
  drawConversations();
  for (const link of page.querySelectorAll('.tabs a')) {
    const isInbox = link.getAttribute('href') === '/inbox';
    if (isInbox === (kind === 'inbox')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  showTitle();
}

function startView() {
  const heading = h('h1', { tabindex: -1 }, t('web-new-conversation'));
  const apps = h('fieldset', { class: 'apps' });
  const recent = h('div', { class: 'recent' });
  const recentTitle = h('h2', {});
  const nameIn = (/** @type {App} */ app) =>
    app.names?.[tag()] ?? app.names?.[tag().split('-')[0]] ?? app.name;
  /** The apps that are shown. @type {App[]} */
  let shown = [];
  /** Drawn again only when they change: a radio button that has the focus stays where it is. */
  function drawApps() {
    if (JSON.stringify(shown) === JSON.stringify(store.apps)) return;
    shown = store.apps;
    const chosen =
      /** @type {HTMLInputElement | null} */ (apps.querySelector('input:checked'))?.value ??
      store.apps.find((app) => app.default)?.id;
    apps.replaceChildren(
      h('legend', {}, t('web-choose-app')),
      ...store.apps.map((app) =>
        h(
          'label',
          {},
          h('input', { type: 'radio', name: 'app', value: app.id, checked: app.id === chosen }),
          h('span', { class: 'name' }, bdi(nameIn(app))),
          app.description && h('span', { class: 'hint', dir: 'auto' }, app.description),
        ),
      ),
    );
  }
  function draw() {
    drawApps();
    recent.replaceChildren(...conversationList(recentTitle));
  }
  const write = composer({
    key: 'new',
    send: async (message, message_id) => {
      const app = /** @type {HTMLInputElement | null} */ (apps.querySelector('input:checked'))
        ?.value;
      const made = await store.client.post('/conversations', {
        app,
        message,
        message_id,
        idempotency_key: message_id,
      });
      go(`/c/${made.id}`);
    },
  });
  store.addEventListener('conversations', draw);
  draw();
  return {
    node: h('div', { class: 'chat start' }, heading, write.node, apps, recent),
    heading,
    leave: () => store.removeEventListener('conversations', draw),
  };
}

/** @param {HTMLElement} heading stays the same element, so that whoever is reading it is not thrown out */
function conversationList(heading) {
  heading.textContent = t('web-conversations');
  const items = [...store.conversations.values()]
    .sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
    .map((conversation) => {
      const waits = conversation.state.type === 'awaiting_user_response';
      return h(
        'li',
        {},
        h(
          'a',
          {
            href: `/c/${conversation.id}`,
            'aria-current': location.pathname === `/c/${conversation.id}` ? 'page' : undefined,
          },
          bdi(conversation.title ?? clock(conversation.created_at), 'name'),
          waits &&
            h(
              'span',
              { class: 'dot' },
              h(
                'span',
                { class: 'unseen' },
                t('chat-waiting', { agent: conversation.state.source ?? 'askback' }),
              ),
            ),
        ),
      );
    });
  return items.length ? [heading, h('ul', {}, items)] : [];
}

const conversations = h('div', { class: 'conversations' });
const conversationsTitle = h('h2', {});
const drawConversations = () =>
  conversations.replaceChildren(...conversationList(conversationsTitle));
const inboxTitle = h('h2', {});

function drawCounts() {
  const count = store.waiting.size;
  const named = () => [
    t('inbox-title'),
    ...(count ? [' ', h('span', { class: 'number' }, count)] : []),
  ];
  for (const each of [inboxTitle, ...page.querySelectorAll('.tabs a[href="/inbox"]')])
    each.replaceChildren(...named());
  showTitle();
}

/** The address stays: what comes after the # names a question. @param {Event} event */
function skipTo(event) {
  event.preventDefault();
  const question =
    view?.element?.() ??
    /** @type {AskbackQuestion | null} */ (
      main.querySelector('askback-question[data-state="asked"]')
    );
  if (question) question.focusFirst();
  else view?.heading.focus();
}

/** Draws the frame anew, as after a change of language. */
function frame() {
  Object.assign(document.documentElement, { lang: tag(), dir: dir() });
  list?.leave();
  list = inboxList(store, {
    open: openQuestion,
    selected,
    element: () => view?.element?.() ?? null,
    say,
  });
  const brand = h('a', { href: '/', class: 'brand' }, 'askback');
  side.setAttribute('aria-label', t('inbox-title'));
  side.setAttribute('popover', '');
  banner.textContent = t('chat-connection-lost');
  side.replaceChildren(
    brand.cloneNode(true),
    h('a', { href: '/', class: 'new' }, t('web-new-conversation')),
    h('div', {}, inboxTitle, list.node),
    conversations,
    settingsView({
      changeLanguage: async (language) => {
        await loadWords('', language);
        frame();
        dispatchEvent(new Event('askback-language'));
      },
    }),
  );
  const top = h(
    'header',
    { class: 'top' },
    h('button', {
      type: 'button',
      popovertarget: 'side',
      class: 'menu',
      'aria-label': t('web-conversations'),
    }),
    brand,
    h(
      'div',
      { class: 'tabs' },
      h('a', { href: '/' }, t('web-conversations')),
      h('a', { href: '/inbox' }, t('inbox-title')),
    ),
  );
  page.replaceChildren(
    h('a', { href: '#main', class: 'skip', onclick: skipTo }, t('web-skip-to-question')),
    top,
    side,
    h('div', { class: 'content' }, banner, main),
    status,
    alert,
  );
  view?.leave();
  view = null;
  main.dataset.view = '';
  route();
  drawCounts();
}

let arrivals = 0;
store.addEventListener('asked', () => {
  arrivals += 1;
  if (arrivals === 1)
    setTimeout(() => {
      say(t('inbox-arrived', { count: arrivals }));
      arrivals = 0;
    }, BURST_MS);
});
store.addEventListener('pending', drawCounts);
// Fields that few questions need are there before such a question is opened.
store.addEventListener('pending', () => {
  loadFields(store.pending.flatMap(({ questions }) => questions)).catch(() => {});
});
store.addEventListener('conversations', drawConversations);
store.addEventListener('connection', () => {
  banner.hidden = store.isConnected;
});
// The session has ended, here or elsewhere: the server shows how to sign in.
store.addEventListener('feed', (event) => {
  const { type, data } = /** @type {CustomEvent} */ (event).detail;
  if (type === 'refused' && data.status === 401) location.reload();
});
document.addEventListener('askback-announce', (event) => {
  const { text, isUrgent } = /** @type {CustomEvent} */ (event).detail;
  event.preventDefault();
  say(text, isUrgent);
});
document.addEventListener('askback-say', (event) => say(/** @type {CustomEvent} */ (event).detail));
document.addEventListener('askback-title', (event) => {
  title = /** @type {CustomEvent} */ (event).detail;
  showTitle();
});
document.addEventListener('askback-error', () => {
  hasError = true;
  showTitle();
});
document.addEventListener('askback-state', () => {
  hasError = false;
  showTitle();
});
document.addEventListener('click', (event) => {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (
    !(link instanceof HTMLAnchorElement) ||
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    link.target
  )
    return;
  if (
    link.origin !== location.origin ||
    !/^\/($|c\/|inbox)/.test(link.pathname) ||
    link.getAttribute('href')?.startsWith('#')
  )
    return;
  event.preventDefault();
  go(link.pathname + link.hash);
  view?.heading.focus();
});
addEventListener('popstate', route);
addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'a' || !event.shiftKey || !(event.ctrlKey || event.metaKey))
    return;
  event.preventDefault();
  jump();
});

/** To the oldest question that waits, and from there back to where the focus was. */
function jump() {
  const oldest = /** @type {Inquiry | undefined} */ (
    [...store.waiting.values()].sort(
      (one, other) => Date.parse(one.asked_at) - Date.parse(other.asked_at),
    )[0]
  );
  const isThere =
    !oldest || document.activeElement?.matches(`askback-question[inquiry="${oldest.id}"]`);
  if (isThere && cameFrom?.isConnected && document.activeElement?.matches('askback-question')) {
    /** @type {HTMLElement} */ (cameFrom).focus();
    cameFrom = null;
    return;
  }
  if (!oldest) return;
  cameFrom = document.activeElement;
  const here = /** @type {AskbackQuestion | null} */ (
    main.querySelector(`askback-question[inquiry="${oldest.id}"]`)
  );
  if (!here) openQuestion(oldest.id);
  (here ?? view?.element?.())?.focusFirst();
}

applyTheme();
notifyOf(store, openQuestion);
// What is known is asked for while the words are on their way.
const loaded = store.load();
await loadWords('', chooseLanguage([document.documentElement.lang, ...navigator.languages]));
frame();
await loaded.catch(() => {
  banner.hidden = false;
});
route();
