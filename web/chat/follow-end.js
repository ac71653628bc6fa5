// Keeps the end of a conversation in view while it grows, unless the reader has scrolled away.

/** How near the end of the page counts as being there, in pixels. */
const END_PX = 48;
const KEYS_UP = ['ArrowUp', 'PageUp', 'Home'];

export class FollowEnd {
  /**
   * @param {HTMLElement} content
   * @param {HTMLElement} dock stays in view below the content
   * @param {() => void} onChange after the reader scrolled away or came back
   * @param {AbortSignal} signal aborted when the page is left
   */
  constructor(content, dock, onChange, signal) {
    this.onChange = onChange;
    this.isFollowing = true;
    this.height = 0;
    this.dock = dock;
    // What gets the focus by Tab is scrolled to a place that the dock does not cover.
    this.padding = new CSSStyleSheet();
    document.adoptedStyleSheets.push(this.padding);
    const sizes = new ResizeObserver(() => this.handleResize());
    sizes.observe(content);
    sizes.observe(dock);
    this.top = 0;
    /** Whether the reader's last move was upwards. */
    this.wantsUp = false;
    const passive = { passive: true, signal };
    const note = (/** @type {boolean} */ isUp) => {
      this.wantsUp = isUp;
    };
    addEventListener('scroll', () => this.handleScroll(), passive);
    addEventListener('wheel', ({ deltaY }) => note(deltaY < 0), passive);
    addEventListener('keydown', ({ key }) => note(KEYS_UP.includes(key)), passive);
    signal.addEventListener('abort', () => {
      sizes.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
        (each) => each !== this.padding,
      );
    });
  }

  get distance() {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    return scrollHeight - scrollTop - clientHeight;
  }

  handleResize() {
    this.padding.replaceSync(
      `:root { scroll-padding-block-end: ${Math.round(this.dock.offsetHeight) + 16}px }`,
    );
    this.height = document.documentElement.scrollHeight;
    if (this.isFollowing) this.toEnd();
  }

  toEnd() {
    document.documentElement.scrollTop = document.documentElement.scrollHeight;
    this.set(true);
  }

  /** A change of the size moves the page as well; that is not the reader, unless a wheel or a key was. */
  handleScroll() {
    const { scrollTop, scrollHeight } = document.documentElement;
    const isUp = scrollTop < this.top;
    this.top = scrollTop;
    if (isUp && this.wantsUp) {
      this.wantsUp = false;
      this.set(false);
    } else if (scrollHeight !== this.height) return;
    else if (this.distance >= END_PX) this.set(false);
    else if (!isUp) this.set(true);
  }

  /** @param {boolean} isFollowing */
  set(isFollowing) {
    if (isFollowing === this.isFollowing) return;
    this.isFollowing = isFollowing;
    this.onChange();
  }
}
