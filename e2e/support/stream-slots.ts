import type {Page} from '@playwright/test'

/**
 * The page takes both slots for streams that the tabs of a browser share, as two answers do, until it is closed or
 * left.
 */
export const takeSlots = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    // as: the shape of what the app keeps is asserted by tests/browser
    const {user} = JSON.parse(localStorage.getItem('vuex') ?? '{}') as {user: {id: string}}
    const take = (slot: number) =>
      new Promise<void>((taken) => {
        void navigator.locks.request(`atrium.stream.${user.id}.${slot}`, () => {
          taken()
          return new Promise(() => {})
        })
      })
    await Promise.all([take(1), take(2)])
  })
