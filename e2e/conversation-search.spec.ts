import type {Page} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'
import {composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, conversations} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

const seeded = [
  {
    title: 'Boats',
    texts: ['How do boats float?', 'They push water aside.', 'And a kite?', 'Zoë says: the wind carries it.'],
  },
  {title: 'Kites of the harbour', texts: ['A list, please', 'Red, green and blue ones.'], minutesAgo: 5},
  {title: '料理', texts: ['我今天想学习怎么做红烧肉。', '先把肉切成块。'], minutesAgo: 10},
  {title: 'الطقس', texts: ['هل كَتَبَ الطَّالِبُ إلى المدرسة؟', 'نعم.'], model: 'grok-4', minutesAgo: 15},
]

const looks = [
  {name: 'English on a desktop, dark', locale: 'en', theme: 'dark', width: 1440},
  {name: 'Arabic at 390 px, light', locale: 'ar', theme: 'light', width: 390},
]

/** The field, wherever the list stands: beside the page or in its drawer. */
const fieldOf = (page: Page) => page.getByRole('searchbox')

/** The marked words of the thread that can be seen, in order. */
const markedWords = (page: Page) =>
  page.evaluate(() => {
    // as: a highlight is made of ranges here
    const ranges = [...(CSS.highlights.get('found') ?? [])] as Range[]
    const seen = ranges.filter((range) => {
      const {top, bottom, height} = range.getBoundingClientRect()
      return height > 0 && top > 0 && bottom < innerHeight
    })
    return seen.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other)).map(String)
  })

for (const {name, locale, theme, width} of some(looks)) {
  test(`titles and messages are searched on the device (${name})`, async ({context, installation, signedIn}) => {
    const words: Record<string, string> = readLocale(locale)
    await context.addCookies(
      Object.entries({LOCALE: locale, THEME: theme}).map(([key, value]) => ({name: key, value, url: installation.url})),
    )
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await page.setViewportSize({width, height: 844})
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    if (width < 768) await page.getByRole('button', {name: words['index.panelOpen'] ?? '', exact: true}).click()

    const field = fieldOf(page)
    await expect(field).toHaveAccessibleName(words['chat.searchLabel'] ?? '')
    const results = page.getByRole('list', {name: words['chat.searchResults'] ?? ''}).getByRole('link')
    await field.fill('kite')
    await expect(results).toHaveCount(2)
    await expect(results.first()).toContainText('Kites of the harbour')
    await expect(results.nth(1).locator('mark')).toHaveText(['kite'])

    await field.fill('红烧肉')
    await expect(results).toHaveCount(1)
    await expect(results.locator('mark')).toHaveText(['红烧肉'])
    await field.fill('كتب الى')
    await expect(results).toHaveCount(1)
    await expect(results).toContainText('Grok')
    await test.step('no fault that axe finds', async () => expect(await axeFaults(page)).toEqual([]))

    await field.fill('nowhere at all')
    await expect(page.getByText(words['chat.searchNone'] ?? '')).toBeVisible()
    await field.fill('ZOE wind')
    await expect(results).toHaveCount(1)
    await field.press('ArrowDown')
    await expect(results.first()).toBeFocused()
    await results.first().press('Enter')
    await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+#[\w-]+$/)
    await expect(answers(page).last()).toContainText('the wind carries it')
    await expect.poll(() => markedWords(page)).toEqual(['Zoë', 'wind'])
    await page.keyboard.press('Shift')
    expect(await markedWords(page)).toEqual([])
  })
}

test('what is said later is found too, and Escape brings the list back', long, async ({chat, modelServer}) => {
  modelServer.answer('A pelican was seen.')
  await composer(chat).fill('What flew by?')
  await composer(chat).press('Enter')
  await expect(answers(chat).last()).toContainText('pelican')
  const field = fieldOf(chat)
  await field.fill('pelican')
  const results = chat.getByRole('list', {name: 'Search results'}).getByRole('link')
  await expect(results).toHaveCount(1)
  await field.press('Escape')
  await expect(field).toHaveValue('')
  await expect(conversations(chat).getByRole('heading', {name: 'Today'})).toBeVisible()
})

test(
  'a hit far down a long answer comes into view with its words, not those of a folded thought',
  long,
  async ({context, installation, signedIn}) => {
    const paragraphs = (of: string) =>
      Array.from({length: 40}, (_, index) => `Paragraph ${index} of ${of}.`).join('\n\n')
    const long = `<think>a pelican?</think>${paragraphs('water')}\n\nThe **Peli**can, at last.\n\n${paragraphs('air')}`
    const others = Array.from({length: 40}, (_, index) => [`Question ${index}`, paragraphs('sand')]).flat()
    await seedConversations(installation, signedIn, [
      {title: 'Long', texts: [...others, 'And now?', long, ...others]},
      {title: 'Short', texts: ['Hello', 'There.']},
    ])
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    await fieldOf(page).fill('pelican')
    const hit = page.getByRole('list', {name: 'Search results'}).getByRole('link')
    for (const round of ['first', 'again']) {
      await test.step(round, async () => {
        await hit.click()
        await expect.poll(() => markedWords(page)).toEqual(['Pelican'])
      })
      await page.getByRole('log').click({position: {x: 5, y: 5}})
      expect(await markedWords(page)).toEqual([])
      await page.mouse.wheel(0, -4_000)
    }
  },
)

test('a hit asks nothing of the conversation that was on screen before it', async ({
  context,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Birds', texts: ['Hello', 'A pelican.']},
    {title: 'Short', texts: ['Hello', 'There.']},
  ])
  const page = await blankTab(context, installation.url, signedIn)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await conversations(page).getByRole('link', {name: 'Short'}).click()
  await expect(answers(page).last()).toContainText('There.')
  const changes: unknown[] = []
  page.on('request', (request) => {
    if (request.postData()?.includes('"action":"select"') === true) changes.push(request.postDataJSON())
  })
  await fieldOf(page).fill('pelican')
  await page.getByRole('list', {name: 'Search results'}).getByRole('link').click()
  await expect.poll(() => markedWords(page)).toEqual(['pelican'])
  expect(changes).toEqual([])
})

test(
  'a reader who scrolls right after a hit was followed is not brought back to it',
  long,
  async ({context, installation, signedIn}) => {
    const sand = Array.from({length: 12}, (_, index) => `Paragraph ${index} of sand.`).join('\n\n')
    const others = Array.from({length: 40}, (_, index) => [`Question ${index}`, sand]).flat()
    await seedConversations(installation, signedIn, [
      {title: 'Long', texts: [...others, 'And now?', 'The pelican, at last.', ...others]},
      {title: 'Short', texts: ['Hello', 'There.']},
    ])
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    await fieldOf(page).fill('pelican')
    const hit = page.getByRole('list', {name: 'Search results'}).getByRole('link')
    // the thread and its code are there
    await hit.click()
    await expect.poll(() => markedWords(page)).toEqual(['pelican'])
    await page.getByRole('log').focus()
    await page.keyboard.press('Home')
    await expect(page.getByText('Question 0', {exact: true}).first()).toBeInViewport()
    await hit.click()
    await page.getByRole('log').evaluate(
      (scroller) =>
        new Promise<void>((resolve) => {
          // in the first frame that shows the hit
          const look = () => {
            if (!document.activeElement?.textContent.includes('pelican')) return void requestAnimationFrame(look)
            scroller.dispatchEvent(new WheelEvent('wheel', {deltaY: -900, bubbles: true}))
            scroller.scrollTop -= 900
            resolve()
          }
          look()
        }),
    )
    await page.getByRole('log').evaluate(
      (scroller) =>
        new Promise<void>((resolve) => {
          let [height, frames] = [0, 0]
          const look = () => {
            frames = scroller.scrollHeight === height ? frames + 1 : 0
            height = scroller.scrollHeight
            if (frames > 30) resolve()
            else requestAnimationFrame(look)
          }
          look()
        }),
    )
    await expect(page.getByRole('log').getByText('The pelican, at last.')).not.toBeInViewport({timeout: 1_000})
  },
)

for (const {name, locale, theme, width} of some(looks)) {
  test(
    `the palette leads to the search of messages, from any page (${name})`,
    long,
    async ({context, installation, signedIn}) => {
      const words: Record<string, string> = readLocale(locale)
      await context.addCookies(
        Object.entries({LOCALE: locale, THEME: theme}).map(([key, value]) => ({
          name: key,
          value,
          url: installation.url,
        })),
      )
      await seedConversations(installation, signedIn, seeded)
      const page = await blankTab(context, installation.url, signedIn)
      await page.setViewportSize({width, height: 844})
      const paths = ['/chatgpt/conversations', '/profile']
      const steps = [...paths, ...(width < 1_024 ? [] : ['hide', ...paths])]
      for (const path of steps) {
        if (path === 'hide') {
          await page.keyboard.press('ControlOrMeta+\\')
          await expect(fieldOf(page)).toHaveCount(0)
          continue
        }
        await page.goto(`${installation.url}${path}`)
        await expect(page.getByRole('main')).toBeVisible()
        const palette = page.getByRole('combobox', {name: words['index.commandSearch'] ?? ''})
        await expect(async () => {
          await page.keyboard.press('ControlOrMeta+K')
          await expect(palette).toBeVisible({timeout: 2_000})
        }).toPass()
        await palette.fill('zoe wind')
        await expect(page.getByRole('option')).toHaveText([/zoe wind/])
        expect(await axeFaults(page)).toEqual([])
        await palette.press('Enter')
        await expect(fieldOf(page)).toHaveValue('zoe wind')
        const results = page.getByRole('list', {name: words['chat.searchResults'] ?? ''}).getByRole('link')
        await expect(results).toHaveText([/Boats/])
      }
    },
  )
}
