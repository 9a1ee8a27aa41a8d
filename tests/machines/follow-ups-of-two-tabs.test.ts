import {describe, expect, test} from 'vitest'
import {NEVER} from 'rxjs'
import {waitFor} from 'xstate'
import {createLockLeadership, type Leadership} from '#browser/leadership.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {FollowUpsEvent} from '#machines/follow-ups/follow-ups.types.ts'
import {createLocks} from '../browser/fake-locks.ts'
import {settled, start} from './conversation-list-fixture.ts'

const running: ConversationRecord = {
  ...{key: 'a', id: 'a', model: 'm', updatedAt: 5},
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: 'ba', state: 'answering', id: 'm-a', attempt: 1, seq: 1},
  ],
}

/** One tab, in a browser whose tabs hear each other when the test lets them. */
async function openTab(record: ConversationRecord, turns: Leadership) {
  const tab = start([record], async () => [record], undefined, [], [], turns)
  const {list} = tab
  list.send({type: 'credential.ready'})
  await waitFor(list, (snapshot) => snapshot.matches('success'))
  list.send({type: 'conversation.open', key: 'a'})
  const queue = (event: FollowUpsEvent) =>
    selectConversation(list.getSnapshot(), 'a')?.getSnapshot().context.followUps.send(event)
  const questions = () => tab.context().items[0]?.followUps?.map(({question}) => question) ?? []
  return {...tab, ask: (question: string) => tab.ask('a', question), queue, questions}
}

/** @param locks of the browser; without them no tab hears of another's turn */
async function openTabs(record = running, locks?: LockManager) {
  const turns: Leadership = locks === undefined ? () => NEVER : createLockLeadership(locks)
  const here = await openTab(record, turns)
  const there = await openTab(record, turns)
  const facts: (() => void)[] = []
  here.list.on('followUps.heard', (fact) => facts.push(() => there.list.send(fact)))
  there.list.on('followUps.heard', (fact) => facts.push(() => here.list.send(fact)))
  const hear = () => facts.splice(0).forEach((tell) => tell())
  const both = () => [here.questions(), there.questions()]
  return {here, there, hear, both}
}
/** The browser reports locks through promises. */
const follow = async () => {
  for (let step = 0; step < 20; step += 1) await Promise.resolve()
}
const keyOf = (question: string) => `key of ${question}`

describe('questions that wait in two tabs', () => {
  test('are gone once sent, also where the other tab tells of the end of the answer before it hears that', async () => {
    const {here, there, hear, both} = await openTabs()
    here.claims.isOurs = false
    here.ask('next')
    hear()
    for (const {streams} of [here, there]) streams.get('foo')?.next({type: 'answer.completed'})
    await expect.poll(() => [...there.streams.keys()]).toContain('next')
    hear()
    expect(both()).toEqual([[], []])
    there.streams.get('next')?.next({type: 'answer.started', conversation: 'a', message: 'm-next', attempt: 1})
    hear()
    expect(both()).toEqual([[], []])
  })

  test('are all there, each in the order of its tab, when both add some, and the next change puts both into one', async () => {
    const {here, there, hear, both} = await openTabs()
    here.ask('before')
    hear()
    const own = ['one', 'two']
    const others = ['three', 'four']
    for (const question of others) there.ask(question)
    for (const question of own) here.ask(question)
    hear()
    for (const questions of both()) {
      expect(questions).toHaveLength(5)
      expect(questions[0]).toBe('before')
      for (const added of [own, others]) expect(questions.filter((question) => added.includes(question))).toEqual(added)
    }
    here.ask('after')
    hear()
    const [questions] = both()
    expect(both()).toEqual([questions, questions])
  })

  test('are gone when one tab removes one while the other adds one, and come back where the user takes that back', async () => {
    const {here, there, hear, both} = await openTabs()
    here.ask('one')
    hear()
    here.queue({type: 'followUp.remove', key: keyOf('one')})
    there.ask('two')
    hear()
    expect(both()).toEqual([['two'], ['two']])
    here.queue({type: 'followUp.add', ask: {question: 'one', references: [], key: keyOf('one')}, at: 0})
    hear()
    there.ask('three')
    hear()
    const all = ['one', 'two', 'three']
    expect(both()).toEqual([all, all])
  })

  test('are as one tab wrote them, when the other adds one in the same moment', async () => {
    const {here, there, hear, both} = await openTabs()
    for (const question of ['one', 'two']) here.ask(question)
    hear()
    here.queue({type: 'followUp.save', key: keyOf('one'), question: 'one, more exactly'})
    there.ask('three')
    hear()
    const all = ['one, more exactly', 'two', 'three']
    expect(both()).toEqual([all, all])
  })

  test('are in a tab as well that opens before they are stored, and asks for them', async () => {
    const {here, there, both} = await openTabs()
    for (const question of ['one', 'two']) here.ask(question)
    here.list.on('followUps.heard', (fact) => there.list.send(fact))
    here.list.send({type: 'followUps.asked'})
    const all = ['one', 'two']
    expect(both()).toEqual([all, all])
  })

  describe('are left to the tab that is asked something', () => {
    /** One asks two questions; the other has not heard of the answer between them. */
    async function askTwo(locks?: LockManager) {
      const {here, there, hear, both} = await openTabs(settled('a'), locks)
      here.ask('one')
      here.ask('two')
      hear()
      expect(both()).toEqual([['two'], ['two']])
      const asked = () => [...there.streams.keys()]
      return {here, there, hear, both, asked}
    }
    const started = {type: 'answer.started', conversation: 'a', message: 'm-one', attempt: 1} as const

    test('and go out there, after its answer', async () => {
      const {here, hear, both, asked} = await askTwo()
      const stream = here.streams.get('one')
      stream?.next(started)
      stream?.next({type: 'answer.completed'})
      await expect.poll(() => [...here.streams.keys()]).toEqual(['one', 'two'])
      hear()
      expect(both()).toEqual([[], []])
      expect(asked()).toEqual([])
    })

    test('and are held there after a failure', async () => {
      const {here, hear, both, asked} = await askTwo()
      here.streams.get('one')?.error({code: 'forbidden', detail: '', status: 403})
      await expect.poll(() => here.context().answering).toEqual([])
      hear()
      expect(both()).toEqual([['two'], ['two']])
      expect(asked()).toEqual([])
    })

    test('and are held in the other too, also when the first is closed then, until the user sends on', async () => {
      const {here, there, hear, asked} = await askTwo(createLocks())
      here.streams.get('one')?.error({code: 'forbidden', detail: '', status: 403})
      await expect.poll(() => here.context().answering).toEqual([])
      hear()
      here.end()
      await follow()
      there.clock.increment(600_000)
      await follow()
      expect(asked()).toEqual([])
      there.queue({type: 'followUps.sendOn'})
      await expect.poll(asked).toEqual(['two'])
    })

    test('and are held in the other too where that reads the copy of the server, which lacks the failure', async () => {
      const {here, there, hear, asked} = await askTwo()
      here.streams.get('one')?.error({code: 'forbidden', detail: '', status: 403})
      await expect.poll(() => here.context().answering).toEqual([])
      hear()
      const record = {...settled('a'), ...there.context().items[0], updatedAt: 6}
      there.list.send({type: 'conversation.loaded', record})
      await follow()
      there.clock.increment(600_000)
      await follow()
      expect(asked()).toEqual([])
      // they follow an answer of this tab, as ever
      there.ask('three')
      there.streams.get('three')?.next({type: 'answer.completed'})
      await expect.poll(asked).toEqual(['three', 'two'])
    })

    test('until that is closed before the answer: they go out in the other within seconds', async () => {
      const {here, there, asked} = await askTwo(createLocks())
      there.clock.increment(60_000)
      await follow()
      expect(asked()).toEqual([])
      here.end()
      await follow()
      there.clock.increment(3_000)
      await follow()
      await expect.poll(asked).toEqual(['two'])
    })

    test('and wait on in the other where the first is loaded again', async () => {
      const locks = createLocks()
      const {here, there, asked} = await askTwo(locks)
      here.end()
      await follow()
      const returned = createLockLeadership(locks)(keyOf('two'), {isClaiming: false}).subscribe()
      there.clock.increment(3_000)
      await follow()
      there.clock.increment(60_000)
      await follow()
      expect(asked()).toEqual([])
      returned.unsubscribe()
      await follow()
      there.clock.increment(3_000)
      await expect.poll(asked).toEqual(['two'])
    })

    test('until the other is asked something as well, or the first is silent for ten minutes', async () => {
      for (const ends of ['asked', 'silent']) {
        const {there, asked} = await askTwo()
        if (ends === 'asked') there.ask('three')
        else there.clock.increment(600_000)
        await expect.poll(asked).toEqual(['two'])
      }
    })
  })

  test('are held in both where one tab sends the first and is refused before the other stops waiting for it', async () => {
    const {here, there, hear, both} = await openTabs()
    there.claims.isOurs = false
    for (const question of ['one', 'two']) here.ask(question)
    hear()
    for (const {streams} of [here, there]) streams.get('foo')?.next({type: 'answer.completed'})
    await expect.poll(() => [...here.streams.keys()]).toContain('one')
    hear()
    here.streams.get('one')?.error({code: 'forbidden', detail: '', status: 403})
    await expect.poll(() => here.context().answering).toEqual([])
    hear()
    there.claims.isOurs = true
    there.clock.increment(600_000)
    await follow()
    expect(both()).toEqual([['two'], ['two']])
    expect([...there.streams.keys()]).not.toContain('two')
    there.queue({type: 'followUps.sendOn'})
    await expect.poll(() => [...there.streams.keys()]).toContain('two')
  })

  test('are held in a tab that opens their conversation after their turn failed in the other', async () => {
    const {here, there, hear, both} = await openTabs(settled('a'))
    there.list.send({type: 'conversation.close'})
    expect(selectConversation(there.list.getSnapshot(), 'a')).toBeUndefined()
    for (const question of ['one', 'two']) here.ask(question)
    here.streams.get('one')?.error({code: 'forbidden', detail: '', status: 403})
    await expect.poll(() => here.context().answering).toEqual([])
    hear()
    expect(both()).toEqual([['two'], ['two']])
    there.list.send({type: 'conversation.open', key: 'a'})
    await follow()
    there.clock.increment(600_000)
    await follow()
    expect([...there.streams.keys()]).toEqual([])
    there.queue({type: 'followUps.sendOn'})
    await expect.poll(() => [...there.streams.keys()]).toEqual(['two'])
  })

  test('are those of a tab of the build before, which says nothing of those before its change', async () => {
    const {here, hear} = await openTabs()
    here.ask('one')
    hear()
    const items = [{question: 'two', references: [], key: keyOf('two')}]
    here.list.send({type: 'followUps.heard', key: 'a', items})
    expect(here.questions()).toEqual(['two'])
  })
})
