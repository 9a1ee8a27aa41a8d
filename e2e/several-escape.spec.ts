import {ask, composer, expect, test} from './fixtures.ts'
import {lastMessage, row} from './support/chat-page.ts'
import {seedConversation} from './support/seeded-conversation.ts'

test('Escape in the message field ends the choosing of conversations first: text and answer stay', async ({
  tab: chat,
  installation,
  signedIn,
  modelServer,
}) => {
  await seedConversation(installation, signedIn, ['question', 'answer'])
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  modelServer.answer('first second')
  modelServer.hold(1)
  await ask(chat, 'Apple')
  await expect(lastMessage(chat)).toContainText('first')
  const link = row(chat, 'seeded').getByRole('link')
  await link.press('Space')
  const bar = chat.getByRole('toolbar', {name: 'Selected conversations'})
  await expect(bar).toBeVisible()
  await composer(chat).fill('What comes next?')
  const stops: string[] = []
  chat.on('request', (request) => {
    const body = request.postData() ?? ''
    if (body.includes('"action":"stop"')) stops.push(body)
  })
  await composer(chat).press('Escape')
  await expect(bar).toBeHidden()
  await expect(composer(chat)).toBeFocused()
  await expect(composer(chat)).toHaveValue('What comes next?')
  // what the page sends after a stop comes after it
  await chat.evaluate(() => fetch('/robots.txt').then((response) => response.text()))
  expect(stops).toEqual([])
  await expect(lastMessage(chat)).not.toContainText('Stopped.')
  // now it is the answer's
  await composer(chat).press('Escape')
  await expect(lastMessage(chat)).toContainText('Stopped.')
  expect(stops).toHaveLength(1)
  await expect(composer(chat)).toHaveValue('What comes next?')

  // the list of saved prompts closes before the choosing ends
  await link.press('Space')
  await composer(chat).fill('')
  await composer(chat).pressSequentially('/')
  await expect(composer(chat)).toHaveAttribute('aria-controls')
  await composer(chat).press('Escape')
  await expect(bar).toBeVisible()
  await composer(chat).press('Escape')
  await expect(bar).toBeHidden()
})

test('a dialog of the chosen conversations gives the focus back to its button, also when its code is loaded first', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  await seedConversation(installation, signedIn, ['question', 'answer'])
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  await row(chat, 'seeded').getByRole('link').press('Space')
  const bar = chat.getByRole('toolbar', {name: 'Selected conversations'})
  for (const name of ['Labels…', 'Export…']) {
    const button = bar.getByRole('button', {name})
    await button.focus()
    await button.press('Enter')
    await expect(chat.getByRole('dialog')).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(chat.getByRole('dialog')).toHaveCount(0)
    await expect(button).toBeFocused()
  }
})
