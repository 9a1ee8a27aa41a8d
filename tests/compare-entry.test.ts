import {stopAfterTest} from '#tests/stop-after-test.ts'
import {beforeEach, expect, test, vi} from 'vitest'
import {NEVER} from 'rxjs'
import {createActor} from 'xstate'
import {createValueStore} from '#browser/value-store.ts'
import {isLostFile, lostUrlOf} from '#domain/lost-file.ts'
import {newDraftKey, type ChatPorts} from '#features/chat/chat.context.tsx'
import type {Draft} from '#features/chat/draft.types.ts'
import {createDraftFilesLogic} from '#app/chat/draft-files.logic.ts'
import {openFiles, type OpenedFiles} from '#features/chat/draft-files.ts'
import {createFilesPort, type FilesOpening} from '#features/chat/draft-files-port.ts'
import {moveDraft} from '#features/chat/move-draft.ts'
import {compareDraft, openCompare} from '#features/chat/compare/compare-entry.ts'
import {eventually} from './eventually.ts'

const key = newDraftKey('grok')
const namesOf = (files: readonly {name: string}[]) => files.map(({name}) => name)
const typed = {text: 'foo', references: []}
const stored = new Map<string, Draft>()
const drafts = {
  read: (of: string) => stored.get(of),
  write: (of: string, draft: Draft | undefined) =>
    void (draft === undefined ? stored.delete(of) : stored.set(of, draft)),
  close: (of: string) => void stored.delete(of),
  look: () => undefined,
  subscribe: () => () => undefined,
  heard: createValueStore(undefined),
}
const navigation = {follow: vi.fn()}
const opened = createValueStore<OpenedFiles>(new Map())
const opening = createValueStore<readonly FilesOpening[]>([])
const files: ChatPorts['files'] = {
  ...{opened, opening},
  open: () => Promise.reject(new Error('This test opens no files.')),
  press: () => undefined,
}
const chat = {drafts, files, navigation}

function createUploader() {
  const finish = new Map<string, () => void>()
  const sent: string[] = []
  const createLogic = createDraftFilesLogic(
    ({name}) => {
      sent.push(name)
      return new Promise((resolve) => finish.set(name, () => resolve({url: `https://foo.example/${name}`})))
    },
    () => NEVER,
  )
  const open = (of: string) =>
    openFiles(
      {
        drafts,
        opened,
        start: (fileOf) => stopAfterTest(createActor(createLogic(fileOf), {input: {largestFile: undefined}}).start()),
        askBeforeLeaving: () => () => undefined,
        beginUpload: () => () => undefined,
        groups: () => [],
      },
      of,
    )
  return {open, finish, sent}
}

beforeEach(() => {
  stored.clear()
  opened.set(new Map())
  navigation.follow.mockClear()
})

test('the field of several models has what was typed for a new chat, where it stays until it is asked', () => {
  stored.set(key, typed)
  openCompare(chat, key)
  expect([...stored]).toEqual([[key, typed]])
  expect(navigation.follow).toHaveBeenCalledExactlyOnceWith('/compare', key)
})

test('what waits for several models is not replaced', () => {
  const waiting = {text: 'bar', references: []}
  stored.set(key, typed)
  stored.set(compareDraft, waiting)
  openCompare(chat, key)
  expect(Object.fromEntries(stored)).toEqual({[key]: typed, [compareDraft]: waiting})
})

test('files alone are in that field as well, also those on their way', () => {
  const port = {...createFilesPort(() => new Promise(() => undefined)), opened}
  void port.open(key, [{name: 'a.pdf'}])
  openCompare({...chat, files: port}, key)
  expect(navigation.follow).toHaveBeenCalledExactlyOnceWith('/compare', key)
})

test('without a text that field has what waits for several models', () => {
  openCompare(chat, key)
  expect([...stored]).toEqual([])
  expect(navigation.follow).toHaveBeenCalledExactlyOnceWith('/compare', undefined)
})

test('a question that was asked goes there as well, and what is typed stays', () => {
  const asked = {text: 'bar', references: [{url: 'https://foo.example/a.pdf', name: 'a.pdf', size: undefined}]}
  stored.set(key, typed)
  openCompare(chat, key, asked)
  expect(stored.get(compareDraft)).toEqual(asked)
  expect(stored.get(key)).toEqual(typed)
  expect(navigation.follow).toHaveBeenCalledExactlyOnceWith('/compare', undefined)
})

test('a question that was asked joins what waits for several models, once', () => {
  const asked = {text: 'foo', references: [{url: 'https://foo.example/a.pdf', name: 'a.pdf', size: undefined}]}
  stored.set(compareDraft, {text: 'bar', references: []})
  openCompare(chat, key, asked)
  openCompare(chat, key, asked)
  expect(stored.get(compareDraft)).toEqual({...asked, text: 'bar\n\nfoo'})
})

test('a draft that moves takes its uploads along, to what waits there with its own', async () => {
  const {open, finish, sent} = createUploader()
  const file = (name: string) => new File(['foo'], name)
  stored.set('here', {text: 'foo', references: []})
  stored.set('there', {text: 'bar', references: []})
  const here = open('here')
  const there = open('there')
  here.add([file('a.pdf'), file('b.pdf')])
  there.add([file('c.pdf'), file('d.pdf')])
  await eventually(() => expect(sent).toHaveLength(4))
  finish.get('a.pdf')?.()
  finish.get('c.pdf')?.()
  const uploaded = () => [here, there].map((each) => each.references().filter((file) => !isLostFile(file)).length)
  await eventually(() => expect(uploaded()).toEqual([1, 1]))
  moveDraft({drafts, files}, 'here', 'there')
  expect([...opened.get().keys()]).toEqual(['there'])
  await eventually(() => expect(sent).toHaveLength(5))
  finish.get('b.pdf')?.()
  finish.get('d.pdf')?.()
  await eventually(() => expect(stored.get('there')?.references).toHaveLength(4))
  expect(stored.get('there')?.text).toBe('bar\n\nfoo')
  expect(
    stored
      .get('there')
      ?.references.map(({name}) => name)
      .sort(),
  ).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'])
  expect(stored.has('here')).toBe(false)
  expect(sent).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'd.pdf'])
})

test('a text that moves leaves alone what is on its way where it comes to', async () => {
  const {open, finish, sent} = createUploader()
  stored.set('here', {text: 'foo', references: []})
  open('there').add([new File(['foo'], 'a.pdf')])
  await eventually(() => expect(sent).toHaveLength(1))
  moveDraft({drafts, files}, 'here', 'there')
  finish.get('a.pdf')?.()
  await eventually(() => expect(stored.get('there')?.references.map(({name}) => name)).toEqual(['a.pdf']))
  expect([stored.get('there')?.text, stored.has('here')]).toEqual(['foo', false])
})

test('files that are still being opened come along, and nothing is left of them', async () => {
  const {open, sent} = createUploader()
  let start: () => void = () => undefined
  const session = new Promise<void>((resolve) => (start = resolve))
  const port = createFilesPort(async (call) => {
    await session
    return open(call.key)
  })
  const newFiles = [new File(['foo'], 'a.pdf')]
  const opening = port.open('here', newFiles).then((uploads) => uploads.add(newFiles))
  stored.set('here', {text: 'foo', references: []})
  moveDraft({drafts, files: {...port, opened}}, 'here', 'there')
  expect(port.opening.get().map(({key: of, files: {length}}) => [of, length])).toEqual([['there', 1]])
  start()
  await opening
  await eventually(() => expect(sent).toEqual(['a.pdf']))
  expect([...opened.get().keys()]).toEqual(['there'])
  expect([stored.get('there')?.text, stored.has('here'), port.opening.get()]).toEqual(['foo', false, []])
})

test('files that are being opened count among those that a message may have', () => {
  const {open} = createUploader()
  const port = {...createFilesPort(() => new Promise(() => undefined)), opened}
  void port.open('here', [{name: 'a.pdf'}])
  void port.open('there')
  stored.set('here', {text: 'foo', references: []})
  stored.set('there', {text: '', references: references('b', 10)})
  open('there')
  moveDraft({drafts, files: port}, 'here', 'there')
  expect(port.opening.get().flatMap((call) => (call.files.length > 0 ? [call.key] : []))).toEqual(['here'])
  expect(stored.get('there')?.references).toHaveLength(10)
})

const references = (name: string, count: number) =>
  Array.from({length: count}, (_, index) => ({url: `https://foo.example/${name}-${index}.pdf`, name, size: undefined}))

test('if there are more files than a message may have, those that fit go; the others stay with their text, and it is said', async () => {
  const {open} = createUploader()
  const ports = {drafts, files: {...files, open: async (of: string) => open(of)}}
  const lostFile = (name: string) => ({name, size: 3, url: lostUrlOf({name, size: 3})})
  stored.set('here', {text: 'foo', references: [lostFile('lost.pdf'), ...references('a', 7)]})
  stored.set('there', {text: 'bar', references: references('b', 6)})
  const [here, there] = [open('here'), open('there')]
  here.add([new File(['foo'], 'unfinished.pdf')])
  moveDraft(ports, 'here', 'there')
  expect(stored.get('there')).toEqual({
    text: 'bar\n\nfoo',
    references: [...references('b', 6), ...references('a', 4)],
  })
  const [lost, waiting, unfinished] = [lostFile('lost.pdf'), references('a', 7).slice(4), lostFile('unfinished.pdf')]
  const named = (file: object) => ({...file, id: expect.any(String)})
  expect(stored.get('here')).toEqual({text: 'foo', references: [named(lost), ...waiting, named(unfinished)]})
  expect([here.get().length, there.get().length]).toEqual([5, 10])
  await eventually(() =>
    expect(there.leftOut.get()).toEqual({why: 'tooMany', names: namesOf([...waiting, lost, unfinished])}),
  )
  expect(here.leftOut.get()).toBeUndefined()
})

test('where nobody has opened the files of a draft yet, no more join them than fit', async () => {
  const {open} = createUploader()
  const ports = {drafts, files: {...files, open: async (of: string) => open(of)}, navigation}
  stored.set(compareDraft, {text: 'bar', references: references('b', 8)})
  openCompare(ports, key, {text: 'foo', references: references('a', 3)})
  expect(stored.get(compareDraft)?.references).toEqual([...references('b', 8), ...references('a', 2)])
  await eventually(() =>
    expect(opened.get().get(compareDraft)?.leftOut.get()).toEqual({
      why: 'tooMany',
      names: namesOf(references('a', 3).slice(2)),
    }),
  )
})

test('a draft with more files than a message may have shows as many as it may', () => {
  const {open} = createUploader()
  stored.set('here', {text: 'foo', references: references('a', 12)})
  const uploads = open('here')
  expect(uploads.get()).toHaveLength(10)
  expect(uploads.leftOut.get()).toEqual({why: 'tooMany', names: namesOf(references('a', 12).slice(10))})
})
