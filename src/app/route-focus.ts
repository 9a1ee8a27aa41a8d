import {type AppRouter} from './router.ts'

/**
 * After a change of page the focus moves to its heading, so that screen readers say where one is (design.md §9). Focus
 * that already rests in the page stays: a composer that was just used, a field that took it.
 */
export function moveFocusOnNavigation(router: AppRouter, page: Document = document): () => void {
  return router.subscribe('onRendered', ({pathChanged, fromLocation}) => {
    if (!pathChanged || fromLocation === undefined) return
    const main = page.querySelector('main')
    if (main === null || main.contains(page.activeElement)) return
    const heading = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
    heading.focus({preventScroll: true})
  })
}
