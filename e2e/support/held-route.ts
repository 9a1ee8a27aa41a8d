import {expect, type Page, type Request, type Route} from '@playwright/test'

/** Holds each request for an address until the test says what becomes of it. */
export class HeldRoute {
  /** Requests so far. */
  asked = 0
  private waiting: Route[] = []
  private settle: ((route: Route) => Promise<void>) | undefined

  /** @param wanted only requests by this method, or those that it says yes to */
  static async on(
    page: Page,
    url: string | RegExp,
    wanted?: string | ((request: Request) => boolean),
  ): Promise<HeldRoute> {
    const held = new HeldRoute()
    await page.route(url, async (route) => {
      const request = route.request()
      const isWanted =
        typeof wanted === 'function' ? wanted(request) : request.method() === (wanted ?? request.method())
      if (!isWanted) return route.fallback()
      held.asked += 1
      if (held.settle === undefined) held.waiting.push(route)
      else await held.settle(route)
    })
    return held
  }

  /** How many requests wait. */
  get held(): number {
    return this.waiting.length
  }

  /** Requests from now on wait again; nobody waits for the earlier ones any more. */
  hold(): void {
    this.settle = undefined
    this.waiting = []
  }

  /** The page may show that it asks before its request is here. */
  async waitForOne(): Promise<void> {
    await expect.poll(() => this.held, 'requests that wait').toBeGreaterThan(0)
  }

  /** Settles the request that waits longest; the others and later ones wait on. */
  async letFirst(settle: (route: Route) => Promise<void>): Promise<void> {
    await this.waitForOne()
    const first = this.waiting.shift()
    if (first === undefined) throw new Error('No request waits')
    await settle(first)
  }

  /** Settles the waiting requests, and later ones until `hold()`. */
  async let(settle: (route: Route) => Promise<void>): Promise<void> {
    this.settle = settle
    await Promise.all(this.waiting.splice(0).map(settle))
  }
}

/** Settles the waiting requests alone: later ones wait again. */
export const letOnce = async (held: HeldRoute, settle: (route: Route) => Promise<void>): Promise<void> => {
  await held.waitForOne()
  await held.let(settle)
  held.hold()
}

export const goOn = (route: Route): Promise<void> => route.continue()
export const refuseWith =
  (status: number, code: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({status, json: {error: {code, message: 'foo'}}})
