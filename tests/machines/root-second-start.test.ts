import {expect, test} from 'vitest'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createBackend} from './root-world.ts'
import {need, ready} from './start-root.ts'

const conversation = (id: string, revision?: string) => ({
  id,
  model: 'm',
  title: `title of ${id}`,
  messages: [
    {role: 'user', content: 'foo', id: `q-${id}`, state: 'finished'},
    {role: 'assistant', content: 'bar', id: `a-${id}`, state: 'finished'},
  ],
  updated_at: 1,
  ...(revision === undefined ? {} : {revision}),
})

/** A start of the page, and what it asked about conversations. */
async function startPage(backend: ReturnType<typeof createBackend>, bulkItems: Map<string, unknown>) {
  const callsBefore = backend.calls.length
  const {root, deps} = await ready({backend, bulkItems})
  await deps.bulk.flush()
  const conversations = need(root.actors.conversations())
  const asked = backend.calls.slice(callsBefore).filter((call) => call.includes('/aichat/'))
  return {
    asked: asked.map((call) => call.split(' ').at(-1)),
    titles: selectItems(conversations.getSnapshot()).map(({title}) => title),
    conversations,
    /** The page is closed, and has written what it had to. */
    close: async () => {
      root.stop()
      await deps.bulk.flush()
    },
  }
}

function createServer(...conversations: ReturnType<typeof conversation>[]) {
  const backend = createBackend()
  backend.server.capabilities.push('revisions', 'marks')
  backend.server.conversations = conversations
  return {backend, bulkItems: new Map<string, unknown>()}
}

test('a second start reads what changed since the first, and nothing else', async () => {
  const {backend, bulkItems} = createServer(conversation('a', '1'), conversation('b', '1'), conversation('c', '1'))
  const first = await startPage(backend, bulkItems)
  expect(first.asked).toEqual(['retrieve_batch'])
  await first.close()
  const kept = new Map(bulkItems)
  const second = await startPage(backend, bulkItems)
  expect(second.asked).toEqual(['revisions'])
  expect(second.titles).toEqual(first.titles)
  await second.close()
  expect(bulkItems).toEqual(kept)
  backend.server.conversations = [{...conversation('b', '2'), title: 'another'}, conversation('a', '1')]
  const third = await startPage(backend, bulkItems)
  expect(third.asked).toEqual(['revisions', 'retrieve_batch'])
  expect(third.titles).toEqual(['another', 'title of a'])
})

test('a copy that was changed here is no copy of the server any more', async () => {
  const {backend, bulkItems} = createServer(conversation('a', '1'), conversation('b', '1'))
  const first = await startPage(backend, bulkItems)
  first.conversations.send({type: 'conversations.changed', changes: [{key: 'a', title: 'refused by the server'}]})
  await first.close()
  const second = await startPage(backend, bulkItems)
  expect(second.asked).toEqual(['revisions', 'retrieve_batch'])
  expect(second.titles).toEqual(['title of a', 'title of b'])
})

test('a server without revisions is asked for all, at each start', async () => {
  const {backend, bulkItems} = createServer(conversation('a'))
  const first = await startPage(backend, bulkItems)
  await first.close()
  expect((await startPage(backend, bulkItems)).asked).toEqual(['retrieve_batch'])
})
