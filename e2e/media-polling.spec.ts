import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {loginVisits} from './support/calls.ts'
import {cards, generate, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask, ScriptedTasks} from './support/scripted-tasks.ts'
import {some, long} from './support/full-run.ts'
import {secondTab} from './support/signed-in.ts'

/*
 * A server may answer anything to a client that asks for tasks. The page's clock is the test's: time passes by
 * `runFor`, so that pauses of half a minute take no time.
 */

const seconds = (count: number) => count * 1_000
const card = (page: Page, prompt: string) => cards(page).filter({has: page.getByText(prompt, {exact: true})})
const image = (page: Page, prompt: string) => card(page, prompt).getByRole('img', {name: `Result of: ${prompt}`})
const imageUrl = (page: Page, name: string) => `${new URL(page.url()).origin}/made/${name}.png`

/** Time passes until the next question was asked and answered. */
async function nextPoll(page: Page, tasks: ScriptedTasks): Promise<void> {
  const before = tasks.polls
  await expect
    .poll(async () => {
      await page.clock.runFor(seconds(1))
      return tasks.polls
    })
    .toBeGreaterThan(before)
}

async function openFlux(page: Page): Promise<ScriptedTasks> {
  const tasks = await ScriptedTasks.on(page, 'flux')
  await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
  await page.clock.install()
  return tasks
}

for (const status of some([401, 500, 429])) {
  test(
    `a storm of ${status} while a task runs: it backs off, says so, asks rarely, and comes back by itself`,
    long,
    async ({chat}) => {
      const tasks = await openFlux(chat)
      const logins = loginVisits(chat)
      tasks.items = [fluxTask('stormy')]
      await openTool(chat, '/flux')
      await expect(card(chat, 'stormy')).toContainText('Rendering')

      tasks.failure = status
      const atStart = tasks.polls
      await expect
        .poll(async () => {
          await chat.clock.runFor(seconds(2))
          return card(chat, 'stormy').getByText('Lost contact').count()
        })
        .toBe(1)
      const asked = tasks.polls - atStart
      // five in a row; the first 401 is also answered with a new credential
      expect(asked).toBeLessThanOrEqual(status === 401 ? 6 : 5)
      expect(asked).toBeGreaterThanOrEqual(5)
      await expect(chat.getByRole('button', {name: 'Check now'})).toBeVisible()

      // the rest is fifteen seconds at least, and then one question
      const atLoss = tasks.polls
      await chat.clock.runFor(seconds(14))
      expect(tasks.polls).toBe(atLoss)
      await chat.clock.runFor(seconds(17))
      await expect.poll(() => tasks.polls).toBe(atLoss + 1)
      await expect(card(chat, 'stormy')).toContainText('Lost contact')
      expect(logins).toEqual([])
      expect(new URL(chat.url()).pathname).toBe('/flux')

      tasks.failure = undefined
      await chat.clock.runFor(seconds(31))
      await expect(card(chat, 'stormy')).toContainText('Rendering')
      tasks.items = [fluxTask('stormy', imageUrl(chat, 'stormy'))]
      await nextPoll(chat, tasks)
      await expect(image(chat, 'stormy')).toBeVisible()
    },
  )
}

test(
  'a task that vanishes is asked for twice and then said to be gone; asked for again, it comes back',
  long,
  async ({chat}) => {
    const tasks = await openFlux(chat)
    tasks.items = [fluxTask('fleeting')]
    await openTool(chat, '/flux')
    await expect(card(chat, 'fleeting')).toContainText('Rendering')

    tasks.items = []
    await nextPoll(chat, tasks)
    await expect(card(chat, 'fleeting')).toContainText('Rendering')
    await nextPoll(chat, tasks)
    await expect(card(chat, 'fleeting')).toContainText('Not on the server any more')
    const polls = tasks.polls
    await chat.clock.runFor(seconds(120))
    expect(tasks.polls).toBe(polls)

    tasks.items = [fluxTask('fleeting', imageUrl(chat, 'fleeting'))]
    await card(chat, 'fleeting').getByRole('button', {name: 'Check now'}).click()
    await expect(image(chat, 'fleeting')).toBeVisible()
  },
)

test(
  'a task that comes twice is one card; one that was done is never pending again, not even after a reload',
  long,
  async ({chat}) => {
    const tasks = await openFlux(chat)
    const done = fluxTask('steady', imageUrl(chat, 'steady'), 1)
    tasks.items = [fluxTask('double'), done]
    await openTool(chat, '/flux')
    await expect(image(chat, 'steady')).toBeVisible()
    await expect(card(chat, 'double')).toContainText('Rendering')

    // everything twice, and what was done is said to wait again
    const pending = {...fluxTask('steady', undefined, 1), response: {task_id: 'steady'}}
    tasks.items = [fluxTask('double'), fluxTask('double'), pending, pending]
    await nextPoll(chat, tasks)
    await expect(card(chat, 'double')).toHaveCount(1)
    await chat.reload()
    await expect(card(chat, 'double')).toHaveCount(1)
    await expect.poll(() => tasks.questions.filter(({ids}) => ids === undefined).length).toBe(2)
    await nextPoll(chat, tasks)
    await expect(card(chat, 'steady')).toHaveCount(1)
    await expect(image(chat, 'steady')).toBeVisible()
    expect(tasks.questions.some(({ids}) => ids?.includes('steady') === true)).toBe(false)
  },
)

test('a result whose file is gone says so, offers what can be done, and shows it once it is there', async ({chat}) => {
  const tasks = await openFlux(chat)
  tasks.items = [fluxTask('missing', imageUrl(chat, 'missing'))]
  let isThere = false
  const asked: string[] = []
  await chat.route('**/made/missing.png*', async (route) => {
    asked.push(new URL(route.request().url()).search)
    await (isThere ? route.fulfill({contentType: 'image/png', body: pixel}) : route.fulfill({status: 404}))
  })
  await openTool(chat, '/flux')
  await expect(card(chat, 'missing')).toContainText("This file couldn't be loaded.")
  expect(asked).toEqual(['', '?retry=1', '?retry=2'])
  await expect(card(chat, 'missing').getByRole('link', {name: 'Open original'})).toHaveAttribute(
    'href',
    imageUrl(chat, 'missing'),
  )
  isThere = true
  await card(chat, 'missing').getByRole('button', {name: 'Retry'}).click()
  await expect(image(chat, 'missing')).toBeVisible()
})

test(
  'a task sent from the window that lets the other one ask is asked for, and ends there',
  long,
  async ({chat, context}) => {
    const tasks = await ScriptedTasks.on(context, 'flux')
    await context.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    await context.route('**/services/api/flux/images', (route) => {
      tasks.items = [fluxTask('fresh', imageUrl(chat, 'fresh')), ...tasks.items]
      return route.fulfill({json: {task_id: 'fresh', success: true}})
    })
    tasks.items = [fluxTask('endless')]
    await openTool(chat, '/flux')
    await expect(card(chat, 'endless')).toContainText('Rendering')
    const other = await secondTab(chat)
    await expect(card(other, 'endless')).toContainText('Rendering')
    // the first window asks for both
    const before = tasks.polls
    await expect.poll(() => tasks.polls).toBeGreaterThan(before + 1)

    await generate(other, 'fresh')
    await expect(image(other, 'fresh')).toBeVisible()
    await expect(image(chat, 'fresh')).toBeVisible()
  },
)
