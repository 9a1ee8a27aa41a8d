import type {StoredText} from '#browser/stored-text.ts'
import {ownerMark} from '#domain/owner-mark.ts'
import type {AppRouter} from './router.ts'

/** The address of the page without parts that name a record of one user: ids, searches and open layers. */
function pathOfAll({state: {location, matches}}: AppRouter): string {
  const page = matches.at(-1)
  if (page === undefined || Object.keys(page.params).length === 0) return location.pathname
  return page.fullPath.split('/$', 1)[0] ?? '/'
}

/** No page stands yet, or the page is one of the login's. */
const isOnTheWay = ({state: {location, matches, status}}: AppRouter) =>
  status === 'pending' || matches.length === 0 || location.pathname.startsWith('/auth/')

/**
 * The user of the page in this tab, over a reload and the way to the login page and back. Another user does not get to
 * a conversation, an order or a task of the previous one but to the page with their own.
 */
export function createTabUser(storedUser: StoredText, router: AppRouter): (userId: string) => void {
  const leaveRecord = () => {
    const path = pathOfAll(router)
    if (path !== router.state.location.href) void router.navigate({href: path, replace: true})
  }
  return (userId) => {
    const [before, mark] = [storedUser.read(), ownerMark(userId)]
    if (mark === before) return
    storedUser.write(mark)
    if (before === undefined) return
    if (!isOnTheWay(router)) return leaveRecord()
    const unsubscribe = router.subscribe('onResolved', () => {
      if (isOnTheWay(router)) return
      unsubscribe()
      leaveRecord()
    })
  }
}
