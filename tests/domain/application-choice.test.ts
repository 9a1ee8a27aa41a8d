import {describe, expect, test} from 'vitest'
import type {Application} from '#contract/management.ts'
import {
  chooseApplication,
  suppliedApplication,
  credentialFor,
  hasGeneralApplication,
  isExhausted,
  isExpired,
  isUsable,
} from '#domain/application-choice.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const past = '2026-11-20T11:59:59Z'
const future = '2026-11-20T12:00:01Z'
const make = (id: string, scope: string, type: string, more: Partial<Application> = {}): Application => ({
  id,
  scope,
  type,
  ...more,
})

test.each([
  [undefined, false],
  [null, false],
  [0, false],
  [0.000001, false],
  [-0.000001, true],
])('remaining %s is exhausted: %s', (remaining_amount, expected) => {
  expect(isExhausted({id: 'a', remaining_amount})).toBe(expected)
})

test.each([
  [undefined, false],
  [null, false],
  ['', false],
  [past, true],
  [future, false],
])('expired_at %s is expired: %s', (expired_at, expected) => expect(isExpired({expired_at}, now)).toBe(expected))

test('usable is neither exhausted nor expired', () => {
  expect(isUsable({id: 'a', remaining_amount: -1}, now)).toBe(false)
  expect(isUsable({id: 'a', expired_at: past}, now)).toBe(false)
  expect(isUsable({id: 'a', remaining_amount: 0, expired_at: future}, now)).toBe(true)
})

describe('the choice', () => {
  const globalPeriod = make('gp', 'Global', 'Period')
  const globalUsage = make('gu', 'Global', 'Usage')
  const ownPeriod = make('ip', 'Individual', 'Period')
  const ownUsage = make('iu', 'Individual', 'Usage')
  const spent = {remaining_amount: -1}
  const all = [ownUsage, ownPeriod, globalUsage, globalPeriod]

  test.each<[string, Application[], string | undefined, string | undefined]>([
    ['nothing', [], undefined, undefined],
    ['the order of kinds, not of the list', all, undefined, 'gp'],
    ['then global usage', all.filter(({id}) => id !== 'gp'), undefined, 'gu'],
    ['then individual period', [ownUsage, ownPeriod], undefined, 'ip'],
    ['the current one, while usable and listed', all, 'iu', 'iu'],
    ['a current one that is not listed', all, 'foo', 'gp'],
    ['a current one that is spent', [{...ownUsage, ...spent}, globalUsage], 'iu', 'gu'],
    [
      'only the first of a kind counts',
      [{...globalUsage, ...spent}, make('gu2', 'Global', 'Usage'), ownUsage],
      undefined,
      'iu',
    ],
    [
      'none usable: the first that exists',
      [
        {...ownUsage, ...spent},
        {...globalUsage, ...spent},
      ],
      undefined,
      'gu',
    ],
    [
      'none usable: not the current one',
      [
        {...ownUsage, ...spent},
        {...globalUsage, ...spent},
      ],
      'iu',
      'gu',
    ],
    ['an unknown kind is never chosen', [make('x', 'Foo', 'Bar')], undefined, undefined],
  ])('%s', (_, applications, current, expected) => {
    const chosen = chooseApplication(applications, current === undefined ? undefined : {id: current}, now)
    expect(chosen?.id).toBe(expected)
  })
})

test('a general application is one of global scope', () => {
  expect(hasGeneralApplication([make('a', 'Individual', 'Usage')])).toBe(false)
  expect(hasGeneralApplication([make('a', 'Individual', 'Usage'), make('b', 'Global', 'Usage')])).toBe(true)
})

describe('the credential of an origin', () => {
  const host = 'https://foo.test'
  test.each([
    ['its host, exactly', {id: 'c', host, token: 'foo'}, true],
    ['another host', {id: 'c', host: 'https://foo.test:1', token: 'foo'}, false],
    ['no token', {id: 'c', host}, false],
    ['expired', {id: 'c', host, token: 'foo', expired_at: past}, false],
    ['still good', {id: 'c', host, token: 'foo', expired_at: future}, true],
  ])('%s', (_, credential, expected) => {
    const found = credentialFor({id: 'a', credentials: [credential]}, host, now)
    expect(found).toEqual(expected ? {...credential, application_id: 'a'} : undefined)
  })
})

describe('what came to pay with', () => {
  const now = Date.parse('2026-11-25T12:00:00Z')
  const past = '2026-11-25T11:00:00Z'
  const future = '2026-12-25T12:00:00Z'
  const general = {id: 'g', scope: 'Global', type: 'Usage', remaining_amount: 5} as const
  const own = {id: 'o', scope: 'Individual', type: 'Usage', remaining_amount: 5} as const
  const plan = {id: 'p', scope: 'Global', type: 'Period', expired_at: future} as const
  const expired = {...plan, expired_at: past}

  test.each<[string, Application[], Application[], string | undefined]>([
    ['nothing was read before', [], [general], undefined],
    ['the current one has more', [general], [{...general, remaining_amount: 6}], 'g'],
    ['the current one has less', [general], [{...general, remaining_amount: 4}], undefined],
    ['another one has more than this one', [general, own], [general, {...own, remaining_amount: 6}], 'o'],
    [
      'another one has more, and less than this one',
      [general, {...own, remaining_amount: 3}],
      [general, {...own, remaining_amount: 4}],
      undefined,
    ],
    ['another one is new, and has more than this one', [general], [general, {...own, remaining_amount: 6}], 'o'],
    ['another one is new and empty', [general], [general, {...own, remaining_amount: 0}], undefined],
    ['a plan is new', [general], [general, plan], 'p'],
    ['a plan is renewed', [general, expired], [general, plan], 'p'],
    [
      'a spent plan is bought again',
      [{...plan, remaining_amount: 0}, general],
      [{...plan, remaining_amount: 100}, general],
      'p',
    ],
    [
      'credits are bought beside a spent plan',
      [{...plan, remaining_amount: 1}, general],
      [
        {...plan, remaining_amount: 1},
        {...general, remaining_amount: 500},
      ],
      'g',
    ],
    ['a plan runs on', [general, plan], [general, plan], undefined],
    ['a plan is not paid', [general], [general, expired], undefined],
  ])('%s', (_, applications, read, id) => {
    expect(suppliedApplication({applications, application: applications[0]}, read, now)?.id).toBe(id)
  })
})
