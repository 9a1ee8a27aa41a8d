import {afterEach, expect, test, vi} from 'vitest'
import {addressName} from '#features/chat/message-view.tsx'

afterEach(() => vi.unstubAllGlobals())

test('a file has its name in browsers without URL.parse', () => {
  class OlderUrl extends URL {
    static override parse = undefined as unknown as typeof URL.parse // as: it is missing there
  }
  vi.stubGlobal('URL', OlderUrl)
  expect(addressName('https://hub.example/files/a%20b.pdf')).toBe('a b.pdf')
  expect(addressName('/files/c.pdf')).toBe('c.pdf')
  expect(addressName('https://hub.example/')).toBeUndefined()
  expect(addressName('https://')).toBeUndefined()
})
