import {describe, expect, test} from 'vitest'
import {createFakeFetch, json, type Seen} from './fake-fetch.ts'
import {setUp} from './chat-fixture.ts'

describe('commands', () => {
  const read = {
    authorization: 'Bearer credential',
    'content-type': 'application/json',
    accept: 'application/json',
    'x-record-exempt': 'true',
  }

  test('retrieve_batch sends only the user, and fills what a foreign list lacks', async () => {
    const fake = createFakeFetch(json({count: 1, items: [{id: 'c-1', updated_at: 5, unknown: 1}]}))
    expect(await setUp(fake).chat.retrieveBatch({userId: 'u-1'})).toEqual({
      count: 1,
      items: [{id: 'c-1', updated_at: 5, messages: []}],
    })
    expect(fake.seen[0]?.headers).toEqual(read)
    expect(fake.seen[0]?.body).toEqual({action: 'retrieve_batch', user_id: 'u-1'})
  })

  describe('all conversations', () => {
    const stored = Array.from({length: 250}, (_, index) => ({id: `c-${index}`}))
    const pageOf = ({body}: Seen) => {
      const {limit = 100, offset = 0} = body as {limit?: number; offset?: number} // what retrieveBatch sends
      return json({count: stored.length, items: stored.slice(offset, offset + limit)})
    }
    const listInput = {userId: 'u-1', kept: [], records: [], model: 'm', capabilities: []}
    const read = async (...answers: Parameters<typeof createFakeFetch>) => {
      const fake = createFakeFetch(...answers)
      const {chat} = setUp(fake)
      const ids: string[] = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: Awaited<ReturnType<typeof chat.retrievePage>> = await chat.retrievePage({...listInput, offset})
        ids.push(...page.records.map(({key}) => key))
        offset = page.next
      }
      return {ids, asked: fake.seen.map(({body}) => body)}
    }
    const batch = {action: 'retrieve_batch', user_id: 'u-1'}
    const first = stored.slice(0, 100)

    test('more than a page are read in pages; the first question names none', async () => {
      expect(await read(pageOf)).toEqual({
        ids: stored.map(({id}) => id),
        asked: [batch, {...batch, limit: 100, offset: 100}, {...batch, limit: 100, offset: 200}],
      })
    })

    test('a list that is complete is asked for once', async () => {
      expect(await read(json({count: 100, items: first}))).toEqual({ids: first.map(({id}) => id), asked: [batch]})
    })

    test('a server that refuses the question is believed', async () => {
      const {ids, asked} = await read(json({count: 250, items: first}), json({code: 'bad_request', detail: 'foo'}, 400))
      expect([ids.length, asked.length]).toEqual([100, 2])
    })

    test('a first question that is refused has failed', async () => {
      await expect(read(json({code: 'bad_request', detail: 'foo'}, 400))).rejects.toHaveProperty('status', 400)
    })

    test('a page that fails fails the whole', async () => {
      const answers = [json({count: 250, items: first}), json({code: 'forbidden', detail: 'foo'}, 403)]
      await expect(read(...answers)).rejects.toHaveProperty('status', 403)
    })
  })

  test('retrieve reads both forms of an attachment', async () => {
    const content = [
      {type: 'text', text: 'foo'},
      {type: 'image_url', image_url: {url: 'a'}},
      {type: 'image_url', image_url: 'b'},
    ]
    const fake = createFakeFetch(json({id: 'c-1', messages: [{role: 'user', content}]}))
    expect(await setUp(fake).chat.retrieve({conversation: 'c-1'})).toEqual({
      id: 'c-1',
      messages: [{role: 'user', content}],
    })
    expect(fake.seen[0]?.headers).toEqual(read)
    expect(fake.seen[0]?.body).toEqual({action: 'retrieve', id: 'c-1'})
  })

  test('update sends what changes, and nothing that only this client knows', async () => {
    const fake = createFakeFetch(json({}))
    const {chat} = setUp(fake)
    await chat.changeConversations([{key: 'c-1', title: 'foo'}])
    const message = {role: 'assistant' as const, content: 'bar', id: 'm-1', state: 'answering' as const, seq: 5}
    await chat.cutHistory({id: 'c-1', messages: [message], cut: 1, capabilities: ['resume']})
    expect(fake.seen.map(({body}) => body)).toEqual([
      {action: 'update', id: 'c-1', title: 'foo'},
      {action: 'update', id: 'c-1', messages: [{role: 'assistant', content: 'bar', id: 'm-1', state: 'answering'}]},
    ])
  })

  test('a history goes back without the sizes of its files: a server may refuse a key that it does not know', async () => {
    const file = {type: 'file_url' as const, file_url: '/a.pdf'}
    for (const capabilities of [[], ['resume']]) {
      const fake = createFakeFetch(json({}))
      const message = {role: 'user' as const, content: [{...file, size: 3}]}
      await setUp(fake).chat.cutHistory({id: 'c-1', messages: [message], cut: 1, capabilities})
      expect(fake.seen[0]?.body).toEqual({action: 'update', id: 'c-1', messages: [{role: 'user', content: [file]}]})
    }
  })

  test('a single change is sent even while the page closes, several are not: their body may be too long', async () => {
    const fake = createFakeFetch(json({}), json({}), json({}))
    const {chat} = setUp(fake)
    await chat.changeConversations([{key: 'c-1', title: 'foo'}])
    await chat.changeConversations([{key: 'c-1', labels: ['foo']}])
    await chat.changeConversations(['c-1', 'c-2'].map((key) => ({key, pinned: true})))
    expect(fake.seen.map(({keepalive}) => keepalive)).toEqual([true, true, false])
  })

  test('labels alone go out in one call where the server offers it, and with other marks as they are to be', async () => {
    const fake = createFakeFetch(json({}), json({}))
    const ids = Array.from({length: 2_000}, (_, index) => `c-${index}`)
    const previous = [...ids.map((key) => ({key, labels: ['foo', key]})), {key: 'd', labels: ['foo'], pinned: false}]
    const changes = [...ids.map((key) => ({key, labels: [key, 'bar']})), {key: 'd', labels: [], pinned: true}]
    const {chat} = setUp(fake)
    await chat.changeConversations(changes, undefined, previous)
    expect(fake.seen.map(({body}) => body)).toEqual([
      {action: 'label', items: [{ids, on: ['bar'], off: ['foo']}]},
      {action: 'mark', items: [{id: 'd', labels: [], pinned: true}]},
    ])
  })

  test('of several calls the first that fails ends it, and says which changes have arrived', async () => {
    const fake = createFakeFetch(json({}), json({error: {code: 'too_many_requests', message: 'foo'}}, 429))
    const changes = Array.from({length: 250}, (_, index) => ({key: `c-${index}`, pinned: true}))
    const end = setUp(fake).chat.changeConversations(changes)
    await expect(end).rejects.toMatchObject({
      arrivedIds: changes.slice(0, 100).map(({key}) => key),
      cause: {code: 'too_many_requests', status: 429},
    })
    expect(fake.seen).toHaveLength(2)
  })

  test('a back end that does not offer it gets the labels of each, a hundred in a call', async () => {
    const fake = createFakeFetch(json({}), json({}))
    const changes = Array.from({length: 101}, (_, index) => ({key: `c-${index}`, labels: ['bar']}))
    await setUp(fake).chat.changeConversations(changes)
    const items = changes.map(({key, labels}) => ({id: key, labels}))
    expect(fake.seen.map(({body}) => body)).toEqual([
      {action: 'mark', items: items.slice(0, 100)},
      {action: 'mark', items: items.slice(100)},
    ])
  })

  test('update of a back end that offers nothing of ours sends what the contract has of a message', async () => {
    const fake = createFakeFetch(json({}))
    const error = {code: 'unknown', message: 'foo'}
    await setUp(fake).chat.cutHistory({
      id: 'c-1',
      cut: 3,
      messages: [
        {role: 'user', content: 'foo', id: 'm-1'},
        {role: 'assistant', content: 'bar', id: 'm-2', attempt: 1, model: 'm', provider: 'p', sandbox: true},
        {role: 'assistant', content: 'baz', state: 'failed', outcome: 'refused', error},
      ],
    })
    expect(fake.seen[0]?.body).toEqual({
      action: 'update',
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar'},
        {role: 'assistant', content: 'baz', state: 'failed', error},
      ],
    })
  })

  test('deleted messages go one after the other; one that is gone already is no failure, and the copy is read', async () => {
    const [question, answer] = [
      {role: 'user', content: 'foo', id: 'm-1', removing: true},
      {role: 'assistant', content: 'bar', id: 'm-2', removing: true},
    ] as const
    const left = {id: 'c-1', messages: [{role: 'user', content: 'other', id: 'm-3'}]}
    const gone = json({error: {code: 'not_found', message: 'foo'}}, 404)
    const truncation = {id: 'c-1', messages: [question, answer], cut: undefined}
    const lost = createFakeFetch(gone, json(left), gone)
    expect(await setUp(lost).chat.cutHistory({...truncation, capabilities: ['versions']})).toEqual(left)
    expect(lost.seen.map(({body}) => body)).toEqual([
      {action: 'remove', id: 'c-1', message: 'm-1'},
      {action: 'retrieve', id: 'c-1'},
      {action: 'remove', id: 'c-1', message: 'm-2'},
    ])
    // an older node refuses what it does not know
    const older = createFakeFetch()
    expect(await setUp(older).chat.cutHistory({...truncation, capabilities: ['resume']})).toBeUndefined()
    expect(older.seen).toEqual([])
  })

  test('delete and stop', async () => {
    const fake = createFakeFetch(json({}), json({id: 'c-1', message: 'm-1', state: 'failed'}))
    const {chat} = setUp(fake)
    await chat.remove(['c-1'])
    expect(await chat.stop({conversation: 'c-1', message: 'm-1'})).toEqual({id: 'c-1', message: 'm-1', state: 'failed'})
    expect(fake.seen.map(({body, keepalive}) => [body, keepalive])).toEqual([
      [{action: 'delete', id: 'c-1'}, true],
      [{action: 'stop', id: 'c-1', message: 'm-1'}, true],
    ])
  })

  test('reads are asked again, writes are not', async () => {
    const reads = createFakeFetch(json({}, 503), json({count: 0, items: []}))
    await setUp(reads).chat.retrieveBatch({})
    expect(reads.seen).toHaveLength(2)
    const writes = createFakeFetch(json({}, 503))
    await expect(setUp(writes).chat.remove(['c-1'])).rejects.toHaveProperty('status', 503)
    expect(writes.seen).toHaveLength(1)
  })
})
