import type {Locator, Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {pasteLines} from './support/clipboard.ts'
import {expectFilesSent, waitingQuestions} from './support/composer-journey.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {pixel} from './support/pixel.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * Lost and refused files, a long paste, questions that wait, prompts and instructions, by a finger, on a phone in
 * Arabic, and in English.
 */

test.use(anyPhone)

/** The buttons of a page by the ids of their messages. */
async function buttonsOf(page: Page) {
  const word = await wordsOf(page)
  const named = (id: string, value = '') =>
    page.getByRole('button', {name: word(id).replace(/\{\w+\}/, value), exact: true})
  return {word, named}
}

test(
  'beside the keyboard, the editor of a question that waits is in view with its buttons',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('heron heron')
    modelServer.hold(1)
    const {word, named} = await buttonsOf(chat)
    await askByTouch(chat, 'heron')
    const waiting = chat.getByRole('region', {name: word('chat.followUps')})
    for (const question of ['one', 'two', 'a question of several lines '.repeat(12)]) await askByTouch(chat, question)
    for (const height of [844, 420, 320]) {
      await chat.setViewportSize({width: 390, height: 844})
      await waiting
        .getByRole('button', {name: word('chat.edit'), exact: true})
        .last()
        .tap()
      await chat.setViewportSize({width: 390, height})
      for (const part of [waiting.getByRole('textbox'), named('chat.followUpSave'), named('common.cancel')])
        await expect(part).toBeInViewport({ratio: 0.99})
      await named('common.cancel').tap()
      await expect(composer(chat)).toBeVisible()
    }
    modelServer.release()
  },
)

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
    await expectGoodInBothThemes(chat, 'a failed upload')
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
    await expectGoodInBothThemes(chat, 'a file that the model does not take')
    await named('chat.removeFile', 'wrong.txt').tap()
    await form
      .getByRole('button', {name: new RegExp(word('chat.useModel').replace(/\{\w+\}/, '.+'))})
      .first()
      .tap()
    await expect(reason).toHaveCount(0)
    await expect(ready).toHaveCount(2)

    await composer(chat).focus()
    await pasteLines(chat, 120)
    await expect(ready).toHaveCount(3)
    await expect(composer(chat)).toHaveValue('اقرأها')
    await chat.keyboard.press('Enter')
    await chat.keyboard.insertText('كلّها')
    await named('chat.send').tap()
    await expect(lastMessage(chat)).toContainText('قرأتها')
    await ended(chat)
    expectFilesSent(modelServer, 'اقرأها\\nكلّها')
    await expectGoodInBothThemes(chat, 'an answer')
  },
)

test(
  'what waits is moved, edited and removed, holds when stopped, and is there after a reload',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `جواب ${prompt}`)
    modelServer.hold(1)
    const {word, named} = await buttonsOf(chat)
    const list = chat.getByRole('region', {name: word('chat.followUps')})
    const groups = list.getByRole('group')
    const names = () => waitingQuestions(list)
    const item = (question: string) => list.getByRole('group', {name: question, exact: true})
    const tap = (question: string, id: string) =>
      item(question)
        .getByRole('button', {name: word(id), exact: true})
        .tap()
    await askByTouch(chat, 'أول')
    await expect(lastMessage(chat)).toContainText('جواب')
    for (const question of ['ثان', 'ثالث', 'رابع']) await askByTouch(chat, question)
    await expect.poll(names).toEqual(['ثان', 'ثالث', 'رابع'])
    await expectForFingers(chat, list)
    await expectGoodInBothThemes(chat, 'waiting questions')
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
    await expectGoodInBothThemes(chat, 'held questions')
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

test('the question that moves under the finger is not marked as pointed at', long, async ({chat, modelServer}) => {
  modelServer.answer('heron heron')
  modelServer.hold(1)
  const word = await wordsOf(chat)
  const list = chat.getByRole('region', {name: word('chat.followUps')})
  const item = (question: string) => list.getByRole('group', {name: question, exact: true})
  await askByTouch(chat, 'heron')
  for (const question of ['one', 'two', 'three']) await askByTouch(chat, question)
  await expect.poll(() => waitingQuestions(list)).toEqual(['one', 'two', 'three'])
  const remove = (question: string) =>
    item(question).getByRole('button', {name: word('chat.followUpRemove'), exact: true})
  const background = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor)
  const plain = await background(item('three'))
  await remove('two').tap()
  await expect.poll(() => waitingQuestions(list)).toEqual(['one', 'three'])
  // a browser leaves the pointer where a finger was
  await remove('three').hover()
  await expect(remove('three').and(chat.locator(':hover'))).toBeVisible()
  expect(await background(item('three'))).toBe(plain)
  expect(await background(remove('three'))).toBe(plain)
  expect(plain).toBe('rgba(0, 0, 0, 0)')
  modelServer.release()
})

test(
  'a prompt is made and filled in by a finger, and instructions reach the model',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('تمّ')
    const {word, named} = await buttonsOf(chat)
    await chat.goto(new URL('/profile', chat.url()).href)
    await chat.getByRole('main').getByText(word('index.settings'), {exact: true}).tap()
    const settings = chat.getByRole('dialog', {name: word('index.settings')})
    await settings.getByRole('tab', {name: word('index.chat'), exact: true}).tap()
    const saves = settings.getByRole('button', {name: word('chat.followUpSave'), exact: true})
    await settings.getByRole('button', {name: word('chat.promptAdd'), exact: true}).tap()
    await settings.getByRole('textbox', {name: word('chat.promptName'), exact: true}).fill('ترجمة')
    await settings.getByRole('textbox', {name: word('chat.promptText'), exact: true}).fill('ترجم إلى {{لغة}}: سلام')
    await settings
      .locator('form')
      .getByRole('button', {name: word('chat.followUpSave'), exact: true})
      .last()
      .tap()
    await expect(settings.getByRole('group', {name: 'ترجمة'})).toBeVisible()
    await settings.getByRole('textbox', {name: word('chat.instructions'), exact: true}).fill('كن موجزًا.')
    await saves.first().tap()
    await expect(saves.first()).toBeDisabled()
    await expectForFingers(chat, settings)
    await expectGoodInBothThemes(chat, 'settings')

    await chat.goto(new URL('/chatgpt/conversations', chat.url()).href)
    await composer(chat).fill('/')
    const option = chat.getByRole('option', {name: 'ترجمة'})
    await expect(option).toBeVisible()
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await expectGoodInBothThemes(chat, 'prompts')
    await option.tap()
    const fields = chat.getByRole('dialog', {name: 'ترجمة'})
    await fields.getByRole('textbox').fill('الفرنسية')
    await expectForFingers(chat, fields)
    await expectGoodInBothThemes(chat, 'a prompt with a field')
    await fields.getByRole('button', {name: word('chat.promptInsert'), exact: true}).tap()
    await expect(composer(chat)).toHaveValue('ترجم إلى الفرنسية: سلام')
    await named('chat.send').tap()
    await expect(lastMessage(chat)).toContainText('تمّ')
    await ended(chat)
    expect(modelServer.prompts).toEqual(['ترجم إلى الفرنسية: سلام'])
    expect(modelServer.calls[0]?.messages[0]).toEqual({role: 'system', content: 'كن موجزًا.'})

    await named('chat.threadMenu').tap()
    await chat.getByRole('menuitem', {name: word('chat.instructionsOne'), exact: true}).tap()
    const dialog = chat.getByRole('dialog', {name: word('chat.instructionsOne')})
    await dialog.getByRole('textbox').fill('أجب شعرًا.')
    await expectForFingers(chat, dialog)
    await expectGoodInBothThemes(chat, 'instructions')
    await dialog.getByRole('button', {name: word('chat.followUpSave'), exact: true}).tap()
    await expect(dialog).toHaveCount(0)
    await askByTouch(chat, 'مرة أخرى')
    await expect.poll(() => modelServer.calls.length).toBe(2)
    await ended(chat)
    const instructed = modelServer.calls[1]?.messages.filter(({role}) => role === 'system')
    expect(JSON.stringify(instructed)).toContain('أجب شعرًا.')
  },
)
