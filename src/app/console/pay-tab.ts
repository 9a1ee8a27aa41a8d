import {forgetAwaitedIn} from '#browser/awaited-order.ts'
import type {PayWay} from '#contract/orders.ts'
import {isScanned} from '#domain/order-state.ts'
import {payPageAddress} from '#domain/pay-page.ts'

/** The tab in which a payment is made. Opened empty within a press, since browsers block one that opens later. */
export function createPayTab(view: Window = window) {
  let tab: Window | null = null
  return {
    reserve: () => {
      tab = view.open('about:blank', '_blank')
      if (tab === null) return
      // it begins with a copy of what this tab keeps, and is led back to the site by the payment: it waited for nothing
      forgetAwaitedIn(tab)
      // the page of the payment must not reach this one
      tab.opener = null
    },
    /** False if a page needs a tab and there is none. A code to scan needs none. */
    show: ({url, payWay}: {url: string; payWay: PayWay | undefined}): boolean => {
      const address = payPageAddress(url, view.location.href)
      const isNeeded = !isScanned(payWay) && address !== undefined
      const isOpen = tab !== null && !tab.closed
      if (isNeeded) tab?.location.replace(address)
      else tab?.close()
      tab = null
      return isOpen || !isNeeded
    },
    release: () => {
      tab?.close()
      tab = null
    },
  }
}
