import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
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

  describe('an answer that was given up', () => {
    const copy = (content: string, end: Partial<RecordMessage>): Conversation => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content, id: 'm-1', attempt: 1, ...end},
      ],
    })
    async function giveUp() {
      let reads = 0
      let read: () => Promise<Conversation> = () => Promise.reject(unreachable())
      const retrieve = () => {
        reads += 1
        return read()
      }
      const world = start({capabilities: ['follow'], retrieve})
      const {actor, clock} = world
      actor.send(ask)
      world.stream().next(started)
      world.stream().next(delta(1, 'ba'))
      world.stream().next({type: 'slot.denied'})
      for (const _ of Array.from({length: 6})) {
        clock.increment(20_000)
        await waitFor(actor, (snapshot) => !snapshot.matches({following: {disconnected: 'retrieving'}}))
      }
      await waitFor(actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      const before = reads
      return {
        ...world,
        answerWith: (next: typeof read) => {
          read = next
        },
        reads: () => reads - before,
      }
    }
    type World = Awaited<ReturnType<typeof giveUp>>
    const last = ({actor}: World) => actor.getSnapshot().context.messages.at(-1)
    const returns = {
      'the page is seen again': ({environment}: World) => {
        environment.send({type: 'page.hidden'})
        environment.send({type: 'page.shown'})
      },
      'the network is back': ({environment}: World) => {
        environment.send({type: 'connection.lost'})
        environment.send({type: 'connection.restored'})
      },
    }

    test.each(Object.entries(returns))('is read when %s, and is whole where the server has it', async (_, comeBack) => {
      const world = await giveUp()
      world.answerWith(async () => copy('barbaz', {state: 'finished'}))
      comeBack(world)
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect(last(world)).toEqual({...ownAnswer, content: 'barbaz', state: 'finished'})
      comeBack(world)
      expect(world.reads()).toBe(1)
    })

    test('keeps its text where the server still cannot be reached, and is read the next time', async () => {
      const world = await giveUp()
      returns['the page is seen again'](world)
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(world)).toEqual({...ownAnswer, content: 'ba', state: 'failed', outcome: 'interrupted'})
      returns['the page is seen again'](world)
      world.clock.increment(15_000)
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(world.reads()).toBe(2)
    })

    test('goes on where the server still writes it', async () => {
      const world = await giveUp()
      world.answerWith(async () => copy('barb', {state: 'answering'}))
      returns['the network is back'](world)
      await waitFor(world.actor, (snapshot) => snapshot.context.exchange?.answer === 'barb')
      world.answerWith(async () => copy('barbaz', {state: 'finished'}))
      world.clock.increment(2_000)
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect(last(world)).toEqual({...ownAnswer, content: 'barbaz', state: 'finished'})
    })

    test('is told of as running once the server says that it still writes it, and not before', async () => {
      const world = await giveUp()
      world.answerWith(async () => copy('barb', {state: 'answering'}))
      const phases = () => world.reports.flatMap(({type, phase}) => (type === 'conversation.changed' ? [phase] : []))
      const before = phases().length
      returns['the page is seen again'](world)
      expect(phases().slice(before)).toEqual([])
      await waitFor(world.actor, (snapshot) => snapshot.context.exchange?.answer === 'barb')
      expect(phases().slice(before)).toEqual(['running'])
    })

    test('keeps no question waiting that is asked while it is read', async () => {
      const world = await giveUp()
      world.answerWith(() => new Promise(() => {}))
      returns['the page is seen again'](world)
      world.actor.send({...ask, question: 'next', key: 'key-2'})
      await waitFor(world.actor, (snapshot) => snapshot.matches('asking'))
      expect(world.actor.getSnapshot().context.messages.map(({content}) => content)).toEqual(['foo', 'ba', 'next'])
    })

    test('that the server says it cut off is not read again', async () => {
      const world = await giveUp()
      world.answerWith(async () => copy('bar', {state: 'failed', outcome: 'interrupted'}))
      returns['the page is seen again'](world)
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(world)).toEqual({...ownAnswer, content: 'bar', state: 'failed', outcome: 'interrupted'})
      returns['the page is seen again'](world)
      expect(world.reads()).toBe(1)
    })
  })

  describe('an answer that the server cut off', () => {
    const cut = {
      type: 'answer.failed',
      outcome: 'interrupted',
      failure: {code: 'api_error', detail: 'foo'},
    } as const
    const copy = (content: string, end: Partial<RecordMessage>): Conversation => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content, id: 'm-1', attempt: 1, ...end},
      ],
    })
    const cutOff = (retrieve: () => Promise<Conversation>) => {
      const world = start({capabilities: ['resume'], retrieve})
      world.actor.send(ask)
      world.stream().next(started)
      world.stream().next(delta(1, 'shown and lost'))
      world.stream().next(cut)
      return world
    }
    const last = ({actor}: ReturnType<typeof start>) => actor.getSnapshot().context.messages.at(-1)

    test('is what the server has of it, though more was shown', async () => {
      const world = cutOff(async () => copy('shown', {state: 'failed', outcome: 'interrupted'}))
      await waitFor(world.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(world)).toEqual({
        ...ownAnswer,
        created_at: 10,
        error: {code: 'api_error', message: 'foo'},
        content: 'shown',
        state: 'failed',
        outcome: 'interrupted',
      })
      expect(last(world)?.error).toEqual({code: 'api_error', message: 'foo'})
    })

    test('stays as it was shown where the copy cannot be read, or not in time', async () => {
      const failing = cutOff(() => Promise.reject(unreachable()))
      await waitFor(failing.actor, (snapshot) => snapshot.matches({failed: 'interrupted'}))
      expect(last(failing)).toEqual({
        ...ownAnswer,
        created_at: 10,
        state: 'failed',
        error: {code: 'api_error', message: 'foo'},
        content: 'shown and lost',
        outcome: 'interrupted',
      })
      const silent = cutOff(() => new Promise<Conversation>(() => undefined))
      silent.clock.increment(15_000)
      expect(silent.value()).toEqual({failed: {interrupted: 'ended'}})
      expect(last(silent)).toEqual({
        ...ownAnswer,
        created_at: 10,
        state: 'failed',
        outcome: 'interrupted',
        error: {code: 'api_error', message: 'foo'},
        content: 'shown and lost',
      })
    })

    test('that ended after all is whole', async () => {
      const world = cutOff(async () => copy('shown and lost no more', {state: 'finished'}))
      await waitFor(world.actor, (snapshot) => snapshot.matches('finished'))
      expect(last(world)).toEqual({...ownAnswer, created_at: 10, content: 'shown and lost no more', state: 'finished'})
    })
  })
})
