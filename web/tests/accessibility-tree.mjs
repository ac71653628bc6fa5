// What assistive technology is told: role, name and description, as the browser computes them.

const TOLD = new Set([
  'group',
  'radio',
  'checkbox',
  'textbox',
  'combobox',
  'listbox',
  'option',
  'button',
  'heading',
  'link',
]);

/**
 * The controls below the element that a CSS selector finds, in order, as `role "name" — description`.
 * @param {string} selector where `>>>` leads into a shadow root
 */
export async function accessibleControls(page, selector, roles = TOLD) {
  const cdp = await page.context().newCDPSession(page);
  try {
    const expression = selector
      .split(' >>> ')
      .map((part) => `.querySelector(${JSON.stringify(part)})`)
      .join('.shadowRoot');
    const { result } = await cdp.send('Runtime.evaluate', { expression: `document${expression}` });
    const { nodes } = await cdp.send('Accessibility.queryAXTree', { objectId: result.objectId });
    const plain = (value) =>
      String(value ?? '')
        .replaceAll(/[\u2066-\u2069]/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    return nodes
      .filter(
        ({ ignored, role }) =>
          !ignored && [...roles].some((each) => each.toLowerCase() === role.value.toLowerCase()),
      )
      .map(({ role, name, description }) => ({
        role: role.value.toLowerCase(),
        name: plain(name?.value),
        description: plain(description?.value),
      }));
  } finally {
    await cdp.detach();
  }
}
