import {openStorage} from './storage.ts'
import {createStoredText} from './stored-text.ts'

const stored = createStoredText(openStorage('sessionStorage'), 'atrium.awaited')

/** The order whose payment this tab waited for last: its page may have been left for that of the payment. */
export const awaitOrder = (order: string): void => stored.write(order)
export const isAwaited = (order: string): boolean => stored.read() === order
/** Its end was seen: a reload is no arrival. */
export const forgetAwaited = (order: string): void => {
  if (isAwaited(order)) stored.write(undefined)
}
