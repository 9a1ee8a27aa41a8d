import type {Locator, Page} from '@playwright/test'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {pager} from './support/message-versions.ts'
import {reopenIn} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'

/* The files of a question that was asked can be changed with its text. */

const dot = (name: string) => ({name, mimeType: 'image/png', buffer: pixel})
const editor = (page: Page) => answers(page).first().locator('form')
const imagesOf = (message: Locator) => message.getByRole('img')

/** A question with one image, asked and answered. */
async function askWithFile(page: Page, name: string) {
  await page.locator('[data-composer] input[type=file]').setInputFiles(dot(name))
  await expect(page.getByText('Ready')).toBeVisible()
  await ask(page, 'Look')
  await expect(lastMessage(page)).not.toContainText('Look')
  await ended(page)
}

async function openEditor(page: Page) {
  await answers(page).first().hover()
  await answers(page).first().getByRole('button', {name: 'Edit'}).click()
  await expect(page.getByRole('textbox', {name: 'Edit message'})).toBeFocused()
}

test('an edited question loses a file, gains two, and is asked with them; a reload in between keeps all', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('Seen.')
  await askWithFile(chat, 'first.png')
  await openEditor(chat)
  await expect(editor(chat).getByText('Ready')).toBeVisible()
  await editor(chat)
    .locator('input[type=file]')
    .setInputFiles([dot('second.png'), dot('third.png')])
  await expect(editor(chat).getByText('third.png').first()).toBeVisible()
  await expect(editor(chat).getByText('Ready')).toHaveCount(3)
  await editor(chat)
    .getByRole('button', {name: /^Remove first/})
    .click()
  await chat.reload()
  await expect(editor(chat).getByText('Ready')).toHaveCount(2)
  await editor(chat).getByRole('button', {name: 'Save & ask again'}).click()
  await expect(pager(answers(chat).first())).toContainText('2 / 2')
  await ended(chat)
  await expect(imagesOf(answers(chat).first())).toHaveCount(2)
  await chat.reload()
  await expect(imagesOf(answers(chat).first())).toHaveCount(2)
  await pager(answers(chat).first()).getByRole('button', {name: 'Previous version'}).click()
  await expect(imagesOf(answers(chat).first())).toHaveCount(1)
  await expect(composer(chat)).toHaveValue('')
})

test(
  'the files that an editor gets at the end of the thread are in view, and stay there',
  long,
  async ({chat, modelServer}) => {
    await chat.setViewportSize({width: 1440, height: 600})
    modelServer.answer('Seen. '.repeat(400))
    await ask(chat, 'Look')
    await expect(lastMessage(chat)).toContainText('Seen.')
    await ended(chat)
    modelServer.answer('Seen. '.repeat(60))
    await ask(chat, 'Look here')
    await expect(answers(chat)).toHaveCount(4)
    await expect(lastMessage(chat)).toContainText('Seen.')
    await ended(chat)
    const question = answers(chat).nth(2)
    await question.hover()
    await question.getByRole('button', {name: 'Edit'}).click()
    const field = chat.getByRole('textbox', {name: 'Edit message'})
    await expect(field).toBeFocused()
    const distance = () =>
      thread(chat).evaluate(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)
    await chat.mouse.wheel(0, 1_000)
    await expect.poll(distance).toBeLessThanOrEqual(1)

    const files = question.locator('form').getByRole('listitem')
    const expectFilesInView = async () => {
      for (const file of await files.all()) await expect(file).toBeInViewport({ratio: 0.99})
    }
    for (const [index, name] of ['first.png', 'second.png'].entries()) {
      await question.locator('form input[type=file]').setInputFiles(dot(name))
      await expect(files.getByText('Ready')).toHaveCount(index + 1)
      await expectFilesInView()
    }
    await field.press('Shift+Enter')
    await field.press('Shift+Enter')
    await expectFilesInView()
    await question.getByRole('button', {name: 'Cancel'}).click()
    await expect.poll(distance).toBeLessThanOrEqual(1)
  },
)

test(
  'files alone can be saved without an answer, and a cancelled edit leaves them as they were',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('Seen.')
    await askWithFile(chat, 'first.png')
    await openEditor(chat)
    await editor(chat)
      .getByRole('button', {name: /^Remove first/})
      .click()
    await editor(chat).getByRole('button', {name: 'Cancel'}).click()
    await expect(imagesOf(answers(chat).first())).toHaveCount(1)
    await openEditor(chat)
    await expect(editor(chat).getByText('Ready')).toHaveCount(1)
    await expect(editor(chat).getByRole('button', {name: 'Save', exact: true})).toBeDisabled()
    await editor(chat)
      .getByRole('button', {name: /^Remove first/})
      .click()
    const asked = modelServer.calls.length
    await editor(chat).getByRole('button', {name: 'Save', exact: true}).click()
    await expect(pager(answers(chat).first())).toContainText('2 / 2')
    await expect(imagesOf(answers(chat).first())).toHaveCount(0)
    await expect(lastMessage(chat)).toContainText('Seen.')
    expect(modelServer.calls).toHaveLength(asked)
  },
)

test(
  'a file is dropped on the editor and another is pasted there; the message field takes neither',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('Seen.')
    await ask(chat, 'Look')
    await expect(lastMessage(chat)).toContainText('Seen.')
    await ended(chat)
    await openEditor(chat)
    const bytes = [...pixel]
    const transfer = (name: string) =>
      chat.evaluateHandle(
        ([fileName, content]) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(content)], fileName, {type: 'image/png'}))
          return data
        },
        [name, bytes] as const,
      )
    await chat.locator('body').dispatchEvent('dragenter', {dataTransfer: await transfer('dropped.png')})
    await chat.locator('body').dispatchEvent('dragover', {dataTransfer: await transfer('dropped.png')})
    await expect(chat.getByText('Drop files here')).toBeVisible()
    await editor(chat).dispatchEvent('dragover', {dataTransfer: await transfer('dropped.png')})
    await expect(chat.getByText('Drop files here')).toHaveCount(0)
    await editor(chat).dispatchEvent('drop', {dataTransfer: await transfer('dropped.png')})
    await expect(editor(chat).getByText('Ready')).toHaveCount(1)
    const pasted = await transfer('pasted.png')
    await chat.getByRole('textbox', {name: 'Edit message'}).evaluate((field, clipboardData) => {
      field.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
    }, pasted)
    await expect(editor(chat).getByText('Ready')).toHaveCount(2)
    await expect(chat.locator('[data-composer]').getByText('Ready')).toHaveCount(0)
    await editor(chat).getByRole('button', {name: 'Save & ask again'}).click()
    await expect(imagesOf(answers(chat).first())).toHaveCount(2)
  },
)

test.describe('on a phone', () => {
  test.use({hasTouch: true, isMobile: true, viewport: {width: 390, height: 844}})

  test(
    'the buttons of an editor stand in one line in Japanese, and an empty text says why it cannot be saved',
    long,
    async ({chat, modelServer}) => {
      modelServer.answer('Seen.')
      await composer(chat).fill('Look')
      await chat.getByRole('button', {name: 'Send', exact: true}).click()
      await expect(lastMessage(chat)).toContainText('Seen.')
      await ended(chat)
      await chat.context().addCookies([{name: 'LOCALE', value: 'ja', url: new URL(chat.url()).origin}])
      await chat.reload()
      await answers(chat).first().locator('[data-edit]').click()
      const buttons = ['キャンセル', '保存', '保存してもう一度質問'].map((name) =>
        editor(chat).getByRole('button', {name, exact: true}),
      )
      const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.y))
      expect(new Set(tops).size).toBe(1)
      const field = chat.getByRole('textbox', {name: 'メッセージを編集'})
      await field.fill(' ')
      await expect(field).toHaveAccessibleDescription('先に何か入力してください。空のメッセージにはできません。')
      await expect(editor(chat).getByText('先に何か入力してください。')).toBeVisible()
      expect(await axeFaults(chat)).toEqual([])
      await field.fill('Look')
      await expect(field).toHaveAccessibleDescription('')
    },
  )
})

for (const {name, theme, locale, width, height} of some([
  {name: 'dark on a desktop', theme: 'dark', locale: 'en', width: 1440, height: 900},
  {name: 'light on a phone', theme: 'light', locale: 'en', width: 390, height: 844},
  {name: 'Arabic on a phone', theme: 'light', locale: 'ar', width: 390, height: 844},
] as const)) {
  test(`an editor with files looks right: ${name}`, long, async ({chat, modelServer}, journey) => {
    modelServer.answer('Seen.')
    await askWithFile(chat, 'first.png')
    await openEditor(chat)
    await editor(chat)
      .locator('input[type=file]')
      .setInputFiles([dot('second.png')])
    await expect(editor(chat).getByText('Ready')).toHaveCount(2)
    await chat.setViewportSize({width, height})
    await reopenIn(chat, {theme, locale})
    await expect(editor(chat).getByRole('listitem')).toHaveCount(2)
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await chat.screenshot({path: journey.outputPath('edited-files.png')})
  })
}
