import {fromPromise} from 'xstate'
import type {Currency} from '#domain/currency.ts'
import {toLocale, toTheme, type Locale, type Theme} from '#domain/locale.ts'
import {preferencesMachine, type PreferencesInput, type RateOutput} from '#machines/preferences/preferences.machine.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** Whether the stored setting follows the system's theme; `undefined` when it does not say. */
export const followsSystemOf = (setting: object | undefined): boolean | undefined => {
  const follows = setting !== undefined && 'followsSystem' in setting ? setting.followsSystem : undefined
  return typeof follows === 'boolean' ? follows : undefined
}

type FirstPaint = {
  address: RootDeps['address']
  cookies: Pick<RootDeps['cookies'], 'read'>
  state: Pick<RootDeps['state'], 'read'>
  page: Pick<RootDeps['page'], 'systemTheme'>
  language: string
}

/** Language and theme of the first paint (spec §4): the address, then the cookie, then the browser's own. */
export function initialPreferences({address, cookies, state, page, language}: FirstPaint): PreferencesInput {
  const query = address().searchParams
  const cookieValues = cookies.read()
  const storedState = state.read()
  const parameter = query.get('lang')
  const askedTheme = toTheme(query.get('theme'))
  const theme: Theme = askedTheme ?? cookieValues.theme ?? page.systemTheme()
  const locale: Locale = parameter === null ? (cookieValues.locale ?? toLocale(language)) : toLocale(parameter)
  // a cookie that differs from what this page last showed is a choice made elsewhere
  const isChosenElsewhere =
    cookieValues.theme !== undefined &&
    storedState.dark !== undefined &&
    (cookieValues.theme === 'dark') !== storedState.dark
  const followsSystem =
    askedTheme === undefined &&
    !isChosenElsewhere &&
    (followsSystemOf(storedState.setting) ?? cookieValues.theme === undefined)
  return {locale, theme: followsSystem ? page.systemTheme() : theme, followsSystem, rates: storedState.exchange}
}

/** Fills the ports of `preferences`: cookies, document, messages, exchange rate. */
export function createPreferencesLogic(deps: RootDeps, {management}: Services) {
  const {cookies, page, state} = deps
  return preferencesMachine.provide({
    actors: {
      getRate: fromPromise<RateOutput, {source: Currency; target: Currency}>(({input, signal}) =>
        management.exchangeRate(input.source, input.target, signal),
      ),
    },
    actions: {
      applyLocale: (_, {locale}) => {
        cookies.writeLocale(locale)
        void deps.loadLanguage(locale)
      },
      applyTheme: (_, {theme, followsSystem}) => {
        cookies.writeTheme(theme)
        page.setTheme(theme)
        state.save({setting: {...state.read().setting, followsSystem}})
      },
    },
  })
}
