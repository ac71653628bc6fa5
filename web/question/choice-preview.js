// The preview of a choice: Markdown as in a conversation, diffs, and drawings made of characters, which stay as
// they are.

import { diff, isDiff } from '../lib/diff.js';
import { h } from '../lib/dom.js';
import { fenceOf, isTable, itemOf, markdown } from '../lib/markdown.js';

/** Code, or a line whose columns mean something: lines and boxes, text in columns, statements. */
const LITERAL = /[\u2500-\u259f]|\+-{2}|\t|[^\s.!?] {2,}\S|[{};]$/;
const INDENTED = /^ {2,}\S/;

/** Whether lines without a blank line between them are shown as they are. @param {string[]} lines @param {boolean} isInList */
function isLiteral(lines, isInList) {
  if (lines.some((_, at) => isTable(lines, at))) return false;
  return lines.some((line) => LITERAL.test(line) || (!isInList && INDENTED.test(line)));
}

/** Text and what is literal, in order, with its blank lines. @param {string} text */
function parts(text) {
  /** @type {{ lines: string[], isLiteral: boolean }[]} */
  const found = [];
  const lines = text.split('\n');
  let isInList = false;
  for (let at = 0; at < lines.length; ) {
    const from = at;
    const fence = fenceOf(lines[at]);
    at += 1;
    if (fence) {
      while (at < lines.length && !lines[at].trimStart().startsWith(fence)) at += 1;
      at += 1;
    } else while (at < lines.length && lines[at].trim() && !fenceOf(lines[at])) at += 1;
    const block = lines.slice(from, at);
    isInList = itemOf(block[0]) !== null || (isInList && INDENTED.test(block[0]));
    const literal = !fence && isLiteral(block, isInList);
    while (at < lines.length && !lines[at].trim()) block.push(lines[at++]);
    const last = found.at(-1);
    if (last?.isLiteral === literal) last.lines.push(...block);
    else found.push({ lines: block, isLiteral: literal });
  }
  return found;
}

/** @param {string} preview */
export function previewContent(preview) {
  const text = preview.replace(/\r\n?/g, '\n').replace(/^(\s*\n)+|\s+$/g, '');
  if (isDiff(text)) return [diff(text.split('\n'))];
  return parts(text).flatMap(({ lines, isLiteral }) => {
    const part = lines.join('\n');
    if (!isLiteral) return markdown(part);
    return h('pre', { dir: 'ltr', tabindex: 0 }, h('code', {}, part.trimEnd()));
  });
}
