// Holds the modules to their budgets and to rules that no linter knows: node checks.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), 'utf8');
const names = readdirSync(here).filter((name) => /^[\w-]+\.(js|css|html|svg)$/.test(name));
const problems = [];

/** A file as the server sends it: without comments and indentation, compressed. */
function served(name) {
  let text = read(name);
  if (name.endsWith('.js'))
    text = text.replace(/\/\*\*[\s\S]*?\*\/ ?/g, '').replace(/^\s*\/\/.*$/gm, '');
  if (name.endsWith('.css')) text = text.replace(/\/\*[\s\S]*?\*\//g, '');
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return gzipSync(lines.join(name.endsWith('.css') ? '' : '\n'), { level: 9 }).length;
}

/** All modules that one of them needs, itself first. */
function graph(entry, seen = new Set()) {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, name] of read(entry).matchAll(/^import\s[^;]*?['"]\.\/([\w-]+\.js)['"];/gm))
    graph(name, seen);
  return seen;
}

const sum = (files) => files.reduce((total, name) => total + served(name), 0);
const words = ['strings.js', 'i18n.js'];
const element = [...graph('element.js')].filter((name) => !words.includes(name));
/** Loaded by the element when a question needs them, and not before: no part of its first load. */
const parts = [
  ...new Set(
    element.flatMap((name) =>
      [...read(name).matchAll(/\bimport\('\.\/([\w-]+\.js)'\)/g)].flatMap(([, part]) => [
        ...graph(part),
      ]),
    ),
  ),
].filter((name) => ![...element, ...words].includes(name));
const app = [...graph('app.js')].filter((name) => !element.includes(name) && !words.includes(name));
/** Loaded with the first conversation. */
const chat = [...graph('chat-view.js')].filter(
  (name) => ![...element, ...words, ...app].includes(name),
);
const css = names.filter((name) => name.endsWith('.css'));
/** What a page loads: the app with the block in it, or the plain form. */
const appCss = ['base.css', 'element.css', 'style.css'];
const formCss = ['base.css', 'form.css'];
const locales = readdirSync(join(here, '..', 'locales'));
/** What a locale costs is measured on the server by the tests; here its source stands for it. */
const KB = 1024;
const budgets = [
  ['element', sum(element), 24 * KB],
  ['app shell', sum(app), 13 * KB],
  ['chat', sum(chat), 8 * KB],
  ['parts on demand', sum(parts), 8 * KB],
  ['styles of the app', sum(appCss), 6 * KB],
  ['styles of the form', sum(formCss), 6 * KB],
  ['formatter', sum(words), 3 * KB],
];
for (const [what, size, limit] of budgets) {
  console.log(`web: ${what} ${(size / KB).toFixed(1)} KB of ${limit / KB} KB`);
  if (size > limit)
    problems.push(`${what} has ${size} bytes, more than ${limit}; make it smaller or split it`);
}

const unused = names.filter(
  (name) =>
    name.endsWith('.js') &&
    !graph('app.js').has(name) &&
    !chat.includes(name) &&
    !parts.includes(name) &&
    name !== 'question-page.js',
);
for (const name of css.filter((each) => ![...appCss, ...formCss].includes(each)))
  problems.push(`${name} is in no budget`);
for (const name of unused) problems.push(`${name} is imported by nothing`);

for (const name of css) {
  read(name)
    .split('\n')
    .forEach((line, at) => {
      const physical =
        /(?<![\w-])(left|right|(margin|padding|border)-(left|right)|text-align:\s*(left|right)|float)\s*:/.exec(
          line,
        );
      if (physical)
        problems.push(`${name}:${at + 1}: ${physical[0]} is physical; write the logical property`);
    });
}

for (const name of names.filter((each) => each.endsWith('.js'))) {
  const lines = read(name).split('\n');
  if (lines.length > 500) problems.push(`${name}: ${lines.length} lines are more than 500`);
  lines.forEach((line, at) => {
    const bad = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.exec(
      line,
    );
    if (bad)
      problems.push(`${name}:${at + 1}: ${bad[0]} makes markup or code of text; build nodes`);
    // The server sends files without comments and indentation, which must change nothing.
    const ticks = line.replace(/\\`/g, '').split('`').length - 1;
    if (ticks % 2 === 1 && !/^\s*\/[/*]|^\s*\*/.test(line))
      problems.push(`${name}:${at + 1}: a text over several lines would lose its indentation`);
  });
}

/** Every message that is used is defined in every language, and every one that is defined is used. */
const tests = /(_tests\.rs|\/tests\/.*)$/;
const rust = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith('.rs'))
    .map((each) => join(each.parentPath ?? each.path, each.name))
    .filter((path) => !tests.test(path));
const crates = readdirSync(join(here, '..', 'crates'))
  .flatMap((name) => rust(join(here, '..', 'crates', name, 'src')))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const modules = names
  .filter((each) => each.endsWith('.js'))
  .map(read)
  .join('\n');
/** Ids that are put together from parts. */
const composed = ['number', 'number-whole']
  .flatMap((kind) =>
    ['-min', '-max', '-range', kind === 'number' ? '-any' : ''].map((end) => kind + end),
  )
  .concat(
    ['auto', 'light', 'dark'].map((theme) => `web-theme-${theme}`),
    ['web-undo-inbox', 'web-undo-chat'],
  );
const quoted = (text) => [...text.matchAll(/['"]([a-z][a-z\d-]*)['"]/g)].map(([, id]) => id);
const said = new Set([
  ...[...modules.matchAll(/(?<![\w.])t\(([^,)`]*)/g)].flatMap(([, argument]) => quoted(argument)),
  ...[...modules.matchAll(/: '((?:web|chat)-[a-z-]+)'/g)].map(([, id]) => id),
  ...[...crates.matchAll(/locale\s*\.text\(\s*"([a-z][a-z\d-]*)"/g)].map(([, id]) => id),
  ...composed,
]);
const mentioned = new Set([...quoted(modules), ...quoted(crates), ...composed]);
for (const tag of locales) {
  const defined = new Set(
    [...read(join('..', 'locales', tag, 'askback.ftl')).matchAll(/^([a-z][a-z\d-]*) =/gm)].map(
      ([, id]) => id,
    ),
  );
  for (const id of said)
    if (!defined.has(id)) problems.push(`locales/${tag}: ${id} is used and not defined`);
  for (const id of defined)
    if (!mentioned.has(id))
      problems.push(`locales/${tag}: ${id} is defined and not used; strike it out`);
}

for (const problem of problems) console.log(`web: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
