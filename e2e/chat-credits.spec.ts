import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Page} from '@playwright/test'
import {acceptTerms, expect, newUser, register, test} from './fixtures.ts'
import {beginPayment} from './support/buy-credits.ts'
import {alert, answers, ask, composer, lastMessage} from './support/chat-page.ts'
import {answerOf, column, headOf} from './support/compare-page.ts'
import {Installation} from './support/installation.ts'
import {lookAt} from './support/look-at.ts'
import {ModelServer} from './support/model-server.ts'
import {long} from './support/full-run.ts'

/*
 * The free credits are spent: the question is kept, the way to credits is offered, and the question goes on with them.
 */

const question = 'What is the shortest way from the port of Genoa to the market of Lucca on a Sunday in the rain?'

let installation: Installation
let modelServer: ModelServer
let folder: string
test.beforeAll(async () => {
  modelServer = await ModelServer.start()
  modelServer.answer('four words of answer')
  folder = mkdtempSync(join(tmpdir(), 'atrium-e2e-prices-'))
  const config = join(folder, 'config.json')
  const provider = {name: 'paid', baseUrl: modelServer.baseUrl, apiKey: 'sk-canary-e2e', local: false}
  writeFileSync(
    config,
    JSON.stringify({providers: [provider], defaultPrice: {prompt: '0.4', completion: '0.4', answerCap: 10}}),
  )
  installation = await Installation.start({CONFIG_FILE: config, FREE_CREDITS: '0.01', SANDBOX_PAYMENTS: 'true'})
})
test.afterAll(async () => {
  await installation.dispose()
  await modelServer.dispose()
  rmSync(folder, {recursive: true, force: true})
})

/** A new user, whose credits do not cover the question. */
async function refuse(page: Page): Promise<void> {
  await register(page, installation.url, newUser())
  await acceptTerms(page)
  await page.getByRole('dialog').waitFor({state: 'detached'})
  await ask(page, question)
  await expect(alert(page)).toContainText("You're out of credits for this tool.")
  await expect(alert(page)).toContainText(/used_up - \S+/)
  await expect(alert(page)).toContainText(/Credits needed: [\d.,]+\. You have: 0\./)
}

/** No server has named the conversation: it has no address of its own, but a row in the list. */
const asked = (page: Page) => page.getByRole('link', {name: /Genoa/}).first()
const addCredits = (page: Page) => alert(page).getByRole('link', {name: 'Add credits'})

async function expectAnsweredOnce(page: Page): Promise<void> {
  await expect(lastMessage(page)).toContainText('four words of answer')
  await expect(answers(page)).toHaveCount(2)
  await expect(answers(page).first()).toContainText(question)
}

test.beforeEach(({watch}) => {
  watch.allow(installation.url)
  modelServer.prompts.length = 0
})

test('the sentence, the way to more credits, and the question is kept', long, async ({page}) => {
  await refuse(page)
  await expect(addCredits(page)).toHaveAttribute(
    'href',
    /\/extra\?redirect=%2Fchatgpt%2Fconversations%2F[\w-]+&need=[\d.]+$/,
  )
  await expect(composer(page)).toBeEnabled()
  await page.reload()
  await asked(page).click()
  await expect(answers(page).first()).toContainText(question)
  expect(modelServer.prompts).toEqual([])
})

test('credits are bought, and the question is answered without being asked again', async ({page}) => {
  await refuse(page)
  await addCredits(page).click()
  const tab = await beginPayment(page.context(), page)
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(page.getByText('Taking you back to ChatGPT…')).toBeVisible()
  await tab.close()
  await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
  await expectAnsweredOnce(page)
  expect(modelServer.prompts).toEqual([question])
})

test('a plan is bought, and the question is answered and paid by it', long, async ({page}) => {
  await refuse(page)
  await addCredits(page).click()
  await page.getByRole('link', {name: 'Plans'}).click()
  await expect(page).toHaveURL(/\/subscribe\?redirect=\S+&need=/)
  await page.getByRole('radio').first().waitFor()
  const tab = await beginPayment(page.context(), page)
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(tab.getByRole('status')).toBeVisible()
  await tab.close()
  await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
  await expectAnsweredOnce(page)
  expect(modelServer.prompts).toEqual([question])
  await page.reload()
  await ask(page, 'And back?')
  await expect(lastMessage(page)).toContainText('four words of answer')
  await expect(answers(page)).toHaveCount(4)
  await expect(alert(page)).toHaveCount(0)
})

test('credits bought in another tab: both tabs know the question as answered, asked once', long, async ({page}) => {
  await refuse(page)
  await lookAt(page, false)
  const other = await page.context().newPage()
  await other.goto(new URL((await addCredits(page).getAttribute('href')) ?? '', page.url()).href)
  const tab = await beginPayment(other.context(), other)
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(tab.getByRole('status')).toBeVisible()
  await tab.close()
  await expectAnsweredOnce(other)
  await lookAt(page, true)
  await expectAnsweredOnce(page)
  expect(modelServer.prompts).toEqual([question])
  await expect(page.getByRole('link', {name: /Genoa/})).toHaveCount(1)
})

/**
 * Presses Esc in the page as soon as it says that it leads back: on a busy machine a test may come after its two
 * seconds.
 */
const stayAtOnce = (page: Page) =>
  page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (!document.body.innerText.includes('Taking you back')) return
      seen.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))
    })
    seen.observe(document.body, {childList: true, subtree: true, characterData: true})
  })

test(
  'a user who stays at the paid order finds the conversation by its link, also after a reload',
  long,
  async ({page}) => {
    await refuse(page)
    await addCredits(page).click()
    const tab = await beginPayment(page.context(), page)
    await stayAtOnce(page)
    await tab.getByRole('button', {name: /^Pay/}).click()
    await expect(page.getByRole('link', {name: 'Back to ChatGPT'})).toBeVisible()
    await expect(page.getByText('Taking you back to ChatGPT…')).toHaveCount(0)
    await tab.close()
    await page.reload()
    await page.getByRole('link', {name: 'Back to ChatGPT'}).click()
    await expectAnsweredOnce(page)
    expect(modelServer.prompts).toEqual([question])
  },
)

test('an address of another site is no way back', long, async ({page}) => {
  await refuse(page)
  await addCredits(page).click()
  const extra = new URL(page.url())
  for (const redirect of ['https://evil.test/', '//evil.test/', 'javascript:alert(1)', '/auth/login']) {
    extra.searchParams.set('redirect', redirect)
    await page.goto(extra.href)
    await expect(page.getByRole('link', {name: 'Plans'})).toHaveAttribute('href', /\/subscribe\?need=[\d.]+$/)
  }
})

test(
  'the page is closed while the payment is open, the next visit cannot read the credits: the one after it asks',
  long,
  async ({page}) => {
    await refuse(page)
    await addCredits(page).click()
    const tab = await beginPayment(page.context(), page)
    await page.close()
    await tab.getByRole('button', {name: /^Pay/}).click()
    await expect(tab.getByRole('status')).toContainText('Paid.')
    const lists = '**/api/v1/applications/?**'
    await tab.route(lists, (route) => route.fulfill({status: 503, json: {error: {code: 'busy', message: 'foo'}}}))
    const unread = tab.waitForResponse(lists)
    await tab.goto(installation.url)
    expect((await unread).status()).toBe(503)
    await asked(tab).click()
    await expect(alert(tab)).toBeVisible()
    expect(modelServer.prompts).toEqual([])
    await tab.unroute(lists)
    await tab.goto(installation.url)
    await asked(tab).click()
    await expectAnsweredOnce(tab)
    expect(modelServer.prompts).toEqual([question])
  },
)

test(
  'a comparison whose credits ran out: from the balance and back, and the model that costs some is asked once',
  long,
  async ({page}) => {
    await register(page, installation.url, newUser())
    await acceptTerms(page)
    await page.getByRole('dialog').waitFor({state: 'detached'})
    await page.goto(`${installation.url}/compare`)
    await composer(page).fill(question)
    await composer(page).press('Enter')
    const paid = column(page, 'GPT-5')
    await expect(headOf(paid)).toContainText('Needs credits')
    await page.getByRole('button', {name: /Credits and applications/}).click()
    await page.getByRole('link', {name: 'Add credits'}).click()
    const tab = await beginPayment(page.context(), page)
    await tab.getByRole('button', {name: /^Pay/}).click()
    await expect(page.getByText('Taking you back to where you were…')).toBeVisible()
    await tab.close()
    await expect(page).toHaveURL(/\/compare\?with=/)
    await expect(answerOf(paid)).toContainText('four words of answer')
    await expect(headOf(paid)).toContainText('Answer ready')
    expect(modelServer.prompts).toEqual([question])
  },
)
