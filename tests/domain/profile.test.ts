import {expect, test} from 'vitest'
import {deviceName} from '#domain/device-name.ts'
import {isNewPassword, passwordFault, profileWrite, userName} from '#domain/profile.ts'
import {supportLinks} from '#domain/support-links.ts'

test('a user is shown by nickname, then name, then address; empty ones do not count', () => {
  expect(userName({id: 'a', nickname: '', username: 'foo', email: 'foo@e.test'})).toBe('foo')
  expect(userName({id: 'a', nickname: 'Foo', username: 'foo'})).toBe('Foo')
  expect(userName(undefined)).toBe('')
})

test('a change is written with the rest of the profile, without what is not there', () => {
  const user = {id: 'a', email: 'foo@e.test', nickname: 'Foo', city: 'Bar', gender: 0, avatar: '/a.png'}
  expect(profileWrite(user, {avatar: ''})).toEqual({nickname: 'Foo', city: 'Bar', gender: 0, avatar: ''})
})

const long = 'a new password'
test.each([
  [{current: 'old', next: '', repeated: ''}, undefined, false],
  [{current: 'old', next: 'short', repeated: ''}, 'short', false],
  [{current: 'old', next: '🦊'.repeat(9), repeated: ''}, 'short', false],
  [{current: 'old', next: 'a'.repeat(1025), repeated: ''}, 'long', false],
  [{current: long, next: long, repeated: long}, 'same', false],
  [{current: 'old', next: long, repeated: 'other'}, 'different', false],
  [{current: 'old', next: long, repeated: ''}, undefined, false],
  [{current: '', next: long, repeated: long}, undefined, false],
  [{current: 'old', next: long, repeated: long}, undefined, true],
])('a new password %#', (password, fault, isComplete) => {
  expect([passwordFault(password), isNewPassword(password)]).toEqual([fault, isComplete])
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'Chrome Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0',
    'Edge Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari iOS',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox macOS'],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    'Chrome Android',
  ],
])('%s', (agent, expected) => {
  const device = deviceName(agent)
  expect(`${device?.browser} ${device?.system}`).toBe(expected)
})

test('an agent that says anything else is not shown', () => {
  expect([deviceName('<b>Chrome/1 on my fridge</b>'), deviceName('curl/8'), deviceName(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('links of the support are web addresses of what is on', () => {
  const site = (support: object) => ({features: {support: {enabled: true, ...support}}})
  expect(
    supportLinks(
      site({
        discord: {enabled: true, url: 'https://discord.example/foo'},
        wechat: {enabled: true, qr: '/files/qr.png'},
      }),
    ),
  ).toEqual({discord: 'https://discord.example/foo', wechat: '/files/qr.png'})
  expect(
    supportLinks(
      site({
        discord: {enabled: true, url: 'javascript:alert(1)'},
        wechat: {enabled: true, qr: '//evil.example/qr.png'},
      }),
    ),
  ).toEqual({})
  expect(supportLinks(site({discord: {enabled: false, url: 'https://discord.example/foo'}, wechat: 'foo'}))).toEqual({})
  expect(
    supportLinks({features: {support: {enabled: false, discord: {enabled: true, url: 'https://a.example'}}}}),
  ).toEqual({})
  expect(supportLinks(undefined)).toEqual({})
})
