import {test as journeys} from '../fixtures.ts'
import {Installation} from './installation.ts'
import {MediaUpstream} from './media-upstream.ts'

/** Journeys of an installation of the file's own, which passes generations on to an upstream that costs credits. */
export const test = journeys.extend<object, {upstream: MediaUpstream}>({
  upstream: [
    async ({}, give) => {
      const upstream = await MediaUpstream.start()
      await give(upstream)
      await upstream.dispose()
    },
    {scope: 'worker'},
  ],
  installation: [
    async ({modelServer, upstream}, give) => {
      const installation = await Installation.start({
        OPENAI_BASE_URL: modelServer.baseUrl,
        OPENAI_API_KEY: 'sk-canary-e2e',
        ACEDATA_BASE_URL: upstream.url,
        ACEDATA_API_KEY: 'ace-canary-e2e',
        FREE_CREDITS: '1000',
      })
      await give(installation)
      await installation.dispose()
    },
    {scope: 'worker'},
  ],
})
