import {expect, test} from 'vitest'
import {lostContact} from '#domain/failure.ts'
import {pollRules} from '#domain/poll-rules.ts'
import {report, start} from './task-poll-fixture.ts'

/* One of the tabs of a browser polls for all. */

test('a browser that cannot say which tab leads lets this one ask, and goes on asking', async () => {
  const {asked, breakLine, turn, clock} = start({}, ['a'])
  breakLine()
  await turn()
  clock.increment(pollRules.visible)
  expect(asked).toEqual([['a'], ['a']])
})

test('the other tabs hear of lost contact until the server answers, and of none when new tasks begin to be asked for', async () => {
  const fail = () => Promise.reject(Object.assign(new Error('foo'), lostContact('foo')))
  const {poll, environment, clock, lead, turn, peerMessages} = start({poll: fail}, ['a'])
  await lead()
  for (let round = 1; round < pollRules.breaker; round += 1) {
    clock.increment(pollRules.rest)
    await turn()
  }
  const reports = () => peerMessages.splice(0).map(({report: {isLost}}) => isLost)
  expect(reports()).toEqual([false, false, false, false, true])
  environment.send({type: 'connection.lost'})
  environment.send({type: 'connection.restored'})
  await turn()
  expect(reports()).toEqual([true])
  poll.send({type: 'tasks.watch', ids: []})
  poll.send({type: 'tasks.watch', ids: ['b']})
  await lead()
  expect(reports()).toEqual([false])
})

test('a tab that follows asks nothing while the other one speaks, and takes over when it is silent', async () => {
  const {poll, clock, asked, claims, lead} = start({}, ['a'])
  for (let round = 0; round < 5; round += 1) {
    clock.increment(5_000)
    poll.send({type: 'peer.polled', ...report, isHidden: false})
  }
  expect([asked, claims]).toEqual([[], [false]])
  clock.increment(report.nextIn + pollRules.silence)
  expect(claims).toEqual([false, true])
  await lead()
  expect(asked).toEqual([['a']])
})

test('a tab with a task that the other one does not know asks instead of it: at once when it was sent here', async () => {
  const {poll, clock, asked, claims, lead} = start({}, ['a'])
  poll.send({type: 'peer.polled', ...report, isHidden: false})
  poll.send({type: 'tasks.watch', ids: ['a']})
  expect(claims).toEqual([false])
  poll.send({type: 'tasks.watch', ids: ['a', 'b']})
  expect(claims).toEqual([false, true])
  await lead()
  clock.increment(pollRules.visible)
  expect(asked[0]).toEqual(['a', 'b'])
})

test('left out by a report it waits for the next one, so that two such tabs do not race', () => {
  const {poll, clock, claims} = start({}, ['a', 'b'])
  poll.send({type: 'peer.polled', ...report, isHidden: false})
  clock.increment(1_500)
  poll.send({type: 'peer.polled', ...report, watched: ['a', 'b'], isHidden: false})
  clock.increment(2_500)
  expect(claims).toEqual([false])
  poll.send({type: 'peer.polled', ...report, isHidden: false})
  clock.increment(1_500)
  poll.send({type: 'peer.polled', ...report, isHidden: false})
  expect(claims).toEqual([false])
  clock.increment(500)
  expect(claims).toEqual([false, true])
})

test('the other tabs hear what is looked after, and what is gone', async () => {
  const {clock, lead, turn, peerMessages} = start({poll: async () => ({records: [], missing: ['a'], age: 1})}, ['a'])
  await lead()
  clock.increment(pollRules.visible)
  await turn()
  expect(peerMessages.map(({report: {watched, gone}}) => [watched, gone])).toEqual([
    [['a'], []],
    [['a'], ['a']],
  ])
})

test('a tab that is looked at takes over from one that sleeps, a hidden one does not', () => {
  const seen = start({}, ['a'])
  seen.poll.send({type: 'peer.polled', ...report, isHidden: true, nextIn: 60_000})
  expect(seen.claims).toEqual([false, true])
  const hidden = start({}, ['a'], {isVisible: false})
  hidden.poll.send({type: 'peer.polled', ...report, isHidden: true, nextIn: 60_000})
  expect(hidden.claims).toEqual([false])
  hidden.environment.send({type: 'page.shown'})
  expect(hidden.claims).toEqual([false, true])
})

test('a tab that another took over from asks no more', async () => {
  const {clock, asked, lead, lose, turn} = start({}, ['a'])
  await lead()
  lose()
  clock.increment(pollRules.visible * 3)
  await turn()
  expect(asked).toHaveLength(1)
})
