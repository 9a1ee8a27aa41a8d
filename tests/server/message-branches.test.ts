import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {importAnswer, mostImportMessages} from '#contract/imports.ts'
import {messages} from '#server/store/schema/chat.ts'
import {createAsker, post} from './ai.harness.ts'
import {isFull} from '../long.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

describe('a deleted message', () => {
  test('is gone; what follows it stays, and the model no longer reads it', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    await chat.exchange({question: 'two', id}, 'second')
    const removed = await chat.command({action: 'remove', id, message: first})
    expect(texts(removed.conversation)).toEqual(['one', 'two', 'second'])
    const next = await chat.exchange({question: 'three', id}, 'third')
    expect(next.prompt).toEqual(['one', 'two', 'second', 'three'])
    const rows = await chat.on.server.deps.database.asSystem((transaction) =>
      transaction.select().from(messages).where(eq(messages.id, first)),
    )
    expect(rows).toEqual([])
    expect((await chat.command({action: 'remove', id, message: first})).status).toBe(404)
  })

  test('gives its room to the version next to it, with all that follows either', async () => {
    const {id, first, again} = await chat.answeredAgain()
    await chat.exchange({question: 'three', id}, 'third')
    const removed = await chat.command({action: 'remove', id, message: again.message})
    expect(texts(removed.conversation)).toEqual(['one', 'first', 'three', 'third'])
    expect(removed.conversation.messages[1]?.id).toBe(first)
    expect(removed.conversation.messages[1]?.versions).toBeUndefined()
    const other = removed.conversation.messages[2]?.versions?.[0]
    const back = await chat.command({action: 'select', id, message: other})
    expect(texts(back.conversation)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('takes the answers of a version of a question along, where the other version has its own', async () => {
    const {id, question: one} = await chat.exchange({question: 'one'}, 'first')
    await chat.exchange({question: 'uno', id, version_of: one}, 'primo')
    const {question: two} = await chat.exchange({question: 'two', id}, 'second')
    const uno = idOf((await chat.retrieve(id)).messages[0])
    const removed = await chat.command({action: 'remove', id, message: uno})
    expect(texts(removed.conversation)).toEqual(['one', 'first', 'two', 'second'])
    expect(removed.conversation.messages.map(({versions}) => versions)).toEqual(Array(4).fill(undefined))
    expect((await chat.exchange({question: 'three', id}, 'third')).prompt).toEqual([
      'one',
      'first',
      'two',
      'second',
      'three',
    ])
    // what one version was followed by and what the other is stay, beside each other
    const other = await chat.exchange({question: 'due', id, version_of: two}, 'seconda')
    const back = await chat.command({action: 'remove', id, message: other.question})
    expect(texts(back.conversation)).toEqual(['one', 'first', 'two', 'second', 'three', 'third'])
  })

  test('leaves the answers with the words they were given to, where a text was saved without an answer', async () => {
    const {id, question: one} = await chat.exchange({question: 'one'}, 'first')
    const edited = await chat.command({action: 'edit', id, message: one, question: 'saved'})
    await chat.exchange({question: 'uno', id, version_of: one}, 'primo')
    const saved = idOf(edited.conversation.messages[0])
    await chat.command({action: 'remove', id, message: saved})
    const shown = await chat.command({action: 'select', id, message: one})
    expect(texts(shown.conversation)).toEqual(['one', 'first'])
    const left = await chat.command({action: 'remove', id, message: one})
    expect(texts(left.conversation)).toEqual(['uno', 'primo'])
  })

  test('shows what followed the version that takes its room', async () => {
    const {id, again} = await chat.answeredAgain()
    const removed = await chat.command({action: 'remove', id, message: again.message})
    expect(texts(removed.conversation)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('a random series of changes never breaks the one current path', async () => {
    const {id} = await chat.exchange({question: 'a'}, 'b')
    await chat.exchange({question: 'c', id}, 'd')
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const done = {ask: 0, remove: 0, select: 0, edit: 0, again: 0}
    for (let step = 0; step < (isFull ? 60 : 30); step += 1) {
      const path = (await chat.retrieve(id)).messages
      const message = path[random(path.length)]
      const kind = random(5)
      if (message === undefined || kind === 0) {
        done.ask += 1
        await chat.exchange({question: `q${step}`, id}, `a${step}`)
      } else if (kind === 1 && path.length > 3) {
        done.remove += 1
        await chat.command({action: 'remove', id, message: message.id})
      } else if (kind === 2) {
        const other = message.versions?.find((version) => version !== message.id)
        if (other === undefined) continue
        done.select += 1
        expect((await chat.command({action: 'select', id, message: other})).status).toBe(200)
      } else if (kind === 3 && message.role === 'user') {
        done.edit += 1
        expect((await chat.command({action: 'edit', id, message: message.id, question: `e${step}`})).status).toBe(200)
      } else if (message.role === 'user') {
        done.again += 1
        await chat.exchange({question: `v${step}`, id, version_of: message.id}, `b${step}`)
      }
      const rows = await chat.on.server.deps.database.asSystem((transaction) =>
        transaction.select().from(messages).where(eq(messages.conversationId, id)),
      )
      const current = rows.filter(({isCurrent}) => isCurrent).sort((a, b) => a.position - b.position)
      expect(current.map(({parentId}) => parentId)).toEqual([null, ...current.slice(0, -1).map((row) => row.id)])
      expect(new Set(current.map(({position}) => position)).size).toBe(current.length)
    }
    expect(Object.entries(done).filter(([, times]) => times === 0)).toEqual([])
  })
})

describe('a branch', () => {
  test('has the messages up to there and goes its own way', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    await chat.exchange({question: 'two', id}, 'second')
    const before = await chat.retrieve(id)
    const {conversation: branch} = await chat.command({action: 'branch', id, message: first, title: 'one (branch)'})
    expect(branch.title).toBe('one (branch)')
    expect(branch.id).not.toBe(id)
    expect(texts(branch)).toEqual(['one', 'first'])
    const next = await chat.exchange({question: 'three', id: branch.id}, 'third')
    expect(next.prompt).toEqual(['one', 'first', 'three'])
    expect(await chat.retrieve(id)).toEqual(before)
    expect((await chat.command({action: 'delete', id})).status).toBe(200)
    expect(texts(await chat.retrieve(branch.id))).toEqual(['one', 'first', 'three', 'third'])
  })

  test('can be of another model, which answers there while the origin stays as it is', async () => {
    const {id, message: first} = await chat.exchange({question: 'one', preset: 'Be brief.'}, 'first')
    await chat.exchange({question: 'two', id}, 'second')
    const before = await chat.retrieve(id)
    const {conversation: branch} = await chat.command({action: 'branch', id, message: first, model: 'bar-model'})
    expect([branch.model, before.model]).toEqual(['bar-model', 'foo-model'])
    const next = await chat.exchange({question: 'two', id: branch.id, model: 'bar-model'}, 'another second')
    expect(next.prompt).toEqual(['Be brief.', 'one', 'first', 'two'])
    expect((await chat.retrieve(branch.id)).model).toBe('bar-model')
    expect(await chat.retrieve(id)).toEqual(before)
  })

  test('without a message begins with nothing but the instructions', async () => {
    const {id} = await chat.exchange({question: 'one', preset: 'Be brief.'}, 'first')
    const {conversation: branch} = await chat.command({action: 'branch', id, model: 'bar-model', title: 'one (branch)'})
    expect([branch.messages, branch.model, branch.title]).toEqual([[], 'bar-model', 'one (branch)'])
    const next = await chat.exchange({question: 'one', id: branch.id, model: 'bar-model'}, 'another first')
    expect(next.prompt).toEqual(['Be brief.', 'one'])
    expect((await chat.command({action: 'branch', id, model: ''})).status).toBe(400)
  })

  test('can be of the longest conversation that an import may make', async () => {
    const whole = Array.from({length: mostImportMessages}, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index}`,
      parent: index === 0 ? null : index - 1,
    }))
    const item = {source: 'atrium', source_id: randomUUID(), model: 'foo-model', from: 0, total: whole.length}
    const response = await post(chat.on, chat.asker, {action: 'import', items: [{...item, messages: whole}]})
    const [imported] = importAnswer.parse(await response.json()).items
    const id = imported?.id ?? ''
    const message = idOf((await chat.retrieve(id)).messages.at(-1))
    const branch = await chat.command({action: 'branch', id, message})
    expect(branch.status).toBe(200)
    expect(texts(branch.conversation)).toEqual(whole.map(({content}) => content))
  })

  test('under the same key is the same one, as it is now; the key of another one is refused', async () => {
    const {id, message} = await chat.exchange({question: 'one'}, 'first')
    const headers = {'idempotency-key': `branch-${randomUUID()}`}
    const branchAgain = async (more: object = {}) => {
      const body = {action: 'branch', id, message, model: 'bar-model', title: 'one (branch)', ...more}
      const response = await post(chat.on, chat.asker, body, {headers})
      // as: the body of a 200 is a conversation; of a refusal only the status is read
      const branch = (await response.json()) as Conversation
      return {status: response.status, isReplay: response.headers.get('idempotent-replay'), branch}
    }
    const made = await Promise.all([branchAgain(), branchAgain()])
    expect(new Set(made.map(({branch}) => branch.id)).size).toBe(1)
    expect(made.map(({isReplay}) => isReplay === null).sort()).toEqual([false, true])
    const branchId = made[0].branch.id
    await chat.exchange({question: 'two', id: branchId, model: 'bar-model'}, 'second')
    const replay = await branchAgain({title: 'another title'})
    expect([replay.isReplay, texts(replay.branch)]).toEqual(['true', ['one', 'first', 'two', 'second']])
    expect((await branchAgain({model: 'foo-model'})).status).toBe(422)
    expect((await chat.command({action: 'delete', id: branchId})).status).toBe(200)
    expect((await branchAgain()).status).toBe(404)
    const stranger = await createAsker(chat.on)
    expect((await post(chat.on, stranger, {action: 'branch', id, message}, {headers})).status).toBe(404)
  })
})
