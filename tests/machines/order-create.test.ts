import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {Application} from '#contract/management.ts'
import type {Order} from '#contract/orders.ts'
import type {ApplicationKind} from '#domain/order-request.ts'
import {
  orderCreateMachine,
  type OrderCreateEvent,
  type OrderRequest,
} from '#machines/order-create/order-create.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const application: Application = {
  id: 'foo',
  type: 'Usage',
  scope: 'Global',
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
  'order.create': [{type: 'order.create', description: 'baz'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<OrderCreateEvent>

const logic = orderCreateMachine.provide({actions: {showOrder: () => {}}})

describe('making an order', () => {
  const {coverage, edges} = describeRules(logic, {
    input,
    user: ['offers.load', 'package.choose', 'order.create'],
    events: Object.values(events).flat(),
    endless: ['environmentChanges'],
    outputs: {
      readApplication: [application, {id: 'foo'}, {...application, type: 'Period'}],
      findApplication: [undefined, {id: 'found'}],
      findApplicationAgain: [undefined, {id: 'found'}],
      createApplication: [{id: 'made'}],
      createOrder: [order],
    },
    errors: [new Error('foo'), {code: 'duplication', detail: 'There is one.'}],
    key: ({context: {application: read, chosen, named, targetId, failure}}) => [
      read?.packages?.length,
      read?.type,
      chosen,
      named?.packageId,
      targetId,
      failure?.code,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))
  test('what is ordered was offered', () => {
    const chosen = edges
      .filter(({nextState}) => nextState.matches('creating'))
      .map(({nextState}) => nextState.context.chosen)
    expect([...new Set(chosen)].sort()).toEqual(['large', 'small'])
  })
})

test.each([
  ['without a need as ever', 'Usage', undefined, 'small', undefined],
  ['the first that covers what the balance lacks', 'Usage', '104.000000', 'small', '99.500000'],
  ['a larger one', 'Usage', '104.500001', 'large', '100.000001'],
  ['the largest where none covers it', 'Usage', '9000', 'large', '8995.500000'],
  ['as ever where the balance covers it by now', 'Usage', '4.5', 'small', undefined],
  ['a plan, which begins at nothing', 'Period', '4.5', 'year', '4.500000'],
] as const)('chosen at first: %s', async (_, type, need, chosen, missing) => {
  const read: Application = {...application, remaining_amount: 4.5}
  const actor = createActor(
    orderCreateMachine.provide({
      actors: {readApplication: fromPromise<Application, {applicationId: string}>(async () => read)},
    }),
    {input: {...input, type, need}},
  ).start()
  const {context} = await waitFor(actor, (snapshot) => snapshot.matches('choosing'))
  expect([context.chosen, context.missing]).toEqual([chosen, missing])
  actor.stop()
})

describe('a subscription is ordered for the Period application', () => {
  const found: Application = {id: 'found', type: 'Period', scope: 'Global'}
  const twice = {code: 'duplication', detail: 'There is one.', status: 409}

  test.each([
    ['that is there', [found], undefined, ['find'], ['found']],
    ['that is made', [undefined], {...found, id: 'made'}, ['find', 'make'], ['made']],
    ['that another tab made meanwhile', [undefined, found], undefined, ['find', 'make', 'find'], ['found']],
    ['unless none can be had', [undefined, undefined], undefined, ['find', 'make', 'find'], []],
  ])('%s', async (_, lists, made, calls, targets) => {
    const seen: string[] = []
    const requests: OrderRequest[] = []
    const answers = [...lists]
    const actor = createActor(
      orderCreateMachine.provide({
        actors: {
          readApplication: fromPromise<Application, {applicationId: string}>(async () => application),
          findApplication: fromPromise<Application | undefined, ApplicationKind>(async ({input: kind}) => {
            expect(kind).toEqual({type: 'Period', serviceId: undefined})
            seen.push('find')
            return answers.shift()
          }),
          createApplication: fromPromise<Application, ApplicationKind>(async () => {
            seen.push('make')
            if (made === undefined) throw Object.assign(new Error('409'), twice)
            return made
          }),
          createOrder: fromPromise<Order, OrderRequest>(async ({input: request}) => {
            requests.push(request)
            return order
          }),
        },
        actions: {showOrder: () => {}},
      }),
      {input: {...input, type: 'Period'}},
    ).start()
    await waitFor(actor, (snapshot) => snapshot.matches('choosing'))
    actor.send({type: 'order.create', description: 'General balance · One year'})
    const end = await waitFor(actor, (snapshot) => !snapshot.hasTag('ordering'))
    expect(seen).toEqual(calls)
    expect(requests).toEqual(
      targets.map((applicationId) => ({
        applicationId,
        offer: application.packages?.[2],
        description: 'General balance · One year',
        key: 'key:year',
      })),
    )
    expect([end.value, end.context.failure?.code]).toEqual(
      targets.length > 0 ? ['created', undefined] : ['choosing', 'conflict'],
    )
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
        createOrder: fromPromise<Order, OrderRequest>(({input: {key, description}}) => {
          keys.push(`${key} ${description}`)
          return answers[keys.length - 1]?.() ?? Promise.reject(new Error('one call too many'))
        }),
      },
      actions: {showOrder: (_, {id}) => void shown.push(id)},
    }),
    {input},
  ).start()
  await waitFor(actor, (snapshot) => snapshot.matches('choosing'))
  for (const [choice, description] of [
    ['small', '100 credits'],
    ['small', 'said in another language'],
    ['large', '2,000 credits'],
  ] as const) {
    actor.send({type: 'package.choose', id: choice})
    actor.send({type: 'order.create', description})
    await waitFor(actor, (snapshot) => !snapshot.hasTag('ordering'))
  }
  expect([keys, shown, actor.getSnapshot().status]).toEqual([
    ['key:small 100 credits', 'key:small 100 credits', 'key:large 2,000 credits'],
    ['bar'],
    'done',
  ])
})
