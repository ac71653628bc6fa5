// The element comes from the server, so that it always has the server's version.

/** Defines `<askback-question>` with the module of this server. */
export async function loadElement(server) {
  if (!customElements.get('askback-question')) await import(/* @vite-ignore */ /* webpackIgnore: true */ `${server}/web/element.js`);
}
