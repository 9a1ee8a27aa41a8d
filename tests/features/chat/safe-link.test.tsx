import {describe, expect, test} from 'vitest'
import {hostToReveal} from '#features/chat/markdown/safe-link.ts'

const evil = new URL('https://evil.example/x')

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

  test.each([
    'a.'.repeat(40_000),
    '.'.repeat(80_000) + 'a',
    'https://'.repeat(10_000),
    'a-'.repeat(40_000),
    'a'.repeat(80_000),
  ])('a long text costs little', (text) => {
    const started = performance.now()
    hostToReveal(text, evil)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
