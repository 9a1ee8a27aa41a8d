import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ChatMessage, Conversation} from '#contract/chat.ts'
import {messages} from '#server/store/schema/chat.ts'
import {
  ask,
  createAiServer,
  createAsker,
  createScriptedProvider,
  headOf,
  openStream,
  post,
  type AiServer,
  type Asker,
} from './ai.harness.ts'
import {isFull} from '../long.ts'

const model = createScriptedProvider({}, ['foo-model', 'bar-model'])
let on: AiServer
let asker: Asker

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
  asker = await createAsker(on)
})
afterAll(() => on.close())

const command = async (body: object, who = asker) => {
  const response = await post(on, who, body)
  // as: the body of a 200 is a conversation; of a refusal only the status is read
  return {status: response.status, conversation: (await response.json()) as Conversation}
}
const retrieve = async (id: string) => (await command({action: 'retrieve', id})).conversation

/** A whole exchange; resolves when the answer is stored. */
async function exchange(body: Record<string, unknown>, text: string) {
  const stream = openStream(await ask(on, asker, body))
  const turn = await model.next()
  turn.say(text)
  turn.finish()
  const first = await stream.next()
  if (first === undefined || first.data === '[DONE]') throw new Error('no first frame')
  const {id, message, question} = first.data
  await stream.rest()
  return {
    id: String(id),
    message: String(message),
    question: String(question),
    prompt: turn.input.messages.map(({content}) => content),
  }
}

const texts = ({messages: path}: Conversation) => path.map(({content}) => content)
const idOf = (message: ChatMessage | undefined) => message?.id ?? ''

/** one → first → two → second, then `one` answered again as `other`. */
async function answeredAgain() {
  const {id, message: first, question: one} = await exchange({question: 'one'}, 'first')
  const {message: second, question: two} = await exchange({question: 'two', id}, 'second')
  const again = await exchange({question: 'one', id, version_of: first}, 'other')
  return {id, one, first, two, second, again}
}

describe('versions of messages', () => {
  test('an answer that is given again joins the old one, which keeps what followed it', async () => {
    const {id, one, first, second, again} = await answeredAgain()
    expect(again.prompt).toEqual(['one'])
    expect(again.question).toBe(one)
    const shown = await retrieve(id)
    expect(texts(shown)).toEqual(['one', 'other'])
    expect(shown.messages[1]?.versions).toEqual([first, again.message])
    expect(shown.messages[0]?.versions).toBeUndefined()
    const older = await command({action: 'select', id, message: first})
    expect(texts(older.conversation)).toEqual(['one', 'first', 'two', 'second'])
    expect(older.conversation.messages[1]?.versions).toEqual([first, again.message])
    expect(older.conversation).toEqual(await retrieve(id))
    const next = await exchange({question: 'three', id}, 'third')
    expect(next.prompt).toEqual(['one', 'first', 'two', 'second', 'three'])
    const newest = await command({action: 'select', id, message: again.message})
    expect(texts(newest.conversation)).toEqual(['one', 'other'])
    expect(idOf((await command({action: 'select', id, message: second})).conversation.messages.at(-1))).toBe(
      next.message,
    )
  })

  test('a changed question joins the old one, also the first; another model answers as itself', async () => {
    const {id, question: one} = await exchange({question: 'one'}, 'first')
    const changed = await exchange({question: 'uno', id, version_of: one, model: 'bar-model'}, 'primo')
    expect(changed.prompt).toEqual(['uno'])
    const {messages: shown} = await retrieve(id)
    expect(shown.map(({content, model: by}) => [content, by])).toEqual([
      ['uno', undefined],
      ['primo', 'bar-model'],
    ])
    expect(shown[0]?.versions).toEqual([one, changed.question])
  })

  test('a model that answers again leaves that of the conversation as it is; a question sets it', async () => {
    const {id, message: first} = await exchange({question: 'one'}, 'first')
    const own = (await retrieve(id)).model
    expect(own).not.toBe('bar-model')
    await exchange({question: 'one', id, version_of: first, model: 'bar-model'}, 'other')
    const again = await retrieve(id)
    expect([again.model, again.messages[1]?.model]).toEqual([own, 'bar-model'])
    await exchange({question: 'two', id, model: 'bar-model'}, 'second')
    expect((await retrieve(id)).model).toBe('bar-model')
  })

  test('a message says when it was asked, and an answer how long its reasoning took', async () => {
    const before = Math.floor(Date.now() / 1_000)
    const {id} = await exchange({question: 'one'}, '<think>hm</think>first')
    await exchange({question: 'two', id}, 'second')
    const {messages: shown} = await retrieve(id)
    expect(shown.map(({thought_ms: thought}) => typeof thought)).toEqual([
      'undefined',
      'number',
      'undefined',
      'undefined',
    ])
    for (const {created_at: at} of shown) expect(Math.abs((at ?? 0) - before)).toBeLessThan(600)
  })

  test('a failed answer is a version too', async () => {
    const {id, message: first} = await exchange({question: 'one'}, 'first')
    const stream = openStream(await ask(on, asker, {question: 'one', id, version_of: first}))
    const turn = await model.next()
    turn.say('half')
    turn.fail(new Error('foo'))
    await stream.rest()
    await exchange({question: 'one', id, version_of: first}, 'third')
    const versions = (await retrieve(id)).messages[1]?.versions
    expect(versions).toHaveLength(3)
    const failed = (await command({action: 'select', id, message: versions?.[1]})).conversation.messages[1]
    expect(failed).toMatchObject({content: 'half', state: 'failed'})
  })

  test('what a client cuts off is kept as a version of what it asks next', async () => {
    const {id, question: one} = await exchange({question: 'one'}, 'first')
    await command({action: 'update', id, messages: []})
    expect((await retrieve(id)).messages).toEqual([])
    await exchange({question: 'uno', id}, 'primo')
    const back = await command({action: 'select', id, message: one})
    expect(texts(back.conversation)).toEqual(['one', 'first'])
  })

  test('a saved text is a version that takes along what follows, and keeps attachments', async () => {
    const file = 'https://foo.test/a.png'
    const {id, question: one} = await exchange({question: 'one', references: [file]}, 'first')
    const saved = await command({action: 'edit', id, message: one, question: 'uno '})
    expect(texts(saved.conversation)).toEqual([
      [
        {type: 'text', text: 'uno'},
        {type: 'image_url', image_url: file},
      ],
      'first',
    ])
    const versions = saved.conversation.messages[0]?.versions
    expect(versions).toEqual([one, idOf(saved.conversation.messages[0])])
    const old = await command({action: 'select', id, message: one})
    expect(old.conversation.messages).toHaveLength(1)
    expect(
      (await command({action: 'edit', id, message: idOf(saved.conversation.messages[1]), question: 'x'})).status,
    ).toBe(400)
  })

  test('while an answer runs it goes on: only a message before it can be deleted', async () => {
    const {id, message: first, question: one} = await exchange({question: 'one'}, 'first')
    const stream = openStream(await ask(on, asker, {question: 'two', id}))
    const turn = await model.next()
    for (const body of [
      {action: 'select', id, message: first},
      {action: 'edit', id, message: one, question: 'x'},
      {question: 'one', model: 'foo-model', id, version_of: first},
    ])
      expect((await post(on, asker, body)).status).toBe(409)
    const [two, second] = (await retrieve(id)).messages.slice(-2)
    for (const message of [two, second])
      expect((await post(on, asker, {action: 'remove', id, message: message?.id})).status).toBe(409)
    expect((await post(on, asker, {action: 'remove', id, message: one})).status).toBe(200)
    turn.say('second')
    turn.finish()
    await stream.rest()
    expect(texts(await retrieve(id))).toEqual(['first', 'two', 'second'])
  })

  test('a request that is repeated with its key makes no second version', async () => {
    const {id, message: first} = await exchange({question: 'one'}, 'first')
    const key = {'idempotency-key': randomUUID()}
    const body = {question: 'one', id, version_of: first}
    const once = openStream(await ask(on, asker, body, key))
    const turn = await model.next()
    const again = openStream(await ask(on, asker, body, key))
    turn.finish()
    const head = await headOf(once)
    expect(await headOf(again)).toEqual(head)
    await once.rest()
    await again.rest()
    expect((await retrieve(id)).messages[1]?.versions).toHaveLength(2)
    expect((await ask(on, asker, {question: 'one', id}, key)).status).toBe(422)
  })
})

describe('a deleted message', () => {
  test('is gone; what follows it stays, and the model no longer reads it', async () => {
    const {id, message: first} = await exchange({question: 'one'}, 'first')
    await exchange({question: 'two', id}, 'second')
    const removed = await command({action: 'remove', id, message: first})
    expect(texts(removed.conversation)).toEqual(['one', 'two', 'second'])
    const next = await exchange({question: 'three', id}, 'third')
    expect(next.prompt).toEqual(['one', 'two', 'second', 'three'])
    const rows = await on.server.deps.database.asSystem((transaction) =>
      transaction.select().from(messages).where(eq(messages.id, first)),
    )
    expect(rows).toEqual([])
    expect((await command({action: 'remove', id, message: first})).status).toBe(404)
  })

  test('gives its room to the version next to it, with all that follows either', async () => {
    const {id, first, again} = await answeredAgain()
    await exchange({question: 'three', id}, 'third')
    const removed = await command({action: 'remove', id, message: again.message})
    expect(texts(removed.conversation)).toEqual(['one', 'first', 'three', 'third'])
    expect(removed.conversation.messages[1]).toMatchObject({id: first})
    expect(removed.conversation.messages[1]?.versions).toBeUndefined()
    const other = removed.conversation.messages[2]?.versions?.[0]
    const back = await command({action: 'select', id, message: other})
    expect(texts(back.conversation)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('a random series of changes never breaks the one current path', async () => {
    const {id} = await exchange({question: 'a'}, 'b')
    await exchange({question: 'c', id}, 'd')
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const done = {ask: 0, remove: 0, select: 0, edit: 0, again: 0}
    for (let step = 0; step < (isFull ? 60 : 30); step += 1) {
      const path = (await retrieve(id)).messages
      const message = path[random(path.length)]
      const kind = random(5)
      if (message === undefined || kind === 0) {
        done.ask += 1
        await exchange({question: `q${step}`, id}, `a${step}`)
      } else if (kind === 1 && path.length > 3) {
        done.remove += 1
        await command({action: 'remove', id, message: message.id})
      } else if (kind === 2) {
        const other = message.versions?.find((version) => version !== message.id)
        if (other === undefined) continue
        done.select += 1
        expect((await command({action: 'select', id, message: other})).status).toBe(200)
      } else if (kind === 3 && message.role === 'user') {
        done.edit += 1
        expect((await command({action: 'edit', id, message: message.id, question: `e${step}`})).status).toBe(200)
      } else if (message.role === 'user') {
        done.again += 1
        await exchange({question: `v${step}`, id, version_of: message.id}, `b${step}`)
      }
      const rows = await on.server.deps.database.asSystem((transaction) =>
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
    const {id, message: first} = await exchange({question: 'one'}, 'first')
    await exchange({question: 'two', id}, 'second')
    const before = await retrieve(id)
    const {conversation: branch} = await command({action: 'branch', id, message: first, title: 'one (branch)'})
    expect(branch.title).toBe('one (branch)')
    expect(branch.id).not.toBe(id)
    expect(texts(branch)).toEqual(['one', 'first'])
    const next = await exchange({question: 'three', id: branch.id}, 'third')
    expect(next.prompt).toEqual(['one', 'first', 'three'])
    expect(await retrieve(id)).toEqual(before)
    expect((await command({action: 'delete', id})).status).toBe(200)
    expect(texts(await retrieve(branch.id))).toEqual(['one', 'first', 'three', 'third'])
  })

  test('can be of another model, which answers there while the origin stays as it is', async () => {
    const {id, message: first} = await exchange({question: 'one', preset: 'Be brief.'}, 'first')
    await exchange({question: 'two', id}, 'second')
    const before = await retrieve(id)
    const {conversation: branch} = await command({action: 'branch', id, message: first, model: 'bar-model'})
    expect([branch.model, before.model]).toEqual(['bar-model', 'foo-model'])
    const next = await exchange({question: 'two', id: branch.id, model: 'bar-model'}, 'another second')
    expect(next.prompt).toEqual(['Be brief.', 'one', 'first', 'two'])
    expect((await retrieve(branch.id)).model).toBe('bar-model')
    expect(await retrieve(id)).toEqual(before)
  })

  test('without a message begins with nothing but the instructions', async () => {
    const {id} = await exchange({question: 'one', preset: 'Be brief.'}, 'first')
    const {conversation: branch} = await command({action: 'branch', id, model: 'bar-model', title: 'one (branch)'})
    expect([branch.messages, branch.model, branch.title]).toEqual([[], 'bar-model', 'one (branch)'])
    const next = await exchange({question: 'one', id: branch.id, model: 'bar-model'}, 'another first')
    expect(next.prompt).toEqual(['Be brief.', 'one'])
    expect((await command({action: 'branch', id, model: ''})).status).toBe(400)
  })

  test('under the same key is the same one, as it is now; the key of another one is refused', async () => {
    const {id, message} = await exchange({question: 'one'}, 'first')
    const headers = {'idempotency-key': `branch-${randomUUID()}`}
    const branchAgain = async (more: object = {}) => {
      const body = {action: 'branch', id, message, model: 'bar-model', title: 'one (branch)', ...more}
      const response = await post(on, asker, body, {headers})
      // as: the body of a 200 is a conversation; of a refusal only the status is read
      const branch = (await response.json()) as Conversation
      return {status: response.status, isReplay: response.headers.get('idempotent-replay'), branch}
    }
    const made = await Promise.all([branchAgain(), branchAgain()])
    expect(new Set(made.map(({branch}) => branch.id)).size).toBe(1)
    expect(made.map(({isReplay}) => isReplay === null).sort()).toEqual([false, true])
    const branchId = made[0].branch.id
    await exchange({question: 'two', id: branchId, model: 'bar-model'}, 'second')
    const replay = await branchAgain({title: 'another title'})
    expect([replay.isReplay, texts(replay.branch)]).toEqual(['true', ['one', 'first', 'two', 'second']])
    expect((await branchAgain({model: 'foo-model'})).status).toBe(422)
    expect((await command({action: 'delete', id: branchId})).status).toBe(200)
    expect((await branchAgain()).status).toBe(404)
    const stranger = await createAsker(on)
    expect((await post(on, stranger, {action: 'branch', id, message}, {headers})).status).toBe(404)
  })
})

test('of another user every change is the same 404, and nothing changes', async () => {
  const {id, message, question} = await exchange({question: 'one'}, 'first')
  const before = await retrieve(id)
  const stranger = await createAsker(on)
  const own = (await command({question: 'mine', model: 'nope'}, stranger)).status
  expect(own).toBe(400)
  for (const body of [
    {action: 'select', id, message},
    {action: 'edit', id, message: question, question: 'x'},
    {action: 'remove', id, message},
    {action: 'branch', id, message},
    {action: 'branch', id, model: 'bar-model'},
    {question: 'x', model: 'foo-model', id, version_of: message},
    {question: 'x', model: 'foo-model', version_of: message},
  ])
    expect((await post(on, stranger, body)).status).toBe(404)
  const {id: other, message: theirs} = await exchange({question: 'other'}, 'x')
  // what is gone is named where a request names several: a client may ask without it
  const missing = await post(on, asker, {question: 'x', model: 'foo-model', id, version_of: theirs})
  expect([missing.status, await missing.json()]).toMatchObject([404, {error: {code: 'not_found', field: 'version_of'}}])
  const unknown = {question: 'x', model: 'foo-model', id: randomUUID(), version_of: message}
  expect((await (await post(on, asker, unknown)).json()).error).not.toHaveProperty('field')
  for (const action of ['select', 'remove', 'branch'])
    expect((await post(on, asker, {action, id: other, message})).status).toBe(404)
  expect(await retrieve(id)).toEqual(before)
})
