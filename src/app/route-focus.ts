import {type AppRouter} from './router.ts'

const headingOf = (page: Document) => page.querySelector<HTMLElement>('h1[tabindex]')

/**
 * After a change of page the focus moves to its heading, so that screen readers say where one is (design.md §9). Focus
 * that already rests in the page stays: a composer that was just used, a field that took it. A page that is on its way
 * shows a heading too; the one that takes its place takes the focus over.
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
    if (main === null || main.contains(page.activeElement)) return
    heading = headingOf(page) ?? main
    heading.focus({preventScroll: true})
    follower.observe(page.body, {childList: true, subtree: true})
  })
  return () => {
    follower.disconnect()
    unsubscribe()
  }
}
