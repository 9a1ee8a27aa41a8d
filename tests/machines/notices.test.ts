import {describe, expect, test} from 'vitest'
import {createActor, SimulatedClock} from 'xstate'
import {noticesMachine, type Notice, type NoticesEmitted, type NoticesEvent} from '#machines/notices/notices.machine.ts'
import {selectAreWanted} from '#machines/notices/notices.selectors.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const undo = {to: 'conversations', event: {type: 'conversations.restore', keys: ['foo']}}
const notice = (id: string, more: Partial<Notice> = {}): Notice => ({id, kind: 'info', textId: 'chat.foo', ...more})
const events = {
  'notice.show': [
    {type: 'notice.show', notice: notice('a')},
    {type: 'notice.show', notice: notice('b', {undo})},
    {type: 'notice.show', notice: notice('new', {reloads: true})},
  ],
  'notice.dismiss': [
    {type: 'notice.dismiss', id: 'a'},
    {type: 'notice.dismiss', id: 'b'},
    {type: 'notice.dismiss', id: 'new'},
  ],
  'view.shown': [{type: 'view.shown'}],
  'view.dismiss': [{type: 'view.dismiss'}],
  'connection.restored': [{type: 'connection.restored'}],
  'notice.act': [{type: 'notice.act', id: 'b'}],
  'pointer.entered': [{type: 'pointer.entered'}],
  'pointer.left': [{type: 'pointer.left'}],
  'focus.entered': [{type: 'focus.entered'}],
  'focus.left': [{type: 'focus.left'}],
  'notices.clear': [{type: 'notices.clear'}],
  'notice.expired': [
    {type: 'notice.expired', id: 'a'},
    {type: 'notice.expired', id: 'b'},
    {type: 'notice.expired', id: 'new'},
  ],
} satisfies EventFixtures<NoticesEvent>

function start() {
  const clock = new SimulatedClock()
  const actor = createActor(noticesMachine, {clock}).start()
  const show = (notice: Notice) => {
    actor.send({type: 'notice.show', notice})
    actor.send({type: 'view.shown'})
  }
  const undone: NoticesEmitted[] = []
  actor.on('act.requested', (event) => undone.push(event))
  const shown = () => actor.getSnapshot().context.notices.map(({id}) => id)
  return {actor, clock, show, shown, undone}
}

describe('notices', () => {
  const {states, coverage} = describeRules(noticesMachine, {
    lasting: ['empty'],
    user: ['notice.dismiss', 'notice.act', 'notices.clear'],
    input: undefined,
    events: Object.values(events).flat(),
    key: ({context}) => context.notices.map(({id}) => id),
  })
  test('every transition is taken', () => expect(coverage.missing(noticesMachine)).toEqual([]))
  test('empty means empty', () => {
    expect(states.filter((state) => state.matches('empty') !== (state.context.notices.length === 0))).toEqual([])
  })

  test('no deadline runs before the view is there; what waits is shown then, the newest three', () => {
    const {actor, clock, shown} = start()
    for (const id of ['a', 'b', 'c', 'd']) actor.send({type: 'notice.show', notice: notice(id)})
    clock.increment(600_000)
    expect(shown()).toEqual(['b', 'c', 'd'])
    actor.send({type: 'view.shown'})
    clock.increment(4_999)
    expect(shown()).toEqual(['b', 'c', 'd'])
    clock.increment(1)
    expect(shown()).toEqual([])
  })

  test('each has its own deadline; one with undo stays longer', () => {
    const {actor, clock, show, shown} = start()
    show(notice('a'))
    show(notice('b', {undo}))
    clock.increment(5_000)
    expect(shown()).toEqual(['b'])
    clock.increment(3_000)
    expect(shown()).toEqual([])
    expect(actor.getSnapshot().value).toBe('empty')
  })

  test('at most three: the oldest gives way, and its deadline with it', () => {
    const {clock, show, shown} = start()
    for (const id of ['a', 'b', 'c', 'd']) show(notice(id))
    expect(shown()).toEqual(['b', 'c', 'd'])
    show(notice('b', {duration: 9_000}))
    clock.increment(5_000)
    expect(shown()).toEqual(['b'])
  })

  test('one without an offer gives way first: an undo is there as long as it can be', () => {
    const {show, shown} = start()
    show(notice('a', {undo}))
    for (const id of ['b', 'c', 'd']) show(notice(id))
    expect(shown()).toEqual(['a', 'c', 'd'])
    for (const id of ['e', 'f', 'g']) show(notice(id, {undo}))
    expect(shown()).toEqual(['e', 'f', 'g'])
  })

  test('one without an offer takes no offer away: it stands beside three of them, one at a time', () => {
    const {clock, show, shown} = start()
    for (const id of ['a', 'b', 'c']) show(notice(id, {undo}))
    show(notice('d'))
    expect(shown()).toEqual(['a', 'b', 'c', 'd'])
    show(notice('e', {kind: 'error'}))
    expect(shown()).toEqual(['a', 'b', 'c', 'e'])
    show(notice('f', {undo}))
    expect(shown()).toEqual(['b', 'c', 'f'])
    show(notice('g'))
    clock.increment(5_000)
    expect(shown()).toEqual(['b', 'c', 'f'])
  })

  test('a new version stays beside three others, and after a sign-out', () => {
    const {actor, clock, show, shown} = start()
    show(notice('new', {reloads: true, duration: 60_000}))
    for (const id of ['a', 'b', 'c', 'd']) show(notice(id, {undo}))
    expect(shown()).toEqual(['new', 'b', 'c', 'd'])
    show(notice('new', {reloads: true, duration: 60_000}))
    expect(shown()).toEqual(['b', 'c', 'd', 'new'])
    actor.send({type: 'notices.clear'})
    expect(shown()).toEqual(['new'])
    clock.increment(60_000)
    expect(actor.getSnapshot().value).toBe('empty')
  })

  test.each([
    ['the next notice', {type: 'notice.show', notice: notice('b')}, ['new', 'b']],
    ['a network', {type: 'connection.restored'}, ['new']],
  ] as const)('a new version outlives the card of a lost view: %s has that loaded anew', (_, event, expected) => {
    const {actor, shown} = start()
    actor.send({type: 'notice.show', notice: notice('new', {reloads: true})})
    actor.send({type: 'notice.show', notice: notice('a', {undo})})
    actor.send({type: 'view.dismiss'})
    expect([shown(), selectAreWanted(actor.getSnapshot())]).toEqual([['new'], false])
    actor.send(event)
    expect([shown(), selectAreWanted(actor.getSnapshot())]).toEqual([expected, true])
    actor.send({type: 'view.shown'})
    expect(actor.getSnapshot().value).toEqual({shown: 'leaving'})
  })

  test.each([
    ['the pointer', ['pointer.entered'], ['pointer.left']],
    ['the focus', ['focus.entered'], ['focus.left']],
    ['the pointer, though the focus left', ['pointer.entered', 'focus.entered', 'focus.left'], ['pointer.left']],
    ['the focus, though the pointer left', ['focus.entered', 'pointer.entered', 'pointer.left'], ['focus.left']],
  ] as const)('none disappears under %s', (_, holding, leaving) => {
    const {actor, clock, show, shown} = start()
    show(notice('a'))
    for (const type of holding) actor.send({type})
    clock.increment(60_000)
    expect(shown()).toEqual(['a'])
    for (const type of leaving) actor.send({type})
    clock.increment(4_999)
    expect(shown()).toEqual(['a'])
    clock.increment(1)
    expect(shown()).toEqual([])
  })

  test('one that comes again has its whole time', () => {
    const {actor, clock, show, shown} = start()
    for (const gone of [{type: 'notice.dismiss', id: 'a'}, {type: 'notices.clear'}] as const) {
      show(notice('a'))
      clock.increment(4_000)
      actor.send(gone)
      show(notice('a'))
      clock.increment(4_999)
      expect(shown()).toEqual(['a'])
      clock.increment(1)
      expect(shown()).toEqual([])
    }
  })

  test('one that offers to try again stays a minute, asks once and goes away', () => {
    const {actor, clock, show, undone, shown} = start()
    const again = {to: 'conversationChanges', event: {type: 'conversation.rename', key: 'a', title: 'foo'}}
    show(notice('a', {again}))
    clock.increment(59_999)
    expect(shown()).toEqual(['a'])
    actor.send({type: 'notice.act', id: 'a'})
    actor.send({type: 'notice.act', id: 'a'})
    expect(undone).toEqual([{type: 'act.requested', act: again}])
    show(notice('a', {again}))
    clock.increment(60_000)
    expect(shown()).toEqual([])
  })

  test('undo asks once and goes away', () => {
    const {actor, clock, show, undone, shown} = start()
    show(notice('b', {undo}))
    actor.send({type: 'notice.act', id: 'b'})
    actor.send({type: 'notice.act', id: 'b'})
    clock.increment(60_000)
    expect(undone).toEqual([{type: 'act.requested', act: undo}])
    expect(shown()).toEqual([])
  })
})
