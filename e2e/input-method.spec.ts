import {answers, ask, composer, expect, test} from './fixtures.ts'
import {conversations, ended, lastMessage, opened, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {HeldRoute, goOn} from './support/held-route.ts'
import {InputMethod} from './support/input-method.ts'
import {field, open, options, palette} from './support/open-palette.ts'
import {addPrompt, openSettings} from './support/saved-prompts.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/* Enter, Escape and the arrows of a composition are the input method's; the text that it composes is in the field. */

test('in the message field: nothing is sent, stopped or left', async ({chat, modelServer}) => {
  const method = await InputMethod.of(chat)
  modelServer.answer('one two three')
  modelServer.hold(1)
  await opened(chat)
  await method.compose('に')
  await method.choose('日')
  await expect(composer(chat)).toHaveValue('日')
  await method.enter('日本')
  await expect(composer(chat)).toHaveValue('日本')
  await expect(answers(chat)).toHaveCount(0)
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('one')

  await method.compose('ご')
  await method.escape()
  await expect(composer(chat)).toHaveValue('')
  await expect(composer(chat)).toBeFocused()
  await method.compose('ご')
  await method.enter('語')
  await expect(composer(chat)).toHaveValue('語')
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('one two three')
  await ended(chat)
  // the arrow would edit the last question
  await composer(chat).fill('')
  await method.compose('つ')
  await method.choose('次')
  await method.escape()
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveCount(0)
  expect(modelServer.prompts).toEqual(['日本'])
})

test('in the editor of a message: it stays open, and the text is saved', long, async ({chat, modelServer}) => {
  const method = await InputMethod.of(chat)
  modelServer.answer('got it')
  await ask(chat, 'before')
  await ended(chat)
  await composer(chat).press('ArrowUp')
  const editor = chat.getByRole('textbox', {name: 'Edit message'})
  await expect(editor).toBeFocused()
  await method.compose('に')
  await method.escape()
  await expect(editor).toHaveValue('before')
  await method.compose('に')
  await method.enter('日本')
  await expect(editor).toHaveValue('before日本')
  expect(modelServer.prompts).toEqual(['before'])
  await editor.press('Enter')
  await ended(chat)
  await expect(answers(chat).first()).toContainText('before日本')
})

test(
  'in the search of the list and in a title: nothing is opened, emptied or renamed',
  long,
  async ({chat, installation, signedIn}) => {
    const method = await InputMethod.of(chat)
    await seedConversation(installation, signedIn, ['日本語の質問', '答え'])
    await chat.reload()
    const address = chat.url()
    const search = conversations(chat).getByRole('searchbox')
    await search.focus()
    await method.compose('にほん')
    await expect(search).toHaveValue('にほん')
    await method.enter('日本')
    await expect(search).toHaveValue('日本')
    await expect(conversations(chat).getByRole('listitem')).toHaveCount(1)
    await method.compose('ご')
    await method.escape()
    await expect(search).toHaveValue('日本')
    expect(chat.url()).toBe(address)
    await search.press('Escape')
    await expect(search).toHaveValue('')

    await row(chat, 'seeded').getByRole('link').press('F2')
    const title = row(chat, '').getByRole('textbox').or(conversations(chat).locator('input:not([role])')).first()
    await expect(title).toBeFocused()
    await title.press('End')
    await method.compose('に')
    await method.escape()
    await expect(title).toHaveValue('seeded')
    await method.compose('に')
    await method.enter('日本')
    await expect(title).toHaveValue('seeded日本')
    await title.press('Enter')
    await expect(row(chat, 'seeded日本')).toBeVisible()
  },
)

test('in the palette: it stays open, and runs nothing', long, async ({chat}) => {
  const method = await InputMethod.of(chat)
  await opened(chat)
  await open(chat)
  const first = await options(chat).first().textContent()
  await method.compose('せ')
  await method.choose('設')
  await method.escape()
  await expect(field(chat)).toHaveValue('')
  await expect(options(chat).first()).toHaveText(first ?? '')
  await expect(options(chat).first()).toHaveAttribute('aria-selected', 'true')
  await method.compose('Set')
  await method.enter('Settings')
  await expect(field(chat)).toHaveValue('Settings')
  await expect(palette(chat)).toBeVisible()
  await expect(chat.getByRole('dialog')).toHaveCount(1)
})

test('behind a slash: no saved prompt is taken before its name is composed', long, async ({chat, modelServer}) => {
  const method = await InputMethod.of(chat)
  await addPrompt(await openSettings(chat), '日記', 'My diary of today')
  await chat.keyboard.press('Escape')
  await expect(chat.getByRole('dialog')).toHaveCount(0)
  await composer(chat).focus()
  await composer(chat).pressSequentially('/')
  const prompt = chat.getByRole('listbox', {name: 'Saved prompts'}).getByRole('option')
  await expect(prompt).toHaveCount(1)
  await method.compose('日')
  await method.escape()
  // the list is there still
  await expect(prompt).toHaveCount(1)
  await expect(composer(chat)).toHaveValue('/')
  await method.compose('に')
  await method.choose('日')
  await method.enter('日記')
  await expect(composer(chat)).toHaveValue('/日記')
  await expect(prompt).toHaveCount(1)
  await composer(chat).press('Enter')
  await expect(composer(chat)).toHaveValue('My diary of today')
  expect(modelServer.prompts).toEqual([])
})

test(
  'while conversations are chosen: Escape leaves the choice as it is',
  long,
  async ({chat, installation, signedIn}) => {
    const method = await InputMethod.of(chat)
    await seedConversation(installation, signedIn, ['question', 'answer'])
    await chat.reload()
    await row(chat, 'seeded').getByRole('link').press('Space')
    const bar = chat.getByRole('toolbar')
    await expect(bar).toBeVisible()
    await composer(chat).focus()
    await method.compose('に')
    await method.escape()
    await expect(bar).toBeVisible()
  },
)

test(
  'in the field before the app is there: what is composed goes over',
  long,
  async ({chat, installation, modelServer}) => {
    const script = await HeldRoute.on(chat, /\/assets\/app-.*\.js/)
    await chat.goto(`${installation.url}/chatgpt/conversations`, {waitUntil: 'commit'})
    const early = chat.locator('#early-question')
    await expect(early).toBeFocused()
    const method = await InputMethod.of(chat)
    await method.compose('に')
    await method.enter('日本')
    await method.compose('ご')
    await script.let(goOn)
    await expect(early).toHaveCount(0)
    await expect(composer(chat)).toHaveValue('日本ご')
    await expect(composer(chat)).toBeFocused()
    await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
    await method.compose('の')
    await method.enter('の')
    await expect(composer(chat)).toHaveValue('日本ごの')
    expect(modelServer.prompts).toEqual([])
  },
)
