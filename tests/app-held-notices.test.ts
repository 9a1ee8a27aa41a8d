import {expect, test} from 'vitest'
import {createActor, fromPromise, setup, SimulatedClock} from 'xstate'
import type {AppActors} from '#app/logic/app-actors.ts'
import {connectParts} from '#app/logic/connect-browser.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {noticesMachine, type NoticesActor} from '#machines/notices/notices.machine.ts'
import {nobody} from './machines/nobody.ts'
import {stopAfterTest} from './stop-after-test.ts'

const removalId = 'removal/flux/task-1'

/** A root with notices and one result that is being deleted. */
function start() {
  const clock = new SimulatedClock()
  const deletions: string[] = []
  const remove = fromPromise<void, {id: string}>(async ({input}) => void deletions.push(input.id))
  const world = setup({
    actors: {notices: noticesMachine, removal: removalMachine.provide({actors: {remove}})},
  }).createMachine({
    invoke: [
      {src: 'notices', systemId: 'notices'},
      {src: 'removal', systemId: removalId, input: {parentRef: nobody, key: 'task-1', id: 'task-1'}},
    ],
  })
  const root = createActor(world, {clock}).start()
  stopAfterTest(root)
  // as: a system knows its actors by text only
  const notices = root.system.get('notices') as NoticesActor
  // as: of the root and of its actors these alone are used here
  connectParts(root as unknown as AppActor, {notices: () => notices} as Partial<AppActors> as AppActors)
  notices.send({
    type: 'notice.show',
    notice: {id: 'a', kind: 'info', textId: 'foo', undo: {to: removalId, event: {type: 'removal.undo'}}},
  })
  return {clock, deletions, notices}
}

test('a deletion waits until its notice is on screen, and has its whole time then', () => {
  const {clock, deletions, notices} = start()
  clock.increment(600_000)
  expect(deletions).toEqual([])
  notices.send({type: 'view.shown'})
  clock.increment(7_999)
  expect(deletions).toEqual([])
  clock.increment(1)
  expect(deletions).toEqual(['task-1'])
})

test.each([
  ['the pointer leaves', {type: 'pointer.left'}],
  ['the notice is dismissed', {type: 'notice.dismiss', id: 'a'}],
  ['the notices are cleared', {type: 'notices.clear'}],
] as const)('a deletion waits while its notice is held, and has its whole time once %s', (_name, event) => {
  const {clock, deletions, notices} = start()
  notices.send({type: 'view.shown'})
  clock.increment(4_000)
  notices.send({type: 'pointer.entered'})
  clock.increment(60_000)
  expect(deletions).toEqual([])
  notices.send(event)
  clock.increment(7_999)
  expect(deletions).toEqual([])
  clock.increment(1)
  expect(deletions).toEqual(['task-1'])
})

test('a deletion whose notice gives way to three newer offers goes on, though these are held', () => {
  const {clock, deletions, notices} = start()
  notices.send({type: 'view.shown'})
  notices.send({type: 'pointer.entered'})
  const offer = {to: 'foo', event: {type: 'removal.undo'}} as const
  for (const id of ['b', 'c', 'd'])
    notices.send({type: 'notice.show', notice: {id, kind: 'info', textId: 'foo', undo: offer}})
  clock.increment(8_000)
  expect(deletions).toEqual(['task-1'])
})
