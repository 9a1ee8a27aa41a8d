import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import {lostContact} from '#domain/failure.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {stateWord} from './conversation-words.ts'
import {ask, started, delta, start, ownAnswer, ownExchange, unreachable} from './conversation-fixture.ts'

describe('an answer, from the question to its end', () => {
  test('ask, wait, write, finish', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    expect(stateWord(actor.getSnapshot())).toBe('pending')
    stream().next({type: 'answer.connected'})
    stream().next(started)
    stream().next(delta(1, 'ba'))
    expect(stateWord(actor.getSnapshot())).toBe('answering')
    stream().next(delta(2, 'r'))
    stream().next({type: 'answer.completed'})
    expect(selectRecord(actor.getSnapshot())).toEqual({
      key: 'k',
      id: 'c-1',
      model: 'm',
      updatedAt: 10,
      messages: [
        {role: 'user', content: 'foo', created_at: 10},
        {role: 'assistant', content: 'bar', id: 'm-1', attempt: 1, model: 'm', state: 'finished', created_at: 10},
      ],
    })
    expect(opened).toHaveLength(1)
    expect(stream().observed).toBe(false)
  })

  test('a delta that comes twice, or for another answer, does nothing', () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().next(delta(1, 'ba'))
    stream().next({...delta(2, 'foo'), message: 'm-2'})
    stream().next({...delta(2, 'foo'), attempt: 2})
    stream().next({...delta(2, 'foo'), conversation: 'c-2'})
    expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
  })

  test('the end of the stream without [DONE] resumes after the last delta and finishes byte for byte', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().complete()
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
    clock.increment(1_000)
    expect(opened).toHaveLength(2)
    expect(opened[1]?.input).toEqual({
      request: 'resume',
      conversation: 'c-1',
      exchange: {...ownExchange, answer: 'ba', reconnects: 1, lastSeq: 1},
      model: 'm',
      capabilities: ['resume'],
    })
    stream().next(delta(2, 'r'))
    stream().next({type: 'answer.completed'})
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      created_at: 10,
      content: 'bar',
      state: 'finished',
    })
  })

  test('an answer that the server does not resume is only read, however often, and never asked for again', async () => {
    const question = {role: 'user' as const, content: 'foo'}
    const copy = (content: string, state: 'answering' | 'finished'): Conversation => ({
      id: 'c-1',
      messages: [question, {role: 'assistant', id: 'm-1', content, attempt: 1, state}],
    })
    const copies = [copy('bar', 'answering'), copy('bar b', 'answering'), copy('bar baz', 'finished')]
    const retrieve = () => Promise.resolve(copies.shift() ?? copy('', 'answering'))
    const {actor, stream, opened, clock, value} = start({capabilities: ['resume'], retrieve})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().complete()
    clock.increment(1_000)
    expect(opened.map(({input}) => input.request)).toEqual(['ask', 'resume'])
    stream().error({status: 400, code: 'bad_request', detail: 'foo'})
    expect(value()).toEqual({reconciling: {unresumed: 'retrieving'}})
    for (const text of ['bar', 'bar b']) {
      await waitFor(actor, (snapshot) => snapshot.matches({reconciling: {unresumed: 'waiting'}}))
      expect(actor.getSnapshot().context.exchange?.answer).toBe(text)
      clock.increment(1_000)
    }
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      created_at: 10,
      content: 'bar baz',
      state: 'finished',
    })
    expect(opened).toHaveLength(2)
  })

  test('missing deltas are fetched, never skipped', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'b'))
    stream().next(delta(3, 'r'))
    clock.increment(1_000)
    expect(opened[1]?.input.exchange).toEqual({...ownExchange, reconnects: 1, lastSeq: 1, answer: 'b'})
  })

  test('contact lost before the answer has a name: the same question with the same key', () => {
    const {actor, stream, opened, clock} = start({capabilities: ['idempotency']})
    actor.send(ask)
    stream().error(lostContact('foo'))
    clock.increment(1_000)
    expect(opened.map(({input}) => [input.request, input.exchange.key])).toEqual([
      ['ask', 'key-1'],
      ['ask', 'key-1'],
    ])
  })

  test('a back end without extensions is never asked twice: lost before it has a name is interrupted', () => {
    const {actor, stream, opened, clock, value} = start()
    actor.send(ask)
    stream().error(lostContact('foo'))
    clock.increment(60_000)
    expect(opened).toHaveLength(1)
    expect(value()).toEqual({failed: {interrupted: 'ended'}})
  })

  test('a back end without extensions is read back: the stored answer counts', async () => {
    const stored: Conversation = {
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar'},
      ],
    }
    const {actor, stream, clock} = start({retrieve: () => Promise.resolve(stored)})
    actor.send(ask)
    stream().next({...started, message: 'key-1'})
    stream().next({...delta(1, 'ba'), message: 'key-1'})
    stream().complete()
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      content: 'bar',
      state: 'finished',
      role: 'assistant',
      id: 'key-1',
      attempt: 1,
      model: 'm',
      created_at: 10,
    })
  })

  test('a truncated answer says so, whether its stream told or the conversation was read back', async () => {
    const streamed = start()
    streamed.actor.send(ask)
    streamed.stream().next(started)
    streamed.stream().next(delta(1, 'ba'))
    streamed.stream().next({type: 'answer.completed', outcome: 'truncated'})
    const stored = {role: 'assistant', content: 'ba', id: 'm-1', state: 'finished', outcome: 'truncated'} as const
    const found = start({
      retrieve: () => Promise.resolve({id: 'c-1', messages: [{role: 'user', content: 'foo'}, stored]}),
    })
    found.actor.send(ask)
    found.stream().next(started)
    found.stream().complete()
    found.clock.increment(1_000)
    for (const {actor} of [streamed, found]) {
      const {context} = await waitFor(actor, (snapshot) => snapshot.matches('finished'))
      expect(context.messages.at(-1)).toEqual({...stored, attempt: 1, model: 'm', created_at: 10})
    }
  })

  test('five reconnects without a word end in interrupted, with the partial text', () => {
    const {actor, stream, opened, clock, value} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    for (let round = 0; round < 6; round += 1) {
      stream().error(lostContact('foo'))
      clock.increment(30_000)
    }
    expect(opened).toHaveLength(6)
    expect(value()).toEqual({failed: {interrupted: 'lost'}})
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      created_at: 10,
      state: 'failed',
      content: 'ba',
      outcome: 'interrupted',
      unconfirmed: true,
    })
  })

  test('offline waits without counting and goes on when the network is back', () => {
    const {actor, stream, opened, clock, value, environment} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    stream().error(lostContact('foo'))
    clock.increment(120_000)
    expect(value()).toEqual({reconciling: 'offline'})
    environment.send({type: 'connection.restored'})
    expect(opened).toHaveLength(2)
  })

  test('a network that comes back ends the pause before the next look', () => {
    const {actor, stream, opened, value, environment} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next(started)
    // the browser says so after the stream has broken
    stream().error(lostContact('foo'))
    expect(value()).toEqual({reconciling: 'waiting'})
    environment.send({type: 'connection.lost'})
    environment.send({type: 'connection.restored'})
    expect(opened).toHaveLength(2)
    expect([opened.at(-1)?.input.request, opened.at(-1)?.input.conversation]).toEqual(['resume', 'c-1'])
  })

  test('an answer that the server did not resume is read as soon as the network is back', async () => {
    let reads = 0
    const {actor, stream, value, environment, clock} = start({
      capabilities: ['resume'],
      retrieve: () => {
        reads += 1
        return reads === 1 ? Promise.reject(unreachable()) : new Promise(() => {})
      },
    })
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().error(lostContact('foo'))
    clock.increment(1_000)
    environment.send({type: 'connection.lost'})
    stream().error({code: 'gone', status: 404, detail: 'foo'})
    await waitFor(actor, (snapshot) => snapshot.matches({reconciling: {unresumed: 'offline'}}))
    clock.increment(120_000)
    expect([value(), reads]).toEqual([{reconciling: {unresumed: 'offline'}}, 1])
    environment.send({type: 'connection.restored'})
    expect([value(), reads]).toEqual([{reconciling: {unresumed: 'retrieving'}}, 2])
  })

  test('silence for 60 s is not the end: it looks for the answer; a ping is no silence', () => {
    const {actor, stream, clock} = start({capabilities: ['resume']})
    actor.send(ask)
    stream().next({type: 'answer.connected'})
    stream().next(started)
    clock.increment(59_000)
    stream().next({type: 'answer.pinged'})
    clock.increment(59_000)
    expect(actor.getSnapshot().hasTag('waiting')).toBe(true)
    clock.increment(1_000)
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
  })

  test('a server that lets streams be followed says that it is there: 20 s of silence are enough', () => {
    const {actor, stream, clock} = start({capabilities: ['resume', 'follow']})
    actor.send(ask)
    stream().next({type: 'answer.connected'})
    stream().next(started)
    clock.increment(19_000)
    stream().next({type: 'answer.pinged'})
    clock.increment(19_000)
    expect(actor.getSnapshot().hasTag('waiting')).toBe(true)
    clock.increment(1_000)
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
  })

  test('no connection within 15 s looks for the answer', () => {
    const {actor, clock, value} = start({capabilities: ['idempotency']})
    actor.send(ask)
    clock.increment(14_999)
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    clock.increment(1)
    expect(actor.getSnapshot().hasTag('reconnecting')).toBe(true)
  })
})
