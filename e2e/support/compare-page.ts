import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {BrowserContext, Locator, Page} from '@playwright/test'
import {test as journeys} from '../fixtures.ts'
import {composer, offeredModel} from './chat-page.ts'
import {Installation} from './installation.ts'
import {ModelServer} from './model-server.ts'
import {blankTab} from './signed-in.ts'
import {createUser} from './users.ts'

type Groups = {
  /** The model server of the ChatGPT group. */
  openai: ModelServer
  deepseek: ModelServer
  installation: Installation
}

/**
 * Journeys of an installation with two model servers that cost credits, one for each of two groups: a test says when
 * each answers.
 */
export const test = journeys.extend<{reset: void}, {groups: Groups}>({
  groups: [
    async ({}, give) => {
      const [openai, deepseek] = await Promise.all([ModelServer.start(), ModelServer.start()])
      const folder = mkdtempSync(join(tmpdir(), 'atrium-e2e-compare-'))
      const config = join(folder, 'config.json')
      const paid = {apiKey: 'sk-canary-e2e', local: false}
      const providers = [
        {...paid, name: 'one', baseUrl: openai.baseUrl},
        {...paid, name: 'two', baseUrl: deepseek.baseUrl, groups: ['deepseek'], models: ['deepseek-v3']},
      ]
      const prices = {'deepseek-v3': {prompt: '0.002', completion: '0.004', answerCap: 1000}}
      const defaultPrice = {prompt: '0.01', completion: '0.03', answerCap: 1000}
      writeFileSync(config, JSON.stringify({providers, prices, defaultPrice}))
      const installation = await Installation.start({CONFIG_FILE: config, FREE_CREDITS: '0.5'})
      await give({openai, deepseek, installation})
      await installation.dispose()
      await Promise.all([openai.dispose(), deepseek.dispose()])
      rmSync(folder, {recursive: true, force: true})
    },
    {scope: 'worker'},
  ],
  reset: [
    async ({watch, groups: {openai, deepseek, installation}}, give) => {
      watch.allow(installation.url)
      openai.reset()
      deepseek.reset()
      openai.answer('A harbour of marble and salt')
      deepseek.answer('Take the slow train along the coast')
      await give()
      openai.release()
      deepseek.release()
    },
    {auto: true},
  ],
})

/** The page of a new user. */
export async function openPage(context: BrowserContext, {installation}: Groups, path: string): Promise<Page> {
  const page = await blankTab(context, installation.url, await createUser(installation.url))
  await page.goto(`${installation.url}${path}`)
  await composer(page).waitFor()
  return page
}

export const column = (page: Page, model: string): Locator => page.getByRole('region', {name: model, exact: true})
/** Both columns of a comparison. A phone shows one at a time, behind its tab. */
export function columnsOf(page: Page, isPhone: boolean) {
  const tabs = page.getByRole('tab')
  return {
    tabs,
    show: async (index: number) => {
      if (isPhone) await tabs.nth(index).tap()
    },
    gpt: isPhone ? page.getByRole('tabpanel').nth(0) : column(page, 'GPT-5'),
    deep: isPhone ? page.getByRole('tabpanel').nth(1) : column(page, 'DeepSeek V3'),
  }
}
/** Its state and what can be done. */
export const headOf = (of: Locator): Locator => of.locator('header').first()
export const answerOf = (of: Locator): Locator => of.getByRole('article').last()
/** A chosen model, before the question. */
export const chosen = (page: Page, model: string): Locator =>
  page.getByRole('listitem').filter({has: page.getByText(model, {exact: true})})
/** Adds models, or takes them out, in the list of models. */
export async function toggleModels(page: Page, ...models: RegExp[]): Promise<void> {
  await page.getByRole('button', {name: /^(Choose models|اختيار النماذج)$/}).click()
  for (const model of models) await offeredModel(page, model).click()
  await closeModels(page)
}
export async function closeModels(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('grid').waitFor({state: 'detached'})
}
