import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {lostFileMachine} from '#machines/lost-file/lost-file.machine.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {composer, expect, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {secondTab} from './support/signed-in.ts'

/*
 * A file that is on its way in one tab shows in another one with the same draft what its machine says, over every edge
 * of the graph generated from it.
 */

const send = sender(lostFileMachine)
const open = () => initialTransition(lostFileMachine, {parentRef: nobody, id: 'foo'})[0]
type State = ReturnType<typeof open>
/** `isUploaded`: the draft has the file, and the machine is over. */
type Snapshot = {file: State; isUploaded: boolean}
type Action = 'open' | 'reload' | 'fail' | 'retry' | 'upload'
type Shown = 'nothing' | 'elsewhere' | 'lost' | 'uploaded'

const is =
  (...values: State['value'][]) =>
  ({file, isUploaded}: Snapshot) =>
    !isUploaded && values.includes(file.value)
const then =
  (event: Parameters<typeof send>[1]) =>
  ({file}: Snapshot): Snapshot => ({file: send(file, event), isUploaded: false})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({file: open(), isUploaded: false}),
  effects: {
    open: where(is('asking'), then({type: 'elsewhere.running'})),
    reload: where(is('elsewhere', 'lost'), ({file: {value}}) =>
      then({type: value === 'lost' ? 'elsewhere.gone' : 'elsewhere.running'})({file: open(), isUploaded: false}),
    ),
    fail: where(is('elsewhere'), then({type: 'elsewhere.gone'})),
    retry: where(is('lost'), then({type: 'elsewhere.running'})),
    upload: where(is('elsewhere'), ({file}) => ({file, isUploaded: true})),
  },
  shownBy: ({file: {value}, isUploaded}) => (isUploaded ? 'uploaded' : value === 'asking' ? 'nothing' : value),
}

type Hands = {here: Page; there: Page; uploads: HeldRoute}
const file = {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the words of notes.txt')}
const elsewhere = 'Uploading in another tab'
const lost = 'Not uploaded. Attach it again.'
const retry = (page: Page) => page.getByRole('button', {name: 'Try notes.txt again'})

/** Begins the upload, which waits for the test. */
async function attach(page: Page): Promise<HeldRoute> {
  const uploads = await HeldRoute.on(page, /\/api\/v1\/files\//, 'POST')
  await page.getByRole('main').locator('input[type="file"]').setInputFiles(file)
  await uploads.waitForOne()
  return uploads
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  open: ({here, there}) => there.goto(here.url()),
  reload: ({there}) => there.reload(),
  fail: ({uploads}) => letOnce(uploads, refuseWith(500, 'api_error')),
  retry: ({here}) => retry(here).click(),
  upload: ({uploads}) => letOnce(uploads, goOn),
}

const shows =
  (words: string | RegExp, tries: number) =>
  async ({there}: Hands) => {
    await expect(there.getByText(words)).toBeVisible()
    await expect(retry(there)).toHaveCount(tries)
  }
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  nothing: async () => undefined,
  elsewhere: shows(elsewhere, 0),
  lost: shows(lost, 1),
  uploaded: shows(/· Ready$/, 0),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({file: {value}}) => value)).toEqual(restingStates(lostFileMachine))
})

test('the other tab shows what the machine says, over every edge', long, async ({chat: here, context}) => {
  const uploads = await attach(here)
  await walkPage(chart, {here, there: await context.newPage(), uploads}, {done, expected})
})

test('a message that another tab goes on with waits for the upload there, and is sent with it', async ({
  chat: here,
  modelServer,
}) => {
  modelServer.answer('seen')
  const uploads = await attach(here)
  const there = await secondTab(here)
  await expect(there.getByText(elsewhere)).toBeVisible()
  // from now on the tabs have drafts of their own
  await composer(there).fill('Read it')
  await composer(there).press('Enter')
  await expect(there.getByRole('alert')).toHaveText('Sending waits for the upload.')
  await expect(composer(there)).toHaveValue('Read it')
  await uploads.let(goOn)
  await expect(there.getByText(/· Ready$/)).toBeVisible()
  expect(uploads.asked).toBe(1)
  await composer(there).press('Enter')
  await expect(lastMessage(there)).toContainText('seen')
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('the words of notes.txt')
})

test('a file whose tab is closed on its way is lost, and is attached again where the draft is open', async ({
  chat: here,
  modelServer,
}) => {
  modelServer.answer('seen')
  await attach(here)
  const there = await secondTab(here)
  await expect(there.getByText(elsewhere)).toBeVisible()
  await here.close()
  await expect(there.getByText(lost)).toBeVisible()
  await expect(there.getByText(elsewhere)).toHaveCount(0)
  const choosing = there.waitForEvent('filechooser')
  await retry(there).click()
  await (await choosing).setFiles(file)
  await expect(there.getByText(/· Ready$/)).toBeVisible()
  await composer(there).fill('Read it')
  await composer(there).press('Enter')
  await expect(lastMessage(there)).toContainText('seen')
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('the words of notes.txt')
})
