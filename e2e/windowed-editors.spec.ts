import {expect, test} from './fixtures.ts'
import {conversations, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* An editor in a long list stays open and keeps the focus, wherever the view is. */

test('a message that is edited keeps its editor while the thread is scrolled far away', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(200))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(thread(chat).getByText('answer 199', {exact: true})).toBeInViewport()
  const last = thread(chat).getByRole('article').filter({hasText: 'question 198'})
  await last.hover()
  await last.getByRole('button', {name: 'Edit', exact: true}).click()
  const editor = thread(chat).getByRole('textbox', {name: 'Edit message'})
  await expect(editor).toBeFocused()
  await chat.keyboard.type(', or')
  await thread(chat).hover()
  await expect(async () => {
    await chat.mouse.wheel(0, -60_000)
    await expect(
      thread(chat)
        .getByText(/^question \d\d?$/)
        .first(),
    ).toBeInViewport({timeout: 500})
  }).toPass()
  await expect(editor).not.toBeInViewport()
  await expect(editor).toBeFocused()
  await chat.keyboard.type(' not')
  await expect(editor).toHaveValue('question 198, or not')
})

test(
  'a title that is edited keeps its editor while the list is scrolled far away',
  long,
  async ({chat, installation, signedIn}) => {
    const many = Array.from({length: 260}, (_, index) => ({
      title: `Seeded ${index}`,
      texts: ['foo', 'bar'],
      minutesAgo: index,
    }))
    await seedConversations(installation, signedIn, many)
    await chat.reload()
    const row = conversations(chat).getByRole('link', {name: 'Seeded 4', exact: true})
    await row.focus()
    await chat.keyboard.press('F2')
    const editor = chat.getByRole('textbox', {name: 'Title of the conversation'})
    await expect(editor).toBeFocused()
    await chat.keyboard.type('A new')
    await conversations(chat).getByRole('link', {name: 'Seeded 7', exact: true}).hover()
    await expect(async () => {
      await chat.mouse.wheel(0, 4_000)
      await expect(conversations(chat).getByRole('link', {name: 'Seeded 250', exact: true})).toBeInViewport({
        timeout: 500,
      })
    }).toPass()
    await expect(editor).toBeFocused()
    await chat.keyboard.type(' title')
    await chat.keyboard.press('Enter')
    // the focus goes back to its row
    await expect(conversations(chat).getByRole('link', {name: 'A new title', exact: true})).toBeInViewport()
  },
)

test(
  'a title that is edited keeps its editor when the rest of a long list comes',
  long,
  async ({tab: chat, installation, signedIn}) => {
    const many = Array.from({length: 260}, (_, index) => ({
      title: `Seeded ${index}`,
      texts: ['foo', 'bar'],
      minutesAgo: index + 1,
    }))
    await seedConversations(installation, signedIn, [{title: 'First', texts: ['foo', 'bar']}])
    await chat.goto(`${installation.url}/chatgpt/conversations`)
    const row = conversations(chat).getByRole('link', {name: 'First', exact: true})
    await expect(row).toBeVisible()
    // the device has a copy of it
    await chat.waitForLoadState('networkidle')
    await seedConversations(installation, signedIn, many)
    const list = await HeldRoute.on(
      chat,
      /aichat\/conversations$/,
      (request) => request.postData()?.includes('offset') === true,
    )
    await chat.reload()
    await row.focus()
    await chat.keyboard.press('F2')
    const editor = chat.getByRole('textbox', {name: 'Title of the conversation'})
    await chat.keyboard.type('A new')
    await list.let(goOn)
    await expect(conversations(chat).getByRole('link', {name: 'Seeded 4', exact: true})).toBeAttached()
    await expect(editor).toBeFocused()
    await chat.keyboard.type(' title')
    await chat.keyboard.press('Enter')
    await expect(conversations(chat).getByRole('link', {name: 'A new title', exact: true})).toBeFocused()
  },
)
