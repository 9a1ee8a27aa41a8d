import {expect, test} from 'vitest'
import {settledMessage, startExchange} from '#domain/exchange.ts'
import {toFailure} from '#domain/failure.ts'
import {failureWords} from '#features/chat/failure-words.ts'

// each browser says it otherwise, none in the user's language
const lost = ['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'].map(
  (message) => new TypeError(message),
)

test.each(lost)('what a browser says of a lost connection is not shown: %s', (error) => {
  expect(failureWords((id) => id, toFailure(error))).toBe('index.startFailedHelp')
})

test('code and detail of a server are shown', () => {
  const failure = toFailure({code: 'busy', detail: 'Try later.', status: 500})
  expect(failureWords((id) => id, failure)).toBe('busy - Try later.')
})

test.each(lost)('what a browser says of a lost connection is not stored with the answer: %s', (error) => {
  const exchange = startExchange({question: 'foo', key: 'a', references: []}, 'm')
  const failure = toFailure(error)
  const message = settledMessage(exchange, {state: 'failed', outcome: 'refused', failure})
  expect(message).toEqual({
    unsent: true,
    error: {code: 'unknown'},
    role: 'assistant',
    content: '',
    id: 'a',
    attempt: 1,
    model: 'm',
    state: 'failed',
    outcome: 'refused',
  })
  expect(JSON.stringify(message)).not.toContain(error.message)
})
