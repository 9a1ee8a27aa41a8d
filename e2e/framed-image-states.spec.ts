import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {framedImageMachine, type FramedImageSnapshot} from '#machines/framed-image/framed-image.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute} from './support/held-route.ts'
import {openImageHost} from './support/image-host.ts'

/* An image in its frame shows what its machine says, over every edge of the graph generated from the machine. */

type Action = 'open the frame' | 'come' | 'break' | 'retry' | 'load the page'
type Shown = 'opening' | 'loading' | 'failed' | 'shown'

const send = sender(framedImageMachine)
const start = () => initialTransition(framedImageMachine)[0]
const is = (state: Shown) => (snapshot: FramedImageSnapshot) => snapshot.matches(state)

const chart: Chart<FramedImageSnapshot, Action, Shown> = {
  start,
  effects: {
    'open the frame': where(is('opening'), (snapshot) => send(snapshot, {type: 'image.asked'})),
    come: where(is('loading'), (snapshot) => send(snapshot, {type: 'image.loaded', width: 1_600, height: 800})),
    break: where(is('loading'), (snapshot) => send(snapshot, {type: 'image.failed'})),
    retry: where(is('failed'), (snapshot) => send(snapshot, {type: 'image.retry'})),
    // the image has to be asked for again
    'load the page': start,
  },
  shownBy: ({value}) => value,
}

type Hands = {page: Page; frame: HeldRoute; host: Awaited<ReturnType<typeof openImageHost>>}

const image = (page: Page) => lastMessage(page).getByTitle('A boat')
const retry = (page: Page) => lastMessage(page).getByRole('button', {name: 'Retry'})

/** Loads the image of the page, whose frame does not come yet, and whose host does not answer yet. */
async function load({page, frame, host}: Hands) {
  frame.hold()
  host.answers('silence')
  await page
    .getByRole('log')
    .getByRole('button', {name: /^Load from/})
    .click()
  await frame.waitForOne()
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'open the frame': async ({frame, host}) => {
    const {length} = host.asked
    await frame.letFirst((route) => route.continue())
    await expect.poll(() => host.asked.length).toBe(length + 1)
  },
  come: async ({host}) => host.answers('image'),
  break: async ({host}) => host.answers('nothing'),
  retry: async ({page, frame, host}) => {
    host.answers('silence')
    await retry(page).click()
    await frame.waitForOne()
  },
  'load the page': async (hands) => {
    await hands.page.reload()
    await load(hands)
  },
}

/** Expects the image, whether something is on its way, and the way on after a failure. */
const shows =
  ({hasFrame, isBusy}: {hasFrame: boolean; isBusy: boolean}) =>
  async ({page}: Hands) => {
    await expect(image(page)).toHaveCount(hasFrame ? 1 : 0)
    await expect(lastMessage(page).locator('[aria-busy=true]')).toHaveCount(isBusy ? 1 : 0)
    await expect(retry(page)).toHaveCount(hasFrame ? 0 : 1)
    await expect(lastMessage(page).getByRole('link', {name: /^Open at/})).toHaveCount(1)
  }

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  opening: async (hands) => {
    await shows({hasFrame: true, isBusy: true})(hands)
    expect(hands.frame.held).toBe(1)
  },
  loading: async (hands) => {
    await shows({hasFrame: true, isBusy: true})(hands)
    expect(hands.frame.held).toBe(0)
  },
  failed: shows({hasFrame: false, isBusy: false}),
  shown: async (hands) => {
    await shows({hasFrame: true, isBusy: false})(hands)
    const box = await image(hands.page).boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(2, 1)
  },
}

test('the walk passes every resting state of the machine', () => {
  const final = ['shown']
  expect(statesPassed(chart, ({value}) => value)).toEqual([...restingStates(framedImageMachine), ...final].sort())
})

test('an image shows what its machine says, over every edge', long, async ({chat: page, modelServer, watch}) => {
  const host = await openImageHost()
  watch.allow(host.url)
  modelServer.answer(`![A boat](${host.url}/boat.png)\n\nThe end.`)
  await ask(page, 'A boat?')
  await expect(lastMessage(page)).toContainText('The end.')
  await ended(page)
  const hands = {page, host, frame: await HeldRoute.on(page, /\/image-frame\.html$/)}
  await load(hands)
  await walkPage(chart, hands, {done, expected})
  host.answers('nothing')
  await host.close()
})
