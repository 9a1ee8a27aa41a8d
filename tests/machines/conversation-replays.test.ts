import {describe, expect, test} from 'vitest'
import type {ConversationRecord} from '#domain/conversation.ts'
import {ask, ownAnswer, start, started} from './conversation-fixture.ts'

/** A tab has sent `ask`, and its answer has ended. */
const answered: ConversationRecord = {
  ...{key: 'k', id: 'c-1', model: 'm', updatedAt: 5},
  messages: [
    {role: 'user', content: 'foo', id: 'q-1'},
    {...ownAnswer, content: 'bar', state: 'finished'},
  ],
}

describe('A question that is sent once more with its key, since an undo brought it back while another tab sent it', () => {
  test('stands in the thread once, and what waits behind it goes out', async () => {
    const {actor, stream, opened, value, reports} = start({record: answered, capabilities: ['idempotency']})
    actor.send(ask)
    actor.send({...ask, question: 'next', key: 'key-2'})
    stream().next(started)
    expect(actor.getSnapshot().context.messages).toEqual(answered.messages)
    expect(reports.at(-1)).toMatchObject({type: 'conversation.changed', record: {messages: answered.messages}})
    expect(value()).toBe('finished')
    await expect.poll(() => opened.map(({input}) => input.exchange.question)).toEqual(['foo', 'next'])
  })
})
