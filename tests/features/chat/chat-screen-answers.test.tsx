import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import type {StoppedAnswer} from '#machines/conversation/conversation.types.ts'
import '#ui/overlays/menu-overlay.tsx'
import type {RecordMessage} from '#domain/conversation.ts'
import {record} from './chat-fixture.tsx'
import {showScreen, settled, ask} from './chat-screen-fixture.tsx'

const lost = new ApiError({code: 'unknown', detail: 'no network', lost: true})

beforeAll(async () => void (await listenToKeys()()))

describe('an answer', () => {
  test('appears word by word, says start and end to screen readers, and keeps its elements', async () => {
    const {answers, goTo} = await showScreen(undefined)
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    // the first of the file: what shows an answer suspends until it is loaded
    await act(async () => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    await act(async () => goTo('a'))
    await act(async () =>
      stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'first **paragraph**\n\nsec'}),
    )
    const paragraph = (await screen.findByText('paragraph')).closest('p')
    expect(screen.getByText('Answer started')).toBeVisible()
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 2, text: 'ond'}))
    expect(screen.getByText('second')).toBeVisible()
    act(() => stream?.next({type: 'answer.completed'}))
    expect(await screen.findByText('Answer ready')).toBeVisible()
    expect(screen.getByText('paragraph').closest('p')).toBe(paragraph)
    expect(screen.getByRole('log').getAttribute('aria-busy')).toBe('false')
    expect(screen.getByRole('button', {name: 'Send'})).toBeVisible()
  })

  test('stops by Esc, keeps its text, and offers Continue and Retry', async () => {
    const {answers} = await showScreen(undefined)
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'partial'}))
    fireEvent.keyDown(document.body, {key: 'Escape'})
    const log = within(screen.getByRole('log'))
    expect(await log.findByText('Stopped.')).toBeVisible()
    expect(screen.getByText('partial')).toBeVisible()
    fireEvent.click(await screen.findByRole('button', {name: 'Continue'}))
    expect(answers[1]?.input.exchange.question).toBe('Continue')
  })

  test.each([
    [false, 'Stopped.'],
    [true, "Stopped here. The server didn't confirm, so the answer may go on there."],
  ])('that was stopped says whether the server confirmed it (unconfirmed: %s)', async (unconfirmed, sentence) => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'stopped', unconfirmed})]})
    expect(await screen.findByText(sentence)).toBeVisible()
    // nothing has ended here
    expect(screen.getAllByRole('status').map(({textContent}) => textContent)).not.toContain('Stopped.')
  })

  test('is being stopped until the server confirms it, and stopped from then on', async () => {
    let confirm = (_: StoppedAnswer) => {}
    const stopAnswer = () => new Promise<StoppedAnswer>((resolve) => (confirm = resolve))
    const {actors, answers} = await showScreen(undefined, {stopAnswer})
    act(() => actors.conversations.send({type: 'service.changed', capabilities: ['stop']}))
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'half **bo'}))
    fireEvent.keyDown(document.body, {key: 'Escape'})
    const announced = () => screen.getAllByRole('status').map(({textContent}) => textContent)
    expect(screen.getByText('Stopping…')).toBeVisible()
    expect(screen.queryByText('Stopped.')).toBeNull()
    confirm({state: 'failed'})
    expect(await within(screen.getByRole('log')).findByText('Stopped.')).toBeVisible()
    expect(screen.queryByText('Stopping…')).toBeNull()
    expect(announced()).toContain('Stopped.')
  })

  test('that the server refuses to stop is announced as it is shown', async () => {
    const refusal = new ApiError({status: 403, code: 'forbidden', detail: 'no'})
    const {actors, answers} = await showScreen(undefined, {stopAnswer: () => Promise.reject(refusal)})
    act(() => actors.conversations.send({type: 'service.changed', capabilities: ['stop']}))
    await ask('foo?')
    const {stream} = answers[0] ?? {}
    act(() => stream?.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => stream?.next({type: 'answer.received', message: 'm', attempt: 1, seq: 1, text: 'half'}))
    fireEvent.keyDown(document.body, {key: 'Escape'})
    const sentence = "Stopped here. The server didn't confirm, so the answer may go on there."
    expect(await within(screen.getByRole('log')).findByText(sentence)).toBeVisible()
    const announced = screen.getAllByRole('status').map(({textContent}) => textContent)
    expect(announced).toContain(sentence)
    expect(announced).not.toContain('Stopped.')
  })

  test('without a text says so and can be asked again', async () => {
    const {answers} = await showScreen('a', {records: [settled({content: '<think>hm</think>\n'})]})
    expect(await screen.findByText('The model sent no text.')).toBeVisible()
    const [again] = screen.getAllByRole('button', {name: 'Answer again'})
    if (again !== undefined) fireEvent.click(again)
    await waitFor(() => expect(answers[0]?.input.exchange.question).toBe('foo?'))
  })

  test.each([
    ['stopped', {state: 'failed', outcome: 'stopped'}],
    ['interrupted', {state: 'failed', outcome: 'interrupted'}],
    ['refused half way', {state: 'failed', outcome: 'refused', error: {code: 'busy'}}],
    ['at its longest length', {outcome: 'truncated'}],
  ] as const)('that was cut (%s) has no raw marker at its end', async (_, end) => {
    await showScreen('a', {records: [settled({content: 'some **bold wo', ...end})]})
    expect((await screen.findByText('bold wo')).tagName).toBe('STRONG')
    expect(screen.getByRole('log').textContent).not.toContain('*')
  })

  test('that reached its longest length says so and can be continued', async () => {
    const {answers} = await showScreen('a', {records: [settled({outcome: 'truncated'})]})
    expect(await screen.findByText('The answer reached its length limit and is not complete.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Continue'}))
    expect(answers[0]?.input.exchange.question).toBe('Continue')
  })

  test('is asked again with a new key', async () => {
    const {answers} = await showScreen('a', {records: [record('a')]})
    const again = await screen.findByRole('button', {name: 'Answer again'})
    again.focus()
    fireEvent.click(again)
    await waitFor(() => expect(answers).toHaveLength(1))
    expect(answers[0]?.input.exchange.question).toBe('foo?')
    expect(answers[0]?.input.exchange.key).toMatch(/^key-/)
    // its button is gone
    expect(document.activeElement).toBe(screen.getByRole('textbox', {name: 'Message'}))
  })

  test('to a question that has no network says that it will be sent', async () => {
    const {answers, environment} = await showScreen(undefined)
    await ask('foo?')
    const note = () => screen.queryByText("It will be sent as soon as you're back online.")
    expect(note()).toBeNull()
    act(() => environment.send({type: 'connection.lost'}))
    expect(note()).not.toBeNull()
    expect(screen.queryByRole('img', {name: 'Waiting for the answer'})).toBeNull()
    act(() => environment.send({type: 'connection.restored'}))
    expect(note()).toBeNull()
    // the server has it: what is lost is the answer
    act(() => answers[0]?.stream.next({type: 'answer.started', conversation: 'a', message: 'm', attempt: 1}))
    act(() => environment.send({type: 'connection.lost'}))
    expect(note()).toBeNull()
  })

  test('to a question that was asked without a network says that it will be sent, and is', async () => {
    const {actors, answers, environment} = await showScreen(undefined)
    actors.conversations.send({type: 'service.changed', capabilities: ['idempotency']})
    act(() => environment.send({type: 'connection.lost'}))
    await ask('foo?')
    act(() => answers[0]?.stream.error(lost))
    expect(screen.getByText("It will be sent as soon as you're back online.")).toBeVisible()
    expect(screen.queryByText('Connection lost. Getting the answer back…')).toBeNull()
    act(() => environment.send({type: 'connection.restored'}))
    expect(screen.queryByText("It will be sent as soon as you're back online.")).toBeNull()
    expect(answers.map(({input}) => [input.request, input.exchange.question])).toEqual([
      ['ask', 'foo?'],
      ['ask', 'foo?'],
    ])
  })

  test('to a question that cannot be sent a second time is said to be looked for without a network', async () => {
    const {answers, environment} = await showScreen(undefined)
    act(() => environment.send({type: 'connection.lost'}))
    await ask('foo?')
    act(() => answers[0]?.stream.error(lost))
    expect(screen.getByText('Connection lost. Getting the answer back…')).toBeVisible()
  })

  test('by the sandbox says so', async () => {
    await showScreen('a', {records: [settled({sandbox: true})]})
    expect(await screen.findByText('Sandbox: no language model wrote this')).toBeVisible()
  })
})

describe('a failed answer', () => {
  test('that no server answered says so, without a code', async () => {
    const error = {code: 'unknown'}
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'refused', unsent: true, error})]})
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('The server did not answer. Check your connection.')).toBeVisible()
    expect(alert.textContent).not.toContain('unknown')
    expect(within(alert).queryByRole('button', {name: 'Copy details'})).toBeNull()
    expect(within(alert).getByRole('button', {name: 'Retry'})).toBeVisible()
  })

  test.each([
    ['timeout', "The model didn't answer in time. Your message is kept."],
    ['too_many_requests', 'Too many requests. Try again in a moment.'],
    ['content_too_large', 'The question or its files are too long. Shorten them and try again.'],
    [
      'duplication',
      'Another question is being answered in this conversation. Yours is kept; try again when that answer is complete.',
    ],
    ['no_such_code', 'Something went wrong. Your message is kept.'],
  ])('%s: a sentence, the code and detail, Retry and Edit; the text stays', async (code, sentence) => {
    const {answers} = await showScreen('a', {
      records: [settled({state: 'failed', outcome: 'refused', error: {code, message: 'foo detail'}})],
    })
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText(sentence)).toBeVisible()
    expect(within(alert).getByText(`${code} - foo detail`)).toBeVisible()
    expect(screen.getByText('bar')).toBeVisible()
    expect(within(alert).queryByRole('link')).toBeNull()
    fireEvent.click(within(alert).getByRole('button', {name: 'Edit'}))
    expect(screen.getByRole('textbox', {name: 'Edit message'})).toHaveProperty('value', 'foo?')
    fireEvent.click(screen.getByRole('button', {name: 'Cancel'}))
    fireEvent.click(within(alert).getByRole('button', {name: 'Retry'}))
    await waitFor(() => expect(answers).toHaveLength(1))
  })

  const gone = 'The message that this one replaces was deleted on another page. Retry asks your question anew.'
  const missing = 'Something went wrong. Your message is kept.'
  const joins = {id: null, versions: ['m-1']}
  test.each([
    ['a changed question', gone, {unsent: true, ...joins}, {unsent: true}],
    ['an answer given again', gone, {id: 'q-1'}, {unsent: true, ...joins}],
    ['a new question', missing, {unsent: true}, {unsent: true}],
    ['an answer that the server has', missing, {id: 'q-1'}, {id: 'a-2', versions: ['a-1', 'a-2']}],
    ['a changed question, where something else is gone', missing, {unsent: true, ...joins}, {unsent: true}, {}],
  ])('not found, %s: "%s"', async (_, sentence, question, answer, details = {field: 'version_of'}) => {
    const error = {code: 'not_found', message: 'no such message', ...details}
    const messages: RecordMessage[] = [
      {role: 'user', content: 'foo?', ...question},
      {role: 'assistant', content: '', state: 'failed', outcome: 'refused', error, ...answer},
    ]
    await showScreen('a', {records: [record('a', {messages})]})
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText(sentence)).toBeVisible()
    expect(within(alert).getByText('not_found - no such message')).toBeVisible()
    expect(within(alert).getByRole('button', {name: 'Retry'})).toBeVisible()
  })

  test('used up: how much is missing, and the way to more credits', async () => {
    const error = {code: 'used_up', message: '', needed: '1234.050000', available: '0.000120'}
    const {followed} = await showScreen('a', {records: [settled({state: 'failed', outcome: 'refused', error})]})
    expect(await screen.findByText('Credits needed: 1,234.05. You have: 0.00012.')).toBeVisible()
    const link = await screen.findByRole('link', {name: 'Add credits'})
    await waitFor(() =>
      expect(link.getAttribute('href')).toBe(
        '/console/applications/application/extra?redirect=/chatgpt/conversations/a&need=1234.050000',
      ),
    )
    fireEvent.click(link, {ctrlKey: true})
    expect(followed).toEqual([])
    fireEvent.click(link)
    expect(followed).toEqual([
      '/console/applications/application/extra?redirect=/chatgpt/conversations/a&need=1234.050000',
    ])
  })

  test('lost contact is not called a refusal', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted'})]})
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The connection was lost before the answer was complete.',
    )
  })

  test('what arrived of an interrupted answer can be continued', async () => {
    const {answers} = await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted'})]})
    fireEvent.click(within(await screen.findByRole('alert')).getByRole('button', {name: 'Continue'}))
    expect(answers[0]?.input.exchange.question).toBe('Continue')
  })

  test('nothing can be continued where nothing arrived', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'interrupted', content: ''})]})
    expect(within(await screen.findByRole('alert')).queryByRole('button', {name: 'Continue'})).toBeNull()
  })

  test('stopped before its first word it offers only to ask again', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'stopped', content: ''})]})
    expect(await screen.findByText('Stopped.')).toBeVisible()
    expect(screen.queryByRole('button', {name: 'Continue'})).toBeNull()
    expect(screen.getByRole('textbox')).toHaveProperty('disabled', false)
  })

  test('canceled shows no error', async () => {
    await showScreen('a', {records: [settled({state: 'failed', outcome: 'refused', error: {code: 'canceled'}})]})
    expect(await screen.findByText('Stopped.')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

/** Records the texts that the page copies. */
function watchCopies() {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async () => undefined)
  onTestFinished(() => write.mockRestore())
  return write
}

test('an answer is copied without its reasoning, by its button and by the key for the last one', async () => {
  const write = watchCopies()
  await showScreen('a', {records: [settled({content: '<think>hm</think>\n\nthe **answer**'})]})
  fireEvent.click(await screen.findByRole('button', {name: 'Copy as Markdown'}))
  await waitFor(() => expect(write).toHaveBeenCalledTimes(1))
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  await waitFor(() => expect(write).toHaveBeenCalledTimes(2))
  expect(write.mock.calls).toEqual([['the **answer**'], ['the **answer**']])
})

test('nothing is copied of an answer that has reasoning alone', async () => {
  const write = watchCopies()
  await showScreen('a', {records: [settled({content: '<think>hm</think>'})]})
  await screen.findAllByRole('button', {name: 'More actions'})
  expect(screen.queryByRole('button', {name: 'Copy as Markdown'})).toBeNull()
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  expect(write).not.toHaveBeenCalled()
})

test.each([
  ['Copied', async () => undefined],
  ["Couldn't copy", () => Promise.reject(new Error('foo'))],
])('the key that copies the last answer says what became of it: %s', async (said, writeText) => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  onTestFinished(() => write.mockRestore())
  await showScreen('a', {records: [settled({content: 'the answer'})]})
  await screen.findByText('the answer')
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  expect((await screen.findByText(said)).getAttribute('role')).toBe('status')
})

test('a question is copied as text from its menu, also where the browser refuses the clipboard', async () => {
  const write = watchCopies()
  const selected: string[] = []
  // as: the field of the copy
  document.execCommand = () => selected.push((document.activeElement as HTMLTextAreaElement).value) > 0
  onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'))
  await showScreen('a', {records: [record('a', {messages: [{role: 'user', content: 'the **question**'}]})]})
  const copyText = async () => {
    fireEvent.click(await screen.findByRole('button', {name: 'More actions'}))
    fireEvent.click(await screen.findByRole('menuitem', {name: 'Copy as text'}))
  }
  await copyText()
  expect(write.mock.calls).toEqual([['the question']])
  write.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await copyText()
  await waitFor(() => expect(selected).toEqual(['the question']))
})
