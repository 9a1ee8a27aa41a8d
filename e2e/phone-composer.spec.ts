import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {arabicPhone, expectForFingers, expectNoFaults, tapSend} from './support/arabic-phone.ts'
import {pixel} from './support/pixel.ts'
import {wordsOf} from './support/words-of.ts'

/* Files, a long paste and the questions that wait, by a finger, on a phone that speaks Arabic. */

test.use(arabicPhone)

/** The buttons of a page by the ids of their messages. */
async function buttonsOf(page: Page) {
  const word = await wordsOf(page)
  const named = (id: string, value = '') =>
    page.getByRole('button', {name: word(id).replace(/\{\w+\}/, value), exact: true})
  return {word, named}
}

test(
  'a file is tried again, removed and refused with its reason; a long paste is a file',
  long,
  async ({chat, context, modelServer}) => {
    modelServer.answer('قرأتها')
    const {word, named} = await buttonsOf(chat)
    const form = chat.locator('main form')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])

    // an upload that is on its way, then lost
    let lose = () => {}
    const lost = new Promise<void>((resolve) => (lose = resolve))
    await chat.route('**/api/v1/files/', async (route) => {
      await lost
      await route.abort('connectionreset')
    })
    const choosing = chat.waitForEvent('filechooser')
    await named('chat.attach').tap()
    await (await choosing).setFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
    await expect(form.getByText(word('chat.uploading').replace(/\s*\{.*/, ''))).toBeVisible()
    lose()
    await expect(named('chat.retryFile', 'dot.png')).toBeVisible()
    await expectForFingers(chat, form)
    await expectNoFaults(chat)
    await chat.unroute('**/api/v1/files/')
    await named('chat.retryFile', 'dot.png').tap()
    const ready = form.getByText(word('chat.ready'))
    await expect(ready).toHaveCount(1)

    // a text is no image: which model reads it is offered
    await chat.getByRole('button', {name: new RegExp(`^${word('chat.chooseModel').replace(/\{.*/, '')}`)}).tap()
    await chat.getByRole('gridcell', {name: /^GPT-4o basic/}).tap()
    await chat.locator('input[type=file]').setInputFiles([
      {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the secret word is heron')},
      {name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('not this')},
    ])
    const reason = form.getByText(word('chat.imagesOnly').replace('{model}', 'GPT-4o basic'))
    await expect(reason.first()).toBeVisible()
    await composer(chat).fill('اقرأها')
    await expect(named('chat.send')).toBeDisabled()
    await expectForFingers(chat, form)
    await expectNoFaults(chat)
    await named('chat.removeFile', 'wrong.txt').tap()
    await form
      .getByRole('button', {name: new RegExp(word('chat.useModel').replace(/\{\w+\}/, '.+'))})
      .first()
      .tap()
    await expect(reason).toHaveCount(0)
    await expect(ready).toHaveCount(2)

    const pasted = Array.from({length: 120}, (_, index) => `line ${index}`).join('\n')
    await chat.evaluate((text) => navigator.clipboard.writeText(text), pasted)
    await composer(chat).focus()
    await chat.keyboard.press('Control+V')
    await expect(ready).toHaveCount(3)
    await expect(composer(chat)).toHaveValue('اقرأها')
    await chat.keyboard.press('Enter')
    await chat.keyboard.insertText('كلّها')
    await named('chat.send').tap()
    await expect(lastMessage(chat)).toContainText('قرأتها')
    await ended(chat)
    expect(modelServer.calls).toHaveLength(1)
    const sent = JSON.stringify(modelServer.calls[0]?.messages)
    expect(sent).toContain('اقرأها\\nكلّها')
    expect(sent).toContain('the secret word is heron')
    expect(sent).toContain('data:image/png;base64,')
    expect(sent).toContain('line 119')
    expect(sent).not.toContain('not this')
    await expectNoFaults(chat)
  },
)

test(
  'what waits is moved, edited and removed, holds when stopped, and is there after a reload',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `جواب ${prompt}`)
    modelServer.hold(1)
    const {word, named} = await buttonsOf(chat)
    const send = named('chat.send')
    const list = chat.getByRole('region', {name: word('chat.followUps')})
    const groups = list.getByRole('group')
    const names = () => groups.evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')))
    const item = (question: string) => list.getByRole('group', {name: question, exact: true})
    const tap = (question: string, id: string) =>
      item(question)
        .getByRole('button', {name: word(id), exact: true})
        .tap()
    await tapSend(chat, send, 'أول')
    await expect(lastMessage(chat)).toContainText('جواب')
    for (const question of ['ثان', 'ثالث', 'رابع']) await tapSend(chat, send, question)
    await expect.poll(names).toEqual(['ثان', 'ثالث', 'رابع'])
    await expectForFingers(chat, list)
    await expectNoFaults(chat)
    await tap('ثالث', 'chat.followUpUp')
    await expect.poll(names).toEqual(['ثالث', 'ثان', 'رابع'])
    await tap('رابع', 'chat.followUpRemove')
    await list.getByRole('button', {name: word('common.undo'), exact: true}).tap()
    await tap('رابع', 'chat.followUpRemove')
    await expect(item('رابع')).toHaveCount(0)
    await tap('ثان', 'chat.edit')
    await expect(list).toContainText(word('chat.followUpsEditing'))
    await expectForFingers(chat, list)
    await list.getByRole('textbox').fill('ثان من جديد')
    await list.getByRole('button', {name: word('chat.followUpSave'), exact: true}).tap()
    await expect.poll(names).toEqual(['ثالث', 'ثان من جديد'])
    await named('chat.stop').tap()
    await expect(lastMessage(chat)).toContainText(word('chat.stopped'))
    await expect(list).toContainText(word('chat.followUpsHeld'))
    await expectNoFaults(chat)
    await chat.reload()
    await expect(list).toContainText(word('chat.followUpsHeld'))
    await expect.poll(names).toEqual(['ثالث', 'ثان من جديد'])
    expect(modelServer.prompts).toEqual(['أول'])

    // an answer that fails holds them too
    await tap('ثالث', 'chat.followUpSendNow')
    await expect(groups).toHaveCount(1)
    await expect(lastMessage(chat)).toContainText('جواب')
    modelServer.refuseHeld({message: 'No.'})
    await expect(list).toContainText(word('chat.followUpsHeld'))
    expect(modelServer.prompts).toEqual(['أول', 'ثالث'])
    modelServer.release()
    await lastMessage(chat)
      .getByRole('button', {name: word('common.retry'), exact: true})
      .tap()
    await expect(lastMessage(chat)).toContainText('جواب ثان من جديد')
    await ended(chat)
    await expect(list).toHaveCount(0)
    expect(modelServer.prompts).toEqual(['أول', 'ثالث', 'ثالث', 'ثان من جديد'])
  },
)
