import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectActiveConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {settled, running, start, theirs} from './conversation-list-fixture.ts'

/** Asked by a page that was left before it heard the name. */
const asked: ConversationRecord = {
  key: 'new',
  model: 'm',
  updatedAt: 1,
  messages: [
    {role: 'user', content: 'foo'},
    {role: 'assistant', content: '', state: 'pending', id: 'key of foo'},
  ],
}

describe('a question and the list of conversations', () => {
  test('a new conversation is listed with its first question and keeps its key when the server names it', () => {
    const {list, keys, ask, answer, context} = start()
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    expect(keys()).toEqual([])
    ask('new', 'foo')
    expect(keys()).toEqual(['new'])
    expect(context().answering).toEqual(['new'])
    answer('foo', 'c-1')
    expect(context().items).toEqual([
      {
        key: 'new',
        id: 'c-1',
        model: 'm',
        messages: [
          {role: 'user', content: 'foo', created_at: 100},
          {
            role: 'assistant',
            content: 'answer to foo',
            id: 'm-foo',
            attempt: 1,
            model: 'm',
            created_at: 100,
            state: 'finished',
          },
        ],
        updatedAt: 100,
      },
    ])
    list.send({type: 'conversation.open', key: 'c-1'})
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.key).toBe('new')
    expect(context().live).toEqual(['new'])
  })

  test('one that waits until the server has heard of a deletion goes on when the conversation is left', () => {
    const message = {id: 'q-1', state: 'finished', removing: true} as const
    const deleted: ConversationRecord = {...asked, id: 'c-1', messages: [{role: 'user', content: 'one', ...message}]}
    const {list, ask, context, standing} = start([deleted])
    list.send({type: 'conversation.open', key: 'new'})
    ask('new', 'foo')
    expect(context().items[0]?.messages).toEqual([
      {removing: true, role: 'user', content: 'one', id: 'q-1', state: 'finished'},
      {content: 'foo', role: 'user', created_at: 100},
      {state: 'pending', role: 'assistant', content: '', id: 'key of foo', model: 'm', seq: 0},
    ])
    list.send({type: 'conversation.close'})
    expect(standing()).toEqual({live: ['new'], answering: ['new']})
  })

  test('several on screen side by side: each keeps its actor when its answer ends, and none is unread', () => {
    const {list, streams, answer, standing} = start()
    const shown = ['one', 'two', 'three']
    for (const key of shown)
      list.send({
        type: 'conversation.create',
        key,
        model: 'm',
        beside: shown,
        prompt: {type: 'prompt.submit', question: `foo ${key}`, references: [], key: `question-${key}`, at: 1},
      })
    expect([...streams.keys()]).toEqual(['foo one', 'foo two', 'foo three'])
    answer('foo one', 'c-1')
    answer('foo three', 'c-3')
    expect(standing()).toEqual({shown: ['three', 'one', 'two'], live: ['one', 'two', 'three'], answering: ['two']})
    // one that is opened alone leaves those that have ended; the other goes on unseen
    list.send({type: 'conversation.open', key: 'c-3'})
    expect(standing()).toEqual({shown: ['three'], live: ['two', 'three'], answering: ['two']})
    answer('foo two', 'c-2')
    expect(standing()).toEqual({shown: ['three'], live: ['three'], unread: ['two']})
    list.send({type: 'conversation.open', key: 'c-3', beside: ['c-1', 'c-2']})
    expect(standing()).toEqual({shown: ['three', 'one', 'two'], live: ['three', 'one', 'two']})
    list.send({type: 'conversation.close'})
    expect(standing()).toEqual({})
  })

  test('a conversation that is made with its question asks it', () => {
    const {list, keys, streams, standing} = start()
    const prompt = {type: 'prompt.submit' as const, question: 'foo', references: [], key: 'question', at: 1}
    list.send({type: 'conversation.create', key: 'new', model: 'm', prompt})
    expect(keys()).toEqual(['new'])
    expect(standing()).toEqual({shown: ['new'], live: ['new'], answering: ['new']})
    expect([...streams.keys()]).toEqual(['foo'])
  })

  test('a question whose page was left before it heard the name is one conversation, with one stream', async () => {
    const {list, keys, answer, streams, clock, context, standing} = start([asked], async () => [theirs])
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(keys()).toEqual(['new', 'c-1'])
    clock.increment(1_000)
    expect([...streams.values()].map(({observed}) => observed)).toEqual([true, true])
    answer('foo', 'c-1')
    expect([...streams.values()].map(({observed}) => observed)).toEqual([false, false])
    expect(context().items).toEqual([
      {
        key: 'new',
        id: 'c-1',
        model: 'm',
        messages: [
          {role: 'user', content: 'foo'},
          {role: 'assistant', content: 'answer to foo', id: 'm-foo', attempt: 1, model: 'm', state: 'finished'},
        ],
        updatedAt: 1,
      },
    ])
    expect(standing()).toEqual({unread: ['new']})
  })

  test('such a question hears its name while the record of the server is on screen: that one stays, with its text', async () => {
    const {list, keys, answer, streams, clock, context, standing} = start([asked], async () => [theirs])
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'conversation.open', key: 'c-1'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    expect(standing()).toEqual({shown: ['c-1'], live: ['new', 'c-1'], answering: ['new', 'c-1']})
    clock.increment(1_000)
    answer('foo', 'c-1')
    expect(keys()).toEqual(['c-1'])
    expect(context().shown).toEqual(['c-1'])
    expect(streams.get('foo')?.observed).toBe(false)
    expect(context().live).toEqual(['c-1'])
    expect(streams.get('foo, as the server has it')?.observed).toBe(true)
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.key).toBe('c-1')
  })

  test('such a question hears its name while that name is on screen and unread: it is what the screen shows', async () => {
    const {list, answer, clock, standing} = start([asked], async () => {
      throw new Error('foo')
    })
    list.send({type: 'service.changed', capabilities: ['resume', 'stop', 'idempotency']})
    list.send({type: 'conversation.open', key: 'c-1'})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('error'))
    list.send({type: 'conversation.create', key: 'new', model: 'm'})
    clock.increment(1_000)
    list.send({type: 'conversation.open', key: 'c-1'})
    answer('foo', 'c-1')
    expect(standing()).toEqual({shown: ['new'], live: ['new']})
    expect(selectActiveConversation(list.getSnapshot())?.getSnapshot().context.messages.at(-1)?.content).toBe(
      'answer to foo',
    )
  })

  test('leaving stops nothing: the answer goes on, lands in its conversation and is marked unread', async () => {
    const {list, ask, answer, context, standing} = start([], async () => [settled('a'), settled('b')])
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    list.send({type: 'conversation.open', key: 'a'})
    ask('a', 'one')
    list.send({type: 'conversation.open', key: 'b'})
    ask('b', 'two')
    expect(context().answering).toEqual(['a', 'b'])
    answer('one', 'a')
    answer('two', 'b')
    const texts = context().items.map(({key, messages}) => [key, messages.at(-1)?.content])
    expect(texts).toEqual([
      ['a', 'answer to one'],
      ['b', 'answer to two'],
    ])
    expect(standing()).toEqual({shown: ['b'], live: ['b'], unread: ['a']})
    list.send({type: 'conversation.open', key: 'a'})
    expect(standing()).toEqual({shown: ['a'], live: ['a']})
  })

  test('an answer that ran when the page was left is found again once the list is read', async () => {
    const {list, clock, streams} = start([running], async () => [running])
    list.send({type: 'service.changed', capabilities: ['resume']})
    list.send({type: 'credential.ready'})
    await waitFor(list, (snapshot) => snapshot.matches('success'))
    clock.increment(1_000)
    expect([...streams.keys()]).toEqual(['foo'])
  })
})
