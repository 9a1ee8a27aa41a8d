/** Pixels; bars of a browser that come and go are lower than any keyboard. */
const leastKeyboard = 120
/** Pixels; a phone shows no more beside its keyboard, a tablet does. */
const lowPart = 480

/**
 * Tells the styles which part of the page is seen while an on-screen keyboard lies over it: `--seen-start` and
 * `--seen-end` are what is hidden above and below, `--seen-size` is the height between, and `data-covered` says that it
 * is low. Browsers that make the page smaller themselves (`interactive-widget`) leave nothing to do; Safari on iOS does
 * not. Without touch nothing is watched.
 */
export function followKeyboard(page: Window): void {
  const {visualViewport, document} = page
  if (visualViewport === null || !page.matchMedia('(pointer: coarse)').matches) return
  const {documentElement} = document
  const position = () => {
    const {height, offsetTop, scale} = visualViewport
    const hiddenHeight = documentElement.clientHeight - height
    // a page that is zoomed by two fingers shows a part of it as well
    const isOpen = scale < 1.01 && hiddenHeight >= leastKeyboard
    const sizes = {'--seen-start': offsetTop, '--seen-end': hiddenHeight - offsetTop, '--seen-size': height}
    for (const [name, size] of Object.entries(sizes))
      if (isOpen) documentElement.style.setProperty(name, `${Math.max(0, size)}px`)
      else documentElement.style.removeProperty(name)
    documentElement.toggleAttribute('data-covered', isOpen && height <= lowPart)
  }
  for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, position)
  position()
}
