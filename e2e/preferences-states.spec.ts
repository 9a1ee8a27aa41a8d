import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {rateKey} from '#domain/currency.ts'
import {preferencesMachine, type PreferencesSnapshot} from '#machines/preferences/preferences.machine.ts'
import {selectLocale, selectRate} from '#machines/preferences/preferences.selectors.ts'
import {expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * Prices are in the currency of the language as the machine of the preferences says, over every edge of the graph
 * generated from it: while the rate is read, once it is known, and without it. A kept rate is shown while it is read
 * anew.
 */

type Action =
  | 'choose German'
  | 'choose English'
  | 'answer'
  | 'refuse'
  | 'say nothing'
  | 'retry'
  | 'reload'
  | 'take another device'
/** The rate of the euro, which is asked for with German. */
type Rate = 'unasked' | 'kept' | 'read' | 'missed'
type Shown = `dollars, ${Rate}` | 'asked' | 'asked again' | 'asked, a rate is kept' | 'euros' | 'unknown'

const machine = preferencesMachine.provide({
  actions: {applyLocale: () => undefined, applyTheme: () => undefined},
})
const send = sender(machine)
const begin = (locale: 'en' | 'de', rates = {}) =>
  send(initialTransition(machine, {locale, theme: 'dark', followsSystem: true, rates})[0], {type: 'rate.request'})
const isAsking = (snapshot: PreferencesSnapshot) => snapshot.matches('fetching')
const isGerman = (snapshot: PreferencesSnapshot) => selectLocale(snapshot) === 'de'
const hasRate = (snapshot: PreferencesSnapshot) => isGerman(snapshot) && selectRate(snapshot) !== undefined
const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: PreferencesSnapshot) =>
    send(snapshot, ...events)

function rateOf({context: {rates, rateDates, failure}}: PreferencesSnapshot): Rate {
  if ('eur' in rateDates) return 'read'
  return rateKey('usd', 'eur') in rates ? 'kept' : failure === undefined ? 'unasked' : 'missed'
}

const chart: Chart<PreferencesSnapshot, Action, Shown> = {
  start: () => begin('en'),
  effects: {
    'choose German': where(
      (snapshot) => !isGerman(snapshot),
      (snapshot) => send(snapshot, {type: 'locale.choose', locale: 'de'}),
    ),
    'choose English': where(isGerman, (snapshot) => send(snapshot, {type: 'locale.choose', locale: 'en'})),
    answer: where(isAsking, then({type: 'xstate.done.actor.getRate', output: {rate: 0.5, date: '2026-01-02'}})),
    refuse: where(
      isAsking,
      then({type: 'xstate.error.actor.getRate', error: {code: 'foo', detail: 'foo', status: 400}}),
    ),
    'say nothing': where(isAsking, then({type: 'xstate.after.callDeadline.preferences.fetching'})),
    retry: where((snapshot) => snapshot.matches('unrated'), then({type: 'rate.request'})),
    // what was read is kept
    reload: where(
      (snapshot) => isGerman(snapshot) && snapshot.matches('rated'),
      ({context: {rates}}) => begin('de', rates),
    ),
    'take another device': where(
      (snapshot) => snapshot.matches('unrated'),
      () => begin('en'),
    ),
  },
  shownBy: (snapshot) => {
    if (!isGerman(snapshot)) return `dollars, ${rateOf(snapshot)}`
    if (snapshot.matches('unrated')) return 'unknown'
    if (!isAsking(snapshot)) return 'euros'
    if (hasRate(snapshot)) return 'asked, a rate is kept'
    return snapshot.context.failure === undefined ? 'asked' : 'asked again'
  },
}

type Hands = {page: Page; rates: HeldRoute; openAnew: () => Promise<unknown>}
const choose =
  (language: string) =>
  async ({page, rates}: Hands) => {
    // nobody waits any more for what was asked before
    rates.hold()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill(language)
    await page
      .getByRole('option', {name: new RegExp(`: ${language}$`)})
      .first()
      .click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'choose German': choose('Deutsch'),
  'choose English': choose('English'),
  answer: ({rates}) => letOnce(rates, (route) => route.fulfill({json: {rate: 0.5, date: '2026-01-02'}})),
  refuse: ({rates}) => letOnce(rates, refuseWith(400, 'foo')),
  'say nothing': async ({page, rates}) => {
    await rates.waitForOne()
    expect(await endDelays(page, 15_000)).toBeGreaterThan(0)
    rates.hold()
  },
  retry: ({page}) => page.getByRole('button', {name: 'Wiederholen'}).click(),
  reload: ({page}) => page.reload(),
  'take another device': ({openAnew}) => openAnew(),
}

const prices =
  (language: 'en' | 'de', currency: '€' | '$', note: 'rate' | 'missing' | 'none', held: 0 | 1) =>
  async ({page, rates}: Hands) => {
    const main = page.getByRole('main')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(main).toContainText(currency)
    if (currency === '$') await expect(main).not.toContainText('€')
    await expect(main.getByText('Wechselkurs vom 02.01.2026')).toHaveCount(note === 'rate' ? 1 : 0)
    await expect(main.getByText('Der Wechselkurs ist nicht verfügbar')).toHaveCount(note === 'missing' ? 1 : 0)
    await expect.poll(() => rates.held).toBe(held)
  }
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'dollars, unasked': prices('en', '$', 'none', 0),
  'dollars, kept': prices('en', '$', 'none', 0),
  'dollars, read': prices('en', '$', 'none', 0),
  'dollars, missed': prices('en', '$', 'none', 0),
  asked: prices('de', '$', 'none', 1),
  'asked again': prices('de', '$', 'missing', 1),
  'asked, a rate is kept': prices('de', '€', 'none', 1),
  euros: prices('de', '€', 'rate', 0),
  unknown: prices('de', '$', 'missing', 0),
}

test('the walk passes every resting state of the machine', () => {
  // nothing is shown before the rate is asked for
  expect(['idle', ...statesPassed(chart, ({value}) => value)].sort()).toEqual(restingStates(preferencesMachine))
})

test('prices are shown as the machine says, over every edge', long, async ({context, installation, signedIn}) => {
  const {chat} = JSON.parse(signedIn.state)
  const page = await blankTab(context, installation.url, signedIn)
  await holdDelays(page)
  const rates = await HeldRoute.on(page, '**/exchange-rate')
  const openAnew = async () => {
    await page.goto(`${installation.url}/robots.txt`)
    await page.evaluate((kept) => localStorage.setItem('vuex', kept), signedIn.state)
    await context.clearCookies({name: 'LOCALE'})
    await page.goto(`${installation.url}/console/applications/${chat.application.id}/extra`)
  }
  await openAnew()
  await walkPage(chart, {page, rates, openAnew}, {done, expected})
})
