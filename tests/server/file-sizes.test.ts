import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {MessageContent} from '#contract/chat.ts'
import {takeSnapshot} from '#server/shares/snapshot.ts'
import {answers} from '#server/store/schema/chat.ts'
import {files} from '#server/store/schema/files.ts'
import {createAsker, post, type Asker} from './ai.harness.ts'
import {createImports, item} from './imports.fixtures.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

const imports = createImports(() => chat.on)

const addressOf = (id: string, name = 'plan.txt') => `/services/platform/api/v1/files/${id}/${name}`

/** The row of an upload. */
async function keep(user: Asker, id: string, size: number, formerIds: string[] = []) {
  const row = {userId: user.userId, id, storedAs: id, formerIds, name: 'plan.txt', type: 'text/plain', size}
  await chat.on.server.deps.database.asSystem((transaction) =>
    transaction.insert(files).values({...row, createdAt: new Date()}),
  )
  return addressOf(id)
}
const idFrom = (letter: string) => letter.repeat(22)

const question = (text: string, ...items: Exclude<MessageContent, string>): MessageContent => [
  {type: 'text', text},
  ...items,
]

test('a question keeps the sizes of its own files, and so do its branch and its other texts', async () => {
  const own = await keep(chat.asker, idFrom('a'), 12_345)
  const renewed = await keep(chat.asker, idFrom('b'), 77, [idFrom('c')])
  const references = [own, addressOf(idFrom('c')), 'https://foo.test/b.pdf']
  const {id, question: one} = await chat.exchange({question: 'one', references}, 'first')
  const sizedFiles = [
    {type: 'file_url' as const, file_url: own, size: 12_345},
    {type: 'file_url' as const, file_url: addressOf(idFrom('c')), size: 77},
    {type: 'file_url' as const, file_url: 'https://foo.test/b.pdf'},
  ]
  expect(texts(await chat.retrieve(id))).toEqual([question('one', ...sizedFiles), 'first'])
  const branch = await chat.command({action: 'branch', id, message: one})
  expect(texts(branch.conversation)).toEqual([question('one', ...sizedFiles)])
  const saved = await chat.command({action: 'edit', id, message: one, question: 'uno'})
  expect(texts(saved.conversation)).toEqual([question('uno', ...sizedFiles), 'first'])
  const other = await chat.command({
    action: 'edit',
    id,
    message: idOf(saved.conversation.messages[0]),
    question: 'uno',
    references: [renewed],
  })
  expect(texts(other.conversation)[0]).toEqual(question('uno', {type: 'file_url', file_url: renewed, size: 77}))
})

test('nothing is said of the files of another user', async () => {
  const foreign = await keep(await createAsker(chat.on), idFrom('d'), 99)
  const {id} = await chat.exchange({question: 'one', references: [foreign]}, 'first')
  expect(texts(await chat.retrieve(id))[0]).toEqual(question('one', {type: 'file_url', file_url: foreign}))
})

test('a client that sends sizes back cuts a history as before', async () => {
  const own = await keep(chat.asker, idFrom('e'), 5)
  const {id} = await chat.exchange({question: 'one', references: [own]}, 'first')
  const [asked] = (await chat.retrieve(id)).messages
  const sent = {role: 'user', content: question('one', {type: 'file_url', file_url: own, size: 6})}
  const cut = await post(chat.on, chat.asker, {action: 'update', id, messages: [sent]})
  expect(cut.status).toBe(200)
  expect((await chat.retrieve(id)).messages).toEqual([asked])
})

test('a shared snapshot has the sizes of the files that it shows', async () => {
  const {userId} = chat.asker
  const own = await keep(chat.asker, idFrom('g'), 4_096)
  const {id} = await chat.exchange({question: 'one', references: [own]}, 'first')
  const {messages} = await chat.retrieve(id)
  const snapshot = await chat.on.server.deps.database.asUser(userId, (transaction) =>
    takeSnapshot(transaction, {userId, messages, attachments: true}),
  )
  expect(snapshot.messages[0]?.content).toEqual([
    {type: 'text', text: 'one'},
    {type: 'file_url', size: 4_096, file_url: expect.stringMatching(/^atrium-share:[\w-]{22}\/plan\.txt$/)},
  ])
})

test('an answer holds what any text of that length may be in tokens, and is settled by the likely ones', async () => {
  const heldWith = async (size: number) => {
    const own = await keep(chat.asker, idFrom(String(size).at(0) ?? ''), size)
    const {id} = await chat.exchange({question: 'one', references: [own]}, 'first')
    const [answer] = await chat.on.server.deps.database.asSystem((transaction) =>
      transaction.select().from(answers).where(eq(answers.conversationId, id)),
    )
    return {held: Number(answer?.held), promptTokens: answer?.promptTokens ?? 0}
  }
  const [short, middle, long] = [await heldWith(4), await heldWith(20_000), await heldWith(30_000)]
  expect(middle.promptTokens - short.promptTokens).toBe(4_999)
  expect(long.promptTokens - middle.promptTokens).toBe(2_500)
  // a credit for 100,000 tokens
  expect(middle.held - short.held).toBeCloseTo(9_998 / 100_000, 6)
  expect(long.held - middle.held).toBeCloseTo(5_000 / 100_000, 6)
})

test('an imported conversation has the sizes of the files that came along', async () => {
  const own = await keep(chat.asker, idFrom('f'), 2_048)
  const file = {type: 'file_url' as const, file_url: own}
  const content = [{type: 'text' as const, text: 'How?'}, file]
  const [result] = await imports.send(chat.asker, [item({messages: [{role: 'user', content, parent: null}]})])
  const stored = await imports.retrieve(chat.asker, result?.id ?? '')
  expect(texts(stored)).toEqual([question('How?', {...file, size: 2_048})])
})
