import {describe, expect, test} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {createChatApi} from '#api/chat.ts'
import {toRecord, type ConversationRecord} from '#domain/conversation.ts'

const conversationOf = (id: string, revision: string, texts = 1): Conversation => ({
  id,
  model: 'm',
  title: `${id} as ${revision}`,
  messages: Array.from({length: texts}, (_, index) => ({role: 'user', content: `${index}`, state: 'finished'})),
  updated_at: 1,
  revision,
})
const copyOf = (id: string, revision: string) => toRecord(conversationOf(id, revision), 'm')
const ids = (count: number) => Array.from({length: count}, (_, index) => `c-${index}`)

/**
 * A server that has these conversations; a test changes them between two pages. `gone`: deleted between the names and
 * their page.
 */
function createServer(conversations: Conversation[], {knowsRevisions = true} = {}) {
  const asked: Record<string, unknown>[] = []
  const gone: string[] = []
  const answer = (body: Record<string, unknown>) => {
    if (body['action'] === 'revisions') {
      const revisions = Object.fromEntries(conversations.map(({id, revision}) => [id, revision]))
      return knowsRevisions ? Response.json({revisions}) : Response.json({code: 'bad_request'}, {status: 400})
    }
    const wanted = body['ids']
    const items = conversations
      .filter(({id}) => !gone.includes(id) && (!Array.isArray(wanted) || wanted.includes(id)))
      .slice(0, 100)
    return Response.json({count: items.length, items})
  }
  const fetch: typeof globalThis.fetch = async (_, init) => {
    // as: this app sends JSON text only
    const body = JSON.parse(init?.body as string) as Record<string, unknown>
    asked.push(body)
    return answer(body)
  }
  const chat = createChatApi({fetch, baseUrl: 'https://api.test', headers: () => ({}), log: () => {}})
  const read = (kept: readonly ConversationRecord[], records: readonly ConversationRecord[] = [], offset = 0) =>
    chat.retrievePage({userId: 'u-1', offset, kept, records, model: 'm', capabilities: ['revisions']})
  /** All pages, as the chart of the pages reads them. */
  const readAll = async (kept: readonly ConversationRecord[]) => {
    const records: ConversationRecord[] = []
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: Awaited<ReturnType<typeof read>> = await read(kept, records, offset)
      records.push(...page.records)
      // the chart ends with a page that has nothing new
      offset = page.records.length === 0 ? undefined : page.next
    }
    return records
  }
  return {asked, gone, read, readAll, conversations}
}

describe('the list of a device that keeps copies', () => {
  test('nothing is read of 2,000 conversations that did not change', async () => {
    const {asked, read} = createServer(ids(2_000).map((id) => conversationOf(id, '1')))
    const kept = ids(2_000).map((id) => copyOf(id, '1'))
    const page = await read(kept)
    expect(asked).toEqual([{action: 'revisions'}])
    expect(page.next).toBeUndefined()
    expect(page.records.filter((record, index) => record === kept[index])).toHaveLength(2_000)
  })

  test('what changed, is new or was changed here is read; what is gone is gone', async () => {
    const {asked, read} = createServer(['new', 'a', 'b', 'c'].map((id) => conversationOf(id, '2')))
    const kept = [copyOf('a', '2'), copyOf('b', '1'), {...copyOf('c', '2'), revision: undefined}, copyOf('gone', '2')]
    const {records} = await read(kept)
    expect(asked[1]).toEqual({action: 'retrieve_batch', user_id: 'u-1', ids: ['new', 'b', 'c']})
    expect(records.map(({title}) => title)).toEqual(['new as 2', 'a as 2', 'b as 2', 'c as 2'])
    expect(records[1]).toBe(kept[0])
  })

  test('a copy whose answer was running is read again', async () => {
    const {asked, read} = createServer([conversationOf('a', '1')])
    const running = {...copyOf('a', '1'), messages: [{role: 'assistant', content: '', state: 'answering'} as const]}
    expect((await read([running])).records[0]?.messages).toHaveLength(1)
    expect(asked[1]).toEqual({action: 'retrieve_batch', user_id: 'u-1', ids: ['a']})
  })

  test('more than a page are read in pages, in the order of the server, though some go meanwhile', async () => {
    const server = createServer(ids(250).map((id, index) => conversationOf(id, index % 5 === 0 ? '1' : '2')))
    const kept = ids(250).map((id) => copyOf(id, '1'))
    const first = await server.read(kept)
    expect(first.records.map(({id}) => id)).toEqual(ids(250).slice(0, 126))
    server.conversations.splice(0, 50)
    const second = await server.read(kept, first.records, first.next)
    expect(second.records.map(({id}) => id)).toEqual(ids(250).slice(126))
    expect(await server.readAll(kept)).toHaveLength(200)
  })

  test('where all of a page are gone meanwhile the rest is still there, also if the server goes on naming them', async () => {
    const server = createServer(ids(250).map((id) => conversationOf(id, '2')))
    server.gone.push(...ids(100))
    const kept = ids(250).map((id) => copyOf(id, '1'))
    expect((await server.readAll(kept)).map(({id}) => id)).toEqual(ids(250).slice(100))
    server.gone.push(...ids(250))
    expect(await server.readAll(kept)).toEqual([])
  })

  test('a conversation that was named here is found by the name that the server has for it', async () => {
    const {asked, read} = createServer([conversationOf('a', '1')])
    const own = {...copyOf('a', '1'), key: 'ours'}
    expect((await read([own])).records[0]).toBe(own)
    expect(asked).toHaveLength(1)
  })

  test('a server that does not know revisions is asked for all', async () => {
    const {asked, read} = createServer([conversationOf('a', '2')], {knowsRevisions: false})
    expect((await read([copyOf('a', '1')])).records[0]?.title).toBe('a as 2')
    expect(asked.map(({action}) => action)).toEqual(['revisions', 'retrieve_batch'])
  })
})
