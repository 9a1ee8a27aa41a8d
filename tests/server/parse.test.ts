import {expect, test} from 'vitest'
import {chatCommand, chatRequest} from '#contract/chat-requests.ts'
import {tool as hailuo} from '#contract/media/hailuo.ts'
import {tool as pika} from '#contract/media/pika.ts'
import {tool as sora} from '#contract/media/sora.ts'
import {exchangeRequest} from '#contract/management-requests.ts'
import {tokenRequest} from '#contract/oauth-requests.ts'
import {z} from '#contract/schema.ts'
import {HttpFailure} from '#server/http/failure.ts'
import {parseStrictly} from '#server/http/parse.ts'

const body = z.union([chatCommand, chatRequest])

function complaint(value: unknown, schema: z.core.$ZodType = body) {
  try {
    parseStrictly(schema, value, 'body')
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
    'action must be one of: retrieve, retrieve_batch, revisions, update, delete, mark, label, delete_batch, resume, follow, select, edit, remove, branch, stop, import, imported, export, chat.',
  ],
  [{...question, question: ' \n '}, 'question: A question needs words.'],
  [{id: 'c-1', messages: []}, 'action is missing and must be one of: update.'],
  [[], 'The body must be an object.'],
])('%j: the field that is wrong is named', (value, sentence) => {
  expect(complaint(value)).toBe(sentence)
})

test.each([
  [{refresh_token: 'foo'}, 'grant_type is missing and must be one of: refresh_token.'],
  [{refresh_token: 'foo', bar: 1}, 'grant_type is missing and must be one of: refresh_token.'],
  [{refresh_token: 'foo', grant_type: 'password'}, 'grant_type must be one of: authorization_code, refresh_token.'],
  [{refresh_token: 'foo', grant_type: 'refresh_token', bar: 1}, 'The body has an unknown key: bar.'],
  [{grant_type: 'authorization_code'}, 'code is missing.'],
  [{grant_type: 'refresh_token'}, 'refresh_token is missing.'],
  [{}, 'code is missing.'],
])('a request for tokens %j: the field that is wrong is named', (value, sentence) => {
  expect(complaint(value, tokenRequest)).toBe(sentence)
})

const {videos: soraVideos} = sora.operations
test.each([
  [soraVideos, {prompt: 'a', duration: 25}, 'duration: This model does not make videos of this length.'],
  [soraVideos, {prompt: 'a', action: 'image2video'}, 'image_urls is missing.'],
  [hailuo.operations.videos, {prompt: 'a', model: 'minimax-i2v'}, 'first_image_url is missing.'],
  [
    pika.operations.videos,
    {prompt: 'a', ingredients: true, model: '1.5', image_url: ['https://files.test/a.png']},
    'model: Ingredients need model 2.0.',
  ],
])('a rule of a tool says what is wrong: %#', (operation, value, sentence) => {
  expect(complaint(value, operation.body)).toBe(sentence)
})

test('a form without words is said to be wrong, one of ours says what it is', () => {
  expect(complaint({foo: 'A'}, z.strictObject({foo: z.string().check(z.regex(/b/))}))).toBe('foo has the wrong form.')
  expect(complaint({source: 'USD', target: 'eur'}, exchangeRequest)).toBe(
    'source: A currency is three small letters, such as usd.',
  )
})

test('a rule without words is said to be broken', () => {
  expect(complaint({foo: 1}, z.strictObject({foo: z.number().check(z.refine((foo) => foo > 1))}))).toBe(
    'foo is not valid.',
  )
})

test('what is right is taken', () => {
  expect(
    [question, {...question, action: 'chat'}, {action: 'stop', id: 'c-1'}].map((value) => complaint(value)),
  ).toEqual([undefined, undefined, undefined])
})
