import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {exportAnswer} from '#contract/imports.ts'
import {ask, createAsker, headOf, openStream, post} from './ai.harness.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

describe('versions of messages', () => {
  test('an answer that is given again joins the old one, which keeps what followed it', async () => {
    const {id, one, first, second, again} = await chat.answeredAgain()
    expect(again.prompt).toEqual(['one'])
    expect(again.question).toBe(one)
    const shown = await chat.retrieve(id)
    expect(texts(shown)).toEqual(['one', 'other'])
    expect(shown.messages[1]?.versions).toEqual([first, again.message])
    expect(shown.messages[0]?.versions).toBeUndefined()
    const older = await chat.command({action: 'select', id, message: first})
    expect(texts(older.conversation)).toEqual(['one', 'first', 'two', 'second'])
    expect(older.conversation.messages[1]?.versions).toEqual([first, again.message])
    expect(older.conversation).toEqual(await chat.retrieve(id))
    const next = await chat.exchange({question: 'three', id}, 'third')
    expect(next.prompt).toEqual(['one', 'first', 'two', 'second', 'three'])
    const newest = await chat.command({action: 'select', id, message: again.message})
    expect(texts(newest.conversation)).toEqual(['one', 'other'])
    expect(idOf((await chat.command({action: 'select', id, message: second})).conversation.messages.at(-1))).toBe(
      next.message,
    )
  })

  test('a version that is read leaves the conversation where it is in the list; one that is written does not', async () => {
    const read = await chat.answeredAgain()
    const newer = await chat.exchange({question: 'newer'}, 'newest')
    const topTwo = async () => {
      const response = await post(chat.on, chat.asker, {action: 'retrieve_batch', limit: 2})
      // as: the body of a 200 is a list
      return ((await response.json()) as {items: {id: string}[]}).items.map(({id}) => id)
    }
    const older = await chat.command({action: 'select', id: read.id, message: read.first})
    expect(texts(older.conversation)).toEqual(['one', 'first', 'two', 'second'])
    expect(await topTwo()).toEqual([newer.id, read.id])
    await chat.command({action: 'edit', id: read.id, message: read.one, question: 'uno'})
    expect(await topTwo()).toEqual([read.id, newer.id])
  })

  test('a changed question joins the old one, also the first; another model answers as itself', async () => {
    const {id, question: one} = await chat.exchange({question: 'one'}, 'first')
    const changed = await chat.exchange({question: 'uno', id, version_of: one, model: 'bar-model'}, 'primo')
    expect(changed.prompt).toEqual(['uno'])
    const {messages: shown} = await chat.retrieve(id)
    expect(shown.map(({content, model: by}) => [content, by])).toEqual([
      ['uno', undefined],
      ['primo', 'bar-model'],
    ])
    expect(shown[0]?.versions).toEqual([one, changed.question])
  })

  test('a model that answers again leaves that of the conversation as it is; a question sets it', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    const own = (await chat.retrieve(id)).model
    expect(own).not.toBe('bar-model')
    await chat.exchange({question: 'one', id, version_of: first, model: 'bar-model'}, 'other')
    const again = await chat.retrieve(id)
    expect([again.model, again.messages[1]?.model]).toEqual([own, 'bar-model'])
    await chat.exchange({question: 'two', id, model: 'bar-model'}, 'second')
    expect((await chat.retrieve(id)).model).toBe('bar-model')
  })

  test('a message says when it was asked, and an answer how long its reasoning took', async () => {
    const before = Math.floor(Date.now() / 1_000)
    const {id} = await chat.exchange({question: 'one'}, '<think>hm</think>first')
    await chat.exchange({question: 'two', id}, 'second')
    const {messages: shown} = await chat.retrieve(id)
    expect(shown.map(({thought_ms: thought}) => typeof thought)).toEqual([
      'undefined',
      'number',
      'undefined',
      'undefined',
    ])
    for (const {created_at: at} of shown) expect(Math.abs((at ?? 0) - before)).toBeLessThan(600)
  })

  test('a message that is JSON is the text that was written, for its reader, the model, a branch and an export', async () => {
    const written = ['42', '{"foo": 1}', '"quoted"', '[{"type": "text", "text": "bar"}]', 'true', 'null']
    const {id} = await chat.exchange({question: written[0]}, written[1] ?? '')
    await chat.exchange({question: written[2], id}, written[3] ?? '')
    const {message} = await chat.exchange({question: written[4], id}, written[5] ?? '')
    expect(texts(await chat.retrieve(id))).toEqual(written)
    const {conversation: branch} = await chat.command({action: 'branch', id, message})
    expect(texts(branch)).toEqual(written)
    const next = await chat.exchange({question: '7', id: branch.id}, 'end')
    expect(next.prompt).toEqual([...written, '7'])
    const response = await post(chat.on, chat.asker, {action: 'export', ids: [id]})
    const {items} = exportAnswer.parse(await response.json())
    expect(items[0]?.messages.map(({content}) => content)).toEqual(written)
  })

  test('a failed answer is a version too', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    const stream = openStream(await ask(chat.on, chat.asker, {question: 'one', id, version_of: first}))
    const turn = await chat.model.next()
    turn.say('half')
    turn.fail(new Error('foo'))
    await stream.rest()
    await chat.exchange({question: 'one', id, version_of: first}, 'third')
    const versions = (await chat.retrieve(id)).messages[1]?.versions
    expect(versions).toHaveLength(3)
    const failed = (await chat.command({action: 'select', id, message: versions?.[1]})).conversation.messages[1]
    expect([failed?.content, failed?.state]).toEqual(['half', 'failed'])
  })

  test('what a client cuts off is kept as a version of what it asks next', async () => {
    const {id, question: one} = await chat.exchange({question: 'one'}, 'first')
    await chat.command({action: 'update', id, messages: []})
    expect((await chat.retrieve(id)).messages).toEqual([])
    await chat.exchange({question: 'uno', id}, 'primo')
    const back = await chat.command({action: 'select', id, message: one})
    expect(texts(back.conversation)).toEqual(['one', 'first'])
  })

  test('a saved text is a version that takes along what follows, and keeps attachments', async () => {
    const file = 'https://foo.test/a.png'
    const {id, question: one} = await chat.exchange({question: 'one', references: [file]}, 'first')
    const saved = await chat.command({action: 'edit', id, message: one, question: 'uno '})
    expect(texts(saved.conversation)).toEqual([
      [
        {type: 'text', text: 'uno'},
        {type: 'image_url', image_url: file},
      ],
      'first',
    ])
    const versions = saved.conversation.messages[0]?.versions
    expect(versions).toEqual([one, idOf(saved.conversation.messages[0])])
    const old = await chat.command({action: 'select', id, message: one})
    expect(old.conversation.messages).toHaveLength(1)
    expect(
      (await chat.command({action: 'edit', id, message: idOf(saved.conversation.messages[1]), question: 'x'})).status,
    ).toBe(400)
  })

  test('a saved question has the files that are named with it, or none', async () => {
    const [file, other] = ['https://foo.test/a.png', 'https://foo.test/b.txt']
    const {id, question: one} = await chat.exchange({question: 'one', references: [file]}, 'first')
    const saved = await chat.command({action: 'edit', id, message: one, question: 'one', references: [other]})
    expect(texts(saved.conversation)).toEqual([
      [
        {type: 'text', text: 'one'},
        {type: 'file_url', file_url: other},
      ],
      'first',
    ])
    const message = idOf(saved.conversation.messages[0])
    const bare = await chat.command({action: 'edit', id, message, question: 'one', references: []})
    expect(texts(bare.conversation)).toEqual(['one', 'first'])
    const wrong = await chat.command({action: 'edit', id, message, question: 'one', references: ['foo']})
    expect(wrong.status).toBe(400)
  })

  test('an answer that others follow is given again, and they come back with the one before', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    await chat.exchange({question: 'two', id}, 'second')
    await chat.exchange({question: 'one', id, version_of: first}, 'primo')
    const shown = await chat.retrieve(id)
    expect(texts(shown)).toEqual(['one', 'primo'])
    expect(shown.messages[1]?.versions).toEqual([first, idOf(shown.messages[1])])
    const back = await chat.command({action: 'select', id, message: first})
    expect(texts(back.conversation)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('while an answer runs it goes on: only a message before it can be deleted', async () => {
    const {id, message: first, question: one} = await chat.exchange({question: 'one'}, 'first')
    const stream = openStream(await ask(chat.on, chat.asker, {question: 'two', id}))
    const turn = await chat.model.next()
    for (const body of [
      {action: 'select', id, message: first},
      {action: 'edit', id, message: one, question: 'x'},
      {question: 'one', model: 'foo-model', id, version_of: first},
    ])
      expect((await post(chat.on, chat.asker, body)).status).toBe(409)
    const [two, second] = (await chat.retrieve(id)).messages.slice(-2)
    for (const message of [two, second])
      expect((await post(chat.on, chat.asker, {action: 'remove', id, message: message?.id})).status).toBe(409)
    expect((await post(chat.on, chat.asker, {action: 'remove', id, message: one})).status).toBe(200)
    turn.say('second')
    turn.finish()
    await stream.rest()
    expect(texts(await chat.retrieve(id))).toEqual(['first', 'two', 'second'])
  })

  test('a request that is repeated with its key makes no second version', async () => {
    const {id, message: first} = await chat.exchange({question: 'one'}, 'first')
    const key = {'idempotency-key': randomUUID()}
    const body = {question: 'one', id, version_of: first}
    const once = openStream(await ask(chat.on, chat.asker, body, key))
    const turn = await chat.model.next()
    const again = openStream(await ask(chat.on, chat.asker, body, key))
    turn.finish()
    const head = await headOf(once)
    expect(await headOf(again)).toEqual(head)
    await once.rest()
    await again.rest()
    expect((await chat.retrieve(id)).messages[1]?.versions).toHaveLength(2)
    expect((await ask(chat.on, chat.asker, {question: 'one', id}, key)).status).toBe(422)
  })
})

test('of another user every change is the same 404, and nothing changes', async () => {
  const {id, message, question} = await chat.exchange({question: 'one'}, 'first')
  const before = await chat.retrieve(id)
  const stranger = await createAsker(chat.on)
  const own = (await chat.command({question: 'mine', model: 'nope'}, stranger)).status
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
    expect((await post(chat.on, stranger, body)).status).toBe(404)
  const {id: other, message: theirs} = await chat.exchange({question: 'other'}, 'x')
  // what is gone is named where a request names several: a client may ask without it
  const refuse = async (body: object) => {
    const response = await post(chat.on, chat.asker, {question: 'x', model: 'foo-model', ...body})
    return {status: response.status, body: await response.json()}
  }
  const missing = await refuse({id, version_of: theirs})
  expect(missing).toEqual({
    status: 404,
    body: {
      error: {code: 'not_found', field: 'version_of', message: 'There is nothing here, or it is not yours.'},
      trace_id: expect.any(String),
      success: false,
    },
  })
  const unknown = await refuse({id: randomUUID(), version_of: message})
  expect(unknown.body.error).not.toHaveProperty('field')
  for (const action of ['select', 'remove', 'branch'])
    expect((await post(chat.on, chat.asker, {action, id: other, message})).status).toBe(404)
  expect(await chat.retrieve(id)).toEqual(before)
})
