import {answers, ask, composer, expect, test} from './fixtures.ts'
import {
  chooseModel,
  conversationId,
  copiedAnswer,
  lastMessage,
  stopAnswer,
  storedAnswer,
  thread,
} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {demanding, numbered} from './support/texts.ts'

test('register, accept, ask: words appear while the provider still writes', long, async ({page, user, modelServer}) => {
  expect(user.email).toContain('@')
  modelServer.reset()
  modelServer.answer('First words of a long answer that ends here.')
  modelServer.hold(2)
  await ask(page, 'What is it?')
  await expect(answers(page).first()).toContainText('What is it?')
  await expect(lastMessage(page)).toContainText('First words')
  await expect(lastMessage(page)).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('button', {name: 'Stop'})).toBeVisible()
  await expect(lastMessage(page)).not.toContainText('of a long')
  modelServer.release()
  await expect(lastMessage(page)).toContainText('that ends here.')
  await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
})

test(
  'a model server waits: the answer says so, and its first word replaces that',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('Here it is.')
    modelServer.hold()
    await ask(chat, 'Slow?')
    await expect(lastMessage(chat).getByRole('img', {name: 'Waiting for the answer'})).toBeVisible()
    modelServer.release()
    await expect(lastMessage(chat)).toContainText('Here it is.')
    await expect(chat.getByRole('img', {name: 'Waiting for the answer'})).toHaveCount(0)
  },
)

test('what is stored and copied is what the provider sent, byte for byte; a reload shows the same', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer(demanding)
  await ask(chat, 'Everything')
  await expect(lastMessage(chat)).toContainText('The last words of it.')
  await expect(chat.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  expect((await storedAnswer(chat, await conversationId(chat))).content).toBe(demanding)
  // the clipboard of the system may write line ends its own way
  expect((await copiedAnswer(chat)).replaceAll('\r\n', '\n')).toBe(demanding.replaceAll('\r\n', '\n'))
  const before = await lastMessage(chat).locator('p, li, pre').allInnerTexts()
  await chat.reload()
  await expect(lastMessage(chat)).toContainText('The last words of it.')
  expect(await lastMessage(chat).locator('p, li, pre').allInnerTexts()).toEqual(before)
})

test('the first question of a page stands there at once: no placeholder comes before it', async ({
  chat,
  modelServer,
}) => {
  modelServer.hold()
  await composer(chat).fill('Kites')
  // its thread loads while it is typed
  const names = () => chat.evaluate(() => performance.getEntriesByType('resource').map(({name}) => name))
  await expect.poll(names).toContainEqual(expect.stringMatching(/\/thread-[^/]*\.css$/))
  // the list of prompts is of the same part, and named by the same words: both have come, and not only their files
  const prompts = chat.getByRole('listbox', {name: 'Saved prompts'})
  await composer(chat).fill('/')
  await expect(prompts).toBeAttached()
  await composer(chat).fill('Kites')
  await expect(prompts).toHaveCount(0)
  await chat.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('main [aria-label="Loading"]')) document.body.dataset['placeholder'] = ''
    }).observe(document.body, {childList: true, subtree: true})
  })
  await composer(chat).press('Enter')
  await expect(answers(chat).first()).toContainText('Kites')
  await expect(chat.locator('body[data-placeholder]')).toHaveCount(0)
  modelServer.release()
  await expect(thread(chat)).toHaveAttribute('aria-busy', 'false')
})

test('the sandbox answers, labelled, and says what it cannot do', long, async ({chat}) => {
  await chooseModel(chat, /^Sandbox/)
  await ask(chat, 'What is the capital of Peru?')
  await expect(lastMessage(chat)).toContainText('I cannot make up an answer')
  await expect(lastMessage(chat)).toContainText('Sandbox: no language model wrote this')
})

test('the history of a conversation goes to the model', long, async ({chat, modelServer}) => {
  modelServer.answer((prompt) => `Answer to ${prompt}`)
  await ask(chat, 'One')
  await expect(lastMessage(chat)).toContainText('Answer to One')
  await expect(composer(chat)).toHaveAttribute('placeholder', 'Ask a follow-up…')
  // Enter sends nothing while an answer is written
  await expect(thread(chat)).toHaveAttribute('aria-busy', 'false')
  await ask(chat, 'Two')
  await expect(lastMessage(chat)).toContainText('Answer to Two')
  expect(modelServer.calls.at(-1)?.messages.map(({role, content}) => [role, content])).toEqual([
    ['user', 'One'],
    ['assistant', 'Answer to One'],
    ['user', 'Two'],
  ])
})

test('Stop keeps the text and settles; Continue asks to go on, Retry asks again', async ({chat, modelServer}) => {
  modelServer.answer(numbered(50))
  modelServer.hold(3)
  await ask(chat, 'Count')
  await expect(lastMessage(chat)).toContainText('word3')
  await chat.getByRole('button', {name: 'Stop'}).click()
  await expect(lastMessage(chat)).toContainText('Stopped.')
  await expect(lastMessage(chat)).toContainText('word1 word2 word3')
  await expect(composer(chat)).toBeEnabled()
  const id = await conversationId(chat)
  await expect
    .poll(() => storedAnswer(chat, id))
    .toMatchObject({
      content: 'word1 word2 word3',
      state: 'failed',
      outcome: 'stopped',
    })

  modelServer.release()
  modelServer.answer('and so on')
  await lastMessage(chat).getByRole('button', {name: 'Continue'}).click()
  await expect(lastMessage(chat)).toContainText('and so on')
  await expect(answers(chat)).toHaveCount(4)
  await expect(answers(chat).nth(1)).toContainText('Stopped.')
  // until the answer has ended no question is taken
  await expect(chat.getByRole('button', {name: 'Stop'})).toHaveCount(0)

  modelServer.hold(1)
  await ask(chat, 'Once more')
  await expect(lastMessage(chat)).toContainText('and')
  await stopAnswer(chat, () => chat.getByRole('button', {name: 'Stop'}).click())
  modelServer.release()
  modelServer.answer('again, whole')
  await lastMessage(chat).getByRole('button', {name: 'Retry'}).click()
  await expect(lastMessage(chat)).toContainText('again, whole')
  await expect(answers(chat)).toHaveCount(6)
  await expect(thread(chat).getByText('Stopped.')).toHaveCount(1)
})

test(
  'Stop before the first word leaves an empty stopped answer, and the next question is taken',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('never read')
    modelServer.hold()
    await ask(chat, 'Wait')
    await stopAnswer(chat, () => chat.getByRole('button', {name: 'Stop'}).click())
    await expect(lastMessage(chat)).toContainText('Stopped.')
    await expect(lastMessage(chat).getByRole('button', {name: 'Continue'})).toHaveCount(0)
    modelServer.release()
    modelServer.answer('taken')
    await composer(chat).fill('Next')
    await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
    await composer(chat).press('Enter')
    await expect(lastMessage(chat)).toContainText('taken')
  },
)
