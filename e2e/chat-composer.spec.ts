import {ask, answers, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, newChat, row, thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {clean} from './support/toxics.ts'

test('Enter sends, Shift+Enter breaks the line, white space alone is not sent', long, async ({chat, modelServer}) => {
  modelServer.answer('got it')
  const send = chat.getByRole('button', {name: 'Send'})
  await expect(send).toBeDisabled()
  await composer(chat).fill('   ')
  await expect(send).toBeDisabled()
  await composer(chat).fill('one')
  await composer(chat).press('Shift+Enter')
  await composer(chat).pressSequentially('two')
  await expect(composer(chat)).toHaveValue('one\ntwo')
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('got it')
  expect(modelServer.prompts).toEqual(['one\ntwo'])
  await expect(composer(chat)).toHaveValue('')
})

test('an Enter that ends an input method sends nothing', long, async ({chat, modelServer}) => {
  modelServer.answer('got it')
  await composer(chat).focus()
  const client = await chat.context().newCDPSession(chat)
  await client.send('Input.imeSetComposition', {text: 'に', selectionStart: 1, selectionEnd: 1})
  await composer(chat).dispatchEvent('keydown', {key: 'Enter', code: 'Enter', isComposing: true, keyCode: 229})
  await client.send('Input.insertText', {text: '日本'})
  await expect(composer(chat)).toHaveValue('日本')
  await expect(answers(chat)).toHaveCount(0)
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('got it')
  expect(modelServer.prompts).toEqual(['日本'])
})

test('Escape stops; what was typed meanwhile and not sent stays', long, async ({chat, modelServer}) => {
  modelServer.answer('one two three')
  modelServer.hold(1)
  await ask(chat, 'Go')
  await expect(lastMessage(chat)).toContainText('one')
  await composer(chat).fill('typed meanwhile')
  await composer(chat).press('Escape')
  await expect(lastMessage(chat)).toContainText('Stopped.')
  await expect(composer(chat)).toHaveValue('typed meanwhile')
  expect(modelServer.prompts).toEqual(['Go'])
})

test('a triple click on Send asks once, marks no word and leaves the field its focus', async ({chat, modelServer}) => {
  modelServer.answer('one two three')
  // the field of an empty chat stands where the thread will be
  await composer(chat).fill('Go')
  await chat.getByRole('button', {name: 'Send', exact: true}).click({clickCount: 3})
  await expect(lastMessage(chat)).toContainText('three')
  await ended(chat)
  await chat.keyboard.type('and on')
  await expect(composer(chat)).toHaveValue('and on')
  expect(await chat.evaluate(() => getSelection()?.toString())).toBe('')
  expect(modelServer.prompts).toEqual(['Go'])
  // a double click of its own selects
  await thread(chat)
    .getByText('one two three')
    .dblclick({position: {x: 8, y: 10}})
  expect(await chat.evaluate(() => getSelection()?.toString().trim())).toBe('one')
})

test(
  'a stop that is still on its way holds though the page is loaded again',
  long,
  async ({wired: {page, cable}, modelServer}) => {
    modelServer.answer('one two three')
    modelServer.hold(1)
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    let isUnderWay = () => {}
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    cable.poison(clean, async function* (source) {
      for await (const bytes of source) {
        if (bytes.includes('"action":"stop"')) {
          isUnderWay()
          await arrival
        }
        yield bytes
      }
    })
    await ask(page, 'Go')
    await expect(lastMessage(page)).toContainText('one')
    await composer(page).press('Escape')
    await underWay
    cable.heal()
    await page.reload()
    await composer(page).waitFor()
    arrive()
    await expect(lastMessage(page)).toContainText('Stopped.')
  },
)

test('a draft survives a switch and a reload, each in its own conversation', async ({chat, modelServer}) => {
  modelServer.answer('drafty words')
  await ask(chat, 'Start')
  await expect(lastMessage(chat)).toContainText('drafty words')
  await composer(chat).fill('a follow-up in the making')
  await newChat(chat)
  await expect(composer(chat)).toHaveValue('')
  await composer(chat).fill('a new one in the making')
  await row(chat, 'Start').getByRole('link').click()
  await expect(composer(chat)).toHaveValue('a follow-up in the making')
  await expect(composer(chat)).toBeFocused()
  await chat.keyboard.type('!')
  await expect(composer(chat)).toHaveValue('a follow-up in the making!')
  await chat.reload()
  await expect(composer(chat)).toHaveValue('a follow-up in the making!')
  await newChat(chat)
  await expect(composer(chat)).toHaveValue('a new one in the making')
  await composer(chat).fill('')
})

test('the field grows with its text to a limit, then its text scrolls and the caret stays in view', async ({chat}) => {
  const field = composer(chat)
  const sizes = () =>
    field.evaluate(({clientHeight, scrollHeight, scrollTop}) => ({clientHeight, scrollHeight, scrollTop}))
  // the field of the page takes the place of the one that stood there before the script
  let lowest = 0
  await expect
    .poll(async () => {
      lowest = (await sizes()).clientHeight
      return lowest
    })
    .toBeGreaterThan(0)
  await field.fill('one\ntwo\nthree\nfour')
  const four = await sizes()
  expect(four.clientHeight).toBeGreaterThan(lowest + 40)
  expect(four.scrollHeight).toBe(four.clientHeight)
  await field.fill(Array.from({length: 80}, (_, index) => `line ${index}`).join('\n'))
  await field.press('End')
  const most = await sizes()
  expect(most.clientHeight).toBeLessThanOrEqual(0.4 * 900 + 1)
  expect(most.scrollTop).toBeGreaterThan(most.scrollHeight - most.clientHeight - 40)
  await expect(chat.getByRole('button', {name: 'Send', exact: true})).toBeInViewport({ratio: 1})
  await field.fill('')
  expect((await sizes()).clientHeight).toBe(lowest)
})

test('a very long text keeps the direction that it has, which costs a second at every key to find anew', async ({
  chat,
}) => {
  const field = composer(chat)
  for (const [word, direction] of [
    ['كلمة ', 'rtl'],
    ['word ', 'ltr'],
  ] as const) {
    await field.fill(word.repeat(11_000))
    await expect(field).toHaveAttribute('dir', direction)
    await field.press('End')
    await field.pressSequentially('12')
    await expect(field).toHaveAttribute('dir', direction)
    await expect(field).toHaveCSS('direction', direction)
    await field.fill(word)
    await expect(field).toHaveAttribute('dir', 'auto')
    await expect(field).toHaveCSS('direction', direction)
  }
})

test('a suggestion fills the field and sends nothing', long, async ({chat}) => {
  await chat.getByRole('button', {name: 'Explain'}).click()
  await expect(composer(chat)).toHaveValue(/^Explain in simple words:/)
  await expect(composer(chat)).toBeFocused()
  await expect(answers(chat)).toHaveCount(0)
  await composer(chat).fill('')
})

test.describe('on a phone', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  test('Enter begins a line, and one tap on Send sends though the tab bar is away while one types', async ({
    chat,
    modelServer,
  }) => {
    modelServer.answer('sent by a finger')
    const tabs = chat.getByRole('navigation', {name: 'Main'})
    await expect(tabs).toBeVisible()
    await composer(chat).tap()
    await expect(tabs).toBeHidden()
    await ask(chat, 'One line')
    await chat.keyboard.insertText('and another')
    await chat.getByRole('button', {name: 'Send'}).tap()
    await expect(lastMessage(chat)).toContainText('sent by a finger')
    expect(modelServer.prompts).toEqual(['One line\nand another'])
    await expect(tabs).toBeVisible()
  })
})

for (const [what, address] of some([
  ['who is signed in', '**/api/v1/users/me'],
  ['which models are served', '**/api/v1/services/*'],
] as const))
  test(
    `a question that is sent before it is known ${what} goes out when it is, once`,
    long,
    async ({chat, installation, modelServer}) => {
      modelServer.answer((prompt) => `${prompt} answered`)
      await chat.goto(`${installation.url}/robots.txt`)
      await chat.evaluate(() => {
        // as: what this app keeps
        const kept = JSON.parse(localStorage.getItem('vuex') ?? '{}') as {chat: {service?: unknown}}
        delete kept.chat.service
        localStorage.setItem('vuex', JSON.stringify(kept))
      })
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      await chat.route(address, async (route) => {
        await released
        await route.continue()
      })
      const held = chat.waitForRequest(address)
      await chat.goto(`${installation.url}/chatgpt/conversations`)
      await held
      await ask(chat, 'Early')
      await expect(chat.getByRole('button', {name: 'Stop'})).toBeVisible()
      await expect(composer(chat)).toHaveValue('Early')
      expect(modelServer.calls).toHaveLength(0)
      release()
      await expect(lastMessage(chat)).toContainText('Early answered')
      await expect(answers(chat)).toHaveCount(2)
      await expect(composer(chat)).toHaveValue('')
      expect(modelServer.calls).toHaveLength(1)
    },
  )
