import type {Page} from '@playwright/test'
import {ask, composer, enter, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, chooseAction, ended, lastMessage} from './support/chat-page.ts'
import {copied} from './support/clipboard.ts'
import {closeFlow, expectNoSecrets, expectTimes, flowDialog, flowSteps} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool} from './support/media-page.ts'
import {blankTab, secondTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* "What happened" after the page was loaded again: its user did that because something went wrong. */

const secrets = ['secret question', 'secret answer']
const keptLog = (page: Page) => page.evaluate(() => sessionStorage.getItem('atrium.flow') ?? '')
const loaded = 'The page was loaded again'

/** The texts of the steps, as the open dialog lists them. */
async function stepTexts(page: Page): Promise<string[]> {
  const steps = await flowSteps(page)
  await expect(steps.first()).toBeVisible()
  return steps.allTextContents()
}
const positionsIn = (steps: readonly string[], ...texts: string[]) =>
  texts.map((text) => steps.findIndex((step) => step.includes(text)))

test('of an answer on its way tells the steps of both pages', long, async ({chat, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer('secret answer of four')
  modelServer.hold(2)
  await ask(chat, 'secret question')
  await expect(lastMessage(chat)).toContainText('secret answer')
  await chat.reload()
  await expect(lastMessage(chat)).toContainText('secret answer')
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('of four')
  await ended(chat)

  await chooseAction(lastMessage(chat), 'What happened')
  const steps = await stepTexts(chat)
  const order = positionsIn(steps, 'asking.pending', 'asking.answering', loaded, 'following', 'finished')
  expect(order).not.toContain(-1)
  expect(order).toEqual([...order].sort((one, other) => one - other))
  expect(steps.filter((step) => step.includes(loaded))).toHaveLength(1)
  await expectTimes(chat)
  expect(await axeFaults(chat)).toEqual([])

  const asked = (await flowSteps(chat))
    .filter({hasText: 'POST /services/api/aichat/conversations', hasNotText: /retrieve_batch|revisions/})
    .first()
  const curl = await copied(asked.getByRole('button', {name: 'Copy as cURL'}))
  expect(curl).toContain('"question":"QUESTION"')
  const report = await copied(flowDialog(chat).getByRole('button', {name: 'Copy as JSON'}))
  expect(JSON.parse(report)).toMatchObject({
    state: 'finished',
    steps: expect.arrayContaining([
      expect.objectContaining({state: expect.stringContaining('pending')}),
      {at: expect.stringMatching(/^\d{4}-.*Z$/), page: 'loaded'},
      expect.objectContaining({state: 'finished'}),
    ]),
  })
  await expectNoSecrets(chat, `${steps.join(' ')}${curl}${report}${await keptLog(chat)}`, secrets)
  await closeFlow(chat)

  await chat.reload()
  await expect(answers(chat)).toHaveCount(2)
  await chooseAction(lastMessage(chat), 'What happened')
  expect(await stepTexts(chat)).toEqual([...steps, expect.stringContaining(loaded)])

  const other = await secondTab(chat)
  await chooseAction(lastMessage(other), 'What happened')
  await expect(flowDialog(other).getByText('This tab noted no steps of it')).toBeVisible()
})

test('of a question that the server has not begun to answer', long, async ({chat, modelServer}) => {
  modelServer.hold()
  await ask(chat, 'Hello?')
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  await chat.goto('about:blank')
  await chat.goBack()
  modelServer.release()
  await ended(chat)
  await chooseAction(lastMessage(chat), 'What happened')
  const order = positionsIn(await stepTexts(chat), 'asking.pending', loaded, 'finished')
  expect(order).not.toContain(-1)
  expect(order).toEqual([...order].sort((one, other) => one - other))
})

test('of a refused answer and of a task, when nothing of them happened since', long, async ({chat, modelServer}) => {
  modelServer.fail(429, {error: {message: 'slow down'}})
  await ask(chat, 'Refuse me')
  await expect(lastMessage(chat).getByRole('alert')).toBeVisible()
  await chat.reload()
  await chooseAction(lastMessage(chat), 'What happened')
  expect((await stepTexts(chat)).slice(-2)).toEqual([
    expect.stringContaining('failed.refused'),
    expect.stringContaining(loaded),
  ])
  await closeFlow(chat)

  await openTool(chat, '/flux')
  await generate(chat, 'a red boat')
  await made(cards(chat).first().locator('img').first())
  await chat.reload()
  await cards(chat).first().getByRole('button', {name: 'More'}).first().click()
  await chat.getByRole('menuitem', {name: 'What happened'}).click()
  const order = positionsIn(await stepTexts(chat), 'saving', 'POST /services/api/flux/images', 'joined', loaded)
  expect(order).not.toContain(-1)
  expect(order).toEqual([...order].sort((one, other) => one - other))
})

test('nothing of it outlives a sign-out', long, async ({context, installation: {url}, modelServer}) => {
  const signedIn = await createUser(url)
  const chat = await blankTab(context, url, signedIn)
  await chat.goto(`${url}/chatgpt/conversations`)
  modelServer.reset()
  await ask(chat, 'Hello?')
  await expect(lastMessage(chat)).toContainText('You said')
  await ended(chat)
  await chat.reload()
  expect(await keptLog(chat)).toContain('/aichat/conversations')
  await chat.getByRole('button', {name: 'Account', exact: true}).click()
  await chat.getByRole('menuitem', {name: 'Log out'}).click()
  await chat.getByLabel('Password', {exact: true}).waitFor()
  expect(await keptLog(chat)).toBe('')
  await enter(chat, signedIn.user)
  await expect(composer(chat)).toBeEnabled()
  await chooseAction(lastMessage(chat), 'What happened')
  await expect(flowDialog(chat).getByText('This tab noted no steps of it')).toBeVisible()
})
