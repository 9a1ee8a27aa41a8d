import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {readAloudMachine, type ReadAloudSnapshot} from '#machines/read-aloud/read-aloud.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {answers, chooseAction, composer, ended, moreActions, newChat} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {keepSpeech} from './support/kept-speech.ts'

/*
 * Answers that are read aloud show what the machine of the voice says, over every edge of the graph generated from the
 * machine.
 */

/** Positions of two answers in their conversation. */
const indexes = {first: 1, second: 3}
type Answer = keyof typeof indexes
const names = ['first', 'second'] as const satisfies readonly Answer[]
const textOf = (name: Answer) => `The ${name} answer.`

type Action = `read the ${Answer}` | 'stop' | 'end' | 'break' | 'leave'
type Shown = 'silent' | `${'reading' | 'failed'} the ${Answer}`

const send = sender(readAloudMachine)
const start = () => initialTransition(readAloudMachine)[0]
const isReading = (snapshot: ReadAloudSnapshot) => snapshot.matches('reading')
const nameOf = ({context: {index}}: ReadAloudSnapshot) => names.find((name) => indexes[name] === index)
/** The menu of an answer that is read has no such entry. */
const reads = (name: Answer) =>
  where<ReadAloudSnapshot>(
    (snapshot) => !(isReading(snapshot) && nameOf(snapshot) === name),
    (snapshot) => send(snapshot, {type: 'reading.start', index: indexes[name], text: textOf(name)}),
  )

const chart: Chart<ReadAloudSnapshot, Action, Shown> = {
  start,
  effects: {
    'read the first': reads('first'),
    'read the second': reads('second'),
    stop: where(isReading, (snapshot) => send(snapshot, {type: 'reading.stop'})),
    end: where(isReading, (snapshot) => send(snapshot, {type: 'xstate.done.actor.readText'})),
    break: where(isReading, (snapshot) =>
      send(snapshot, {type: 'xstate.error.actor.readText', error: new Error('foo')}),
    ),
    // the thread that is left ends its voice
    leave: start,
  },
  shownBy: (snapshot) => {
    const name = nameOf(snapshot)
    if (name === undefined) return 'silent'
    return isReading(snapshot) ? `reading the ${name}` : `failed the ${name}`
  },
}

const answerOf = (page: Page, name: Answer) => answers(page).nth(indexes[name])
const stopOf = (page: Page, name: Answer) => answerOf(page, name).getByRole('button', {name: 'Stop reading'})
const noVoice = (page: Page, name: Answer) =>
  answerOf(page, name).getByRole('status').filter({hasText: 'This browser has no voice for it.'})

/** It begins anew with the whole text, also where another answer was read. */
const read = (name: Answer) => async (page: Page) => {
  const before = await page.evaluate(() => window.speechRead)
  await chooseAction(answerOf(page, name), 'Read aloud')
  await expect.poll(() => page.evaluate(() => window.speechRead)).toEqual([...before, `en: ${textOf(name)}`])
}

const done: {[Name in Action]: (page: Page, snapshot: ReadAloudSnapshot) => Promise<unknown>} = {
  'read the first': read('first'),
  'read the second': read('second'),
  stop: async (page, snapshot) => {
    const name = nameOf(snapshot) ?? 'first'
    await stopOf(page, name).click()
    await expect(moreActions(answerOf(page, name))).toBeFocused()
  },
  end: (page) => page.evaluate(() => window.speechEnds()),
  break: (page) => page.evaluate(() => window.speechBreaks()),
  leave: async (page) => {
    await newChat(page)
    await expect(answers(page)).toHaveCount(0)
    await page.goBack()
    await expect(answers(page)).toHaveCount(4)
  },
}

/** Expects the buttons and words of each answer, and the text that the browser reads now. */
const shows =
  ({reading, failed}: {reading?: Answer; failed?: Answer}) =>
  async (page: Page) => {
    for (const name of names) {
      await expect(stopOf(page, name)).toHaveCount(reading === name ? 1 : 0)
      await expect(noVoice(page, name)).toHaveCount(failed === name ? 1 : 0)
      await answerOf(page, name).hover()
      await moreActions(answerOf(page, name)).click()
      await expect(page.getByRole('menuitem', {name: 'Read aloud'})).toHaveCount(reading === name ? 0 : 1)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
    }
    expect(await page.evaluate(() => window.speechNow())).toBe(reading === undefined ? undefined : textOf(reading))
  }

const expected: {[Name in Shown]: (page: Page) => Promise<unknown>} = {
  silent: shows({}),
  'reading the first': shows({reading: 'first'}),
  'reading the second': shows({reading: 'second'}),
  'failed the first': shows({failed: 'first'}),
  'failed the second': shows({failed: 'second'}),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(readAloudMachine))
})

test('answers show what the machine of the voice says, over every edge', long, async ({chat: page, modelServer}) => {
  await keepSpeech(page)
  await page.reload()
  await composer(page).waitFor()
  for (const name of names) {
    modelServer.answer(textOf(name))
    await ask(page, `What is the ${name}?`)
    await expect(answerOf(page, name)).toContainText(textOf(name))
    await ended(page)
  }
  await walkPage(chart, page, {done, expected})
})
