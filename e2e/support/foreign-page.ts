import {expect, test as base, type Page} from '@playwright/test'
import {acceptTerms, composer} from '../fixtures.ts'
import {ForeignBackend} from './foreign-backend.ts'
import type {LocalServer} from './http-server.ts'
import {hostClient} from './static-host.ts'

export const placeholder = /http:\/\/localhost-[\da-f-]{36}/
export const chatServiceId = 'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9'

export const test = base.extend<{backend: ForeignBackend; host: LocalServer; faults: string[]}>({
  backend: async ({}, give) => {
    const backend = await ForeignBackend.start()
    await give(backend)
    await backend.dispose()
  },
  host: async ({backend}, give) => {
    const host = await hostClient(backend.config)
    await give(host)
    await host.close()
  },
  /** Requests to anybody but the host and the back end, and uncaught errors. */
  faults: [
    async ({context, backend, host}, give) => {
      const known = new Set([host.url, ...Object.values(backend.config)].flatMap((url) => URL.parse(url)?.origin ?? []))
      const faults: string[] = []
      context.on('request', (request) => {
        const {origin, protocol} = new URL(request.url())
        if (/^https?:$/.test(protocol) && !known.has(origin)) faults.push(`request to ${origin}`)
      })
      context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`))
      await give(faults)
      expect(faults).toEqual([])
    },
    {auto: true},
  ],
})

/** Opens the app, signs in at the other service and accepts the terms. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', {name: 'Continue as Ada'}).click()
  await acceptTerms(page)
  await page.getByRole('dialog').waitFor({state: 'detached'})
  await expect(composer(page)).toBeEnabled()
}
