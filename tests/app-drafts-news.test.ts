import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createDraftNews} from '#app/chat/draft-news.ts'
import type {TabFact} from '#browser/tabs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = () => {
  const facts: TabFact[] = []
  return {facts, news: createDraftNews({tell: (fact) => void facts.push(fact)})}
}
const short = 'foo'
const long = 'a'.repeat(2_000)
type DraftHeard = Extract<TabFact, {type: 'draft.heard'}>
const heard = (text: string, was: string, sent?: string): DraftHeard => {
  const draft = {text, references: []}
  return {type: 'draft.heard', owner: 'u', key: 'k', draft, was, sent}
}

test('a short draft is told with each key, a long one once its user pauses, as one change', () => {
  const {facts, news} = start()
  news.tell(heard(short, ''))
  expect(facts).toEqual([heard(short, '')])
  news.tell(heard(long, short))
  vi.advanceTimersByTime(499)
  news.tell(heard(`${long}b`, long))
  vi.advanceTimersByTime(499)
  expect(facts).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(facts).toEqual([heard(short, ''), heard(`${long}b`, short)])
})

test('its last words are told when the page is left, and before others hear that it was sent', () => {
  const {facts, news} = start()
  news.tell(heard(long, ''))
  news.flush()
  news.tell(heard(`${long}b`, long))
  const sent = {...heard('', `${long}b`, `${long}b`), draft: undefined}
  news.tell(sent)
  vi.runAllTimers()
  expect(facts).toEqual([heard(long, ''), heard(`${long}b`, long), sent])
})

test('one that is emptied or becomes short is told at once, and one that another tab replaced never', () => {
  const {facts, news} = start()
  news.tell(heard(long, ''))
  news.tell(heard(short, long))
  news.tell(heard(long, short))
  news.drop('k')
  vi.runAllTimers()
  expect(facts).toEqual([heard(short, '')])
})
