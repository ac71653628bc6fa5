// A unified diff, line by line. Each line keeps its sign, so that colour is never all that tells what changed.

import { h, span } from './dom.js';

/** Whether the text is a unified diff without a code block around it. @param {string} text */
export const isDiff = (text) =>
  /^(diff --git |@@ -|--- .*\n\+\+\+ )/m.test(text.split(/^\s*(?:\x60{3}|~{3})/m)[0]);

/** A block for each line. One that lost its only space gets it back. @param {string} line */
function drawLine(line) {
  const text = line || ' ';
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return span('file', text);
  if (line.startsWith('@@')) return span('hunk', text);
  if (line.startsWith('+')) return h('ins', {}, text);
  return h(line.startsWith('-') ? 'del' : 'span', {}, text);
}

/** @param {string[]} lines */
export const diff = (lines) =>
  h('pre', { class: 'diff', dir: 'ltr', tabindex: 0 }, h('code', {}, lines.map(drawLine)));
