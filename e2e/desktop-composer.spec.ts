import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, offeredModel} from './support/chat-page.ts'
import {pasteLines} from './support/clipboard.ts'
import {expectFilesSent, waitingQuestions} from './support/composer-journey.ts'
import {anyDesktop, beginningsOf, desktopChat} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {directionOf, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {pixel} from './support/pixel.ts'

/* Files, a long paste, questions that wait, prompts and instructions, on a desktop in English, and in Arabic. */

test.use(anyDesktop)

const textFile = (name: string, text: string) => ({name, mimeType: 'text/plain', buffer: Buffer.from(text)})

/** Drops a text file on the page, as from a folder of the system. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([title, words]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([words], title, {type: 'text/plain'}))
      return transfer
    },
    [name, text] as const,
  )
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.getByRole('main').locator('form').dispatchEvent(type, {dataTransfer})
}

test(
  'files are picked, dropped and pasted, tried again, removed and refused with the reason; a long paste is a file',
  long,
  async ({chat, context, locale, modelServer}) => {
    modelServer.answer('قرأتها all')
    const {word, button} = await desktopChat(chat)
    await expect(chat.locator('html')).toHaveAttribute('dir', directionOf(locale))
    const form = chat.getByRole('main').locator('form')
    const ready = form.getByText(word('chat.ready'))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])

    await chat.route('**/api/v1/files/', (route) => route.abort('connectionreset'))
    const choosing = chat.waitForEvent('filechooser')
    await button(chat, 'chat.attach').click()
    await (await choosing).setFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
    await expect(button(chat, 'chat.retryFile', {name: 'dot.png'})).toBeVisible()
    await expectGoodInBothThemes(chat, 'a failed upload')
    await chat.unroute('**/api/v1/files/')
    await button(chat, 'chat.retryFile', {name: 'dot.png'}).click()
    await expect(ready).toHaveCount(1)

    await chat.getByRole('button', {name: startOf(word('chat.chooseModel'))}).click()
    await offeredModel(chat, /^GPT-4o basic/).click()
    // a dialog over the page takes no files
    await chat.getByRole('grid').waitFor({state: 'detached'})
    await drop(chat, 'notes-of-the-harbour.txt', 'the secret word is heron')
    await drop(chat, 'سر.txt', 'not this')
    const reason = form.getByText(word('chat.imagesOnly', {model: 'GPT-4o basic'}))
    await expect(reason).toHaveCount(2)
    for (const name of ['notes-of-the-harbour.txt', 'سر.txt']) {
      const chip = form.getByRole('listitem').filter({hasText: name})
      const [ofName, ofReason] = await beginningsOf(chip.locator('bdi'), chip.getByText(/GPT-4o/))
      expect(ofName, name).toBe(ofReason)
    }
    await composer(chat).fill('اقرأها all')
    await expect(button(chat, 'chat.send')).toBeDisabled()
    await expectGoodInBothThemes(chat, 'a file that the model does not take')
    await button(chat, 'chat.removeFile', {name: 'سر.txt'}).click()
    await form
      .getByRole('button', {name: new RegExp(word('chat.useModel', {model: '.+'}))})
      .first()
      .click()
    await expect(reason).toHaveCount(0)
    await expect(ready).toHaveCount(2)

    await composer(chat).focus()
    await pasteLines(chat, 120)
    await expect(ready).toHaveCount(3)
    await chat.locator('input[type=file]').setInputFiles([textFile('سجل.txt', 'كلمات'), textFile('plan.md', 'nothing')])
    await expect(ready).toHaveCount(5)
    await expectGoodInBothThemes(chat, 'five files')
    await composer(chat).press('Shift+Enter')
    await chat.keyboard.insertText('كلّها')
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('قرأتها')
    await ended(chat)
    expectFilesSent(modelServer, 'اقرأها all\\nكلّها', 'سجل.txt')
    await expectGoodInBothThemes(chat, 'a question with files')
  },
)

test(
  'what waits is moved, edited and removed, holds when stopped, and is there after a reload',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `جواب ${prompt}`)
    modelServer.hold(1)
    const {word, button} = await desktopChat(chat)
    const list = chat.getByRole('region', {name: word('chat.followUps')})
    const names = () => waitingQuestions(list)
    const press = (question: string, id: string) =>
      button(list.getByRole('group', {name: question, exact: true}), id).press('Enter')
    await ask(chat, 'first')
    await expect(lastMessage(chat)).toContainText('جواب')
    for (const question of ['second', 'ثالث', 'رابع?']) await ask(chat, question)
    await expect.poll(names).toEqual(['second', 'ثالث', 'رابع?'])
    const beginnings = await beginningsOf(...['second', 'ثالث', 'رابع?'].map((text) => list.getByText(text)))
    expect(new Set(beginnings).size).toBe(1)
    await expectGoodInBothThemes(chat, 'waiting questions')
    await press('ثالث', 'chat.followUpUp')
    await expect.poll(names).toEqual(['ثالث', 'second', 'رابع?'])
    await press('ثالث', 'chat.followUpDown')
    await press('ثالث', 'chat.followUpUp')
    await expect.poll(names).toEqual(['ثالث', 'second', 'رابع?'])
    await press('رابع?', 'chat.followUpRemove')
    await button(list, 'common.undo').click()
    await press('رابع?', 'chat.followUpRemove')
    await expect.poll(names).toEqual(['ثالث', 'second'])
    await press('second', 'chat.edit')
    await expect(list).toContainText(word('chat.followUpsEditing'))
    await expectGoodInBothThemes(chat, 'a waiting question that is edited')
    await list.getByRole('textbox').fill('second anew')
    await list.getByRole('textbox').press('Enter')
    await expect.poll(names).toEqual(['ثالث', 'second anew'])

    await composer(chat).press('Escape')
    await expect(lastMessage(chat)).toContainText(word('chat.stopped'))
    await expect(list).toContainText(word('chat.followUpsHeld'))
    await expectGoodInBothThemes(chat, 'held questions')
    await chat.reload()
    await expect(list).toContainText(word('chat.followUpsHeld'))
    await expect.poll(names).toEqual(['ثالث', 'second anew'])
    expect(modelServer.prompts).toEqual(['first'])
    modelServer.release()
    await button(list, 'chat.followUpsGoOn').click()
    await expect(lastMessage(chat)).toContainText('جواب second anew')
    await ended(chat)
    await expect(list).toHaveCount(0)
    expect(modelServer.prompts).toEqual(['first', 'ثالث', 'second anew'])
  },
)

test('a prompt is made, found under a slash and filled in; instructions reach the model', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('تمّ')
  const {word, button, dialog, chooseOfThread} = await desktopChat(chat)
  await button(chat, 'index.account').click()
  await chat.getByRole('menuitem', {name: word('index.settings'), exact: true}).click()
  const settings = dialog('index.settings')
  await settings.getByRole('tab', {name: word('index.chat'), exact: true}).click()
  await button(settings, 'chat.promptAdd').click()
  await settings.getByRole('textbox', {name: word('chat.promptName'), exact: true}).fill('ترجمة')
  await settings.getByRole('textbox', {name: word('chat.promptText'), exact: true}).fill('ترجم إلى {{لغة}}: {{text}}')
  await button(settings.locator('form'), 'chat.followUpSave').last().click()
  await expect(settings.getByRole('group', {name: 'ترجمة'})).toBeVisible()
  await settings.getByRole('textbox', {name: word('chat.instructions'), exact: true}).fill('Be short. كن موجزًا.')
  const save = button(settings, 'chat.followUpSave').first()
  await save.click()
  await expect(save).toBeDisabled()
  await expectGoodInBothThemes(chat, 'settings')
  await chat.keyboard.press('Escape')
  await expect(settings).toHaveCount(0)

  await composer(chat).fill('/')
  const option = chat.getByRole('listbox', {name: word('chat.prompts')}).getByRole('option', {name: 'ترجمة'})
  await expect(option).toBeVisible()
  await expectGoodInBothThemes(chat, 'prompts')
  await composer(chat).fill('/تر')
  await expect(option).toBeVisible()
  await composer(chat).press('Enter')
  const fields = chat.getByRole('dialog', {name: 'ترجمة'})
  await fields.getByRole('textbox', {name: 'لغة'}).fill('الفرنسية')
  await fields.getByRole('textbox', {name: 'text'}).fill('good morning')
  await expectGoodInBothThemes(chat, 'a prompt with fields')
  await button(fields, 'chat.promptInsert').click()
  await expect(composer(chat)).toHaveValue('ترجم إلى الفرنسية: good morning')
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('تمّ')
  await ended(chat)
  expect(modelServer.prompts).toEqual(['ترجم إلى الفرنسية: good morning'])
  expect(modelServer.calls[0]?.messages[0]).toEqual({role: 'system', content: 'Be short. كن موجزًا.'})

  await chooseOfThread('chat.instructionsOne')
  const instructions = dialog('chat.instructionsOne')
  await instructions.getByRole('textbox').fill('أجب شعرًا.')
  await expectGoodInBothThemes(chat, 'instructions')
  await button(instructions, 'chat.followUpSave').click()
  await expect(instructions).toHaveCount(0)
  await ask(chat, 'again')
  await expect.poll(() => modelServer.calls.length).toBe(2)
  await ended(chat)
  const instructed = modelServer.calls[1]?.messages.filter(({role}) => role === 'system')
  expect(JSON.stringify(instructed)).toContain('أجب شعرًا.')
})
