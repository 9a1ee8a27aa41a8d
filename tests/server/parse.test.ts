import {expect, test} from 'vitest'
import {chatCommand, chatRequest} from '#contract/chat-requests.ts'
import {z} from '#contract/schema.ts'
import {HttpFailure} from '#server/http/failure.ts'
import {parseStrictly} from '#server/http/parse.ts'

const body = z.union([chatCommand, chatRequest])

function complaint(value: unknown) {
  try {
    parseStrictly(body, value, 'body')
  } catch (error) {
    if (error instanceof HttpFailure) return error.detail
    throw error
  }
  return undefined
}

const question = {question: 'How tall?', model: 'gpt-5-all'}

test.each([
  [{}, 'question is missing.'],
  [{question: 'How tall?'}, 'model is missing.'],
  [{question: 1, model: 'gpt-5-all'}, 'question must be a string.'],
  [{action: 'chat'}, 'question is missing.'],
  [{...question, references: [1]}, 'references.0 must be a string.'],
  [{...question, stateful: false}, 'stateful must be one of: true.'],
  [{...question, foo: 1}, 'The body has an unknown key: foo.'],
  [{action: 'retrieve'}, 'id is missing.'],
  [{action: 'retrieve_batch', limit: 0}, 'limit must be at least 1.'],
  [
    {action: 'forget', id: 'c-1'},
    'action must be one of: retrieve, retrieve_batch, update, delete, resume, stop, chat.',
  ],
  [[], 'The body must be an object.'],
])('%j: the field that is wrong is named', (value, sentence) => {
  expect(complaint(value)).toBe(sentence)
})

test('what is right is taken', () => {
  expect([question, {...question, action: 'chat'}, {action: 'stop', id: 'c-1'}].map(complaint)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
