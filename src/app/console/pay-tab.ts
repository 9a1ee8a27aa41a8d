import type {PayWay} from '#contract/orders.ts'

/** The tab in which a payment is made. Opened empty within a press, since browsers block one that opens later. */
export function createPayTab(view: Window = window) {
  let tab: Window | null = null
  return {
    reserve: () => {
      tab = view.open('about:blank', '_blank')
      // the page of the payment must not reach this one
      if (tab !== null) tab.opener = null
    },
    /** A code that is scanned needs no tab. A blocked tab leaves the button that opens it again. */
    show: ({url, payWay}: {url: string; payWay: PayWay | undefined}) => {
      const address = URL.canParse(url, view.location.href) ? new URL(url, view.location.href) : undefined
      if (payWay === 'WechatPay' || address === undefined || !/^https?:$/.test(address.protocol)) tab?.close()
      else if (tab !== null) tab.location.replace(address.href)
      tab = null
    },
    release: () => {
      tab?.close()
      tab = null
    },
  }
}
