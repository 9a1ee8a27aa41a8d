import {openStorage} from './storage.ts'
import {createStoredText} from './stored-text.ts'

const name = 'atrium.awaited'
const storedOrder = createStoredText(openStorage('sessionStorage'), name)

/** The order whose payment this tab waited for last: its page may have been left for that of the payment. */
export const awaitOrder = (order: string): void => storedOrder.write(order)
export const isAwaited = (order: string): boolean => storedOrder.read() === order
/** Its end was seen: a reload is no arrival. */
export const forgetAwaited = (order: string): void => {
  if (isAwaited(order)) storedOrder.write(undefined)
}
/** In a tab that this one has just opened, and that is empty yet. */
export const forgetAwaitedIn = (tab: Window): void => {
  try {
    tab.sessionStorage.removeItem(name)
  } catch {
    // storage is forbidden, so that nothing was copied
  }
}
