import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {outcomeWord} from './conversation-words.ts'
import {ask, fresh, started, unreachable, start, unsentAnswer} from './conversation-fixture.ts'

/** A conversation as a page with a network left it: its question has no answer yet. */
const record: ConversationRecord = {
  ...fresh,
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: '', id: 'key-1', model: 'm', state: 'pending'},
  ],
}

describe('Stop without a network', () => {
  test('a stop without a network waits for it', async () => {
    const {actor, stream, stops, environment} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(unreachable()),
    })
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    environment.send({type: 'connection.restored'})
    expect(stops).toHaveLength(2)
  })

  test('a stop whose call was lost is told again as soon as the network is back', async () => {
    const {actor, stream, stops, environment} = start({
      capabilities: ['stop'],
      stop: () => Promise.reject(unreachable()),
    })
    actor.send(ask)
    stream().next(started)
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'waiting'}))
    environment.send({type: 'connection.lost'})
    environment.send({type: 'connection.restored'})
    expect(stops).toHaveLength(2)
  })

  test.each([
    ['before its request failed', false],
    ['while it waits for the network', true],
  ])(
    'what was asked without a network is stopped once the last try failed too, nothing of it is sent later: %s',
    async (_, hasFailed) => {
      const {actor, stream, opened, stops, value, clock, environment} = start({capabilities: ['stop', 'idempotency']})
      environment.send({type: 'connection.lost'})
      actor.send(ask)
      if (hasFailed) {
        stream().error(unreachable())
        await waitFor(actor, (snapshot) => snapshot.matches({reconciling: 'offline'}))
      }
      actor.send({type: 'answer.stop'})
      expect(outcomeWord(actor.getSnapshot())).toBe('stopped')
      for (let tries = 0; tries < 4; tries += 1) {
        expect(value()).toEqual({stopping: 'naming'})
        stream().error(unreachable())
        await waitFor(actor, (snapshot) => !snapshot.matches({stopping: 'naming'}))
        clock.increment(2_000)
      }
      expect(value()).toEqual({failed: 'stopped'})
      expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
        ...unsentAnswer,
        outcome: 'stopped',
      })
      environment.send({type: 'connection.restored'})
      expect(value()).toEqual({failed: 'stopped'})
      expect([opened.length, stops]).toEqual([5, []])
    },
  )

  test('what was asked and stopped without a network is not sent when that is back between two tries', async () => {
    const {actor, stream, opened, value, environment} = start({capabilities: ['stop', 'idempotency']})
    environment.send({type: 'connection.lost'})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    stream().error(unreachable())
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    environment.send({type: 'connection.restored'})
    expect([value(), opened.length]).toEqual([{failed: 'stopped'}, 2])
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test('what was asked without a network ends at once where nothing of it can have been sent, nor is later', () => {
    const {actor, stream, opened, stops, value, logged, environment} = start({
      isOnline: false,
      capabilities: ['stop', 'idempotency'],
    })
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    const naming = stream()
    naming.next({type: 'answer.unsent'})
    expect([value(), naming.observed]).toEqual([{failed: 'stopped'}, false])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({...unsentAnswer, outcome: 'stopped'})
    environment.send({type: 'connection.restored'})
    expect([value(), opened.length, stops, logged]).toEqual([{failed: 'stopped'}, 2, [], []])
  })

  test('what was asked with a network may have been sent by the page before, and its stop is told', () => {
    const {actor, stream, value, environment} = start({
      record,
      capabilities: ['stop', 'idempotency'],
    })
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    stream().next({type: 'answer.unsent'})
    expect(value()).toEqual({stopping: 'naming'})
  })

  test.each([0, 2])(
    'a server that took a question although the browser says that there is no network is told to stop, after %i failed tries',
    async (failedTries) => {
      const {actor, stream, opened, stops, clock, environment} = start({
        capabilities: ['stop', 'idempotency'],
        stop: () => Promise.resolve({state: 'failed'}),
      })
      environment.send({type: 'connection.lost'})
      actor.send(ask)
      actor.send({type: 'answer.stop'})
      for (let tries = 0; tries < failedTries; tries += 1) {
        stream().error(unreachable())
        await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
        clock.increment(2_000)
      }
      expect(opened.map(({input}) => input.exchange.key)).toEqual(Array(failedTries + 2).fill('key-1'))
      stream().next(started)
      await waitFor(actor, (snapshot) => snapshot.matches('failed'))
      expect(stops).toEqual([{conversation: 'c-1', message: 'm-1'}])
      expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
    },
  )

  test('a server that answers no try, and may have the question all the same, leaves the stop unconfirmed', () => {
    const {actor, clock, value, environment} = start({capabilities: ['stop', 'idempotency']})
    environment.send({type: 'connection.lost'})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    for (let step = 0; step < 8; step += 1) clock.increment(5_000)
    expect(value()).toEqual({failed: 'stopped'})
    expect(actor.getSnapshot().context.messages.at(-1)).toMatchObject({outcome: 'stopped', unconfirmed: true})
  })

  test('a stop that fails while the browser says that there is no network is repeated until the server confirms', async () => {
    let isBusy = true
    const {actor, stream, stops, clock, environment} = start({
      capabilities: ['stop'],
      stop: () => (isBusy ? Promise.reject(unreachable()) : Promise.resolve({state: 'failed'})),
    })
    actor.send(ask)
    stream().next(started)
    environment.send({type: 'connection.lost'})
    actor.send({type: 'answer.stop'})
    await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
    isBusy = false
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(stops).toHaveLength(2)
    expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
  })

  test.each(['between two tries', 'during one'])(
    'a stop that failed without a network is tried as often with one, if its first try fails too: back %s',
    async (moment) => {
      let isAway = true
      let fail = () => {}
      const {actor, stream, stops, clock, environment, value} = start({
        capabilities: ['stop'],
        stop: () =>
          isAway
            ? new Promise((_, reject) => (fail = () => reject(unreachable())))
            : Promise.resolve({state: 'failed'}),
      })
      actor.send(ask)
      stream().next(started)
      environment.send({type: 'connection.lost'})
      actor.send({type: 'answer.stop'})
      for (let tries = 0; tries < 3; tries += 1) {
        fail()
        await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
        clock.increment(2_000)
      }
      expect(value()).toEqual({stopping: 'commanding'})
      if (moment === 'between two tries') {
        fail()
        await waitFor(actor, (snapshot) => snapshot.matches({stopping: 'offline'}))
      }
      environment.send({type: 'connection.restored'})
      fail()
      await waitFor(actor, (snapshot) => !snapshot.matches({stopping: 'commanding'}))
      isAway = false
      clock.increment(2_000)
      await waitFor(actor, (snapshot) => snapshot.matches('failed'))
      expect(stops).toHaveLength(moment === 'during one' ? 5 : 6)
      expect(actor.getSnapshot().context.messages.at(-1)).not.toHaveProperty('unconfirmed')
    },
  )

  test.each(['the network was back in between', 'a server on this machine took it'])(
    'what was asked without a network may be there, and its stop is told: %s',
    async (reason) => {
      const {actor, stream, value, environment} = start({capabilities: ['stop', 'idempotency']})
      environment.send({type: 'connection.lost'})
      actor.send(ask)
      if (reason.startsWith('a server')) stream().next({type: 'answer.connected'})
      else {
        environment.send({type: 'connection.restored'})
        environment.send({type: 'connection.lost'})
      }
      stream().error(unreachable())
      await waitFor(actor, (snapshot) => snapshot.matches({reconciling: 'offline'}))
      actor.send({type: 'answer.stop'})
      expect(value()).toEqual({stopping: 'naming'})
    },
  )
})
