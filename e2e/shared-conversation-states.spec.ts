import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {
  sharedConversationMachine,
  type SharedConversationSnapshot,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {ended} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The page of a shared link shows what its machine says, over every edge of the graph generated from the machine.
 */

type Action = 'read' | 'fail to read' | 'find nothing' | 'retry' | 'open again'
type Shown = 'loading' | 'failed' | 'missing' | 'shown'

const send = sender(sharedConversationMachine)
const open = () => initialTransition(sharedConversationMachine, {id: 'foo'})[0]
const is = (state: Shown) => (snapshot: SharedConversationSnapshot) => snapshot.matches(state)
const then = (event: Parameters<typeof send>[1]) => (snapshot: SharedConversationSnapshot) => send(snapshot, event)
const fails = (status: number) =>
  then({type: 'xstate.error.actor.readShared', error: {code: 'foo', detail: 'foo', status}})

const chart: Chart<SharedConversationSnapshot, Action, Shown> = {
  start: open,
  effects: {
    read: where(
      is('loading'),
      then({type: 'xstate.done.actor.readShared', output: {conversation: {messages: []}, site: undefined}}),
    ),
    'fail to read': where(is('loading'), fails(400)),
    'find nothing': where(is('loading'), fails(404)),
    retry: where(is('failed'), then({type: 'conversation.load'})),
    'open again': where((snapshot) => !snapshot.matches('loading'), open),
  },
  shownBy: ({value}) => value,
}

type Hands = {page: Page; copy: HeldRoute}
const main = ({page}: Hands) => page.getByRole('main')

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  read: ({copy}) => letOnce(copy, goOn),
  'fail to read': ({copy}) => letOnce(copy, refuseWith(400, 'bad_request')),
  'find nothing': ({copy}) => letOnce(copy, refuseWith(404, 'not_found')),
  retry: (hands) => main(hands).getByRole('button', {name: 'Retry'}).click(),
  'open again': ({page}) => page.reload(),
}

const heading = (hands: Hands) => hands.page.getByRole('heading', {level: 1})
const articles = (hands: Hands) => hands.page.getByRole('article')
const button = (hands: Hands) => main(hands).getByRole('button', {name: 'Retry'})

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  loading: async (hands) => {
    await hands.copy.waitForOne()
    await expect(articles(hands)).toHaveCount(0)
    await expect(button(hands)).toHaveCount(0)
  },
  failed: async (hands) => {
    await expect(button(hands)).toBeVisible()
    await expect(articles(hands)).toHaveCount(0)
  },
  missing: async (hands) => {
    await expect(heading(hands)).toHaveText('There is nothing at this link.')
    await expect(button(hands)).toHaveCount(0)
  },
  shown: async (hands) => {
    await expect(heading(hands)).toHaveText('What is it?')
    await expect(articles(hands)).toHaveCount(2)
  },
}

test('the walk passes every state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(
    expect.arrayContaining(restingStates(sharedConversationMachine)),
  )
})

test('the page of a link shows what the machine says, over every edge', long, async ({chat, browser, modelServer}) => {
  modelServer.answer('An owl.')
  await ask(chat, 'What is it?')
  await ended(chat)
  await chat.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
  const dialog = chat.getByRole('dialog')
  await dialog.getByRole('button', {name: 'Make link'}).click()
  const address = await dialog.getByRole('link', {name: 'Open'}).getAttribute('href')
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  const copy = await HeldRoute.on(page, /\/api\/v1\/shares\//, 'GET')
  await page.goto(address ?? '')
  await walkPage(chart, {page, copy}, {done, expected})
  await stranger.close()
})
