import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {settled, failed, waiting, start} from './conversation-list-fixture.ts'

describe('questions that wait for their turn, in the list of conversations', () => {
  const running: ConversationRecord = {
    key: 'a',
    id: 'a',
    model: 'm',
    updatedAt: 5,
    messages: [
      {role: 'user', content: 'foo'},
      {role: 'assistant', content: 'ba', state: 'answering', id: 'm-a', attempt: 1, seq: 1},
    ],
  }

  test('go out off the screen too, and the conversation keeps its actor until then', async () => {
    const {list, streams, context} = start([{...settled('a'), followUps: [waiting]}], async () => [settled('a')])
    list.send({type: 'credential.ready'})
    await expect.poll(() => [...streams.keys()]).toEqual(['next'])
    expect(context().answering).toEqual(['a'])
    expect(context().items[0]?.followUps).toBeUndefined()
  })

  test('are held after a failure, without an actor off the screen, and with one when it is opened', async () => {
    const {list, streams, context} = start([{...failed('a'), followUps: [waiting]}], async () => [failed('a')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(context().live).toEqual([])
    list.send({type: 'conversation.open', key: 'a'})
    expect(context().live).toEqual(['a'])
    expect(context().answering).toEqual([])
    expect(context().items[0]?.followUps).toEqual([waiting])
    expect([...streams.keys()]).toEqual([])
  })

  test('are the same in all tabs', async () => {
    const {list, ask, context} = start([running, settled('b')], async () => [settled('b')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    const facts: unknown[] = []
    list.on('followUps.heard', (fact) => facts.push(fact))
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'and then?')
    const added = {question: 'and then?', references: [], key: 'key of and then?'}
    expect(facts).toEqual([{type: 'followUps.heard', key: 'a', items: [added]}])
    list.send({type: 'followUps.heard', key: 'a', items: [waiting, added]})
    list.send({type: 'followUps.heard', key: 'b', items: [waiting]})
    expect(facts).toHaveLength(1)
    const followUps = Object.fromEntries(context().items.map((item) => [item.key, item.followUps]))
    expect(followUps).toEqual({a: [waiting, added], b: [waiting]})
  })
})
