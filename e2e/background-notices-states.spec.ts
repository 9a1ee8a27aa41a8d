import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {
  backgroundNoticesMachine,
  type BackgroundNoticesSnapshot,
  type Permission,
} from '#machines/background-notices/background-notices.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {bothOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'

/*
 * The setting of notifications in the background shows what its machine says, over every edge of the graph generated
 * from the machine. The browser's question is stood in for by a script in the page.
 */

type Value = 'off' | 'asking' | 'on' | 'denied'
type Wish = 'wanted' | 'unwanted'
type Action = 'turn on' | 'turn off' | 'grant' | 'refuse' | 'dismiss' | 'break' | 'block in the browser' | 'reopen'
type Shown = `${Value}, ${Permission}, ${Wish}`
/** The permission of the browser and the memory of this page outlive the closed settings. */
type Snapshot = {setting: BackgroundNoticesSnapshot; permission: Permission; isWanted: boolean}

const machine = backgroundNoticesMachine.provide({actions: {storeWish: () => {}}})
const send = sender(machine)
const open = (permission: Permission, isWanted: boolean): Snapshot => ({
  setting: initialTransition(machine, {permission, isWanted})[0],
  permission,
  isWanted,
})
const is =
  (...values: Value[]) =>
  ({setting}: Snapshot) =>
    values.some((value) => setting.matches(value))
const answers = (permission: Permission) =>
  where<Snapshot>(is('asking'), (snapshot) => ({
    setting: send(snapshot.setting, {type: 'xstate.done.actor.askPermission', output: permission}),
    permission,
    isWanted: snapshot.isWanted || permission === 'granted',
  }))

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => open('default', false),
  effects: {
    'turn on': where(is('off', 'denied'), (snapshot) => ({
      ...snapshot,
      setting: send(snapshot.setting, {type: 'notices.turnOn'}),
    })),
    'turn off': where(is('asking', 'on'), (snapshot) => ({
      ...snapshot,
      setting: send(snapshot.setting, {type: 'notices.turnOff'}),
      // a question without an answer changes no wish
      isWanted: snapshot.isWanted && !is('on')(snapshot),
    })),
    grant: answers('granted'),
    refuse: answers('denied'),
    dismiss: answers('default'),
    break: where(is('asking'), (snapshot) => ({
      ...snapshot,
      setting: send(snapshot.setting, {type: 'xstate.error.actor.askPermission', error: new Error('foo')}),
    })),
    // the settings tell when they are opened again
    'block in the browser': where(
      (snapshot) => is('on')(snapshot) && snapshot.permission === 'granted',
      (snapshot) => ({...snapshot, permission: 'denied'}),
    ),
    reopen: ({permission, isWanted}) => open(permission, isWanted),
  },
  // as: the machine leaves `deciding` at once
  shownBy: ({setting, permission, isWanted}) =>
    `${setting.value as Value}, ${permission}, ${isWanted ? 'wanted' : 'unwanted'}`,
}

declare global {
  interface Window {
    /** Answers the browser's question. */
    answerNotices: (answer: Permission | 'break') => void
    blockNotices: () => void
    noticesAsked: number
  }
}

const standIn = (page: Page) =>
  page.addInitScript(() => {
    let permission: Permission = 'default'
    let settle: ((answer: Permission | Promise<never>) => void) | undefined
    Object.defineProperty(Notification, 'permission', {get: () => permission})
    Object.assign(Notification, {
      requestPermission: () => {
        window.noticesAsked += 1
        return new Promise<Permission>((resolve) => {
          settle = resolve
        })
      },
    })
    Object.assign(window, {
      noticesAsked: 0,
      answerNotices: (answer: Permission | 'break') => {
        if (answer === 'break') return settle?.(Promise.reject(new Error('foo')))
        permission = answer
        settle?.(answer)
      },
      blockNotices: () => {
        permission = 'denied'
      },
    })
  })

const settings = (page: Page) => page.getByRole('dialog', {name: 'Settings'})
const notify = (page: Page) => settings(page).getByRole('switch', {name: 'Notify me in the background'})
async function openSettings(page: Page) {
  await page.getByRole('button', {name: 'Account'}).click()
  await page.getByRole('menuitem', {name: 'Settings'}).click()
}
const answer = (given: Permission | 'break') => (page: Page) =>
  page.evaluate((each) => window.answerNotices(each), given)

const done: {[Name in Action]: (page: Page) => Promise<unknown>} = {
  // only a click asks the browser, and once
  'turn on': async (page) => {
    const before = await page.evaluate(() => window.noticesAsked)
    await notify(page).click()
    await expect.poll(() => page.evaluate(() => window.noticesAsked)).toBe(before + 1)
  },
  'turn off': (page) => notify(page).click(),
  grant: answer('granted'),
  refuse: answer('denied'),
  dismiss: answer('default'),
  break: answer('break'),
  'block in the browser': (page) => page.evaluate(() => window.blockNotices()),
  reopen: async (page) => {
    const before = await page.evaluate(() => window.noticesAsked)
    await page.keyboard.press('Escape')
    await expect(settings(page)).toHaveCount(0)
    await openSettings(page)
    await expect(notify(page)).toBeVisible()
    expect(await page.evaluate(() => window.noticesAsked)).toBe(before)
  },
}

const says = (isOn: boolean, description: string) => async (page: Page) => {
  await expect(notify(page)).toBeChecked({checked: isOn})
  await expect(notify(page)).toHaveAccessibleDescription(description)
}
const help = 'When an answer or a task ends while no tab of this site is visible.'
const values: {[Name in Value]: (page: Page) => Promise<unknown>} = {
  off: says(false, help),
  on: says(true, help),
  asking: says(true, 'Your browser is asking for permission.'),
  denied: says(
    false,
    'Your browser blocks notifications of this site. Allow them in its settings for this site, then turn this on again.',
  ),
}
const hasPermission = (permission: Permission) => async (page: Page) =>
  expect(await page.evaluate(() => Notification.permission)).toBe(permission)
const permissions: {[Name in Permission]: (page: Page) => Promise<unknown>} = {
  default: hasPermission('default'),
  granted: hasPermission('granted'),
  denied: hasPermission('denied'),
}
const remembers = (isWanted: boolean) => (page: Page) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('atrium.notices') === 'on')).toBe(isWanted)
const wishes: {[Name in Wish]: (page: Page) => Promise<unknown>} = {
  wanted: remembers(true),
  unwanted: remembers(false),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({setting: {value}}) => value)).toEqual(restingStates(machine))
})

test('the setting shows what the machine says, over every edge', long, async ({chat: page}) => {
  await standIn(page)
  await page.reload()
  await composer(page).waitFor()
  await openSettings(page)
  await walkPage(chart, page, {done, expected: bothOf(values, bothOf(permissions, wishes))})
})
