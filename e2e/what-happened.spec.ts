import {ask, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, chooseAction, ended, lastMessage, moreActions} from './support/chat-page.ts'
import {copiedAs} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool} from './support/media-page.ts'

/* "What happened": the states and calls of an answer, for a report. */

test('of an answer tells its states and calls, and is copied without what was said', async ({chat, modelServer}) => {
  await chat.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const parts: string[] = []
  chat.on('request', (request) => void parts.push(...(/what-happened/.exec(request.url()) ?? [])))
  modelServer.answer('secret answer')
  await ask(chat, 'secret question')
  await expect(lastMessage(chat)).toContainText('secret answer')
  await ended(chat)
  // closed it costs nothing: its code comes with its first opening
  expect(parts).toEqual([])
  await chooseAction(lastMessage(chat), 'What happened')
  await expect.poll(() => parts).toContain('what-happened')
  const dialog = chat.getByRole('dialog', {name: 'What happened'})
  const steps = dialog.getByRole('list', {name: 'Steps'}).getByRole('listitem')
  await expect(steps.filter({hasText: 'asking.pending'}).first()).toBeVisible()
  await expect(steps.last()).toContainText('finished')
  const call = steps
    .filter({hasText: 'POST /services/api/aichat/conversations', hasNotText: /retrieve_batch|revisions/})
    .first()
  await expect(call).toContainText(/200 · \d+ ms · [0-9a-f-]{36}/)
  expect(await axeFaults(chat)).toEqual([])

  const curl = await copiedAs(
    call.getByRole('button', {name: 'Copy as cURL'}),
    call.getByRole('button', {name: 'Copied'}),
  )
  expect(curl).toContain("curl -X POST 'http")
  expect(curl).toContain('Bearer $TOKEN')
  expect(curl).toContain('"question":"QUESTION"')
  expect(curl).not.toContain('MODEL')
  const report = await copiedAs(
    dialog.getByRole('button', {name: 'Copy as JSON'}),
    dialog.getByRole('button', {name: 'Copied'}).last(),
  )
  const isAnswering = expect.objectContaining({state: 'asking.answering', event: 'answer.received'})
  expect(JSON.parse(report)).toMatchObject({state: 'finished', steps: expect.arrayContaining([isAnswering])})
  const tokens = await chat.evaluate(
    () => JSON.stringify(localStorage).match(/"(?:access|token)\\*":\\*"([^"\\]{16,})/g) ?? [],
  )
  for (const secret of ['secret', ...tokens.map((found) => found.split('"').at(-1) ?? '')])
    expect(`${report}${curl}`).not.toContain(secret)

  await chat.keyboard.press('Escape')
  await chat.reload()
  await expect(answers(chat)).toHaveCount(2)
  await chooseAction(lastMessage(chat), 'What happened')
  await expect(steps.filter({hasText: 'asking.pending'}).first()).toBeVisible()
  await expect(steps.last()).toContainText('The page was loaded again')
  await expect(dialog.getByText('finished', {exact: true}).first()).toBeVisible()
  for (const name of ['cost', 'trace_id', 'prompt_tokens']) await expect(dialog.getByText(name)).toBeVisible()

  // its parts are there now, so that it opens while the menu still fades out
  await chat.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await chooseAction(lastMessage(chat), 'What happened')
  await expect(dialog).toBeVisible()
  await expect(chat.locator('[role=menu]')).toHaveCount(0)
  await chat.keyboard.press('Escape')
  await expect(moreActions(lastMessage(chat))).toBeFocused()
})

test('of a refused answer tells the status', long, async ({chat, modelServer}) => {
  modelServer.fail(429, {error: {message: 'slow down'}})
  await ask(chat, 'Refuse me')
  await expect(lastMessage(chat).getByRole('alert')).toBeVisible()
  await chooseAction(lastMessage(chat), 'What happened')
  const dialog = chat.getByRole('dialog', {name: 'What happened'})
  await expect(dialog.getByRole('listitem').last()).toContainText('failed.')
})

test('of a task opens from the menu of its card, also on a phone in Arabic', long, async ({chat, installation}) => {
  await openTool(chat, '/flux')
  await generate(chat, 'a red boat')
  const card = cards(chat).first()
  await made(card.locator('img').first())
  await card.hover()
  await card.getByRole('button', {name: 'More'}).first().click()
  await chat.getByRole('menuitem', {name: 'What happened'}).click()
  const dialog = chat.getByRole('dialog')
  await expect(dialog.getByText('trace_id')).toBeVisible()
  const call = dialog.getByRole('listitem').filter({hasText: 'POST /services/api/flux/images'})
  await expect(call).toContainText(/200 · \d+ ms · [0-9a-f-]{36}/)
  expect(await axeFaults(chat)).toEqual([])

  await chat.setViewportSize({width: 390, height: 844})
  await chat
    .context()
    .addCookies(
      Object.entries({LOCALE: 'ar', THEME: 'dark'}).map(([name, value]) => ({name, value, url: installation.url})),
    )
  await chat.reload()
  await expect(chat.locator('html')).toHaveAttribute('dir', 'rtl')
  const phoneCard = chat.getByRole('article').first()
  await phoneCard.getByRole('button', {name: 'المزيد'}).first().click()
  await chat.getByRole('menuitem', {name: 'ما الذي حدث'}).click()
  await expect(dialog.getByText('trace_id')).toBeVisible()
  expect(await axeFaults(chat)).toEqual([])
})
