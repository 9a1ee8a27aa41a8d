import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import {callDeadline, requestDeadline} from '#machines/message-changes/message-changes.deadlines.ts'
import {
  selectFailure,
  selectIsChanging,
  selectRemovalActor,
} from '#machines/message-changes/message-changes.selectors.ts'
import {answering, refused, start} from './message-changes-fixture.ts'
import {eventually} from '../eventually.ts'

test('a deleted message can be taken back for eight seconds, and the server hears nothing of it', () => {
  const {actor, clock, sent, marks, restoredKeys, held, removal} = start()
  actor.send({type: 'message.remove', message: 'a-1'})
  clock.increment(7_999)
  expect([removal(), [...held]]).toEqual(['undoable', ['a-1']])
  actor.send({type: 'message.restore', message: 'a-1'})
  clock.increment(60_000)
  expect([removal(), sent, restoredKeys, [...held]]).toEqual([undefined, [], ['a-1'], []])
  expect(marks).toEqual([
    {key: 'a-1', isRemoving: true},
    {key: 'a-1', isRemoving: false},
  ])
})

test('the time to take a message back begins anew when nothing holds the offer', () => {
  const {actor, clock, removal} = start()
  actor.send({type: 'message.remove', message: 'a-1'})
  const offer = selectRemovalActor(actor.getSnapshot(), 'a-1')
  clock.increment(7_000)
  offer?.send({type: 'removal.hold'})
  clock.increment(60_000)
  offer?.send({type: 'removal.release'})
  clock.increment(7_999)
  expect(removal()).toBe('undoable')
  clock.increment(1)
  expect(removal()).toBe('gone')
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
  expect(settled).toEqual([{type: 'deletions.settled'}, {type: 'deletions.settled', failure: refused}])
})

test('one who asks while a change or deletions are on their way hears of the deletions after them alone', async () => {
  const answers: ((failure?: Error) => void)[] = []
  const answer = () =>
    new Promise<undefined>((resolve, reject) => {
      answers.push((failure) => (failure === undefined ? resolve(undefined) : reject(failure)))
    })
  const {actor, sent} = start(answer)
  const settled: unknown[] = []
  actor.on('deletions.settled', (fact) => settled.push(fact))
  const next = async (count: number, failure?: Error) => {
    answers.shift()?.(failure)
    await eventually(() => expect(sent).toHaveLength(count))
  }
  const change = {action: 'select', message: 'a-1'} as const
  actor.send({type: 'change.request', change})
  actor.send({type: 'deletions.request'})
  await next(2)
  actor.send({type: 'deletions.request'})
  await next(3, Object.assign(new Error(), refused))
  expect([sent, settled]).toEqual([[change, 'deletePending', 'deletePending'], []])
  answers.shift()?.()
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  expect([settled, sent.length]).toEqual([[{type: 'deletions.settled'}], 3])
})

test('one who asks hears of the deletions while it still waits, however long each call takes', async () => {
  const answers: (() => void)[] = []
  const {actor, clock, sent} = start(() => new Promise((resolve) => answers.push(() => resolve(undefined))), ['a-1'])
  const settled: unknown[] = []
  actor.on('deletions.settled', (fact) => settled.push(fact))
  const takeAlmostTooLong = async (count: number) => {
    clock.increment(callDeadline - 1)
    answers.shift()?.()
    await eventually(() => expect(sent).toHaveLength(count))
  }
  actor.send({type: 'change.request', change: {action: 'branch', message: 'a-2', title: 'foo', key: 'k-1'}})
  actor.send({type: 'deletions.request'})
  const askedAt = clock.now()
  await takeAlmostTooLong(2)
  await takeAlmostTooLong(3)
  clock.increment(callDeadline - 1)
  answers.shift()?.()
  await waitFor(actor, (snapshot) => !selectIsChanging(snapshot))
  expect(settled).toEqual([{type: 'deletions.settled'}])
  expect(clock.now() - askedAt).toBeLessThan(requestDeadline)
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
  const {actor, clock, sent, held, removal} = start(undefined, ['a-1'])
  expect([removal(), sent]).toEqual(['gone', []])
  actor.send({type: 'removal.ours', message: 'a-1'})
  expect([sent, [...held]]).toEqual([[], ['a-1']])
  actor.send({type: 'connection.restored'})
  await waitFor(actor, ({context}) => context.removed.length === 1)
  clock.increment(1_000)
  expect([removal(), sent, [...held]]).toEqual(['gone', [{id: 'a-1'}], []])
})

test('what another tab deleted is not sent while that tab has it in hand', async () => {
  const {actor, clock, sent, restoredKeys, marks, held, removal} = start(undefined, ['a-1', 'a-2'])
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
  expect([removal(), sent.length, restoredKeys, marks]).toEqual([undefined, 1, [], []])
  clock.increment(1_000)
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
  expect(selectFailure(actor.getSnapshot(), 'a-1')).toEqual(refused)
  expect(selectFailure(actor.getSnapshot(), 'a-2')).toBeUndefined()
})
