import type {Page} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * The files of a question show their size beside their name: at once, after a reload, on another device and in a
 * branch.
 */

const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})

async function attach(page: Page, name: string, bytes: number) {
  await page
    .locator('[data-composer] input[type=file]')
    .setInputFiles({name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a')})
  await expect(page.getByText('Ready')).toBeVisible()
}

test('a sent file shows its size, also while its question waits, and no device asks for it', async ({
  browser,
  chat,
  installation,
  signedIn,
  modelServer,
}) => {
  modelServer.answer('Read.')
  modelServer.hold(1)
  await attach(chat, 'notes.txt', 12_345)
  await ask(chat, 'Read this')
  // before the server's copy is read
  await expect(answers(chat).first()).toContainText('notes.txt12 kB')
  await conversationId(chat)
  await attach(chat, 'more.txt', 2_048)
  await ask(chat, 'and this')
  await expect(list(chat).getByRole('group')).toContainText('more.txt2 kB')
  await chat.reload()
  await expect(list(chat).getByRole('group')).toContainText('more.txt2 kB')
  modelServer.release()
  await expect(answers(chat).nth(2)).toContainText('more.txt2 kB')
  await expect(lastMessage(chat)).toContainText('Read.')
  await ended(chat)

  const device = await browser.newContext({locale: 'de'})
  const other = await blankTab(device, installation.url, signedIn)
  const requests: string[] = []
  other.on('request', (request) => requests.push(request.url()))
  await other.goto(chat.url())
  await expect(answers(other).first()).toContainText('notes.txt12 kB')
  expect(requests.filter((url) => url.includes('/files/'))).toEqual([])
  await device.close()

  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await expect(answers(chat).first().locator('form')).toContainText('12 kB · Ready')
})

test(
  'a file over a limit of the model is said at the file, before it is sent, and no conversation ends with its files',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `Read ${prompt.length}.`)
    const form = chat.locator('[data-composer]')
    const send = form.getByRole('button', {name: 'Send', exact: true})
    await form.locator('input[type=file]').setInputFiles([
      {name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.alloc(600_000, 'a')},
      {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1_000, 'b')},
    ])
    await expect(form).toContainText('GPT-5 takes texts of at most 524 kB. This one has 600 kB.')
    await form.getByRole('textbox').fill('Read them')
    await expect(send).toHaveAttribute('aria-disabled', 'true')
    await form.getByRole('button', {name: 'Remove log.txt'}).click()
    await expect(form).toContainText('Ready')

    const paper = (name: string) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(11_000_000)]),
    })
    await form.locator('input[type=file]').setInputFiles([paper('one.pdf'), paper('two.pdf')])
    await expect(form).toContainText('The files have 22 MB together. GPT-5 takes at most 20 MB with one question.')
    await form.getByRole('button', {name: 'Remove two.pdf'}).click()
    await expect(form.getByText('Ready')).toHaveCount(2)
    await send.click()
    await expect(lastMessage(chat)).toContainText('Read ')
    await ended(chat)

    // the first paper has no room beside the second one, and is named
    await form.locator('input[type=file]').setInputFiles([paper('two.pdf')])
    await expect(form.getByText('Ready')).toHaveCount(1)
    await ask(chat, 'And this')
    await expect.poll(() => modelServer.calls.length).toBe(2)
    await ended(chat)
    await expect(answers(chat)).toHaveCount(4)
    const sent = JSON.stringify(modelServer.calls[1]?.messages)
    expect(sent).toContain('Attached file one.pdf: left out')
    expect(sent).toContain('"filename":"two.pdf"')
  },
)
