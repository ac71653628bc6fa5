// Checks what no linter knows: size budgets, CSS and markup rules, and that every text is defined and
// used. Run it with `node checks.mjs`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';

const KB = 1024;
const LINES_MAX = 600;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const read = (name) => readFileSync(join(here, name), 'utf8');
/** The files that are served, as crates/server/askback-server/build.rs finds them. */
const files = readdirSync(here, { recursive: true }).filter((name) =>
  /^(?!(node_modules|tests)\/)([\w-]+\/)?[\w-]+\.(js|css|html|svg)$/.test(name),
);
const scripts = files.filter((name) => name.endsWith('.js'));
const stylesheets = files.filter((name) => name.endsWith('.css'));
const problems = [];

/** A module or a stylesheet without comments and indentation, as crates/server/askback-server/src/web/comments.rs sends it. */
function strip(source) {
  let isInBlock = false;
  const code = (line) => line.split('*/').slice(1).join('*/');
  const lines = source.split('\n').map((line) => {
    let rest = line;
    if (isInBlock || /^\s*\/\*/.test(line)) {
      isInBlock = !line.includes('*/');
      rest = isInBlock ? '' : code(line);
    } else if (/^\s*\/\//.test(line)) rest = '';
    return rest
      .trim()
      .replaceAll(/\/\*\* @.*?\*\//g, '')
      .trimEnd();
  });
  return lines.join('\n');
}

// Nothing but comments and indentation may be gone.
const minified = (source, loader) =>
  transformSync(source, { minify: true, loader, ...(loader === 'js' ? { format: 'esm' } : {}) })
    .code;
for (const name of [...scripts, ...stylesheets]) {
  const loader = name.split('.').pop();
  if (minified(strip(read(name)), loader) !== minified(read(name), loader))
    problems.push(
      `${name}: more than comments and indentation is stripped; write comments on lines of their own, and no text over several lines`,
    );
}

// Budgets: bytes as the server sends them.

const sent = (name) => (/\.(js|css)$/.test(name) ? strip(read(name)) : read(name));
const gzippedSize = (name) => gzipSync(sent(name), { level: 9 }).length;
const totalSize = (names) => names.reduce((total, name) => total + gzippedSize(name), 0);

/** A module and everything that it imports statically. */
function importGraph(entry, seen = new Set()) {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, address] of read(entry).matchAll(/^import\s[^;]*?['"](\.[\w./-]+\.js)['"];/gm))
    importGraph(join(dirname(entry), address), seen);
  return seen;
}

/** The modules that these import dynamically, with their graphs. */
const loadedOnDemand = (names) =>
  names.flatMap((name) =>
    [...read(name).matchAll(/\bimport\('(\.[\w./-]+\.js)'\)/g)].flatMap(([, address]) => [
      ...importGraph(join(dirname(name), address)),
    ]),
  );

const without = (names, ...others) =>
  [...new Set(names)].filter((each) => !others.flat().includes(each));
const i18n = ['lib/strings.js', 'lib/i18n.js'];
const element = without(importGraph('element.js'), i18n);
const app = without(importGraph('app.js'), element, i18n);
const views = [
  'chat/view.js',
  'inbox/view.js',
  'shell/start-view.js',
  'shell/answered-view.js',
].flatMap((name) => [...importGraph(name)]);
const chat = without(importGraph('chat/view.js'), element, i18n, app);
const messageField = without(importGraph('chat/composer.js'), element, i18n, app, chat);
const markdown = without(importGraph('chat/streamed-reply.js'), element, i18n, app);
const rareActions = without(
  [...importGraph('chat/delete-conversation.js'), ...importGraph('shell/more-conversations.js')],
  element,
  i18n,
  app,
  chat,
);
const onDemand = without(loadedOnDemand(element), element, i18n, markdown);
const inbox = without(importGraph('inbox/view.js'), element, i18n, app, chat, markdown);
const notifications = without(
  [...importGraph('shell/notifications.js'), 'shell/presence.js', 'service-worker.js'],
  chat,
  inbox,
  element,
  i18n,
  app,
);
const inboxOnDemand = without(loadedOnDemand(inbox), inbox, element, i18n, app, chat);
const otherViews = without(
  [
    ...views,
    ...importGraph('shell/settings.js'),
    ...importGraph('shell/other-agents.js'),
    'draft/outbox-sender.js',
  ],
  notifications,
  markdown,
  messageField,
  chat,
  inbox,
  element,
  i18n,
  app,
);
const inboxStyles = ['css/inbox.css', 'css/inbox-rows.css'];
const appStyles = [
  'css/base.css',
  'css/element.css',
  'css/element-fields.css',
  'css/app.css',
  'css/chat.css',
];
const otherStyles = [
  'css/element-extras.css',
  'css/start.css',
  'css/other-agents.css',
  'css/settings.css',
  'css/answered.css',
];
const formStyles = ['css/base.css', 'css/form.css'];
const budgets = [
  ['element', element, 29],
  ['app shell', app, 8],
  ['chat', chat, 9],
  ['message field', messageField, 3],
  ['rare actions', rareActions, 1],
  ['markdown', markdown, 5],
  ['inbox', inbox, 20],
  ['inbox on demand', inboxOnDemand, 5],
  ['styles of the inbox', inboxStyles, 4],
  ['other views', otherViews, 10],
  ['notifications', notifications, 4],
  ['styles on demand', otherStyles, 3],
  ['on demand', onDemand, 17],
  ['styles of the app', appStyles, 9],
  ['styles of the form', formStyles, 4],
  ['texts and formats', i18n, 3],
];
for (const [name, parts, limit] of budgets) {
  const size = totalSize(parts);
  console.log(`web: ${name} ${(size / KB).toFixed(1)} KB of ${limit} KB`);
  if (size > limit * KB) problems.push(`${name}: ${size} bytes are more than ${limit} KB`);
}

const loaded = [
  ...importGraph('app.js'),
  ...views,
  ...markdown,
  ...rareActions,
  ...onDemand,
  ...inboxOnDemand,
  'form/question-page.js',
  'form/keep-form.js',
  'form/local-time.js',
  'form/previews.js',
  'form/retry.js',
  'shell/presence.js',
  'shell/notify-offer.js',
  'shell/oldest-question.js',
  'shell/people.js',
  'service-worker.js',
  ...importGraph('shell/settings.js'),
  ...importGraph('shell/other-agents.js'),
  'draft/outbox-sender.js',
];
for (const name of without(scripts, loaded)) problems.push(`${name} is not imported`);
for (const name of without(stylesheets, appStyles, inboxStyles, otherStyles, formStyles))
  problems.push(`${name} is in no budget`);

// Rules for single lines.

const PHYSICAL =
  /(?<![\w-])(left|right|(margin|padding|border)-(left|right)|text-align:\s*(left|right)|float)\s*:/;
const MARKUP = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
const rules = [
  [stylesheets, PHYSICAL, 'is physical; use the logical property'],
  [scripts, MARKUP, 'turns text into markup or code; build nodes'],
];
for (const [names, pattern, reason] of rules)
  for (const name of names)
    read(name)
      .split('\n')
      .forEach((line, at) => {
        const found = pattern.exec(line);
        if (found) problems.push(`${name}:${at + 1}: ${found[0]} ${reason}`);
      });
for (const name of [...scripts, ...stylesheets]) {
  const lines = read(name).split('\n').length - 1;
  if (lines > LINES_MAX) problems.push(`${name}: ${lines} lines are more than ${LINES_MAX}`);
}

// Texts: every one that is used is defined in every language, and every one that is defined is used.

const rustSources = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith('.rs'))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !/(_tests\.rs|\/tests\/.*)$/.test(path.slice(directory.length)));
const rust = rustSources(join(root, 'crates'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const javascript = scripts.map(read).join('\n');
/** Ids that the code puts together. */
const composed = [
  ...['number', 'number-whole'].flatMap((kind) =>
    ['-min', '-max', '-range', kind === 'number' ? '-any' : ''].map((end) => kind + end),
  ),
  ...['auto', 'light', 'dark'].map((theme) => `web-theme-${theme}`),
];
const quoted = (text) => [...text.matchAll(/['"]([a-z][a-z\d-]*)['"]/g)].map(([, id]) => id);
const used = new Set([
  ...[...javascript.matchAll(/(?<![\w.])t\(([^,)`]*)/g)].flatMap(([, argument]) =>
    quoted(argument),
  ),
  ...[...javascript.matchAll(/: '((?:web|chat)-[a-z-]+)'/g)].map(([, id]) => id),
  ...[...rust.matchAll(/locale\s*\.text\(\s*"([a-z][a-z\d-]*)"/g)].map(([, id]) => id),
  ...composed,
]);
const mentioned = new Set([...quoted(javascript), ...quoted(rust), ...composed]);
for (const tag of readdirSync(join(root, 'locales'))) {
  const source = readFileSync(join(root, 'locales', tag, 'askback.ftl'), 'utf8');
  const defined = new Set([...source.matchAll(/^([a-z][a-z\d-]*) =/gm)].map(([, id]) => id));
  for (const id of used)
    if (!defined.has(id)) problems.push(`locales/${tag}: ${id} is used but not defined`);
  for (const id of defined)
    if (!mentioned.has(id)) problems.push(`locales/${tag}: ${id} is defined but not used`);
}

for (const problem of problems) console.log(`web: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
