import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Currency} from '#domain/currency.ts'
import {
  preferencesMachine,
  type PreferencesEvent,
  type PreferencesInput,
  type RateOutput,
} from '#machines/preferences/preferences.machine.ts'
import {selectRate, selectShownCurrency} from '#machines/preferences/preferences.selectors.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const events = {
  'locale.choose': [
    {type: 'locale.choose', locale: 'de'},
    {type: 'locale.choose', locale: 'en'},
  ],
  'theme.choose': [
    {type: 'theme.choose', theme: 'light', followsSystem: false},
    {type: 'theme.choose', theme: 'dark', followsSystem: true},
  ],
  'systemTheme.changed': [{type: 'systemTheme.changed', theme: 'light'}],
  'rate.request': [{type: 'rate.request'}],
} satisfies EventFixtures<PreferencesEvent>
const english: PreferencesInput = {locale: 'en', theme: 'dark', followsSystem: true}
type Asked = {source: Currency; target: Currency}

const start = (input: PreferencesInput, getRate: (asked: Asked) => Promise<number>) => {
  const asked: Asked[] = []
  const applied: unknown[] = []
  const machine = preferencesMachine.provide({
    actors: {
      getRate: fromPromise<RateOutput, Asked>(async ({input: pair}) => {
        asked.push(pair)
        return {rate: await getRate(pair), date: '2026-01-02'}
      }),
    },
    actions: {
      applyLocale: (_, {locale}) => void applied.push(locale),
      applyTheme: (_, {theme, followsSystem}) => void applied.push([theme, followsSystem]),
    },
  })
  return {actor: createActor(machine, {input}).start(), asked, applied}
}

describe('preferences', () => {
  const {coverage} = describeRules(preferencesMachine, {
    user: ['locale.choose', 'theme.choose'],
    input: english,
    events: Object.values(events).flat(),
    outputs: {getRate: [{rate: 0.9, date: '2026-01-02'}]},
    key: ({context: {locale, followsSystem, rates}}) => [locale, followsSystem, rates],
  })
  test('every transition is taken', () => expect(coverage.missing(preferencesMachine)).toEqual([]))

  test('no call when source equals target', () => {
    const {actor, asked} = start(english, async () => 1)
    actor.send({type: 'rate.request'})
    expect(actor.getSnapshot().value).toBe('rated')
    expect(asked).toEqual([])
  })

  test('a language brings its currency and its rate, once', async () => {
    const {actor, asked, applied} = start(english, async () => 0.9)
    actor.send({type: 'locale.choose', locale: 'de'})
    await waitFor(actor, (snapshot) => snapshot.matches('rated'))
    actor.send({type: 'locale.choose', locale: 'en'})
    actor.send({type: 'locale.choose', locale: 'fr'})
    expect(asked).toEqual([{source: 'usd', target: 'eur'}])
    expect(actor.getSnapshot().context).toEqual({
      currency: 'eur',
      rates: {'usd-eur': 0.9},
      locale: 'fr',
      theme: 'dark',
      followsSystem: true,
      rateDates: {eur: '2026-01-02'},
    })
    expect(applied).toEqual(['de', 'en', 'fr'])
  })

  test('the day of a rate is that of the rate that was read, and of no other', async () => {
    const {actor} = start(english, async () => 0.9)
    actor.send({type: 'locale.choose', locale: 'de'})
    const read = await waitFor(actor, (snapshot) => snapshot.matches('rated'))
    expect(read.context.rateDates).toEqual({eur: '2026-01-02'})
    for (const locale of ['fr', 'en', 'de'] as const) {
      actor.send({type: 'locale.choose', locale})
      const {context, value} = actor.getSnapshot()
      expect([value, context.rateDates[context.currency]]).toEqual([
        'rated',
        locale === 'en' ? undefined : '2026-01-02',
      ])
    }
  })

  test('a stored rate is shown while the one of today is read, whenever its language is chosen', async () => {
    const stored = {'usd-eur': 0.5}
    const {actor, asked} = start({...english, rates: stored}, async () => 0.9)
    actor.send({type: 'rate.request'})
    actor.send({type: 'locale.choose', locale: 'de'})
    expect(selectRate(actor.getSnapshot())).toBe(0.5)
    const read = await waitFor(actor, (snapshot) => snapshot.matches('rated'))
    expect([selectRate(read), asked]).toEqual([0.9, [{source: 'usd', target: 'eur'}]])
  })

  test('a rate that cannot be read is not that of some other day: amounts are in usd until it can be', async () => {
    const answers = [() => Promise.reject(new Error('foo')), async () => 0.9]
    const {actor} = start({...english, locale: 'de', rates: {'usd-eur': 0.5}}, () => answers.shift()!())
    actor.send({type: 'rate.request'})
    const failed = await waitFor(actor, (snapshot) => snapshot.matches('unrated'))
    expect([selectRate(failed), selectShownCurrency(failed), failed.context.failure?.code]).toEqual([
      undefined,
      'usd',
      'unknown',
    ])
    actor.send({type: 'rate.request'})
    const read = await waitFor(actor, (snapshot) => snapshot.matches('rated'))
    expect([selectRate(read), read.context.failure]).toEqual([0.9, undefined])
  })

  test('without a rate amounts stay in usd', async () => {
    const {actor} = start(english, () => Promise.reject(new Error('foo')))
    actor.send({type: 'locale.choose', locale: 'ja'})
    const snapshot = await waitFor(actor, (state) => state.matches('unrated'))
    expect([selectRate(snapshot), selectShownCurrency(snapshot), snapshot.context.currency]).toEqual([
      undefined,
      'usd',
      'jpy',
    ])
  })

  test('a chosen theme does not follow the system', () => {
    const {actor, applied} = start(english, async () => 1)
    actor.send({type: 'systemTheme.changed', theme: 'light'})
    actor.send({type: 'theme.choose', theme: 'dark', followsSystem: false})
    actor.send({type: 'systemTheme.changed', theme: 'light'})
    expect(actor.getSnapshot().context.theme).toBe('dark')
    expect(applied).toEqual([
      ['light', true],
      ['dark', false],
    ])
  })
})
