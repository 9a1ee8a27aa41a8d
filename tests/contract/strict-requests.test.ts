import {describe, expect, test} from 'vitest'
import {createChatApi} from '#api/chat.ts'
import type {ChatMessage} from '#contract/chat.ts'
import {chatCommand, chatRequest} from '#contract/chat-requests.ts'

describe('what the client sends passes the strict reading of the server', () => {
  const bodiesOf = async (act: (chat: ReturnType<typeof createChatApi>) => Promise<unknown>) => {
    const bodies: unknown[] = []
    const chat = createChatApi({
      baseUrl: 'https://api.test',
      fetch: (_, init) => {
        if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body))
        return Promise.resolve(Response.json({id: 'foo', count: 0, items: []}))
      },
      headers: () => ({authorization: 'Bearer foo'}),
      log: () => undefined,
    })
    await act(chat)
    return bodies
  }

  test('commands', async () => {
    const messages = [{role: 'user' as const, content: 'foo'}]
    const bodies = await bodiesOf(async (chat) => {
      await chat.retrieve({conversation: 'foo'})
      await chat.retrieveBatch({userId: 'foo', ids: ['bar']})
      await chat.changeConversations([{key: 'foo', title: 'Foo'}])
      await chat.cutHistory({id: 'foo', messages, cut: 1})
      await chat.stop({conversation: 'foo', message: 'bar'})
      await chat.remove(['foo'])
    })
    expect(bodies).toEqual([
      {action: 'retrieve', id: 'foo'},
      {action: 'retrieve_batch', user_id: 'foo', ids: ['bar']},
      {action: 'update', id: 'foo', title: 'Foo'},
      {action: 'update', id: 'foo', messages},
      {action: 'stop', id: 'foo', message: 'bar'},
      {action: 'delete', id: 'foo'},
    ])
    for (const body of bodies) expect(chatCommand.safeParse(body).success).toBe(true)
  })

  test('a history with all that our server knows of messages', async () => {
    const messages: ChatMessage[] = [
      {role: 'system', content: 'foo'},
      {
        role: 'user',
        content: [
          {type: 'text', text: 'foo'},
          {type: 'image_url', image_url: {url: 'https://a.test/b.png'}},
          {type: 'file_url', file_url: 'https://a.test/b.pdf'},
        ],
        id: 'm-1',
      },
      {
        role: 'assistant',
        content: 'bar',
        id: 'm-2',
        state: 'failed',
        outcome: 'refused',
        error: {code: 'busy', message: null},
        attempt: 2,
        model: 'foo',
        provider: 'bar',
        sandbox: false,
      },
    ]
    const client = messages.map((message) => ({...message, seq: 3, unconfirmed: true}))
    const [ours, foreign] = await bodiesOf(async (chat) => {
      await chat.cutHistory({id: 'foo', messages: client, cut: client.length, capabilities: ['resume']})
      await chat.cutHistory({id: 'foo', messages: client, cut: client.length})
    })
    expect(ours).toEqual({action: 'update', id: 'foo', messages})
    expect(chatCommand.parse(ours)).toEqual(ours)
    expect(chatCommand.parse(foreign)).toEqual(foreign)
  })

  test('questions carry exactly the keys of the specification', async () => {
    const exchange = {question: ' foo ', references: [], key: 'key', message: 'key', attempt: 1, lastSeq: 0}
    const ask = {request: 'ask', model: 'gpt-4o', capabilities: [], exchange} as const
    const bodies = await bodiesOf(
      (chat) =>
        new Promise((resolve) => {
          chat.answer$(ask).subscribe({complete: () => resolve(undefined)})
        }),
    )
    expect(bodies).toEqual([{question: 'foo', model: 'gpt-4o', references: [], stateful: true}])
    expect(chatRequest.safeParse(bodies[0]).success).toBe(true)
  })
})
