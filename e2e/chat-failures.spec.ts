import {answers, ask, expect, test} from './fixtures.ts'
import {alert, conversationId, ended, lastMessage, newChat, storedAnswer, thread} from './support/chat-page.ts'
import {isFull, long} from './support/full-run.ts'
import {numbered} from './support/texts.ts'

test('edit replaces a message and what came after; Escape changes nothing', long, async ({chat, modelServer}) => {
  modelServer.answer((prompt) => `About ${prompt}`)
  await ask(chat, 'cats')
  await expect(lastMessage(chat)).toContainText('About cats')
  await ended(chat)
  await ask(chat, 'dogs')
  await expect(lastMessage(chat)).toContainText('About dogs')

  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  const field = chat.getByRole('textbox', {name: 'Edit message'})
  await expect(field).toHaveValue('cats')
  await field.fill('nothing')
  await field.press('Escape')
  await expect(answers(chat)).toHaveCount(4)
  await expect(answers(chat).first()).toContainText('cats')

  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await field.fill('birds')
  await field.press('Control+Enter')
  await expect(lastMessage(chat)).toContainText('About birds')
  await expect(answers(chat)).toHaveCount(2)
  expect(modelServer.calls.at(-1)?.messages.map(({content}) => content)).toEqual(['birds'])
  await chat.reload()
  await expect(lastMessage(chat)).toContainText('About birds')
  await expect(answers(chat)).toHaveCount(2)
})

test('Answer again asks the same question and replaces the answer', long, async ({chat, modelServer}) => {
  modelServer.answer('first try')
  await ask(chat, 'Which?')
  await expect(lastMessage(chat)).toContainText('first try')
  modelServer.answer('second try')
  await lastMessage(chat).getByRole('button', {name: 'Answer again'}).click()
  await expect(lastMessage(chat)).toContainText('second try')
  await expect(answers(chat)).toHaveCount(2)
  await expect(thread(chat)).not.toContainText('first try')
  expect(modelServer.prompts).toEqual(['Which?', 'Which?'])
})

/** The sentence of each code is told by tests of the charts and views: the default run has the first three. */
const refusals = [
  {
    status: 401,
    body: {error: {message: 'Incorrect API key provided: sk-canary-e2e', code: 'invalid_api_key'}},
    sentence: "The model couldn't answer. Try again in a moment.",
    detail: 'api_error - openai does not accept the key of this installation.',
  },
  {
    status: 403,
    body: {error: {message: 'Region not supported'}},
    sentence: 'The provider refused this question. Change it, or choose another model.',
    detail: 'forbidden - Region not supported',
  },
  {
    status: 429,
    body: {error: {message: 'Slow down', code: 'rate_limit_exceeded'}},
    sentence: 'Too many requests. Try again in a moment.',
    detail: 'too_many_requests - Slow down',
  },
  {
    status: 500,
    body: {error: {message: 'Exploded'}},
    sentence: "The model couldn't answer. Try again in a moment.",
    detail: 'api_error - Exploded',
  },
  {
    status: 503,
    body: {error: {message: 'Loading model'}},
    sentence: 'The server is busy. Try again in a moment.',
    detail: 'busy - Loading model',
  },
  {
    status: 504,
    body: {error: {message: 'Upstream slept'}},
    sentence: "The model didn't answer in time. Your message is kept.",
    detail: 'timeout - Upstream slept',
  },
  {
    status: 400,
    body: {error: {message: 'This model has a maximum context length of 8 tokens', code: 'context_length_exceeded'}},
    sentence: 'The question or its files are too long. Shorten them and try again.',
    detail: 'content_too_large - This model has a maximum context length of 8 tokens',
  },
  {
    status: 400,
    body: {error: {message: 'No such parameter'}},
    sentence: "That didn't work. Change the question and try again.",
    detail: 'bad_request - No such parameter',
  },
  {
    status: 402,
    body: {error: {message: 'Pay', code: 'insufficient_quota'}},
    sentence: "This site's account at the provider has run out of credit.",
    detail: 'payment_required - The account of this installation at openai has no credit left.',
  },
]

test('each refusal of a provider has its own sentence, code and detail; Retry asks again', async ({
  chat,
  modelServer,
  installation,
}) => {
  for (const {status, body, sentence, detail} of isFull ? refusals : refusals.slice(0, 3)) {
    await test.step(`${status} ${detail}`, async () => {
      await newChat(chat)
      await expect(answers(chat)).toHaveCount(0)
      modelServer.fail(status, body)
      await ask(chat, `Refuse with ${status}`)
      await expect(alert(chat)).toContainText(sentence)
      await expect(alert(chat).getByText(detail, {exact: true})).toBeVisible()
      await expect(answers(chat).first()).toContainText(`Refuse with ${status}`)
      // an answer in between also closes the breaker that five faults in a row would open
      modelServer.answer(`fine after ${status}`)
      await alert(chat).getByRole('button', {name: 'Retry'}).click()
      await expect(lastMessage(chat)).toContainText(`fine after ${status}`)
      await expect(alert(chat)).toHaveCount(0)
      await expect(answers(chat)).toHaveCount(2)
    })
  }
  expect(installation.log).not.toContain('sk-canary-e2e')
})

test(
  'the button of a refusal that offers nothing else stands where its sentence does',
  long,
  async ({chat, modelServer}) => {
    modelServer.fail(403, {error: {message: 'Region not supported'}})
    await ask(chat, 'foo')
    await expect(chat.getByRole('alert')).toHaveCount(1)
    await ended(chat)
    modelServer.reset()
    await ask(chat, 'bar')
    await expect(answers(chat)).toHaveCount(4)
    await ended(chat)
    const card = chat.getByRole('alert')
    await expect(card.getByRole('button')).toHaveText(['Copy details'])
    for (const width of [1280, 390]) {
      await chat.setViewportSize({width, height: 844})
      const edges = () =>
        card.evaluate((element) => {
          const edge = (selector: string) => element.querySelector(selector)?.getBoundingClientRect().x
          return {sentence: edge('p'), sign: edge('svg'), icon: edge('button svg')}
        })
      await expect
        .poll(async () => {
          const {sentence, sign, icon} = await edges()
          return icon === (width === 390 ? sign : sentence)
        })
        .toBe(true)
    }
  },
)

test(
  'a connection cut in mid-answer: interrupted, the text kept, also after a reload; Retry',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer(numbered(20))
    modelServer.hold(3)
    await ask(chat, 'Cut')
    await expect(lastMessage(chat)).toContainText('word3')
    modelServer.cutNow()
    await expect(alert(chat)).toContainText(
      'The connection was lost before the answer was complete. What arrived is kept.',
    )
    await expect(lastMessage(chat)).toContainText('word1 word2 word3')
    expect(await storedAnswer(chat, await conversationId(chat))).toMatchObject({
      content: 'word1 word2 word3',
      state: 'failed',
      outcome: 'interrupted',
    })
    await chat.reload()
    await expect(alert(chat)).toContainText('What arrived is kept.')
    await expect(lastMessage(chat)).toContainText('word1 word2 word3')
    modelServer.release()
    await alert(chat).getByRole('button', {name: 'Retry'}).click()
    await expect(lastMessage(chat)).toContainText('word20')
    await expect(answers(chat)).toHaveCount(2)
  },
)
