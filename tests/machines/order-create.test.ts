import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import {orderCreateMachine, type OrderCreateEvent} from '#machines/order-create/order-create.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const application: Application = {
  id: 'foo',
  packages: [
    {id: 'small', type: 'Usage', amount: 100, price: 9.9},
    {id: 'large', type: 'Usage', amount: 2000, price: 160},
    {id: 'year', type: 'Period', amount: 4000, price: 90, duration: 31_536_000},
  ],
}
const order: Order = {id: 'bar', state: 'Pending'}
const input = {applicationId: 'foo', type: 'Usage' as const, key: 'key', environment: startEnvironment()}
const events = {
  'offers.load': [{type: 'offers.load'}],
  'package.choose': [
    {type: 'package.choose', id: 'large'},
    {type: 'package.choose', id: 'year'},
  ],
  'order.create': [{type: 'order.create'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<OrderCreateEvent>

const logic = orderCreateMachine.provide({actions: {showOrder: () => {}}})

describe('making an order', () => {
  const {coverage, edges} = describeRules(logic, {
    input,
    user: ['offers.load', 'package.choose', 'order.create'],
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
    outputs: {readApplication: [application, {id: 'foo'}], createOrder: [order]},
    key: ({context: {application: read, chosen, failure}}) => [read?.packages?.length, chosen, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))
  test('what is ordered was offered', () => {
    const chosen = edges
      .filter(({nextState}) => nextState.matches('creating'))
      .map(({nextState}) => nextState.context.chosen)
    expect([...new Set(chosen)].sort()).toEqual(['large', 'small'])
  })
})

test('an order whose answer was lost is sent again with the same key; another package has another', async () => {
  const keys: string[] = []
  const shown: string[] = []
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => order,
  ]
  const actor = createActor(
    orderCreateMachine.provide({
      actors: {
        readApplication: fromPromise<Application, {applicationId: string}>(async () => application),
        createOrder: fromPromise<
          Order,
          {applicationId: string; type: 'Usage' | 'Period'; packageId: string; key: string}
        >(({input: {key}}) => {
          keys.push(key)
          return answers[keys.length - 1]?.() ?? Promise.reject(new Error('one call too many'))
        }),
      },
      actions: {showOrder: (_, {id}) => void shown.push(id)},
    }),
    {input},
  ).start()
  await waitFor(actor, (snapshot) => snapshot.matches('choosing'))
  for (const choice of ['small', 'small', 'large']) {
    actor.send({type: 'package.choose', id: choice})
    actor.send({type: 'order.create'})
    await waitFor(actor, (snapshot) => !snapshot.matches('creating'))
  }
  expect([keys, shown, actor.getSnapshot().status]).toEqual([['key:small', 'key:small', 'key:large'], ['bar'], 'done'])
})
