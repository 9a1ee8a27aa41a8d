import {NEVER, Observable} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, waitFor} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import {
  selectBranchModel,
  selectFailure,
  selectIsChanging,
  selectIsUnheard,
  selectRemoval,
} from '#machines/message-changes/message-changes.selectors.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const refused = {code: 'bad_request', detail: 'foo', status: 400}
const answering = {code: 'duplication', detail: 'foo', status: 409}
const askInBranch = {
  action: 'askInBranch',
  message: 'a-2',
  upTo: 'a-1',
  title: 'foo',
  group: 'grok',
  model: 'grok-4',
  ask: {question: 'foo', references: [], key: 'key'},
  at: 1,
} as const satisfies MessageChange
const isCopying = (change: MessageChange | undefined) => change?.action === 'branch' || change?.action === 'askInBranch'
const events = {
  'change.request': [
    {type: 'change.request', change: {action: 'select', message: 'a-1'}},
    {type: 'change.request', change: {action: 'branch', message: 'a-2', title: 'foo'}},
    {type: 'change.request', change: askInBranch},
  ],
  'deletions.request': [{type: 'deletions.request'}],
  'message.remove': [{type: 'message.remove', message: 'a-1'}],
  'message.restore': [{type: 'message.restore', message: 'a-1'}],
  'page.leaving': [{type: 'page.leaving'}],
  'connection.restored': [{type: 'connection.restored'}],
  'messages.listed': [
    {type: 'messages.listed', messages: ['a-2', 'a-3']},
    {type: 'messages.listed', messages: ['a-1', 'a-2', 'a-3']},
  ],
  'view.opened': [{type: 'view.opened'}],
  'view.closed': [{type: 'view.closed'}],
  'removal.ours': [{type: 'removal.ours', message: 'a-3'}],
  'message.restored': [{type: 'message.restored', message: 'a-3'}],
  'removal.undone': [{type: 'removal.undone', key: 'a-1'}],
  'removal.done': [{type: 'removal.done', key: 'a-1'}],
  'removal.failed': [
    {type: 'removal.failed', key: 'a-1', failure: refused},
    {type: 'removal.failed', key: 'a-1', failure: lostContact('foo')},
    {type: 'removal.failed', key: 'a-1', failure: answering},
  ],
} satisfies EventFixtures<MessageChangesEvent>

describe('changes of messages', () => {
  const {coverage, edges, states} = describeRules(messageChangesMachine, {
    input: {unconfirmed: []},
    inputs: [{unconfirmed: ['a-3']}],
    user: ['change.request', 'message.remove', 'message.restore'],
    events: Object.values(events).flat(),
    outputs: {changeConversation: [undefined, 'foo'], deletePending: [undefined], followConversation: [undefined]},
    endless: ['followConversation'],
    errors: [refused, new Error('foo'), lostContact('foo')],
    key: ({context: {change, removing, unconfirmed, elsewhere, removed, failed, views, unheard}}) => [
      unheard.length,
      views,
      change?.message,
      removing.length,
      unconfirmed.length,
      elsewhere.length,
      removed.length > 0,
      failed?.message,
    ],
    // a view closes once
    stop: ({context: {views}}) => views < 0 || views > 1,
  })

  test('every transition is taken', () => expect(coverage.missing(messageChangesMachine)).toEqual([]))

  test('one change at a time, and none is replaced on its way', () => {
    const replaced = edges.filter(
      ({state, nextState}) =>
        state.matches('changing') && nextState.matches('changing') && state.context.change !== nextState.context.change,
    )
    expect(replaced).toEqual([])
  })

  test('a branch is made of what the server has once it has no deleted message, and no undo comes between', () => {
    const copied = edges.filter(
      ({state, nextState}) =>
        state.matches('idle') &&
        nextState.matches('changing') &&
        isCopying(nextState.context.change) &&
        [...state.context.removing, ...state.context.unconfirmed].length > 0,
    )
    const undone = edges.filter(({state, event}) => state.matches('deleting') && event.type === 'message.restore')
    expect(copied).toEqual([])
    expect(undone.filter(({state, nextState}) => state.context.removing !== nextState.context.removing)).toEqual([])
  })

  test('what another tab has in hand is not sent', () => {
    const sent = states.filter(({context: {elsewhere, unconfirmed}}) =>
      elsewhere.some((id) => !unconfirmed.includes(id)),
    )
    expect(sent).toEqual([])
  })

  test('it ends with nothing on its way and no thread that shows it, and not at once', () => {
    // or with the list
    const ends = edges.filter(
      ({nextState, event}) => nextState.matches('over') && event.type !== 'xstate.done.actor.followConversation',
    )
    expect(ends.length).toBeGreaterThan(0)
    const needed = ends.filter(
      ({state: {context}}) => context.views + context.removing.length + context.unconfirmed.length,
    )
    expect(needed).toEqual([])
    expect(ends.filter(({state}) => !state.matches({idle: 'unneeded'}))).toEqual([])
  })

  test('a message is deleted once', () => {
    expect(states.filter(({context: {removing}}) => new Set(removing).size < removing.length)).toEqual([])
    const all = states.map(({context: {removing, unconfirmed, removed}}) => [...removing, ...unconfirmed, ...removed])
    expect(all.filter((messages) => new Set(messages).size < messages.length)).toEqual([])
  })
})

function start(
  answer: () => Promise<string | undefined> = () => Promise.resolve(undefined),
  unconfirmed: string[] = [],
) {
  const sent: unknown[] = []
  const marks: unknown[] = []
  const told: string[] = []
  const held = new Set<string>()
  const clock = new SimulatedClock()
  const actor = createActor(
    messageChangesMachine.provide({
      actors: {
        changeConversation: fromPromise<string | undefined, MessageChange | undefined>(({input}) => {
          sent.push(input)
          return answer()
        }),
        deletePending: fromPromise<void, undefined>(() => {
          sent.push('deletePending')
          return answer().then(() => undefined)
        }),
        followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
        holdRemoval: fromEventObservable<MessageChangesEvent, {message: string}>(
          ({input: {message}}) =>
            new Observable(() => {
              held.add(message)
              return () => void held.delete(message)
            }),
        ),
        removal: removalMachine.provide({
          actors: {
            remove: fromPromise<void, {id: string}>(({input}) => {
              sent.push(input)
              return answer().then(() => undefined)
            }),
          },
        }),
      },
      actions: {
        logFailure: () => undefined,
        mark: (_, mark) => marks.push(mark),
        tellRestored: (_, {key}) => told.push(key),
      },
    }),
    {clock, input: {unconfirmed}},
  ).start()
  const removal = () => selectRemoval(actor.getSnapshot(), 'a-1')
  return {actor, clock, sent, marks, told, held, removal}
}

test('a deleted message can be taken back for eight seconds, and the server hears nothing of it', () => {
  const {actor, clock, sent, marks, told, held, removal} = start()
  actor.send({type: 'message.remove', message: 'a-1'})
  clock.increment(7_999)
  expect([removal(), [...held]]).toEqual(['undoable', ['a-1']])
  actor.send({type: 'message.restore', message: 'a-1'})
  clock.increment(60_000)
  expect([removal(), sent, told, [...held]]).toEqual([undefined, [], ['a-1'], []])
  expect(marks).toEqual([
    {key: 'a-1', isRemoving: true},
    {key: 'a-1', isRemoving: false},
  ])
})

const branch = {action: 'branch', message: 'a-2', title: 'foo'} as const

test('a branch waits until what is deleted has gone', async () => {
  const {actor, sent, removal} = start()
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'change.request', change: branch})
  expect(removal()).toBe('gone')
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(sent).toEqual(['deletePending', branch])
})

test('a question for another group waits so too, says which model it is on its way to, and leads to that group', async () => {
  const {actor, sent} = start(() => Promise.resolve('foo'))
  const settled: unknown[] = []
  actor.on('change.settled', (fact) => settled.push(fact))
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'change.request', change: askInBranch})
  const model = (message: string) => selectBranchModel(actor.getSnapshot(), message)
  expect([model('a-2'), model('a-1')]).toEqual(['grok-4', undefined])
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(sent).toEqual(['deletePending', askInBranch])
  expect(settled).toEqual([{type: 'change.settled', isDone: true, branch: 'foo', group: 'grok'}])
  expect(model('a-2')).toBeUndefined()
})

test('a question that no branch was made for is said to be there still, below its answer', async () => {
  const {actor} = start(() => Promise.reject(Object.assign(new Error(), refused)))
  actor.send({type: 'change.request', change: askInBranch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(selectFailure(actor.getSnapshot(), 'a-2')).toMatchObject(refused)
})

test('a branch whose answer was lost is asked for again under its key, until the server says what became of it', async () => {
  let answer = () => Promise.reject<string | undefined>(Object.assign(new Error(), lostContact('foo')))
  const {actor, sent} = start(() => answer())
  const choose = async (key: string, model: string = askInBranch.model) => {
    actor.send({type: 'change.request', change: {...askInBranch, model, ask: {...askInBranch.ask, key}}})
    await waitFor(actor, (snapshot) => snapshot.matches('idle'))
    return selectIsUnheard(actor.getSnapshot(), 'a-2')
  }
  expect([await choose('one'), await choose('two')]).toEqual([true, true])
  answer = () => Promise.reject(Object.assign(new Error(), refused))
  expect(await choose('three', 'foo')).toBe(false)
  answer = () => Promise.resolve('branch')
  expect([await choose('four'), await choose('five')]).toEqual([false, false])
  expect(sent).toMatchObject(['one', 'one', 'three', 'one', 'five'].map((key) => ({ask: {key}})))
})

test('a branch that the server refused is no branch that may be there', async () => {
  const {actor} = start(() => Promise.reject(Object.assign(new Error(), refused)))
  actor.send({type: 'change.request', change: askInBranch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect([selectIsUnheard(actor.getSnapshot(), 'a-2'), actor.getSnapshot().context.unheard]).toEqual([false, []])
})

test('others who are given the conversation wait until what is deleted has gone, and hear where it has not', async () => {
  let isThere = true
  const answer = () => (isThere ? Promise.resolve(undefined) : Promise.reject(Object.assign(new Error(), refused)))
  const {actor, sent, removal} = start(answer)
  const settled: unknown[] = []
  actor.on('*', (fact) => settled.push(fact))
  const request = async () => {
    actor.send({type: 'deletions.request'})
    expect([removal(), selectIsChanging(actor.getSnapshot())]).toEqual(['gone', true])
    // the time to take it back is over
    actor.send({type: 'message.restore', message: 'a-1'})
    await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  }
  actor.send({type: 'message.remove', message: 'a-1'})
  await request()
  isThere = false
  await request()
  expect(sent).toEqual(['deletePending', 'deletePending'])
  expect(settled).toMatchObject([{type: 'deletions.settled'}, {type: 'deletions.settled', failure: refused}])
})

test('where a deletion fails nothing is branched, which is said, and it can still be taken back', async () => {
  const {actor, sent, removal} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'change.request', change: branch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(sent).toEqual(['deletePending'])
  expect([removal(), selectFailure(actor.getSnapshot(), 'a-2')?.code]).toEqual(['undoable', 'bad_request'])
})

test.each([
  ['cannot be told of', lostContact('foo')],
  ['does not take while it answers another page', answering],
])('a deletion that the server %s stays one, and is sent later', async (_name, failure) => {
  let isThere = false
  const answer = () => (isThere ? Promise.resolve(undefined) : Promise.reject(Object.assign(new Error(), failure)))
  const {actor, clock, sent, marks, removal} = start(answer)
  actor.send({type: 'message.remove', message: 'a-1'})
  clock.increment(8_000)
  await waitFor(actor, ({context}) => context.unconfirmed.length === 1)
  expect([removal(), selectFailure(actor.getSnapshot(), 'a-1'), marks.length]).toEqual(['gone', undefined, 1])
  isThere = true
  actor.send({type: 'connection.restored'})
  await waitFor(actor, ({context}) => context.removed.length === 1)
  expect(sent).toEqual([{id: 'a-1'}, {id: 'a-1'}])
})

test('what an earlier page deleted in vain stays away and is sent again', async () => {
  const {actor, sent, held, removal} = start(undefined, ['a-1'])
  expect([removal(), sent]).toEqual(['gone', []])
  actor.send({type: 'removal.ours', message: 'a-1'})
  expect([sent, [...held]]).toEqual([[], ['a-1']])
  actor.send({type: 'connection.restored'})
  await waitFor(actor, ({context}) => context.removed.length === 1)
  expect([removal(), sent, [...held]]).toEqual(['gone', [{id: 'a-1'}], []])
})

test('what another tab deleted is not sent while that tab has it in hand', async () => {
  const {actor, clock, sent, told, marks, held, removal} = start(undefined, ['a-1', 'a-2'])
  actor.send({type: 'removal.ours', message: 'a-2'})
  actor.send({type: 'connection.restored'})
  await waitFor(actor, ({context}) => context.removed.length === 1)
  actor.send({type: 'connection.restored'})
  actor.send({type: 'page.leaving'})
  clock.increment(60_000)
  expect([removal(), sent]).toEqual(['gone', [{id: 'a-2'}]])
  // taken back there: no tab is to hear it a second time
  actor.send({type: 'message.restored', message: 'a-1'})
  actor.send({type: 'removal.ours', message: 'a-1'})
  actor.send({type: 'connection.restored'})
  expect([removal(), sent.length, told, marks]).toEqual([undefined, 1, [], []])
  expect(held.has('a-1')).toBe(false)
})

test('what a question took with it is not deleted a second time', () => {
  const {actor, clock, sent, removal} = start(undefined, ['a-2'])
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'messages.listed', messages: ['a-3']})
  clock.increment(10_000)
  actor.send({type: 'connection.restored'})
  expect([removal(), sent]).toEqual(['gone', []])
})

test('it ends half a minute after the last thread that shows it, and not before a deletion is done', async () => {
  const {actor, clock} = start()
  actor.send({type: 'view.opened'})
  actor.send({type: 'view.opened'})
  actor.send({type: 'view.closed'})
  clock.increment(60_000)
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'view.closed'})
  clock.increment(8_000)
  expect(actor.getSnapshot().matches({idle: 'needed'})).toBe(true)
  await waitFor(actor, ({context}) => context.removed.length === 1)
  clock.increment(29_999)
  expect(actor.getSnapshot().status).toBe('active')
  clock.increment(1)
  expect([actor.getSnapshot().status, selectIsChanging(actor.getSnapshot())]).toEqual(['done', false])
})

test('after that it is deleted, once; the page that goes does not wait', async () => {
  const {actor, clock, sent, removal} = start()
  actor.send({type: 'message.remove', message: 'a-1'})
  clock.increment(8_000)
  expect([removal(), sent]).toEqual(['gone', [{id: 'a-1'}]])
  await waitFor(actor, ({context}) => context.removing.length === 0)
  actor.send({type: 'message.remove', message: 'a-1'})
  expect(removal()).toBe('gone')
  actor.send({type: 'message.remove', message: 'a-2'})
  actor.send({type: 'page.leaving'})
  expect(sent).toEqual([{id: 'a-1'}, {id: 'a-2'}])
})

test('a refused deletion brings the message back and says why', async () => {
  const {actor, clock, removal} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'message.remove', message: 'a-1'})
  clock.increment(8_000)
  await waitFor(actor, ({context}) => context.failed !== undefined)
  expect(removal()).toBeUndefined()
  expect(selectFailure(actor.getSnapshot(), 'a-1')).toMatchObject(refused)
  expect(selectFailure(actor.getSnapshot(), 'a-2')).toBeUndefined()
})

test('a change that is not answered is given up after 15 seconds, and can be tried again', () => {
  const {actor, clock, sent} = start(() => new Promise(() => {}))
  const change: MessageChange = {action: 'select', message: 'a-1'}
  actor.send({type: 'change.request', change})
  expect(selectIsChanging(actor.getSnapshot())).toBe(true)
  clock.increment(15_000)
  expect(selectFailure(actor.getSnapshot(), 'a-1')?.code).toBe('timeout')
  actor.send({type: 'change.request', change})
  expect(sent).toEqual([change, change])
  expect(actor.getSnapshot().context.failed).toBeUndefined()
})

test.each([
  ['happened', true, () => Promise.resolve(undefined)],
  ['was refused', false, () => Promise.reject(Object.assign(new Error('foo'), refused))],
] as const)('a change that %s is reported to the view that asked', async (_name, isDone, answer) => {
  const {actor} = start(answer)
  const reported: unknown[] = []
  actor.on('change.settled', (fact) => reported.push(fact))
  actor.send({type: 'change.request', change: {action: 'edit', message: 'a-1', question: 'foo'}})
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  expect(reported).toEqual([{type: 'change.settled', isDone}])
})
