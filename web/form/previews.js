// Draws the previews of the plain form as the question block does, when they are opened. Without scripts they are plain text.

for (const preview of document.querySelectorAll('details.preview')) {
  const pre = preview.querySelector('pre');
  const draw = async () => {
    const { previewContent } = await import('../question/choice-preview.js');
    const content = document.createElement('div');
    content.className = 'markdown';
    // It may scroll, so it can have the focus.
    content.tabIndex = 0;
    content.role = 'group';
    content.ariaLabel = preview.querySelector('summary')?.textContent ?? '';
    content.append(...previewContent(pre?.textContent ?? ''));
    // This page has one level of headings, not two.
    for (const heading of content.querySelectorAll('[role="heading"]'))
      heading.setAttribute('aria-level', String(Number(heading.getAttribute('aria-level')) - 1));
    pre?.replaceWith(content);
  };
  preview.addEventListener('toggle', () => draw().catch(() => {}), { once: true });
}
