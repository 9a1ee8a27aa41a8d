import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import {
  selectFailure,
  selectIsBranching,
  selectIsChanging,
  selectIsPaging,
  selectRetry,
} from '#machines/message-changes/message-changes.selectors.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import type {EventFixtures} from './graph.ts'
import {answering, askInBranch, refused, start} from './message-changes-fixture.ts'
import {describeRules} from './rules.ts'

const isCopying = (change: MessageChange | undefined) => change?.action === 'branch' || change?.action === 'askInBranch'
const events = {
  'change.request': [
    {type: 'change.request', change: {action: 'select', message: 'a-1'}},
    {type: 'change.request', change: {action: 'branch', message: 'a-2', title: 'foo', key: 'k-1'}},
    {type: 'change.request', change: askInBranch},
  ],
  'path.listed': [{type: 'path.listed', message: 'a-2'}],
  'deletions.request': [{type: 'deletions.request'}],
  'failure.dismiss': [{type: 'failure.dismiss'}],
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
    user: ['change.request', 'failure.dismiss', 'message.remove', 'message.restore'],
    events: Object.values(events).flat(),
    outputs: {changeConversation: [undefined, 'foo'], deletePending: [undefined], followConversation: [undefined]},
    endless: ['followConversation'],
    errors: [refused, new Error('foo'), lostContact('foo')],
    key: ({context: {change, removing, unconfirmed, elsewhere, removed, failed, views, unheard, waiting}}) => [
      unheard.length,
      waiting.length,
      views,
      change?.message,
      removing.length,
      unconfirmed.length,
      elsewhere.length,
      removed.length > 0,
      failed?.message,
    ],
    // a view closes once
    stop: ({context: {views, waiting}}) => views < 0 || views > 1 || waiting.length > 1,
  })

  test('every transition is taken', () => expect(coverage.missing(messageChangesMachine)).toEqual([]))

  test('one change at a time, and none is replaced on its way', () => {
    const replaced = edges.filter(
      ({state, nextState}) =>
        state.matches('changing') &&
        nextState.matches('changing') &&
        state.context.change !== nextState.context.change &&
        // the first of those that waited follows it
        state.context.waiting[0] !== nextState.context.change,
    )
    expect(replaced).toEqual([])
  })

  test('a branch is made of what the server has once it has no deleted message, and no undo comes between', () => {
    const copied = edges.filter(
      ({state, nextState}) =>
        !state.matches('deleting') &&
        nextState.matches('changing') &&
        state.context.change !== nextState.context.change &&
        isCopying(nextState.context.change) &&
        [...state.context.removing, ...state.context.unconfirmed].length > 0,
    )
    const undone = edges.filter(({state, event}) => state.matches('deleting') && event.type === 'message.restore')
    expect(copied).toEqual([])
    expect(undone.filter(({state, nextState}) => state.context.removing !== nextState.context.removing)).toEqual([])
  })

  test('a request for the deletions is never lost, and waits only for what was on its way before', () => {
    type State = (typeof states)[number]
    const isOn = (state: State) => state.matches('deleting') || state.matches('changing')
    const waits = (state: State) =>
      state.matches({deleting: 'requestedAgain'}) || state.matches({changing: 'requested'})
    const requests = edges.filter(({event}) => event.type === 'deletions.request')
    const heard = requests.filter(({state, nextState}) =>
      isOn(state) ? waits(nextState) : nextState.matches({deleting: 'requested'}),
    )
    expect([heard.length > 0, requests.length - heard.length]).toEqual([true, 0])
    const ends = edges.filter(({state, nextState}) => waits(state) && !waits(nextState) && !nextState.matches('over'))
    expect(ends.length).toBeGreaterThan(0)
    const others = ends.filter(({nextState}) => !nextState.matches({deleting: 'requested'}))
    expect(new Set(others.map(({event}) => event.type))).toEqual(
      new Set(['xstate.after.callDeadline.messageChanges.deleting']),
    )
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

test.each<[string, MessageChangesEvent[]]>([
  ['it is dismissed', [{type: 'failure.dismiss'}]],
  ['the last thread is left', [{type: 'view.closed'}]],
  [
    'the last thread is left with a deletion on its way',
    [{type: 'removal.ours', message: 'a-3'}, {type: 'view.closed'}],
  ],
  ['another version is asked for', [{type: 'change.request', change: {action: 'select', message: 'a-2'}}]],
])('what failed is said until %s', async (_name, events) => {
  let refuses = true
  const {actor} = start(
    () => (refuses ? Promise.reject(Object.assign(new Error('foo'), refused)) : Promise.resolve(undefined)),
    ['a-3'],
  )
  actor.send({type: 'view.opened'})
  actor.send({type: 'change.request', change: {action: 'select', message: 'a-1'}})
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  expect(selectFailure(actor.getSnapshot(), 'a-1')).toEqual(refused)
  refuses = false
  for (const event of events) actor.send(event)
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  actor.send({type: 'view.opened'})
  expect(selectFailure(actor.getSnapshot(), 'a-1')).toBeUndefined()
})

test('what fails while no thread shows the conversation is said by the next one', async () => {
  const {actor} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'change.request', change: {action: 'select', message: 'a-1'}})
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  actor.send({type: 'view.opened'})
  expect(selectFailure(actor.getSnapshot(), 'a-1')).toEqual(refused)
})

test.each<[MessageChange, boolean]>([
  [{action: 'select', message: 'a-1'}, true],
  [{action: 'branch', message: 'a-1', title: 'foo', key: 'k-1'}, true],
  [{action: 'edit', message: 'a-1', question: 'foo'}, false],
])('a version and a branch that failed can be asked for again as they were: %o', async (change, isOffered) => {
  const {actor} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'change.request', change})
  expect(selectIsPaging(actor.getSnapshot(), ['a-0', 'a-1'])).toBe(change.action === 'select')
  expect(selectIsBranching(actor.getSnapshot(), 'a-1')).toBe(change.action === 'branch')
  await waitFor(actor, ({context}) => context.failed !== undefined)
  expect(selectRetry(actor.getSnapshot(), 'a-1')).toBe(isOffered ? change : undefined)
  expect(selectRetry(actor.getSnapshot(), 'a-0')).toBeUndefined()
})

test.each([
  ['happened', true, () => Promise.resolve(undefined)],
  ['was refused', false, () => Promise.reject(Object.assign(new Error('foo'), refused))],
] as const)('a change that %s is reported to the view that asked', async (_name, isDone, answer) => {
  const {actor} = start(answer)
  const reported: unknown[] = []
  actor.on('change.settled', (fact) => reported.push(fact))
  const change: MessageChange = {action: 'edit', message: 'a-1', question: 'foo'}
  actor.send({type: 'change.request', change})
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  expect(reported).toEqual([{type: 'change.settled', change, isDone}])
})

describe('what is asked for while another change is on its way', () => {
  const select: MessageChange = {action: 'select', message: 'a-1'}
  const branch: MessageChange = {action: 'branch', message: 'a-2', title: 'foo', key: 'k-1'}
  const visit: MessageChange = {action: 'visit', message: 'a-3'}
  const request = (actor: ReturnType<typeof start>['actor'], ...changes: MessageChange[]) => {
    for (const change of changes) actor.send({type: 'change.request', change})
  }

  test('follows it in order, each once, and is reported by its name', async () => {
    const {actor, sent} = start()
    const settled: MessageChange[] = []
    actor.on('change.settled', ({change}) => settled.push(change))
    request(actor, select, select, branch, {...branch, key: 'k-2'}, visit, askInBranch)
    expect([sent, selectIsBranching(actor.getSnapshot(), 'a-2')]).toEqual([[select], true])
    await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
    expect([sent, settled]).toEqual([
      [select, branch, visit, askInBranch],
      [select, branch, visit, askInBranch],
    ])
  })

  test('happens though the one before failed, which is said', async () => {
    let isRefused = true
    const {actor, sent} = start(() => {
      const answer = isRefused
        ? Promise.reject(Object.assign(new Error('foo'), refused))
        : Promise.resolve<string | undefined>(undefined)
      isRefused = false
      return answer
    })
    actor.send({type: 'view.opened'})
    request(actor, select, visit)
    await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
    expect([sent, selectFailure(actor.getSnapshot(), 'a-1')]).toEqual([[select, visit], refused])
  })

  test('waits for deletions that others asked for, and they for no more than one change', async () => {
    const {actor, sent} = start(undefined, ['a-4'])
    request(actor, select)
    actor.send({type: 'deletions.request'})
    request(actor, visit)
    await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
    expect(sent).toEqual([select, 'deletePending', visit])
  })

  test('is no visited path that was listed again', async () => {
    const {actor, sent} = start()
    request(actor, select)
    actor.send({type: 'path.listed', message: 'a-3'})
    await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
    expect(sent).toEqual([select])
    actor.send({type: 'path.listed', message: 'a-3'})
    expect(sent).toEqual([select, visit])
  })
})
