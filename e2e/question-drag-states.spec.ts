import type {Locator, Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {questionDragMachine} from '#machines/question-drag/question-drag.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'
import {anyPhone, askByTouch, tabsAreBack} from './support/phone.ts'
import {secondTab} from './support/signed-in.ts'
import {askWhileHeld, list, order} from './support/waiting-questions.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * Questions that wait are dragged by their grips: as the machine of the drag says, over every edge of its graph, and on
 * the page.
 */

const row = (page: Page, question: string) => list(page).getByRole('group', {name: question, exact: true})
const grip = (page: Page, question: string) => row(page, question).locator('[data-grip]')
const lifted = (page: Page) => list(page).locator('[data-lifted]')

async function middleOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('not on the page')
  return {x: box.x + box.width / 2, y: box.y + box.height / 2}
}

/** An answer that does not end, and questions that wait behind it. */
async function waiting(page: Page, modelServer: ModelServer, questions: readonly string[]) {
  await askWhileHeld(page, modelServer)
  for (const question of questions) {
    await ask(page, question)
    await expect(row(page, question)).toBeVisible()
    await expect(composer(page)).toHaveValue('')
  }
}

/** A row that was let go lies at its position. */
const settled = (page: Page) =>
  list(page).evaluate((element) => Promise.all(element.getAnimations({subtree: true}).map(({finished}) => finished)))

/** Presses the grip of a question, and moves the pointer to the middle of another row. */
async function lift(page: Page, question: string, over: string) {
  await settled(page)
  const [from, to] = [await middleOf(grip(page, question)), await middleOf(row(page, over))]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await expect(lifted(page)).toHaveCount(1)
  await page.mouse.move(from.x, to.y, {steps: 8})
}

test('a question is dragged to another position, which a reload and another tab keep; Escape and text drag nothing', async ({
  chat,
  modelServer,
}) => {
  await waiting(chat, modelServer, ['two', 'three', 'four'])
  const other = await secondTab(chat)
  await expect.poll(() => order(other)).toEqual(['two', 'three', 'four'])

  await lift(chat, 'four', 'two')
  await chat.keyboard.press('Escape')
  await expect(lifted(chat)).toHaveCount(0)
  await chat.mouse.up()
  expect(await order(chat)).toEqual(['two', 'three', 'four'])
  // the answer was not stopped by it
  await expect(list(chat)).toContainText('Sent in this order')

  const words = await middleOf(row(chat, 'four').getByText('four'))
  await chat.mouse.move(words.x, words.y)
  await chat.mouse.down()
  await chat.mouse.move(words.x, words.y - 60, {steps: 4})
  await expect(lifted(chat)).toHaveCount(0)
  await chat.mouse.up()
  expect(await order(chat)).toEqual(['two', 'three', 'four'])

  await lift(chat, 'four', 'two')
  await chat.mouse.up()
  for (const tab of [chat, other]) await expect.poll(() => order(tab)).toEqual(['four', 'two', 'three'])
  await expect(list(chat).getByText('Now 1 of 3')).toBeAttached()
  await chat.reload()
  await expect.poll(() => order(chat)).toEqual(['four', 'two', 'three'])
  await other.close()
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('three answered')
  await ended(chat)
  expect(modelServer.prompts).toEqual(['First', 'four', 'two', 'three'])
})

test('a row at the edge of a long list scrolls it, and comes to its end', long, async ({chat, modelServer}) => {
  await chat.setViewportSize({width: 1440, height: 640})
  const questions = Array.from({length: 9}, (_, index) => `Question ${index + 1}`)
  await waiting(chat, modelServer, questions)
  const rows = list(chat).getByRole('list')
  await rows.evaluate((element) => element.scrollTo({top: 0, behavior: 'instant'}))
  const from = await middleOf(grip(chat, 'Question 1'))
  const box = await rows.boundingBox()
  await chat.mouse.move(from.x, from.y)
  await chat.mouse.down()
  await chat.mouse.move(from.x, (box?.y ?? 0) + (box?.height ?? 0) - 4, {steps: 6})
  await expect
    .poll(() => rows.evaluate(({scrollTop, clientHeight, scrollHeight}) => scrollHeight - clientHeight - scrollTop))
    .toBeLessThan(2)
  await chat.mouse.up()
  await expect.poll(() => order(chat)).toEqual([...questions.slice(1), 'Question 1'])
})

test('the first question is sent while another one is dragged: the drag ends', long, async ({chat, modelServer}) => {
  await waiting(chat, modelServer, ['two', 'three', 'four'])
  modelServer.hold(2)
  await lift(chat, 'four', 'three')
  modelServer.proceed()
  await expect.poll(() => modelServer.prompts).toEqual(['First', 'two'])
  await expect(lifted(chat)).toHaveCount(0)
  await chat.mouse.up()
  expect(await order(chat)).toEqual(['three', 'four'])
})

/** The middle of a row where it lies when it makes no way for a lifted one, on its way or there. */
const lyingMiddle = (page: Page, question: string) =>
  row(page, question).evaluate((element) => {
    const item = element.closest('li')
    const rows = item?.parentElement
    if (!item || !rows) throw new Error('not on the page')
    return rows.getBoundingClientRect().top - rows.scrollTop + item.offsetTop + item.offsetHeight / 2
  })

test(
  'a row that becomes lower in a drag is passed where it is then, and the lifted one stays at the pointer',
  long,
  async ({chat, modelServer}) => {
    const words = 'A question of some lines, which has fewer where there is more room for them. '.repeat(3).trim()
    await chat.setViewportSize({width: 460, height: 900})
    await waiting(chat, modelServer, [words, 'three', 'four'])
    await lift(chat, 'four', 'three')
    const higher = (await row(chat, words).boundingBox())?.height ?? 0
    await chat.setViewportSize({width: 1440, height: 900})
    await expect.poll(async () => (await row(chat, words).boundingBox())?.height).toBeLessThan(higher)
    const {x} = await middleOf(grip(chat, 'four'))
    for (const over of ['three', words]) {
      const y = await lyingMiddle(chat, over)
      await chat.mouse.move(x, y, {steps: 6})
      await expect.poll(async () => Math.abs((await middleOf(grip(chat, 'four'))).y - y)).toBeLessThan(8)
    }
    await chat.mouse.up()
    await expect.poll(() => order(chat)).toEqual(['four', words, 'three'])
  },
)

test.describe('on a phone', () => {
  test.use(anyPhone)

  test('a finger drags a question by its grip, and scrolls the list elsewhere', async ({chat, modelServer}) => {
    const word = await wordsOf(chat)
    const rows = chat.getByRole('region', {name: word('chat.followUps')}).getByRole('group')
    modelServer.answer('Fine.')
    modelServer.hold(0)
    for (const question of ['First', 'two', 'three', 'four']) await askByTouch(chat, question)
    await expect(rows).toHaveCount(3)
    await tabsAreBack(chat)
    const session = await chat.context().newCDPSession(chat)
    const touch = async (x: number, from: number, to: number) => {
      const at = (share: number) => [{x, y: from + (to - from) * share}]
      await session.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: at(0)})
      for (const share of [0.25, 0.5, 0.75, 1])
        await session.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: at(share)})
      await session.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []})
    }
    const names = () => rows.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
    await rows.nth(2).scrollIntoViewIfNeeded()
    const [last, before] = [await middleOf(rows.nth(2).locator('[data-grip]')), await middleOf(rows.nth(1))]
    await touch(last.x, last.y, before.y - 6)
    await expect.poll(names).toEqual(['two', 'four', 'three'])
    const words = await middleOf(rows.nth(1).getByText('four'))
    await touch(words.x, words.y, words.y - 40)
    expect(await names()).toEqual(['two', 'four', 'three'])
  })
})

type Action = 'lift' | 'drag over the next' | 'drag back' | 'drop' | 'press Escape'
type Shown = 'resting' | 'lifted at its position' | 'lifted over the next'
type Snapshot = {drag: SnapshotFrom<typeof questionDragMachine>; rows: readonly string[]}

const send = sender(questionDragMachine)
/** Rows of one height, of which the first is lifted. */
const heights = [0, 32, 64].map((top) => ({top, height: 30}))
const shownBy = ({drag}: Snapshot): Shown =>
  drag.matches('resting') ? 'resting' : drag.context.drag?.to === 1 ? 'lifted over the next' : 'lifted at its position'
const is = (shown: Shown) => (snapshot: Snapshot) => shownBy(snapshot) === shown
const then =
  (event: Parameters<typeof send>[1]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, drag: send(snapshot.drag, event)})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({drag: initialTransition(questionDragMachine)[0], rows: ['two', 'three', 'four']}),
  effects: {
    lift: where(is('resting'), then({type: 'row.lift', key: 'a', from: 0, rows: heights, y: 15})),
    'drag over the next': where(is('lifted at its position'), then({type: 'row.drag', y: 47})),
    'drag back': where(is('lifted over the next'), then({type: 'row.drag', y: 15})),
    drop: where(
      ({drag}) => drag.matches('lifted'),
      (snapshot) => {
        const [first = '', ...rest] = snapshot.rows
        const rows = rest.toSpliced(snapshot.drag.context.drag?.to ?? 0, 0, first)
        return {...then({type: 'row.drop'})(snapshot), rows}
      },
    ),
    'press Escape': where(({drag}) => drag.matches('lifted'), then({type: 'drag.cancel'})),
  },
  shownBy,
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({drag: {value}}) => value)).toEqual(restingStates(questionDragMachine))
})

test('the list drags as the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  await waiting(page, modelServer, ['two', 'three', 'four'])
  const gripAt = (at: number) => list(page).locator('[data-grip]').nth(at)
  const moveTo = async (part: Locator) => {
    const {x, y} = await middleOf(part)
    await page.mouse.move(x, y, {steps: 5})
  }
  const positions = [await middleOf(gripAt(0)), await middleOf(gripAt(1))] as const
  const shows = (count: number) => async (_: unknown, snapshot: Snapshot) => {
    await expect(lifted(page)).toHaveCount(count)
    await expect.poll(() => order(page)).toEqual(snapshot.rows)
  }
  await walkPage(
    chart,
    {},
    {
      done: {
        lift: async () => {
          await page.mouse.up()
          await settled(page)
          await moveTo(gripAt(0))
          await page.mouse.down()
        },
        'drag over the next': () => page.mouse.move(positions[1].x, positions[1].y, {steps: 5}),
        'drag back': () => page.mouse.move(positions[0].x, positions[0].y, {steps: 5}),
        drop: () => page.mouse.up(),
        'press Escape': () => page.keyboard.press('Escape'),
      },
      expected: {
        resting: shows(0),
        'lifted at its position': shows(1),
        'lifted over the next': shows(1),
      },
    },
  )
})
