import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Conversation} from '#contract/chat.ts'
import {conversations} from '#server/store/schema/chat.ts'
import {createAiServer, createAsker, post, type AiServer, type Asker} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

let on: AiServer

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], config: {limitFactor: 100}})
})
afterAll(() => on.close())

/** Conversations of a user, straight into the database. */
const insert = async ({userId}: Asker, count: number): Promise<string[]> => {
  const rows = await on.server.deps.database.asUser(userId, (transaction) =>
    transaction
      .insert(conversations)
      .values(Array.from({length: count}, () => ({userId, model: 'foo', updatedAt: new Date(1_700_000_000_000)})))
      .returning({id: conversations.id}),
  )
  return rows.map(({id}) => id)
}

const retrieve = async (asker: Asker, id: string): Promise<Conversation> =>
  // as: the contract tests check this answer
  (await (await post(on, asker, {action: 'retrieve', id})).json()) as Conversation

const unmarked = {
  model: 'foo',
  messages: [],
  updated_at: 1_700_000_000,
  pinned: false,
  archived: false,
  labels: [],
}

describe('marks', () => {
  test('are kept for several conversations at once; what is not sent stays, and so does the time of the last change', async () => {
    const asker = await createAsker(on)
    const [a = '', b = ''] = await insert(asker, 2)
    expect(await retrieve(asker, a)).toEqual({...unmarked, id: a})
    const items = [
      {id: a, pinned: true, labels: [' work ', 'work', 'Cafe\u0301']},
      {id: b, archived: true},
    ]
    const answer = await post(on, asker, {action: 'mark', items})
    expect(answer.status).toBe(200)
    const {items: marked} = (await answer.json()) as {items: {id: string}[]}
    expect(marked.find(({id}) => id === a)).toEqual({id: a, pinned: true, archived: false, labels: ['work', 'Café']})
    await post(on, asker, {action: 'mark', items: [{id: a, archived: true}]})
    expect(await retrieve(asker, a)).toEqual({
      pinned: true,
      archived: true,
      labels: ['work', 'Café'],
      updated_at: 1_700_000_000,
      id: expect.any(String),
      model: 'foo',
      messages: [],
    })
    expect(await retrieve(asker, b)).toEqual({...unmarked, id: b, archived: true})
  })

  test("of another user's conversation are not made, as of one that is not there", async () => {
    const [owner, other] = [await createAsker(on), await createAsker(on)]
    const [id = ''] = await insert(owner, 1)
    const missing = '3f2f9a9e-0000-4000-8000-000000000000'
    const mark = async (of: string) => {
      const answer = await post(on, other, {action: 'mark', items: [{id: of, pinned: true}]})
      return [answer.status, await answer.json()]
    }
    expect(await mark(id)).toEqual([200, {items: []}])
    expect(await mark(id)).toEqual(await mark(missing))
    expect(await retrieve(owner, id)).toEqual({...unmarked, id})
  })

  test.each([
    ['no conversation', []],
    ['too many', Array.from({length: 101}, () => ({id: 'a'}))],
    ['a label without a name', [{id: 'a', labels: [' ']}]],
    ['a label that is too long', [{id: 'a', labels: ['x'.repeat(51)]}]],
    ['too many labels', [{id: 'a', labels: Array.from({length: 21}, (_, index) => `l${index}`)}]],
    ['another key', [{id: 'a', title: 'foo'}]],
  ])('with %s are refused', async (_, items) => {
    expect((await post(on, await createAsker(on), {action: 'mark', items})).status).toBe(400)
  })
})

describe('a label of many conversations', () => {
  const labelsOf = async (asker: Asker, id: string) => (await retrieve(asker, id)).labels
  const mark = (asker: Asker, ids: readonly string[], labels: readonly string[]) =>
    post(on, asker, {action: 'mark', items: ids.map((id) => ({id, labels}))})

  test('is renamed, deleted and given back with one call; the other labels and the time of the last change stay', async () => {
    const asker = await createAsker(on)
    const [a = '', b = ''] = await insert(asker, 2)
    await mark(asker, [a], ['work', 'home'])
    await mark(asker, [b], ['work', 'job'])
    const label = async (items: object[]) => {
      const answer = await post(on, asker, {action: 'label', items})
      expect(answer.status).toBe(200)
      return [await answer.json(), await labelsOf(asker, a), await labelsOf(asker, b)]
    }
    const changed = {items: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === [a, b].toSorted().join())}
    // a name that is there already is on a conversation once
    expect(await label([{ids: [a, b], on: [' job '], off: ['work']}])).toEqual([changed, ['home', 'job'], ['job']])
    expect(await label([{ids: [a, b], off: ['job']}])).toEqual([changed, ['home'], []])
    expect(
      await label([
        {ids: [a], on: ['work'], off: ['job']},
        {ids: [b], on: ['work', 'job']},
      ]),
    ).toEqual([changed, ['home', 'work'], ['work', 'job']])
    expect(await retrieve(asker, a)).toEqual({
      updated_at: 1_700_000_000,
      id: expect.any(String),
      model: 'foo',
      messages: [],
      pinned: false,
      archived: false,
      labels: ['home', 'work'],
    })
  })

  test('reaches two thousand conversations', async () => {
    const asker = await createAsker(on)
    const ids = await insert(asker, 2_000)
    const answer = await post(on, asker, {action: 'label', items: [{ids, on: ['work']}]})
    const {items} = (await answer.json()) as {items: string[]}
    expect([answer.status, items.length]).toEqual([200, 2_000])
    expect(await labelsOf(asker, ids.at(-1) ?? '')).toEqual(['work'])
  })

  test("leaves another user's conversations, missing ones, and those that carry all they can, as they are", async () => {
    const [owner, other] = [await createAsker(on), await createAsker(on)]
    const [foreign = ''] = await insert(owner, 1)
    const [full = ''] = await insert(other, 1)
    await mark(
      other,
      [full],
      Array.from({length: 20}, (_, index) => `l${index}`),
    )
    const ids = [foreign, full, '3f2f9a9e-0000-4000-8000-000000000000', 'foo']
    const answer = await post(on, other, {action: 'label', items: [{ids, on: ['work']}]})
    expect([answer.status, await answer.json()]).toEqual([200, {items: []}])
    expect(await labelsOf(owner, foreign)).toEqual([])
    expect(await labelsOf(other, full)).toHaveLength(20)
  })

  test.each([
    ['nothing', []],
    ['no conversation', [{ids: []}]],
    ['too many', Array.from({length: 2}, () => ({ids: Array.from({length: 2_501}, () => 'a')}))],
    ['a label without a name', [{ids: ['a'], on: [' ']}]],
    ['a label that is too long', [{ids: ['a'], off: ['x'.repeat(51)]}]],
    ['another key', [{ids: ['a'], pinned: true}]],
  ])('with %s is refused', async (_, items) => {
    expect((await post(on, await createAsker(on), {action: 'label', items})).status).toBe(400)
  })
})

describe('several at once', () => {
  test("are deleted with one call; what is not the user's counts as gone, whosever it is", async () => {
    const [owner, other] = [await createAsker(on), await createAsker(on)]
    const own = await insert(owner, 3)
    const [foreign = ''] = await insert(other, 1)
    const missing = '3f2f9a9e-0000-4000-8000-000000000000'
    const answer = await post(on, owner, {action: 'delete_batch', ids: [...own, foreign, missing]})
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({items: [...own, foreign, missing]})
    expect(await (await post(on, owner, {action: 'retrieve_batch'})).json()).toEqual({count: 0, items: []})
    expect((await retrieve(other, foreign)).id).toBe(foreign)
  })
})
