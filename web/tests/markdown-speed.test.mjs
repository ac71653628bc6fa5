// The text of an agent is drawn in time that grows with its length and not faster, however it is made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harness } from './harness.mjs';

const it = harness();
let opened;
/** One page that does nothing else. */
const open = () => {
  opened ??= it.open('/inbox');
  return opened;
};
const SHORT = 6_000;
const TIMES = 16;
/** How much longer one long text may take than as much text in short ones, on a machine that does other things: a quadratic pattern takes 16 times as long. */
const RATIO_MAX = 6;
/** Less time than this, in milliseconds, is not compared: it may be that of another process. A quadratic pattern takes seconds. */
const COMPARED_MS_MIN = 100;

/** A long text takes about as long as the same amount of short ones, for texts that make patterns try again and again. */
test('no text makes the renderer quadratic', async () => {
  const page = await open();
  const slow = await page.evaluate(
    async ([short, times, ratio, least]) => {
      const { markdown } = await import('/web/lib/markdown.js');
      const texts = {
        'heading with spaces inside': (n) => `# a${' '.repeat(n)}b`,
        'heading of marks': (n) => `# ${'#'.repeat(n)}x`,
        'fence with spaces behind': (n) => `\`\`\`${' '.repeat(n)}!x`,
        'rule that is none': (n) => `${'- '.repeat(n / 2)}x`,
        'item with spaces': (n) => `-${' '.repeat(n)}\u2028x`,
        'spaces before a word': (n) => `${' '.repeat(n)}x`,
        'open brackets': (n) => '['.repeat(n),
        'brackets over lines': (n) => `${'[a\n'.repeat(n / 3)}]`,
        'labels without a target': (n) => '[a]('.repeat(n / 4),
        'targets with spaces': (n) => `${'[a](b'.repeat(n / 5)} )`,
        'open double stars': (n) => '**a '.repeat(n / 4),
        'single stars': (n) => '*a'.repeat(n / 2),
        'stars over lines': (n) => '*a\n'.repeat(n / 3),
        'nested marks': (n) => '**a *b _c ~~d '.repeat(n / 14),
        'open double underscores': (n) => ' __a'.repeat(n / 4),
        'single underscores': (n) => ' _a'.repeat(n / 3),
        'open tildes': (n) => '~~a\n'.repeat(n / 4),
        'backticks of every length': (n) =>
          Array.from({ length: Math.sqrt(2 * n) }, (_, at) => '`'.repeat(at + 1)).join('a'),
        'single backticks': (n) => '`a\n'.repeat(n / 3),
        'address of punctuation': (n) => `http://${'.'.repeat(n)}`,
        'addresses in a row': (n) => 'http://.'.repeat(n / 8),
        'deep quotes': (n) => `${'>'.repeat(n)} a`,
        'lines of quotes': (n) => '> a\n'.repeat(n / 4),
        items: (n) => '- a\n'.repeat(n / 4),
        'nested items': (n) =>
          Array.from({ length: n / 20 }, (_, at) => `${'  '.repeat(at % 8)}- a`).join('\n'),
        'blank lines': (n) => `- a\n${'\n'.repeat(n)}`,
        words: (n) => 'word '.repeat(n / 5),
      };
      const took = (text, count) =>
        Math.min(
          ...[0, 1, 2, 3, 4].map(() => {
            const begin = performance.now();
            for (let at = 0; at < count; at += 1) markdown(text);
            return performance.now() - begin;
          }),
        );
      return Object.entries(texts)
        .map(([name, make]) => ({
          name,
          many: took(make(short), times),
          one: took(make(short * times), 1),
        }))
        .filter(({ many, one }) => one > Math.max(many, least) * ratio)
        .map((each) => JSON.stringify(each));
    },
    [SHORT, TIMES, RATIO_MAX, COMPARED_MS_MIN],
  );
  assert.deepEqual(slow, []);
});

/** A text that is longer than anybody reads with headings in it is shown as it is. */
test('a very long text is plain', async () => {
  const page = await open();
  const shape = await page.evaluate(async () => {
    const { markdown, TEXT_CHARS_MAX } = await import('/web/lib/markdown.js');
    const text = '# a\n'.repeat(TEXT_CHARS_MAX / 4 + 1);
    const nodes = markdown(text);
    return [nodes.length, nodes[0].className, nodes[0].textContent === text];
  });
  assert.deepEqual(shape, [1, 'plain', true]);
});

/** What streams in is not drawn anew as a whole with every piece, and ends as what the whole text is. */
test('a stream is drawn piece by piece', async () => {
  const page = await open();
  const found = await page.evaluate(
    async ([times, ratio, least]) => {
      const { markdown } = await import('/web/lib/markdown.js');
      const { MarkdownStream } = await import('/web/lib/markdown-stream.js');
      const texts = {
        paragraphs: (n) => 'Some **words** of a paragraph.\n\n'.repeat(n / 32),
        fence: (n) => `\`\`\`\n${'let x = 1;\n'.repeat(n / 11)}`,
        list: (n) => '- an item\n'.repeat(n / 10),
        'one line': (n) => 'word '.repeat(n / 5),
      };
      const stream = (text) => {
        const streaming = new MarkdownStream();
        const begin = performance.now();
        for (let at = 0; at < text.length; at += 12) streaming.push(text.slice(at, at + 12));
        return { took: performance.now() - begin, node: streaming.node };
      };
      const slow = [];
      for (const [name, make] of Object.entries(texts)) {
        stream(make(2000));
        const took = (text, count) =>
          Math.min(
            ...[0, 1].map(() =>
              Array.from({ length: count }, () => stream(text).took).reduce(
                (sum, each) => sum + each,
              ),
            ),
          );
        const many = took(make(2_000), times);
        const one = took(make(2_000 * times), 1);
        if (one > Math.max(many, least) * ratio) slow.push(`${name}: ${many} and ${one} ms`);
      }
      const mixed =
        '# Title\n\nA [link](https://example.org) and `code`.\n\n1. one\n\n2. two\n\n   more of two\n\n> quoted\n\n```js\nlet x;\n\nlet y;\n```\n\nThe **end**.';
      const whole = document.createElement('div');
      whole.append(...markdown(mixed));
      const shape = (node) =>
        [...node.querySelectorAll('*')]
          .filter((each) => each.localName !== 'div')
          .map((each) => `${each.localName} ${each.textContent}`);
      const { node } = stream(mixed);
      return { slow, streamed: shape(node), whole: shape(whole) };
    },
    [TIMES, RATIO_MAX, COMPARED_MS_MIN],
  );
  assert.deepEqual(found.slow, []);
  assert.deepEqual(found.streamed, found.whole);
});
