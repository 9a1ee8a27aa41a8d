import {BehaviorSubject, NEVER} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {createEditedFilesMachine} from '#machines/edited-files/edited-files.machine.ts'
import type {EditedFilesEvent, FilesSeen} from '#machines/edited-files/edited-files.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const seen = (isChanged: boolean): FilesSeen => ({type: 'files.seen', isChanged})
const left = (hasWords: boolean) => ({type: 'editor.left', hasWords}) as const

const events = {
  'files.seen': [seen(true), seen(false)],
  'editor.entered': [{type: 'editor.entered'}],
  'editor.left': [left(true), left(false)],
} satisfies EventFixtures<EditedFilesEvent>

const silent = {openFiles: () => undefined, keepWords: () => undefined, dropWords: () => undefined}
const machine = createEditedFilesMachine(NEVER).provide({actions: {...silent, dropFiles: () => undefined}})

describe('editedFiles', () => {
  const {coverage} = describeRules(machine, {
    user: ['editor.entered', 'editor.left'],
    input: undefined,
    events: Object.values(events).flat(),
    endless: ['seenFiles'],
  })
  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))
})

/** The chart with its ports written down; `isChanged` of its files as they come on screen. */
function start(isChanged = false) {
  const files = new BehaviorSubject(seen(isChanged))
  const done: string[] = []
  const names = ['openFiles', 'keepWords', 'dropWords', 'dropFiles'] as const
  const actions = Object.fromEntries(names.map((name) => [name, () => void done.push(name)]))
  const actor = createActor(createEditedFilesMachine(files).provide({actions})).start()
  actor.send({type: 'editor.entered'})
  return {actor, files, done}
}

test('files alone keep the editor, and files as they were sent let it go again', () => {
  const {files, done} = start()
  files.next(seen(true))
  files.next(seen(true))
  files.next(seen(false))
  expect(done).toEqual(['openFiles', 'keepWords', 'dropWords'])
})

test('files that wait with an earlier edit are changed at once', () => {
  const {actor, done} = start(true)
  expect([actor.getSnapshot().matches({there: 'changed'}), done]).toEqual([true, ['openFiles', 'keepWords']])
})

test.each([
  [true, ['openFiles']],
  [false, ['openFiles', 'dropFiles']],
])('an editor that goes with words (%s) keeps its files, without them it drops them', (hasWords, expected) => {
  const {actor, files, done} = start()
  actor.send(left(hasWords))
  files.next(seen(true))
  expect([done, actor.getSnapshot().value]).toEqual([expected, 'away'])
  actor.send({type: 'editor.entered'})
  expect(done.slice(expected.length)).toEqual(['openFiles', 'keepWords'])
})
