import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, SimulatedClock, waitFor} from 'xstate'
import type {ShareLink} from '#contract/shares.ts'
import {
  shareLinksMachine,
  type NewLink,
  type RenewedLink,
  type ShareLinksEvent,
} from '#machines/share-links/share-links.machine.ts'
import {
  sharedConversationMachine,
  type SharedConversationEvent,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {lostContact, noToken} from '#domain/failure.ts'
import type {EventFixtures} from './graph.ts'
import {settledBy} from './pending-deletions-fixture.ts'
import {describeRules} from './rules.ts'

const linkOf = (id: string, attachments = true): ShareLink => ({
  id: id.padEnd(22, 'x'),
  conversation_id: 'foo',
  attachments,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
})
const [one, other] = [linkOf('one'), linkOf('other')]
const listOf = (...links: ShareLink[]) => ({links, hasFiles: true})
const refusal = Object.assign(new Error('foo'), {code: 'busy', detail: 'foo', status: 409})
const gone = Object.assign(new Error('foo'), {code: 'not_found', detail: 'foo', status: 404})
const lost = Object.assign(new Error('foo'), lostContact('foo'))

const events = {
  'links.load': [{type: 'links.load'}],
  'link.make': [{type: 'link.make', attachments: true}],
  'link.renew': [{type: 'link.renew', id: one.id, attachments: false}],
  'link.revoke': [{type: 'link.revoke', id: one.id}],
} satisfies EventFixtures<ShareLinksEvent>

describe('the links to a conversation', () => {
  const {coverage, edges, states} = describeRules(shareLinksMachine, {
    input: {conversation: 'foo'},
    inputs: [{conversation: undefined}],
    user: ['links.load', 'link.make', 'link.renew', 'link.revoke'],
    events: Object.values(events).flat(),
    outputs: {
      pendingDeletions: [{failure: undefined}, {failure: noToken}],
      readLinks: [listOf(one), listOf(other, one)],
      makeLink: [other],
      renewLink: [linkOf('one', false)],
      revokeLink: [undefined],
    },
    errors: [refusal, gone, lost],
    limited: ['pendingDeletions'],
    key: ({context: {links, failure, subject, conversation}}) => [
      links.length > 1 ? 'more' : links.map(({id, attachments}) => [id, attachments]),
      failure?.code,
      subject,
      conversation,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(shareLinksMachine)).toEqual([]))
  test('no link is made where no conversation is shown', () => {
    expect(states.filter((state) => state.matches('making') && state.context.conversation === undefined)).toEqual([])
  })
  test('no snapshot is made before the deletions of the conversation are done', () => {
    const calls = (state: (typeof states)[number]) =>
      state.matches({making: 'calling'}) || state.matches({renewing: 'calling'})
    const starts = edges.filter(({state, nextState}) => calls(nextState) && !calls(state))
    expect(starts.length).toBeGreaterThan(0)
    const done = {type: 'xstate.done.actor.pendingDeletions', output: {failure: undefined}}
    expect(starts.map(({event}) => event)).toEqual(starts.map(() => expect.objectContaining(done)))
  })
  test('a change on its way takes no other', () => {
    const changing = states.filter((state) => state.hasTag('changing'))
    expect(changing.length).toBeGreaterThan(0)
    expect(
      changing.filter((state) =>
        Object.values(events)
          .flat()
          .some((event) => state.can(event)),
      ),
    ).toEqual([])
  })
})

/**
 * Links under the test's hand; `fail` makes the next call fail. `read`: the answers of the list, the last of them again.
 * `getsFile`: the conversation gets a file after they are read.
 */
function open({failsFirst = false, deletions = settledBy('always done'), read = [[one]], getsFile = false} = {}) {
  const clock = new SimulatedClock()
  const calls: unknown[] = []
  const lists = [...read]
  const copyOf = (link: ShareLink) => (getsFile ? {...link, files: true} : link)
  let hangs = false
  let failure: Error | undefined = failsFirst ? refusal : undefined
  const answer = async <T>(call: unknown, value: T): Promise<T> => {
    calls.push(call)
    const thrown = failure
    failure = undefined
    if (thrown !== undefined) throw thrown
    if (!hangs) return value
    hangs = false
    return new Promise<never>(() => undefined)
  }
  const actor = createActor(
    shareLinksMachine.provide({
      actors: {
        pendingDeletions: deletions.logic,
        readLinks: fromPromise(({input}) =>
          answer(input, {links: (lists.length > 1 ? lists.shift() : lists[0]) ?? [], hasFiles: false}),
        ),
        makeLink: fromPromise<ShareLink, NewLink>(({input}) => answer(input, copyOf(other))),
        renewLink: fromPromise<ShareLink, RenewedLink>(({input}) =>
          answer(input, copyOf(linkOf('one', input.attachments))),
        ),
        revokeLink: fromPromise<void, {id: string}>(({input}) => answer(input, undefined)),
      },
    }),
    {input: {conversation: 'foo'}, clock},
  ).start()
  const rest = () => waitFor(actor, (snapshot) => snapshot.matches('resting') || snapshot.matches('failed'))
  return {actor, calls, clock, rest, hang: () => (hangs = true), fail: (error: Error = refusal) => (failure = error)}
}

test('links are made, renewed and revoked, and a refused change leaves them as they were', async () => {
  const {actor, calls, rest, fail} = open()
  expect((await rest()).context.links).toEqual([one])
  actor.send({type: 'link.make', attachments: true})
  const made = await rest()
  expect([made.value, made.context.links]).toEqual([{resting: 'made'}, [other, one]])
  actor.send({type: 'link.renew', id: one.id, attachments: false})
  const renewed = await rest()
  expect([renewed.value, renewed.context.links]).toEqual([{resting: 'renewed'}, [other, linkOf('one', false)]])
  fail()
  actor.send({type: 'link.revoke', id: one.id})
  const refused = await rest()
  expect([refused.value, refused.context.links.length, refused.context.failure?.code]).toEqual([
    {resting: 'unchanged'},
    2,
    'busy',
  ])
  actor.send({type: 'link.revoke', id: one.id})
  const revoked = await rest()
  expect([revoked.value, revoked.context.links, revoked.context.failure]).toEqual([
    {resting: 'revoked'},
    [other],
    undefined,
  ])
  expect(calls).toEqual([
    {conversation: 'foo'},
    {conversation: 'foo', attachments: true},
    {id: one.id, attachments: false},
    {id: one.id},
    {id: one.id},
  ])
})

test.each([
  ['make', {type: 'link.make', attachments: false}],
  ['renew', {type: 'link.renew', id: one.id, attachments: false}],
] as const)('a copy with a file says that the conversation has one by now: %s', async (_name, event) => {
  const {actor, rest} = open({getsFile: true})
  expect((await rest()).context.hasFiles).toBe(false)
  actor.send(event)
  expect((await rest()).context.hasFiles).toBe(true)
})

test.each([
  ['revoke', {type: 'link.revoke', id: one.id}, 'revoked'],
  ['renew', {type: 'link.renew', id: one.id, attachments: true}, 'gone'],
] as const)('a link that is gone leaves the list: %s', async (_name, event, state) => {
  const {actor, rest, fail} = open()
  await rest()
  fail(gone)
  actor.send(event)
  const {value, context} = await rest()
  expect([value, context.links, context.failure]).toEqual([{resting: state}, [], undefined])
})

test('after a new link whose answer was lost the list is read again', async () => {
  const made = open({read: [[one], [other, one]]})
  await made.rest()
  made.fail(lost)
  made.actor.send({type: 'link.make', attachments: true})
  const found = await made.rest()
  expect([found.value, found.context.links, found.context.failure]).toEqual([
    {resting: 'made'},
    [other, one],
    undefined,
  ])

  const unmade = open()
  await unmade.rest()
  unmade.fail(lost)
  unmade.actor.send({type: 'link.make', attachments: true})
  const {value, context} = await unmade.rest()
  expect([value, context.links, context.failure?.lost]).toEqual([{resting: 'unchanged'}, [one], true])
})

test('a new link that the server does not confirm in time is looked for', async () => {
  const {actor, clock, rest, calls, hang} = open({read: [[one], [other, one]]})
  await rest()
  hang()
  actor.send({type: 'link.make', attachments: true})
  await waitFor(actor, (snapshot) => snapshot.matches({making: 'calling'}))
  clock.increment(20_000)
  expect([(await rest()).value, calls.length]).toEqual([{resting: 'made'}, 3])
})

test('a snapshot waits for the deletions of its conversation; where they fail none is made', async () => {
  const deletions = settledBy([{type: 'deletions.settled'}, {type: 'deletions.settled', failure: noToken}])
  const {actor, calls, rest} = open({deletions})
  await rest()
  actor.send({type: 'link.renew', id: one.id, attachments: true})
  await rest()
  actor.send({type: 'link.make', attachments: true})
  const refused = await rest()
  expect([refused.context.links, refused.context.failure, deletions.asked]).toEqual([[one], noToken, ['foo', 'foo']])
  expect(calls).toEqual([{conversation: 'foo'}, {id: one.id, attachments: true}])
  actor.send({type: 'link.make', attachments: true})
  expect(actor.getSnapshot().value).toEqual({making: 'deleting'})
})

test.each([
  ['make', {type: 'link.make', attachments: true}],
  ['renew', {type: 'link.renew', id: one.id, attachments: true}],
] as const)('only the chart of the deletions says when they took too long: %s', async (_name, event) => {
  const {actor, clock, rest} = open({deletions: settledBy([])})
  await rest()
  actor.send(event)
  clock.increment(59_999)
  expect(actor.getSnapshot().hasTag('changing')).toBe(true)
  clock.increment(1)
  expect((await rest()).context.failure?.code).toBe('timeout')
})

test('links that could not be read are read again on wish', async () => {
  const {actor, rest} = open({failsFirst: true})
  expect((await rest()).value).toBe('failed')
  actor.send({type: 'links.load'})
  const loaded = await rest()
  expect([loaded.value, loaded.context.links, loaded.context.failure]).toEqual([
    {resting: 'unchanged'},
    [one],
    undefined,
  ])
})

const readerEvents = {
  'conversation.load': [{type: 'conversation.load'}],
} satisfies EventFixtures<SharedConversationEvent>
const shared = {conversation: {messages: [], updated_at: '2026-01-01T00:00:00Z'}, site: 'Foo'}
const missing = Object.assign(new Error('foo'), {code: 'not_found', detail: 'foo', status: 404})

describe('a shared conversation', () => {
  const {coverage, states} = describeRules(sharedConversationMachine, {
    input: {id: 'foo'},
    user: ['conversation.load'],
    events: Object.values(readerEvents).flat(),
    outputs: {readShared: [shared]},
    errors: [refusal, missing],
    key: ({context: {shared, failure}}) => [shared?.site, failure?.code],
  })
  test('every transition is taken', () => expect(coverage.missing(sharedConversationMachine)).toEqual([]))
  test('a link that is not there is no failure', () => {
    const ends = states.filter((state) => state.matches('missing'))
    expect(ends.map(({context}) => context.failure)).toEqual([undefined])
  })
})
