import {readFile} from 'node:fs/promises'
import type {Page, Request} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {chooseAction, conversationId, ended, lastMessage, row} from './support/chat-page.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'

/* What was deleted is given to nobody, although it can still be taken back. */

async function asked(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await expect(lastMessage(page)).toContainText(`said: ${question}`)
  await ended(page)
}

const isRemoval = (request: Request) => request.postData()?.includes('"remove"') === true

test('a message deleted a moment ago is in no branch, behind no link and in no file', async ({chat, browser}) => {
  await asked(chat, 'one')
  await asked(chat, 'two')
  const id = await conversationId(chat)
  await chooseAction(answers(chat).nth(1), 'Delete')
  await chooseAction(lastMessage(chat), 'Branch from here')
  await expect(chat).not.toHaveURL(new RegExp(id))
  await expect(answers(chat)).toHaveText([/one/, /two/, /said: two/])

  await chooseAction(answers(chat).nth(0), 'Delete')
  await chat.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
  const dialog = chat.getByRole('dialog')
  const removals = await HeldRoute.on(chat, /aichat\/conversations$/, isRemoval)
  const make = dialog.getByRole('button', {name: 'Make link'})
  await make.click()
  await expect.poll(() => removals.held).toBeGreaterThan(0)
  await removals.let(refuseWith(409, 'duplication'))
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('link', {name: 'Open'})).toHaveCount(0)
  removals.hold()
  await make.click()
  await removals.let(goOn)
  const address = (await dialog.getByRole('link', {name: 'Open'}).getAttribute('href')) ?? ''
  const stranger = await browser.newContext()
  const reader = await stranger.newPage()
  await reader.goto(address)
  await expect(reader.getByRole('article')).toHaveText([/two/, /said: two/])
  await stranger.close()
  await chat.keyboard.press('Escape')

  await chooseAction(lastMessage(chat), 'Delete')
  const branch = row(chat, /\(branch\)$/)
  await branch.hover()
  await branch.getByRole('button', {name: /^Actions for/}).click()
  await chat.getByRole('menuitem', {name: 'Export…'}).click()
  await dialog.getByRole('radio', {name: 'JSON'}).check()
  const download = chat.waitForEvent('download')
  await dialog.getByRole('button', {name: 'Export', exact: true}).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('two')
  expect(text).not.toContain('said')
})
