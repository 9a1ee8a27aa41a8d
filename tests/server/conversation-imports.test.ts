import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test, onTestFinished} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {importAnswer, importedAnswer} from '#contract/imports.ts'
import {deleteOldParts} from '#server/ai/import-conversations.ts'
import {conversations} from '#server/store/schema/chat.ts'
import {createAiServer, createAsker, post, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createImports, item} from './imports.fixtures.ts'

let on: AiServer

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], config: {limitFactor: 100}})
})
afterAll(() => on.close())

const {send, retrieve, listed, trees} = createImports(() => on)

describe('limits', () => {
  test('imports have their own: one that has used it up is told when to go on, and takes nothing from questions', async () => {
    const narrow = await createAiServer({
      providers: [createScriptedProvider().provider],
      config: {limitFactor: 0.05},
    })
    const asker = await createAsker(narrow)
    onTestFinished(narrow.server.holdClock())
    const call = (body: object) => post(narrow, asker, body)
    // 3 of imports and exports, 2 of all else
    const keys = [{source: 'chatgpt', source_id: 'foo'}]
    for (const body of [
      {action: 'imported', items: keys},
      {action: 'export', ids: [randomUUID()]},
    ])
      expect((await call(body)).status).toBe(200)
    expect((await call({action: 'imported', items: keys})).status).toBe(200)
    const refused = await call({action: 'import', items: [item()]})
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toEqual({
      error: {code: 'too_many_requests', message: 'Too many requests. Try again in 10 s.'},
      trace_id: expect.any(String),
      success: false,
    })
    // the refused one has cost one of these two
    expect((await call({action: 'retrieve_batch'})).status).toBe(200)
    expect((await call({action: 'retrieve_batch'})).status).toBe(429)
    narrow.server.advance(10_000)
    expect((await call({action: 'import', items: [item()]})).status).toBe(200)
    await narrow.close()
  })
})

describe('an import', () => {
  test('keeps title, times, roles and names of models, served or not', async () => {
    const asker = await createAsker(on)
    const [result] = await send(asker, [item({pinned: true, labels: [' work ', 'work']})])
    expect(result).toEqual({source_id: 'foo', state: 'imported', id: expect.any(String)})
    const stored = await retrieve(asker, result?.id ?? '')
    expect(stored).toEqual({
      title: 'Kites',
      model: 'gpt-4-turbo',
      updated_at: 1_700_000_100,
      pinned: true,
      labels: ['work'],
      id: expect.any(String),
      messages: [
        {id: expect.any(String), role: 'user', content: 'How?', state: 'finished', created_at: expect.any(Number)},
        {
          id: expect.any(String),
          role: 'assistant',
          content: 'So.',
          state: 'finished',
          created_at: expect.any(Number),
          model: 'gpt-4-turbo',
        },
      ],
      archived: false,
    })
    expect(stored.messages).toEqual([
      {role: 'user', content: 'How?', state: 'finished', id: expect.any(String), created_at: expect.any(Number)},
      {
        role: 'assistant',
        content: 'So.',
        state: 'finished',
        model: 'gpt-4-turbo',
        id: expect.any(String),
        created_at: expect.any(Number),
      },
    ])
  })

  test('of the same conversation again leaves it as it is; deleted, it comes back', async () => {
    const asker = await createAsker(on)
    const [first] = await send(asker, [item()])
    const [again] = await send(asker, [item({title: 'Other'})])
    expect(again).toEqual({state: 'present', id: first?.id, source_id: 'foo'})
    expect((await listed(asker)).map(({title}) => title)).toEqual(['Kites'])
    await post(on, asker, {action: 'delete', id: first?.id})
    expect(await send(asker, [item()])).toEqual([{state: 'imported', source_id: 'foo', id: expect.any(String)}])
  })

  test('keeps versions in their order, and shows the path to the current message', async () => {
    const asker = await createAsker(on)
    const [result] = await send(asker, [
      item({
        current: 2,
        messages: [
          {role: 'user', content: 'one', parent: null},
          {role: 'assistant', content: 'first', parent: 0, created_at: 1_700_000_900},
          {role: 'user', content: 'two', parent: 1},
          // older than the version before it, by a clock that was wrong
          {role: 'assistant', content: 'second', parent: 0, created_at: 1_600_000_000},
        ],
      }),
    ])
    const id = result?.id ?? ''
    const shown = await retrieve(asker, id)
    expect(shown.messages.map(({content}) => content)).toEqual(['one', 'first', 'two'])
    const versions = shown.messages[1]?.versions ?? []
    expect(versions).toHaveLength(2)
    const answer = await post(on, asker, {action: 'select', id, message: versions[1]})
    // as: the contract tests check this answer
    expect(((await answer.json()) as Conversation).messages.map(({content}) => content)).toEqual(['one', 'second'])
  })

  test('by a page of a newer version, between two versions of the nodes, is taken without what is new', async () => {
    const asker = await createAsker(on)
    const added = {owner: 'foo', added: {deep: [1]}}
    const messages = [
      {role: 'user', content: [{type: 'text', text: 'How?', ...added}], parent: null, ...added},
      {role: 'assistant', content: 'So.', parent: 0, state: 'failed', error: {code: 'bar', ...added}, ...added},
    ]
    const [result] = await send(asker, [{...item(), messages, ...added}])
    expect(result?.state).toBe('imported')
    const [tree] = await trees(asker, [result?.id ?? ''])
    expect(tree?.messages).toMatchObject([{content: [{type: 'text', text: 'How?'}]}, {error: {code: 'bar'}}])
    expect(JSON.stringify(tree)).not.toMatch(/owner|deep/)
  })

  test('in parts is hidden until it is whole; begun again, it begins anew', async () => {
    const asker = await createAsker(on)
    const messages = Array.from({length: 5}, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `m${index}`,
      parent: index === 0 ? null : index - 1,
    }))
    const part = (from: number, end: number) => ({...item({messages: messages.slice(from, end)}), from, total: 5})
    expect(await send(asker, [part(0, 2)])).toEqual([{state: 'partial', source_id: 'foo'}])
    expect(await listed(asker)).toEqual([])
    const key = {source: 'chatgpt', source_id: 'foo'}
    expect(await (await post(on, asker, {action: 'imported', items: [key]})).json()).toEqual({items: []})
    // a lost answer: the page does not know that it was taken
    expect(await send(asker, [part(0, 2)])).toEqual([{state: 'partial', source_id: 'foo'}])
    expect(await send(asker, [part(4, 5)])).toEqual([
      {
        state: 'refused',
        code: 'duplication',
        source_id: 'foo',
        detail:
          'The parts of this conversation did not come in order, or another tab is importing it too. Import the file again.',
      },
    ])
    expect(await send(asker, [part(2, 4)])).toEqual([{state: 'partial', source_id: 'foo'}])
    expect(await send(asker, [part(2, 4)])).toEqual([{state: 'partial', source_id: 'foo'}])
    const [last] = await send(asker, [part(4, 5)])
    expect(last).toEqual({state: 'imported', source_id: 'foo', id: expect.any(String)})
    const stored = await retrieve(asker, last?.id ?? '')
    expect(stored.messages.map(({content}) => content)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
    const known = importedAnswer.parse(await (await post(on, asker, {action: 'imported', items: [key]})).json())
    expect(known.items).toEqual([{...key, id: last?.id}])
  })

  test('whose other parts never come is deleted after a day, and no other', async () => {
    const asker = await createAsker(on)
    await send(asker, [item(), {...item({source_id: 'bar'}), total: 5}])
    const {database} = on.server.deps
    const later = (hours: number) => new Date(on.server.deps.now().getTime() + hours * 3_600_000)
    const ids = async () =>
      (
        await database.asUser(asker.userId, (transaction) =>
          transaction.select().from(conversations).where(eq(conversations.userId, asker.userId)),
        )
      ).map(({importId}) => importId)
    await database.asSystem((transaction) => deleteOldParts(transaction, later(23)))
    expect((await ids()).toSorted()).toEqual(['bar', 'foo'])
    await database.asSystem((transaction) => deleteOldParts(transaction, later(25)))
    expect(await ids()).toEqual(['foo'])
  })

  test('of another user knows nothing of it, and takes nothing from it', async () => {
    const [owner, other] = [await createAsker(on), await createAsker(on)]
    const [own] = await send(owner, [item()])
    const id = own?.id ?? ''
    const items = [
      {source: 'chatgpt', source_id: 'foo'},
      {source: 'atrium', source_id: id},
    ]
    expect(await (await post(on, other, {action: 'imported', items})).json()).toEqual({items: []})
    expect(await trees(other, [id, randomUUID()])).toEqual([])
    const [copy] = await send(other, [item({source: 'atrium', source_id: id, title: 'Mine'})])
    expect(copy).toEqual({state: 'imported', source_id: expect.any(String), id: expect.any(String)})
    expect(copy?.id).not.toBe(id)
    expect((await retrieve(owner, id)).title).toBe('Kites')
    expect(await listed(owner)).toHaveLength(1)
  })

  test('of what this server exported finds it by its own id', async () => {
    const asker = await createAsker(on)
    const [own] = await send(asker, [item()])
    const key = {source: 'atrium' as const, source_id: own?.id ?? ''}
    expect(await send(asker, [item(key)])).toEqual([{state: 'present', id: own?.id, source_id: expect.any(String)}])
  })

  test('counts its text in bytes, whatever its language', async () => {
    const asker = await createAsker(on)
    const given = item({messages: [{role: 'user', content: '字'.repeat(1_000), parent: null}]})
    const [result] = await send(asker, [given])
    const [row] = await on.server.deps.database.asUser(asker.userId, (transaction) =>
      transaction
        .select()
        .from(conversations)
        .where(eq(conversations.id, result?.id ?? '')),
    )
    expect(row?.importBytes).toBe(Buffer.byteLength(JSON.stringify(given)))
  })

  test.each([
    ['a message before itself', {messages: [{role: 'user', content: 'x', parent: 0}]}],
    [
      'a message before a later one',
      {
        messages: [
          {role: 'user', content: 'x', parent: 1},
          {role: 'user', content: 'y', parent: null},
        ],
      },
    ],
    ['a shown message that is not there', {current: 7}],
    ['a title of 401 characters', {title: 'x'.repeat(401)}],
    ['another role', {messages: [{role: 'tool', content: 'x', parent: null}]}],
    [
      'an address that is a script',
      {messages: [{role: 'user', content: [{type: 'image_url', image_url: 'javascript:alert(1)'}], parent: null}]},
    ],
    ['a time that is none', {updated_at: -1}],
    ['no messages', {messages: []}],
    ['more messages than it has', {total: 1}],
  ])('of a conversation with %s refuses it alone, and says why', async (_, wrong) => {
    const asker = await createAsker(on)
    const results = await send(asker, [{...item(), ...wrong}, item({source_id: 'bar'})])
    expect(results).toEqual([
      {source_id: 'foo', state: 'refused', code: 'bad_request', detail: expect.any(String)},
      {source_id: 'bar', state: 'imported', id: expect.any(String)},
    ])
    expect(results[0]?.detail).toMatch(/\w/)
    expect(await listed(asker)).toHaveLength(1)
  })

  test('says it in the language of the request', async () => {
    const asker = await createAsker(on)
    const body = {action: 'import', items: [item({current: 7})]}
    const answer = await post(on, asker, body, {headers: {'accept-language': 'de'}})
    expect(importAnswer.parse(await answer.json()).items[0]?.detail).toContain('frühere Nachricht')
  })

  test.each([
    ['no conversation', {action: 'import', items: []}],
    ['too many', {action: 'import', items: Array.from({length: 51}, () => ({}))}],
    [
      'too many keys',
      {action: 'imported', items: Array.from({length: 501}, () => ({source: 'atrium', source_id: 'x'}))},
    ],
    ['another source', {action: 'imported', items: [{source: 'foo', source_id: 'x'}]}],
  ])('with %s is a 400', async (_, body) => {
    expect((await post(on, await createAsker(on), body)).status).toBe(400)
  })
})
