import {type AppRouter} from './router.ts'

const headingOf = (page: Document) => page.querySelector<HTMLElement>('h1[tabindex]')

/**
 * After a navigation the heading gets the focus, so that screen readers announce the page (design.md §9). A focus
 * already inside the page stays, such as in a composer, or in a dialog over it. A loading page has a heading too; the
 * page that replaces it takes over the focus.
 */
export function moveFocusOnNavigation(router: AppRouter, page: Document = document): () => void {
  let heading: HTMLElement | undefined
  const follower = new MutationObserver(() => {
    if (heading?.isConnected === true && heading === page.activeElement) return
    const next = headingOf(page)
    if (heading?.isConnected === true || page.activeElement !== page.body) follower.disconnect()
    else if (next !== null) {
      heading = next
      next.focus({preventScroll: true})
    }
  })
  const unsubscribe = router.subscribe('onRendered', ({pathChanged, fromLocation}) => {
    if (!pathChanged || fromLocation === undefined) return
    follower.disconnect()
    const main = page.querySelector('main')
    if (main === null || page.activeElement?.closest('main, [role="dialog"]')) return
    heading = headingOf(page) ?? main
    heading.focus({preventScroll: true})
    follower.observe(page.body, {childList: true, subtree: true})
  })
  return () => {
    follower.disconnect()
    unsubscribe()
  }
}
