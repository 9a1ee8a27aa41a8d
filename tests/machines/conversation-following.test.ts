import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {
  ask,
  started,
  delta,
  unreachable,
  start,
  fresh,
  ownAnswer,
  ownExchange,
  firstAttempt,
} from './conversation-fixture.ts'

describe('an answer', () => {
  describe('without a stream of its own', () => {
    const stored = (content: string, state: 'answering' | 'finished'): Conversation => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content, state, id: 'm-1', attempt: 1},
      ],
    })
    const open = (retrieve: () => Promise<Conversation>, capabilities: ChatCapability[] = ['resume', 'follow']) => {
      const world = start({capabilities, retrieve})
      world.actor.send(ask)
      world.stream().next(started)
      world.stream().next(delta(1, 'ba'))
      const own = world.stream()
      own.next({type: 'slot.denied'})
      return {...world, own}
    }

    test('its words come through the stream that all tabs share, from its own position on', async () => {
      const {actor, followed, own, value} = open(() => Promise.resolve(stored('', 'answering')))
      expect([value(), own.observed]).toEqual([{following: 'calling'}, false])
      expect(followed.at(-1)?.input).toEqual({
        conversation: 'c-1',
        exchange: {...ownExchange, answer: 'ba', reconnects: 0, lastSeq: 1},
        request: 'resume',
        model: 'm',
        capabilities: ['resume', 'follow'],
      })
      followed.at(-1)?.stream.next(delta(2, 'r'))
      expect([value(), actor.getSnapshot().hasTag('reconnecting')]).toEqual([{following: 'hearing'}, false])
      followed.at(-1)?.stream.next({type: 'answer.completed'})
      expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
        ...ownAnswer,
        created_at: 10,
        content: 'bar',
        state: 'finished',
      })
    })

    test('words that lack others before them are asked for again, from the last one', () => {
      const {followed} = open(() => Promise.resolve(stored('', 'answering')))
      followed.at(-1)?.stream.next(delta(2, 'r'))
      followed.at(-1)?.stream.next(delta(9, 'gap'))
      expect(followed).toHaveLength(2)
      expect(followed.at(-1)?.input.exchange).toEqual({
        ...firstAttempt,
        question: 'foo',
        key: 'key-1',
        at: 10,
        message: 'm-1',
        answer: 'bar',
        lastSeq: 2,
      })
    })

    test('a service that is read again leaves its part of the shared stream open', () => {
      const {actor, followed} = open(() => Promise.resolve(stored('', 'answering')))
      actor.send({type: 'service.changed', capabilities: ['resume', 'follow', 'stop']})
      expect(actor.getSnapshot().context.capabilities).toEqual(['resume', 'follow', 'stop'])
      expect(followed).toHaveLength(1)
      expect(followed[0]?.stream.observed).toBe(true)
    })

    test('what ended before the shared stream was opened is retrieved after a short silence', async () => {
      let copy = stored('ba', 'answering')
      const {actor, clock, followed} = open(() => Promise.resolve(copy))
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
      followed.at(-1)?.stream.next(delta(2, 'r'))
      copy = stored('barbaz', 'finished')
      followed.at(-1)?.stream.next({type: 'answer.connected'})
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches('finished'))
      expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
        ...ownAnswer,
        created_at: 10,
        content: 'barbaz',
        state: 'finished',
      })
    })

    test('a server that cannot be reached is said as lost contact; five times in vain end it', async () => {
      const {actor, clock} = open(() => Promise.reject(unreachable()))
      for (const _ of Array.from({length: 5})) {
        clock.increment(20_000)
        await waitFor(actor, (snapshot) => snapshot.matches({following: {disconnected: 'waiting'}}))
        expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
      }
      clock.increment(20_000)
      await waitFor(actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
    })

    test('offline it waits for the network', async () => {
      let isReachable = false
      const {actor, clock, environment} = open(() =>
        isReachable ? Promise.resolve(stored('bar', 'finished')) : Promise.reject(unreachable()),
      )
      environment.send({type: 'connection.lost'})
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.matches({following: {disconnected: 'offline'}}))
      expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
      isReachable = true
      environment.send({type: 'connection.restored'})
      await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    })

    test('a shared stream that breaks is said at once, until it is open again or its words come', async () => {
      const {actor, clock, followed, value} = open(() => Promise.reject(unreachable()))
      const isReconnecting = () => actor.getSnapshot().hasTag('reconnecting')
      for (const back of [{type: 'answer.connected'} as const, delta(2, 'r')]) {
        followed.at(-1)?.stream.next({type: 'answer.disconnected'})
        expect(isReconnecting()).toBe(true)
        // it fails again each time that the tab tries to open it: that is no news
        clock.increment(10_000)
        followed.at(-1)?.stream.next({type: 'answer.disconnected'})
        clock.increment(10_000)
        expect([value(), isReconnecting()]).toEqual([{following: {disconnected: 'retrieving'}}, true])
        followed.at(-1)?.stream.next(back)
        expect(isReconnecting()).toBe(false)
      }
      expect(value()).toEqual({following: 'hearing'})
      expect(actor.getSnapshot().context.exchange).toEqual({...ownExchange, lastSeq: 2, answer: 'bar', reconnects: 0})
    })

    test('contact that comes back is no longer said to be lost, though the copy has no new words', async () => {
      let isReachable = false
      const {actor, clock, environment} = open(() =>
        isReachable ? Promise.resolve(stored('ba', 'answering')) : Promise.reject(unreachable()),
      )
      clock.increment(1_500)
      await waitFor(actor, (snapshot) => snapshot.hasTag('reconnecting'))
      isReachable = true
      environment.send({type: 'connection.lost'})
      environment.send({type: 'connection.restored'})
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
    })

    test('a server that shares no stream is asked every five seconds', async () => {
      const {actor, clock} = open(() => Promise.resolve(stored('bar', 'answering')), [])
      clock.increment(5_000)
      await waitFor(actor, (snapshot) => snapshot.matches({following: 'waiting'}))
      expect(actor.getSnapshot().context.exchange?.answer).toBe('bar')
      clock.increment(5_000)
      expect(actor.getSnapshot().value).toEqual({following: 'retrieving'})
    })

    test('a page that opens on a running answer follows it, and never says that it lost contact', async () => {
      const running: ConversationRecord = {...fresh, id: 'c-1', messages: stored('ba', 'answering').messages}
      const {actor, followed, opened} = start({record: running, capabilities: ['resume', 'follow']})
      expect([actor.getSnapshot().value, opened]).toEqual([{following: 'calling'}, []])
      expect(actor.getSnapshot().hasTag('reconnecting')).toBe(false)
      followed.at(-1)?.stream.next(delta(1, 'ba'))
      expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
    })
  })
})
