import {describe, expect, test} from 'vitest'
import {waitFor, type AnyEventObject} from 'xstate'
import type {Application, Credential} from '#contract/management.ts'
import {bare, credential, equipped, host, service} from './provisioning-fixtures.ts'
import {start, types} from './start-provisioning.ts'

describe('credits', () => {
  const poor = {...equipped, remaining_amount: 0}
  const rich = {...equipped, remaining_amount: 100}
  const plan: Application = {...bare, id: 'a-3', type: 'Period'}
  const creditFacts = (facts: AnyEventObject[]) => facts.filter(({type}) => type.startsWith('credits.'))

  test('credits that were added since are told, once; fewer are not', async () => {
    let amount = 5
    const {actor, facts} = start({
      applications: async () => ({applications: [{...equipped, remaining_amount: amount}], now: 61_500}),
    })
    const read = async (remaining: number) => {
      amount = remaining
      actor.send({type: 'applications.refresh'})
      await waitFor(actor, ({context}) => context.application?.remaining_amount === remaining)
    }
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    await read(4)
    expect(types(facts)).not.toContain('credits.added')
    await read(20)
    await read(19)
    expect(facts.filter(({type}) => type === 'credits.added')).toEqual([{type: 'credits.added', at: 61, left: 20}])
  })

  test('what an order brought is chosen, and told once calls are paid by it', async () => {
    let listed: Application[] = [{...equipped, remaining_amount: 0}]
    const {actor, facts, created} = start({
      applications: async () => ({applications: listed, now: 61_500}),
      create: async () => ({id: 'c-3', host, token: 'bar'}),
    })
    await waitFor(actor, (snapshot) => snapshot.hasTag('ready'))
    listed = [plan, ...listed]
    facts.length = 0
    actor.send({type: 'credits.bought', applicationId: 'a-3', at: 60})
    await waitFor(actor, ({context}) => context.credential?.token === 'bar')
    expect(created).toEqual([{applicationId: 'a-3', host}])
    expect(facts).toEqual([
      {type: 'provision.ready', serviceId: 's-1'},
      {type: 'credits.added', at: 60, left: Number.MAX_VALUE},
    ])
  })

  test.each([
    ['of this page', [[poor], undefined, [rich]], undefined],
    ['of the page before', [undefined, [rich]], {service, applications: [poor], application: poor, credential}],
  ])('a failed reading hides no credits from the list %s', async (_, answers, restored) => {
    const {actor, facts} = start(
      {
        applications: async () => {
          const applications = answers.shift()
          if (applications === undefined) throw new Error('x')
          return {applications, now: 61_500}
        },
      },
      {restored},
    )
    const read = async (status: 'success' | 'error') => {
      const found = await waitFor(actor, (snapshot) => snapshot.matches({applications: status}))
      actor.send({type: 'applications.refresh'})
      return found.context
    }
    if (restored === undefined) await read('success')
    expect(await read('error')).toMatchObject({applications: [], baseline: [poor]})
    await waitFor(actor, ({context}) => context.application?.remaining_amount === 100)
    expect(creditFacts(facts).at(-1)).toEqual({type: 'credits.added', at: 61, left: 100})
  })

  test('a page that is left between the list and the credential leaves the credits to the next one', async () => {
    const applications = async () => ({applications: [plan, poor], now: 61_500})
    const restored = {service, applications: [poor], application: poor, credential}
    const left = start({applications, create: () => new Promise<Credential>(() => undefined)}, {restored})
    const {context} = await waitFor(left.actor, (snapshot) => snapshot.matches({credential: 'request'}))
    expect([creditFacts(left.facts), context.baseline]).toEqual([[], [poor]])
    const next = start(
      {applications, create: async () => ({id: 'c-3', host, token: 'bar'})},
      {restored: {service, applications: context.baseline, application: context.application}},
    )
    const after = await waitFor(next.actor, (snapshot) => snapshot.hasTag('ready'))
    expect(creditFacts(next.facts)).toEqual([{type: 'credits.added', at: 61, left: Number.MAX_VALUE}])
    expect(after.context.baseline).toEqual([plan, poor])
  })

  test('a list that holds no more than the last page knew is told all the same, once: who waits may not know it', async () => {
    const {actor, facts} = start(
      {applications: async () => ({applications: [rich], now: 61_500})},
      {restored: {service, applications: [rich], application: rich, credential}},
    )
    await waitFor(actor, (snapshot) => snapshot.matches({application: 'selected'}))
    actor.send({type: 'applications.refresh'})
    await waitFor(actor, (snapshot) => snapshot.matches({applications: 'success'}))
    expect(creditFacts(facts)).toEqual([{type: 'credits.listed', at: 61, left: 100}])
  })
})
