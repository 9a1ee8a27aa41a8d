import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Page} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'
import {ask, composer, expect, test} from './fixtures.ts'
import {answers, ended} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

/*
 * The server has lost every file but those of the first screen, as after an update without the old build. Each part
 * that is opened says so and has a way out; the page around it stays, and is not loaded again by itself.
 */

const loseFiles = (page: Page) => page.route(/\/assets\/(?!app)/, (route) => route.fulfill({status: 404}))
const card = (page: Page) => page.getByRole('alert').filter({hasText: 'This part stopped working.'})
const markPage = (page: Page) => page.evaluate(() => performance.mark('same page'))
const marks = (page: Page) => page.evaluate(() => performance.getEntriesByName('same page').length)

test('a screen whose files are gone says so, and nothing else goes with it', async ({chat}) => {
  await composer(chat).fill('half a thought')
  await markPage(chat)
  await loseFiles(chat)
  await chat.getByRole('link', {name: 'Console', exact: true}).click()
  // what is loaded a while after the start may be gone as well, and says so beside it
  await expect(card(chat).first()).toBeVisible()
  await chat.getByRole('link', {name: 'Chat', exact: true}).click()
  await expect(composer(chat)).toHaveText('half a thought')
  const tasks = chat.getByRole('button', {name: 'Tasks', exact: true})
  await tasks.click()
  // a card stands in the place of its button
  await expect(tasks).toHaveCount(0)
  await expect(card(chat).last()).toBeVisible()
  await expect(composer(chat)).toHaveText('half a thought')
  expect(await marks(chat)).toBe(1)
  await chat.unrouteAll({behavior: 'wait'})
  await card(chat).last().getByRole('button', {name: 'Reload this part'}).click()
  await expect.poll(() => marks(chat)).toBe(0)
  await expect(composer(chat)).toHaveText('half a thought')
})

test(
  'a screen whose words came and whose code is gone does not load the page again by itself',
  long,
  async ({chat}) => {
    await chat.getByRole('link', {name: 'Console', exact: true}).click()
    await expect(chat.getByRole('heading', {name: 'Applications'}).first()).toBeVisible()
    await markPage(chat)
    await loseFiles(chat)
    // its words are those of the console
    await chat.getByRole('link', {name: 'Invite', exact: true}).click()
    await expect(card(chat).first()).toBeVisible()
    await chat.getByRole('link', {name: 'Console', exact: true}).click()
    await expect(chat.getByRole('heading', {name: 'Applications'}).first()).toBeVisible()
    expect(await marks(chat)).toBe(1)
  },
)

test('a page that has no words says that it could not be loaded', async ({chat}) => {
  await loseFiles(chat)
  await chat.reload()
  await expect(chat.getByText('Atrium could not be loaded.')).toBeVisible()
  await expect(chat.locator('.skeleton')).toHaveCount(0)
  await chat.unrouteAll({behavior: 'wait'})
  await chat.getByRole('link', {name: 'Reload'}).click()
  await expect(composer(chat)).toBeVisible()
})

test('a phone whose list is gone keeps its message field', long, async ({chat}) => {
  await composer(chat).fill('half a thought')
  await chat.route(/\/assets\/drawer/, (route) => route.fulfill({status: 404}))
  const asked = chat.waitForRequest(/\/assets\/drawer/)
  await chat.setViewportSize({width: 390, height: 844})
  // it is loaded ahead, which fails without a word
  await asked
  await chat.getByRole('button', {name: 'Open list', exact: true}).click()
  await expect(card(chat).first()).toBeVisible()
  await expect(composer(chat)).toHaveText('half a thought')
})

/** Words of threads in English, and not those of the first screen. */
const threadWords = Object.values(readLocale('en')).filter((words) => words.length > 20)
const isWords = (url: string) => {
  const text = readFileSync(join('dist/client', new URL(url).pathname), 'utf8')
  return threadWords.filter((words) => text.includes(words)).length > 4
}

test('a conversation whose words are gone can be read and goes on, and has them again by Retry', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('Water *boils* at 100 °C.')
  await ask(chat, 'When does water boil?')
  await ended(chat)
  await chat.route(/\/assets\/thread-[^/]+\.js/, (route) =>
    isWords(route.request().url()) ? route.fulfill({status: 404}) : route.continue(),
  )
  await chat.reload()
  const reading = chat.getByRole('region', {name: 'This part stopped working.', exact: true})
  await expect(reading).toContainText('When does water boil?')
  await expect(reading).toContainText('Water *boils* at 100 °C.')
  // an answer stands clear of its question, in letters of the same size at least
  const words = reading.getByText('Water *boils*')
  expect(await words.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(15)
  await expect(words).toHaveCSS('padding-top', '14px')
  modelServer.answer('So it does.')
  await composer(chat).fill('And on a mountain?')
  await chat.keyboard.press('Enter')
  await expect(reading).toContainText('And on a mountain?')
  await expect(reading).toContainText('So it does.')
  // a view that was opened since, such as the notes above the field, may ask for them as well, and bring them
  await chat.reload()
  await expect(reading).toContainText('So it does.')
  await chat.unrouteAll({behavior: 'wait'})
  await reading.getByRole('button', {name: 'Retry'}).click()
  await expect(answers(chat).nth(1)).toContainText('Water boils at 100 °C.')
  await expect(reading).toHaveCount(0)
  await expect(composer(chat)).toBeFocused()
  // what is beside the thread has its words again, too
  await expect(chat.getByRole('button', {name: 'Share…', exact: true})).toBeVisible()
})
