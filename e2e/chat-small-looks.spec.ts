import type {Locator} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage, opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {reopenIn} from './support/page-looks.ts'
import {openSettings} from './support/saved-prompts.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {wordsOf} from './support/words-of.ts'

/* Looks that a screenshot alone would tell: the edge of what scrolls, the colour of a refusal, the height of a row. */

const maskOf = (box: Locator) => box.evaluate((element) => getComputedStyle(element).maskImage)
const scrollTo = (box: Locator, share: number) =>
  box.evaluate((element, part) => {
    element.scrollLeft = part * (element.scrollWidth - element.clientWidth)
  }, share)

test('code, tables and formulas fade at the edge beyond which there is more, on a phone too', async ({
  chat,
  modelServer,
}) => {
  const sum = Array.from({length: 12}, (_, index) => `a_{${index}} x^{${index}}`).join(' + ')
  modelServer.answer(
    [
      '```ts\nconst harbour = "a line that is rather long, so that it needs to be scrolled on a phone"\n```',
      '```ts\nconst owl = 1\n```',
      `| ${'a wide column | '.repeat(8)}\n|${'---|'.repeat(8)}\n| ${'a cell | '.repeat(8)}`,
      `$$\n${sum}\n$$`,
      '$$\nx = 1\n$$',
    ].join('\n\n'),
  )
  await chat.setViewportSize({width: 390, height: 844})
  await ask(chat, 'Which?')
  await ended(chat)
  const answer = lastMessage(chat)
  const table = answer.getByRole('group', {name: /a wide column/})
  const wide = [answer.locator('pre').first(), table, answer.getByRole('math').first()]
  for (const box of wide) {
    await expect(box).toHaveAttribute('tabindex', '0')
    await scrollTo(box, 0)
    await expect.poll(() => maskOf(box)).toMatch(/^linear-gradient\(to right, rgb\(0, 0, 0\) calc\(100% - 28px\)/)
    await scrollTo(box, 1)
    await expect
      .poll(() => maskOf(box))
      .toMatch(/^linear-gradient\(to right, rgba\(0, 0, 0, 0\).*rgb\(0, 0, 0\) 28px\)$/)
    await box.focus()
    await chat.keyboard.press('ArrowLeft')
    await expect.poll(() => maskOf(box)).toBe('none')
  }
  for (const box of [answer.locator('pre').last(), answer.getByRole('math').last()]) {
    await expect(box).not.toHaveAttribute('tabindex')
    expect(await maskOf(box)).toBe('none')
  }
})

test(
  'a browser that knows no scroll timeline shows code and attached files whole',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer(
      '```ts\nconst harbour = "a line that is rather long, so that it needs to be scrolled on a phone"\n```',
    )
    await chat.route(/\.css$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll('animation-timeline', 'unknown-timeline'),
      })
    })
    await chat.reload()
    await chat.setViewportSize({width: 390, height: 844})
    await ask(chat, 'Which?')
    await ended(chat)
    const code = lastMessage(chat).locator('pre')
    await expect(code).toHaveAttribute('tabindex', '0')
    expect(await maskOf(code)).toBe('none')
    const file = {name: 'owl.txt', mimeType: 'text/plain', buffer: Buffer.from('An owl.')}
    await chat.getByRole('main').locator('input[type=file]').first().setInputFiles(file)
    const name = chat.getByRole('main').getByText('owl.txt')
    const masks = () =>
      name.evaluate((element) => {
        const all = new Set<string>()
        for (let each: Element | null = element; each !== null; each = each.parentElement)
          all.add(getComputedStyle(each).maskImage)
        return [...all]
      })
    // The chip is drawn anew when its upload ends, and what left the page has no style at all.
    await expect.poll(masks).toEqual(['none'])
  },
)

/** A refusal has the colour of danger. */
const expectDanger = async (words: Locator) => {
  const danger = await words.evaluate((element) => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--danger)'
    element.append(probe)
    const {color} = getComputedStyle(probe)
    probe.remove()
    return color
  })
  await expect(words).toHaveCSS('color', danger)
}

test('instructions and prompts that were not saved say so in the colour of danger', long, async ({chat}) => {
  await ask(chat, 'Which?')
  await ended(chat)
  const refused = {status: 403, json: {error: {code: 'forbidden', message: 'Not now.'}, success: false}}
  await chat.route('**/aichat/conversations', (route) =>
    route.request().postData()?.includes('"preset"') === true ? route.fulfill(refused) : route.fallback(),
  )
  await chat.getByRole('button', {name: 'Actions for this conversation'}).click()
  await chat.getByRole('menuitem', {name: 'Instructions for this conversation'}).click()
  const dialog = chat.getByRole('dialog', {name: 'Instructions for this conversation'})
  const field = dialog.getByRole('textbox')
  await field.fill('Be short.')
  // room for some lines, also before there are so many
  expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(112)
  await dialog.getByRole('button', {name: 'Save'}).click()
  await expectDanger(dialog.getByText("The instructions weren't saved. Your text is still here."))
  await chat.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const settings = await openSettings(chat)
  const instructions = settings.getByRole('textbox', {name: 'Instructions for the assistant'})
  await instructions.fill('Be short.')
  await chat.route('**/api/v1/**', (route) =>
    ['PUT', 'PATCH', 'POST'].includes(route.request().method()) ? route.fulfill(refused) : route.fallback(),
  )
  await settings.getByRole('button', {name: 'Save'}).first().click()
  await expectDanger(settings.getByText("That didn't work. Nothing was changed."))
})

test.describe('on a phone', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  test(
    'the details of an answer: rows of one height, values that end in one line',
    long,
    async ({chat, modelServer}) => {
      modelServer.answer('An owl.')
      await ask(chat, 'What is it?')
      await chat.getByRole('button', {name: 'Send', exact: true}).tap()
      await ended(chat)
      await chooseAction(lastMessage(chat), 'Details')
      const dialog = chat.getByRole('dialog', {name: 'Details'})
      await expect(dialog.getByRole('term').last()).toHaveText('Trace ID')
      const rows = await dialog.locator('dl > div').evaluateAll((all) => all.map((row) => row.getBoundingClientRect()))
      expect(rows.length).toBeGreaterThan(4)
      expect(new Set(rows.map(({height}) => height)).size).toBe(1)
      const copy = dialog.getByRole('button', {name: 'Copy trace ID'})
      const [box, icon] = [await copy.boundingBox(), await copy.locator('svg').boundingBox()]
      expect([box?.width, box?.height]).toEqual([44, 44])
      expect(Math.round((icon?.x ?? 0) + (icon?.width ?? 0))).toBe(Math.round(rows[0]?.right ?? 0))
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    },
  )
})

/** The texts of an answer that the button of a table lies over. */
const coveredBy = (button: Locator) =>
  button.evaluate((element) => {
    const box = (element.parentElement ?? element).getBoundingClientRect()
    const texts = document.createTreeWalker(element.closest('article') ?? element, NodeFilter.SHOW_TEXT)
    const covered: string[] = []
    while (texts.nextNode()) {
      if (texts.currentNode.parentElement?.closest('.visually-hidden')) continue
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      const isCovered = [...range.getClientRects()].some(
        ({left, right, top, bottom}) =>
          right > box.left + 0.5 && left < box.right - 0.5 && bottom > box.top + 0.5 && top < box.bottom - 0.5,
      )
      if (isCovered) covered.push(texts.currentNode.textContent ?? '')
    }
    return covered
  })

test(
  'the button of a table lies over no words, whatever the direction of table and page',
  long,
  async ({chat, modelServer}) => {
    const rows = (head: string, cell: string, count: number, rule: string) =>
      [head, rule, cell].map((each) => `|${` ${each} |`.repeat(count)}`)
    const before = 'A harbour of quay, jetty and pier, of which one can say quite a lot. '.repeat(3)
    const tables = [
      rows('Price of fish', 'A cell of words', 2, '---'),
      rows('سعر السمك', 'خلية من كلمات', 2, '---'),
      rows('Price of fish', 'A cell of words', 9, '--:'),
      rows('سعر السمك', 'خلية من كلمات', 9, '--:'),
    ]
    const within = (mark: string, table: string[]) =>
      [`${mark}${before}`, '', ...table].join(`\n${' '.repeat(mark.length)}`)
    modelServer.answer(
      [
        ...tables.map((table) => `${before}\n\n${table.join('\n')}`),
        within('- ', rows('سعر السمك', 'خلية', 2, '---')),
        [`> ${before}`, '', ...rows('سعر السمك', 'خلية', 2, '---')].join('\n> '),
        'The end.',
      ].join('\n\n'),
    )
    await ask(chat, 'Which?')
    await ended(chat)
    for (const locale of ['en', 'ar'] as const) {
      await reopenIn(chat, {theme: 'light', locale})
      const word = await wordsOf(chat)
      const buttons = lastMessage(chat).getByRole('button', {name: word('chat.copyTable')})
      await expect(buttons).toHaveCount(6)
      for (const width of [1440, 390]) {
        await chat.setViewportSize({width, height: 844})
        for (const [index, button] of (await buttons.all()).entries()) {
          await button.focus()
          const {width: side = 0, height = 0} = (await button.boundingBox()) ?? {}
          expect.soft(Math.min(side, height), `size of button ${index}, ${locale}, ${width}`).toBeGreaterThanOrEqual(24)
          const box = lastMessage(chat).getByRole('table').nth(index).locator('..')
          for (const share of [0, 0.5, 1, -0.5, -1]) {
            await scrollTo(box, share)
            expect.soft(await coveredBy(button), `table ${index}, ${locale}, ${width}`).toEqual([])
          }
        }
      }
      await chat.setViewportSize({width: 1440, height: 900})
    }
  },
)

test(
  'the list of questions shows in Arabic too that a question of another direction goes on',
  long,
  async ({tab, installation, signedIn}) => {
    const texts = numberedTexts(20).map((text, index) =>
      index % 2 === 0 ? `${text} ${'of many words '.repeat(12)}` : text,
    )
    const {id} = await seedConversation(installation, signedIn, texts)
    await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await opened(tab)
    await reopenIn(tab, {theme: 'light', locale: 'ar'})
    await opened(tab)
    const word = await wordsOf(tab)
    await tab.getByRole('button', {name: word('chat.threadMenu'), exact: true}).click()
    await tab.getByRole('menuitem', {name: word('chat.outline')}).click()
    const words = tab
      .getByRole('listitem')
      .getByRole('button', {name: /of many words/})
      .locator('span')
    await expect(words).toHaveCount(10)
    // the mark is in the room beyond the end of the lines, which was cut off
    const [end, room] = await words.first().evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const line = range.getClientRects()[0]
      return [line?.right ?? Infinity, element.getBoundingClientRect().right]
    })
    expect(room - end).toBeGreaterThanOrEqual(12)
  },
)
