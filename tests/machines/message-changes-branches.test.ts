import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectBranchModel, selectFailure} from '#machines/message-changes/message-changes.selectors.ts'
import {askInBranch, refused, start} from './message-changes-fixture.ts'

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

test('where a deletion fails nothing is branched, which is said, and it can still be taken back', async () => {
  const {actor, sent, removal} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'change.request', change: branch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(sent).toEqual(['deletePending'])
  expect([removal(), selectFailure(actor.getSnapshot(), 'a-2')?.code]).toEqual(['undoable', 'bad_request'])
})
