import type {Locator, Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, offeredModel, thread} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'

/* The message field where there is little room: a low screen, long words, many files, files that are dragged. */

const inGerman = (page: Page) =>
  page.context().addCookies([{name: 'LOCALE', value: 'de', url: new URL(page.url()).origin}])

test(
  'with questions on hold and a long text, Send is in view on a low screen, and why they are on hold is read in lines',
  long,
  async ({chat, modelServer}) => {
    modelServer.hold(1)
    await ask(chat, 'First')
    await expect(lastMessage(chat)).toContainText('You')
    const long = 'A second question that is long enough to need more than one line on a narrow screen'
    for (const question of [long, 'three', 'four', 'five', 'six', 'seven', 'eight']) await ask(chat, question)
    await composer(chat).press('Escape')
    await ended(chat)
    await composer(chat).fill('a long text\n'.repeat(30))
    const main = chat.getByRole('main')
    for (const [width, height] of [
      [320, 568],
      [720, 450],
      [390, 420],
      [844, 390],
      [390, 844],
    ] as const) {
      await chat.setViewportSize({width, height})
      for (const name of ['Send', 'Go on'])
        await expect(main.getByRole('button', {name, exact: true}), `${name} at ${width}`).toBeInViewport({ratio: 0.99})
    }
    await inGerman(chat)
    await chat.reload()
    const queue = chat.getByRole('region', {name: 'Nächste Fragen'})
    await expect(queue.getByRole('button', {name: 'Weiter', exact: true})).toBeVisible()
    const lines = () =>
      queue
        .locator('header')
        .getByRole('status')
        .evaluate((note) =>
          Math.round(note.getBoundingClientRect().height / parseFloat(getComputedStyle(note).lineHeight)),
        )
    await expect.poll(lines).toBeLessThanOrEqual(2)
  },
)

test('on a desktop zoomed to 400 % models are seen and chosen, and some lines of an answer are read', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('A line\n\n'.repeat(30))
  await ask(chat, 'First')
  await ended(chat)
  await chat.setViewportSize({width: 320, height: 256})
  await expect.poll(() => thread(chat).evaluate((log) => log.clientHeight)).toBeGreaterThan(75)
  const main = chat.getByRole('main')
  await expect(main.getByRole('button', {name: 'Send', exact: true})).toBeInViewport({ratio: 0.99})

  await chat.getByRole('button', {name: /^Model: /}).click()
  await expect(offeredModel(chat, /^GPT-5 /).first()).toBeInViewport()
  await chat.getByRole('combobox', {name: 'Search models'}).fill('4o')
  await expect(offeredModel(chat, /^GPT-4o /).first()).toBeInViewport()
  await chat.keyboard.press('ArrowDown')
  await expect(chat.locator('[role=row][data-current]')).toBeInViewport()
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('button', {name: /^Model: GPT-4o/})).toBeVisible()
})

test(
  'the edge of ten files fades, a long name keeps its end, and Send says what it waits for',
  long,
  async ({chat}) => {
    await chat.setViewportSize({width: 1280, height: 720})
    const names = Array.from(
      {length: 10},
      (_, index) => `A rather long name of a file that goes on, number ${index}.markdown.txt`,
    )
    await chat
      .locator('main input[type=file]')
      .setInputFiles(names.map((name) => ({name, mimeType: 'text/plain', buffer: Buffer.from('heron')})))
    const form = chat.locator('main form')
    await expect(form.getByRole('listitem')).toHaveCount(10)
    const why = form.getByText('Write a question to send the files with it.')
    await expect(why).toBeVisible()
    const list = form.getByRole('list')
    expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
    expect(await list.evaluate((element) => getComputedStyle(element).maskImage)).toContain('gradient')
    const end = form.getByText('down.txt', {exact: true}).first()
    await expect(end).toBeInViewport({ratio: 0.99})
    const isWhole = await end.evaluate((part) => {
      const [own, name] = [part.getBoundingClientRect(), part.parentElement?.getBoundingClientRect()]
      return name !== undefined && own.right <= name.right + 1
    })
    expect(isWhole).toBe(true)
    await composer(chat).fill('What is in them?')
    await expect(why).toBeHidden()
    await expect(form.getByRole('button', {name: 'Send', exact: true})).toBeEnabled()
  },
)

/** Attaches ten files of usual names. @returns their list, once all are uploaded */
async function attachTen(page: Page) {
  const files = Array.from({length: 10}, (_, index) => ({
    name: `Minutes of the meeting ${index}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('heron'),
  }))
  await page.locator('main input[type=file]').setInputFiles(files)
  const list = page.locator('main form').getByRole('list')
  await expect(list.getByText('Ready')).toHaveCount(10)
  return list
}

test('ten files of usual names are whole beside one another on a desktop', long, async ({chat}) => {
  await chat.setViewportSize({width: 1440, height: 900})
  const list = await attachTen(chat)
  expect(await list.evaluate(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)).toBe(0)
})

for (const height of [800, 720])
  test(
    `of ten files the first row that does not fit shows by half at a height of ${height} pixels`,
    longBut(height === 720),
    async ({chat}) => {
      await chat.setViewportSize({width: 1440, height})
      const list = await attachTen(chat)
      const shares = await list.evaluate((all) =>
        [...all.children].map((each) => {
          const [row, {bottom}] = [each.getBoundingClientRect(), all.getBoundingClientRect()]
          return (bottom - row.top) / row.height
        }),
      )
      const cut = shares.find((share) => share < 1)
      expect(cut).toBeGreaterThan(0.4)
      expect(cut).toBeLessThan(0.6)
    },
  )

test('with forced colours a word of the rail stays in one line', long, async ({chat}) => {
  await inGerman(chat)
  await chat.emulateMedia({forcedColors: 'active'})
  await chat.reload()
  const label = chat.getByRole('navigation').getByText('Aufgaben', {exact: true})
  await expect(label).toBeVisible()
  expect(await label.evaluate((word) => word.getClientRects().length === 1 && word.clientHeight < 20)).toBe(true)
})

test(
  'while files are dragged, what asks for them stands within the field in its colour, in German at 390 pixels',
  long,
  async ({chat}) => {
    await inGerman(chat)
    await chat.setViewportSize({width: 390, height: 844})
    await chat.reload()
    const form = chat.getByRole('main').locator('form')
    const dataTransfer = await chat.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['heron'], 'heron.txt', {type: 'text/plain'}))
      return transfer
    })
    await expect(composer(chat)).toBeEnabled()
    const hint = form.getByText('Dateien hier ablegen')
    // what hears it is on its way; files that are held over the page enter its parts again and again
    await expect
      .poll(async () => {
        await form.dispatchEvent('dragenter', {dataTransfer})
        await form.dispatchEvent('dragover', {dataTransfer})
        return hint.count()
      })
      .toBe(1)
    await expect(hint).toBeInViewport({ratio: 1})
    const [field, words] = [await form.boundingBox(), await hint.boundingBox()]
    expect(words && field && [words.x >= field.x, words.x + words.width <= field.x + field.width]).toEqual([true, true])
    const chroma = (part: Locator, of: 'color' | 'borderTopColor') =>
      part.evaluate((element, name) => Number(/^oklch\(\S+ ([\d.]+)/.exec(getComputedStyle(element)[name])?.[1]), of)
    expect(await chroma(hint, 'color')).toBeGreaterThan((await chroma(form, 'borderTopColor')) / 2)
    await expect(hint).toHaveCSS('font-weight', '500')
    expect(await axeFaults(chat, 'main form')).toEqual([])
  },
)
