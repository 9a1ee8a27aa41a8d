import {expect, test} from 'vitest'
import {safeReturnPath} from '#domain/safe-return-path.ts'

const origin = 'https://hub.test'

test.each([
  ['/chatgpt', '/chatgpt'],
  ['/chatgpt/conversations/foo?a=b#c', '/chatgpt/conversations/foo?a=b#c'],
  ['chatgpt', '/chatgpt'],
  ['', undefined],
  ['https://hub.test/site', '/site'],
  ['/a//b', '/a//b'],
  ['/author', '/author'],
  ['/100%', '/100%'],
])('%s leads to %s', (text, expected) => expect(safeReturnPath(text, origin)).toBe(expected))

test.each([
  '/\\evil.com',
  '\\\\evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  '//evil.com',
  '///evil.com',
  '/..//evil.com',
  '/.//evil.com',
  'https://evil.com',
  'https://evil.com\\@hub.test',
  'https://hub.test@evil.com',
  'https://user:pw@hub.test/',
  'http://hub.test/',
  'https://hub.test:8443/',
  'blob:https://hub.test/foo',
  'javascript:alert(1)',
  'data:text/html,foo',
  '/foo\u0000',
  '/foo\u0085',
  '/auth/login',
  '/auth',
  '/AUTH/callback?redirect=/',
  '/%61uth/login',
  `/${'a'.repeat(2048)}`,
])('%s is refused', (text) => expect(safeReturnPath(text, origin)).toBeUndefined())

test.each([undefined, null, 7, {}, ['/foo']])('%s is no path', (value) => {
  expect(safeReturnPath(value, origin)).toBeUndefined()
})
