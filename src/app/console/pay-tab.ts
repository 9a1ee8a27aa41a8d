import type {PayWay} from '#contract/orders.ts'
import {payPageAddress} from '#domain/pay-page.ts'

/** The tab in which a payment is made. Opened empty within a press, since browsers block one that opens later. */
export function createPayTab(view: Window = window) {
  let tab: Window | null = null
  return {
    reserve: () => {
      tab = view.open('about:blank', '_blank')
      // the page of the payment must not reach this one
      if (tab !== null) tab.opener = null
    },
    /** False where the browser blocked the tab that the page needs. A code that is scanned needs none. */
    show: ({url, payWay}: {url: string; payWay: PayWay | undefined}): boolean => {
      const address = payPageAddress(url, view.location.href)
      const isNeeded = payWay !== 'WechatPay' && address !== undefined
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
