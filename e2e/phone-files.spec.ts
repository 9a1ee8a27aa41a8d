import {expect, test} from './fixtures.ts'
import {ended, lastMessage, offeredModel} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {pixel} from './support/pixel.ts'
import {wordsOf} from './support/words-of.ts'

/* The files of a question in one row, on a phone in Arabic, and in English. */

test.use(anyPhone)

test('several files stand in one row that is swiped: none is cut in the middle', async ({chat}) => {
  const names = [
    'Minutes of the meeting in March.txt',
    'notes.txt',
    'budget.csv',
    'plan.md',
    'A long name of a file.txt',
  ]
  await chat
    .locator('main input[type=file]')
    .setInputFiles(names.map((name) => ({name, mimeType: 'text/plain', buffer: Buffer.from('heron')})))
  const files = chat.locator('main form').getByRole('listitem')
  await expect(files).toHaveCount(names.length)
  const rows = await files.evaluateAll((items) => new Set(items.map((item) => item.getBoundingClientRect().top)).size)
  expect(rows).toBe(1)
  const list = files.first().locator('..')
  expect(await list.evaluate(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)).toBe(0)
  // the first is whole, and the next one shows that there are more
  await expect(files.first()).toBeInViewport({ratio: 1})
  await expect(files.nth(1)).toBeInViewport()
  const word = await wordsOf(chat)
  const count = chat
    .locator('main form')
    .getByText(word('chat.fileCount').replace('{count}', '5').replace('{most}', '10'))
  await expect(count).toBeInViewport({ratio: 1})
  await files.last().getByRole('button').last().focus()
  await expect(files.last()).toBeInViewport({ratio: 0.98})
})

test('of more files than a message may have, those that are left out are named', async ({chat}) => {
  const names = Array.from({length: 14}, (_, index) => `notes_${index + 1}.txt`)
  const added = (some: readonly string[]) =>
    chat
      .locator('main input[type=file]')
      .setInputFiles(some.map((name) => ({name, mimeType: 'text/plain', buffer: Buffer.from('heron')})))
  const note = chat.locator('main form').getByRole('status').filter({hasText: 'notes_11.txt'})
  await added(names.slice(0, 12))
  await expect(chat.locator('main form').getByRole('listitem')).toHaveCount(10)
  await expect(note).toContainText('notes_12.txt')
  await expect(note).toBeInViewport({ratio: 1})
  // of many only the first ones
  await added(names.slice(10))
  await expect(note).toContainText('notes_13.txt')
  await expect(note).not.toContainText('notes_14.txt')
  await expectGoodInBothThemes(chat, 'files left out')
})

test(
  'two files of a question that is edited stand in one row that is swiped, and Remove of each comes into view',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('قرأتها')
    const word = await wordsOf(chat)
    const files = ['minutes-of-the-meeting-in-march.md', 'budget-of-the-year.csv'].map((name) => ({
      ...{name, mimeType: 'text/plain'},
      buffer: Buffer.from('heron'),
    }))
    await chat.locator('main form input[type=file]').setInputFiles(files)
    await expect(chat.locator('main form').getByText(word('chat.ready'))).toHaveCount(2)
    await askByTouch(chat, 'heron')
    await expect(lastMessage(chat)).toContainText('قرأتها')
    await ended(chat)
    const question = chat.getByRole('log').getByRole('article').first()
    await question.getByRole('button', {name: word('chat.edit'), exact: true}).tap()
    const chips = question.locator('form').getByRole('listitem')
    await expect(chips).toHaveCount(2)
    const rows = await chips.evaluateAll((items) => new Set(items.map((item) => item.getBoundingClientRect().top)).size)
    expect(rows).toBe(1)
    await expect(chips.first()).toBeInViewport({ratio: 1})
    await expect(chips.last()).toBeInViewport()
    const list = chips.first().locator('..')
    expect(await list.evaluate((element) => getComputedStyle(element).overflowX)).toBe('auto')
    await chips.last().getByRole('button').focus()
    await expect(chips.last().getByRole('button')).toBeInViewport({ratio: 1})
    await expect(chips.last()).toBeInViewport({ratio: 0.98})
  },
)

test('a file that is refused comes before those that go, so that it is seen without a swipe', long, async ({chat}) => {
  const file = (name: string, buffer: Buffer) => ({name, mimeType: 'text/plain', buffer})
  const small = ['notes of the whole week.txt', 'budget of the year.csv', 'plan of the harbour.md'].map((name) =>
    file(name, Buffer.from('heron')),
  )
  await chat.locator('main input[type=file]').setInputFiles([...small, file('empty.txt', Buffer.alloc(0))])
  const files = chat.locator('main form').getByRole('listitem')
  await expect(files).toHaveCount(4)
  await expect(files.last()).toBeInViewport({ratio: 1})
  await expect(files.last()).toContainText('empty.txt')
})

test('a file that another model refuses is seen where the row was left at its start', long, async ({chat}) => {
  const word = await wordsOf(chat)
  const form = chat.locator('main form')
  await chat.locator('main input[type=file]').setInputFiles([
    {name: 'harbour.png', mimeType: 'image/png', buffer: pixel},
    ...['notes.txt', 'plan.md', 'budget.csv'].map((name) => ({
      ...{name, mimeType: 'text/plain'},
      buffer: Buffer.from('heron'),
    })),
  ])
  await expect(form.getByText(word('chat.ready'))).toHaveCount(4)
  await chat.getByRole('button', {name: startOf(word('chat.chooseModel'))}).tap()
  await offeredModel(chat, /^GPT-4o basic/).tap()
  const reasons = form.getByText(word('chat.imagesOnly').replace('{model}', 'GPT-4o basic'))
  await expect(reasons).toHaveCount(3)
  await expect(form.getByRole('listitem').filter({hasText: 'notes.txt'})).toBeInViewport({ratio: 0.98})
  await expect(form.getByRole('listitem').filter({hasText: 'harbour.png'})).not.toBeInViewport()
})
