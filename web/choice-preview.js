// The preview of a choice: text as it is, with code blocks and coloured diffs. The rules are those of the
// terminal: a plus sign at the start of a line is a diff only where the text says that it is one.

import { h } from './dom.js';

/** Whether the text is a unified diff without a code block around it. @param {string} text */
const isDiff = (text) =>
  /^(diff --git |@@ -|--- .*\n\+\+\+ )/m.test(text.split(/^\s*(?:\x60{3}|~{3})/m)[0]);

/** @param {string} line */
const diffClass = (line) =>
  /^(diff |index |--- |\+\+\+ )/.test(line)
    ? undefined
    : { '+': 'added', '-': 'removed' }[line[0] ?? ''];

/** @param {string[]} lines @param {boolean} isColoured */
const drawLines = (lines, isColoured) =>
  lines.map((line) => h('span', { class: isColoured ? diffClass(line) : undefined }, `${line}\n`));

/** Lines and code blocks, in order. @param {string} text */
function parts(text) {
  const isWhole = isDiff(text);
  /** @type {{ lines: string[], isCode: boolean, isColoured: boolean }[]} */
  const found = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const opened = isWhole ? null : /^\s*(\x60{3}|~{3})[\x60~]*\s*([\w+-]*)\s*$/.exec(line);
    if (fence && line.trimStart().startsWith(fence)) {
      fence = '';
      found.push({ lines: [], isCode: false, isColoured: false });
    } else if (!fence && opened) {
      fence = opened[1];
      const isColoured = ['diff', 'patch'].includes(opened[2]);
      found.push({ lines: [], isCode: true, isColoured });
    } else {
      if (found.length === 0) found.push({ lines: [], isCode: false, isColoured: isWhole });
      found.at(-1)?.lines.push(line);
    }
  }
  return found.filter(({ lines }) => lines.some((line) => line.trim()));
}

/** @param {string} preview */
export const previewContent = (preview) =>
  parts(preview).flatMap(({ lines, isCode, isColoured }) =>
    isCode
      ? h('code', { class: 'block' }, drawLines(lines, isColoured))
      : drawLines(lines, isColoured),
  );
