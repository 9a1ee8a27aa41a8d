import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {liveKeys} from '#machines/conversation-list/conversation-list.rules.ts'
import {settled, failed, unpaid, start} from './conversation-list-fixture.ts'

describe('questions that failed, in the list of conversations', () => {
  test('a failed question is asked again from anywhere, once, instead of the one that failed', () => {
    const unsent = {...failed('a'), messages: failed('a').messages.map((message) => ({...message, unsent: true}))}
    const {list, context, standing, streams, answer} = start([{...unsent, id: undefined}, settled('b')])
    list.send({type: 'conversation.open', key: 'b'})
    list.send({type: 'conversation.retry', key: 'b', requestKey: 'key-1', at: 5})
    expect(context().live).toEqual(['b'])
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-2', at: 6})
    expect(standing()).toEqual({shown: ['b'], live: ['b', 'a'], answering: ['a']})
    expect([...streams.keys()]).toEqual(['again?'])
    answer('again?', 'c-1')
    expect(standing()).toEqual({shown: ['b'], live: ['b'], unread: ['a']})
    const {messages} = context().items.find(({key}) => key === 'a') ?? {messages: []}
    expect(messages.map(({content}) => content)).toEqual(['foo', 'bar', 'again?', 'answer to again?'])
  })

  test('questions refused for want of credits go out when there are some, on screen or not, once', () => {
    const {list, standing, streams, answer} = start([
      unpaid('shown', 200_000),
      unpaid('other', 200_000),
      unpaid('old', 1_000),
      failed('b'),
    ])
    list.send({type: 'conversation.open', key: 'shown'})
    list.send({type: 'credits.added', at: 200_500, left: 1})
    list.send({type: 'credits.added', at: 200_501, left: 1})
    expect([...streams.keys()].toSorted()).toEqual(['question of other', 'question of shown'])
    expect(standing()).toEqual({shown: ['shown'], live: ['shown', 'other'], answering: ['shown', 'other']})
    answer('question of other', 'other')
    expect(standing()).toEqual({shown: ['shown'], live: ['shown'], answering: ['shown'], unread: ['other']})
  })

  test('a page that is looked at again asks for the balance while a question waits for credits', () => {
    for (const [items, asked] of [
      [[unpaid('a')], [{type: 'balance.check'}]],
      [[failed('a')], []],
    ] as const) {
      const {list, facts} = start([...items])
      list.send({type: 'page.shown'})
      expect(facts).toEqual(asked)
    }
  })

  test('a question that cannot be asked again says so and stays as it was', async () => {
    const {list, context, facts} = start([failed('a')])
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    await waitFor(list, (snapshot) => liveKeys(snapshot.context).length === 0)
    expect(context().items).toEqual([failed('a')])
    expect(facts).toEqual([{type: 'list.failed', kind: 'retry', failure: expect.objectContaining({code: 'unknown'})}])
  })

  test('what cannot be asked again in the thread on screen is told by the thread', async () => {
    const {list, facts} = start([failed('a')])
    list.send({type: 'conversation.open', key: 'a'})
    list.send({type: 'conversation.retry', key: 'a', requestKey: 'key-1', at: 5})
    const thread = selectConversation(list.getSnapshot(), 'a')
    if (thread === undefined) throw new Error('It is not open')
    await waitFor(thread, (snapshot) => snapshot.context.rejection !== undefined)
    expect([facts, liveKeys(list.getSnapshot().context)]).toEqual([[], ['a']])
  })
})
