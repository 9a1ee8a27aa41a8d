import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {toConversations} from '#browser/bulk-records.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {ask, start, unreachable} from './conversation-fixture.ts'

const capabilities = ['stop', 'idempotency'] as const

/** The record of a question that was asked without a network, as the next page reads it. */
function heldRecord() {
  const {actor, environment} = start({capabilities: [...capabilities]})
  environment.send({type: 'connection.lost'})
  actor.send(ask)
  const stored: unknown = JSON.parse(JSON.stringify(selectRecord(actor.getSnapshot())))
  const [record] = toConversations([stored], () => undefined)
  return record
}

describe('A question that was asked without a network', () => {
  test('is stopped by a page that was loaded again without one, and nothing of it is sent later', async () => {
    const next = start({record: heldRecord(), capabilities: [...capabilities], isOnline: false})
    expect(next.value()).toEqual({reconciling: 'offline'})
    next.actor.send({type: 'answer.stop'})
    for (let tries = 0; tries < 4; tries += 1) {
      next.stream().error(unreachable())
      await waitFor(next.actor, (snapshot) => !snapshot.matches({stopping: 'naming'}))
      next.clock.increment(2_000)
    }
    expect(next.value()).toEqual({failed: 'stopped'})
    next.environment.send({type: 'connection.restored'})
    expect(next.value()).toEqual({failed: 'stopped'})
    expect([next.opened.length, next.stops]).toEqual([4, []])
  })

  test.each([
    ['was loaded with one', true],
    ['has one again', false],
  ])('is sent by a page that %s, and may be there from then on', (_, isOnline) => {
    const next = start({record: heldRecord(), capabilities: [...capabilities], isOnline})
    if (!isOnline) next.environment.send({type: 'connection.restored'})
    next.clock.increment(1_000)
    expect(next.opened.map(({input}) => input.exchange.key)).toEqual(['key-1'])
    expect(selectRecord(next.actor.getSnapshot()).messages.at(-1)?.held).toBeUndefined()
    next.environment.send({type: 'connection.lost'})
    next.actor.send({type: 'answer.stop'})
    expect(next.value()).toEqual({stopping: 'naming'})
  })
})
