import type {Locator, Page} from '@playwright/test'
import {messageText} from '#domain/conversation.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import type {Cable} from './support/cable.ts'
import {alert, conversationId, lastMessage} from './support/chat-page.ts'
import {act, graphOf, walkOverAllEdges} from './support/chart-walk.ts'
import {
  answer,
  conversationChart,
  edited,
  filesOf,
  lastQuestion,
  question,
  shownBy,
  type Action,
  type Shown,
} from './support/conversation-walk.ts'
import {pixel} from './support/pixel.ts'
import type {ModelServer} from './support/model-server.ts'
import {long} from './support/full-run.ts'

/*
 * Walks paths that are generated from the conversation machine through the real page (docs/testing-with-machines.md):
 * each action is done by a user's hands or the model server's script, and after each the page must show what the
 * machine says: the state, and every message with its text.
 */

type Hands = {page: Page; cable: Cable; modelServer: ModelServer; snapshot: ConversationSnapshot}

/** Opens the editor of the last question. */
async function openEditor({page, snapshot}: Hands): Promise<Locator> {
  const message = answers(page).nth(lastQuestion(snapshot))
  await message.hover()
  await message.getByRole('button', {name: 'Edit'}).click()
  return message.locator('form')
}
async function saveEdit({page}: Hands) {
  await page.getByRole('textbox', {name: 'Edit message'}).fill(edited)
  await page.getByRole('textbox', {name: 'Edit message'}).press('Control+Enter')
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  ask: ({page}) => ask(page, question),
  words: async ({modelServer}) => modelServer.proceed(),
  end: async ({modelServer}) => modelServer.proceed(),
  stop: ({page}) => page.getByRole('button', {name: 'Stop'}).click(),
  refuse: async ({modelServer}) => modelServer.refuseHeld({message: 'foo', code: 'invalid_request'}),
  cut: async ({modelServer}) => modelServer.cutNow(),
  lose: async ({page, cable}) => {
    await page.context().setOffline(true)
    cable.cut()
  },
  regain: async ({page, cable}) => {
    cable.mend()
    await page.context().setOffline(false)
  },
  retry: ({page}) => lastMessage(page).getByRole('button', {name: 'Retry'}).click(),
  regenerate: ({page}) => lastMessage(page).getByRole('button', {name: 'Answer again'}).click(),
  regenerateFirst: async ({page}) => {
    await answers(page).nth(1).hover()
    await answers(page).nth(1).getByRole('button', {name: 'Answer again'}).click()
  },
  edit: async (hands) => {
    await openEditor(hands)
    await saveEdit(hands)
  },
  editWithFile: async (hands) => {
    const editor = await openEditor(hands)
    await editor.locator('input[type=file]').setInputFiles({name: 'foo.png', mimeType: 'image/png', buffer: pixel})
    await expect(editor.getByText('Ready')).toHaveCount(filesOf(hands.snapshot).length + 1)
    await saveEdit(hands)
  },
  reload: async ({page, snapshot}) => {
    // the address names the conversation as soon as the server has
    if (snapshot.context.messages.length > 0) await conversationId(page)
    await page.reload()
    await composer(page).waitFor()
  },
}

const waitsForWords = (page: Page) =>
  expect(lastMessage(page).getByRole('img', {name: 'Waiting for the answer'})).toBeVisible()
const isWriting = async (page: Page) => {
  await expect(lastMessage(page)).toHaveAttribute('aria-busy', 'true')
  await expect(lastMessage(page)).not.toContainText('Connection lost')
  await expect(page.getByRole('button', {name: 'Stop'})).toBeEnabled()
}

/** Written by hand, on purpose: what a tester expects to see, not what the machine calls it. */
const expected: {[Name in Shown]: (page: Page) => Promise<unknown>} = {
  new: (page) => expect(page.getByRole('heading', {name: 'What are you working on?'})).toBeVisible(),
  pending: waitsForWords,
  'followed before the first word': waitsForWords,
  answering: isWriting,
  followed: isWriting,
  'reconnecting before the first word': (page) => expect(lastMessage(page)).toContainText('Connection lost.'),
  'following again before the first word': (page) => expect(lastMessage(page)).toContainText('Connection lost.'),
  'following again': (page) => expect(lastMessage(page)).toContainText('Connection lost.'),
  reconnecting: (page) => expect(lastMessage(page)).toContainText('Connection lost.'),
  finished: (page) => expect(lastMessage(page).getByRole('button', {name: 'Answer again'})).toBeVisible(),
  stopped: (page) => expect(lastMessage(page)).toContainText('Stopped.'),
  interrupted: (page) => expect(alert(page).last()).toContainText('The connection was lost before the answer'),
  refused: (page) => expect(alert(page).last()).toContainText("That didn't work. Change the question and try again."),
}

async function expectShown({page, modelServer, snapshot}: Hands): Promise<void> {
  await expected[shownBy(snapshot)](page)
  const {messages, exchange} = snapshot.context
  const texts = messages.map(({content}) => messageText(content))
  if (exchange !== undefined) texts.push(exchange.answer)
  await expect(answers(page)).toHaveCount(texts.length)
  for (const [index, text] of texts.entries()) await expect(answers(page).nth(index)).toContainText(text)
  const lastAsked = answers(page).nth(lastQuestion(snapshot))
  if (texts.length > 0) await expect(lastAsked.getByRole('img')).toHaveCount(filesOf(snapshot).length)
  // a running answer is still asked for, and a settled one no longer costs anything: Stop reaches the provider
  await expect.poll(() => modelServer.heldAnswers).toBe(exchange === undefined ? 0 : 1)
}

test(
  'the page follows the conversation machine over every edge a user can take',
  long,
  async ({wired: {page, cable}, modelServer}) => {
    const walk = walkOverAllEdges(graphOf(conversationChart), 'new')
    test.setTimeout(20_000 + walk.length * 8_000)
    modelServer.answer(answer)
    modelServer.hold(0, 2)
    let snapshot = conversationChart.start()
    for (const action of walk) {
      const next = act(conversationChart, snapshot, action)
      await test.step(`${shownBy(snapshot)} → ${action} → ${shownBy(next)}`, async () => {
        await done[action]({page, cable, modelServer, snapshot})
        await expectShown({page, cable, modelServer, snapshot: next})
      })
      snapshot = next
    }
  },
)

test('the generated graph holds everything a user can see', () => {
  const graph = graphOf(conversationChart)
  expect([...graph.keys()].sort()).toEqual(Object.keys(expected).sort())
  // generated paths follow a wrong arrow happily: the ends that matter are written by hand
  expect(Object.fromEntries(graph.get('answering') ?? [])).toEqual({
    end: 'finished',
    stop: 'stopped',
    refuse: 'refused',
    cut: 'interrupted',
    lose: 'reconnecting',
    reload: 'followed',
  })
  expect(graph.get('reconnecting')?.get('regain')).toBe('answering')
  expect(graph.get('followed')?.get('lose')).toBe('following again')
  expect(graph.get('following again')?.get('regain')).toBe('followed')
  expect(graph.get('interrupted')?.get('retry')).toBe('pending')
})
