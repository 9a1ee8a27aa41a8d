import {defaultCurrency, rateTo} from '#domain/currency.ts'
import type {PreferencesSnapshot} from './preferences.machine.ts'

export const selectLocale = ({context}: PreferencesSnapshot) => context.locale
export const selectTheme = ({context}: PreferencesSnapshot) => context.theme
export const selectFollowsSystem = ({context}: PreferencesSnapshot) => context.followsSystem
/** The factor from US dollars to the shown currency; undefined: amounts are shown in US dollars. */
export const selectRate = ({context}: PreferencesSnapshot) => rateTo(context.rates, context.currency)
/** The currency amounts can be shown in now: the language's when its rate is known, else usd. */
export const selectShownCurrency = (snapshot: PreferencesSnapshot) =>
  selectRate(snapshot) === undefined ? defaultCurrency : snapshot.context.currency
