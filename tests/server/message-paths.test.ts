import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {conversationPath} from '#contract/conversation-path.ts'
import {createAsker, ask, headOf, openStream} from './ai.harness.ts'
import {idOf, openConversations, texts} from './message-versions.harness.ts'

let chat: Awaited<ReturnType<typeof openConversations>>
beforeAll(async () => {
  chat = await openConversations()
})
afterAll(() => chat.close())

describe('a path that is read and not chosen', () => {
  test('is that through the message, with its versions, and leaves the conversation as it is', async () => {
    const {id, first, two, again} = await chat.answeredAgain()
    const before = await chat.retrieve(id)
    const {conversation: read} = await chat.command({action: 'retrieve', id, message: first})
    expect(texts(read)).toEqual(['one', 'first', 'two', 'second'])
    expect(read.messages[1]?.versions).toEqual([first, again.message])
    expect(conversationPath.parse(read).chosen).toBe(false)
    const {conversation: deeper} = await chat.command({action: 'retrieve', id, message: two})
    expect(deeper).toEqual(read)
    expect(await chat.retrieve(id)).toEqual(before)
  })

  test('a message of the current path answers that path as ever', async () => {
    const {id, one, again} = await chat.answeredAgain()
    const chosen = await chat.retrieve(id)
    for (const message of [one, again.message])
      expect((await chat.command({action: 'retrieve', id, message})).conversation).toEqual(chosen)
    expect(chosen).not.toHaveProperty('chosen')
  })

  test('a message of another conversation or user, or of none, is not found', async () => {
    const {id, first} = await chat.answeredAgain()
    const other = await chat.exchange({question: 'elsewhere'}, 'foo')
    const stranger = await createAsker(chat.on)
    const statuses = await Promise.all([
      chat.command({action: 'retrieve', id, message: other.message}),
      chat.command({action: 'retrieve', id, message: randomUUID()}),
      chat.command({action: 'retrieve', id, message: 'foo'}),
      chat.command({action: 'retrieve', id, message: first}, stranger),
    ])
    expect(statuses.map(({status}) => status)).toEqual([404, 404, 404, 404])
  })
})

describe('a question that names the message it follows', () => {
  test('goes on with the path of that message, which is chosen with it', async () => {
    const {id, second, again} = await chat.answeredAgain()
    const next = await chat.exchange({question: 'three', id, after: second}, 'third')
    expect(next.prompt).toEqual(['one', 'first', 'two', 'second', 'three'])
    const shown = await chat.retrieve(id)
    expect(texts(shown)).toEqual(['one', 'first', 'two', 'second', 'three', 'third'])
    const other = await chat.command({action: 'select', id, message: again.message})
    expect(texts(other.conversation)).toEqual(['one', 'other'])
  })

  test('in the middle of a path it is a version of the question that followed', async () => {
    const {id, first, two} = await chat.answeredAgain()
    const next = await chat.exchange({question: 'zwei', id, after: first}, 'zweite')
    const shown = await chat.retrieve(id)
    expect(texts(shown)).toEqual(['one', 'first', 'zwei', 'zweite'])
    expect(shown.messages[2]?.versions).toEqual([two, next.question])
  })

  test('a message that is not of this conversation is refused by name, and nothing is chosen', async () => {
    const {id, second} = await chat.answeredAgain()
    const other = await chat.exchange({question: 'elsewhere'}, 'foo')
    const before = await chat.retrieve(id)
    for (const body of [
      {question: 'three', id, after: other.message},
      {question: 'three', id, after: randomUUID()},
      {question: 'three', after: second},
    ]) {
      const response = await ask(chat.on, chat.asker, body)
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({error: expect.objectContaining({code: 'not_found', field: 'after'})}),
      ])
    }
    expect(await chat.retrieve(id)).toEqual(before)
  })

  test('a question that is refused chooses nothing', async () => {
    const {id, second} = await chat.answeredAgain()
    const response = await ask(chat.on, chat.asker, {question: 'three', id, after: second, model: 'unknown'})
    expect(response.status).toBe(400)
    expect(texts(await chat.retrieve(id))).toEqual(['one', 'other'])
  })

  test('while an answer of another path runs it waits for its end', async () => {
    const {id, second, again} = await chat.answeredAgain()
    const stream = openStream(await ask(chat.on, chat.asker, {question: 'more', id}))
    const turn = await chat.model.next()
    turn.say('foo')
    await headOf(stream)
    expect((await ask(chat.on, chat.asker, {question: 'three', id, after: second})).status).toBe(409)
    turn.finish()
    await stream.rest()
    expect(idOf((await chat.retrieve(id)).messages[1])).toBe(again.message)
  })
})
