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
    /** A code that is scanned needs no tab. Where the browser blocked the tab, the page of the order has a link. */
    show: ({url, payWay}: {url: string; payWay: PayWay | undefined}) => {
      const address = payPageAddress(url, view.location.href)
      if (payWay === 'WechatPay' || address === undefined) tab?.close()
      else tab?.location.replace(address)
      tab = null
    },
    release: () => {
      tab?.close()
      tab = null
    },
  }
}
