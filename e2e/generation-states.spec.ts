import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {tool as flux} from '#contract/media/flux.ts'
import {createGenerationMachine, type GenerationSnapshot} from '#machines/generation/generation.machine.ts'
import type {ToolRules} from '#machines/generation/generation.rules.ts'
import {startOwner} from '../tests/machines/media-fixtures.ts'
import {expect, test} from './fixtures.ts'
import {
  graphOf,
  leavesOf,
  restingStates,
  sender,
  takeWay,
  waysToAll,
  wholeWays,
  type Chart,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import {cards, generateButton, openTool, promptField, settings} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'

/* The form of a media tool shows each resting state of its machine: one test for each way through it, generated from the machine. */

type Action = 'add a file' | 'the file is there' | 'set-up is there' | 'send' | 'accept' | 'refuse' | 'cancel'
type Shown =
  | 'editing'
  | 'editing with a file on its way'
  | 'editing before set-up'
  | 'waiting.uploads'
  | 'waiting.setUp'
  | 'requested.sending'
  | 'requested.refused'
  | 'sent'

// as: the chart keeps the form of any tool as a plain record
const machine = createGenerationMachine(flux as unknown as ToolRules)
const send = sender(machine)
const [settling, ready] = [startOwner(false).owner, startOwner(true).owner]
/** The form is told of set-up, and reads from its tool that it is there. */
const setUp = (snapshot: GenerationSnapshot) =>
  send({...snapshot, context: {...snapshot.context, owner: ready}}, {type: 'provision.ready'})
const file = {id: 'f', name: 'a.png', type: 'image/png', size: 70}
const rule = {types: ['image/png'], maxBytes: 1_000}
const key = 'k'

const leafOf = (snapshot: GenerationSnapshot) => leavesOf(snapshot.value)[0] ?? ''
const hasFileOnItsWay = ({context}: GenerationSnapshot) => context.uploads.some(({state}) => state !== 'done')

function shownBy(snapshot: GenerationSnapshot): Shown {
  if (!snapshot.matches('editing')) return leafOf(snapshot) as Shown // as: the other leaves are shown under their name
  if (!snapshot.context.owner.getSnapshot().hasTag('ready')) return 'editing before set-up'
  return hasFileOnItsWay(snapshot) ? 'editing with a file on its way' : 'editing'
}

const where =
  (shown: readonly Shown[], then: (snapshot: GenerationSnapshot) => GenerationSnapshot) =>
  (snapshot: GenerationSnapshot) => (shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined)

const chart: Chart<GenerationSnapshot, Action, Shown> = {
  start: () => initialTransition(machine, {tool: 'flux', owner: settling, restored: {prompt: 'a kite'}})[0],
  shownBy,
  effects: {
    'set-up is there': where(['editing before set-up', 'waiting.setUp'], setUp),
    'add a file': where(['editing'], (snapshot) =>
      send(
        snapshot,
        {type: 'field.change', field: 'action', value: 'edits'},
        {type: 'files.add', field: 'image_url', files: [file], rule, most: 1},
      ),
    ),
    'the file is there': where(['waiting.uploads'], (snapshot) =>
      send(snapshot, {type: 'upload.settled', id: 'f', field: 'image_url', url: 'https://foo.test/a.png'}),
    ),
    send: where(['editing', 'editing before set-up', 'editing with a file on its way'], (snapshot) =>
      send(snapshot, {type: 'form.submit', key, at: 1}),
    ),
    accept: where(['requested.sending'], (snapshot) => send(snapshot, {type: 'submission.accepted', key, task: 't'})),
    refuse: where(['requested.sending'], (snapshot) => send(snapshot, {type: 'submission.rejected', key})),
    cancel: where(['waiting.uploads', 'requested.refused'], (snapshot) => send(snapshot, {type: 'submit.cancel'})),
  },
}

type Hands = {page: Page; setUp: HeldRoute; upload: HeldRoute; submission: HeldRoute}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'set-up is there': ({setUp}) => setUp.let(goOn),
  'add a file': async ({page}) => {
    await settings(page).getByRole('radio', {name: 'Edit'}).click()
    await settings(page)
      .locator('input[type=file]')
      .setInputFiles({name: 'a.png', mimeType: 'image/png', buffer: pixel})
  },
  'the file is there': ({upload}) => upload.let(goOn),
  send: ({page}) => promptField(page).press('Control+Enter'),
  accept: ({submission}) => submission.let(goOn),
  refuse: ({submission}) => submission.let(refuseWith(400, 'bad_request')),
  cancel: ({page}) =>
    settings(page)
      .getByRole('button', {name: /^(Cancel|Dismiss)$/})
      .click(),
}

const isFree = async ({page}: Hands) => {
  await expect(generateButton(page)).toBeEnabled()
  await expect(settings(page).getByRole('status').filter({hasText: 'Cancel'})).toHaveCount(0)
  await expect(settings(page).getByRole('alert')).toHaveCount(0)
}
const waits =
  (words: string) =>
  async ({page, submission}: Hands) => {
    await expect(settings(page).getByRole('status').filter({hasText: words})).toBeVisible()
    await expect(settings(page).getByRole('button', {name: 'Cancel', exact: true})).toBeEnabled()
    expect(submission.asked).toBe(0)
  }

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  editing: isFree,
  'editing before set-up': isFree,
  'editing with a file on its way': async (hands) => {
    await isFree(hands)
    await expect(settings(hands.page).getByRole('progressbar')).toBeVisible()
  },
  'waiting.uploads': waits('Generating waits for the upload.'),
  'waiting.setUp': waits('Getting this tool ready for you.'),
  'requested.sending': async ({page, submission}) => {
    await expect(generateButton(page)).toBeDisabled()
    await expect.poll(() => submission.asked).toBe(1)
  },
  'requested.refused': async ({page}) => {
    await expect(settings(page).getByRole('alert')).toContainText("That didn't work.")
    await expect(promptField(page)).toHaveValue('a kite')
  },
  sent: async (hands) => {
    await expect(cards(hands.page).filter({hasText: 'a kite'})).toBeVisible()
    await isFree(hands)
    // the second half of a double click
    await promptField(hands.page).press('Control+Enter')
    await expect(cards(hands.page)).toHaveCount(1)
    expect(hands.submission.asked).toBe(1)
  },
}

const graph = graphOf(chart)

test('every resting state of the form is reached', () => {
  const reached = [...graph.keys()].map((shown) => (shown.startsWith('editing') ? 'editing' : shown))
  expect([...new Set(reached)].sort()).toEqual(restingStates(machine))
})

for (const [shown, way] of wholeWays(waysToAll(graph, 'editing before set-up'))) {
  test(`the page shows each state of a form on its way to ${shown}`, long, async ({chat: page}) => {
    const hands: Hands = {
      page,
      setUp: await HeldRoute.on(page, /\/api\/v1\/(services|applications)\//),
      upload: await HeldRoute.on(page, /\/api\/v1\/files\//),
      submission: await HeldRoute.on(page, '**/services/api/flux/images'),
    }
    await openTool(page, '/flux')
    await promptField(page).fill('a kite')
    await takeWay(chart, way, hands, {done, expected})
  })
}
