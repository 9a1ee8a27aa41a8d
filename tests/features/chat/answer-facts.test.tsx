import {screen, within} from '@testing-library/react'
import {expect, test} from 'vitest'
import type {AnswerAttempt} from '#contract/answer-details.ts'
import {AnswerFacts} from '#features/chat/answer-facts.tsx'
import {answerDetailsMachine} from '#machines/answer-details/answer-details.machine.ts'
import {renderView} from '#tests/ui/render.tsx'

const machineContext = {message: 'foo'}
const snapshotOf = (
  value: 'loading' | 'failed' | 'shown',
  context: Partial<ReturnType<typeof answerDetailsMachine.resolveState>['context']> = {},
) => answerDetailsMachine.resolveState({value, context: {...machineContext, ...context}})
const attempt: AnswerAttempt = {
  attempt: 1,
  state: 'finished',
  model: 'foo-model',
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:00.100Z',
  finished_at: '2026-01-01T00:01:05.000Z',
  prompt_tokens: 1_234,
  completion_tokens: 56,
  tokens_estimated: false,
  cost: 0.00123,
  trace_id: 'bar',
}
const facts = () =>
  screen.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)

test('one attempt is shown without a heading, exact to the last digit; a wait of a moment is not worth a line', () => {
  renderView(<AnswerFacts snapshot={snapshotOf('shown', {details: {attempts: [attempt]}})} send={() => undefined} />)
  expect(screen.queryByRole('heading')).toBeNull()
  expect(facts()).toEqual([
    'Model: foo-model',
    expect.stringMatching(/^Asked: \d{4}-/),
    'Took: 1 min 5 sec',
    'Tokens: 1,234 in, 56 out',
    'Credits: 0.00123',
    'Trace ID: bar',
  ])
})

test('several attempts have headings, and a failed one its error', () => {
  const attempts = [
    {...attempt, state: 'failed', error: 'busy', started_at: '2026-01-01T00:00:02.000Z', tokens_estimated: true},
    {...attempt, attempt: 2},
  ]
  renderView(<AnswerFacts snapshot={snapshotOf('shown', {details: {attempts}})} send={() => undefined} />)
  expect(screen.getAllByRole('heading').map(({textContent}) => textContent)).toEqual(['Attempt 1', 'Attempt 2'])
  const first = within(screen.getByRole('region', {name: 'Attempt 1'}))
  expect(first.getByText('busy')).toBeVisible()
  expect(first.getByText('Waited')).toBeVisible()
  expect(first.getByText('Tokens, estimated')).toBeVisible()
})

test('an answer of which the server knows nothing says so, and is not asked about again', () => {
  const failure = {code: 'not_found', detail: '', status: 404}
  renderView(<AnswerFacts snapshot={snapshotOf('failed', {failure})} send={() => undefined} />)
  expect(screen.getByRole('status').textContent).toBe('No details are kept of this answer.')
  expect(screen.queryByRole('button')).toBeNull()
})

test('a failure says why and is tried again', () => {
  const sent: string[] = []
  const failure = {code: 'too_many_requests', detail: '', status: 429}
  renderView(<AnswerFacts snapshot={snapshotOf('failed', {failure})} send={({type}) => sent.push(type)} />)
  const alert = within(screen.getByRole('alert'))
  expect(alert.getByText(/Too many requests/)).toBeVisible()
  alert.getByRole('button', {name: 'Retry'}).click()
  expect(sent).toEqual(['details.load'])
})

test.each([
  ['timeout', /^The server didn't answer in time/],
  ['api_error', undefined],
])('details that come late or not (%s) blame no model', (code, sentence) => {
  const failure = {code, detail: 'no answer in time'}
  renderView(<AnswerFacts snapshot={snapshotOf('failed', {failure})} send={() => undefined} />)
  expect(screen.queryByText(/model/)).toBeNull()
  expect(screen.queryByText(sentence ?? /server/) !== null).toBe(sentence !== undefined)
})

test('what is being read says so', () => {
  renderView(<AnswerFacts snapshot={snapshotOf('loading')} send={() => undefined} />)
  expect(screen.getByRole('status').textContent).toBe('Loading')
})
