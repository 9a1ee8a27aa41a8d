import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeAll, describe, expect, test} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import type {StoppedAnswer} from '#machines/conversation/conversation.types.ts'
import '#ui/overlays/menu-overlay.tsx'
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
