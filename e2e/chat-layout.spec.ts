import {readFileSync} from 'node:fs'
import {expect, test} from './fixtures.ts'
import {ask, ended, lastMessage, thread} from './support/chat-page.ts'
import {some, long} from './support/full-run.ts'
import {reopenIn} from './support/page-looks.ts'

/* How the blocks of an answer are laid out: directions, tables, code, headings, images. */

test('each block has its own direction, and code is read from left to right', async ({chat, modelServer}) => {
  modelServer.answer('مرحبا بالعالم\n\nPlain English\n\n- عنصر\n\n```\nconst a = 1\n```\n\n`inline`')
  await ask(chat, 'ما هي الاتجاهات في هذا السؤال؟\nTo the left')
  await ended(chat)
  const edges = await thread(chat)
    .locator('[data-words]')
    .first()
    .evaluate((words) => {
      const lines = document.createRange()
      lines.selectNodeContents(words)
      const {left, right} = words.getBoundingClientRect()
      const each = [...lines.getClientRects()].filter(({width}) => width > 0)
      return each.map((line) => [line.left - left < 1, right - line.right < 1])
    })
  expect(edges.at(-1)).toEqual([true, false])
  expect(edges[0]?.[1]).toBe(true)
  const directionOf = (text: string) =>
    lastMessage(chat)
      .getByText(text)
      .last()
      .evaluate((element) => getComputedStyle(element).direction)
  expect(await directionOf('مرحبا بالعالم')).toBe('rtl')
  expect(await directionOf('Plain English')).toBe('ltr')
  expect(await directionOf('عنصر')).toBe('rtl')
  expect(await directionOf('const a = 1')).toBe('ltr')
  expect(await directionOf('inline')).toBe('ltr')
})

test(
  'lists and quotes of fifty levels end within the answer, with room for words, on a narrow screen too',
  long,
  async ({chat, modelServer}) => {
    const deep = (mark: (level: number) => string) =>
      Array.from({length: 50}, (_, level) => `${mark(level)}word${level}`).join('\n')
    const quote = Array.from({length: 20}, () => '> ').join('')
    modelServer.answer([deep((level) => `${'  '.repeat(level)}- `), `${quote}quoted`].join('\n\nBetween.\n\n'))
    await ask(chat, 'Deep?')
    await ended(chat)
    for (const width of [1440, 320]) {
      await chat.setViewportSize({width, height: 900})
      await expect.poll(() => thread(chat).evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0)
      for (const word of ['word49', 'quoted']) {
        const box = await lastMessage(chat).getByText(word).last().boundingBox()
        expect(box?.width).toBeGreaterThan(50)
      }
    }
  },
)

for (const [locale, word] of some([
  ['en', 'عمود'],
  ['ar', 'column'],
] as const)) {
  test(
    `a wide table begins with its first column, whatever the page's direction (${locale})`,
    long,
    async ({chat, modelServer}) => {
      await reopenIn(chat, {theme: 'light', locale})
      const row = (text: string) => `| ${Array.from({length: 30}, (_, index) => `${text}${index || ''}`).join(' | ')} |`
      modelServer.answer([row(word), row('---').replace(/\d/g, ''), row(word)].join('\n'))
      await ask(chat, 'Table?')
      await ended(chat)
      const table = lastMessage(chat).getByRole('table')
      await expect(table.getByRole('columnheader', {name: word, exact: true})).toBeInViewport()
      expect(await table.locator('..').evaluate((frame) => frame.scrollLeft)).toBe(0)
    },
  )
}

test(
  'a table on a phone breaks no short cell between its letters, and long ones not after a few',
  long,
  async ({chat, modelServer}) => {
    await chat.setViewportSize({width: 390, height: 844})
    const sentence = '山頂からの眺めはとても美しいと言われています'
    modelServer.answer(
      `| 山 | 国 | 高さ | 年 | 備考 |\n|---|---|---|---|---|\n| エベレスト | ネパール | 8849 | 1953 | ${sentence} |`,
    )
    await ask(chat, '表?')
    await ended(chat)
    const cell = (name: string) => lastMessage(chat).getByRole('cell', {name, exact: true})
    const linesOf = (name: string) =>
      cell(name).evaluate((element) => {
        const words = document.createRange()
        words.selectNodeContents(element)
        return words.getClientRects().length
      })
    for (const name of ['エベレスト', 'ネパール', '8849']) expect(await linesOf(name)).toBe(1)
    expect(await linesOf(sentence)).toBeLessThanOrEqual(5)
  },
)

for (const width of some([1440, 390])) {
  test(`wide tables and code scroll in their own frame, and code wraps on request (${width})`, async ({
    chat,
    context,
    modelServer,
  }) => {
    await chat.setViewportSize({width, height: 844})
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const cells = Array.from({length: 30}, (_, index) => `column${index}`)
    const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
    const code = `const long = '${'word '.repeat(80)}'`
    modelServer.answer(
      [row(cells), row(cells.map(() => '---')), row(cells)].join('\n') + `\n\n\`\`\`ts\n${code}\n\`\`\``,
    )
    await ask(chat, 'Wide?')
    await ended(chat)
    const message = lastMessage(chat)
    const overflow = (element: Element) => element.scrollWidth - element.clientWidth
    expect(await message.getByRole('table').locator('..').evaluate(overflow)).toBeGreaterThan(100)
    const pre = message.locator('pre')
    expect(await pre.evaluate(overflow)).toBeGreaterThan(100)
    expect(await thread(chat).evaluate(overflow)).toBe(0)
    expect(await chat.locator('html').evaluate(overflow)).toBe(0)

    const figure = message.getByRole('figure')
    await expect(figure).toContainText('ts')
    await figure.hover()
    await figure.getByRole('button', {name: 'Wrap'}).click()
    await expect(figure.getByRole('button', {name: 'Wrap', pressed: true})).toBeVisible()
    expect(await pre.evaluate(overflow)).toBe(0)
    await figure.getByRole('button', {name: 'Copy'}).click()
    await expect.poll(() => chat.evaluate(() => navigator.clipboard.readText())).toBe(code)
    const download = chat.waitForEvent('download')
    await figure.getByRole('button', {name: 'Save as a file'}).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('code.ts')
    expect(readFileSync(await file.path(), 'utf8')).toBe(code)
  })
}

test('code and tables are stops of Tab with a name only where they scroll', long, async ({chat, modelServer}) => {
  const cells = Array.from({length: 30}, (_, index) => `column${index}`)
  const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  modelServer.answer(
    [
      '| a |\n|---|\n| b |',
      '```ts\nshort\n```',
      [row(cells), row(cells.map(() => '---')), row(cells)].join('\n'),
      `\`\`\`ts\nconst long = '${'word '.repeat(80)}'\n\`\`\``,
    ].join('\n\n'),
  )
  await ask(chat, 'Wide?')
  await ended(chat)
  const message = lastMessage(chat)
  const code = message.getByRole('group', {name: 'ts', exact: true})
  await expect(code).toHaveCount(1)
  await expect(code).toContainText('const long')
  await expect(code).toHaveAttribute('tabindex', '0')
  await expect(message.getByRole('group', {name: /^column0, column1, /})).toHaveAttribute('tabindex', '0')
  await expect(message.locator('[data-words] [tabindex]')).toHaveCount(2)
  await message.getByRole('figure').last().hover()
  await message.getByRole('figure').last().getByRole('button', {name: 'Wrap'}).click()
  await expect(code).toHaveCount(0)
  await expect(message.locator('[data-words] [tabindex]')).toHaveCount(1)
})

test('headings of an answer have a hierarchy, whatever depth it begins with', long, async ({chat, modelServer}) => {
  for (const marks of ['#', '##', '###']) {
    modelServer.answer(`${marks} One\n\n${marks}# Two\n\n${marks}## Three\n\nwords`)
    await ask(chat, marks)
    await expect(lastMessage(chat).getByRole('heading', {name: 'Three'})).toBeVisible()
    await ended(chat)
    const sizes = await lastMessage(chat)
      .locator('[data-words] :is(h3, h4, h5, p)')
      .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).fontSize))
    expect(sizes).toEqual(['17px', '16px', '15.5px', '15.5px'])
  }
})

test(
  'an image that a model wrote is not loaded: its host is named, and a click opens it there',
  long,
  async ({chat, modelServer}) => {
    // a request to another host fails the test by itself
    modelServer.answer('![A cat](https://images.example.test/cat.png)')
    await ask(chat, 'Cat?')
    await ended(chat)
    await expect(lastMessage(chat).getByRole('img', {name: 'A cat'})).toHaveCount(0)
    const link = lastMessage(chat).getByRole('link', {name: 'Open at images.example.test'})
    await expect(link).toHaveAttribute('href', 'https://images.example.test/cat.png')
    await expect(link).toHaveAttribute('rel', /noreferrer/)
  },
)

test('the card of a failure stands clear of the buttons of its question', long, async ({chat, modelServer}) => {
  modelServer.fail(400, {error: {message: 'no such thing'}})
  await ask(chat, 'Foo')
  const card = chat.getByRole('log').getByRole('alert')
  await expect(card).toContainText('no such thing')
  const question = chat.getByRole('article').first()
  await question.hover()
  const edit = await question.getByRole('button', {name: 'Edit'}).locator('svg').boundingBox()
  const top = (await card.boundingBox())?.y ?? 0
  expect(top - (edit?.y ?? 0) - (edit?.height ?? 0)).toBeGreaterThanOrEqual(6)
})
