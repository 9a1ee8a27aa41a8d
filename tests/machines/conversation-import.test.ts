import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {FileFact, ImportPreview, SendFact} from '#domain/import-preview.ts'
import {
  conversationImportMachine,
  leftToSend,
  takenOf,
  type ImportEvent,
  type PresentConversations,
  type SendInput,
} from '#machines/conversation-import/conversation-import.machine.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const facts = {messages: 2, files: 0, lost: 0}
const preview: ImportPreview = {
  source: 'chatgpt',
  conversations: [
    {sourceId: 'a', title: 'A', ...facts},
    {sourceId: 'b', title: 'B', ...facts},
    {sourceId: 'c', title: 'C', ...facts},
  ],
  faulty: [],
}

const events = {
  'file.choose': [{type: 'file.choose', name: 'foo.json'}],
  'file.progressed': [{type: 'file.progressed', share: 0.5}],
  'file.read': [{type: 'file.read', preview}],
  'file.refused': [{type: 'file.refused', fault: 'unknown'}],
  'import.start': [{type: 'import.start'}],
  'import.retry': [{type: 'import.retry'}],
  'import.cancel': [{type: 'import.cancel'}],
  'dialog.closed': [{type: 'dialog.closed'}],
  'conversations.sent': [{type: 'conversations.sent', results: [{index: 1, state: 'imported', id: 'i-1'}]}],
  'part.sent': [{type: 'part.sent', index: 2, messages: 5}],
  'attachment.sent': [{type: 'attachment.sent'}],
  'attachment.failed': [{type: 'attachment.failed', name: 'foo.png', detail: 'Too large'}],
  'attachment.progressed': [{type: 'attachment.progressed'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<ImportEvent>

/** Waits until the promises that were resolved before have been heard. */
const turn = () => new Promise((resolve) => setTimeout(resolve))

const silent = conversationImportMachine.provide({actions: {tellImported: () => {}, releaseFile: () => {}}})

describe('an import', () => {
  const {coverage, states, edges} = describeRules(silent, {
    input: {environment: startEnvironment()},
    inputs: [{environment: startEnvironment({isOnline: false})}],
    user: ['file.choose', 'import.start', 'import.retry', 'import.cancel', 'dialog.closed'],
    events: Object.values(events).flat(),
    outputs: {
      readFile: [undefined],
      findPresent: [{}, {a: 'own', b: 'own', c: 'own'}],
      sendConversations: [undefined],
    },
    errors: [
      {code: 'lost', detail: 'foo', lost: true},
      {code: 'no', detail: 'foo', status: 403},
    ],
    // the first two have deadlines inside
    endless: ['readFile', 'sendConversations', 'environmentChanges'],
    stop: ({context}) => context.results.length > 1 || context.unsent.length > 1 || context.pauses > 6,
    key: ({value, context: {fault, present, results, parts, pauses, failure, environment, preview: shown}}) => [
      value,
      environment.getSnapshot().value,
      fault,
      Object.keys(present).length,
      results.length > 0,
      Object.keys(parts).length,
      Math.min(pauses, 7),
      failure?.code,
      shown === undefined,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(silent)).toEqual([]))
  test('nothing is sent that was not read and compared', () => {
    const sending = states.filter((state) => state.matches('sending'))
    expect(sending.length).toBeGreaterThan(0)
    expect(sending.filter(({context}) => context.preview === undefined)).toEqual([])
    const into = edges.filter(({state, nextState}) => nextState.matches('sending') && !state.matches('sending'))
    expect(into.filter(({state}) => state.matches('choosing') || state.matches('reading'))).toEqual([])
  })
  test('what is taken stays taken, whatever comes after, until another file is wanted', () => {
    const lost = edges.filter(
      ({state, nextState}) =>
        nextState.context.results.length < state.context.results.length &&
        !nextState.matches('choosing') &&
        !nextState.matches('reading'),
    )
    expect(lost).toEqual([])
  })
})

function start() {
  const reads: Subject<FileFact>[] = []
  const sends: (SendInput & {facts: Subject<SendFact>})[] = []
  const environment = startEnvironment()
  const reports = {imported: 0, released: 0}
  const clock = new SimulatedClock()
  let present: PresentConversations | Error = {a: 'own'}
  const actor = createActor(
    conversationImportMachine.provide({
      actors: {
        readFile: fromEventObservable<FileFact, undefined>(() => {
          const read = new Subject<FileFact>()
          reads.push(read)
          return read
        }),
        findPresent: fromPromise<PresentConversations, {preview: ImportPreview | undefined}>(async () => {
          if (present instanceof Error) throw present
          return present
        }),
        sendConversations: fromEventObservable<SendFact, SendInput>(({input}) => {
          const sent = new Subject<SendFact>()
          sends.push({...input, facts: sent})
          return sent
        }),
      },
      actions: {
        tellImported: () => {
          reports.imported += 1
        },
        releaseFile: () => {
          reports.released += 1
        },
      },
    }),
    {clock, input: {environment}},
  ).start()
  return {actor, reads, sends, environment, reports, clock, answer: (next: typeof present) => (present = next)}
}

/** Read, compared and begun. */
async function sending() {
  const all = start()
  all.actor.send({type: 'file.choose', name: 'foo.json'})
  all.reads[0]?.next({type: 'file.read', preview})
  await turn()
  all.actor.send({type: 'import.start'})
  return all
}

test('only what is not here is sent; a lost network is waited for, and the rest goes on by itself', async () => {
  const {actor, sends, environment, reports, clock} = await sending()
  environment.send({type: 'connection.lost'})
  expect(sends[0]?.indices).toEqual([1, 2])
  sends[0]?.facts.next({type: 'conversations.sent', results: [{index: 1, state: 'imported', id: 'i-1'}]})
  sends[0]?.facts.error({code: 'lost', detail: 'gone', lost: true})
  expect(actor.getSnapshot().matches({paused: 'offline'})).toBe(true)
  expect(reports.imported).toBe(1)
  clock.increment(600_000)
  expect(sends).toHaveLength(1)
  environment.send({type: 'connection.restored'})
  expect(sends).toHaveLength(1)
  clock.increment(60_000)
  expect(sends[1]?.indices).toEqual([2])
  sends[1]?.facts.next({type: 'conversations.sent', results: [{index: 2, state: 'refused', detail: 'Too many'}]})
  sends[1]?.facts.complete()
  expect(actor.getSnapshot().value).toBe('done')
  expect(actor.getSnapshot().context.results.map(({state}) => state)).toEqual(['imported', 'refused'])
})

test('a refusal of the whole call is told; trying again sends the rest', async () => {
  const {actor, sends} = await sending()
  sends[0]?.facts.error({code: 'forbidden', detail: 'No', status: 403})
  expect(actor.getSnapshot().value).toBe('failed')
  expect(actor.getSnapshot().context.failure?.detail).toBe('No')
  actor.send({type: 'import.retry'})
  expect(sends[1]?.indices).toEqual([1, 2])
})

test('stopped, it leaves its call, keeps what is there and can go on', async () => {
  const {actor, sends} = await sending()
  sends[0]?.facts.next({type: 'conversations.sent', results: [{index: 1, state: 'present', id: 'i-1'}]})
  actor.send({type: 'import.cancel'})
  expect([actor.getSnapshot().value, sends[0]?.facts.observed]).toEqual(['stopped', false])
  expect(leftToSend(actor.getSnapshot().context)).toEqual([2])
  actor.send({type: 'import.start'})
  expect(sends[1]?.indices).toEqual([2])
})

test('a server that has had enough for now is waited for as long as it says, and the rest goes on by itself', async () => {
  const {actor, sends, clock} = await sending()
  sends[0]?.facts.error({code: 'too_many_requests', detail: 'Wait', status: 429, retryAfterSeconds: 30})
  await turn()
  expect(actor.getSnapshot().matches('paused')).toBe(true)
  clock.increment(29_999)
  expect(sends).toHaveLength(1)
  clock.increment(1)
  expect(sends[1]?.indices).toEqual([1, 2])
})

test('a server that stays away is tried seven times, and then the user decides', async () => {
  const {actor, sends, clock} = await sending()
  for (let attempt = 0; attempt < 20 && !actor.getSnapshot().matches('failed'); attempt += 1) {
    sends.at(-1)?.facts.error({code: 'lost', detail: 'gone', lost: true})
    await turn()
    clock.increment(60_000)
  }
  expect([actor.getSnapshot().value, sends.length]).toEqual(['failed', 7])
})

test('what was taken while its answer was lost is counted with the rest', async () => {
  const {actor, sends, clock} = await sending()
  sends[0]?.facts.error({code: 'lost', detail: 'gone', lost: true})
  await turn()
  clock.increment(60_000)
  const results = [
    {index: 1, state: 'present' as const, id: 'i-1'},
    {index: 2, state: 'refused' as const},
  ]
  sends[1]?.facts.next({type: 'conversations.sent', results})
  sends[1]?.facts.complete()
  expect(takenOf(actor.getSnapshot().context).map(({id}) => id)).toEqual(['i-1'])
})

/** Fails after each of these facts, until it is not tried again. */
async function failing(fact: (attempt: number) => SendFact) {
  const all = await sending()
  for (let attempt = 0; attempt < 20 && !all.actor.getSnapshot().matches('failed'); attempt += 1) {
    all.sends.at(-1)?.facts.next(fact(attempt))
    all.sends.at(-1)?.facts.error({code: 'lost', detail: 'gone', lost: true})
    await turn()
    all.clock.increment(60_000)
  }
  return all
}

test('a part that was sent before is no progress: part, failure, part, failure ends', async () => {
  const {actor, sends} = await failing(() => ({type: 'part.sent', index: 1, messages: 5}))
  expect([actor.getSnapshot().value, sends.length]).toEqual(['failed', 7])
})

test('a long conversation goes on where it broke off, and its next part is progress', async () => {
  const {actor, sends} = await failing((attempt) => ({type: 'part.sent', index: 1, messages: 5 + attempt}))
  expect([actor.getSnapshot().matches('sending'), sends.length]).toEqual([true, 21])
  expect(sends.slice(0, 3).map(({parts}) => parts)).toEqual([{}, {1: 5}, {1: 6}])
})

test('an attachment that is there is progress', async () => {
  const {actor, sends} = await failing(() => ({type: 'attachment.sent'}))
  expect([actor.getSnapshot().matches('sending'), sends.length]).toEqual([true, 21])
})

test('a file that cannot be read is said, and another one is taken', () => {
  const {actor, reads, reports} = start()
  actor.send({type: 'file.choose', name: 'foo.txt'})
  reads[0]?.next({type: 'file.refused', fault: 'unknown'})
  expect(actor.getSnapshot()).toMatchObject({value: 'choosing', context: {name: 'foo.txt', fault: 'unknown'}})
  expect(reports.released).toBe(1)
  actor.send({type: 'file.choose', name: 'bar.json'})
  expect(actor.getSnapshot().context).toMatchObject({name: 'bar.json', fault: undefined})
})

test('a server that cannot be asked what is here is asked again', async () => {
  const {actor, reads, answer} = start()
  answer(new Error('away'))
  actor.send({type: 'file.choose', name: 'foo.json'})
  reads[0]?.next({type: 'file.read', preview})
  await turn()
  expect(actor.getSnapshot().value).toBe('unreachable')
  answer({a: 'own', b: 'own', c: 'own'})
  actor.send({type: 'import.retry'})
  await turn()
  expect(actor.getSnapshot().value).toBe('previewing')
  expect(actor.getSnapshot().can({type: 'import.start'})).toBe(false)
})
