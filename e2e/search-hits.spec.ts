import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, row, thread} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'
import {answerTwice, pager} from './support/message-versions.ts'
import {otherDevice} from './support/new-device.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/* The search of the list is reached by its keys, and a hit leads to all matches in its conversation. */

const texts = [
  ['A kite?', 'It flies.'],
  ['And a boat?', 'A boat has a sail, and a kite has none.'],
  ['What else?', 'Nothing.'],
  ['Is a kite old?', 'The first kite is from China.'],
].flat()

const bar = (page: Page) => page.getByRole('search', {name: 'Find in conversation'})
const results = (page: Page) => page.getByRole('list', {name: 'Search results'}).getByRole('link')
const shownMark = (page: Page) =>
  page.evaluate(() => {
    // as: a highlight is made of ranges here
    const [range] = [...(CSS.highlights.get('found-now') ?? [])] as Range[]
    return range?.startContainer.parentElement?.textContent
  })

/** How many conversations the browser keeps hidden versions of. */
const keptVersions = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('atrium')
        opening.onerror = () => reject(opening.error ?? new Error('no database'))
        opening.onsuccess = () => {
          const reading = opening.result.transaction('bulk').objectStore('bulk').getAllKeys()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result.filter((key) => typeof key === 'string' && key.includes('/versions/')).length)
          }
        }
      }),
  )

/** The later work, which begins five seconds after the start of a page, never begins. */
const leaveOutLaterWork = (page: Page) =>
  page.addInitScript(() => {
    const {setTimeout: start} = window
    Object.assign(window, {
      setTimeout: (run: () => void, wait?: number) => (wait === 5_000 ? 0 : start(run, wait)),
    })
  })

const pressKeys = (page: Page) => page.keyboard.press('ControlOrMeta+Shift+L')
async function chooseInPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill('Search conv')
  await page
    .getByRole('option', {name: /^Search conversations/})
    .first()
    .click()
}

for (const width of [1440, 390]) {
  test(
    `a hit opens the field that leads to the other matches (${width})`,
    longBut(width === 1440),
    async ({context, installation, signedIn}) => {
      await seedConversations(installation, signedIn, [
        {title: 'Things that fly', texts},
        {title: 'Something else', texts: ['Hello', 'There, said the owl.'], minutesAgo: 5},
      ])
      const page = await blankTab(context, installation.url, signedIn)
      await page.setViewportSize({width, height: 844})
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await expect(composer(page)).toBeEnabled()
      const field = page.getByRole('searchbox', {name: 'Search conversations'})
      // the keys are offered once the page is idle and has something to search
      await expect(async () => {
        await page.keyboard.press('ControlOrMeta+Shift+L')
        await expect(field).toBeFocused({timeout: 1_000})
      }).toPass()

      await test.step('several matches of a word', async () => {
        await page.keyboard.type('none boat')
        await expect(results(page)).toHaveCount(1)
        await results(page).click()
        await expect(thread(page)).toContainText('It flies.')
        await expect(bar(page)).toHaveCount(0)
        if (width < 768) await page.keyboard.press('ControlOrMeta+Shift+L')
        await field.fill('kite')
        await expect(results(page)).toContainText(['A kite?'])
        await field.press('Enter')
        await expect(bar(page).getByRole('textbox')).toHaveValue('kite')
        await expect(bar(page).getByRole('status')).toHaveText('1 of 4')
        await expect(bar(page).getByRole('textbox')).toBeFocused()
        await page.keyboard.press('Enter')
        await expect(bar(page).getByRole('status')).toHaveText('2 of 4')
        await expect.poll(() => shownMark(page)).toContain('A boat has a sail')
        expect(await axeFaults(page)).toEqual([])
        await page.keyboard.press('Escape')
        await expect(bar(page)).toHaveCount(0)
      })

      await test.step('one match', async () => {
        await page.keyboard.press('ControlOrMeta+Shift+L')
        await expect(field).toBeFocused()
        await field.fill('owl')
        await expect(results(page)).toContainText(['said the owl'])
        await field.press('Enter')
        await expect(thread(page)).toContainText('said the owl')
        await expect(bar(page)).toHaveCount(0)
      })
    },
  )
}

test('a list that has just come on screen is searched by the keys, and nothing is typed beside its field', async ({
  context,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, [{title: 'Things that fly', texts}])
  const page = await blankTab(context, installation.url, signedIn)
  await leaveOutLaterWork(page)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeFocused()
  const field = page.getByRole('searchbox', {name: 'Search conversations'})
  await expect(field).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await expect(field).toBeFocused()
  await page.keyboard.type('boat')
  await expect(field).toHaveValue('boat')
  await expect(composer(page)).toHaveValue('')
})

for (const {where, path, isFolded} of [
  {where: 'behind a folded panel', path: '/chatgpt/conversations', isFolded: true},
  {where: 'on another page', path: '/profile', isFolded: false},
])
  test(
    `a list ${where} is searched by the keys and the palette as soon as the page is there`,
    long,
    async ({context, installation, signedIn}) => {
      await seedConversations(installation, signedIn, [{title: 'Things that fly', texts}])
      const page = await blankTab(context, installation.url, signedIn)
      // the device has the list
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await expect(row(page, 'Things that fly')).toBeVisible()
      const field = page.getByRole('searchbox', {name: 'Search conversations'})
      const fold = async () => {
        await page.keyboard.press('ControlOrMeta+\\')
        // a page that is left before the press has acted keeps its panel
        await expect(field).toHaveCount(0)
      }
      if (isFolded) await fold()
      await leaveOutLaterWork(page)
      for (const open of [pressKeys, chooseInPalette]) {
        await page.goto(`${installation.url}${path}`)
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
        await expect(field).toHaveCount(0)
        await open(page)
        await expect(field).toBeFocused()
        if (isFolded) await fold()
      }
    },
  )

test(
  'the search of the list is a command of the palette, from another page too',
  long,
  async ({context, installation, signedIn}) => {
    await seedConversations(installation, signedIn, [{title: 'Things that fly', texts}])
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(page.getByRole('searchbox', {name: 'Search conversations'})).toBeVisible()
    await page.goto(`${installation.url}/profile`)
    await expect(page.getByRole('heading', {level: 1})).toBeVisible()
    await expect(async () => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('ControlOrMeta+K')
      await page.getByRole('combobox').fill('Search conv')
      await expect(page.getByRole('option', {name: /^Search conversations/}).first()).toContainText('L', {
        timeout: 1_000,
      })
    }).toPass()
    await page
      .getByRole('option', {name: /^Search conversations/})
      .first()
      .click()
    await expect(page.getByRole('searchbox', {name: 'Search conversations'})).toBeFocused()
  },
)

test(
  'a version on no path of this device is found, and a hit shows it; so is a word between underscores',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('The pangolin rolls up.')
    await ask(chat, 'Which animal?')
    await ended(chat)
    modelServer.answer('An owl has __init__ in its eyes.')
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    // this page has read the path of the first answer; another device of the user has not
    await chat.goto(chat.url().replace(/conversations.*/, 'conversations'))
    const field = chat.getByRole('searchbox', {name: 'Search conversations'})
    await field.fill('pangolin')
    await expect(results(chat)).toHaveText(/The pangolin rolls up\./)
    await results(chat).click()
    await expect(thread(chat)).toContainText('The pangolin rolls up.')
    await expect(pager(lastMessage(chat))).toContainText('1 / 2')
    await field.fill('__init__')
    await expect(results(chat)).toHaveText(/An owl has init in its eyes\./)
    await results(chat).click()
    await expect(thread(chat)).toContainText('An owl has init in its eyes.')
  },
)

test('versions that no path of the device shows are read once, and found and shown without a network', async ({
  browser,
  chat,
  installation,
  modelServer,
  signedIn,
}) => {
  await answerTwice(chat, modelServer, ['The pangolin rolls up.', 'An owl has large eyes.'])
  const page = await otherDevice(browser, installation.url, signedIn)
  const exports: string[] = []
  page.on('request', (request) => {
    if (/"action":"export"/.test(request.postData() ?? '')) exports.push(request.url())
  })
  await page.goto(`${installation.url}/chatgpt/conversations`)
  const field = page.getByRole('searchbox', {name: 'Search conversations'})
  await test.step('before anything is searched for', () => expect.poll(() => exports.length, {timeout: 30_000}).toBe(1))
  await expect.poll(() => keptVersions(page)).toBe(1)

  await test.step('a search of the next page asks for none', async () => {
    await page.reload()
    await expect(field).toBeVisible()
    await field.fill('pangolin')
    await expect(results(page)).toHaveText(/The pangolin rolls up\./)
    await field.fill('')
  })
  // its code is there
  await row(page, 'Which animal?').click()
  await expect(thread(page)).toContainText('An owl has large eyes.')
  await page.context().setOffline(true)
  await field.fill('rolls')
  await expect(results(page)).toHaveText(/The pangolin rolls up\./)
  await expect(page.getByText("Your conversations couldn't all be loaded")).toHaveCount(0)
  await results(page).click()
  await expect(thread(page)).toContainText('The pangolin rolls up.')
  await expect(pager(lastMessage(page))).toContainText('1 / 2')
  expect(exports).toHaveLength(1)
  await page.context().close()
})
