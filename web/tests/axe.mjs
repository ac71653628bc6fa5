// What axe finds on a page, and the contrast of what it cannot decide.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `rule: target` for each node; counted ids and places in a list are not told apart. */
const told = (results) =>
  results.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target }) =>
        `${id}: ${target
          .flat()
          .join(' > ')
          .replaceAll(/#?ab-\d+(-\w+)?/g, '#ab-N')
          .replaceAll(/inq_\w+/g, 'inq_N')
          .replaceAll(/:nth-child\(\d+\)/g, '')}`,
    ),
  );

/** Runs axe in the page, and measures what it leaves undecided: text of one character, or behind something. Null if that is gone. */
async function run(options) {
  const { violations, incomplete } = await globalThis.axe.run(document, options);
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // Painted one over the other, from the farthest ancestor to the text: what is seen.
  const painted = (colours) => {
    for (const colour of ['white', ...colours]) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) =>
    rgb
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ratio = (element) => {
    const behind = [];
    for (
      let each = element;
      each;
      each = each.assignedSlot ?? each.parentElement ?? each.getRootNode().host
    )
      behind.unshift(getComputedStyle(each).backgroundColor);
    const [high, low] = [
      light(painted([...behind, getComputedStyle(element).color])),
      light(painted(behind)),
    ].sort((one, other) => other - one);
    return (high + 0.05) / (low + 0.05);
  };
  const find = (target) =>
    target
      .flat()
      .reduce((root, selector) => (root?.shadowRoot ?? root)?.querySelector(selector), document);
  // The page was drawn anew while it was looked at.
  if (incomplete.some(({ nodes }) => nodes.some(({ target }) => !find(target)))) return null;
  const faint = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) => nodes)
    .map(({ target }) => ({ target, ratio: ratio(find(target)) }))
    .filter((each) => each.ratio < 4.5);
  const brief = (results) =>
    results.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => ({ target })) }));
  // By what an element is, not by a selector: selectors differ with what else is on the page.
  const kind = (element) => [element?.localName, ...(element?.classList ?? [])].join('.');
  const named = incomplete.flatMap(({ id, nodes }) =>
    nodes
      .map(({ target }) => find(target))
      .map(
        (element) =>
          `${id}: ${kind(element.parentElement ?? element.getRootNode().host)} > ${kind(element)}`,
      ),
  );
  return {
    violations: [
      ...brief(violations),
      ...faint.map((each) => ({
        id: `measured contrast ${each.ratio.toFixed(2)}`,
        nodes: [{ target: each.target }],
      })),
    ],
    incomplete: named,
  };
}

/**
 * Runs axe; its script is put in by the debugger, which the policy of the page does not govern.
 * @returns {Promise<{ violations: string[], incomplete: string[] }>}
 */
export async function audit(page, { rules } = {}) {
  // With its styles: a text is there before them.
  await page.waitForLoadState();
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS };
  const options = { runOnly, resultTypes: ['violations', 'incomplete'] };
  let found = null;
  while (!found) found = await page.evaluate(run, options);
  return { violations: told(found.violations), incomplete: found.incomplete };
}

/** In light and in dark; only the contrast is looked at twice. The page must not be moving from one to the other. */
export async function auditBoth(page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await audit(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await audit(page, { rules: ['color-contrast'] });
  return {
    violations: [...light.violations, ...dark.violations.map((each) => `dark: ${each}`)],
    incomplete: [...light.incomplete, ...dark.incomplete],
  };
}
