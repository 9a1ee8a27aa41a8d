import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {currencyOf, defaultCurrency, rateKey, type Currency, type Rates} from '#domain/currency.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {Locale, Theme} from '#domain/locale.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

export type PreferencesInput = {locale: Locale; theme: Theme; followsSystem: boolean; rates?: Rates}
export type PreferencesEvent =
  | {type: 'locale.choose'; locale: Locale}
  /** `followsSystem`: the theme is the system's now and changes with it. */
  | {type: 'theme.choose'; theme: Theme; followsSystem: boolean}
  /** The system's preference changed. */
  | {type: 'systemTheme.changed'; theme: Theme}
  /** Start-up may ask for the rate now (spec §4), and not before; or the user asks for a missing one. */
  | {type: 'rate.request'}
type Context = {
  locale: Locale
  theme: Theme
  followsSystem: boolean
  currency: Currency
  /** Rates by `source-target` (spec §3); source is always usd. */
  rates: Rates
  /** The currencies whose rate was read since the start, with its ISO day if the back end says so. */
  rateDates: Partial<Record<Currency, RateOutput['date']>>
  failure?: Failure
}
export type RateOutput = {rate: number; date?: string | null | undefined}
type RateInput = {source: Currency; target: Currency}

/**
 * Language, theme, currency and rate (spec §4, §9). Language and theme apply at once and need no state; the states are
 * those of the rate. No rate is read if source equals target, or while it is being read. The stored rate is shown
 * during a reading; if that fails, it is dropped and amounts stay in usd. Owned by the root; survives signing out.
 */
export const preferencesMachine = setup({
  types: {input: {} as PreferencesInput, context: {} as Context, events: {} as PreferencesEvent},
  actors: {getRate: promisePort<RateOutput, RateInput>('getRate')},
  delays: {callDeadline: 15_000},
  guards: {
    needsNone: ({context: {currency, rateDates}}) => currency === defaultCurrency || currency in rateDates,
    isOtherLocale: ({context}, {locale}: {locale: Locale}) => locale !== context.locale,
    followsSystem: ({context}) => context.followsSystem,
  },
  actions: {
    storeLocale: assign((_, {locale}: {locale: Locale}) => ({
      locale,
      currency: currencyOf(locale),
    })),
    storeTheme: assign((_, {theme, followsSystem}: {theme: Theme; followsSystem: boolean}) => ({theme, followsSystem})),
    storeSystemTheme: assign((_, {theme}: {theme: Theme}) => ({theme})),
    storeRate: assign(({context}, {output}: {output: RateOutput}) => ({
      rates: {...context.rates, [rateKey(defaultCurrency, context.currency)]: output.rate},
      rateDates: {...context.rateDates, [context.currency]: output.date},
      failure: undefined,
    })),
    /** The age of the stored rate is unknown. */
    dropRate: assign(({context: {rates, currency}}, {error}: {error: unknown}) => {
      const {[rateKey(defaultCurrency, currency)]: _stored, ...others} = rates
      return {rates: others, failure: toFailure(error)}
    }),
    /** Port: LOCALE cookie, document language and direction, messages. */
    applyLocale: (_, _preference: {locale: Locale}) => unfilledAction('applyLocale'),
    /** Port: THEME cookie, the document's theme, and whether it follows the system. */
    applyTheme: (_, _preference: {theme: Theme; followsSystem: boolean}) => unfilledAction('applyTheme'),
  },
}).createMachine({
  id: 'preferences',
  context: ({input: {rates, ...input}}) => ({
    ...input,
    currency: currencyOf(input.locale),
    rates: rates ?? {},
    rateDates: {},
  }),
  initial: 'idle',
  on: {
    'locale.choose': {
      guard: {type: 'isOtherLocale', params: ({event}) => event},
      target: '.deciding',
      actions: [
        {type: 'storeLocale', params: ({event}) => event},
        {type: 'applyLocale', params: ({event}) => event},
      ],
    },
    'theme.choose': {
      actions: [
        {type: 'storeTheme', params: ({event}) => event},
        {type: 'applyTheme', params: ({event}) => event},
      ],
    },
    'systemTheme.changed': {
      guard: 'followsSystem',
      actions: [
        {type: 'storeSystemTheme', params: ({event}) => event},
        {type: 'applyTheme', params: ({event}) => ({theme: event.theme, followsSystem: true})},
      ],
    },
    'rate.request': {target: '.deciding'},
  },
  states: {
    idle: {},
    deciding: {always: [{guard: 'needsNone', target: 'rated'}, {target: 'fetching'}]},
    fetching: {
      invoke: {
        id: 'getRate',
        src: 'getRate',
        input: ({context: {currency}}) => ({source: defaultCurrency, target: currency}),
        onDone: {target: 'rated', actions: [{type: 'storeRate', params: ({event}) => event}]},
        onError: {target: 'unrated', actions: [{type: 'dropRate', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unrated', actions: [{type: 'dropRate', params: timeout}]}},
    },
    rated: {},
    // the rate is unknown: amounts are in usd
    unrated: {},
  },
})

export type PreferencesActor = ActorRefFrom<typeof preferencesMachine>
export type PreferencesSnapshot = SnapshotFrom<typeof preferencesMachine>
