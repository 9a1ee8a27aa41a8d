import {expect, test} from 'vitest'
import {modulesIn, read, targetOf} from './source-files.ts'

/*
 * A user can find a chart in each of its resting states. For the charts whose states are to be seen a journey compares
 * those that it looks for on the page with the chart's own (docs/testing-with-machines.md §2); a chart without such a
 * journey is named here.
 */

/** By the reason why none compares them. */
const unwalked: Readonly<Record<string, readonly string[]>> = {
  'has one state': ['tasks/tasks', 'task-requests/task-requests'],
  'is seen as the charts that it owns': ['app/app', 'session/session', 'tool/tool', 'task-list/task-list'],
  'shows nothing by itself': [
    'environment/environment',
    'message-changes/removal-hold',
    'conversation-changes/changing',
    'site/site',
    'site/site-origin',
    'site-access/site-access',
    'startup/startup',
  ],
  'is seen in its dialog, state by state (auth-dialog-states)': ['login-frame/login-frame'],
  'is of the console and the account': [
    'api-keys/api-keys',
    'call/call',
    'order-create/order-create',
    'order-lead/order-lead',
    'order-payment/order-payment',
    'profile-form/profile-form',
    'referral/referral',
    'resource-list/resource-list',
    'short-link/short-link',
    'site-form/site-form',
  ],
}

const suffix = '.machine.ts'
const charts = modulesIn('machines')
  .filter((file) => file.endsWith(suffix) && /[cC]reateMachine\(/.test(read(file)))
  .map((file) => file.slice('machines/'.length, -suffix.length))

/** The file that a name of a module comes from; that of `machine` is the one of the machine that it was made of. */
function originOf(file: string, name: string): string {
  const text = read(file)
  const made = new RegExp(`const ${name} = (\\w+)[.(]`).exec(text)?.[1] ?? name
  const specifier = new RegExp(`import [^;']*\\b${made}\\b[^;']*from '([^']+)'`).exec(text)?.[1] ?? ''
  const target = targetOf(file, specifier) ?? ''
  return target.endsWith(suffix) ? target.slice('machines/'.length, -suffix.length) : `${file}: ${name}`
}

const walked = new Set(
  modulesIn('e2e')
    .filter((file) => file.endsWith('.spec.ts'))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:restingStates\(|keys\((?=\w+\.states))(\w+)/g)].map(([, name = '']) =>
        originOf(file, name),
      ),
    ),
)

test('the states of each chart are compared with those that a journey looks for, or it is said why not', () => {
  expect([...walked, ...Object.values(unwalked).flat()].sort()).toEqual(charts.sort())
})
