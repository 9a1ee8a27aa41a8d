import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {exportAnswer, importAnswer} from '#contract/imports.ts'
import {toExportFile} from '#domain/conversation-file.ts'
import {toRecord} from '#domain/conversation.ts'
import {readAtrium} from '#domain/import-atrium.ts'
import {partsOf} from '#domain/import-file.ts'
import {messages} from '#server/store/schema/chat.ts'
import {post} from './ai.harness.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

/* A message is shown again with what was last shown behind it (decision 209). */

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

/** `one`, answered three times, of which the first answer was shown last; then another question in its stead. */
async function leftFirstAnswer() {
  const {id, message: first, question: one} = await chat.exchange({question: 'one'}, 'first')
  await chat.exchange({question: 'one', id, version_of: first}, 'second')
  const {message: third} = await chat.exchange({question: 'one', id, version_of: first}, 'third')
  await chat.command({action: 'select', id, message: first})
  const other = await chat.exchange({question: 'uno', id, version_of: one}, 'primo')
  return {id, one, first, third, other}
}
const select = async (id: string, message: string) =>
  texts((await chat.command({action: 'select', id, message})).conversation)

describe('a question that is shown again', () => {
  test('has the answer that was left, not the newest', async () => {
    const {id, one, other} = await leftFirstAnswer()
    expect(await select(id, one)).toEqual(['one', 'first'])
    expect(await select(id, other.question)).toEqual(['uno', 'primo'])
    expect(await select(id, one)).toEqual(['one', 'first'])
  })

  test('has it for one who reads, too, who chooses nothing', async () => {
    const {id, one} = await leftFirstAnswer()
    const {conversation: read} = await chat.command({action: 'retrieve', id, message: one})
    expect(texts(read)).toEqual(['one', 'first'])
    expect(texts(await chat.retrieve(id))).toEqual(['uno', 'primo'])
  })

  test('has the answer that was given last, where none was chosen since', async () => {
    const {id, one, first, other} = await leftFirstAnswer()
    await select(id, one)
    await chat.exchange({question: 'one', id, version_of: first}, 'fourth')
    await select(id, other.question)
    expect(await select(id, one)).toEqual(['one', 'fourth'])
  })

  test('has what was left at each message behind it', async () => {
    const {id, one, first, other} = await leftFirstAnswer()
    const {message: next} = await chat.exchange({question: 'two', id, after: first}, 'here')
    await chat.exchange({question: 'two', id, version_of: next}, 'there')
    await select(id, next)
    await select(id, other.question)
    expect(await select(id, one)).toEqual(['one', 'first', 'two', 'here'])
  })

  test('has another one once the one that was left is deleted', async () => {
    const {id, one, first} = await leftFirstAnswer()
    await chat.command({action: 'remove', id, message: first})
    expect(await select(id, one)).toEqual(['one', 'third'])
  })

  test('has it after a client cut the history off', async () => {
    const {id, one} = await leftFirstAnswer()
    await select(id, one)
    await chat.command({action: 'update', id, messages: []})
    await chat.exchange({question: 'due', id}, 'secondo')
    expect(await select(id, one)).toEqual(['one', 'first'])
  })

  test('has the newest where a server of the version before hid them', async () => {
    const {id, one} = await leftFirstAnswer()
    await chat.on.server.deps.database.asSystem((transaction) =>
      transaction.update(messages).set({hiddenAt: null}).where(eq(messages.conversationId, id)),
    )
    expect(await select(id, one)).toEqual(['one', 'third'])
  })
})

test('a text that is saved without asking takes along what was left behind it', async () => {
  const {id, one} = await leftFirstAnswer()
  const {conversation: saved} = await chat.command({action: 'edit', id, message: one, question: 'eins'})
  expect(texts(saved)).toEqual(['eins', 'first'])
})

test('a deleted version leaves its position to one with the answer that was left', async () => {
  const {id, other} = await leftFirstAnswer()
  const {conversation} = await chat.command({action: 'remove', id, message: other.question})
  expect(texts(conversation)).toEqual(['one', 'first'])
})

test('an imported file of the conversation remembers it', async () => {
  const {id, other} = await leftFirstAnswer()
  const record = toRecord(await chat.retrieve(id), 'foo-model')
  const {items: trees} = exportAnswer.parse(
    await (await post(chat.on, chat.asker, {action: 'export', ids: [id]})).json(),
  )
  const byId = new Map(trees.map((tree) => [tree.id, tree]))
  const file: unknown = JSON.parse(JSON.stringify(toExportFile([record], '2026-01-01T00:00:00.000Z', new Map(), byId)))
  await post(chat.on, chat.asker, {action: 'delete', id})
  const body = {action: 'import', items: readAtrium(file).conversations.flatMap(partsOf)}
  const {items} = importAnswer.parse(await (await post(chat.on, chat.asker, body)).json())
  const again = await chat.retrieve(items[0]?.id ?? '')
  expect(texts(again)).toEqual(['uno', 'primo'])
  const [oldest] = again.messages[0]?.versions ?? []
  expect(idOf(again.messages[0])).not.toBe(other.question)
  expect(await select(again.id, oldest ?? '')).toEqual(['one', 'first'])
})
