import {composer, expect, test} from './fixtures.ts'
import {opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {arabicPhone, expectForFingers, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/* Keys that a user chose before something else had them: the list of keys says what has them now. */

/** Those of “Find in conversation”, which a waiting question has. */
const chosenKeys = () => localStorage.setItem('atrium.keys', 'find=Alt%2BArrowUp')

const clash = (word: (id: string) => string) =>
  word('index.shortcutInUse')
    .replace('{keys}', 'Alt ↑')
    .replace('{use}', `${word('chat.followUps')}: ${word('chat.followUpUp')}`)

test('a clash of keys is said in their list until others are chosen', long, async ({chat}) => {
  await chat.evaluate(chosenKeys)
  await chat.reload()
  await opened(chat)
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const word = await wordsOf(chat)
  const sheet = chat.getByRole('dialog', {name: word('index.shortcutSheet')})
  const said = sheet.getByRole('status').filter({hasText: clash(word)})
  await expect(said).toBeVisible()
  await expectGoodInBothThemes(chat, 'a clash of keys')
  await sheet
    .getByRole('button', {name: startOf(word('index.shortcutChange').replace('{command}', word('chat.find')))})
    .click()
  await expect(sheet.getByRole('status')).toHaveText(word('index.shortcutPress'))
  await chat.keyboard.press('ControlOrMeta+Alt+e')
  await expect(sheet.getByRole('status')).toHaveCount(0)
  await chat.reload()
  await opened(chat)
  await composer(chat).blur()
  await chat.keyboard.press('?')
  await expect(sheet).toBeVisible()
  await expect(said).toHaveCount(0)
})

test.describe('on a phone in Arabic', () => {
  test.use(arabicPhone)

  test('a clash of keys is said in the settings', long, async ({chat}) => {
    await chat.evaluate(chosenKeys)
    await chat.goto(new URL('/profile', chat.url()).href)
    const word = await wordsOf(chat)
    await chat.getByRole('main').getByText(word('index.settings'), {exact: true}).tap()
    const settings = chat.getByRole('dialog', {name: word('index.settings')})
    await settings.getByRole('tab', {name: word('index.settingKeys'), exact: true}).tap()
    const said = settings.getByRole('status').filter({hasText: clash(word)})
    await expect(said).toBeVisible()
    await said.scrollIntoViewIfNeeded()
    await expectForFingers(chat, settings)
    await expectGoodInBothThemes(chat, 'a clash of keys')
    await settings
      .getByRole('button', {name: word('index.shortcutReset').replace('{command}', word('chat.find')), exact: true})
      .tap()
    await expect(said).toHaveCount(0)
  })
})
