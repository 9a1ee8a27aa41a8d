const overlays = '[role="menu"], [role="dialog"]'

/**
 * Calls `onAwaited` when a press on a button that opens a menu or a dialog shows none, since its code was never loaded
 * and there is no network.
 */
export function watchOverlays(page: Window, onAwaited: () => void): void {
  const count = () => page.document.querySelectorAll(overlays).length
  const look = ({target}: Event) => {
    const button = target instanceof Element ? target.closest('button[aria-haspopup]') : null
    if (button === null || page.navigator.onLine) return
    const before = count()
    // an overlay whose code is there is shown with the frame after the press
    page.requestAnimationFrame(() =>
      page.requestAnimationFrame(() => {
        if (button.getAttribute('aria-expanded') === 'true' && count() === before) onAwaited()
      }),
    )
  }
  page.document.addEventListener('click', look, true)
}
