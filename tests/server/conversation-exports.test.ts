import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, expect, test, vi} from 'vitest'
import {readTrees} from '#app/chat/read-trees.ts'
import type {Conversation} from '#contract/chat.ts'
import {exportAnswer, importAnswer, type ConversationTree} from '#contract/imports.ts'
import {z} from '#contract/schema.ts'
import {toExportFile} from '#domain/conversation-file.ts'
import {toRecord} from '#domain/conversation.ts'
import {exportConversations} from '#server/ai/export-conversations.ts'
import {ask, createAiServer, createAsker, headOf, openStream, post, type AiServer, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

let on: AiServer
const model = createScriptedProvider()

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
})
afterAll(() => on.close())

const conversation = (id: string, text = 'So.') => ({
  source: 'chatgpt',
  source_id: id,
  model: 'gpt-4-turbo',
  preset: 'Be brief.',
  from: 0,
  total: 2,
  messages: [
    {role: 'user', content: 'How?', parent: null, created_at: 1_700_000_000},
    {
      role: 'assistant',
      content: text,
      parent: 0,
      created_at: 1_700_000_001,
      state: 'failed',
      outcome: 'refused',
      error: {code: 'busy', message: 'Later.'},
    },
  ],
})
async function imported(asker: Asker, items: object[]): Promise<string[]> {
  const answer = await post(on, asker, {action: 'import', items})
  return importAnswer.parse(await answer.json()).items.map(({id}) => id ?? '')
}

async function treeOf(asker: Asker, id: string): Promise<ConversationTree> {
  const answer = await post(on, asker, {action: 'export', ids: [id]})
  const [tree] = exportAnswer.parse(await answer.json()).items
  if (tree === undefined) throw new Error('not exported')
  return tree
}

test('a file has instructions, times and errors also of a conversation without versions', async () => {
  const asker = await createAsker(on)
  const [id = ''] = await imported(asker, [conversation('foo')])
  // as: the contract tests check this answer
  const shown = (await (await post(on, asker, {action: 'retrieve', id})).json()) as Conversation
  const trees = new Map<string, ConversationTree>()
  await readTrees(
    {command: async (schema, body) => z.parse(schema, await (await post(on, asker, body)).json())},
    [id],
    {trees, report: () => undefined, signal: new AbortController().signal},
  )
  const file = toExportFile([toRecord(shown, 'foo')], '2026-01-01T00:00:00.000Z', new Map(), trees)
  expect(file.conversations).toMatchObject([
    {
      preset: 'Be brief.',
      messages: [
        {created_at: '2023-11-14T22:13:20.000Z'},
        {created_at: '2023-11-14T22:13:21.000Z', error: {code: 'busy', message: 'Later.'}},
      ],
    },
  ])
})

test('of an answer that is written the file has the text so far', async () => {
  const asker = await createAsker(on)
  const stream = openStream(await ask(on, asker))
  const turn = await model.next()
  turn.say('So ', 'far')
  const {id} = await headOf(stream)
  // the text is stored in batches
  await vi.waitFor(async () => expect((await treeOf(asker, id)).messages[1]).toMatchObject({content: 'So far'}), {
    timeout: 10_000,
  })
  turn.finish()
  await stream.rest()
})

test('what a file says of an answer is the same after an import, and in the file of that', async () => {
  const asker = await createAsker(on)
  const facts = {sandbox: true, thought_ms: 900}
  const item = conversation('demonstration')
  const [question, answer] = item.messages
  const [id = ''] = await imported(asker, [{...item, messages: [question, {...answer, ...facts}]}])
  const shown = (await (await post(on, asker, {action: 'retrieve', id})).json()) as Conversation
  expect(shown.messages[1]).toMatchObject(facts)
  const tree = await treeOf(asker, id)
  expect(tree.messages[1]).toMatchObject(facts)
  const [written] = toExportFile(
    [toRecord(shown, 'foo')],
    '2026-01-01T00:00:00.000Z',
    new Map(),
    new Map([[id, tree]]),
  ).conversations
  expect(written?.messages[1]).toMatchObject(facts)
})

test('an answer holds as many conversations as fit, one at least, in order; the rest is asked for again', async () => {
  const asker = await createAsker(on)
  const [long = '', short = '', other = ''] = await imported(asker, [
    conversation('long', '字'.repeat(1_000)),
    conversation('short'),
    conversation('other'),
  ])
  const {userId, applicationId, credentialId} = asker
  const identity = {userId, applicationId, credentialId, role: 'member' as const, familyId: undefined}
  const asked: string[][] = []
  const within = async (ids: string[]) => {
    asked.push(ids)
    return exportConversations(on.server.deps, identity, {action: 'export', ids}, 1_500)
  }
  const gone = randomUUID()
  const trees = new Map<string, ConversationTree>()
  await readTrees(
    // as: the only command here
    {command: async (schema, body) => z.parse(schema, await within((body as {ids: string[]}).ids))},
    [long, gone, short, other],
    {trees, report: () => undefined, signal: new AbortController().signal},
  )
  expect([...trees.keys()]).toEqual([long, short, other])
  expect(asked).toEqual([[long, gone, short, other], [gone, short, other], [gone]])
})
