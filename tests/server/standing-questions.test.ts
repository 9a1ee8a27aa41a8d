import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {usages} from '#server/store/schema/credits.ts'
import {answers} from '#server/store/schema/chat.ts'
import {ask, balanceOf, createAsker, headOf, openStream, post} from './ai.harness.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

/* A question that nothing answers is answered as it stands (`answer_to`, docs/decisions/0208). */

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

/** A conversation of two questions, of which the last has lost its answer. */
async function unanswered() {
  const {id, message: first, question: one} = await chat.exchange({question: 'one'}, 'first')
  const {message: second, question: two} = await chat.exchange({question: 'two', id}, 'second')
  await chat.command({action: 'remove', id, message: second})
  return {id, one, first, two, body: {question: 'two', id, answer_to: two}}
}

const answersOf = (id: string) =>
  chat.on.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answers).where(eq(answers.conversationId, id)),
  )
const refusal = async (body: object, user = chat.asker) => {
  const response = await post(chat.on, user, {question: 'x', model: 'foo-model', ...body})
  const {error} = await response.json()
  return [response.status, error.code, error.field]
}

describe('a question that nothing answers', () => {
  test('is answered as it stands: no version of it appears, and the model reads it once', async () => {
    const {id, two, body} = await unanswered()
    const before = (await chat.retrieve(id)).messages
    const given = await chat.exchange({...body, question: 'other words'}, 'again')
    expect([given.question, given.prompt]).toEqual([two, ['one', 'first', 'two']])
    const {messages} = await chat.retrieve(id)
    expect(messages.slice(0, 3)).toEqual(before)
    expect([messages.length, messages[3]?.content, messages[3]?.versions]).toEqual([4, 'again', undefined])
    expect((await chat.exchange({question: 'three', id}, 'third')).prompt).toEqual([
      'one',
      'first',
      'two',
      'again',
      'three',
    ])
  })

  test('at the end of a branch too, by another model, which the conversation does not take over', async () => {
    const {id, question} = await chat.exchange({question: 'one'}, 'first')
    const {conversation: branch} = await chat.command({action: 'branch', id, message: question})
    const end = idOf(branch.messages[0])
    await chat.exchange({question: 'one', id: branch.id, answer_to: end, model: 'bar-model'}, 'primo')
    const answered = await chat.retrieve(branch.id)
    expect([texts(answered), answered.messages[1]?.model, answered.model]).toEqual([
      ['one', 'primo'],
      'bar-model',
      branch.model,
    ])
    expect(answered.messages[0]?.versions).toBeUndefined()
  })

  test('is answered once for two pages that ask at the same time, and charged once', async () => {
    const own = await createAsker(chat.on)
    const {id, message, question} = await chat.exchange({question: 'one'}, 'first', own)
    await chat.command({action: 'remove', id, message}, own)
    const before = await balanceOf(chat.on, own)
    const body = {question: 'one', id, answer_to: question}
    const keys = [{'idempotency-key': randomUUID()}, {'idempotency-key': randomUUID()}]
    const streams = (await Promise.all(keys.map((key) => ask(chat.on, own, body, key)))).map((response) =>
      openStream(response),
    )
    const turn = await chat.model.next()
    turn.say('once')
    turn.usage(1_000, 0)
    turn.finish()
    const heads = await Promise.all(streams.map(headOf))
    expect(heads[1]).toEqual(heads[0])
    const ends = await Promise.all(streams.map((stream) => stream.rest()))
    expect(ends[1]).toEqual(ends[0])
    expect(await answersOf(id)).toHaveLength(1)
    const after = await balanceOf(chat.on, own)
    expect(Number(before.remaining) - Number(after.remaining)).toBeCloseTo(0.01, 6)
    const charged = await chat.on.server.deps.database.asSystem((transaction) =>
      transaction.select().from(usages).where(eq(usages.userId, own.userId)),
    )
    expect(charged).toHaveLength(2)
    // the key of the page that came second stands for the same answer
    const replays = await Promise.all(keys.map(async (key) => headOf(openStream(await ask(chat.on, own, body, key)))))
    expect(replays).toEqual(heads)
  })

  test('that has an answer meanwhile gives that one, whatever page and model asks', async () => {
    const {id, body} = await unanswered()
    const {message} = await chat.exchange(body, 'given')
    const response = await ask(chat.on, chat.asker, {...body, model: 'bar-model'})
    expect(response.headers.get('idempotent-replay')).toBe('true')
    const stream = openStream(response)
    expect(await headOf(stream)).toMatchObject({message})
    expect(JSON.stringify(await stream.rest())).toContain('given')
    expect((await chat.retrieve(id)).messages).toHaveLength(4)
  })

  test('whose answer failed meanwhile has another one beside it', async () => {
    const {id, body} = await unanswered()
    const stream = openStream(await ask(chat.on, chat.asker, body))
    const turn = await chat.model.next()
    turn.say('half')
    turn.fail(new Error('foo'))
    await stream.rest()
    await chat.exchange(body, 'whole')
    const {messages} = await chat.retrieve(id)
    expect([messages[3]?.content, messages[3]?.versions?.length, messages[2]?.versions]).toEqual([
      'whole',
      2,
      undefined,
    ])
  })

  test('whose answer was cut off has that one as a version', async () => {
    const {id, question} = await chat.exchange({question: 'one'}, 'first')
    const {messages} = await chat.retrieve(id)
    await chat.command({action: 'update', id, messages: messages.slice(0, 1)})
    await chat.exchange({question: 'one', id, answer_to: question}, 'other')
    const answered = await chat.retrieve(id)
    expect([texts(answered), answered.messages[1]?.versions?.length]).toEqual([['one', 'other'], 2])
  })

  test('on another path gives the answer that was last shown there, not a newer one that failed', async () => {
    const {id, one, body} = await unanswered()
    const {message} = await chat.exchange(body, 'given')
    const stream = openStream(await ask(chat.on, chat.asker, {question: 'two', id, version_of: message}))
    const turn = await chat.model.next()
    turn.say('half')
    turn.fail(new Error('foo'))
    await stream.rest()
    await chat.command({action: 'select', id, message})
    await chat.exchange({question: 'uno', id, version_of: one}, 'primo')
    const response = await ask(chat.on, chat.asker, body)
    expect(response.headers.get('idempotent-replay')).toBe('true')
    expect(await headOf(openStream(response))).toMatchObject({message})
  })

  test('on a path that is not the current one is answered there, and its path is current then', async () => {
    const {id, one, two, body} = await unanswered()
    await chat.exchange({question: 'uno', id, version_of: one}, 'primo')
    await chat.exchange(body, 'again')
    const shown = await chat.retrieve(id)
    expect([texts(shown), idOf(shown.messages[2])]).toEqual([['one', 'first', 'two', 'again'], two])
  })

  test('is the same answer when the request is repeated with its key, and refused with another one', async () => {
    const {id, body} = await unanswered()
    const key = {'idempotency-key': randomUUID()}
    const once = openStream(await ask(chat.on, chat.asker, body, key))
    const turn = await chat.model.next()
    const again = openStream(await ask(chat.on, chat.asker, body, key))
    turn.finish()
    expect(await headOf(again)).toEqual(await headOf(once))
    await Promise.all([once.rest(), again.rest()])
    expect((await ask(chat.on, chat.asker, {question: 'two', id}, key)).status).toBe(422)
    expect((await chat.retrieve(id)).messages).toHaveLength(4)
  })

  test('is refused where the history went on, while another is answered, and where it is none', async () => {
    const {id, one, first, two, body} = await unanswered()
    expect(await refusal({id, answer_to: first})).toEqual([404, 'not_found', 'answer_to'])
    expect(await refusal({answer_to: two})).toEqual([404, 'not_found', 'answer_to'])
    const stream = openStream(await ask(chat.on, chat.asker, {question: 'uno', id, version_of: one}))
    const turn = await chat.model.next()
    expect(await refusal(body)).toEqual([409, 'duplication', undefined])
    turn.finish()
    await stream.rest()
    await chat.command({action: 'select', id, message: two})
    await chat.exchange({question: 'three', id}, 'third')
    expect(await refusal(body)).toEqual([409, 'duplication', undefined])
    expect(texts(await chat.retrieve(id))).toEqual(['one', 'first', 'two', 'three', 'third'])
  })

  test('is of its user alone: the same 404 for every other user, and nothing changes', async () => {
    const {id, two} = await unanswered()
    const before = await chat.retrieve(id)
    const stranger = await createAsker(chat.on)
    expect(await refusal({id, answer_to: two}, stranger)).toEqual([404, 'not_found', undefined])
    const {id: other} = await chat.exchange({question: 'mine'}, 'x', stranger)
    expect(await refusal({id: other, answer_to: two}, stranger)).toEqual([404, 'not_found', 'answer_to'])
    expect(await chat.retrieve(id)).toEqual(before)
  })
})
