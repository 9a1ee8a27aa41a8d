import {expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import {selectBranchModel, selectFailure, selectIsUnheard} from '#machines/message-changes/message-changes.selectors.ts'
import {askInBranch, refused, start} from './message-changes-fixture.ts'

const branch = {action: 'branch', message: 'a-2', title: 'foo', key: 'k-1'} as const

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
  expect(settled).toEqual([{type: 'change.settled', change: askInBranch, isDone: true, branch: 'foo', group: 'grok'}])
  expect(model('a-2')).toBeUndefined()
})

test('a question that no branch was made for is said to be there still, below its answer', async () => {
  const {actor} = start(() => Promise.reject(Object.assign(new Error(), refused)))
  actor.send({type: 'change.request', change: askInBranch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(selectFailure(actor.getSnapshot(), 'a-2')).toEqual(refused)
})

test('where a deletion fails nothing is branched, which is said, and it can still be taken back', async () => {
  const {actor, sent, removal} = start(() => Promise.reject(Object.assign(new Error('foo'), refused)))
  actor.send({type: 'message.remove', message: 'a-1'})
  actor.send({type: 'change.request', change: branch})
  await waitFor(actor, (snapshot) => snapshot.matches('idle'))
  expect(sent).toEqual(['deletePending'])
  expect([removal(), selectFailure(actor.getSnapshot(), 'a-2')?.code]).toEqual(['undoable', 'bad_request'])
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
