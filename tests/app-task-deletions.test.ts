import {expect, test} from 'vitest'
import {createActor, fromPromise} from 'xstate'
import {createSelectionLogic} from '#app/logic/media/selection.logic.ts'
import {createToolSlices} from '#app/logic/media/tool-slices.ts'
import {createStateStorage} from '#browser/storage.ts'
import {boundState, foreignParts, isOfBrowser, shrinkState, validateState} from '#domain/persisted-state.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {createFakeStorage} from './browser/fake-storage.ts'
import {record, ref} from './machines/media-fixtures.ts'
import {startTaskList} from './machines/start-task-list.ts'
import {stopAfterTest} from './stop-after-test.ts'

const rules = {validate: validateState, bound: boundState, shrink: shrinkState, foreign: foreignParts, isOfBrowser}
const records = ['a', 'b', 'c', 'd'].map((id, index) => record(id, 'succeeded', 100 + index))

/** A browser with one storage; its server deletes when the test says so. */
function openBrowser() {
  const {storage} = createFakeStorage()
  const calls = new Map<string, {resolve: () => void; reject: (error: Error) => void}>()
  const openStore = () => {
    const state = createStateStorage({
      storage,
      // as: the store listens to two events of a window and its document, and these are
      view: Object.assign(new EventTarget(), {document: new EventTarget()}) as unknown as Window,
      rules,
      now: () => 1_000,
      log: () => undefined,
    })
    stopAfterTest({stop: () => state.close()})
    return {state, slices: createToolSlices({state})}
  }
  /** A tab with all tasks on screen. */
  async function openTab() {
    const {state, slices} = openStore()
    const run = startTaskList({cached: {records, total: records.length, active: undefined, intents: []}})
    const logic = createSelectionLogic({
      list: () => run.list,
      removal: removalMachine.provide({
        actors: {
          remove: fromPromise<void, {id: string}>(
            ({input: {id}}) => new Promise((resolve, reject) => void calls.set(id, {resolve, reject})),
          ),
        },
      }),
      fetch,
      now: () => 1_000,
      notices: () => undefined,
      createId: () => 'id',
      log: () => undefined,
      slices,
    })
    const selection = stopAfterTest(createActor(logic, {input: {ref}})).start()
    await run.turn()
    const remove = async (...ids: string[]) => {
      selection.send({type: 'selection.enter'})
      selection.send({type: 'tasks.choose', ids})
      selection.send({type: 'delete.ask'})
      selection.send({type: 'delete.confirm', tasks: ids.map((id) => ({id, title: id}))})
      await run.turn()
    }
    const answer = async (id: string, error?: Error) => {
      const call = calls.get(`${ref.service}/${id}`)
      if (error === undefined) call?.resolve()
      else call?.reject(error)
      await run.turn()
    }
    return {state, slices, selection, remove, answer}
  }
  /** The deletions that a page finds which is opened now. */
  const notedIds = () => openStore().slices.readDeletions(ref.tool)
  return {openTab, openStore, notedIds}
}

test('deletions of a selection are noted until the server has answered, those that it refused no longer', async () => {
  const {openTab, notedIds} = openBrowser()
  const {remove, answer, selection} = await openTab()
  await remove('a', 'b')
  expect(notedIds()).toEqual(['a', 'b'])
  await answer('a')
  expect(notedIds()).toEqual(['b'])
  await answer('b', new Error('foo'))
  expect(selection.getSnapshot().value).toEqual({selecting: 'choosing'})
  expect(notedIds()).toEqual([])
})

test('a tab that is open already keeps what another tab noted, whatever it writes', async () => {
  const {openTab, notedIds} = openBrowser()
  const [first, second] = [await openTab(), await openTab()]
  // a change that waits for its turn is written after the deletion of the other tab
  second.slices.write(ref.tool, {config: {prompt: 'foo'}})
  await first.remove('a', 'b')
  second.state.flush()
  expect(notedIds()).toEqual(['a', 'b'])
  await second.remove('c')
  expect(notedIds()).toEqual(['a', 'b', 'c'])
  await first.answer('a')
  await first.answer('b')
  expect(notedIds()).toEqual(['c'])
  await second.answer('c')
  expect([notedIds(), second.state.read()]).toEqual([[], expect.objectContaining({deletedTasks: {}})])
})

test('deletions that a build before noted with the settings of the tool are read, and noted no more', () => {
  const {openStore, notedIds} = openBrowser()
  const before = openStore()
  before.slices.write(ref.tool, {removing: ['a']})
  before.state.flush()
  const {slices, state} = openStore()
  expect(slices.readDeletions(ref.tool)).toEqual(['a'])
  slices.writeDeletions(ref.tool, ['b'])
  state.flush()
  expect(notedIds()).toEqual(['b'])
})
