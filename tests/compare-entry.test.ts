import {beforeEach, expect, test, vi} from 'vitest'
import {createValueStore} from '#browser/value-store.ts'
import {newDraftKey, type ChatPorts} from '#features/chat/chat.context.tsx'
import type {Draft} from '#features/chat/draft.types.ts'
import {openFiles, type OpenedFiles} from '#features/chat/draft-files.ts'
import {moveDraft} from '#features/chat/move-draft.ts'
import {compareDraft, openCompare} from '#features/chat/compare/compare-entry.ts'

const key = newDraftKey('grok')
const typed = {text: 'foo', references: []}
const stored = new Map<string, Draft>()
const drafts = {
  read: (of: string) => stored.get(of),
  write: (of: string, draft: Draft | undefined) =>
    void (draft === undefined ? stored.delete(of) : stored.set(of, draft)),
}
const navigation = {follow: vi.fn()}
const opened = createValueStore<OpenedFiles>(new Map())
const files: ChatPorts['files'] = {opened, open: () => Promise.reject(new Error('This test opens no files.'))}
const chat = {drafts, files, navigation}

beforeEach(() => {
  stored.clear()
  opened.set(new Map())
})

test('what was typed for a new chat goes to several models, and is not offered by the next new chat again', () => {
  stored.set(key, typed)
  openCompare(chat, 'grok')
  expect([...stored]).toEqual([[compareDraft, typed]])
  expect(navigation.follow).toHaveBeenCalledWith('/compare')
})

test('what waits for several models is not replaced, and the other text stays where it is', () => {
  const waiting = {text: 'bar', references: []}
  stored.set(key, typed)
  stored.set(compareDraft, waiting)
  openCompare(chat, 'grok')
  expect(stored.get(compareDraft)).toEqual(waiting)
  expect(stored.get(key)).toEqual(typed)
})

test('without a text nothing is written', () => {
  openCompare(chat, 'grok')
  expect([...stored]).toEqual([])
})

test('a question that was asked goes there as well, and what is typed stays', () => {
  const asked = {text: 'bar', references: [{url: 'https://foo.example/a.pdf', name: 'a.pdf', size: undefined}]}
  stored.set(key, typed)
  openCompare(chat, 'grok', asked)
  expect(stored.get(compareDraft)).toEqual(asked)
  expect(stored.get(key)).toEqual(typed)
})

test('a draft that moves takes its uploads along, to what waits there with its own', async () => {
  const finish = new Map<string, () => void>()
  const sent: string[] = []
  const open = (of: string) =>
    openFiles(
      {
        drafts,
        opened,
        upload: ({name}) => {
          sent.push(name)
          return new Promise((resolve) => finish.set(name, () => resolve({url: `https://foo.example/${name}`})))
        },
        onSessionEnd: () => () => undefined,
        groups: () => [],
      },
      of,
    )
  const file = (name: string) => new File(['foo'], name)
  stored.set('here', {text: 'foo', references: []})
  stored.set('there', {text: 'bar', references: []})
  const here = open('here')
  const there = open('there')
  here.add([file('a.pdf'), file('b.pdf')])
  there.add([file('c.pdf'), file('d.pdf')])
  finish.get('a.pdf')?.()
  finish.get('c.pdf')?.()
  await vi.waitFor(() => expect([here, there].map((each) => each.references().length)).toEqual([1, 1]))
  moveDraft({drafts, files}, 'here', 'there')
  expect([...opened.get().keys()]).toEqual(['there'])
  finish.get('b.pdf')?.()
  finish.get('d.pdf')?.()
  await vi.waitFor(() => expect(stored.get('there')?.references).toHaveLength(4))
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
