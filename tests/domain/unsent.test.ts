import {expect, test} from 'vitest'
import {runningMessage, startExchange, userMessage, type Exchange} from '#domain/exchange.ts'
import {countDrafts, countQuestions} from '#domain/unsent.ts'

const text = {text: 'foo', references: []}

test('texts and files that were not sent are drafts; what stands beside them is none', () => {
  expect(countDrafts({})).toBe(0)
  expect(
    countDrafts({
      'new/chatgpt': text,
      'c-1': {text: ' \n', references: []},
      'c-2': {text: '', references: [{url: 'https://foo/a.txt', name: 'a.txt'}]},
      'instructions/chatgpt': text,
      'model/c-1': {text: 'gpt-5', references: [{url: 'm-1', name: ''}]},
      'other/model/c-1': {text: 'gpt-4', references: []},
    }),
  ).toBe(3)
})

test('a draft of several records is one, and each that a tab typed is another', () => {
  expect(
    countDrafts({
      'edit/m-1': text,
      'files/edit/m-1': text,
      'prompting/id': text,
      'prompting/name': text,
      'prompting/text': text,
      'instructing/c-1': text,
      'instructing-from/c-1': text,
    }),
  ).toBe(3)
  expect(countDrafts({'c-1': text, 'other/c-1': text, 'other/other/c-1': text})).toBe(3)
})

test('questions wait for their turn, or were never taken by a server', () => {
  const ask = {question: 'foo', references: [], key: 'k'}
  const question = {role: 'user' as const, content: 'foo'}
  const answer = {role: 'assistant' as const, content: '', unsent: true}
  expect(
    countQuestions([
      {messages: [question]},
      {messages: [question], followUps: [ask, ask]},
      {messages: [{...question, unsent: true}, answer]},
      {messages: [{...question, unsent: true}, answer, question]},
    ]),
  ).toBe(3)
})

test('a question on its way counts until a server has named its answer', () => {
  const exchange = startExchange({question: 'foo', references: [], key: 'k'}, 'm')
  const asked = (running: Exchange) => [{messages: [userMessage({...running}), runningMessage(running)]}]
  expect(countQuestions(asked({...exchange, isHeld: true}))).toBe(1)
  expect(countQuestions(asked(exchange))).toBe(1)
  expect(countQuestions(asked({...exchange, message: 'm-1'}))).toBe(0)
})
