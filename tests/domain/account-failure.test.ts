import {expect, test} from 'vitest'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {errorTable} from '#domain/error-kinds.ts'

const codes = [...Object.keys(errorTable), 'foo']

test('where no model is asked, no sentence is about a question to one', () => {
  const sentences = new Map(codes.map((code) => [code, accountErrorTextId({code, detail: 'foo', status: 500})]))
  const general = new Map([
    ['busy', 'api.busy'],
    ['duplication', 'api.duplication'],
    ['too_many_requests', 'api.too_many_requests'],
    ['timeout', 'console.failedTimeout'],
  ])
  for (const code of codes) expect(sentences.get(code)).toBe(general.get(code) ?? 'console.failed')
})

test('a call without an answer says so', () => {
  expect(accountErrorTextId({code: 'timeout', detail: 'foo', lost: true})).toBe('console.failedTimeout')
  expect(accountErrorTextId({code: 'unknown', detail: 'foo', lost: true})).toBe('console.failedLost')
})
