import {describe, expect, test} from 'vitest'
import {cleanFileName, contentDisposition, extensionOf} from '#server/files/file-name.ts'

test.each([
  ['foo.png', 'foo.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\foo\\bar.txt', 'bar.txt'],
  ['foo/..', ''],
  ['.htaccess', 'htaccess'],
  ['foo\u202Egnp.exe', 'foognp.exe'],
  ['\u2066foo\u2069.txt', 'foo.txt'],
  ['fo\u0000o\r\n.txt', 'foo.txt'],
  ['fo\u200bo\ufeff.txt', 'foo.txt'],
  ['a<b>"c"|d?.txt', 'a_b__c__d_.txt'],
  ['  foo.txt . ', 'foo.txt'],
  ['cafe\u0301.txt', 'caf\u00e9.txt'],
  ['', ''],
  ['\u202e', ''],
])('%j becomes %j', (given, cleaned) => {
  expect(cleanFileName(given)).toBe(cleaned)
})

describe('long names', () => {
  test.each(['a', 'ü', '語', '😀'])(
    'of %s are cut to 255 bytes between characters, with the extension',
    (character) => {
      const name = cleanFileName(`${character.repeat(400)}.png`)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(Buffer.byteLength(name)).toBeGreaterThan(250)
      expect(name.endsWith('.png')).toBe(true)
      expect(Buffer.from(name).toString()).toBe(name)
      expect(name).not.toContain('\ufffd')
    },
  )
})

test.each([
  ['foo.PNG', 'png'],
  ['foo.tar.gz', 'gz'],
  ['foo', ''],
  ['foo.', ''],
  ['foo.p\u0440g', ''],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension)
})

test('a disposition carries any name without leaving its quotes', () => {
  expect(contentDisposition('attachment', 'grüße "1" %41\\;.png')).toBe(
    `attachment; filename="gr__e _1_ _41_;.png"; filename*=UTF-8''gr%C3%BC%C3%9Fe%20%221%22%20%2541%5C%3B.png`,
  )
  expect(contentDisposition('inline', "a'(b)*.txt")).toBe(
    `inline; filename="a'(b)*.txt"; filename*=UTF-8''a%27%28b%29%2A.txt`,
  )
})
