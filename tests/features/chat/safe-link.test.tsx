import {describe, expect, test} from 'vitest'
import {hostToReveal, safeLink} from '#features/chat/markdown/safe-link.ts'

const evil = new URL('https://evil.example/x')

describe('the address of a link (R02)', () => {
  const own = 'https://own.example'
  test.each([
    ['https://foo.example/my file.pdf', 'https://foo.example/my%20file.pdf'],
    [' https://foo.example/a ', 'https://foo.example/a'],
    ['https://fa.example/می\u200cخواهم', `https://fa.example/${encodeURIComponent('می\u200cخواهم')}`],
    ['https://foo.example/👩\u200d💻', `https://foo.example/${encodeURIComponent('👩\u200d💻')}`],
    ['mailto:foo@foo.example?subject=a b', 'mailto:foo@foo.example?subject=a%20b'],
    ['https://foo.example/a\u200b\n\u202eb', 'https://foo.example/ab'],
    ['ht\u200dtps://foo.example/a b', 'https://foo.example/ab'],
    ['/a b', 'https://own.example/a%20b'],
  ])('%j is %s', (address, href) => expect(safeLink(address, own)?.href).toBe(href))

  test.each([
    '',
    'java\u200dscript:alert(1)',
    'java script:alert(1)',
    ' \u200cdata:text/html,x',
    '\u200d//evil.example/x',
    '/\u200d/evil.example/x',
    '/ /evil.example/x',
    '\\\u200c\\evil.example',
  ])('%j is none', (address) => expect(safeLink(address, own)).toBeUndefined())
})

describe('the host a link really leads to (R02)', () => {
  test.each([
    'https://bank.com',
    'Visit https://bank.com',
    'Please visit bank.com/login now',
    '(https://bank.com)',
    '[bank.com]',
    '→ bank.com/login',
    '“bank.com”',
    '«bank.com»',
    'bank.com.',
    'bank.com!',
    '…bank.com…',
    'https://bank.com, the bank',
    '//bank.com',
    'https:bank.com',
    'https:\\\\bank.com',
    '\u200b bank.com',
    'ba\u200bnk.c\u00adom',
    '\u202ebank.com\u202c',
    '\u2067bank.com',
    'bank\u3002com',
    'ｂａｎｋ．ｃｏｍ',
    'bank\u2024com',
    'bank.com:443',
    'me@bank.com',
    'bank.com@evil.example',
    'evil.example or bank.com',
    'evil.example|bank.com',
    'a//bank.com',
    'банк.рф',
    'xn--80ab2azb.xn--p1ai',
    'http://localhost',
    '192.168.0.1',
    'https://file.txt',
    'file.txt/login',
    'notes.md',
  ])('%j names another host', (text) => {
    expect(hostToReveal(text, evil)).toBe('evil.example')
  })

  test.each([
    '',
    'evil.example',
    'https://www.evil.example/bank.com?next=https://bank.com',
    'See evil.example/path.',
    'EVIL.example',
    'e.g. this',
    'i.e. that, U.S.A.',
    'version 1.2.3',
    'v1.2.3-beta.4',
    'costs 3.50',
    'file.txt',
    'index.html and main.tsx',
    'Node.js',
    'and/or',
    'wait... what?',
    'no space after the end .',
  ])('%j names no other host', (text) => {
    expect(hostToReveal(text, evil)).toBeUndefined()
  })

  test('a user name before the host is always told', () => {
    expect(hostToReveal('a word', new URL('https://bank.com@evil.example/'))).toBe('evil.example')
  })

  // what grows faster than the text does not end within the runner's bound
  test.each([
    ['a.'.repeat(1_000_000), undefined],
    ['.'.repeat(2_000_000) + 'a', undefined],
    ['https://'.repeat(250_000), 'evil.example'],
    ['a-'.repeat(1_000_000), undefined],
    ['a'.repeat(2_000_000), undefined],
  ])('a long text is read to its end', (text, revealed) => {
    expect(hostToReveal(text, evil)).toBe(revealed)
  })
})
