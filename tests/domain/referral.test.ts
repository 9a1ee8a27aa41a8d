import {expect, test} from 'vitest'
import {inviteLink} from '#domain/invite-link.ts'
import {formatPercent} from '#domain/percent.ts'
import {levelProgress} from '#domain/referral-level.ts'

const levels = [
  {id: 'three', level: 3, threshold: 1000, percentage: 20},
  {id: 'one', level: 1, threshold: 0, percentage: 10},
  {id: 'two', level: 2, threshold: 100, percentage: 15},
]
const facts = (price: number, of = levels) => {
  const {current, next, percent, missing} = levelProgress(of, price)
  return [current?.id, next?.id, percent, missing]
}

test.each([
  [0, ['one', 'two', 0, 100]],
  // as a float 0.29 * 100 is 28.999999999999996
  [29, ['one', 'two', 29, 71]],
  [50.5, ['one', 'two', 50, 49.5]],
  [99.99, ['one', 'two', 99, 0.01]],
  [100, ['two', 'three', 0, 900]],
  [999.999, ['two', 'three', 99, 0.001]],
  [1000, ['three', undefined, 100, 0]],
  [5000, ['three', undefined, 100, 0]],
])('sales of %d dollars', (price, expected) => expect(facts(price)).toEqual(expected))

test('a programme whose first level is not reached, and one without levels', () => {
  expect(facts(10, [{id: 'two', level: 2, threshold: 100, percentage: 15}])).toEqual([undefined, 'two', 10, 90])
  expect(facts(10, [])).toEqual([undefined, undefined, 100, 0])
})

test('a link names its user, whatever is in the id', () => {
  expect(inviteLink('https://foo.example', 'foo-1')).toBe('https://foo.example/?inviter_id=foo-1')
  expect(inviteLink('https://foo.example', 'a&b=c')).toBe('https://foo.example/?inviter_id=a%26b%3Dc')
})

test('a percentage as the language writes it, in Latin digits', () => {
  expect(formatPercent(12.5, 'en')).toBe('12.5%')
  expect(formatPercent(10, 'de')).toBe('10\u{a0}%')
  expect(formatPercent(10, 'ar')).toMatch(/10/)
})
