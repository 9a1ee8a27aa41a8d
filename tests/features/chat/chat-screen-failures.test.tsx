import {fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeAll, describe, expect, test} from 'vitest'
import {listenToKeys} from '#browser/key-listener.ts'
import '#ui/overlays/menu-overlay.tsx'
import type {RecordMessage} from '#domain/conversation.ts'
import {record} from './chat-fixture.tsx'
import {showScreen, settled} from './chat-screen-fixture.tsx'

beforeAll(async () => void (await listenToKeys()()))

test('a question that nothing answers is answered by its button', async () => {
  const {answers} = await showScreen('a', {
    records: [record('a', {messages: [{role: 'user', content: 'foo?', id: 'q-1'}]})],
  })
  fireEvent.click(await screen.findByRole('button', {name: 'Answer'}))
  await waitFor(() => expect(answers).toHaveLength(1))
  expect(screen.queryByRole('button', {name: 'Answer'})).toBeNull()
})

test('a question with an answer has none', async () => {
  await showScreen('a', {records: [settled({})]})
  await screen.findByText('bar')
  expect(screen.queryByRole('button', {name: 'Answer'})).toBeNull()
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
  const goneQuestion = 'The question was deleted on another page. Retry asks it anew.'
  const joins = {id: null, versions: ['m-1']}
  test.each([
    ['a changed question', gone, {unsent: true, ...joins}, {unsent: true}],
    ['an answer given again', gone, {id: 'q-1'}, {unsent: true, ...joins}],
    ['a question that was to be answered as it stands', goneQuestion, {unsent: true}, {unsent: true}, 'answer_to'],
    ['a new question', missing, {unsent: true}, {unsent: true}],
    ['an answer that the server has', missing, {id: 'q-1'}, {id: 'a-2', versions: ['a-1', 'a-2']}],
    ['a changed question, where something else is gone', missing, {unsent: true, ...joins}, {unsent: true}, 'model'],
  ])('not found, %s: "%s"', async (_, sentence, question, answer, field = 'version_of') => {
    const error = {code: 'not_found', message: 'no such message', field}
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
        '/console/applications/application/extra?redirect=%2Fchatgpt%2Fconversations%2Fa&need=1234.050000',
      ),
    )
    fireEvent.click(link, {ctrlKey: true})
    expect(followed).toEqual([])
    fireEvent.click(link)
    expect(followed).toEqual([
      '/console/applications/application/extra?redirect=%2Fchatgpt%2Fconversations%2Fa&need=1234.050000',
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
