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

const STATIC = /^import\s[^;]*?['"](\.[\w./-]+\.js)['"];/gm;
const DYNAMIC = /\bimport\('(\.[\w./-]+\.js)'\)/g;

/** Modules and everything that they import. */
function importGraph(names, imports = [STATIC]) {
  const seen = new Set();
  const add = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const pattern of imports)
      for (const [, address] of read(name).matchAll(pattern)) add(join(dirname(name), address));
  };
  names.forEach(add);
  return [...seen];
}

const inCss = (...names) => names.map((name) => `css/${name}.css`);
const elementStyles = inCss('base', 'element', 'element-fields');
const appStyles = [...elementStyles, ...inCss('app', 'chat')];
/** What a page loads before its questions say what they need; a conversation also its message field. */
const budgets = [
  ['the element in another page', [...importGraph(['element.js']), ...elementStyles], 36],
  [
    'a conversation',
    [...importGraph(['app.js', 'chat/view.js', 'chat/composer.js']), ...appStyles],
    60,
  ],
  [
    'the inbox',
    [...importGraph(['app.js', 'inbox/view.js']), ...appStyles, ...inCss('inbox', 'inbox-rows')],
    73,
  ],
  [
    'the start page',
    [...importGraph(['app.js', 'shell/start-view.js']), ...appStyles, ...inCss('start')],
    53,
  ],
  ['the form without scripts', inCss('base', 'form'), 4],
  ['all scripts', scripts, 106],
  ['all styles', stylesheets, 16],
];
for (const [name, parts, limit] of budgets) {
  const size = totalSize(parts);
  console.log(`web: ${name} ${(size / KB).toFixed(1)} KB of ${limit} KB`);
  if (size > limit * KB) problems.push(`${name}: ${size} bytes are more than ${limit} KB`);
}

// Scripts of pages that the server writes are named there.
const entries = scripts.filter((name) => /^(app|element|service-worker|form\/.*)\.js$/.test(name));
const loaded = importGraph(entries, [STATIC, DYNAMIC]);
for (const name of scripts) if (!loaded.includes(name)) problems.push(`${name} is not imported`);

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

// A node may be drawn anew between being found and being measured: `boxOf` then measures the new one.
for (const name of readdirSync(join(here, 'tests')))
  if (name.endsWith('.test.mjs') && read(`tests/${name}`).includes('.boundingBox('))
    problems.push(`tests/${name}: use boxOf of harness.mjs instead of boundingBox`);

for (const problem of problems) console.log(`web: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
