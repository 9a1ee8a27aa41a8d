import {ask, answers, composer, expect, test} from './fixtures.ts'
import {chooseModel, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'

test('files: uploaded, removed, sent along, shown with the message', async ({chat, modelServer}) => {
  modelServer.answer('seen')
  const choosing = chat.waitForEvent('filechooser')
  await chat.getByRole('button', {name: 'Attach files'}).click()
  await (
    await choosing
  ).setFiles([
    {name: 'dot.png', mimeType: 'image/png', buffer: pixel},
    {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the secret word is heron')},
    {name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('not this')},
  ])
  await expect(chat.getByText('Ready')).toHaveCount(3)
  await expect(chat.getByText('Whoever has the address of an attached file can open it.')).toHaveCount(1)
  await chat.getByRole('button', {name: 'Remove wrong.txt'}).click()
  await expect(chat.getByText('Ready')).toHaveCount(2)
  await ask(chat, 'Read them')
  await expect(lastMessage(chat)).toContainText('seen')
  const sent = JSON.stringify(modelServer.calls.at(-1)?.messages)
  expect(sent).toContain('the secret word is heron')
  expect(sent).toContain('data:image/png;base64,')
  expect(sent).not.toContain('not this')
  await expect(answers(chat).first().getByRole('img', {name: /dot/})).toBeVisible()
  await expect(answers(chat).first().getByRole('link', {name: /notes/})).toBeVisible()
  await chat.reload()
  await expect(answers(chat).first().getByRole('img', {name: /dot/})).toBeVisible()
})

test(
  'a model that reads images only refuses a document, says so, and offers one that reads it',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('read')
    await chooseModel(chat, /^GPT-4o basic/)
    await chat.locator('input[type=file]').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('words'),
    })
    await expect(chat.getByText('GPT-4o basic reads images only.')).toBeVisible()
    await composer(chat).fill('Read it')
    await expect(chat.getByRole('button', {name: 'Send'})).toBeDisabled()
    await chat.getByRole('button', {name: /^Use /}).first().click()
    await expect(chat.getByText('GPT-4o basic reads images only.')).toHaveCount(0)
    // a message whose file is on its way waits for another press
    await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('read')
  },
)

test(
  'an upload whose answer was lost is sent again under its key, and is one file',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('seen')
    const keys: (string | undefined)[] = []
    const ids: unknown[] = []
    await chat.route('**/api/v1/files/', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      // as: its contract
      ids.push(((await response.json()) as {id: string}).id)
      if (ids.length === 1) await route.abort('connectionreset')
      else await route.fulfill({response})
    })
    const dot = {name: 'dot.png', mimeType: 'image/png', buffer: pixel}
    await chat.locator('input[type=file]').setInputFiles(dot)
    await chat.getByRole('button', {name: 'Try dot.png again'}).click()
    await expect(chat.getByText('Ready')).toBeVisible()
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect([keys[1], ids[1]]).toEqual([keys[0], ids[0]])
    await chat.locator('input[type=file]').setInputFiles(dot)
    await expect(chat.getByText('Ready')).toHaveCount(2)
    expect(new Set(keys).size).toBe(2)
    expect(new Set(ids).size).toBe(2)
  },
)

test('text under any name is read by the model; other bytes are refused, to be removed alone', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('read')
  await chat.locator('input[type=file]').setInputFiles([
    {name: 'network-log.har', mimeType: '', buffer: Buffer.from('{"log": "words"}')},
    {name: 'foo.zip', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 3, 4, 0])},
  ])
  await expect(chat.getByText('Ready')).toHaveCount(1)
  await expect(chat.getByText('Files of this kind are not taken here.')).toBeVisible()
  await expect(chat.getByRole('button', {name: 'Try foo.zip again'})).toHaveCount(0)
  await composer(chat).fill('Read it')
  await composer(chat).press('Enter')
  await expect(chat.getByRole('alert')).toHaveText('Nothing was sent: one file is not taken. Remove it, then send.')
  await chat.getByRole('button', {name: 'Remove foo.zip'}).click()
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('read')
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('Attached file network-log.har')
})

test(
  'a file larger than the server takes is refused before it is sent; the others are sent',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('read')
    let uploads = 0
    chat.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/v1/files/')) uploads += 1
    })
    await chat.locator('input[type=file]').setInputFiles([
      {name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words')},
      {name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(25_000_000, 'a')},
    ])
    await expect(chat.getByText('Too large: 25 MB. At most 20 MB.')).toBeVisible()
    await expect(chat.getByText('Ready')).toHaveCount(1)
    expect(uploads).toBe(1)
    await chat.getByRole('button', {name: 'Remove large.txt'}).click()
    await composer(chat).fill('Read it')
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('read')
    expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('Attached file words.txt')
  },
)

test('chips look well: ready, refused by the model, failed', long, async ({chat}) => {
  await chooseModel(chat, /^GPT-4o basic/)
  const chips = chat
    .getByRole('main')
    .getByRole('listitem')
    .filter({hasText: /\.(png|txt)/})
  await chat.locator('input[type=file]').setInputFiles([
    {name: 'dot.png', mimeType: 'image/png', buffer: pixel},
    {name: `${'a-rather-long-name-'.repeat(4)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('words')},
  ])
  await expect(chat.getByText('Ready')).toHaveCount(1)
  await expect(chat.getByText('GPT-4o basic reads images only.')).toBeVisible()
  await expectGoodLooks(chat, async () => {
    await expect(chips).toHaveCount(2)
    await expect(chips.last()).toContainText('GPT-4o basic')
  })
  await chat.route('**/api/v1/files/', (route) => route.abort('connectionreset'))
  await expectGoodLooks(chat, async () => {
    await chat.locator('input[type=file]').setInputFiles({name: 'lost.png', mimeType: 'image/png', buffer: pixel})
    // try again, and remove
    await expect(chips.filter({hasText: 'lost.png'}).getByRole('button')).toHaveCount(2)
  })
})
