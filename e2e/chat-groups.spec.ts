import type {Page, Request} from '@playwright/test'
import {answers, ask, composer, expect} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {
  chooseAction,
  conversations,
  ended,
  lastMessage,
  moreActions,
  offeredModel,
  thread,
} from './support/chat-page.ts'
import {openPage, test} from './support/compare-page.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {long} from './support/full-run.ts'
import {reopenIn} from './support/page-looks.ts'

/*
 * A question goes to a model of another group in mid-conversation: a branch in the list of that group, with all that
 * came before.
 */

const [train, harbour] = ['Take the slow train along the coast', 'A harbour of marble and salt']
const deepseek = /^DeepSeek V3/

async function asked(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await expect(lastMessage(page)).toContainText(harbour)
  await ended(page)
}
const openModels = async (page: Page) => {
  await chooseAction(lastMessage(page), 'Choose a model for a new answer')
  await page.getByRole('grid').waitFor()
}
const expectMessages = async (page: Page, ...words: string[]) => {
  await expect(answers(page)).toHaveCount(words.length)
  for (const [index, word] of words.entries()) await expect(answers(page).nth(index)).toContainText(word)
}
const isBranch = (body: string | null) => body?.includes('"action":"branch"') === true

test(
  'a model of another group answers in a branch with what came before; the origin stays as it is',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    await asked(page, 'one')
    await asked(page, 'two')
    const origin = page.url()
    await openModels(page)
    await expect(page.getByRole('rowgroup', {name: 'DeepSeek'})).toContainText('This one stays as it is.')
    await offeredModel(page, deepseek).click()

    await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
    await expectMessages(page, 'one', harbour, 'two', train)
    await ended(page)
    await expect(conversations(page).getByRole('link', {name: /^Branch · /})).toHaveAttribute('aria-current', 'page')
    const call = groups.deepseek.calls.at(-1)
    expect([call?.model, call?.messages.map(({content}) => content)]).toEqual(['deepseek-v3', ['one', harbour, 'two']])
    await ask(page, 'three')
    await expect(answers(page)).toHaveCount(6)
    await ended(page)
    await page.reload()
    await expectMessages(page, 'one', harbour, 'two', train, 'three', train)

    await page.goto(origin)
    await expectMessages(page, 'one', harbour, 'two', harbour)
    await expect(conversations(page).getByRole('link', {name: /^Branch · /})).toHaveCount(0)
  },
)

test(
  'the first question, by keys: files that the model cannot read are named before and after',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    await page
      .locator('input[type=file]')
      .setInputFiles([{name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words')}])
    await expect(page.getByText('Ready')).toBeVisible()
    await asked(page, 'Read it')
    await lastMessage(page).hover()
    await moreActions(lastMessage(page)).press('Enter')
    await page.getByRole('menuitem', {name: 'Choose a model for a new answer'}).press('Enter')
    const field = page.getByRole('combobox', {name: 'Search models'})
    await expect(field).toBeFocused()
    await field.fill('deepseek')
    await expect(offeredModel(page, deepseek)).toContainText("DeepSeek V3 can't read files.")
    await expect(offeredModel(page, deepseek)).toHaveAccessibleDescription(/^These models answer in a branch/)
    await field.press('Enter')
    await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
    await expect(lastMessage(page)).toContainText(train)
    await expect(answers(page).first()).toContainText('notes.txt')
    await expect(page.getByRole('status').filter({hasText: "DeepSeek V3 can't read some of the files"})).toBeVisible()
  },
)

test(
  'a branch that is refused leaves everything as it is, and a page that is left meanwhile loses no question',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    await asked(page, 'one')
    const here = page.url()
    const branches = await HeldRoute.on(page, '**/aichat/conversations', (request) => isBranch(request.postData()))
    const choose = async () => {
      await openModels(page)
      await offeredModel(page, deepseek).click()
      await expect(page.getByRole('status').filter({hasText: 'Opening a branch for DeepSeek V3…'})).toBeVisible()
      await expect.poll(() => branches.held).toBe(1)
    }
    await choose()
    await letOnce(branches, refuseWith(403, 'forbidden'))
    await expect(thread(page).getByRole('alert')).toContainText("That couldn't be done. Nothing was changed.")
    expect(page.url()).toBe(here)
    await expectMessages(page, 'one', harbour)
    expect(groups.deepseek.calls).toEqual([])

    // where the user went meanwhile stays on screen; the answer waits in the other list
    await choose()
    await conversations(page)
      .getByRole('link', {name: /^New chat/})
      .click()
    await expect(answers(page)).toHaveCount(0)
    await letOnce(branches, goOn)
    await expect.poll(() => groups.deepseek.calls.length).toBe(1)
    await expect(page).toHaveURL(/\/chatgpt\/conversations$/)
    await expect(composer(page)).toBeVisible()
    await page.goto(new URL('/deepseek/conversations', here).href)
    await conversations(page)
      .getByRole('link', {name: /^Branch · /})
      .click()
    await expectMessages(page, 'one', train)
  },
)

test(
  'a branch whose response is lost is found again, and its question asked there once',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    await asked(page, 'one')
    await asked(page, 'two')
    const here = page.url()
    const made: unknown[] = []
    let isCut = true
    await page.route('**/aichat/conversations', async (route) => {
      if (!isBranch(route.request().postData())) return route.fallback()
      const response = await route.fetch()
      // as: the body of a 200 is a conversation
      made.push(((await response.json()) as {id: string}).id)
      return isCut ? route.abort('connectionreset') : route.fulfill({response})
    })
    await openModels(page)
    await offeredModel(page, deepseek).click()
    await expect(thread(page).getByRole('alert')).toContainText('The branch may be there already, without the question')
    expect([page.url(), groups.deepseek.calls.length]).toEqual([here, 0])
    await expectMessages(page, 'one', harbour, 'two', harbour)

    isCut = false
    await openModels(page)
    await offeredModel(page, deepseek).click()
    await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
    await expectMessages(page, 'one', harbour, 'two', train)
    await ended(page)
    expect([new Set(made).size, page.url().endsWith(String(made[0])), groups.deepseek.calls.length]).toEqual([
      1,
      true,
      1,
    ])
    await page.reload()
    await expectMessages(page, 'one', harbour, 'two', train)
    await expect(conversations(page).getByRole('link', {name: /^Branch · /})).toHaveCount(1)
  },
)

test('is refused for want of credits as there: the question waits in the branch', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  await asked(page, 'one')
  const isQuestion = (request: Request) => request.postData()?.includes('"stateful":true') === true
  const questions = await HeldRoute.on(page, '**/aichat/conversations', isQuestion)
  await openModels(page)
  await offeredModel(page, deepseek).click()
  await expect.poll(() => questions.held).toBe(1)
  await letOnce(questions, refuseWith(403, 'used_up'))
  await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
  await expect(thread(page).getByRole('alert')).toContainText("You're out of credits for this tool.")
  await expectMessages(page, 'one', '')
  await questions.let(goOn)
  await page.reload()
  await expectMessages(page, 'one', '')
  await lastMessage(page).getByRole('button', {name: 'Retry'}).click()
  await expectMessages(page, 'one', train)
})

for (const theme of ['light', 'dark'] as const)
  test(
    `the models of other groups have no fault that axe finds: desktop, English, ${theme}`,
    long,
    async ({context, groups}) => {
      const page = await openPage(context, groups, '/chatgpt/conversations')
      await asked(page, 'one')
      await reopenIn(page, {theme, locale: 'en'})
      await openModels(page)
      await expect(offeredModel(page, deepseek)).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
    },
  )

test.describe('on a phone, in Arabic', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true})

  for (const theme of ['light', 'dark'] as const)
    test(`the sheet leads to the branch (${theme})`, long, async ({context, groups}) => {
      const page = await openPage(context, groups, '/chatgpt/conversations')
      await composer(page).fill('one')
      // Enter breaks a line there
      await page.getByRole('button', {name: 'Send'}).tap()
      await expect(lastMessage(page)).toContainText(harbour)
      await ended(page)
      await reopenIn(page, {theme, locale: 'ar'})
      await lastMessage(page).getByRole('button', {name: 'إجراءات أخرى'}).tap()
      await page.getByRole('menuitem', {name: 'اختيار نموذج لإجابة أخرى'}).tap()
      await offeredModel(page, deepseek).scrollIntoViewIfNeeded()
      expect(await axeFaults(page)).toEqual([])
      expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
      await offeredModel(page, deepseek).tap()
      await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
      await expectMessages(page, 'one', train)
      await ended(page)
      expect(await axeFaults(page)).toEqual([])
    })
})
