import {describe, expect, test} from 'vitest'
import {cookieDomain} from '#domain/cookie-domain.ts'
import {domainErrors, type DomainErrorCode} from '#domain/domain-errors.ts'
import {checkDomainName} from '#domain/domain-name.ts'

describe('a domain name', () => {
  test.each<[string, string, DomainErrorCode | undefined]>([
    ['empty', '', 'DOMAIN_TOO_SHORT'],
    ['256 characters', `${'a.'.repeat(127)}aa`, 'DOMAIN_TOO_LONG'],
    ['255 characters', `${'a.'.repeat(127)}a`, undefined],
    ['dash first', '-foo.test', 'LABEL_STARTS_WITH_DASH'],
    ['dash last', 'foo-.test', 'LABEL_ENDS_WITH_DASH'],
    ['label of 64', `${'a'.repeat(64)}.test`, 'LABEL_TOO_LONG'],
    ['label of 63', `${'a'.repeat(63)}.test`, undefined],
    ['empty label', 'foo..test', 'LABEL_TOO_SHORT'],
    ['other characters', 'foo!.test', 'LABEL_INVALID_CHARS'],
    ['space', 'foo bar.test', 'LABEL_INVALID_CHARS'],
    ['underscore', 'foo_bar.test', undefined],
    ['upper case', 'FOO.test', undefined],
  ])('%s', (_, name, error) => {
    expect(checkDomainName(name)).toBe(error)
    // the rule without its reasons: the domain of a host below it
    const isOfName = name.includes('.') && error === undefined
    expect(cookieDomain(`a.${name}`, name)).toBe(isOfName ? `.${name.toLowerCase()}` : undefined)
  })

  test.each([undefined, null, 7, {}])('%s is no string', (name) => {
    expect(() => checkDomainName(name)).toThrow(new TypeError('Domain name must be a string.'))
  })

  test('every code has the message of the specification', () => {
    expect(domainErrors).toEqual({
      DOMAIN_TOO_SHORT: 'Domain name too short.',
      DOMAIN_TOO_LONG: 'Domain name too long. It should be no more than 255 chars.',
      LABEL_STARTS_WITH_DASH: 'Domain name label can not start with a dash.',
      LABEL_ENDS_WITH_DASH: 'Domain name label can not end with a dash.',
      LABEL_TOO_LONG: 'Domain name label should be at most 63 chars long.',
      LABEL_TOO_SHORT: 'Domain name label should be at least 1 character long.',
      LABEL_INVALID_CHARS: 'Domain name label can only contain alphanumeric characters or dashes.',
    })
  })
})

describe('the domain of cookies', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['localhost', undefined, undefined],
    ['foo.test', undefined, undefined],
    ['a.foo.test', 'foo.test', '.foo.test'],
    ['a.foo.test', '.foo.test', '.foo.test'],
    ['A.Foo.test', 'foo.TEST', '.foo.test'],
    ['foo.test', 'foo.test', '.foo.test'],
    ['foo.test', 'bar.test', undefined],
    ['evilfoo.test', 'foo.test', undefined],
    ['a.foo.test', 'test', undefined],
    ['a.co.uk', 'co.uk', undefined],
    ['me.github.io', 'github.io', undefined],
    ['a.foo.test', '-foo.test', undefined],
    ['127.0.0.1', '0.0.1', undefined],
    ['192.168.0.7', '192.168.0.7', undefined],
    ['[::1]', '::1', undefined],
    ['hub.acedata.cloud', undefined, '.acedata.cloud'],
    ['20261120.hub.acedata.cloud', undefined, '.acedata.cloud'],
    ['hub.acedata.cloud.evil.test', undefined, undefined],
  ])('%s, configured %s: %s', (host, configured, expected) => expect(cookieDomain(host, configured)).toBe(expected))
})
