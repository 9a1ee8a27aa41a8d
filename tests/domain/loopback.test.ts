import {expect, test} from 'vitest'
import {isLoopbackAddress} from '#domain/loopback.ts'

test.each([
  ['http://localhost:4000', true],
  ['http://foo.localhost', true],
  ['http://127.0.0.1', true],
  ['http://127.8.9.10:99/a', true],
  // the parser knows this one as 127.0.0.1
  ['http://2130706433', true],
  ['http://127.1', true],
  ['http://[::1]:4000', true],
  ['http://127.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://mylocalhost', false],
  ['http://128.0.0.1', false],
  ['http://[::2]', false],
  ['nothing', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})
