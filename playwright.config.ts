import {defineConfig} from '@playwright/test'
import {findChromium} from './src/tools/chromium.mjs'

const isFull = process.env.ATRIUM_E2E === 'full'
/** `undefined`: Playwright's own. */
const chromium = findChromium()
/** The journeys that run at both widths and in both directions of writing. */
const testMatch = 'matrix.spec.ts'
/** The journeys of a phone in Arabic among the others, and of one in English in the full run. */
const phoneJourneys =
  /phone-(answers|around|composer|conversations|deleted-elsewhere|drawer-swipe|files|head-menu|messages|model-images|reading|search|share|what-happened)\.spec/
/** What a desktop in English walks among the others, and one in Arabic in the full run. */
const desktopJourneys = /desktop-[\w-]+\.spec/
const desktop = {width: 1440, height: 900}
const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true}

/**
 * Journeys on the built app and the real server; each worker starts an installation of its own (`e2e/fixtures.ts`).
 * `npm test` walks each journey once on a desktop in English, and those of the matrix on a phone in Arabic;
 * `npm run test:full` adds the long ones, walks the matrix on both widths in both languages, those of a phone in
 * English too, and those of a desktop in Arabic.
 */
export default defineConfig<{userLocale: string | undefined}>({
  testDir: 'e2e',
  globalSetup: './e2e/support/build.setup.ts',
  fullyParallel: false,
  // half of a journey is waiting: two leave the processors idle (docs/decisions/0049-long-journeys.md)
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // bounds against a hang, not measurements: a busy machine may take long
  timeout: 180_000,
  expect: {timeout: 30_000},
  outputDir: 'test-results',
  use: {
    // A trace costs a fifth of the time of every journey: `npx playwright test <file> --trace on` makes one.
    trace: 'off',
    // Playwright would take one of every page that closes, and hang on those that leave: `e2e/fixtures.ts` takes it.
    screenshot: 'off',
    // A worker would answer what tests hold or refuse: those that need it allow it (docs/testing-with-machines.md §4).
    serviceWorkers: 'block',
    launchOptions: {
      ...(chromium ? {executablePath: chromium} : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // A project has workers of its own: in the default run there is one, and the matrix says itself where it runs.
  projects: isFull
    ? [
        {name: 'desktop', testIgnore: [testMatch], use: {viewport: desktop}},
        {name: 'english phone', testMatch: phoneJourneys, use: {userLocale: 'en'}},
        {name: 'arabic desktop', testMatch: desktopJourneys, use: {viewport: desktop, userLocale: 'ar'}},
        {name: 'arabic phone', testMatch, use: {...phone, locale: 'ar'}},
        {name: 'english', testMatch, use: {viewport: desktop}},
        {name: 'phone', testMatch, use: {...phone}},
        {name: 'arabic', testMatch, use: {viewport: desktop, locale: 'ar'}},
      ]
    : [{name: 'desktop', use: {viewport: desktop}}],
})
