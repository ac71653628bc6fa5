// A subset of Markdown, built as nodes: headings, lists, quotes, tables, code, emphasis, links. No HTML and no
// images; everything else stays text. Runs in linear time: lines are classified by their prefix.

import { diff } from './diff.js';
import { h } from './dom.js';
import { inline } from './markdown-inline.js';

/** Deeper quotes and lists stay text. */
const DEPTH_MAX = 6;
/** Longer texts are shown as plain text. */
export const TEXT_CHARS_MAX = 100_000;

/** The code fence that a line opens. @param {string} line */
export function fenceOf(line) {
  const found = /^ {0,3}(\x60{3,}|~{3,})/.exec(line);
  return found && /^[\w+-]*$/.test(line.slice(found[0].length).trim()) ? found[1] : null;
}

/** @param {string} line */
function headingOf(line) {
  const level = /^#{1,6}(?=\s)/.exec(line)?.[0].length;
  if (!level) return null;
  let text = line.slice(level).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  text = text.slice(0, end).trimEnd();
  return { level, text };
}

/** Whether a line is a horizontal rule. @param {string} line */
function isRule(line) {
  const marks = line.replace(/\s/g, '');
  return (
    marks.length >= 3 &&
    /^ {0,3}\S/.test(line) &&
    (/^-+$/.test(marks) || /^\*+$/.test(marks) || /^_+$/.test(marks))
  );
}

/** The content of a quoted line. @param {string} line */
function quoteOf(line) {
  const found = /^ {0,3}> ?/.exec(line);
  return found ? line.slice(found[0].length) : null;
}

/** @param {string} line */
export function itemOf(line) {
  const found = /^\s*(?:[-*+]|(\d{1,9})[.)])(?=\s)/.exec(line);
  if (!found) return null;
  return {
    indent: line.search(/\S/),
    number: found[1],
    text: line.slice(found[0].length).trimStart(),
  };
}

/** Whether a line ends the paragraph before it. @param {string} line */
const isStart = (line) =>
  fenceOf(line) !== null ||
  headingOf(line) !== null ||
  isRule(line) ||
  quoteOf(line) !== null ||
  itemOf(line) !== null;

/**
 * Headings start at level 3, below those of the page.
 * @param {string} text
 * @returns {Node[]}
 */
export function markdown(text) {
  if (text.length > TEXT_CHARS_MAX) return [h('p', { class: 'plain', dir: 'auto' }, text)];
  return blocks(text.replace(/\r\n?/g, '\n').split('\n'), 0);
}

/** @param {string[]} lines @param {number} depth @returns {Node[]} */
function blocks(lines, depth) {
  /** @type {Node[]} */
  const nodes = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const heading = headingOf(line);
    const fence = fenceOf(line);
    if (line.trim() === '') at += 1;
    else if (fence) at = code(lines, at, fence, nodes);
    else if (heading) {
      nodes.push(
        h(
          'p',
          {
            role: 'heading',
            'aria-level': Math.min(heading.level + 2, 6),
            class: 'heading',
            dir: 'auto',
          },
          inline(heading.text),
        ),
      );
      at += 1;
    } else if (isRule(line)) {
      nodes.push(h('hr'));
      at += 1;
    } else if (depth < DEPTH_MAX && quoteOf(line) !== null) at = quote(lines, at, depth, nodes);
    else if (depth < DEPTH_MAX && itemOf(line)) at = list(lines, at, depth, nodes);
    else if (isTable(lines, at)) at = table(lines, at, nodes);
    else at = paragraph(lines, at, nodes);
  }
  return nodes;
}

/** @param {string[]} lines @param {number} at @param {string} fence @param {Node[]} nodes */
function code(lines, at, fence, nodes) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(fence)) end += 1;
  const inner = lines.slice(at + 1, end);
  const isDiff = /(diff|patch)\s*$/.test(lines[at]);
  nodes.push(
    isDiff ? diff(inner) : h('pre', { dir: 'ltr', tabindex: 0 }, h('code', {}, inner.join('\n'))),
  );
  return end + 1;
}

/** @param {string[]} lines @param {number} at @param {number} depth @param {Node[]} nodes */
function quote(lines, at, depth, nodes) {
  const inner = [];
  for (; at < lines.length; at += 1) {
    const text = quoteOf(lines[at]);
    if (text === null) break;
    inner.push(text);
  }
  nodes.push(h('blockquote', { dir: 'auto' }, blocks(inner, depth + 1)));
  return at;
}

/** @param {string[]} lines @param {number} at @param {number} depth @param {Node[]} nodes */
function list(lines, at, depth, nodes) {
  const first = /** @type {NonNullable<ReturnType<typeof itemOf>>} */ (itemOf(lines[at]));
  const { indent } = first;
  const isNumbered = first.number !== undefined;
  const isInner = (/** @type {string | undefined} */ line) => /^\s\s+\S/.test(line ?? '');
  const items = [];
  while (at < lines.length) {
    const item = itemOf(lines[at]);
    if (
      !item ||
      item.indent > indent + 1 ||
      item.indent < indent ||
      (item.number !== undefined) !== isNumbered
    )
      break;
    const inner = [item.text];
    for (
      at += 1;
      at < lines.length &&
      (isInner(lines[at]) || (lines[at].trim() === '' && isInner(lines[at + 1])));
      at += 1
    ) {
      const next = itemOf(lines[at]);
      if (next && next.indent <= indent + 1) break;
      inner.push(lines[at].slice(Math.min(indent + 2, lines[at].search(/\S|$/))));
    }
    items.push(
      h('li', { dir: 'auto' }, inner.length === 1 ? inline(inner[0]) : blocks(inner, depth + 1)),
    );
  }
  nodes.push(isNumbered ? h('ol', { start: first.number }, items) : h('ul', {}, items));
  return at;
}

/** The cells of a line of a table. A bar behind a backslash is text. @param {string} line */
function cellsOf(line) {
  const cells = [''];
  for (let at = 0; at < line.length; at += 1) {
    const isEscaped = line[at] === '\\' && line[at + 1] === '|';
    if (isEscaped) at += 1;
    if (line[at] === '|' && !isEscaped) cells.push('');
    else cells[cells.length - 1] += line[at];
  }
  const trimmed = cells.map((cell) => cell.trim());
  if (trimmed[0] === '') trimmed.shift();
  if (trimmed.at(-1) === '') trimmed.pop();
  return trimmed;
}

/** Whether a line and the next one are the head of a table. @param {string[]} lines @param {number} at */
export function isTable(lines, at) {
  const rule = lines[at + 1] ?? '';
  if (!lines[at].includes('|') || !/^[\s|:-]+$/.test(rule) || !rule.includes('-')) return false;
  const columns = cellsOf(rule);
  return (
    columns.length === cellsOf(lines[at]).length && columns.every((cell) => /^:?-+:?$/.test(cell))
  );
}

/** @param {string[]} lines @param {number} at @param {Node[]} nodes */
function table(lines, at, nodes) {
  const head = cellsOf(lines[at]);
  const rows = [];
  for (at += 2; at < lines.length && lines[at].includes('|'); at += 1) {
    const cells = cellsOf(lines[at]);
    rows.push(
      h(
        'tr',
        {},
        head.map((_, column) => h('td', { dir: 'auto' }, inline(cells[column] ?? ''))),
      ),
    );
  }
  // It may scroll sideways, so it can have the focus.
  nodes.push(
    h(
      'table',
      { tabindex: 0 },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head.map((cell) => h('th', { scope: 'col', dir: 'auto' }, inline(cell))),
        ),
      ),
      h('tbody', {}, rows),
    ),
  );
  return at;
}

/** @param {string[]} lines @param {number} at @param {Node[]} nodes */
function paragraph(lines, at, nodes) {
  const from = at;
  do at += 1;
  while (
    at < lines.length &&
    lines[at].trim() !== '' &&
    !isStart(lines[at]) &&
    !isTable(lines, at)
  );
  nodes.push(h('p', { dir: 'auto' }, inline(lines.slice(from, at).join('\n'))));
  return at;
}
