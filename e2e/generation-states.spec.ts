import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {tool as flux} from '#contract/media/flux.ts'
import {createGenerationMachine, type GenerationSnapshot} from '#machines/generation/generation.machine.ts'
import type {ToolRules} from '#machines/generation/generation.rules.ts'
import {submissionMachine, type SubmissionSnapshot} from '#machines/submission/submission.machine.ts'
import {selectRequest} from '#machines/task-requests/task-requests.selectors.ts'
import {startEnvironment} from '../tests/machines/environment-fixture.ts'
import {intent, isSetUp, startList, startOwner} from '../tests/machines/media-fixtures.ts'
import {nobody} from '../tests/machines/nobody.ts'
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

/*
 * The form of a media tool shows each resting state of its machine, and what it shows of the request it made: one test
 * for each way through both, generated from the machines. Every state of a request is in submission-states.spec.ts.
 */

type Action =
  | 'add a file'
  | 'the file is there'
  | 'set-up is there'
  | 'send'
  | 'send without a prompt'
  | 'accept'
  | 'refuse'
  | 'run out of credits'
  | 'cancel'
type Shown =
  | 'editing'
  | 'editing with a file on its way'
  | 'editing before set-up'
  | 'editing.checked'
  | 'waiting.uploads'
  | 'waiting.setUp'
  | 'sending'
  | 'rejected'
  | 'usedUp'
  | 'joined'
/** A form and its last request, while there is one. */
type Sent = {form: GenerationSnapshot; request?: SubmissionSnapshot | undefined}

// as: the chart keeps the form of any tool as a plain record
const machine = createGenerationMachine(flux as unknown as ToolRules)
const send = sender(machine)
const tool = 'flux'
const [settling, ready] = [startOwner(false, {tool}).owner, startOwner(true, {tool}).owner]
/** The form is told of set-up, and reads from its tool's list that it is there. */
const withSetUp = ({form}: Sent) =>
  sent(send({...form, context: {...form.context, owner: ready}}, {type: 'provision.ready'}), form.hasTag('waiting'))
const file = {id: 'f', name: 'a.png', type: 'image/png', size: 70}
const rule = {types: ['image/png'], maxBytes: 1_000}
const key = 'k'

const sendRequest = sender(submissionMachine)
const done = (id: string, output?: unknown) => ({type: `xstate.done.actor.${id}`, actorId: id, output}) as const
const answer = (output: {task: string}) => done('postRequest', output)
const refuse = (code: string) =>
  ({type: 'xstate.error.actor.postRequest', actorId: 'postRequest', error: {code, detail: 'foo', status: 403}}) as const
/** The request of the form while its call is on its way. */
const startRequest = () => {
  const input = {...startList().input, parentRef: nobody, environment: startEnvironment(), origin: 'new' as const}
  const [opened] = initialTransition(submissionMachine, {...input, intent: intent(key)})
  return sendRequest(opened, done('saveIntent'), done('prepareRequest', {repeats: true, isHeld: false, isOld: false}))
}
/** A form that was pressed has sent its request once the press waits no more. */
const sent = (form: GenerationSnapshot, wasPressed: boolean): Sent =>
  wasPressed && form.matches('editing') ? {form, request: startRequest()} : {form}
const inRequest = ({form, request}: Sent, ...events: Parameters<typeof sendRequest>[1][]): Sent => ({
  form,
  request: request && sendRequest(request, ...events),
})

const hasFileOnItsWay = ({context}: GenerationSnapshot) => context.uploads.some(({state}) => state !== 'done')

function shownBy({form, request}: Sent): Shown {
  // as: the states of a request in this test are shown under their name, and so are those in which a form waits
  if (request !== undefined) return (request.matches('joined') ? 'joined' : selectRequest(request).state) as Shown
  if (!form.matches('editing')) return (leavesOf(form.value)[0] ?? '') as Shown
  if (form.hasTag('checked')) return 'editing.checked'
  if (!isSetUp(form.context)) return 'editing before set-up'
  return hasFileOnItsWay(form) ? 'editing with a file on its way' : 'editing'
}

const where = (shown: readonly Shown[], then: (snapshot: Sent) => Sent) => (snapshot: Sent) =>
  shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined

const chart: Chart<Sent, Action, Shown> = {
  start: () => ({
    form: initialTransition(machine, {tool, owner: settling, restored: {prompt: 'a kite'}})[0],
  }),
  shownBy,
  effects: {
    'set-up is there': where(['editing before set-up', 'waiting.setUp'], withSetUp),
    'add a file': where(['editing'], ({form}) => ({
      form: send(
        form,
        {type: 'field.change', field: 'action', value: 'edits'},
        {type: 'files.add', field: 'image_url', files: [file], rule, most: 1},
      ),
    })),
    'the file is there': where(['waiting.uploads'], ({form}) =>
      sent(send(form, {type: 'upload.settled', id: 'f', field: 'image_url', url: 'https://foo.test/a.png'}), true),
    ),
    send: where(['editing', 'editing before set-up', 'editing with a file on its way'], ({form}) =>
      sent(send(form, {type: 'form.submit', key, at: 1}), true),
    ),
    'send without a prompt': where(['editing'], ({form}) => ({
      form: send(form, {type: 'field.change', field: 'prompt', value: ''}, {type: 'form.submit', key, at: 1}),
    })),
    accept: where(['sending'], (snapshot) => inRequest(snapshot, answer({task: 't'}))),
    refuse: where(['sending'], (snapshot) => inRequest(snapshot, refuse('bad_request'))),
    'run out of credits': where(['sending'], (snapshot) => inRequest(snapshot, refuse('used_up'))),
    cancel: where(['waiting.uploads', 'rejected', 'usedUp'], ({form, request}) => ({
      form: request === undefined ? send(form, {type: 'submit.cancel'}) : form,
    })),
  },
}

type Hands = {page: Page; setUp: HeldRoute; upload: HeldRoute; submission: HeldRoute}

const hands: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'set-up is there': ({setUp}) => setUp.let(goOn),
  'add a file': async ({page}) => {
    await settings(page).getByRole('radio', {name: 'Edit'}).click()
    await settings(page)
      .locator('input[type=file]')
      .setInputFiles({name: 'a.png', mimeType: 'image/png', buffer: pixel})
  },
  'the file is there': ({upload}) => upload.let(goOn),
  send: ({page}) => promptField(page).press('Control+Enter'),
  'send without a prompt': async ({page}) => {
    await promptField(page).fill('')
    await promptField(page).press('Control+Enter')
  },
  accept: async ({page, submission}) => {
    // a second press is one of a double click for a second, which a busy machine takes to look at the page
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1_000)
    await submission.let(goOn)
  },
  refuse: ({submission}) => submission.let(refuseWith(400, 'bad_request')),
  'run out of credits': ({submission}) => submission.let(refuseWith(403, 'used_up')),
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
  'editing.checked': async (held) => {
    await isFree(held)
    await expect(promptField(held.page)).toHaveAttribute('aria-invalid', 'true')
    await expect(promptField(held.page)).toBeFocused()
    expect(held.submission.asked).toBe(0)
  },
  'waiting.uploads': waits('Generating waits for the upload.'),
  'waiting.setUp': waits('Getting this tool ready for you.'),
  sending: async ({page, submission}) => {
    await expect(generateButton(page)).toBeDisabled()
    await expect.poll(() => submission.asked).toBe(1)
  },
  rejected: async ({page}) => {
    await expect(settings(page).getByRole('alert')).toContainText("That didn't work.")
    await expect(promptField(page)).toHaveValue('a kite')
  },
  usedUp: async ({page}) => {
    await expect(settings(page).getByRole('alert')).toContainText('out of credits')
    await expect(settings(page).getByRole('link', {name: 'Add credits'})).toBeVisible()
    await expect(generateButton(page)).toHaveCount(0)
    await expect(promptField(page)).toHaveValue('a kite')
  },
  joined: async (hands) => {
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
  const ofRequests: Shown[] = ['joined', 'rejected', 'sending', 'usedUp']
  const reached = [...graph.keys()].map((shown) => (/^editing(?!\.)/.test(shown) ? 'editing.untouched' : shown))
  expect([...new Set(reached)].sort()).toEqual([...restingStates(machine), ...ofRequests].sort())
})

for (const [shown, way] of wholeWays(waysToAll(graph, 'editing before set-up'))) {
  test(`the page shows each state of a form on its way to ${shown}`, long, async ({chat: page}) => {
    const held: Hands = {
      page,
      setUp: await HeldRoute.on(page, /\/api\/v1\/(services|applications)\//),
      upload: await HeldRoute.on(page, /\/api\/v1\/files\//),
      submission: await HeldRoute.on(page, '**/services/api/flux/images'),
    }
    await openTool(page, '/flux')
    await promptField(page).fill('a kite')
    await takeWay(chart, way, held, {done: hands, expected})
  })
}
