import {NEVER, Subject} from 'rxjs'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import type {Leadership} from '#browser/leadership.ts'
import {createStreamSlots} from '#browser/stream-slots.ts'
import {createQueues} from './fake-leadership.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Event = {type: string}
const isNamed = ({type}: Event) => type === 'named'

/** The tabs of one browser. */
function createBrowser(leadership: Leadership = createQueues(), userId = 'u') {
  const withSlot = createStreamSlots(leadership)
  return (follow: {isNamed?: typeof isNamed} | undefined) => {
    const source = new Subject<Event>()
    const heard: string[] = []
    const subscription = withSlot<Event>({userId, stream$: source, follow}).subscribe({
      next: ({type}) => heard.push(type),
      error: () => heard.push('error'),
      complete: () => heard.push('end'),
    })
    return {source, heard, leave: () => subscription.unsubscribe(), isOpen: () => source.observed}
  }
}

describe('streams of all tabs', () => {
  test('two keep their own; a question beyond them goes out until it is named; a known answer is not opened', () => {
    const open = createBrowser()
    const own = [open({isNamed}), open({isNamed})]
    const passing = open({isNamed})
    expect([...own, passing].map(({isOpen}) => isOpen())).toEqual([true, true, true])
    const resumed = open({})
    expect([resumed.heard, resumed.isOpen()]).toEqual([['slot.denied', 'end'], false])
    for (const {source} of [...own, passing]) source.next({type: 'named'})
    for (const {source} of [...own, passing]) source.next({type: 'text'})
    expect(own.map(({heard}) => heard)).toEqual([
      ['named', 'text'],
      ['named', 'text'],
    ])
    expect(passing.heard).toEqual(['slot.awaited', 'slot.granted', 'named', 'slot.denied', 'end'])
    expect(passing.isOpen()).toBe(false)
  })

  test('questions beyond the slots go out one after the other', () => {
    const open = createBrowser()
    const own = [open({isNamed}), open({isNamed})]
    const first = open({isNamed})
    const second = open({isNamed})
    expect([first.isOpen(), second.isOpen()]).toEqual([true, false])
    expect(second.heard).toEqual(['slot.awaited'])
    first.source.next({type: 'named'})
    expect([first.isOpen(), second.isOpen()]).toEqual([false, true])
    second.source.error(new Error('foo'))
    expect(second.heard).toEqual(['slot.awaited', 'slot.granted', 'error'])
    expect(own.every(({isOpen}) => isOpen())).toBe(true)
  })

  test.each([
    ['ends', (tab: {source: Subject<Event>}) => tab.source.complete()],
    ['fails', (tab: {source: Subject<Event>}) => tab.source.error(new Error('foo'))],
    ['is left', (tab: {leave: () => void}) => tab.leave()],
  ])('a stream that %s frees its slot', (_, end) => {
    const open = createBrowser()
    const [first] = [open({}), open({})]
    end(first)
    const next = open({})
    expect(next.isOpen()).toBe(true)
  })

  test('where answers cannot be followed, at most two are open and the others wait for one of them', () => {
    const open = createBrowser()
    const [first, , third, fourth] = [1, 2, 3, 4].map(() => open(undefined))
    expect([third?.isOpen(), third?.heard]).toEqual([false, ['slot.awaited']])
    first?.source.complete()
    expect([third?.isOpen(), third?.heard, fourth?.isOpen()]).toEqual([true, ['slot.awaited', 'slot.granted'], false])
    fourth?.leave()
    third?.source.complete()
    expect(open(undefined).isOpen()).toBe(true)
  })

  test('a browser that does not say who holds a lock counts as full after a second', () => {
    const open = createBrowser(() => NEVER)
    const resumed = open({})
    vi.advanceTimersByTime(999)
    expect(resumed.heard).toEqual([])
    vi.advanceTimersByTime(1)
    expect(resumed.heard).toEqual(['slot.denied', 'end'])
  })

  test('users do not share slots', () => {
    const leadership = createQueues()
    const [mine, theirs] = [createBrowser(leadership, 'u'), createBrowser(leadership, 'v')]
    mine({})
    mine({})
    expect(mine({}).isOpen()).toBe(false)
    expect(theirs({}).isOpen()).toBe(true)
  })
})
