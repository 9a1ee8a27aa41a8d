import {beforeEach, expect, test, vi} from 'vitest'
import {newDraftKey, type Draft} from '#features/chat/chat.context.tsx'
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

beforeEach(() => stored.clear())

test('what was typed for a new chat goes to several models, and is not offered by the next new chat again', () => {
  stored.set(key, typed)
  openCompare({drafts, navigation}, 'grok')
  expect([...stored]).toEqual([[compareDraft, typed]])
  expect(navigation.follow).toHaveBeenCalledWith('/compare')
})

test('what waits for several models is not replaced, and the other text stays where it is', () => {
  const waiting = {text: 'bar', references: []}
  stored.set(key, typed)
  stored.set(compareDraft, waiting)
  openCompare({drafts, navigation}, 'grok')
  expect(stored.get(compareDraft)).toEqual(waiting)
  expect(stored.get(key)).toEqual(typed)
})

test('without a text nothing is written', () => {
  openCompare({drafts, navigation}, 'grok')
  expect([...stored]).toEqual([])
})
