// The icons: lines on a grid of 24, in the colour of the text around them. Drawn as nodes, so that the
// policy of the page allows them.

const SVG = 'http://www.w3.org/2000/svg';

/** One path for each icon. */
const PATHS = {
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.2',
  'arrow-down': 'M12 5v14M6 13l6 6 6-6',
  'arrow-up': 'M12 19V5M6 11l6-6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  inbox: 'M4 5h16v14H4zM4 13h5l1.5 2.5h3L15 13h5',
  keyboard: 'M3 6.5h18v11H3zM7 10h.1M10.3 10h.1M13.6 10h.1M17 10h.1M8 14h8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M6 12h12',
  next: 'm9 6 6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  previous: 'm15 6-6 6 6 6',
  question:
    'M9 9.3a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2M12 17.3v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4',
  settings: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M9.5 7V4h5v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  waiting: 'M6 12h.1M12 12h.1M18 12h.1',
};

/** Icons that point along the line of text: mirrored where that runs from right to left. */
const DIRECTED = ['next', 'previous'];

/** @typedef {keyof typeof PATHS} IconName */

/**
 * An icon beside a text, or in a button with a name of its own: screen readers skip it.
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon${DIRECTED.includes(name) ? ' directed' : ''}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
