import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectCanStop, selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {outcomeWord} from './conversation-words.ts'
import {
  ask,
  fresh,
  started,
  delta,
  unreachable,
  start,
  ownAnswer,
  unsentAnswer,
  firstAttempt,
} from './conversation-fixture.ts'

describe('Stop', () => {
  test('stop shows at once, tells the server and keeps the text', async () => {
    const {actor, stream, stops} = start({capabilities: ['stop'], stop: () => Promise.resolve({state: 'failed'})})
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    const streamed = stream()
    actor.send({type: 'answer.stop'})
    expect(outcomeWord(actor.getSnapshot())).toBe('stopped')
    expect(streamed.observed).toBe(false)
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      created_at: 10,
      content: 'ba',
      state: 'failed',
      outcome: 'stopped',
    })
  })

  test('stop has settled after 200 ms though the server never answers, and no later word is added', () => {
    const {actor, clock, stream, stops} = start({capabilities: ['stop', 'resume', 'idempotency']})
    actor.send(ask)
    const answer = stream()
    answer.next(started)
    answer.next(delta(1, 'ba'))
    actor.send({type: 'answer.stop'})
    clock.increment(200)
    answer.next(delta(2, 'r'))
    const snapshot = actor.getSnapshot()
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(answer.observed).toBe(false)
    expect([outcomeWord(snapshot), snapshot.context.exchange?.answer]).toEqual(['stopped', 'ba'])
    expect([selectCanStop(snapshot), snapshot.hasTag('streaming')]).toEqual([false, false])
    expect(selectRecord(snapshot).messages.at(-1)).toEqual({...ownAnswer, state: 'answering', seq: 1, content: 'ba'})
  })

  test('stopped before the server named the answer: joined with the same key for its name, then stopped there', () => {
    const {actor, stream, opened, stops} = start({capabilities: ['stop', 'idempotency']})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    expect(outcomeWord(actor.getSnapshot())).toBe('stopped')
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1', 'key-1'])
    stream().next(started)
    expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
    expect(stream().observed).toBe(false)
  })

  test('an answer that gets no name is asked for it again, then stopped in the browser alone, which it says', () => {
    const {actor, clock, opened, value} = start({capabilities: ['stop', 'idempotency']})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    for (let step = 0; step < 8; step += 1) clock.increment(5_000)
    expect(value()).toEqual({failed: 'stopped'})
    expect(opened).toHaveLength(5)
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...unsentAnswer,
      outcome: 'stopped',
      unconfirmed: true,
    })
  })

  test('an answer that gets no name is never taken for the latest of its conversation, which would be stopped instead', () => {
    const {actor, clock, opened, stops, value} = start({
      record: {...fresh, id: 'c-1'},
      capabilities: ['stop', 'idempotency'],
    })
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    clock.increment(5_000)
    expect(value()).toEqual({stopping: 'waiting'})
    clock.increment(5_000)
    expect(opened).toHaveLength(3)
    expect(stops).toEqual([])
    for (let step = 0; step < 6; step += 1) clock.increment(5_000)
    expect([value(), stops]).toEqual([{failed: 'stopped'}, []])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...unsentAnswer,
      outcome: 'stopped',
      unconfirmed: true,
    })
  })

  test('a stopped question that the server refuses by its key is not asked once more', () => {
    const {actor, clock, opened, stream, stops, value} = start({
      record: {...fresh, id: 'c-1'},
      capabilities: ['stop', 'idempotency'],
    })
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    stream().error({code: 'answering', detail: 'foo', status: 409})
    for (let step = 0; step < 6; step += 1) clock.increment(5_000)
    expect([value(), opened.length, stops]).toEqual([{failed: 'stopped'}, 2, []])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...unsentAnswer,
      outcome: 'stopped',
      unconfirmed: true,
    })
  })

  test('a server without keys is told to stop the latest answer of the conversation', () => {
    const {actor, stops} = start({record: {...fresh, id: 'c-1'}, capabilities: ['stop']})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    expect(stops).toEqual([{conversation: 'c-1'}])
  })

  test('a server that offers no stop has nothing to confirm', () => {
    const {actor, stream, value} = start()
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    expect(value()).toEqual({failed: 'stopped'})
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test('a stop that fails is repeated with backoff until the server confirms', async () => {
    let isBusy = true
    const {actor, stream, stops, clock, logged} = start({
      capabilities: ['stop'],
      stop: () => (isBusy ? Promise.reject(unreachable()) : Promise.resolve({state: 'failed'})),
    })
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'waiting'}))
    isBusy = false
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toHaveLength(2)
    expect(logged).toEqual([unreachable()])
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test('a server that never confirms a stop holds nothing up for long, and the message says so', () => {
    const {actor, stream, stops, clock, value, logged} = start({capabilities: ['stop']})
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    clock.increment(5_000)
    expect(value()).toEqual({stopping: 'waiting'})
    for (let step = 0; step < 6; step += 1) clock.increment(5_000)
    expect(value()).toEqual({failed: 'stopped'})
    expect([stops.length, logged.length]).toEqual([4, 4])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      content: '',
      created_at: 10,
      state: 'failed',
      outcome: 'stopped',
      unconfirmed: true,
    })
  })

  test('the next question waits for no repetition of a stop, and is asked once', async () => {
    const {actor, stream, stops, clock, value, environment} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(unreachable()),
    })
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    actor.send({...ask, question: 'bar', key: 'key-2', at: 20})
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    expect(actor.getSnapshot().context.messages).toEqual([
      {role: 'user', content: 'foo', created_at: 10},
      {...ownAnswer, content: '', created_at: 10, state: 'failed', outcome: 'stopped', unconfirmed: true},
      {role: 'user', content: 'bar', created_at: 20},
    ])
    clock.increment(5_000)
    expect(stops).toHaveLength(1)
    expect(actor.getSnapshot().context.exchange).toEqual({
      ...firstAttempt,
      at: 20,
      key: 'key-2',
      question: 'bar',
      isHeld: true,
    })
  })

  test.each(['connection.lost', 'connection.restored'] as const)(
    'a question that was promised while the stop was on its way waits for no repetition either (%s), and the next one follows it',
    async (type) => {
      let fail: (error: Error) => void = () => {}
      const stop = () => new Promise<never>((_, reject) => (fail = reject))
      const {actor, stream, stops, opened, environment} = start({capabilities: ['stop'], stop})
      const questions = () => opened.map(({input}) => input.exchange.question)
      actor.send(ask)
      stream().next(started)
      environment.send({type})
      actor.send({type: 'answer.stop'})
      actor.send({...ask, question: 'first', key: 'key-2', at: 20})
      fail(unreachable())
      await waitFor(actor, (snapshot) => !snapshot.matches({stopping: 'commanding'}))
      actor.send({...ask, question: 'second', key: 'key-3', at: 30})
      await waitFor(actor, (snapshot) => snapshot.matches('asking'))
      expect([questions(), stops.length]).toEqual([['foo', 'first'], 1])
      stream().next({...started, message: 'm-2'})
      stream().next({type: 'answer.completed'})
      await waitFor(actor, (snapshot) => snapshot.matches('asking'))
      expect(questions()).toEqual(['foo', 'first', 'second'])
    },
  )

  test('a refused stop is not repeated', async () => {
    const {actor, stream, stops} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(Object.assign(new Error('foo'), {status: 403, code: 'forbidden', detail: 'foo'})),
    })
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toHaveLength(1)
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...ownAnswer,
      content: '',
      created_at: 10,
      state: 'failed',
      outcome: 'stopped',
      unconfirmed: true,
    })
  })
})
